//! Transforms as values; `Hierarchy` units read and set those of elements.

use sinew_macros::unit;

use crate::math::{Axis, Quat, Transform, Vec3};
use crate::vm::UnitDef;

/// The units of this file.
pub fn all() -> Vec<UnitDef> {
    crate::units![
        make_transform,
        break_transform,
        multiply_transform,
        inverse_transform,
        relative,
        lerp_transform,
        transform_point,
        inverse_transform_point,
        transform_vector,
        inverse_transform_vector,
        mirror_transform,
        normalize_transform,
    ]
}

/// A transform from its parts.
#[unit("Transform.Make")]
pub fn make_transform(
    translation: Vec3,
    rotation: Quat,
    #[pin(default = Vec3::ONE)] scale: Vec3,
) -> Transform {
    Transform::new(translation, rotation, scale)
}

/// The parts of a transform.
#[unit("Transform.Break", outputs(translation, rotation, scale))]
pub fn break_transform(value: Transform) -> (Vec3, Quat, Vec3) {
    (value.translation, value.rotation, value.scale)
}

/// `parent * child`: the child's transform taken into the parent's space. Scales multiply by axis.
#[unit("Transform.Multiply")]
pub fn multiply_transform(parent: Transform, child: Transform) -> Transform {
    parent * child
}

/// The transform that takes back what this one does: `value * result` changes nothing. Where a scale
/// is 0 the result's is 0.
#[unit("Transform.Inverse")]
pub fn inverse_transform(value: Transform) -> Transform {
    value.inverse()
}

/// A transform seen from another: `relative_to * result` is `value`. Where a scale of `relative_to`
/// is 0 the result's is 0.
#[unit("Transform.Relative")]
pub fn relative(value: Transform, relative_to: Transform) -> Transform {
    relative_to.to_local(value)
}

/// From `a` at `t` = 0 to `b` at `t` = 1: straight in translation and scale, by the shortest arc in
/// rotation.
#[unit("Transform.Lerp")]
pub fn lerp_transform(a: Transform, b: Transform, #[pin(min = 0.0, max = 1.0)] t: f32) -> Transform {
    a.lerp(b, t)
}

/// Takes a point from the transform's space to its parent's: scaled, turned, moved.
#[unit("Transform.TransformPoint")]
pub fn transform_point(transform: Transform, point: Vec3) -> Vec3 {
    transform.transform_point(point)
}

/// Takes a point from the parent's space to the transform's.
#[unit("Transform.InverseTransformPoint")]
pub fn inverse_transform_point(transform: Transform, point: Vec3) -> Vec3 {
    transform.inverse_transform_point(point)
}

/// Takes a direction or a difference of points to the parent's space: scaled and turned.
#[unit("Transform.TransformVector")]
pub fn transform_vector(transform: Transform, vector: Vec3) -> Vec3 {
    transform.transform_vector(vector)
}

/// Takes a direction or a difference of points from the parent's space to the transform's.
#[unit("Transform.InverseTransformVector")]
pub fn inverse_transform_vector(transform: Transform, vector: Vec3) -> Vec3 {
    Transform { translation: Vec3::ZERO, ..transform }.inverse_transform_point(vector)
}

/// A transform seen in a mirror: the plane through the origin that `normal` stands on. Scales stay.
#[unit("Transform.Mirror")]
pub fn mirror_transform(value: Transform, normal: Axis) -> Transform {
    value.mirror(normal)
}

/// The same with a unit quaternion for its rotation.
#[unit("Transform.Normalize")]
pub fn normalize_transform(value: Transform) -> Transform {
    Transform { rotation: value.rotation.normalize(), ..value }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(i: u32) -> Transform {
        let f = |k: u32| ((i * 37 + k * 101 + i * i * 13) % 200) as f32 / 100.0 - 1.0;
        let rotation = Quat::new(f(4), f(5), f(6), f(7) + 1.2).normalize();
        Transform::new(Vec3::new(f(1), f(2), f(3)), rotation, Vec3::splat(1.5 + 0.5 * f(8)))
    }

    #[test]
    fn what_is_relative_multiplies_back() {
        for i in 0..40 {
            let (a, b) = (sample(i), sample(i + 7));
            assert!(multiply_transform(a, relative(b, a)).approx_eq(b, 1e-5));
            assert!(multiply_transform(a, inverse_transform(a)).approx_eq(Transform::IDENTITY, 1e-5));
            let (t, r, s) = break_transform(a);
            assert_eq!(make_transform(t, r, s), a);
            assert!(mirror_transform(mirror_transform(a, Axis::Z), Axis::Z).approx_eq(a, 1e-6));
        }
    }

    #[test]
    fn points_go_and_come_back() {
        let p = Vec3::new(0.4, -3.0, 2.0);
        for i in 0..40 {
            let (a, b) = (sample(i), sample(i + 3));
            let there = transform_point(multiply_transform(a, b), p);
            assert!(there.distance(transform_point(a, transform_point(b, p))) < 2e-5);
            assert!(inverse_transform_point(a, transform_point(a, p)).distance(p) < 1e-5);
            assert!(inverse_transform_vector(a, transform_vector(a, p)).distance(p) < 1e-5);
            let difference = transform_point(a, p) - transform_point(a, Vec3::X);
            assert!(transform_vector(a, p - Vec3::X).distance(difference) < 1e-5);
        }
    }

    #[test]
    fn interpolation_meets_its_ends_for_either_sign() {
        let (a, b) = (sample(1), sample(2));
        let flipped = Transform { rotation: -b.rotation, ..b };
        for b in [b, flipped] {
            assert!(lerp_transform(a, b, 0.0).approx_eq(a, 1e-6));
            assert!(lerp_transform(a, b, 1.0).approx_eq(b, 1e-6));
        }
        assert!(lerp_transform(a, b, 0.3).approx_eq(lerp_transform(a, flipped, 0.3), 1e-6));
    }

    #[test]
    fn a_scale_of_zero_stays_finite() {
        let flat = Transform { scale: Vec3::new(1.0, 0.0, 1.0), ..Transform::IDENTITY };
        assert_eq!(inverse_transform(flat).scale, Vec3::new(1.0, 0.0, 1.0));
        assert!(inverse_transform_point(flat, Vec3::ONE).is_finite());
        let zero = Transform { rotation: Quat::new(0.0, 0.0, 0.0, 0.0), ..flat };
        assert_eq!(normalize_transform(zero).rotation, Quat::IDENTITY);
    }
}
