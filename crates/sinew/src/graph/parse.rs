//! From text to rig, with every problem at its place.

use super::json::{self, Data, Member, Step, Value, line_column, path_text};
use super::problem::{ParseError, Problem, ProblemKind};
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
        read(bytes, "sinew", |d, v| d.rig(v))
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

/// Reads text whose version stands at `version_key`, brings it forward and decodes it.
pub(super) fn read<T>(
    bytes: &[u8],
    version_key: &'static str,
    decode: impl FnOnce(&mut Decoder<'_>, &Value) -> T,
) -> Result<T, ParseError> {
    let mut problems = Vec::new();
    let (text, mut root) = match json::read(bytes, &mut problems) {
        Ok(read) => read,
        Err(fatal) => {
            problems.push(fatal);
            return Err(finish(problems));
        }
    };
    let mut decoder = Decoder { text, path: Vec::new(), problems };
    match decoder.version(&root, version_key) {
        Some(version) if version_key == "sinew" => migrate::migrate(&mut root, version),
        Some(_) => {}
        // A text of another version would only give problems that are none.
        None => return Err(finish(decoder.problems)),
    }
    let value = decode(&mut decoder, &root);
    if decoder.problems.is_empty() { Ok(value) } else { Err(finish(decoder.problems)) }
}

fn finish(mut problems: Vec<Problem>) -> ParseError {
    let truncated = problems.len() > MAX_PROBLEMS;
    problems.truncate(MAX_PROBLEMS);
    problems.sort_by_key(|p| (p.line, p.column));
    ParseError { problems, truncated }
}

/// Turns values into the model. Every method gives something, and notes what was wrong with it.
pub(super) struct Decoder<'t> {
    text: &'t str,
    path: Vec<Step>,
    problems: Vec<Problem>,
}

impl Decoder<'_> {
    fn problem(&mut self, at: u32, kind: impl Into<ProblemKind>) {
        if self.problems.len() > MAX_PROBLEMS {
            return;
        }
        let (line, column) = line_column(self.text, at);
        self.problems.push(Problem { line, column, path: path_text(&self.path), kind: kind.into() });
    }

    fn wrong_kind(&mut self, value: &Value, expected: &'static str) {
        self.problem(value.at, ProblemKind::WrongKind { expected, found: value.kind() });
    }

    fn within<R>(&mut self, step: Step, f: impl FnOnce(&mut Self) -> R) -> R {
        self.path.push(step);
        let r = f(self);
        self.path.pop();
        r
    }

    fn version(&mut self, root: &Value, key: &'static str) -> Option<i64> {
        if !matches!(root.data, Data::Object(_)) {
            self.wrong_kind(root, "an object");
            return None;
        }
        let Some(value) = root.get(key) else {
            let kind = match key {
                "sinew" => ProblemKind::VersionMissing,
                _ => ProblemKind::MissingKey { key, remedy: "copied nodes begin with it; copy them again" },
            };
            self.problem(root.at, kind);
            return None;
        };
        self.within(Step::Key(key.into()), |d| match value.data {
            Data::Int(v) if v > VERSION => {
                d.problem(value.at, ProblemKind::VersionNewer { found: v });
                None
            }
            Data::Int(v) if v >= 0 => Some(v),
            Data::Int(v) => {
                let kind =
                    ProblemKind::OutOfRange { value: v.to_string(), expected: "versions are 0 or more" };
                d.problem(value.at, kind);
                None
            }
            _ => {
                d.wrong_kind(value, "a version, a whole number");
                None
            }
        })
    }

    // --- building blocks ---

    fn members<'v>(&mut self, value: &'v Value) -> &'v [Member] {
        match &value.data {
            Data::Object(members) => members,
            _ => {
                self.wrong_kind(value, "an object");
                &[]
            }
        }
    }

    /// Members of an object whose keys are all known.
    fn fields<'v>(&mut self, value: &'v Value, known: &[&'static str]) -> &'v [Member] {
        let members = self.members(value);
        for member in members {
            if !known.contains(&member.key.as_str()) && self.problems.len() <= MAX_PROBLEMS {
                self.problem(
                    member.key_at,
                    ProblemKind::UnknownKey {
                        key: shorten(&member.key),
                        suggestion: suggest(&member.key, known.iter().copied()).map(Into::into),
                        known: known.join(", "),
                    },
                );
            }
        }
        members
    }

    fn field<T>(
        &mut self,
        of: &[Member],
        key: &str,
        decode: impl FnOnce(&mut Self, &Value) -> T,
    ) -> Option<T> {
        let member = of.iter().find(|m| m.key == key)?;
        Some(self.within(Step::Key(key.into()), |d| decode(d, &member.value)))
    }

    fn map<K: Ord, T>(
        &mut self,
        value: &Value,
        mut key: impl FnMut(&str) -> Result<K, ProblemKind>,
        mut decode: impl FnMut(&mut Self, &Value) -> T,
    ) -> BTreeMap<K, T> {
        let mut map = BTreeMap::new();
        for member in self.members(value) {
            self.within(Step::Key(member.key.clone()), |d| {
                let item = decode(d, &member.value);
                match key(&member.key) {
                    Ok(key) => {
                        map.insert(key, item);
                    }
                    Err(kind) => d.problem(member.key_at, kind),
                }
            });
        }
        map
    }

    fn named<T>(&mut self, value: &Value, decode: impl FnMut(&mut Self, &Value) -> T) -> BTreeMap<String, T> {
        self.map(value, name_key, decode)
    }

    fn items<T>(&mut self, value: &Value, mut decode: impl FnMut(&mut Self, &Value) -> T) -> Vec<T> {
        let Data::Array(items) = &value.data else {
            self.wrong_kind(value, "an array");
            return Vec::new();
        };
        let decode_one = |(i, v)| self.within(Step::Index(i), |d| decode(d, v));
        items.iter().enumerate().map(decode_one).collect()
    }

    fn string(&mut self, value: &Value) -> String {
        match &value.data {
            Data::String(s) => s.clone(),
            _ => {
                self.wrong_kind(value, "a string");
                String::new()
            }
        }
    }

    fn name(&mut self, value: &Value) -> String {
        let name = self.string(value);
        if matches!(value.data, Data::String(_)) {
            if let Err(e) = check_name(&name) {
                self.problem(value.at, e);
            }
        }
        name
    }

    /// A name that other parts give a meaning to: a unit, a type.
    fn word(&mut self, value: &Value) -> String {
        let word = self.string(value);
        if let Data::String(s) = &value.data {
            if s.is_empty() || s.len() > 2 * MAX_NAME || s.chars().any(char::is_control) {
                self.problem(value.at, ProblemKind::Invalid("expected a name of 1 to 256 bytes".into()));
            }
        }
        word
    }

    fn one_of<T: Default>(
        &mut self,
        value: &Value,
        known: &'static [&'static str],
        from_word: impl FnOnce(&str) -> Option<T>,
    ) -> T {
        let word = self.string(value);
        if !matches!(value.data, Data::String(_)) {
            return T::default();
        }
        from_word(&word).unwrap_or_else(|| {
            let suggestion = suggest(&word, known.iter().copied()).map(Into::into);
            let kind = ProblemKind::UnknownWord { word: shorten(&word), suggestion, known: known.join(", ") };
            self.problem(value.at, kind);
            T::default()
        })
    }

    fn number(&mut self, value: &Value) -> f64 {
        match value.data {
            Data::Int(i) => i as f64,
            Data::Float(f) => f,
            _ => {
                self.wrong_kind(value, "a number");
                0.0
            }
        }
    }

    fn numbers<const N: usize>(&mut self, value: &Value) -> [f64; N] {
        let numbers = self.items(value, Self::number);
        <[f64; N]>::try_from(numbers.as_slice()).unwrap_or_else(|_| {
            if matches!(value.data, Data::Array(_)) {
                let found = numbers.len();
                self.problem(value.at, ProblemKind::Invalid(format!("expected {N} numbers, found {found}")));
            }
            [0.0; N]
        })
    }

    fn capacity(&mut self, value: &Value) -> u32 {
        let Data::Int(i) = value.data else {
            self.wrong_kind(value, "a whole number");
            return 0;
        };
        u32::try_from(i).unwrap_or_else(|_| {
            let expected = "a capacity is between 0 and 4294967295";
            self.problem(value.at, ProblemKind::OutOfRange { value: i.to_string(), expected });
            0
        })
    }

    fn element_key(&mut self, value: &Value) -> Option<ElementKey> {
        let text = self.string(value);
        if !matches!(value.data, Data::String(_)) {
            return None;
        }
        text.parse().map_err(|e: crate::hierarchy::KeyError| self.problem(value.at, e)).ok()
    }

    // Recursion is bounded by MAX_LITERAL_DEPTH, and by MAX_DEPTH of the text before.
    fn literal(&mut self, value: &Value) -> Literal {
        self.literal_at(value, 0)
    }

    fn literal_at(&mut self, value: &Value, depth: usize) -> Literal {
        if depth > MAX_LITERAL_DEPTH {
            let message = format!("a value nests at most {MAX_LITERAL_DEPTH} levels");
            self.problem(value.at, ProblemKind::Invalid(message));
            return Literal::Bool(false);
        }
        match &value.data {
            Data::Null => {
                self.wrong_kind(value, "a value");
                Literal::Bool(false)
            }
            Data::Bool(b) => Literal::Bool(*b),
            Data::Int(i) => Literal::Int(*i),
            Data::Float(f) => Literal::Float(*f),
            Data::String(s) => Literal::String(s.clone()),
            Data::Array(_) => Literal::Array(self.items(value, |d, v| d.literal_at(v, depth + 1))),
            Data::Object(members) => {
                if let Some(from) = members.iter().find(|m| m.key == "from") {
                    let message = "a link stands alone at its pin: link the part, such as `items.0` or `transform.translation`";
                    self.problem(from.key_at, ProblemKind::Invalid(message.into()));
                }
                Literal::Object(self.map(value, |k| Ok(k.to_owned()), |d, v| d.literal_at(v, depth + 1)))
            }
        }
    }

    fn input(&mut self, value: &Value) -> Input {
        if value.get("from").is_none() {
            return Input::Literal(self.literal(value));
        }
        let fields = self.fields(value, keys::LINK);
        let link = self.field(fields, "from", |d, v| {
            let text = d.string(v);
            match text.parse::<PinRef>() {
                Ok(link) => Some(link),
                Err(e) if matches!(v.data, Data::String(_)) => {
                    d.problem(v.at, e);
                    None
                }
                Err(_) => None,
            }
        });
        Input::Link(link.flatten().unwrap_or_else(|| PinRef::new("", "")))
    }

    fn doc(&mut self, fields: &[Member]) -> String {
        self.field(fields, "doc", Self::string).unwrap_or_default()
    }

    fn type_name(&mut self, value: &Value, fields: &[Member]) -> String {
        let ty = self.field(fields, "type", Self::word);
        if ty.is_none() && matches!(value.data, Data::Object(_)) {
            let remedy = "say what it holds, such as \"Float\" or \"Transform\"";
            self.problem(value.at, ProblemKind::MissingKey { key: "type", remedy });
        }
        ty.unwrap_or_default()
    }

    // --- the parts of a rig ---

    fn rig(&mut self, value: &Value) -> Rig {
        let f = self.fields(value, keys::RIG);
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

    pub(super) fn enums(&mut self, value: &Value) -> BTreeMap<String, Vec<String>> {
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

    pub(super) fn structs(&mut self, value: &Value) -> BTreeMap<String, StructDecl> {
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

    pub(super) fn curves(&mut self, value: &Value) -> BTreeMap<String, CurveDecl> {
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

    pub(super) fn variables(&mut self, value: &Value) -> BTreeMap<String, VariableDecl> {
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

    pub(super) fn graphs(&mut self, value: &Value) -> BTreeMap<String, Graph> {
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
        let pins = |d: &mut Self, v: &Value| d.map(v, member_key, Self::pin);
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

    pub(super) fn nodes(&mut self, value: &Value) -> BTreeMap<String, Node> {
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

    pub(super) fn comments(
        &mut self,
        value: &Value,
        nodes: &BTreeMap<String, Node>,
    ) -> BTreeMap<String, Comment> {
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

    pub(super) fn places(&mut self, value: &Value) -> BTreeMap<String, Place> {
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

fn name_key(key: &str) -> Result<String, ProblemKind> {
    check_name(key)?;
    Ok(key.to_owned())
}

/// Names of fields and of functions' pins: `from` would make their values links.
fn member_key(key: &str) -> Result<String, ProblemKind> {
    check_pin_path(key)?;
    name_key(key)
}

fn pin_key(key: &str) -> Result<String, ProblemKind> {
    check_pin_path(key)?;
    Ok(key.to_owned())
}

/// Text of the file in a message: not more than fits a line.
fn shorten(s: &str) -> String {
    if s.chars().count() <= 60 { s.to_owned() } else { s.chars().take(60).chain(['…']).collect() }
}
