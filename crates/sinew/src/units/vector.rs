//! Vectors of three components.

use sinew_macros::unit;

use crate::math::{self, Axis, Quat, Vec3};
use crate::vm::UnitDef;

/// The units of this file.
pub fn all() -> Vec<UnitDef> {
    crate::units![
        make_vec3,
        break_vec3,
        add_vec3,
        subtract_vec3,
        multiply_vec3,
        divide_vec3,
        scale_vec3,
        negate_vec3,
        absolute_vec3,
        minimum_vec3,
        maximum_vec3,
        clamp_vec3,
        dot_vec3,
        cross,
        length_vec3,
        length_squared_vec3,
        distance_vec3,
        normalize_vec3,
        clamp_length_vec3,
        lerp_vec3,
        angle_vec3,
        project_on_vector,
        project_on_plane,
        reflect_vec3,
        mirror_vec3,
        rotate,
    ]
}

/// A vector of three numbers.
#[unit("Vec3.Make")]
pub fn make_vec3(x: f32, y: f32, z: f32) -> Vec3 {
    Vec3::new(x, y, z)
}

/// The three numbers of a vector.
#[unit("Vec3.Break", outputs(x, y, z))]
pub fn break_vec3(value: Vec3) -> (f32, f32, f32) {
    (value.x, value.y, value.z)
}

/// Sum of two vectors, component by component.
#[unit("Math.Add")]
pub fn add_vec3(a: Vec3, b: Vec3) -> Vec3 {
    a + b
}

/// Difference of two vectors, component by component.
#[unit("Math.Subtract")]
pub fn subtract_vec3(a: Vec3, b: Vec3) -> Vec3 {
    a - b
}

/// Product of two vectors, component by component.
#[unit("Math.Multiply")]
pub fn multiply_vec3(a: Vec3, #[pin(default = Vec3::ONE)] b: Vec3) -> Vec3 {
    a * b
}

/// Quotient of two vectors, component by component; `fallback`'s component where `b`'s is 0.
#[unit("Math.Divide")]
pub fn divide_vec3(
    a: Vec3,
    #[pin(default = Vec3::ONE)] b: Vec3,
    /// The result of a division by 0.
    fallback: Vec3,
) -> Vec3 {
    let divide = |a: f32, b: f32, fallback: f32| if b != 0.0 { a / b } else { fallback };
    Vec3::new(divide(a.x, b.x, fallback.x), divide(a.y, b.y, fallback.y), divide(a.z, b.z, fallback.z))
}

/// A vector times a number.
#[unit("Math.Scale")]
pub fn scale_vec3(value: Vec3, #[pin(default = 1.0)] factor: f32) -> Vec3 {
    value * factor
}

/// The vector the other way.
#[unit("Math.Negate")]
pub fn negate_vec3(value: Vec3) -> Vec3 {
    -value
}

/// Magnitudes of the components.
#[unit("Math.Absolute")]
pub fn absolute_vec3(value: Vec3) -> Vec3 {
    Vec3::new(math::abs(value.x), math::abs(value.y), math::abs(value.z))
}

/// The smaller of each component.
#[unit("Math.Minimum")]
pub fn minimum_vec3(a: Vec3, b: Vec3) -> Vec3 {
    Vec3::new(math::min(a.x, b.x), math::min(a.y, b.y), math::min(a.z, b.z))
}

/// The larger of each component.
#[unit("Math.Maximum")]
pub fn maximum_vec3(a: Vec3, b: Vec3) -> Vec3 {
    Vec3::new(math::max(a.x, b.x), math::max(a.y, b.y), math::max(a.z, b.z))
}

/// A vector kept within a box.
#[unit("Math.Clamp")]
pub fn clamp_vec3(value: Vec3, minimum: Vec3, #[pin(default = Vec3::ONE)] maximum: Vec3) -> Vec3 {
    minimum_vec3(maximum_vec3(value, minimum), maximum)
}

/// Scalar product of two vectors.
#[unit("Math.Dot")]
pub fn dot_vec3(a: Vec3, b: Vec3) -> f32 {
    a.dot(b)
}

/// Vector product, right-handed: square to both.
#[unit("Math.Cross")]
pub fn cross(a: Vec3, b: Vec3) -> Vec3 {
    a.cross(b)
}

/// Length of a vector.
#[unit("Math.Length")]
pub fn length_vec3(value: Vec3) -> f32 {
    value.length()
}

/// Squared length of a vector.
#[unit("Math.LengthSquared")]
pub fn length_squared_vec3(value: Vec3) -> f32 {
    value.length_squared()
}

/// Distance between two points.
#[unit("Math.Distance")]
pub fn distance_vec3(a: Vec3, b: Vec3) -> f32 {
    a.distance(b)
}

/// Unit vector of the same direction; `fallback` where the length is 0 or not finite.
#[unit("Math.Normalize")]
pub fn normalize_vec3(
    value: Vec3,
    /// The result for a vector without a direction.
    fallback: Vec3,
) -> Vec3 {
    value.normalize_or(fallback)
}

/// The vector with a length between `minimum` and `maximum`; one without a direction stays.
#[unit("Math.ClampLength")]
pub fn clamp_length_vec3(
    value: Vec3,
    #[pin(min = 0.0)] minimum: f32,
    #[pin(default = 1.0, min = 0.0)] maximum: f32,
) -> Vec3 {
    let length = value.length();
    let wanted = math::clamp(length, minimum, maximum);
    if wanted == length { value } else { value.normalize_or(Vec3::ZERO) * wanted }
}

/// Straight line from `a` at `t` = 0 to `b` at `t` = 1; `t` may go beyond.
#[unit("Math.Lerp")]
pub fn lerp_vec3(a: Vec3, b: Vec3, #[pin(min = 0.0, max = 1.0)] t: f32) -> Vec3 {
    a.lerp(b, t)
}

/// Angle between two vectors, in `[0, π]` radians; 0 where either has no direction.
///
/// Half the angle as an arc tangent (Kahan 2006, "How Futile are Mindless Assessments of Roundoff",
/// section 12), which keeps its digits near 0 and π.
#[unit("Math.Angle")]
pub fn angle_vec3(a: Vec3, b: Vec3) -> f32 {
    let (a, b) = (a.normalize_or(Vec3::ZERO), b.normalize_or(Vec3::ZERO));
    let none = a == Vec3::ZERO || b == Vec3::ZERO;
    let angle = 2.0 * math::atan2((a - b).length(), (a + b).length());
    if none { 0.0 } else { angle }
}

/// The part of a vector along another, which need not be a unit vector; 0 where that has no
/// direction.
#[unit("Math.ProjectOnVector")]
pub fn project_on_vector(value: Vec3, #[pin(default = Vec3::Y)] onto: Vec3) -> Vec3 {
    let n = onto.normalize_or(Vec3::ZERO);
    n * value.dot(n)
}

/// The part of a vector in the plane that `normal` stands on; the vector itself where `normal` has
/// no direction.
#[unit("Math.ProjectOnPlane")]
pub fn project_on_plane(value: Vec3, #[pin(default = Vec3::Y)] normal: Vec3) -> Vec3 {
    value - project_on_vector(value, normal)
}

/// A vector thrown back by the plane that `normal` stands on.
#[unit("Math.Reflect")]
pub fn reflect_vec3(value: Vec3, #[pin(default = Vec3::Y)] normal: Vec3) -> Vec3 {
    value - project_on_vector(value, normal) * 2.0
}

/// A vector seen in a mirror: the plane through the origin that `normal` stands on.
#[unit("Math.Mirror")]
pub fn mirror_vec3(value: Vec3, normal: Axis) -> Vec3 {
    value * normal.mirror_factors()
}

/// A vector turned by a rotation.
#[unit("Math.Rotate")]
pub fn rotate(value: Vec3, rotation: Quat) -> Vec3 {
    rotation * value
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: Vec3, b: Vec3) -> bool {
        a.distance(b) < 1e-6
    }

    const A: Vec3 = Vec3::new(1.0, -2.0, 3.0);
    const B: Vec3 = Vec3::new(4.0, 0.5, -1.0);

    #[test]
    fn component_by_component() {
        assert_eq!(add_vec3(A, B), Vec3::new(5.0, -1.5, 2.0));
        assert_eq!(subtract_vec3(A, B), Vec3::new(-3.0, -2.5, 4.0));
        assert_eq!(multiply_vec3(A, B), Vec3::new(4.0, -1.0, -3.0));
        assert_eq!(divide_vec3(A, Vec3::new(2.0, 0.0, -1.0), B), Vec3::new(0.5, 0.5, -3.0));
        assert_eq!(minimum_vec3(A, B), Vec3::new(1.0, -2.0, -1.0));
        assert_eq!(maximum_vec3(A, B), Vec3::new(4.0, 0.5, 3.0));
        assert_eq!(clamp_vec3(A, Vec3::ZERO, Vec3::splat(2.0)), Vec3::new(1.0, 0.0, 2.0));
        assert_eq!(absolute_vec3(negate_vec3(A)), Vec3::new(1.0, 2.0, 3.0));
        assert_eq!(scale_vec3(A, -2.0), Vec3::new(-2.0, 4.0, -6.0));
        let (x, y, z) = break_vec3(A);
        assert_eq!(make_vec3(x, y, z), A);
    }

    #[test]
    fn products_and_lengths() {
        assert_eq!(dot_vec3(A, B), 0.0);
        assert_eq!(cross(Vec3::X, Vec3::Y), Vec3::Z);
        let c = cross(A, B);
        assert_eq!((dot_vec3(c, A), dot_vec3(c, B)), (0.0, 0.0));
        assert_eq!(length_vec3(Vec3::new(2.0, 3.0, 6.0)), 7.0);
        assert_eq!(length_squared_vec3(A), 14.0);
        assert_eq!(distance_vec3(Vec3::X, Vec3::new(1.0, 3.0, 4.0)), 5.0);
        assert_eq!(lerp_vec3(A, B, 0.5), Vec3::new(2.5, -0.75, 1.0));
    }

    #[test]
    fn a_vector_without_direction_gives_the_fallback() {
        for bad in [Vec3::ZERO, Vec3::splat(f32::NAN), Vec3::splat(f32::INFINITY)] {
            assert_eq!(normalize_vec3(bad, Vec3::Y), Vec3::Y);
        }
        assert!(near(normalize_vec3(A * 7.0, Vec3::ZERO) * 14.0f32.sqrt(), A));
        assert_eq!(angle_vec3(Vec3::ZERO, A), 0.0);
        assert_eq!(project_on_vector(A, Vec3::ZERO), Vec3::ZERO);
        assert_eq!(project_on_plane(A, Vec3::ZERO), A);
        assert_eq!(clamp_length_vec3(Vec3::ZERO, 1.0, 2.0), Vec3::ZERO);
    }

    #[test]
    fn a_mirror_turns_one_component() {
        assert_eq!(mirror_vec3(A, Axis::X), Vec3::new(-1.0, -2.0, 3.0));
        assert_eq!(mirror_vec3(A, Axis::Z), reflect_vec3(A, Vec3::Z));
    }

    #[test]
    fn lengths_are_clamped_both_ways() {
        let v = Vec3::new(3.0, 0.0, 4.0);
        assert_eq!(clamp_length_vec3(v, 0.0, 10.0), v);
        assert!(near(clamp_length_vec3(v, 0.0, 1.0), Vec3::new(0.6, 0.0, 0.8)));
        assert!(near(clamp_length_vec3(v, 10.0, 20.0), Vec3::new(6.0, 0.0, 8.0)));
    }

    #[test]
    fn angles_keep_their_digits_at_both_ends() {
        for i in 0..=60 {
            let angle = f64::from(i) * std::f64::consts::PI / 60.0;
            let b = Vec3::new(angle.cos() as f32 * 3.0, angle.sin() as f32 * 3.0, 0.0);
            assert!((f64::from(angle_vec3(Vec3::X * 0.2, b)) - angle).abs() < 1e-6, "{angle}");
        }
        let tiny = 1e-5f32;
        let seen = angle_vec3(Vec3::X, Vec3::new(1.0, tiny, 0.0));
        assert!((seen / tiny - 1.0).abs() < 1e-3, "{seen}");
    }

    #[test]
    fn a_vector_is_the_sum_of_its_projections() {
        let n = Vec3::new(0.3, 2.0, -0.7);
        assert!(near(project_on_vector(B, n) + project_on_plane(B, n), B));
        assert!(dot_vec3(project_on_plane(B, n), n).abs() < 1e-6);
        assert!(near(reflect_vec3(Vec3::new(1.0, -1.0, 0.0), Vec3::Y * 5.0), Vec3::new(1.0, 1.0, 0.0)));
        assert!(near(reflect_vec3(reflect_vec3(B, n), n), B));
    }

    #[test]
    fn a_quarter_turn_about_up_takes_forward_to_the_right_hand_axis() {
        let half = core::f32::consts::FRAC_1_SQRT_2;
        assert!(near(rotate(Vec3::Z, Quat::new(0.0, half, 0.0, half)), Vec3::X));
    }
}
