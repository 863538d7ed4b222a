//! Vectors.

use sinew_macros::unit;

use crate::math::Vec3;
use crate::vm::UnitDef;

/// The units of this file.
pub fn all() -> Vec<UnitDef> {
    crate::units![add_vec3, scale_vec3]
}

/// Sum of two vectors, component by component.
#[unit("Math.Add")]
pub fn add_vec3(a: Vec3, b: Vec3) -> Vec3 {
    a + b
}

/// A vector times a number.
#[unit("Math.Scale")]
pub fn scale_vec3(value: Vec3, #[pin(default = 1.0)] factor: f32) -> Vec3 {
    value * factor
}
