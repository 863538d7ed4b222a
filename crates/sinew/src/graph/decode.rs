//! Building blocks of the reader: values to names, numbers, maps, each checked at its place.

use super::json::{Data, Member, Step, Value, line_column, path_text};
use super::parse::MAX_PROBLEMS;
use super::*;
use crate::hierarchy::ElementKey;
use std::collections::BTreeMap;

/// Turns values into the model. Every method gives something, and notes what was wrong with it.
pub(super) struct Decoder<'t> {
    pub text: &'t str,
    pub path: Vec<Step>,
    pub problems: Vec<Problem>,
}

impl Decoder<'_> {
    pub fn problem(&mut self, at: u32, kind: impl Into<ProblemKind>) {
        if self.problems.len() > MAX_PROBLEMS {
            return;
        }
        let (line, column) = line_column(self.text, at);
        self.problems.push(Problem { line, column, path: path_text(&self.path), kind: kind.into() });
    }

    pub fn wrong_kind(&mut self, value: &Value, expected: &'static str) {
        self.problem(value.at, ProblemKind::WrongKind { expected, found: value.kind() });
    }

    pub fn within<R>(&mut self, step: Step, f: impl FnOnce(&mut Self) -> R) -> R {
        self.path.push(step);
        let r = f(self);
        self.path.pop();
        r
    }

    pub fn version(&mut self, root: &Value) -> Option<i64> {
        if !matches!(root.data, Data::Object(_)) {
            self.wrong_kind(root, "an object");
            return None;
        }
        let Some(value) = root.get("sinew") else {
            self.problem(root.at, ProblemKind::VersionMissing);
            return None;
        };
        self.within(Step::Key("sinew".into()), |d| match value.data {
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

    pub fn members<'v>(&mut self, value: &'v Value) -> &'v [Member] {
        match &value.data {
            Data::Object(members) => members,
            _ => {
                self.wrong_kind(value, "an object");
                &[]
            }
        }
    }

    /// Members of an object whose keys are all known.
    pub fn fields<'v>(&mut self, value: &'v Value, known: &[&'static str]) -> &'v [Member] {
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

    pub fn field<T>(
        &mut self,
        of: &[Member],
        key: &str,
        decode: impl FnOnce(&mut Self, &Value) -> T,
    ) -> Option<T> {
        let member = of.iter().find(|m| m.key == key)?;
        Some(self.within(Step::Key(key.into()), |d| decode(d, &member.value)))
    }

    pub fn map<K: Ord, T>(
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

    pub fn named<T>(
        &mut self,
        value: &Value,
        decode: impl FnMut(&mut Self, &Value) -> T,
    ) -> BTreeMap<String, T> {
        self.map(value, name_key, decode)
    }

    pub fn items<T>(&mut self, value: &Value, mut decode: impl FnMut(&mut Self, &Value) -> T) -> Vec<T> {
        let Data::Array(items) = &value.data else {
            self.wrong_kind(value, "an array");
            return Vec::new();
        };
        let decode_one = |(i, v)| self.within(Step::Index(i), |d| decode(d, v));
        items.iter().enumerate().map(decode_one).collect()
    }

    pub fn string(&mut self, value: &Value) -> String {
        match &value.data {
            Data::String(s) => s.clone(),
            _ => {
                self.wrong_kind(value, "a string");
                String::new()
            }
        }
    }

    pub fn name(&mut self, value: &Value) -> String {
        let name = self.string(value);
        if matches!(value.data, Data::String(_))
            && let Err(e) = check_name(&name)
        {
            self.problem(value.at, e);
        }
        name
    }

    /// A name that other parts give a meaning to: a unit, a type.
    pub fn word(&mut self, value: &Value) -> String {
        let word = self.string(value);
        if let Data::String(s) = &value.data
            && (s.is_empty() || s.len() > 2 * MAX_NAME || s.chars().any(char::is_control))
        {
            self.problem(value.at, ProblemKind::Invalid("expected a name of 1 to 256 bytes".into()));
        }
        word
    }

    pub fn one_of<T: Default>(
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

    pub fn number(&mut self, value: &Value) -> f64 {
        match value.data {
            Data::Int(i) => i as f64,
            Data::Float(f) => f,
            _ => {
                self.wrong_kind(value, "a number");
                0.0
            }
        }
    }

    pub fn numbers<const N: usize>(&mut self, value: &Value) -> [f64; N] {
        let numbers = self.items(value, Self::number);
        <[f64; N]>::try_from(numbers.as_slice()).unwrap_or_else(|_| {
            if matches!(value.data, Data::Array(_)) {
                let found = numbers.len();
                self.problem(value.at, ProblemKind::Invalid(format!("expected {N} numbers, found {found}")));
            }
            [0.0; N]
        })
    }

    pub fn capacity(&mut self, value: &Value) -> u32 {
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

    pub fn element_key(&mut self, value: &Value) -> Option<ElementKey> {
        let text = self.string(value);
        if !matches!(value.data, Data::String(_)) {
            return None;
        }
        text.parse().map_err(|e: crate::hierarchy::KeyError| self.problem(value.at, e)).ok()
    }

    // Recursion is bounded by MAX_LITERAL_DEPTH, and by MAX_DEPTH of the text before.
    pub fn literal(&mut self, value: &Value) -> Literal {
        self.literal_at(value, 0)
    }

    pub fn literal_at(&mut self, value: &Value, depth: usize) -> Literal {
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

    pub fn input(&mut self, value: &Value) -> Input {
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

    pub fn doc(&mut self, fields: &[Member]) -> String {
        self.field(fields, "doc", Self::string).unwrap_or_default()
    }

    pub fn type_name(&mut self, value: &Value, fields: &[Member]) -> String {
        let ty = self.field(fields, "type", Self::word);
        if ty.is_none() && matches!(value.data, Data::Object(_)) {
            let remedy = "say what it holds, such as \"Float\" or \"Transform\"";
            self.problem(value.at, ProblemKind::MissingKey { key: "type", remedy });
        }
        ty.unwrap_or_default()
    }
}

pub(super) fn name_key(key: &str) -> Result<String, ProblemKind> {
    check_name(key)?;
    Ok(key.to_owned())
}

/// Names of fields: `from` would make a value of the struct a link.
pub(super) fn member_key(key: &str) -> Result<String, ProblemKind> {
    match key {
        "from" => Err(NameError::Reserved(key.to_owned()).into()),
        _ => name_key(key),
    }
}

pub(super) fn pin_key(key: &str) -> Result<String, ProblemKind> {
    check_pin_path(key)?;
    Ok(key.to_owned())
}

/// Text of the file in a message: not more than fits a line.
pub(super) fn shorten(s: &str) -> String {
    if s.chars().count() <= 60 { s.to_owned() } else { s.chars().take(60).chain(['…']).collect() }
}
