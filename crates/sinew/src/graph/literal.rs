//! Values as a rig's text gives them, before anybody knows their type.

use std::collections::BTreeMap;

/// How deep arrays and objects of a literal may nest.
pub const MAX_LITERAL_DEPTH: usize = 64;

/// A constant at a pin or a default: what was written, with no type yet.
///
/// Vectors are arrays, transforms and structs are objects, element keys, names and enum values are
/// strings. Whole numbers and numbers with a point are told apart so that the text round-trips;
/// to a float pin both are numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// `true` or `false`.
    Bool(bool),
    /// A number written without point or exponent that fits 64 bits.
    Int(i64),
    /// Any other number. Always finite in a rig that was read or edited.
    Float(f64),
    /// Text, an element key, a name or an enum value.
    String(String),
    /// A vector or an array.
    Array(Vec<Literal>),
    /// A transform or a struct; members that are not given take their defaults.
    Object(BTreeMap<String, Literal>),
}

impl Literal {
    /// What the value is, for messages.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Bool(_) => "a bool",
            Self::Int(_) => "a whole number",
            Self::Float(_) => "a number",
            Self::String(_) => "a string",
            Self::Array(_) => "an array",
            Self::Object(_) => "an object",
        }
    }

    /// As a bool.
    pub const fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(b) = self { Some(*b) } else { None }
    }

    /// As a whole number. A float with no fraction is not one.
    pub const fn as_int(&self) -> Option<i64> {
        if let Self::Int(i) = self { Some(*i) } else { None }
    }

    /// As a number; whole numbers are rounded to the nearest `f64`.
    pub const fn as_number(&self) -> Option<f64> {
        match self {
            Self::Int(i) => Some(*i as f64),
            Self::Float(f) => Some(*f),
            _ => None,
        }
    }

    /// As text.
    pub fn as_str(&self) -> Option<&str> {
        if let Self::String(s) = self { Some(s) } else { None }
    }

    /// As the elements of an array.
    pub fn as_array(&self) -> Option<&[Literal]> {
        if let Self::Array(a) = self { Some(a) } else { None }
    }

    /// As the members of an object.
    pub const fn as_object(&self) -> Option<&BTreeMap<String, Literal>> {
        if let Self::Object(o) = self { Some(o) } else { None }
    }

    /// As `N` numbers.
    pub fn as_numbers<const N: usize>(&self) -> Option<[f64; N]> {
        let array = self.as_array()?;
        let mut out = [0.0; N];
        if array.len() != N {
            return None;
        }
        for (o, l) in out.iter_mut().zip(array) {
            *o = l.as_number()?;
        }
        Some(out)
    }

    /// Calls `f` on this value and on everything in it, in no order that matters.
    pub fn visit<'a>(&'a self, mut f: impl FnMut(&'a Literal, usize)) {
        let mut stack = vec![(self, 0usize)];
        while let Some((literal, depth)) = stack.pop() {
            f(literal, depth);
            match literal {
                Self::Array(a) => stack.extend(a.iter().map(|l| (l, depth + 1))),
                Self::Object(o) => stack.extend(o.values().map(|l| (l, depth + 1))),
                _ => {}
            }
        }
    }

    /// Calls `f` on every string in it, for renames.
    pub fn visit_strings_mut(&mut self, mut f: impl FnMut(&mut String)) {
        let mut stack = vec![self];
        while let Some(literal) = stack.pop() {
            match literal {
                Self::String(s) => f(s),
                Self::Array(a) => stack.extend(a.iter_mut()),
                Self::Object(o) => stack.extend(o.values_mut()),
                _ => {}
            }
        }
    }

    /// Why a rig's text cannot hold this value: NaN or infinity, too deep, or a member called `from`,
    /// which marks a link.
    pub fn check(&self) -> Result<(), &'static str> {
        let mut result = Ok(());
        self.visit(|literal, depth| {
            if depth > MAX_LITERAL_DEPTH {
                result = Err("it nests deeper than 64 levels");
            }
            match literal {
                Self::Float(f) if !f.is_finite() => result = Err("numbers must be finite"),
                Self::Object(o) if o.contains_key("from") => {
                    result = Err("`from` marks a link and cannot be a member of a value");
                }
                _ => {}
            }
        });
        result
    }
}

impl From<bool> for Literal {
    fn from(v: bool) -> Self {
        Self::Bool(v)
    }
}

impl From<i64> for Literal {
    fn from(v: i64) -> Self {
        Self::Int(v)
    }
}

impl From<f64> for Literal {
    fn from(v: f64) -> Self {
        Self::Float(v)
    }
}

impl From<&str> for Literal {
    fn from(v: &str) -> Self {
        Self::String(v.into())
    }
}

impl<const N: usize> From<[f64; N]> for Literal {
    fn from(v: [f64; N]) -> Self {
        Self::Array(v.into_iter().map(Self::Float).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_what_was_written() {
        assert_eq!(Literal::Int(3).as_number(), Some(3.0));
        assert_eq!(Literal::Float(3.0).as_int(), None);
        assert_eq!(Literal::from([1.0, 2.0]).as_numbers::<2>(), Some([1.0, 2.0]));
        assert_eq!(Literal::from([1.0, 2.0]).as_numbers::<3>(), None);
    }

    #[test]
    fn values_that_text_cannot_hold_are_refused() {
        assert!(Literal::Float(f64::NAN).check().is_err());
        assert!(Literal::Object([("from".into(), Literal::Int(1))].into()).check().is_err());
        let mut deep = Literal::Int(0);
        for _ in 0..100 {
            deep = Literal::Array(vec![deep]);
        }
        assert!(deep.check().is_err());
        assert!(Literal::from([0.0, 1.0]).check().is_ok());
    }
}
