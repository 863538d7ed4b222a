//! Affine matrices.

use core::ops::Mul;

use super::rotation::any_perpendicular;
use super::{Quat, Transform, Vec3};

/// A 4×4 matrix by columns, as glTF stores it: the fourth column is the translation.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
pub struct Mat4(pub [f32; 16]);

impl Default for Mat4 {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// Matrix product: `a * b` applies `b` first.
impl Mul for Mat4 {
    type Output = Self;
    #[inline]
    fn mul(self, b: Self) -> Self {
        let [a, b] = [self.0, b.0];
        Self(core::array::from_fn(|i| {
            let (row, column) = (i % 4, i / 4 * 4);
            (0..4).fold(0.0, |sum, k| sum + a[row + 4 * k] * b[column + k])
        }))
    }
}

impl Mat4 {
    /// Changes nothing.
    pub const IDENTITY: Self =
        Self([1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]);

    /// From the images of the axes and the origin; the last row is 0 0 0 1.
    #[inline(always)]
    pub const fn from_columns(x: Vec3, y: Vec3, z: Vec3, t: Vec3) -> Self {
        Self([x.x, x.y, x.z, 0.0, y.x, y.y, y.z, 0.0, z.x, z.y, z.z, 0.0, t.x, t.y, t.z, 1.0])
    }

    /// Image of the x, y or z axis (0, 1, 2) or the translation (3); zero for any other number.
    #[inline(always)]
    pub fn column(&self, i: usize) -> Vec3 {
        match self.0.get(4 * (i & 3)..4 * (i & 3) + 3) {
            Some(&[x, y, z]) if i < 4 => Vec3::new(x, y, z),
            _ => Vec3::ZERO,
        }
    }

    /// `T·R·S`.
    #[inline(always)]
    pub fn from_transform(t: Transform) -> Self {
        let (q, s) = (t.rotation, t.scale);
        Self::from_columns(q * (Vec3::X * s.x), q * (Vec3::Y * s.y), q * (Vec3::Z * s.z), t.translation)
    }

    /// Image of a point; the last row is taken as 0 0 0 1.
    #[inline(always)]
    pub fn transform_point(&self, p: Vec3) -> Vec3 {
        self.transform_vector(p) + self.column(3)
    }

    /// Image of a direction or a difference of points.
    #[inline(always)]
    pub fn transform_vector(&self, v: Vec3) -> Vec3 {
        self.column(0) * v.x + self.column(1) * v.y + self.column(2) * v.z
    }

    /// Determinant of the linear part; negative for a mirror.
    #[inline(always)]
    pub fn determinant(&self) -> f32 {
        self.column(0).cross(self.column(1)).dot(self.column(2))
    }

    /// Inverse of an affine matrix; `None` where it has none (a scale of 0) or is not finite.
    #[inline]
    pub fn inverse(&self) -> Option<Self> {
        let [x, y, z, t] = [0, 1, 2, 3].map(|i| self.column(i));
        let det = self.determinant();
        // The rows of the inverse.
        let (a, b, c) = (y.cross(z) / det, z.cross(x) / det, x.cross(y) / det);
        let inv = Self::from_columns(
            Vec3::new(a.x, b.x, c.x),
            Vec3::new(a.y, b.y, c.y),
            Vec3::new(a.z, b.z, c.z),
            Vec3::new(-a.dot(t), -b.dot(t), -c.dot(t)),
        );
        (det != 0.0 && inv.is_finite()).then_some(inv)
    }

    /// Translation, rotation and scale. Of a `T·R·S` matrix, mirrored and zero scales too, they
    /// compose to the same matrix; shear is dropped. A mirror becomes a negative scale of x. The
    /// rotation is always a unit quaternion; the rest is finite if the matrix is (and below about
    /// 1e19).
    #[inline]
    pub fn to_transform(&self) -> Transform {
        let [x, y, z, translation] = [0, 1, 2, 3].map(|i| self.column(i));
        let mut scale = Vec3::new(x.length(), y.length(), z.length());
        if self.determinant() < 0.0 {
            scale.x = -scale.x;
        }
        let [nx, ny, nz] = [x, y, z].map(|v| v.normalize_or(Vec3::ZERO));
        let nx = if scale.x < 0.0 { -nx } else { nx };
        // A column that is zero, or along one before it, is replaced by one square to the others.
        let fx = if nx != Vec3::ZERO { nx } else { ny.cross(nz).normalize_or(square_to(ny, nz)) };
        let fy = (ny - fx * fx.dot(ny)).normalize_or(nz.cross(fx).normalize_or(any_perpendicular(fx)));
        let fy = (fy - fx * fx.dot(fy)).normalize_or(any_perpendicular(fx));
        let fz = fx.cross(fy);
        // With a zero scale the determinant does not tell a mirror: the z column does.
        if fz.dot(nz) < 0.0 {
            scale.z = -scale.z;
        }
        Transform::new(translation, Quat::from_basis(fx, fy, fz), scale)
    }

    /// True if no entry is NaN or infinite.
    #[inline]
    pub fn is_finite(&self) -> bool {
        self.0.iter().all(|v| v.is_finite())
    }
}

/// A unit vector square to whichever of the two is not zero; +X where both are.
#[inline(always)]
fn square_to(a: Vec3, b: Vec3) -> Vec3 {
    let v = if a != Vec3::ZERO { a } else { b };
    if v != Vec3::ZERO { any_perpendicular(v) } else { Vec3::X }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;

    fn close(a: &Mat4, b: &Mat4, tolerance: f32) -> bool {
        a.0.iter().zip(b.0).all(|(a, b)| (a - b).abs() <= tolerance)
    }

    #[test]
    fn matrices_decompose_mirrored_and_flat_ones_too() {
        let q = Quat::from_axis_angle(Vec3::new(1.0, 2.0, 3.0), 40f32.to_radians());
        let mut random = Random::new(9, 0);
        for sx in [-2.0f32, -1.0, 0.0, 0.5, 1.0] {
            for sy in [-3.0f32, -1.0, 0.0, 1.0] {
                for sz in [-0.5f32, -1.0, 0.0, 1.0] {
                    for r in [q, Quat::IDENTITY, Quat::from_axis_angle(random.unit_vec3(), 3.0)] {
                        let m = Mat4::from_transform(Transform::new(Vec3::ONE, r, Vec3::new(sx, sy, sz)));
                        let t = m.to_transform();
                        assert!(t.is_finite() && (t.rotation.length() - 1.0).abs() < 1e-6);
                        assert!(close(&Mat4::from_transform(t), &m, 1e-5), "{sx} {sy} {sz} {t:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn sheared_and_degenerate_matrices_stay_finite() {
        for (x, y, z) in [
            (Vec3::X, Vec3::X, Vec3::X),
            (Vec3::ZERO, Vec3::X, Vec3::X),
            (Vec3::Y, Vec3::Y, Vec3::Z),
            (Vec3::X, Vec3::ONE, Vec3::Z),
            (Vec3::X * 1e-20, Vec3::Y, Vec3::Z),
        ] {
            let t = Mat4::from_columns(x, y, z, Vec3::ZERO).to_transform();
            assert!(t.is_finite() && (t.rotation.length() - 1.0).abs() < 1e-6, "{t:?}");
        }
    }

    #[test]
    fn inverse_and_product_agree_with_points() {
        let a =
            Transform::new(Vec3::new(1.0, 2.0, 3.0), Quat::from_rotation_x(0.7), Vec3::new(2.0, 0.5, -1.0));
        let m = Mat4::from_transform(a);
        let p = Vec3::new(0.3, -0.2, 0.9);
        assert!((m.transform_point(p) - a.transform_point(p)).length() < 1e-6);
        let inv = m.inverse().expect("invertible");
        assert!(close(&(inv * m), &Mat4::IDENTITY, 1e-6));
        assert!((inv.transform_point(m.transform_point(p)) - p).length() < 1e-6);
        assert!((a.inverse_transform_point(a.transform_point(p)) - p).length() < 1e-6);
        assert!((a * a.inverse()).approx_eq(Transform::IDENTITY, 1e-6));
        assert_eq!(Mat4([0.0; 16]).inverse(), None);
        let b = Mat4::from_transform(Transform::from_rotation(Quat::from_rotation_z(1.0)));
        assert!(((m * b).transform_point(p) - m.transform_point(b.transform_point(p))).length() < 1e-6);
    }
}
