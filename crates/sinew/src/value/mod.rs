//! Values as the machine stores them: types and their layout in 32-bit words.

mod plain;

pub use plain::Plain;
