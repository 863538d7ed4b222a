//! Comparisons. With NaN every one is false but `NotEqual`.

use sinew_macros::unit;

use crate::hierarchy::ElementId;
use crate::math::{Quat, Transform, Vec2, Vec3};
use crate::value::Name;
use crate::vm::UnitDef;

/// The units of this file.
pub fn all() -> Vec<UnitDef> {
    crate::units![
        equal_float,
        equal_int,
        equal_bool,
        equal_element,
        equal_name,
        not_equal_float,
        not_equal_int,
        not_equal_bool,
        not_equal_element,
        not_equal_name,
        less_float,
        less_int,
        less_equal_float,
        less_equal_int,
        greater_float,
        greater_int,
        greater_equal_float,
        greater_equal_int,
        nearly_equal_float,
        nearly_equal_vec2,
        nearly_equal_vec3,
        nearly_equal_quat,
        nearly_equal_transform,
        in_range_float,
        in_range_int,
    ]
}

/// True if two numbers are exactly the same; see `Math.NearlyEqual` for computed ones.
#[unit("Math.Equal")]
pub fn equal_float(a: f32, b: f32) -> bool {
    a == b
}

/// True if two whole numbers are the same.
#[unit("Math.Equal")]
pub fn equal_int(a: i32, b: i32) -> bool {
    a == b
}

/// True if both are true or both false.
#[unit("Math.Equal")]
pub fn equal_bool(a: bool, b: bool) -> bool {
    a == b
}

/// True if both are the same element, or both none.
#[unit("Math.Equal")]
pub fn equal_element(a: ElementId, b: ElementId) -> bool {
    a == b
}

/// True if both are the same name.
#[unit("Math.Equal")]
pub fn equal_name(a: Name, b: Name) -> bool {
    a == b
}

/// True if two numbers differ, however little.
#[unit("Math.NotEqual")]
pub fn not_equal_float(a: f32, b: f32) -> bool {
    a != b
}

/// True if two whole numbers differ.
#[unit("Math.NotEqual")]
pub fn not_equal_int(a: i32, b: i32) -> bool {
    a != b
}

/// True if one is true and the other false.
#[unit("Math.NotEqual")]
pub fn not_equal_bool(a: bool, b: bool) -> bool {
    a != b
}

/// True if the two are different elements.
#[unit("Math.NotEqual")]
pub fn not_equal_element(a: ElementId, b: ElementId) -> bool {
    a != b
}

/// True if the two are different names.
#[unit("Math.NotEqual")]
pub fn not_equal_name(a: Name, b: Name) -> bool {
    a != b
}

/// True if `a` is below `b`.
#[unit("Math.Less")]
pub fn less_float(a: f32, b: f32) -> bool {
    a < b
}

/// True if `a` is below `b`.
#[unit("Math.Less")]
pub fn less_int(a: i32, b: i32) -> bool {
    a < b
}

/// True if `a` is `b` or below.
#[unit("Math.LessEqual")]
pub fn less_equal_float(a: f32, b: f32) -> bool {
    a <= b
}

/// True if `a` is `b` or below.
#[unit("Math.LessEqual")]
pub fn less_equal_int(a: i32, b: i32) -> bool {
    a <= b
}

/// True if `a` is above `b`.
#[unit("Math.Greater")]
pub fn greater_float(a: f32, b: f32) -> bool {
    a > b
}

/// True if `a` is above `b`.
#[unit("Math.Greater")]
pub fn greater_int(a: i32, b: i32) -> bool {
    a > b
}

/// True if `a` is `b` or above.
#[unit("Math.GreaterEqual")]
pub fn greater_equal_float(a: f32, b: f32) -> bool {
    a >= b
}

/// True if `a` is `b` or above.
#[unit("Math.GreaterEqual")]
pub fn greater_equal_int(a: i32, b: i32) -> bool {
    a >= b
}

/// True if two numbers differ by no more than `tolerance`. Equal infinities are nearly equal.
#[unit("Math.NearlyEqual")]
pub fn nearly_equal_float(a: f32, b: f32, #[pin(default = 1e-4, min = 0.0)] tolerance: f32) -> bool {
    a == b || (a - b).abs() <= tolerance
}

/// True if no component of two vectors differs by more than `tolerance`.
#[unit("Math.NearlyEqual")]
pub fn nearly_equal_vec2(a: Vec2, b: Vec2, #[pin(default = 1e-4, min = 0.0)] tolerance: f32) -> bool {
    nearly_equal_float(a.x, b.x, tolerance) && nearly_equal_float(a.y, b.y, tolerance)
}

/// True if no component of two vectors differs by more than `tolerance`.
#[unit("Math.NearlyEqual")]
pub fn nearly_equal_vec3(a: Vec3, b: Vec3, #[pin(default = 1e-4, min = 0.0)] tolerance: f32) -> bool {
    nearly_equal_float(a.x, b.x, tolerance)
        && nearly_equal_float(a.y, b.y, tolerance)
        && nearly_equal_float(a.z, b.z, tolerance)
}

/// True if two rotations are nearly the same: `q` and `-q` count as one, and no component differs
/// by more than `tolerance`.
#[unit("Math.NearlyEqual")]
pub fn nearly_equal_quat(a: Quat, b: Quat, #[pin(default = 1e-4, min = 0.0)] tolerance: f32) -> bool {
    let b = if a.dot(b) < 0.0 { -b } else { b };
    nearly_equal_vec3(Vec3::new(a.x, a.y, a.z), Vec3::new(b.x, b.y, b.z), tolerance)
        && nearly_equal_float(a.w, b.w, tolerance)
}

/// True if translations, rotations and scales are all nearly the same.
#[unit("Math.NearlyEqual")]
pub fn nearly_equal_transform(
    a: Transform,
    b: Transform,
    #[pin(default = 1e-4, min = 0.0)] tolerance: f32,
) -> bool {
    nearly_equal_vec3(a.translation, b.translation, tolerance)
        && nearly_equal_quat(a.rotation, b.rotation, tolerance)
        && nearly_equal_vec3(a.scale, b.scale, tolerance)
}

/// True if a number lies from `minimum` to `maximum`, both counted.
#[unit("Math.InRange")]
pub fn in_range_float(value: f32, minimum: f32, #[pin(default = 1.0)] maximum: f32) -> bool {
    value >= minimum && value <= maximum
}

/// True if a whole number lies from `minimum` to `maximum`, both counted.
#[unit("Math.InRange")]
pub fn in_range_int(value: i32, minimum: i32, #[pin(default = 1)] maximum: i32) -> bool {
    value >= minimum && value <= maximum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders() {
        for (a, b) in [(1, 2), (2, 1), (2, 2), (i32::MIN, i32::MAX)] {
            let (x, y) = (a as f32, b as f32);
            assert_eq!([less_int(a, b), less_float(x, y)], [a < b; 2]);
            assert_eq!([less_equal_int(a, b), less_equal_float(x, y)], [a <= b; 2]);
            assert_eq!([greater_int(a, b), greater_float(x, y)], [a > b; 2]);
            assert_eq!([greater_equal_int(a, b), greater_equal_float(x, y)], [a >= b; 2]);
            assert_eq!([equal_int(a, b), equal_float(x, y)], [a == b; 2]);
            assert_eq!([not_equal_int(a, b), not_equal_float(x, y)], [a != b; 2]);
        }
        assert_eq!([-1.0, 0.0, 1.0, 1.5].map(|v| in_range_float(v, 0.0, 1.0)), [false, true, true, false]);
        assert_eq!([-1, 0, 1, 2].map(|v| in_range_int(v, 0, 1)), [false, true, true, false]);
    }

    #[test]
    fn nan_compares_false() {
        let n = f32::NAN;
        assert!(!less_float(n, n) && !less_equal_float(n, n) && !equal_float(n, n));
        assert!(!greater_float(n, 0.0) && !greater_equal_float(n, 0.0) && !nearly_equal_float(n, n, 1.0));
        assert!(not_equal_float(n, n) && !in_range_float(n, 0.0, 1.0));
    }

    #[test]
    fn tolerances() {
        assert!(nearly_equal_float(f32::INFINITY, f32::INFINITY, 0.0));
        assert!(!nearly_equal_float(f32::INFINITY, f32::NEG_INFINITY, 1.0));
        assert!(nearly_equal_float(1.0, 1.25, 0.25) && !nearly_equal_float(1.0, 1.25, 0.2));
        let q = Quat::new(0.5, -0.5, 0.5, 0.5);
        assert!(nearly_equal_quat(q, -q, 0.0));
        assert!(!nearly_equal_quat(q, q.conjugate(), 0.1));
        let t = Transform::new(Vec3::X, q, Vec3::ONE);
        assert!(nearly_equal_transform(t, Transform { rotation: -q, ..t }, 0.0));
        assert!(!nearly_equal_transform(t, Transform { scale: Vec3::X, ..t }, 0.1));
        assert!(nearly_equal_vec2(Vec2::ONE, Vec2::new(1.0, 1.1), 0.2));
        assert!(!nearly_equal_vec3(Vec3::ONE, Vec3::new(1.0, 1.0, 1.3), 0.2));
    }

    #[test]
    fn identities() {
        assert!(
            equal_element(ElementId::NONE, ElementId::NONE) && not_equal_element(ElementId(1), ElementId(2))
        );
        assert!(equal_name(Name(3), Name(3)) && not_equal_name(Name(3), Name(4)));
        assert!(equal_bool(true, true) && not_equal_bool(true, false));
        assert!(!not_equal_element(ElementId(1), ElementId(1)) && !equal_name(Name(0), Name(1)));
    }
}
