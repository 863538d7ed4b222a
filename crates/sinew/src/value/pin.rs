//! Which Rust types may be pins of units, and what they are called there.

use crate::hierarchy::ElementId;
use crate::math::{Color, Euler, Quat, Transform, Vec2, Vec3};

use super::{Plain, Type};

/// A Rust type that a unit may take or give.
pub trait PinType: Plain {
    /// Its type on links and in registers.
    fn pin_type() -> Type;

    /// What an unset pin of this type holds when the unit states no default.
    fn pin_default() -> Self;
}

/// An interned word: its index in the program's strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name(pub u32);

/// A text: its index in the program's strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text(pub u32);

/// A curve: its index in the program's curves; 0 is the empty one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CurveRef(pub u32);

macro_rules! pin_types {
    ($($t:ty => $ty:ident, $default:expr;)+) => {
        $(impl PinType for $t {
            fn pin_type() -> Type { Type::$ty }
            fn pin_default() -> Self { $default }
        })+
    };
}

pin_types! {
    bool => Bool, false;
    i32 => Int, 0;
    f32 => Float, 0.0;
    Vec2 => Vec2, Vec2::ZERO;
    Vec3 => Vec3, Vec3::ZERO;
    Quat => Quat, Quat::IDENTITY;
    Transform => Transform, Transform::IDENTITY;
    Euler => Euler, Euler::default();
    Color => Color, Color::WHITE;
    ElementId => Element, ElementId::NONE;
    Name => Name, Name(0);
    Text => String, Text(0);
    CurveRef => Curve, CurveRef(0);
}

macro_rules! index_words {
    ($($t:ident),+) => {
        $(impl Plain for $t {
            const WORDS: usize = 1;
            #[inline(always)]
            fn read(word: impl Fn(usize) -> u32) -> Self { $t(word(0)) }
            #[inline(always)]
            fn write(self, mut put: impl FnMut(usize, u32)) { put(0, self.0) }
        })+
    };
}

index_words!(Name, Text, CurveRef);

/// Makes a fieldless Rust enum a pin type: one word, its variants by their written names.
///
/// ```
/// #[derive(Clone, Copy, PartialEq, Debug)]
/// pub enum Side { Left, Right }
/// sinew::pin_enum!(Side { Left, Right });
/// ```
#[macro_export]
macro_rules! pin_enum {
    ($t:ident { $first:ident $(, $v:ident)* $(,)? }) => {
        $crate::plain_enum!($t { $first $(, $v)* });
        impl $crate::value::PinType for $t {
            fn pin_type() -> $crate::value::Type {
                $crate::value::Type::Enum(::std::sync::Arc::new($crate::value::EnumType {
                    name: stringify!($t).to_string(),
                    variants: vec![stringify!($first).to_string() $(, stringify!($v).to_string())*],
                }))
            }
            fn pin_default() -> Self { $t::$first }
        }
    };
}

/// Lays a fieldless Rust enum out as one word: the variant's place in the list. A word beyond the
/// list reads as the first variant.
#[macro_export]
macro_rules! plain_enum {
    ($t:ident { $first:ident $(, $v:ident)* $(,)? }) => {
        impl $crate::value::Plain for $t {
            const WORDS: usize = 1;
            #[inline(always)]
            fn read(word: impl Fn(usize) -> u32) -> Self {
                // By comparisons, not by a table: those stay in registers and vectorize.
                let (word, mut value, mut _place) = (word(0), $t::$first, 0u32);
                $(
                    _place += 1;
                    if word == _place {
                        value = $t::$v;
                    }
                )*
                let _ = word;
                value
            }
            #[inline(always)]
            fn write(self, mut put: impl FnMut(usize, u32)) {
                let (mut at, mut _place) = (0u32, 0u32);
                $(
                    _place += 1;
                    if matches!(self, $t::$v) {
                        at = _place;
                    }
                )*
                put(0, at);
            }
        }
    };
}
