//! From text to rig, with every problem at its place.

use super::decode::{Decoder, member_key, name_key, pin_key, shorten};
use super::json::{self, Data, Step, Value, line_column};
use super::*;
use crate::hierarchy::{ElementKey, ElementKind};
use std::collections::{BTreeMap, BTreeSet};

/// The longest text that is read, in bytes.
pub const MAX_BYTES: usize = 16 << 20;

/// How deep arrays and objects of a text may nest.
pub const MAX_DEPTH: usize = 128;

/// How many problems are listed at once.
pub(super) const MAX_PROBLEMS: usize = 100;

impl Rig {
    /// Reads the text form, of this version or an older one.
    ///
    /// Unknown units and links to missing nodes or pins are no problem here: they are kept, and the
    /// compiler reports them.
    ///
    /// # Errors
    /// All problems of the text, each with line, column and path. Text that is no JSON stops at the
    /// first. Nothing is read beyond [`MAX_BYTES`] or deeper than [`MAX_DEPTH`].
    pub fn parse(bytes: &[u8]) -> Result<Self, ParseError> {
        let mut problems = Vec::new();
        let (text, mut root) = match json::read(bytes, &mut problems) {
            Ok(read) => read,
            Err(fatal) => {
                problems.push(fatal);
                return Err(finish(problems));
            }
        };
        let mut decoder = Decoder { text, path: Vec::new(), problems };
        match decoder.version(&root) {
            Some(version) => migrate::migrate(&mut root, version),
            // A text of another version would only give problems that are none.
            None => return Err(finish(decoder.problems)),
        }
        let rig = decoder.rig(&root);
        if decoder.problems.is_empty() { Ok(rig) } else { Err(finish(decoder.problems)) }
    }
}

/// Line and column, from 1, of the value at a path of keys: `["graphs", "forward", "nodes", "look"]`. For
/// messages about a rig whose text is at hand. The deepest value that exists is taken; none if the text is no JSON.
pub fn locate<'a>(bytes: &[u8], path: impl IntoIterator<Item = &'a str>) -> Option<(u32, u32)> {
    let (text, root) = json::read(bytes, &mut Vec::new()).ok()?;
    let (mut value, mut at) = (&root, root.at);
    for key in path {
        let Data::Object(members) = &value.data else { break };
        let Some(member) = members.iter().find(|m| m.key == key) else { break };
        (value, at) = (&member.value, member.key_at);
    }
    Some(line_column(text, at))
}

fn finish(mut problems: Vec<Problem>) -> ParseError {
    let truncated = problems.len() > MAX_PROBLEMS;
    problems.truncate(MAX_PROBLEMS);
    problems.sort_by_key(|p| (p.line, p.column));
    ParseError { problems, truncated }
}

/// The parts of a rig.
impl Decoder<'_> {
    fn rig(&mut self, value: &Value) -> Rig {
        let f = self.fields(value, keys::RIG);
        if let (Some(enums), Some(structs)) = (value.get("enums"), value.get("structs")) {
            self.no_shared_names(enums, structs);
        }
        Rig {
            name: self.field(f, "name", Self::string).unwrap_or_default(),
            doc: self.doc(f),
            bones: self.field(f, "bones", |d, v| d.named(v, Self::candidates)).unwrap_or_default(),
            elements: self.field(f, "elements", Self::elements).unwrap_or_default(),
            enums: self.field(f, "enums", Self::enums).unwrap_or_default(),
            structs: self.field(f, "structs", Self::structs).unwrap_or_default(),
            curves: self.field(f, "curves", Self::curves).unwrap_or_default(),
            variables: self.field(f, "variables", Self::variables).unwrap_or_default(),
            graphs: self.field(f, "graphs", Self::graphs).unwrap_or_default(),
            layout: self.field(f, "layout", Self::layout).unwrap_or_default(),
        }
    }

    /// Types have one name space.
    fn no_shared_names(&mut self, enums: &Value, structs: &Value) {
        let (Data::Object(enums), Data::Object(structs)) = (&enums.data, &structs.data) else { return };
        let names: BTreeSet<&str> = enums.iter().map(|m| m.key.as_str()).collect();
        for member in structs.iter().filter(|m| names.contains(m.key.as_str())) {
            let message = format!("`{}` is an enum too: rename one of them", shorten(&member.key));
            self.within(Step::Key("structs".into()), |d| {
                d.problem(member.key_at, ProblemKind::Invalid(message))
            });
        }
    }

    fn candidates(&mut self, value: &Value) -> Vec<String> {
        let names = self.items(value, Self::string);
        if matches!(value.data, Data::Array(_)) && names.iter().all(String::is_empty) {
            let message = "a role lists the names that its bone may have, at least one";
            self.problem(value.at, ProblemKind::Invalid(message.into()));
        }
        names
    }

    fn elements(&mut self, value: &Value) -> BTreeMap<ElementKey, ElementDecl> {
        let mut map = BTreeMap::new();
        for member in self.members(value) {
            self.within(Step::Key(member.key.clone()), |d| match member.key.parse::<ElementKey>() {
                Ok(key) => {
                    let element = d.element(&member.value, key.kind);
                    map.insert(key, element);
                }
                Err(e) => d.problem(member.key_at, e),
            });
        }
        map
    }

    fn element(&mut self, value: &Value, kind: ElementKind) -> ElementDecl {
        let f = self.fields(value, keys::ELEMENT);
        for (key, ok) in [
            ("control", kind == ElementKind::Control),
            ("value", kind == ElementKind::Curve),
            ("parent", kind != ElementKind::Curve),
            ("transform", kind != ElementKind::Curve),
            ("spaces", kind != ElementKind::Curve),
        ] {
            if let Some(member) = f.iter().find(|m| m.key == key && !ok) {
                let message = format!("a {} has no `{key}`: remove it", kind.word());
                self.problem(member.key_at, ProblemKind::Invalid(message));
            }
        }
        ElementDecl {
            parent: self.field(f, "parent", Self::element_key).flatten(),
            transform: self.field(f, "transform", Self::transform),
            control: self.field(f, "control", Self::control),
            spaces: self.field(f, "spaces", |d, v| d.items(v, Self::space)).unwrap_or_default(),
            value: self.field(f, "value", Self::number),
            doc: self.doc(f),
        }
    }

    fn transform(&mut self, value: &Value) -> TransformDecl {
        let f = self.fields(value, keys::TRANSFORM);
        TransformDecl {
            translation: self.field(f, "translation", Self::numbers),
            rotation: self.field(f, "rotation", Self::numbers),
            scale: self.field(f, "scale", Self::numbers),
        }
    }

    fn control(&mut self, value: &Value) -> ControlDecl {
        let f = self.fields(value, keys::CONTROL);
        let kind = self
            .field(f, "kind", |d, v| d.one_of(v, ControlKind::WORDS, ControlKind::from_word))
            .unwrap_or_default();
        ControlDecl {
            kind,
            value: self.field(f, "value", Self::literal),
            min: self.field(f, "min", Self::literal),
            max: self.field(f, "max", Self::literal),
            offset: self.field(f, "offset", Self::transform),
            shape: self.field(f, "shape", Self::string).unwrap_or_default(),
            shape_transform: self.field(f, "shape_transform", Self::transform),
            color: self.field(f, "color", Self::numbers),
        }
    }

    fn space(&mut self, value: &Value) -> SpaceDecl {
        let f = self.fields(value, keys::SPACE);
        SpaceDecl {
            name: self.field(f, "name", Self::string),
            parent: self.field(f, "parent", Self::element_key).flatten(),
            weight: self.field(f, "weight", |d, v| d.at_least_zero(v)),
        }
    }

    fn at_least_zero(&mut self, value: &Value) -> f64 {
        let number = self.number(value);
        if number < 0.0 {
            let expected = "weights are 0 or more";
            self.problem(value.at, ProblemKind::OutOfRange { value: number.to_string(), expected });
        }
        number
    }

    fn enums(&mut self, value: &Value) -> BTreeMap<String, Vec<String>> {
        self.named(value, |d, v| d.distinct_names(v))
    }

    /// Names, none twice.
    fn distinct_names(&mut self, value: &Value) -> Vec<String> {
        let mut seen = BTreeSet::new();
        self.items(value, |d, v| {
            let name = d.name(v);
            if !seen.insert(name.clone()) {
                let message = format!("`{}` stands here a second time: remove or rename one", shorten(&name));
                d.problem(v.at, ProblemKind::Invalid(message));
            }
            name
        })
    }

    fn structs(&mut self, value: &Value) -> BTreeMap<String, StructDecl> {
        self.named(value, |d, v| StructDecl { fields: d.map(v, member_key, Self::struct_field) })
    }

    fn struct_field(&mut self, value: &Value) -> FieldDecl {
        let f = self.fields(value, keys::TYPED);
        FieldDecl {
            ty: self.type_name(value, f),
            default: self.field(f, "default", Self::literal),
            doc: self.doc(f),
        }
    }

    fn curves(&mut self, value: &Value) -> BTreeMap<String, CurveDecl> {
        self.named(value, Self::curve)
    }

    fn curve(&mut self, value: &Value) -> CurveDecl {
        let f = self.fields(value, keys::CURVE);
        let extrapolation =
            |d: &mut Self, v: &Value| d.one_of(v, Extrapolation::WORDS, Extrapolation::from_word);
        let mut last = f64::NEG_INFINITY;
        let keys = self.field(f, "keys", |d, v| {
            d.items(v, |d, v| {
                let key = d.curve_key(v);
                if key.time <= last {
                    let expected = "the times of keys rise";
                    d.problem(v.at, ProblemKind::OutOfRange { value: key.time.to_string(), expected });
                }
                last = key.time;
                key
            })
        });
        CurveDecl {
            keys: keys.unwrap_or_default(),
            before: self.field(f, "before", extrapolation).unwrap_or_default(),
            after: self.field(f, "after", extrapolation).unwrap_or_default(),
            doc: self.doc(f),
        }
    }

    fn curve_key(&mut self, value: &Value) -> CurveKey {
        let f = self.fields(value, keys::CURVE_KEY);
        for key in ["time", "value"] {
            if matches!(value.data, Data::Object(_)) && !f.iter().any(|m| m.key == key) {
                self.problem(
                    value.at,
                    ProblemKind::MissingKey { key, remedy: "a key has a time and a value" },
                );
            }
        }
        let interpolation =
            |d: &mut Self, v: &Value| d.one_of(v, Interpolation::WORDS, Interpolation::from_word);
        CurveKey {
            time: self.field(f, "time", Self::number).unwrap_or_default(),
            value: self.field(f, "value", Self::number).unwrap_or_default(),
            interpolation: self.field(f, "interpolation", interpolation).unwrap_or_default(),
            arrive: self.field(f, "arrive", Self::number),
            leave: self.field(f, "leave", Self::number),
        }
    }

    fn variables(&mut self, value: &Value) -> BTreeMap<String, VariableDecl> {
        self.named(value, Self::variable)
    }

    fn variable(&mut self, value: &Value) -> VariableDecl {
        let f = self.fields(value, keys::VARIABLE);
        VariableDecl {
            ty: self.type_name(value, f),
            role: self.field(f, "role", |d, v| d.one_of(v, Role::WORDS, Role::from_word)).unwrap_or_default(),
            default: self.field(f, "default", Self::literal),
            min: self.field(f, "min", Self::number),
            max: self.field(f, "max", Self::number),
            capacity: self.field(f, "capacity", Self::capacity),
            doc: self.doc(f),
        }
    }

    fn graphs(&mut self, value: &Value) -> BTreeMap<String, Graph> {
        self.named(value, Self::graph)
    }

    fn graph(&mut self, value: &Value) -> Graph {
        let f = self.fields(value, keys::GRAPH);
        let event = self.field(f, "event", |d, v| match v.data {
            Data::Bool(true) => {}
            _ => d.wrong_kind(v, "true"),
        });
        let mut function = self.field(f, "function", Self::function);
        let problem = match (&event, &function) {
            (Some(()), Some(_)) => {
                Some("a graph is an event or a function: keep one of `event` and `function`")
            }
            (None, None) if matches!(value.data, Data::Object(_)) => {
                Some("say what the graph is: `\"event\": true` or `\"function\": {…}`")
            }
            _ => None,
        };
        if let Some(message) = problem {
            self.problem(value.at, ProblemKind::Invalid(message.into()));
        }
        if let Some(results) = f.iter().find(|m| m.key == "results") {
            match &mut function {
                Some(function) => {
                    function.results =
                        self.field(f, "results", |d, v| d.map(v, pin_key, Self::input)).unwrap_or_default();
                }
                None => self.problem(
                    results.key_at,
                    ProblemKind::Invalid(
                        "only functions have results: remove them, or set a variable".into(),
                    ),
                ),
            }
        }
        let nodes = self.field(f, "nodes", Self::nodes).unwrap_or_default();
        let comments = self.field(f, "comments", |d, v| d.comments(v, &nodes)).unwrap_or_default();
        Graph {
            kind: function.map_or(GraphKind::Event, GraphKind::Function),
            doc: self.doc(f),
            start: self.field(f, "start", Self::name),
            nodes,
            comments,
        }
    }

    fn function(&mut self, value: &Value) -> FunctionDecl {
        let f = self.fields(value, keys::FUNCTION);
        let pins = |d: &mut Self, v: &Value| d.map(v, name_key, Self::pin);
        let inputs = self.field(f, "inputs", pins).unwrap_or_default();
        let outputs = self.field(f, "outputs", pins).unwrap_or_default();
        let order = self.field(f, "order", |d, v| {
            let order = d.distinct_names(v);
            for name in &order {
                if !inputs.contains_key(name) && !outputs.contains_key(name) {
                    let message = format!("`{}` is no input or output of the function", shorten(name));
                    d.problem(v.at, ProblemKind::Invalid(message));
                }
            }
            order
        });
        FunctionDecl { inputs, outputs, order: order.unwrap_or_default(), results: BTreeMap::new() }
    }

    fn pin(&mut self, value: &Value) -> PinDecl {
        let FieldDecl { ty, default, doc } = self.struct_field(value);
        PinDecl { ty, default, doc }
    }

    fn nodes(&mut self, value: &Value) -> BTreeMap<String, Node> {
        self.named(value, Self::node)
    }

    fn node(&mut self, value: &Value) -> Node {
        let f = self.fields(value, keys::NODE);
        let ops = [
            self.field(f, "unit", |d, v| NodeOp::Unit(d.word(v))),
            self.field(f, "call", |d, v| NodeOp::Call(d.name(v))),
            self.field(f, "get", |d, v| NodeOp::Get(d.name(v))),
            self.field(f, "set", |d, v| NodeOp::Set(d.name(v))),
            self.field(f, "const", |d, v| NodeOp::Const(d.word(v))),
        ];
        let mut ops = ops.into_iter().flatten();
        let op = ops.next();
        let others: Vec<&str> = ops.map(|o| o.word()).collect();
        match &op {
            None if matches!(value.data, Data::Object(_)) => self.problem(
                value.at,
                ProblemKind::MissingKey {
                    key: "unit",
                    remedy: "a node has one of unit, call, get, set, const",
                },
            ),
            Some(first) if !others.is_empty() => {
                self.problem(
                    value.at,
                    ProblemKind::SeveralOps(format!("{}, {}", first.word(), others.join(", "))),
                );
            }
            _ => {}
        }
        Node {
            op: op.unwrap_or(NodeOp::Unit(String::new())),
            inputs: self.field(f, "in", |d, v| d.map(v, pin_key, Self::input)).unwrap_or_default(),
            exec: self.field(f, "exec", |d, v| d.map(v, pin_key, Self::name)).unwrap_or_default(),
            capacity: self.field(f, "capacity", Self::capacity),
            note: self.field(f, "note", Self::string).unwrap_or_default(),
        }
    }

    fn comments(&mut self, value: &Value, nodes: &BTreeMap<String, Node>) -> BTreeMap<String, Comment> {
        let taken = |k: &str| {
            if nodes.contains_key(k) {
                return Err(ProblemKind::Invalid(format!(
                    "`{k}` is a node of this graph: rename the comment"
                )));
            }
            name_key(k)
        };
        self.map(value, taken, |d, v| {
            let f = d.fields(v, keys::COMMENT);
            let mut nodes = d.field(f, "nodes", |d, v| d.distinct_names(v)).unwrap_or_default();
            nodes.sort();
            Comment {
                text: d.field(f, "text", Self::string).unwrap_or_default(),
                nodes,
                color: d.field(f, "color", Self::numbers),
            }
        })
    }

    fn layout(&mut self, value: &Value) -> BTreeMap<String, BTreeMap<String, Place>> {
        let mut layout = self.named(value, Self::places);
        layout.retain(|_, places| !places.is_empty());
        layout
    }

    fn places(&mut self, value: &Value) -> BTreeMap<String, Place> {
        self.named(value, |d, v| {
            let numbers = d.items(v, Self::number);
            match *numbers.as_slice() {
                [x, y] => Place { at: [x, y], size: None },
                [x, y, w, h] => Place { at: [x, y], size: Some([w, h]) },
                _ => {
                    if matches!(v.data, Data::Array(_)) {
                        let message = "a place is [x, y], or [x, y, width, height]";
                        d.problem(v.at, ProblemKind::Invalid(message.into()));
                    }
                    Place::default()
                }
            }
        })
    }
}
