//! The rig as data.

use super::{Literal, NameError, check_name, check_pin_path};
use crate::hierarchy::ElementKey;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// A whole rig, as authored.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rig {
    /// What it is called, in any words.
    pub name: String,
    /// What it is for; empty if nothing is said.
    pub doc: String,
    /// Roles: a logical bone name, and the names that bone may have on a skeleton. The first that the
    /// skeleton has is taken. `bone:head` in the rig goes through the role `head`.
    pub bones: BTreeMap<String, Vec<String>>,
    /// Elements that the rig adds to the skeleton's.
    pub elements: BTreeMap<ElementKey, ElementDecl>,
    /// Enums, each the names of its values in order.
    pub enums: BTreeMap<String, Vec<String>>,
    /// Structs by name.
    pub structs: BTreeMap<String, StructDecl>,
    /// Curves that pins refer to by name.
    pub curves: BTreeMap<String, CurveDecl>,
    /// Variables by name.
    pub variables: BTreeMap<String, VariableDecl>,
    /// Events and functions by name.
    pub graphs: BTreeMap<String, Graph>,
    /// Where nodes and comments stand, by graph and then by their name. No graph's map is empty.
    pub layout: BTreeMap<String, BTreeMap<String, Place>>,
}

/// One event or function.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    /// Event or function.
    pub kind: GraphKind,
    /// What it does; empty if nothing is said.
    pub doc: String,
    /// The node that execution starts at, if any is executed.
    pub start: Option<String>,
    /// Nodes by name.
    pub nodes: BTreeMap<String, Node>,
    /// Comments by name; names differ from those of nodes.
    pub comments: BTreeMap<String, Comment>,
}

/// What a graph is.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum GraphKind {
    /// An entry point; its name is the event's.
    #[default]
    Event,
    /// Code that `call` nodes share.
    Function(FunctionDecl),
}

/// The signature of a function, and what it gives back.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FunctionDecl {
    /// Inputs by name; links inside read them as `inputs.NAME`.
    pub inputs: BTreeMap<String, PinDecl>,
    /// Outputs by name.
    pub outputs: BTreeMap<String, PinDecl>,
    /// The order in which editors show the pins; those not listed follow by name.
    pub order: Vec<String>,
    /// What each output (or sub-pin of one) is set to when the function ends.
    pub results: BTreeMap<String, Input>,
}

/// A pin of a function.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PinDecl {
    /// Name of its type.
    pub ty: String,
    /// What an unlinked input is.
    pub default: Option<Literal>,
    /// What it means; empty if nothing is said.
    pub doc: String,
}

/// A node.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// What it does.
    pub op: NodeOp,
    /// By pin or sub-pin (`transform.translation.x`): a constant or a link. Pins not listed take the
    /// unit's defaults.
    pub inputs: BTreeMap<String, Input>,
    /// By execution pin: the node that is executed next.
    pub exec: BTreeMap<String, String>,
    /// Bound on the elements of the arrays it makes, or on the turns of its loop.
    pub capacity: Option<u32>,
    /// A remark for readers; empty if there is none.
    pub note: String,
}

impl Node {
    /// A node with nothing at its pins.
    pub fn new(op: NodeOp) -> Self {
        Self { op, inputs: BTreeMap::new(), exec: BTreeMap::new(), capacity: None, note: String::new() }
    }

    /// Runs the unit of that name.
    pub fn unit(name: impl Into<String>) -> Self {
        Self::new(NodeOp::Unit(name.into()))
    }

    /// The same with one pin set.
    pub fn with(mut self, pin: impl Into<String>, input: impl Into<Input>) -> Self {
        self.inputs.insert(pin.into(), input.into());
        self
    }

    /// The same with one execution pin linked.
    pub fn then(mut self, pin: impl Into<String>, target: impl Into<String>) -> Self {
        self.exec.insert(pin.into(), target.into());
        self
    }
}

/// What a node does.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NodeOp {
    /// Runs a unit, flow control among them: `Math.Add`, `Flow.Branch`.
    Unit(String),
    /// Calls a function of the rig.
    Call(String),
    /// Reads a variable; the value is at its pin `value`.
    Get(String),
    /// Writes a variable from its pin `value`.
    Set(String),
    /// A constant of the type named, at its pin `value`.
    Const(String),
}

impl NodeOp {
    /// The word before it in the text form.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Unit(_) => "unit",
            Self::Call(_) => "call",
            Self::Get(_) => "get",
            Self::Set(_) => "set",
            Self::Const(_) => "const",
        }
    }

    /// What it names: a unit, function, variable or type.
    pub fn name(&self) -> &str {
        match self {
            Self::Unit(s) | Self::Call(s) | Self::Get(s) | Self::Set(s) | Self::Const(s) => s,
        }
    }
}

/// What stands at an input pin.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// A constant.
    Literal(Literal),
    /// Another node's output pin, or a part of one.
    Link(PinRef),
}

impl Input {
    /// The link, if it is one.
    pub const fn as_link(&self) -> Option<&PinRef> {
        if let Self::Link(link) = self { Some(link) } else { None }
    }
    /// The constant, if it is one.
    pub const fn as_literal(&self) -> Option<&Literal> {
        if let Self::Literal(literal) = self { Some(literal) } else { None }
    }
}

impl<T: Into<Literal>> From<T> for Input {
    fn from(v: T) -> Self {
        Self::Literal(v.into())
    }
}

impl From<PinRef> for Input {
    fn from(v: PinRef) -> Self {
        Self::Link(v)
    }
}

/// A pin of a node: `goal.result.translation`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PinRef {
    /// The node, or `inputs` for a function's inputs.
    pub node: String,
    /// The pin and, after points, the part of it: `result.translation`. Not empty.
    pub path: String,
}

impl PinRef {
    /// The node that stands for a function's inputs.
    pub const INPUTS: &'static str = "inputs";

    /// From parts, as they are.
    pub fn new(node: impl Into<String>, path: impl Into<String>) -> Self {
        Self { node: node.into(), path: path.into() }
    }

    /// Whether it reads an input of the function it stands in.
    pub fn is_function_input(&self) -> bool {
        self.node == Self::INPUTS
    }

    /// The pin itself, without the part.
    pub fn pin(&self) -> &str {
        self.path.split('.').next().unwrap_or_default()
    }

    /// The parts after the pin, from outer to inner.
    pub fn sub_pins(&self) -> impl Iterator<Item = &str> {
        self.path.split('.').skip(1)
    }
}

impl fmt::Display for PinRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.node, self.path)
    }
}

impl FromStr for PinRef {
    type Err = NameError;
    fn from_str(s: &str) -> Result<Self, NameError> {
        let (node, path) = s.split_once('.').ok_or_else(|| NameError::NotPin(s.into()))?;
        if node != Self::INPUTS {
            check_name(node)?;
        }
        check_pin_path(path)?;
        Ok(Self::new(node, path))
    }
}

/// A frame with words around nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comment {
    /// What it says.
    pub text: String,
    /// The nodes it speaks of, in order of name.
    pub nodes: Vec<String>,
    /// Red, green, blue, alpha from 0 to 1.
    pub color: Option<[f64; 4]>,
}

/// Where something stands in the editor, in points, +x right, +y down.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Place {
    /// Its upper left corner.
    pub at: [f64; 2],
    /// Width and height, for comments.
    pub size: Option<[f64; 2]>,
}

impl Place {
    /// At that corner, with no size of its own.
    pub const fn at(x: f64, y: f64) -> Self {
        Self { at: [x, y], size: None }
    }
}

/// A variable of the rig.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VariableDecl {
    /// Name of its type.
    pub ty: String,
    /// Who sets it and who reads it.
    pub role: Role,
    /// What it is before anybody sets it; the type's zero if not given.
    pub default: Option<Literal>,
    /// The least value, for numbers.
    pub min: Option<f64>,
    /// The greatest value, for numbers.
    pub max: Option<f64>,
    /// Bound on the elements, for arrays.
    pub capacity: Option<u32>,
    /// What it means; empty if nothing is said.
    pub doc: String,
}

/// Who sets a variable and who reads it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// Set by the host.
    Input,
    /// Read by the host.
    Output,
    /// Seen by the rig alone; kept from frame to frame.
    #[default]
    Internal,
}

/// A user's struct.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StructDecl {
    /// Fields by name, which is also their order in memory.
    pub fields: BTreeMap<String, FieldDecl>,
}

/// A field of a struct.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FieldDecl {
    /// Name of its type.
    pub ty: String,
    /// What it is when not given; the type's zero if there is none.
    pub default: Option<Literal>,
    /// What it means; empty if nothing is said.
    pub doc: String,
}

/// A transform with any of its parts left out: identity there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TransformDecl {
    /// Metres.
    pub translation: Option<[f64; 3]>,
    /// Quaternion x y z w.
    pub rotation: Option<[f64; 4]>,
    /// Factors.
    pub scale: Option<[f64; 3]>,
}

/// An element that the rig adds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ElementDecl {
    /// What it hangs on; the root if not given. Curves have none.
    pub parent: Option<ElementKey>,
    /// Its initial transform, relative to the parent.
    pub transform: Option<TransformDecl>,
    /// For controls, what is controlled and how it looks.
    pub control: Option<ControlDecl>,
    /// Other parents that it can follow.
    pub spaces: Vec<SpaceDecl>,
    /// For curves, the value it starts with.
    pub value: Option<f64>,
    /// What it is for; empty if nothing is said.
    pub doc: String,
}

/// A parent that an element can follow, wholly or by weight.
#[derive(Clone, Debug, PartialEq)]
pub struct SpaceDecl {
    /// What the space is called; the parent's name if not given.
    pub name: Option<String>,
    /// The parent; the root (world) if not given.
    pub parent: Option<ElementKey>,
    /// Its weight at the start, 0 or more.
    pub weight: Option<f64>,
}

/// What a control holds and how it looks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ControlDecl {
    /// What is controlled.
    pub kind: ControlKind,
    /// Its initial value; zero or identity if not given.
    pub value: Option<Literal>,
    /// The least value, of the control's kind; parts not given are free.
    pub min: Option<Literal>,
    /// The greatest value, of the control's kind; parts not given are free.
    pub max: Option<Literal>,
    /// Where zero is, relative to the parent.
    pub offset: Option<TransformDecl>,
    /// The name of its shape; empty for none.
    pub shape: String,
    /// The shape relative to the control.
    pub shape_transform: Option<TransformDecl>,
    /// Red, green, blue, alpha from 0 to 1.
    pub color: Option<[f64; 4]>,
}

macro_rules! words {
    ($(#[$m:meta])* $t:ident { $($(#[$vm:meta])* $v:ident = $w:literal),+ $(,)? }) => {
        $(#[$m])*
        pub enum $t { $($(#[$vm])* $v),+ }
        impl $t {
            /// The words of the text form.
            pub const WORDS: &'static [&'static str] = &[$($w),+];
            /// The word in the text form.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$v => $w),+ }
            }
            /// By its word.
            pub fn from_word(word: &str) -> Option<Self> {
                match word { $($w => Some(Self::$v),)+ _ => None }
            }
        }
    };
}

words! {
    /// What a control holds.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    ControlKind {
        /// A truth value.
        Bool = "bool",
        /// A number.
        Float = "float",
        /// A whole number.
        Int = "int",
        /// Two numbers.
        Vec2 = "vec2",
        /// A translation.
        Position = "position",
        /// A rotation.
        Rotation = "rotation",
        /// Three factors.
        Scale = "scale",
        /// All of a transform.
        #[default]
        Transform = "transform",
    }
}

words! {
    /// How a curve goes from a key to the next.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    Interpolation {
        /// Stays until the next key.
        Step = "step",
        /// Straight.
        #[default]
        Linear = "linear",
        /// Hermite, by the tangents at both keys.
        Cubic = "cubic",
    }
}

words! {
    /// What a curve is outside of its keys.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
    Extrapolation {
        /// The nearest key's value.
        #[default]
        Hold = "hold",
        /// Straight on, by the tangent.
        Linear = "linear",
        /// Over and over.
        Loop = "loop",
        /// Over and over, every second time backwards.
        PingPong = "ping_pong",
    }
}

impl Role {
    /// The words of the text form.
    pub const WORDS: &'static [&'static str] = &["input", "output", "internal"];

    /// The word in the text form.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Output => "output",
            Self::Internal => "internal",
        }
    }

    /// By its word.
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "input" => Some(Self::Input),
            "output" => Some(Self::Output),
            "internal" => Some(Self::Internal),
            _ => None,
        }
    }
}

/// A function of one number, by keys.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CurveDecl {
    /// Keys, their times rising.
    pub keys: Vec<CurveKey>,
    /// Before the first key.
    pub before: Extrapolation,
    /// After the last key.
    pub after: Extrapolation,
    /// What it is for; empty if nothing is said.
    pub doc: String,
}

/// A key of a curve.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CurveKey {
    /// Where.
    pub time: f64,
    /// What it is there.
    pub value: f64,
    /// How it goes on to the next key.
    pub interpolation: Interpolation,
    /// Slope on arrival, in value by time, for cubic.
    pub arrive: Option<f64>,
    /// Slope on leaving, in value by time, for cubic.
    pub leave: Option<f64>,
}

impl Graph {
    /// The signature, if it is a function.
    pub const fn function(&self) -> Option<&FunctionDecl> {
        if let GraphKind::Function(f) = &self.kind { Some(f) } else { None }
    }

    /// Whether a node or comment has that name.
    pub fn has(&self, id: &str) -> bool {
        self.nodes.contains_key(id) || self.comments.contains_key(id)
    }
}

impl FunctionDecl {
    /// Inputs in the order in which editors show them.
    pub fn ordered_inputs(&self) -> Vec<(&str, &PinDecl)> {
        self.ordered(&self.inputs)
    }

    /// Outputs in the order in which editors show them.
    pub fn ordered_outputs(&self) -> Vec<(&str, &PinDecl)> {
        self.ordered(&self.outputs)
    }

    fn ordered<'a>(&self, pins: &'a BTreeMap<String, PinDecl>) -> Vec<(&'a str, &'a PinDecl)> {
        let rank: BTreeMap<&str, usize> =
            self.order.iter().enumerate().map(|(i, n)| (n.as_str(), i)).collect();
        let mut out: Vec<_> = pins.iter().map(|(n, p)| (n.as_str(), p)).collect();
        out.sort_by_key(|(n, _)| (rank.get(n).copied().unwrap_or(usize::MAX), *n));
        out
    }
}

impl Rig {
    /// The graph of that name, if there is one.
    pub fn graph(&self, name: &str) -> Option<&Graph> {
        self.graphs.get(name)
    }

    /// The node of that name in that graph, if there is one.
    pub fn node(&self, graph: &str, node: &str) -> Option<&Node> {
        self.graphs.get(graph)?.nodes.get(node)
    }

    /// Where a node or comment stands, if anybody has placed it.
    pub fn place(&self, graph: &str, id: &str) -> Option<Place> {
        self.layout.get(graph)?.get(id).copied()
    }

    /// Events by name.
    pub fn events(&self) -> impl Iterator<Item = (&str, &Graph)> {
        self.graphs.iter().filter(|(_, g)| g.function().is_none()).map(|(n, g)| (n.as_str(), g))
    }

    /// Functions by name.
    pub fn functions(&self) -> impl Iterator<Item = (&str, &Graph)> {
        self.graphs.iter().filter(|(_, g)| g.function().is_some()).map(|(n, g)| (n.as_str(), g))
    }
}
