//! Conversions between these types and glam's.

use super::{Mat4, Quat, Transform, Vec2, Vec3};

impl From<Vec2> for ::glam::Vec2 {
    #[inline]
    fn from(v: Vec2) -> Self {
        Self::new(v.x, v.y)
    }
}

impl From<::glam::Vec2> for Vec2 {
    #[inline]
    fn from(v: ::glam::Vec2) -> Self {
        Self::new(v.x, v.y)
    }
}

impl From<Vec3> for ::glam::Vec3 {
    #[inline]
    fn from(v: Vec3) -> Self {
        Self::new(v.x, v.y, v.z)
    }
}

impl From<::glam::Vec3> for Vec3 {
    #[inline]
    fn from(v: ::glam::Vec3) -> Self {
        Self::new(v.x, v.y, v.z)
    }
}

impl From<Quat> for ::glam::Quat {
    #[inline]
    fn from(q: Quat) -> Self {
        Self::from_xyzw(q.x, q.y, q.z, q.w)
    }
}

impl From<::glam::Quat> for Quat {
    #[inline]
    fn from(q: ::glam::Quat) -> Self {
        Self::new(q.x, q.y, q.z, q.w)
    }
}

impl From<Mat4> for ::glam::Mat4 {
    #[inline]
    fn from(m: Mat4) -> Self {
        Self::from_cols_array(&m.0)
    }
}

impl From<::glam::Mat4> for Mat4 {
    #[inline]
    fn from(m: ::glam::Mat4) -> Self {
        Self(m.to_cols_array())
    }
}

impl From<Transform> for ::glam::Mat4 {
    #[inline]
    fn from(t: Transform) -> Self {
        Mat4::from_transform(t).into()
    }
}

/// Decomposes as [`Mat4::to_transform`]: shear is dropped.
impl From<::glam::Mat4> for Transform {
    #[inline]
    fn from(m: ::glam::Mat4) -> Self {
        Mat4::from(m).to_transform()
    }
}

impl From<Transform> for ::glam::Affine3A {
    #[inline]
    fn from(t: Transform) -> Self {
        Self::from_mat4(t.into())
    }
}

/// Decomposes as [`Mat4::to_transform`]: shear is dropped.
impl From<::glam::Affine3A> for Transform {
    #[inline]
    fn from(m: ::glam::Affine3A) -> Self {
        ::glam::Mat4::from(m).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transforms_agree_with_glam() {
        let t =
            Transform::new(Vec3::new(1.0, 2.0, 3.0), Quat::from_rotation_y(0.8), Vec3::new(2.0, 0.5, 1.5));
        let theirs = ::glam::Mat4::from_scale_rotation_translation(
            t.scale.into(),
            t.rotation.into(),
            t.translation.into(),
        );
        assert!(::glam::Mat4::from(t).abs_diff_eq(theirs, 1e-6));
        assert!(Transform::from(theirs).approx_eq(t, 1e-6));
        assert!(Transform::from(::glam::Affine3A::from(t)).approx_eq(t, 1e-6));
        let p = Vec3::new(0.1, 0.2, 0.3);
        let moved: Vec3 = theirs.transform_point3(p.into()).into();
        assert!((moved - t.transform_point(p)).length() < 1e-6);
        assert_eq!(Vec2::from(::glam::Vec2::from(Vec2::new(1.0, 2.0))), Vec2::new(1.0, 2.0));
    }
}
