//! Translation, rotation and scale.

use core::ops::Mul;

use super::{Axis, Quat, Vec3};

/// `T·R·S`: scale first, then turn, then move. Composes without shear, as control rigs have it;
/// where shear matters (skinning, export) matrices are multiplied instead.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Transform {
    /// Metres.
    pub translation: Vec3,
    /// Unit quaternion.
    pub rotation: Quat,
    /// Factors by axis, before the rotation.
    pub scale: Vec3,
}

impl Default for Transform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// `parent * child`: the child's transform taken into the parent's space. Scales multiply by axis.
impl Mul for Transform {
    type Output = Self;
    #[inline(always)]
    fn mul(self, c: Self) -> Self {
        Self {
            translation: self.translation + self.rotation * (self.scale * c.translation),
            rotation: self.rotation * c.rotation,
            scale: self.scale * c.scale,
        }
    }
}

impl Transform {
    /// Changes nothing.
    pub const IDENTITY: Self = Self { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

    /// From parts.
    #[inline(always)]
    pub const fn new(translation: Vec3, rotation: Quat, scale: Vec3) -> Self {
        Self { translation, rotation, scale }
    }

    /// A move alone.
    #[inline(always)]
    pub const fn from_translation(translation: Vec3) -> Self {
        Self { translation, ..Self::IDENTITY }
    }

    /// A turn alone.
    #[inline(always)]
    pub const fn from_rotation(rotation: Quat) -> Self {
        Self { rotation, ..Self::IDENTITY }
    }

    /// Takes a point from this transform's space to its parent's.
    #[inline(always)]
    pub fn transform_point(self, p: Vec3) -> Vec3 {
        self.translation + self.rotation * (self.scale * p)
    }

    /// `x` with `self * x == global`: a transform brought into this one's space. Where a scale
    /// component is 0 the reciprocal is taken as 0, so the result is finite.
    #[inline(always)]
    pub fn to_local(self, global: Self) -> Self {
        let inv = self.rotation.conjugate();
        let rs =
            Vec3::new(recip_or_zero(self.scale.x), recip_or_zero(self.scale.y), recip_or_zero(self.scale.z));
        Self {
            translation: (inv * (global.translation - self.translation)) * rs,
            rotation: inv * global.rotation,
            scale: global.scale * rs,
        }
    }

    /// `x` with `self * x = identity`. With a non-uniform scale it is not an inverse from the left,
    /// as a `T·R·S` without shear has none.
    #[inline(always)]
    pub fn inverse(self) -> Self {
        self.to_local(Self::IDENTITY)
    }

    /// Takes a direction or a difference of points to the parent's space: turned and scaled.
    #[inline(always)]
    pub fn transform_vector(self, v: Vec3) -> Vec3 {
        self.rotation * (self.scale * v)
    }

    /// Takes a point from the parent's space to this one's. Where a scale component is 0 the
    /// reciprocal is taken as 0.
    #[inline(always)]
    pub fn inverse_transform_point(self, p: Vec3) -> Vec3 {
        self.to_local(Self::from_translation(p)).translation
    }

    /// From `self` at `t = 0` to `to` at `t = 1`: straight in translation and scale, at constant
    /// speed by the shortest arc in rotation. `t` is not clamped.
    #[inline(always)]
    pub fn lerp(self, to: Self, t: f32) -> Self {
        Self { rotation: self.rotation.slerp(to.rotation, t), ..self.blend(to, t) }
    }

    /// As [`lerp`](Self::lerp) with the cheaper [`Quat::nlerp`].
    #[inline(always)]
    pub fn blend(self, to: Self, t: f32) -> Self {
        Self {
            translation: self.translation.lerp(to.translation, t),
            rotation: self.rotation.nlerp(to.rotation, t),
            scale: self.scale.lerp(to.scale, t),
        }
    }

    /// Seen in a mirror: the plane through the origin that `normal` stands on. Scales stay.
    #[inline(always)]
    pub fn mirror(self, normal: Axis) -> Self {
        Self {
            translation: self.translation * normal.mirror_factors(),
            rotation: self.rotation.mirror(normal),
            scale: self.scale,
        }
    }

    /// True if no component differs by more than `tolerance`, rotations compared up to their sign.
    #[inline(always)]
    pub fn approx_eq(self, o: Self, tolerance: f32) -> bool {
        let near = |v: Vec3| v.x.abs() <= tolerance && v.y.abs() <= tolerance && v.z.abs() <= tolerance;
        let r = o.rotation.toward(self.rotation) - self.rotation;
        near(self.translation - o.translation)
            && near(self.scale - o.scale)
            && near(r.vector())
            && r.w.abs() <= tolerance
    }

    /// True if no component is NaN or infinite.
    #[inline(always)]
    pub fn is_finite(self) -> bool {
        self.translation.is_finite() && self.rotation.is_finite() && self.scale.is_finite()
    }
}

#[inline(always)]
fn recip_or_zero(v: f32) -> f32 {
    if v != 0.0 { 1.0 / v } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Transform {
        let turn = Quat::from_axis_angle(Vec3::new(1.0, 2.0, -0.5), 1.2);
        Transform::new(Vec3::new(1.0, -2.0, 3.0), turn, Vec3::new(2.0, 0.5, -1.5))
    }

    #[test]
    fn inverse_and_local_undo_the_product() {
        let child = Transform::new(Vec3::new(0.2, 0.4, 0.1), Quat::from_rotation_z(0.4), Vec3::splat(3.0));
        let t = sample();
        assert!((t * t.inverse()).approx_eq(Transform::IDENTITY, 1e-6));
        assert!(t.to_local(t * child).approx_eq(child, 1e-5));
        let p = Vec3::new(0.3, 0.1, -0.7);
        assert!((t.inverse_transform_point(t.transform_point(p)) - p).length() < 1e-6);
        assert!(
            (t.transform_point(p) - t.transform_point(Vec3::ZERO) - t.transform_vector(p)).length() < 1e-6
        );
        let flat = Transform { scale: Vec3::new(0.0, 1.0, 1.0), ..t };
        assert!(flat.inverse().is_finite() && flat.to_local(child).is_finite());
    }

    #[test]
    fn blending_meets_its_ends_and_ignores_quaternion_signs() {
        let (a, b) = (Transform::IDENTITY, sample());
        let negated = Transform { rotation: -b.rotation, ..b };
        assert!(a.lerp(b, 0.0).approx_eq(a, 1e-6) && a.lerp(b, 1.0).approx_eq(b, 1e-6));
        assert!(a.lerp(b, 0.3).approx_eq(a.lerp(negated, 0.3), 1e-6));
        assert!(a.blend(b, 0.3).approx_eq(a.blend(negated, 0.3), 1e-6));
        assert!(!a.approx_eq(b, 0.1) && b.approx_eq(negated, 0.0));
    }

    #[test]
    fn mirrored_transforms_take_mirrored_points() {
        let (t, p) = (sample(), Vec3::new(0.3, 0.1, -0.7));
        for axis in [Axis::X, Axis::Y, Axis::Z] {
            let f = axis.mirror_factors();
            assert!((t.mirror(axis).transform_point(p * f) - t.transform_point(p) * f).length() < 1e-6);
        }
    }
}
