//! Resolves a graph: links to pins, names to units, functions and variables, types to types.
//!
//! Nodes are taken in an order in which every link's source comes first, so each node's overload
//! follows from types that are known. All problems of the graph are gathered.

use std::collections::{BTreeMap, HashMap};

use super::diagnostic::{At, Code, Problems};
use super::flow::Flow;
use super::overload::{choose, conversion};
use super::symbols::{Constant, Symbols, natural_type};
use crate::graph::{Graph, Input, Literal, Node, NodeOp, PinRef, Role, suggest};
use crate::value::Type;
use crate::vm::{Direction, Registry, UnitDef};

/// A variable of the rig, with its type known.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub name: String,
    pub ty: Type,
    pub role: Role,
    pub initial: Constant,
}

/// A function's pins, with their types known.
#[derive(Clone, Debug, Default)]
pub(super) struct FunctionPins {
    pub inputs: Vec<(String, Type, Constant)>,
    pub outputs: Vec<(String, Type)>,
}

/// What all graphs are checked against.
pub(super) struct Scope<'r> {
    pub registry: &'r Registry,
    pub variables: Vec<Variable>,
    pub functions: BTreeMap<&'r str, FunctionPins>,
}

impl Scope<'_> {
    pub fn variable(&self, name: &str) -> Option<usize> {
        self.variables.iter().position(|v| v.name == name)
    }
}

#[derive(Clone, Debug)]
pub(super) enum Op<'r> {
    Unit {
        unit: &'r UnitDef,
        any: Option<Type>,
    },
    Flow(Flow),
    Call(&'r str),
    Get(usize),
    Set(usize),
    Const,
    /// The function's inputs.
    Inputs,
    /// Not resolved; the problem has been told.
    Broken,
}

#[derive(Clone, Debug)]
pub(super) enum Source<'r> {
    Constant(Constant),
    Link { node: usize, output: usize, offset: u32, ty: Type, convert: Option<&'r UnitDef> },
    Missing,
}

#[derive(Clone, Debug)]
pub(super) struct InPin<'r> {
    pub name: String,
    pub ty: Type,
    pub source: Source<'r>,
    /// Parts that are set on their own: offset, type, source.
    pub parts: Vec<(u32, Type, Source<'r>)>,
}

#[derive(Clone, Debug)]
pub(super) struct CheckedNode<'r> {
    pub name: &'r str,
    pub op: Op<'r>,
    pub inputs: Vec<InPin<'r>>,
    pub outputs: Vec<(String, Type)>,
    pub exec: BTreeMap<&'r str, usize>,
    pub capacity: Option<u32>,
}

#[derive(Debug)]
pub(super) struct CheckedGraph<'r> {
    pub name: &'r str,
    pub nodes: Vec<CheckedNode<'r>>,
    pub start: Option<usize>,
    /// A function's outputs, in the order of its pins.
    pub results: Vec<InPin<'r>>,
    pub is_function: bool,
}

pub(super) fn check<'r>(
    scope: &Scope<'r>,
    name: &'r str,
    graph: &'r Graph,
    symbols: &mut Symbols<'r>,
    problems: &mut Problems,
) -> CheckedGraph<'r> {
    let mut checker = Checker::new(scope, name, graph);
    let order = checker.order(problems);
    for node in order {
        checker.node(node, symbols, problems);
    }
    checker.exec(problems);
    checker.finish(symbols, problems)
}

struct Checker<'s, 'r> {
    scope: &'s Scope<'r>,
    name: &'r str,
    graph: &'r Graph,
    ids: HashMap<&'r str, usize>,
    source: Vec<Option<&'r Node>>,
    nodes: Vec<CheckedNode<'r>>,
}

impl<'s, 'r> Checker<'s, 'r> {
    fn new(scope: &'s Scope<'r>, name: &'r str, graph: &'r Graph) -> Self {
        let mut checker =
            Self { scope, name, graph, ids: HashMap::new(), source: Vec::new(), nodes: Vec::new() };
        let broken = |name, capacity| CheckedNode {
            name,
            op: Op::Broken,
            inputs: Vec::new(),
            outputs: Vec::new(),
            exec: BTreeMap::new(),
            capacity,
        };
        if graph.function().is_some() {
            checker.ids.insert(PinRef::INPUTS, 0);
            checker.source.push(None);
            let mut inputs = broken(PinRef::INPUTS, None);
            inputs.op = Op::Inputs;
            if let Some(pins) = scope.functions.get(name) {
                inputs.outputs = pins.inputs.iter().map(|(n, t, _)| (n.clone(), t.clone())).collect();
            }
            checker.nodes.push(inputs);
        }
        for (id, node) in &graph.nodes {
            checker.ids.insert(id, checker.nodes.len());
            checker.source.push(Some(node));
            checker.nodes.push(broken(id, node.capacity));
        }
        checker
    }

    fn at(&self, node: usize) -> At<'r> {
        At::node(self.name, self.nodes[node].name)
    }

    /// Nodes with the sources of links before what they go to. Circles are told and left out.
    fn order(&self, problems: &mut Problems) -> Vec<usize> {
        let n = self.nodes.len();
        let (mut waits, mut followers) = (vec![0usize; n], vec![Vec::new(); n]);
        for (to, node) in self.source.iter().enumerate() {
            for (pin, input) in node.iter().flat_map(|n| &n.inputs) {
                let Some(link) = input.as_link() else { continue };
                match self.ids.get(link.node.as_str()) {
                    Some(&from) => {
                        waits[to] += 1;
                        followers[from].push(to);
                    }
                    None => self.unknown_node(&self.at(to).pin(pin), &link.node, problems),
                }
            }
        }
        let mut order: Vec<usize> = (0..n).filter(|i| waits[*i] == 0).collect();
        let mut at = 0;
        while let Some(&from) = order.get(at) {
            at += 1;
            for &to in &followers[from] {
                waits[to] -= 1;
                if waits[to] == 0 {
                    order.push(to);
                }
            }
        }
        if order.len() < n {
            self.tell_circle(&waits, problems);
        }
        order
    }

    fn tell_circle(&self, waits: &[usize], problems: &mut Problems) {
        let Some(first) = waits.iter().position(|w| *w > 0) else { return };
        // Going back along links inside the rest must come round, within as many steps as nodes.
        let back = |node: usize| {
            let inputs = self.source[node].iter().flat_map(|n| n.inputs.values());
            let mut sources = inputs.filter_map(|i| self.ids.get(i.as_link()?.node.as_str()).copied());
            sources.find(|s| waits[*s] > 0)
        };
        let mut path = vec![first];
        let mut at = first;
        while let Some(from) = back(at) {
            if let Some(start) = path.iter().position(|p| *p == from) {
                let circle = path[start..].iter().rev().chain([&path[path.len() - 1]]);
                let names: Vec<_> = circle.map(|i| self.nodes[*i].name).collect();
                let message = format!("links run in a circle: {}", names.join(" → "));
                let remedy = "break it with a variable: what was set in one frame is read in the next";
                problems.error(Code::LinkCycle, &self.at(from), message, remedy);
                return;
            }
            path.push(from);
            at = from;
        }
    }

    fn unknown_node(&self, at: &At<'_>, name: &str, problems: &mut Problems) {
        let near = suggest(name, self.ids.keys().copied());
        let remedy = near.map_or("link to a node of this graph".into(), |n| format!("did you mean `{n}`?"));
        problems.error(Code::UnknownNode, at, format!("there is no node `{name}` in this graph"), remedy);
    }

    fn node(&mut self, id: usize, symbols: &mut Symbols<'r>, problems: &mut Problems) {
        let Some(node) = self.source[id] else { return };
        match &node.op {
            NodeOp::Unit(name) => match Flow::by_name(name) {
                Some(flow) => self.flow(id, node, flow, symbols, problems),
                None => self.unit(id, node, name, symbols, problems),
            },
            NodeOp::Call(name) => self.call(id, node, name, symbols, problems),
            NodeOp::Get(name) | NodeOp::Set(name) => self.variable(id, node, name, symbols, problems),
            NodeOp::Const(text) => match symbols.ty(text, node.capacity) {
                Ok(ty) => {
                    let zero = symbols.zero(&ty);
                    let pins = vec![("value".to_string(), ty.clone(), Some(zero))];
                    self.fill(id, node, pins, symbols, problems);
                    self.nodes[id].outputs = vec![("value".into(), ty)];
                    self.nodes[id].op = Op::Const;
                }
                Err(e) => problems.error(Code::UnknownType, &self.at(id), e, "name a type"),
            },
        }
    }

    fn variable(
        &mut self,
        id: usize,
        node: &'r Node,
        name: &str,
        symbols: &mut Symbols<'r>,
        problems: &mut Problems,
    ) {
        let Some(v) = self.scope.variable(name) else {
            let names = self.scope.variables.iter().map(|v| v.name.as_str());
            let remedy = suggest(name, names)
                .map_or("declare it under `variables`".into(), |n| format!("did you mean `{n}`?"));
            let message = format!("the rig has no variable `{name}`");
            return problems.error(Code::UnknownVariable, &self.at(id), message, remedy);
        };
        let variable = &self.scope.variables[v];
        let ty = variable.ty.clone();
        if matches!(node.op, NodeOp::Get(_)) {
            self.fill(id, node, Vec::new(), symbols, problems);
            self.nodes[id].outputs = vec![("value".into(), ty)];
            self.nodes[id].op = Op::Get(v);
            return;
        }
        if variable.role == Role::Input {
            let message = format!("`{name}` is an input: only the host writes it");
            problems.error(Code::WrongPlace, &self.at(id), message, "make it `internal` or `output`");
        }
        let initial = variable.initial.clone();
        let whole = node.inputs.contains_key("value");
        let parts = node.inputs.keys().any(|k| k.starts_with("value."));
        let default = if whole || !parts { Some(initial) } else { None };
        self.fill(id, node, vec![("value".into(), ty, default)], symbols, problems);
        self.nodes[id].op = Op::Set(v);
    }

    fn call(
        &mut self,
        id: usize,
        node: &'r Node,
        name: &'r str,
        symbols: &mut Symbols<'r>,
        problems: &mut Problems,
    ) {
        let Some(pins) = self.scope.functions.get(name) else {
            let names = self.scope.functions.keys().copied();
            let remedy = suggest(name, names)
                .map_or("add a function of that name".into(), |n| format!("did you mean `{n}`?"));
            let message = format!("the rig has no function `{name}`");
            return problems.error(Code::UnknownFunction, &self.at(id), message, remedy);
        };
        let inputs = pins.inputs.iter().map(|(n, t, d)| (n.clone(), t.clone(), Some(d.clone())));
        self.fill(id, node, inputs.collect(), symbols, problems);
        self.nodes[id].outputs = pins.outputs.clone();
        self.nodes[id].op = Op::Call(name);
    }

    fn unit(
        &mut self,
        id: usize,
        node: &'r Node,
        name: &str,
        symbols: &mut Symbols<'r>,
        problems: &mut Problems,
    ) {
        let registry = self.scope.registry;
        let overloads = registry.overloads(name);
        if overloads.is_empty() {
            let names = registry.names().chain(Flow::ALL.iter().map(|f| f.name));
            let remedy = suggest(name, names)
                .map_or("see `sinew units`; a unit of your own must be registered".into(), |n| {
                    format!("did you mean `{n}`?")
                });
            return problems.error(
                Code::UnknownUnit,
                &self.at(id),
                format!("there is no unit `{name}`"),
                remedy,
            );
        }
        let linked = self.linked_types(node);
        let at = self.at(id);
        let Some(choice) = choose(overloads, node, &linked, registry, &at, problems) else { return };
        let unit = choice.unit;
        let capacity = node.capacity.or_else(|| {
            let arrays = linked.values().filter_map(|t| match t {
                Type::Array(_, n) => Some(*n),
                _ => None,
            });
            arrays.max()
        });
        let concrete = |ty: &Type, pin: &str| {
            let ty = choice.any.as_ref().map_or(ty.clone(), |t| ty.with_any(t));
            match (ty, linked.get(pin)) {
                (Type::Array(e, 0), Some(Type::Array(_, n))) => Type::Array(e, *n),
                (Type::Array(e, 0), None) => Type::Array(e, capacity.unwrap_or(64)),
                (ty, _) => ty,
            }
        };
        let mut pins = Vec::new();
        for pin in unit.pins.iter().filter(|p| p.direction != Direction::Out) {
            let ty = concrete(&pin.ty, pin.name);
            let default = match &pin.ty {
                t if pin.direction == Direction::InOut || matches!(t, Type::Array(..)) => None,
                Type::Any => Some(symbols.zero(&ty)),
                _ => Some(Constant::of(pin.default.clone())),
            };
            pins.push((pin.name.to_string(), ty, default));
        }
        self.fill(id, node, pins, symbols, problems);
        for pin in unit.pins.iter().filter(|p| p.direction == Direction::InOut) {
            self.check_in_place(id, pin.name, problems);
        }
        let outputs = unit.pins.iter().filter(|p| p.direction == Direction::Out);
        self.nodes[id].outputs = outputs.map(|p| (p.name.to_string(), concrete(&p.ty, p.name))).collect();
        self.nodes[id].op = Op::Unit { unit, any: choice.any };
    }

    /// A pin that is changed in place is linked to the variable itself.
    fn check_in_place(&self, id: usize, pin: &str, problems: &mut Problems) {
        let source = self.nodes[id].inputs.iter().find(|p| p.name == pin).map(|p| &p.source);
        let at = self.at(id).pin(pin);
        let ok = match source {
            Some(Source::Link { node, offset: 0, convert: None, .. }) => match self.nodes[*node].op {
                Op::Get(v) => {
                    let variable = &self.scope.variables[v];
                    if variable.role == Role::Input {
                        let message = format!("`{}` is an input: only the host writes it", variable.name);
                        problems.error(Code::NeedsVariable, &at, message, "use an internal variable");
                    }
                    true
                }
                Op::Broken => true,
                _ => false,
            },
            _ => false,
        };
        if !ok {
            let message = "the array is changed in place, so it must be a variable";
            problems.error(Code::NeedsVariable, &at, message, "link the pin to a `get` of an array variable");
        }
    }

    fn flow(
        &mut self,
        id: usize,
        node: &'r Node,
        flow: Flow,
        symbols: &mut Symbols<'r>,
        problems: &mut Problems,
    ) {
        let linked = self.linked_types(node);
        let selector = || match linked.get("value") {
            Some(ty @ Type::Enum(_)) => ty.clone(),
            _ => Type::Int,
        };
        let int = |name: &str| (name.to_string(), Type::Int, Some(Constant::zero(1)));
        let (mut pins, mut outputs) = (Vec::new(), Vec::new());
        match flow {
            Flow::Branch | Flow::While => {
                pins.push(("condition".into(), Type::Bool, Some(Constant::zero(1))))
            }
            Flow::Sequence => {}
            Flow::Switch => pins.push(("value".into(), selector(), Some(Constant::zero(1)))),
            Flow::For => {
                pins.push(int("count"));
                outputs = vec![("index".into(), Type::Int), ("ratio".into(), Type::Float)];
            }
            Flow::ForEach => {
                let Some(ty @ Type::Array(elem, _)) = linked.get("array") else {
                    let remedy = "link `array` to an array";
                    return problems.error(
                        Code::Generic,
                        &self.at(id).pin("array"),
                        "there is no array to go through",
                        remedy,
                    );
                };
                pins.push(("array".into(), ty.clone(), None));
                outputs = vec![
                    ("element".into(), (**elem).clone()),
                    ("index".into(), Type::Int),
                    ("ratio".into(), Type::Float),
                    ("count".into(), Type::Int),
                ];
            }
            Flow::If | Flow::Select => {
                let selects = if flow == Flow::If { "condition" } else { "value" };
                let ty = self.value_type(node, &linked, selects);
                let Some(ty) = ty else {
                    let message = "neither side says of which type the value is";
                    return problems.error(Code::Generic, &self.at(id), message, "link or set one side");
                };
                let zero = symbols.zero(&ty);
                if flow == Flow::If {
                    pins.push(("condition".into(), Type::Bool, Some(Constant::zero(1))));
                    pins.push(("true".into(), ty.clone(), Some(zero.clone())));
                    pins.push(("false".into(), ty.clone(), Some(zero)));
                } else {
                    pins.push(("value".into(), selector(), Some(Constant::zero(1))));
                    let roots = node.inputs.keys().map(|k| k.split('.').next().unwrap_or_default());
                    let mut cases: Vec<_> = roots.filter(|k| *k != "value" && *k != "default").collect();
                    cases.dedup();
                    for case in cases {
                        if self.case_value(&selector(), case).is_none() {
                            self.bad_case(id, case, &selector(), problems);
                        }
                        pins.push((case.to_string(), ty.clone(), Some(zero.clone())));
                    }
                    pins.push(("default".into(), ty.clone(), Some(zero)));
                }
                outputs.push(("result".into(), ty));
            }
        }
        if flow == Flow::While {
            outputs.push(("index".into(), Type::Int));
        }
        self.fill(id, node, pins, symbols, problems);
        self.nodes[id].outputs = outputs;
        self.nodes[id].op = Op::Flow(flow);
        if flow == Flow::Switch {
            for pin in node.exec.keys().filter(|k| !matches!(k.as_str(), "default" | "next")) {
                if self.case_value(&selector(), pin).is_none() {
                    self.bad_case(id, pin, &selector(), problems);
                }
            }
        }
    }

    fn bad_case(&self, id: usize, case: &str, selector: &Type, problems: &mut Problems) {
        let remedy = match selector {
            Type::Enum(e) => format!("the cases are {}, default", e.variants.join(", ")),
            _ => "cases are written case_0, case_1, …, default".into(),
        };
        problems.error(
            Code::UnknownPin,
            &self.at(id).pin(case),
            format!("`{case}` is no case of {selector}"),
            remedy,
        );
    }

    /// The number that a case pin stands for.
    fn case_value(&self, selector: &Type, case: &str) -> Option<i32> {
        case_value(selector, case)
    }

    /// The type of a choice: the first link among its sides, else the first constant's looks.
    fn value_type(&self, node: &Node, linked: &BTreeMap<&str, Type>, selects: &str) -> Option<Type> {
        let of_links = linked.iter().filter(|(pin, _)| **pin != selects).map(|(_, ty)| ty);
        // A Float among Ints decides, as an Int converts to it.
        let best = of_links.max_by_key(|ty| u8::from(**ty != Type::Int && **ty != Type::Bool)).cloned();
        best.or_else(|| {
            let mut sides = node.inputs.iter().filter(|(pin, _)| pin.as_str() != selects);
            sides.find_map(|(_, input)| natural_type(input.as_literal()?))
        })
    }

    /// The types of what is linked to whole pins.
    fn linked_types(&self, node: &'r Node) -> BTreeMap<&'r str, Type> {
        let linked = node.inputs.iter().filter(|(pin, _)| !pin.contains('.'));
        linked.filter_map(|(pin, i)| Some((pin.as_str(), self.link_type(i.as_link()?)?))).collect()
    }

    fn link_type(&self, link: &PinRef) -> Option<Type> {
        let node = self.nodes.get(*self.ids.get(link.node.as_str())?)?;
        let (_, ty) = node.outputs.iter().find(|(n, _)| n == link.pin())?;
        link.sub_pins().try_fold(ty.clone(), |ty, part| ty.part(part).map(|p| p.ty))
    }

    /// Gives a node its input pins from what the rig says of them.
    fn fill(
        &mut self,
        id: usize,
        node: &'r Node,
        pins: Vec<(String, Type, Option<Constant>)>,
        symbols: &mut Symbols<'r>,
        problems: &mut Problems,
    ) {
        let mut inputs: Vec<InPin<'r>> = Vec::with_capacity(pins.len());
        for (name, ty, default) in pins {
            let source = default.map_or(Source::Missing, Source::Constant);
            inputs.push(InPin { name, ty, source, parts: Vec::new() });
        }
        // In order of their text a whole pin comes before its parts.
        for (path, input) in &node.inputs {
            let at = self.at(id).pin(path);
            let mut words = path.split('.');
            let root = words.next().unwrap_or_default();
            let Some(pin) = inputs.iter_mut().find(|p| p.name == root) else {
                let names: Vec<_> = inputs.iter().map(|p| p.name.as_str()).collect();
                let remedy = match suggest(root, names.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None if names.is_empty() => "it has no inputs".into(),
                    None => format!("its inputs are {}", names.join(", ")),
                };
                problems.error(Code::UnknownPin, &at, format!("the node has no input `{root}`"), remedy);
                continue;
            };
            let part = words.try_fold((0u32, pin.ty.clone()), |(offset, ty), word| {
                ty.part(word).map(|p| (offset + p.offset, p.ty)).ok_or((word, ty))
            });
            let (offset, ty) = match part {
                Ok(found) => found,
                Err((word, ty)) => {
                    let parts = ty.part_names();
                    let remedy = if parts.is_empty() {
                        format!("{ty} has no parts")
                    } else {
                        format!("its parts are {}", parts.join(", "))
                    };
                    problems.error(Code::UnknownPin, &at, format!("{ty} has no part `{word}`"), remedy);
                    continue;
                }
            };
            let Some(source) = self.source_of(id, path, input, &ty, symbols, problems) else { continue };
            let pin = match inputs.iter_mut().find(|p| p.name == root) {
                Some(pin) => pin,
                None => continue,
            };
            if path.contains('.') {
                match (&mut pin.source, &source) {
                    (Source::Constant(whole), Source::Constant(part)) => whole.set_part(offset, part),
                    _ => pin.parts.push((offset, ty, source)),
                }
            } else {
                pin.source = source;
            }
        }
        for pin in &inputs {
            if matches!(pin.source, Source::Missing) && pin.parts.is_empty() {
                let message = format!("`{}` ({}) is neither linked nor set", pin.name, pin.ty);
                problems.error(Code::MissingInput, &self.at(id).pin(&pin.name), message, "link it");
            }
        }
        self.nodes[id].inputs = inputs;
    }

    fn source_of(
        &self,
        id: usize,
        path: &str,
        input: &Input,
        ty: &Type,
        symbols: &mut Symbols<'r>,
        problems: &mut Problems,
    ) -> Option<Source<'r>> {
        let at = self.at(id).pin(path);
        match input {
            Input::Literal(literal) => self.literal(literal, ty, &at, symbols, problems),
            Input::Link(link) => self.link(link, ty, &at, problems),
        }
    }

    fn literal(
        &self,
        literal: &Literal,
        ty: &Type,
        at: &At<'_>,
        symbols: &mut Symbols<'r>,
        problems: &mut Problems,
    ) -> Option<Source<'r>> {
        let place = format!("{}/{}", at.graph, at.node);
        match symbols.constant(literal, ty, &place) {
            Ok(c) => Some(Source::Constant(c)),
            Err(e) => {
                problems.error(Code::BadLiteral, at, e, "");
                None
            }
        }
    }

    fn link(&self, link: &PinRef, want: &Type, at: &At<'_>, problems: &mut Problems) -> Option<Source<'r>> {
        let node = *self.ids.get(link.node.as_str())?;
        let from = &self.nodes[node];
        if matches!(from.op, Op::Broken) {
            // Its own problem is told; what hangs on it would only repeat it.
            return Some(Source::Constant(Constant::zero(want.words())));
        }
        let Some(output) = from.outputs.iter().position(|(n, _)| n == link.pin()) else {
            let names: Vec<_> = from.outputs.iter().map(|(n, _)| n.as_str()).collect();
            let remedy = if names.is_empty() {
                "it has no outputs".into()
            } else {
                format!("its outputs are {}", names.join(", "))
            };
            let message = format!("node `{}` has no output `{}`", link.node, link.pin());
            problems.error(Code::UnknownPin, at, message, remedy);
            return None;
        };
        let (mut offset, mut ty) = (0, from.outputs[output].1.clone());
        for word in link.sub_pins() {
            let Some(part) = ty.part(word) else {
                let parts = ty.part_names();
                let remedy = if parts.is_empty() {
                    format!("{ty} has no parts")
                } else {
                    format!("its parts are {}", parts.join(", "))
                };
                problems.error(Code::UnknownPin, at, format!("{ty} has no part `{word}`"), remedy);
                return None;
            };
            offset += part.offset;
            ty = part.ty;
        }
        let convert = match conversion(&ty, want, self.scope.registry) {
            Some(convert) => convert,
            None => {
                let message = format!("`{link}` is {ty}, the pin takes {want}");
                let remedy = match (&ty, want) {
                    (Type::Float, Type::Int) => "put Convert.FloatToInt between them",
                    (Type::Transform, _) => "link a part of it, such as .translation",
                    _ => "put a node between them that makes one of the other",
                };
                problems.error(Code::TypeMismatch, at, message, remedy);
                return None;
            }
        };
        Some(Source::Link { node, output, offset, ty, convert })
    }

    /// Links the execution pins and refuses circles and nodes that are entered twice.
    fn exec(&mut self, problems: &mut Problems) {
        let mut entered: Vec<Option<String>> = vec![None; self.nodes.len()];
        if let Some(start) = &self.graph.start {
            match self.ids.get(start.as_str()) {
                Some(id) => entered[*id] = Some("start".into()),
                None => self.unknown_node(&At::graph(self.name).pin("start"), start, problems),
            }
        }
        for id in 0..self.nodes.len() {
            let Some(node) = self.source[id] else { continue };
            for (pin, target) in &node.exec {
                let at = self.at(id).pin(pin);
                let has = match &self.nodes[id].op {
                    Op::Flow(flow) => flow.has_exec(pin),
                    Op::Broken => true,
                    op => pin == "next" && !matches!(op, Op::Get(_) | Op::Const),
                };
                if !has {
                    problems.error(
                        Code::BadExecPin,
                        &at,
                        format!("the node has no execution pin `{pin}`"),
                        "nodes go on at `next`",
                    );
                    continue;
                }
                let Some(&to) =
                    self.ids.get(target.as_str()).filter(|t| **t != 0 || self.source[0].is_some())
                else {
                    self.unknown_node(&at, target, problems);
                    continue;
                };
                let here = format!("{}.{pin}", self.nodes[id].name);
                if let Some(first) = &entered[to] {
                    let message = format!("`{target}` is executed from `{first}` and from `{here}`");
                    let remedy = "a node has one place in the order: go on from the branch's `next`, or make it a function";
                    problems.error(Code::ExecTarget, &at, message, remedy);
                    continue;
                }
                entered[to] = Some(here);
                self.nodes[id].exec.insert(pin, to);
            }
        }
        self.refuse_exec_circles(&entered, problems);
    }

    /// With one entry a node, what `start` does not reach and yet is entered either hangs on a node
    /// that nothing enters, or runs in a circle.
    fn refuse_exec_circles(&self, entered: &[Option<String>], problems: &mut Problems) {
        let mut seen = vec![false; self.nodes.len()];
        let roots = (0..self.nodes.len()).filter(|i| entered[*i].as_deref().is_none_or(|e| e == "start"));
        let mut stack: Vec<usize> = roots.collect();
        while let Some(id) = stack.pop() {
            if !std::mem::replace(&mut seen[id], true) {
                stack.extend(self.nodes[id].exec.values());
            }
        }
        if let Some(id) = seen.iter().position(|s| !s) {
            let mut path = vec![id];
            while let Some(next) = self.nodes[path[path.len() - 1]].exec.values().find(|n| !seen[**n]) {
                path.push(*next);
                if path.iter().filter(|p| *p == next).count() > 1 || path.len() > self.nodes.len() + 1 {
                    break;
                }
            }
            let names: Vec<_> = path.iter().map(|i| self.nodes[*i].name).collect();
            let message = format!("execution runs in a circle: {}", names.join(" → "));
            problems.error(
                Code::ExecCycle,
                &self.at(id),
                message,
                "use Flow.For, Flow.ForEach or Flow.While",
            );
        }
    }

    fn finish(mut self, symbols: &mut Symbols<'r>, problems: &mut Problems) -> CheckedGraph<'r> {
        let mut results = Vec::new();
        if let (Some(decl), Some(pins)) = (self.graph.function(), self.scope.functions.get(self.name)) {
            // The outputs are read as the inputs of a node that is not there.
            let mut node = Node::new(NodeOp::Const(String::new()));
            node.inputs = decl.results.clone();
            for (name, ty) in &pins.outputs {
                let zero = symbols.zero(ty);
                let mut pin = InPin {
                    name: name.clone(),
                    ty: ty.clone(),
                    source: Source::Constant(zero),
                    parts: Vec::new(),
                };
                for (path, input) in decl.results.iter().filter(|(p, _)| p.split('.').next() == Some(name)) {
                    let at = At::graph(self.name).pin(path);
                    let part = path.split('.').skip(1).try_fold((0, ty.clone()), |(offset, ty), word| {
                        ty.part(word).map(|p| (offset + p.offset, p.ty))
                    });
                    let Some((offset, ty)) = part else {
                        problems.error(Code::UnknownPin, &at, format!("{ty} has no part `{path}`"), "");
                        continue;
                    };
                    if let Input::Link(l) = input
                        && !self.ids.contains_key(l.node.as_str())
                    {
                        self.unknown_node(&at, &l.node, problems);
                        continue;
                    }
                    let source = match input {
                        Input::Literal(l) => self.literal(l, &ty, &at, symbols, problems),
                        Input::Link(l) => self.link(l, &ty, &at, problems),
                    };
                    let Some(source) = source else { continue };
                    match path.contains('.') {
                        true => pin.parts.push((offset, ty, source)),
                        false => pin.source = source,
                    }
                }
                results.push(pin);
            }
            for path in decl.results.keys() {
                let root = path.split('.').next().unwrap_or_default();
                if !pins.outputs.iter().any(|(n, _)| n == root) {
                    let at = At::graph(self.name).pin(path);
                    problems.error(
                        Code::UnknownPin,
                        &at,
                        format!("the function has no output `{root}`"),
                        "declare it",
                    );
                }
            }
        }
        let start = self.graph.start.as_ref().and_then(|s| self.ids.get(s.as_str()).copied());
        let is_function = self.graph.function().is_some();
        let nodes = std::mem::take(&mut self.nodes);
        CheckedGraph { name: self.name, nodes, start, results, is_function }
    }
}

/// The number that a case pin stands for: `case_3`, or a variant of the enum.
pub(super) fn case_value(selector: &Type, case: &str) -> Option<i32> {
    match selector {
        Type::Enum(e) => e.variants.iter().position(|v| v == case).map(|i| i as i32),
        _ => case.strip_prefix("case_")?.parse().ok(),
    }
}
