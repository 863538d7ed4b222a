//! The types of pins, variables and registers, their text and their size in words.

use std::fmt;
use std::sync::Arc;

/// A named set of variants; a value is the variant's index, one word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnumType {
    /// Unique among enums and structs.
    pub name: String,
    /// In order of their values.
    pub variants: Vec<String>,
}

/// A user's record of fields, laid out one after another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StructType {
    /// Unique among enums and structs.
    pub name: String,
    /// In order of layout.
    pub fields: Vec<(String, Type)>,
}

/// What a value is. Its words lie in the order of its parts; see [`Type::words`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// One word: 0 or 1.
    Bool,
    /// One word: signed 32 bits.
    Int,
    /// One word: single precision.
    Float,
    /// x y.
    Vec2,
    /// x y z.
    Vec3,
    /// x y z w.
    Quat,
    /// translation, rotation, scale: ten words.
    Transform,
    /// Three angles in radians and the order in which they turn.
    Euler,
    /// r g b a, linear.
    Color,
    /// Index of an element, bound by name.
    Element,
    /// An interned word.
    Name,
    /// A text of the program.
    String,
    /// A curve asset of the program.
    Curve,
    /// One of an enum's variants.
    Enum(Arc<EnumType>),
    /// A user's record.
    Struct(Arc<StructType>),
    /// A bounded array: its length, then `capacity` elements.
    Array(Box<Type>, u32),
    /// A generic unit's type variable `T`; never the type of a register.
    Any,
}

/// A sub-pin: where a part of a value lies, and what it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Words from the start of the whole.
    pub offset: u32,
    /// What the part is.
    pub ty: Type,
}

/// The most elements that an array may be declared with.
pub const MAX_ARRAY_CAPACITY: u32 = 65_536;

impl Type {
    /// The built-in types that a word names.
    pub const NAMED: [(&'static str, Type); 13] = [
        ("Bool", Type::Bool),
        ("Int", Type::Int),
        ("Float", Type::Float),
        ("Vec2", Type::Vec2),
        ("Vec3", Type::Vec3),
        ("Quat", Type::Quat),
        ("Transform", Type::Transform),
        ("Euler", Type::Euler),
        ("Color", Type::Color),
        ("Element", Type::Element),
        ("Name", Type::Name),
        ("String", Type::String),
        ("Curve", Type::Curve),
    ];

    /// Size in 32-bit words; 0 for [`Type::Any`].
    pub fn words(&self) -> u32 {
        match self {
            Type::Bool | Type::Int | Type::Float | Type::Element => 1,
            Type::Name | Type::String | Type::Curve | Type::Enum(_) => 1,
            Type::Vec2 => 2,
            Type::Vec3 => 3,
            Type::Quat | Type::Euler | Type::Color => 4,
            Type::Transform => 10,
            Type::Struct(s) => s.fields.iter().fold(0u32, |sum, (_, t)| sum.saturating_add(t.words())),
            Type::Array(elem, capacity) => elem.words().saturating_mul(*capacity).saturating_add(1),
            Type::Any => 0,
        }
    }

    /// The part that a sub-pin names: `x`, `translation`, `rotation`, a struct's field.
    pub fn part(&self, name: &str) -> Option<Part> {
        let part = |offset, ty| Some(Part { offset, ty });
        let at = |names: &[&str]| names.iter().position(|n| *n == name).map(|i| i as u32);
        match self {
            Type::Vec2 => at(&["x", "y"]).and_then(|i| part(i, Type::Float)),
            Type::Vec3 => at(&["x", "y", "z"]).and_then(|i| part(i, Type::Float)),
            Type::Quat => at(&["x", "y", "z", "w"]).and_then(|i| part(i, Type::Float)),
            Type::Euler => at(&["x", "y", "z"]).and_then(|i| part(i, Type::Float)),
            Type::Color => at(&["r", "g", "b", "a"]).and_then(|i| part(i, Type::Float)),
            Type::Transform => match name {
                "translation" => part(0, Type::Vec3),
                "rotation" => part(3, Type::Quat),
                "scale" => part(7, Type::Vec3),
                _ => None,
            },
            Type::Struct(s) => {
                let mut offset = 0u32;
                for (field, ty) in &s.fields {
                    if field == name {
                        return part(offset, ty.clone());
                    }
                    offset = offset.saturating_add(ty.words());
                }
                None
            }
            _ => None,
        }
    }

    /// The names that [`Type::part`] takes.
    pub fn part_names(&self) -> Vec<String> {
        let names: &[&str] = match self {
            Type::Vec2 => &["x", "y"],
            Type::Vec3 | Type::Euler => &["x", "y", "z"],
            Type::Quat => &["x", "y", "z", "w"],
            Type::Color => &["r", "g", "b", "a"],
            Type::Transform => &["translation", "rotation", "scale"],
            Type::Struct(s) => return s.fields.iter().map(|(n, _)| n.clone()).collect(),
            _ => &[],
        };
        names.iter().map(|n| (*n).to_string()).collect()
    }

    /// True if values of the two may share a link: equal, but for the capacity of arrays.
    pub fn same_shape(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::Array(a, _), Type::Array(b, _)) => a.same_shape(b),
            _ => self == other,
        }
    }

    /// True if the type has the type variable in it.
    pub fn is_generic(&self) -> bool {
        match self {
            Type::Any => true,
            Type::Array(e, _) => e.is_generic(),
            _ => false,
        }
    }

    /// The type with `T` put for the type variable.
    pub fn with_any(&self, t: &Type) -> Type {
        match self {
            Type::Any => t.clone(),
            Type::Array(e, n) => Type::Array(Box::new(e.with_any(t)), *n),
            _ => self.clone(),
        }
    }
}

/// `Float`, `Vec3[16]`, `Gait`; the type variable is `T`, an array of any capacity `Vec3[]`.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Enum(e) => f.write_str(&e.name),
            Type::Struct(s) => f.write_str(&s.name),
            Type::Array(e, 0) => write!(f, "{e}[]"),
            Type::Array(e, n) => write!(f, "{e}[{n}]"),
            Type::Any => f.write_str("T"),
            named => {
                let word = Type::NAMED.iter().find(|(_, t)| t == named).map(|(w, _)| *w);
                f.write_str(word.unwrap_or("?"))
            }
        }
    }
}

/// Why a text is no type.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TypeError {
    /// No type of this name.
    #[error("unknown type `{0}`: use {known}, an enum or a struct of the rig, or an array like Vec3[16]", known = known_types())]
    Unknown(String),
    /// The bracket is not a capacity.
    #[error("`{0}`: an array states its capacity, from 1 to {MAX_ARRAY_CAPACITY}, as in Vec3[16]")]
    Capacity(String),
    /// Arrays of arrays are not laid out.
    #[error("`{0}`: an array's elements cannot be arrays; put a struct between them")]
    Nested(String),
}

fn known_types() -> String {
    Type::NAMED.map(|(w, _)| w).join(", ")
}

/// Reads a type's text; `user` finds enums and structs by name.
pub fn parse_type(text: &str, user: &dyn Fn(&str) -> Option<Type>) -> Result<Type, TypeError> {
    if let Some((elem, rest)) = text.split_once('[') {
        let capacity = rest.strip_suffix(']').and_then(|n| n.trim().parse::<u32>().ok());
        let capacity = capacity.filter(|n| (1..=MAX_ARRAY_CAPACITY).contains(n));
        let capacity = capacity.ok_or_else(|| TypeError::Capacity(text.into()))?;
        let elem = parse_type(elem.trim(), user)?;
        if matches!(elem, Type::Array(..)) {
            return Err(TypeError::Nested(text.into()));
        }
        return Ok(Type::Array(Box::new(elem), capacity));
    }
    let named = Type::NAMED.iter().find(|(w, _)| *w == text).map(|(_, t)| t.clone());
    named.or_else(|| user(text)).ok_or_else(|| TypeError::Unknown(text.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_size_agree() {
        let none = |_: &str| None;
        for (text, words) in [("Float", 1), ("Vec3[4]", 13), ("Transform", 10), ("Element[16]", 17)] {
            let ty = parse_type(text, &none).unwrap();
            assert_eq!(ty.to_string(), text);
            assert_eq!(ty.words(), words);
        }
        for bad in ["Flot", "Vec3[]", "Vec3[0]", "Vec3[99999999]", "Vec3[2][2]", "[3]", "Vec3[4"] {
            assert!(parse_type(bad, &none).is_err(), "{bad}");
        }
    }

    #[test]
    fn parts_lie_where_the_words_do() {
        let p = Type::Transform.part("rotation").unwrap();
        assert_eq!((p.offset, p.ty.part("w").unwrap().offset), (3, 3));
        assert!(Type::Float.part("x").is_none());
    }
}
