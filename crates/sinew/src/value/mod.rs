//! Values as the machine stores them: types and their layout in 32-bit words.

mod aligned;
mod pin;
mod plain;
mod types;

pub use aligned::Aligned;
pub use pin::{CurveRef, Name, PinType, Text};
pub use plain::Plain;
pub use types::{EnumType, MAX_ARRAY_CAPACITY, Part, StructType, Type, TypeError, parse_type};
