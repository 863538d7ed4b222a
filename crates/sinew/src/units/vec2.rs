//! Vectors of two components.

use sinew_macros::unit;

use crate::math::{self, Vec2};
use crate::vm::UnitDef;

/// The units of this file.
pub fn all() -> Vec<UnitDef> {
    crate::units![
        make_vec2,
        break_vec2,
        add_vec2,
        subtract_vec2,
        multiply_vec2,
        divide_vec2,
        scale_vec2,
        negate_vec2,
        absolute_vec2,
        minimum_vec2,
        maximum_vec2,
        clamp_vec2,
        dot_vec2,
        length_vec2,
        length_squared_vec2,
        distance_vec2,
        normalize_vec2,
        clamp_length_vec2,
        lerp_vec2,
        angle_vec2,
        rotate_vec2,
    ]
}

/// A vector of two numbers.
#[unit("Vec2.Make")]
pub fn make_vec2(x: f32, y: f32) -> Vec2 {
    Vec2::new(x, y)
}

/// The two numbers of a vector.
#[unit("Vec2.Break", outputs(x, y))]
pub fn break_vec2(value: Vec2) -> (f32, f32) {
    (value.x, value.y)
}

/// Sum of two vectors, component by component.
#[unit("Math.Add")]
pub fn add_vec2(a: Vec2, b: Vec2) -> Vec2 {
    a + b
}

/// Difference of two vectors, component by component.
#[unit("Math.Subtract")]
pub fn subtract_vec2(a: Vec2, b: Vec2) -> Vec2 {
    a - b
}

/// Product of two vectors, component by component.
#[unit("Math.Multiply")]
pub fn multiply_vec2(a: Vec2, #[pin(default = Vec2::ONE)] b: Vec2) -> Vec2 {
    a * b
}

/// Quotient of two vectors, component by component; `fallback`'s component where `b`'s is 0.
#[unit("Math.Divide")]
pub fn divide_vec2(
    a: Vec2,
    #[pin(default = Vec2::ONE)] b: Vec2,
    /// The result of a division by 0.
    fallback: Vec2,
) -> Vec2 {
    let divide = |a: f32, b: f32, fallback: f32| if b != 0.0 { a / b } else { fallback };
    Vec2::new(divide(a.x, b.x, fallback.x), divide(a.y, b.y, fallback.y))
}

/// A vector times a number.
#[unit("Math.Scale")]
pub fn scale_vec2(value: Vec2, #[pin(default = 1.0)] factor: f32) -> Vec2 {
    value * factor
}

/// The vector the other way.
#[unit("Math.Negate")]
pub fn negate_vec2(value: Vec2) -> Vec2 {
    -value
}

/// Magnitudes of the components.
#[unit("Math.Absolute")]
pub fn absolute_vec2(value: Vec2) -> Vec2 {
    Vec2::new(math::abs(value.x), math::abs(value.y))
}

/// The smaller of each component.
#[unit("Math.Minimum")]
pub fn minimum_vec2(a: Vec2, b: Vec2) -> Vec2 {
    Vec2::new(math::min(a.x, b.x), math::min(a.y, b.y))
}

/// The larger of each component.
#[unit("Math.Maximum")]
pub fn maximum_vec2(a: Vec2, b: Vec2) -> Vec2 {
    Vec2::new(math::max(a.x, b.x), math::max(a.y, b.y))
}

/// A vector kept within a rectangle.
#[unit("Math.Clamp")]
pub fn clamp_vec2(value: Vec2, minimum: Vec2, #[pin(default = Vec2::ONE)] maximum: Vec2) -> Vec2 {
    minimum_vec2(maximum_vec2(value, minimum), maximum)
}

/// Scalar product of two vectors.
#[unit("Math.Dot")]
pub fn dot_vec2(a: Vec2, b: Vec2) -> f32 {
    a.dot(b)
}

/// Length of a vector.
#[unit("Math.Length")]
pub fn length_vec2(value: Vec2) -> f32 {
    value.length()
}

/// Squared length of a vector.
#[unit("Math.LengthSquared")]
pub fn length_squared_vec2(value: Vec2) -> f32 {
    value.length_squared()
}

/// Distance between two points.
#[unit("Math.Distance")]
pub fn distance_vec2(a: Vec2, b: Vec2) -> f32 {
    a.distance(b)
}

/// Unit vector of the same direction; `fallback` where the length is 0 or not finite.
#[unit("Math.Normalize")]
pub fn normalize_vec2(
    value: Vec2,
    /// The result for a vector without a direction.
    fallback: Vec2,
) -> Vec2 {
    value.normalize_or(fallback)
}

/// The vector with a length between `minimum` and `maximum`; one without a direction stays.
#[unit("Math.ClampLength")]
pub fn clamp_length_vec2(
    value: Vec2,
    #[pin(min = 0.0)] minimum: f32,
    #[pin(default = 1.0, min = 0.0)] maximum: f32,
) -> Vec2 {
    let length = value.length();
    let wanted = math::clamp(length, minimum, maximum);
    if wanted == length { value } else { value.normalize_or(Vec2::ZERO) * wanted }
}

/// Straight line from `a` at `t` = 0 to `b` at `t` = 1; `t` may go beyond.
#[unit("Math.Lerp")]
pub fn lerp_vec2(a: Vec2, b: Vec2, #[pin(min = 0.0, max = 1.0)] t: f32) -> Vec2 {
    a.lerp(b, t)
}

/// Turn from `a` to `b`, counter-clockwise as positive, in `[-π, π]` radians; 0 where either has no
/// direction.
#[unit("Math.Angle")]
pub fn angle_vec2(a: Vec2, b: Vec2) -> f32 {
    let (a, b) = (a.normalize_or(Vec2::ZERO), b.normalize_or(Vec2::ZERO));
    math::atan2(a.x * b.y - a.y * b.x, a.dot(b))
}

/// A vector turned counter-clockwise by an angle in radians.
#[unit("Math.Rotate")]
pub fn rotate_vec2(
    value: Vec2,
    /// Radians.
    angle: f32,
) -> Vec2 {
    let (s, c) = math::sin_cos(angle);
    Vec2::new(value.x * c - value.y * s, value.x * s + value.y * c)
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Vec2 = Vec2::new(1.0, -2.0);
    const B: Vec2 = Vec2::new(4.0, 0.5);

    #[test]
    fn component_by_component() {
        assert_eq!(add_vec2(A, B), Vec2::new(5.0, -1.5));
        assert_eq!(subtract_vec2(A, B), Vec2::new(-3.0, -2.5));
        assert_eq!(multiply_vec2(A, B), Vec2::new(4.0, -1.0));
        assert_eq!(divide_vec2(A, Vec2::new(2.0, 0.0), B), Vec2::new(0.5, 0.5));
        assert_eq!(minimum_vec2(A, B), A);
        assert_eq!(maximum_vec2(A, B), B);
        assert_eq!(clamp_vec2(A, Vec2::ZERO, Vec2::splat(0.5)), Vec2::new(0.5, 0.0));
        assert_eq!(absolute_vec2(negate_vec2(A)), Vec2::new(1.0, 2.0));
        assert_eq!(scale_vec2(A, -2.0), Vec2::new(-2.0, 4.0));
        assert_eq!(break_vec2(make_vec2(1.0, 2.0)), (1.0, 2.0));
    }

    #[test]
    fn products_and_lengths() {
        assert_eq!(dot_vec2(A, B), 3.0);
        assert_eq!(length_vec2(Vec2::new(3.0, 4.0)), 5.0);
        assert_eq!(length_squared_vec2(A), 5.0);
        assert_eq!(distance_vec2(A, Vec2::new(4.0, 2.0)), 5.0);
        assert_eq!(lerp_vec2(A, B, 0.5), Vec2::new(2.5, -0.75));
        assert_eq!(normalize_vec2(Vec2::ZERO, Vec2::ONE), Vec2::ONE);
        assert!(normalize_vec2(A, Vec2::ZERO).distance(A / 5.0f32.sqrt()) < 1e-6);
        assert!(clamp_length_vec2(Vec2::new(3.0, 4.0), 0.0, 1.0).distance(Vec2::new(0.6, 0.8)) < 1e-6);
    }

    #[test]
    fn turning_by_the_angle_between_meets_the_other() {
        for i in -17..=17 {
            let angle = i as f32 * 0.18;
            assert!((angle_vec2(A, rotate_vec2(A, angle)) - angle).abs() < 1e-5);
        }
        assert_eq!(angle_vec2(A, Vec2::ZERO), 0.0);
    }
}
