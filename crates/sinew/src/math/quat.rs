//! Unit quaternions as rotations.

use core::ops::{Add, Mul, Neg, Sub};

use super::Vec3;

/// A rotation as a unit quaternion, x y z w. `q` and `-q` are the same rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Quat {
    /// Axis x times the sine of half the angle.
    pub x: f32,
    /// Axis y times the sine of half the angle.
    pub y: f32,
    /// Axis z times the sine of half the angle.
    pub z: f32,
    /// Cosine of half the angle.
    pub w: f32,
}

impl Default for Quat {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// Hamilton product: `a * b` turns by `b` first, then by `a`.
impl Mul for Quat {
    type Output = Self;
    #[inline(always)]
    fn mul(self, b: Self) -> Self {
        let a = self;
        Self {
            x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
            w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
        }
    }
}

/// Turns a vector.
impl Mul<Vec3> for Quat {
    type Output = Vec3;
    #[inline(always)]
    fn mul(self, v: Vec3) -> Vec3 {
        let u = Vec3::new(self.x, self.y, self.z);
        let t = u.cross(v) * 2.0;
        v + t * self.w + u.cross(t)
    }
}

/// The other of the two quaternions of the same rotation.
impl Neg for Quat {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y, -self.z, -self.w)
    }
}

/// Component by component; not a rotation.
impl Add for Quat {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self::new(self.x + o.x, self.y + o.y, self.z + o.z, self.w + o.w)
    }
}

/// Component by component; not a rotation.
impl Sub for Quat {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self::new(self.x - o.x, self.y - o.y, self.z - o.z, self.w - o.w)
    }
}

/// Every component times a number; not a rotation.
impl Mul<f32> for Quat {
    type Output = Self;
    #[inline(always)]
    fn mul(self, s: f32) -> Self {
        Self::new(self.x * s, self.y * s, self.z * s, self.w * s)
    }
}

impl Quat {
    /// No rotation.
    pub const IDENTITY: Self = Self::new(0.0, 0.0, 0.0, 1.0);

    /// From components, not normalized.
    #[inline(always)]
    pub const fn new(x: f32, y: f32, z: f32, w: f32) -> Self {
        Self { x, y, z, w }
    }

    /// Four-component scalar product: the cosine of half the angle between two rotations.
    #[inline(always)]
    pub fn dot(self, o: Self) -> f32 {
        self.x * o.x + self.y * o.y + self.z * o.z + self.w * o.w
    }

    /// Length; 1 for a rotation.
    #[inline(always)]
    pub fn length(self) -> f32 {
        self.dot(self).sqrt()
    }

    /// Inverse of a unit quaternion.
    #[inline(always)]
    pub fn conjugate(self) -> Self {
        Self::new(-self.x, -self.y, -self.z, self.w)
    }

    /// Unit quaternion of the same direction; identity where the length is 0 or not finite.
    #[inline(always)]
    pub fn normalize(self) -> Self {
        let l = self.dot(self).sqrt();
        if l > 1e-12 && l < f32::INFINITY {
            Self::new(self.x / l, self.y / l, self.z / l, self.w / l)
        } else {
            Self::IDENTITY
        }
    }

    /// True if no component is NaN or infinite.
    #[inline(always)]
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite() && self.z.is_finite() && self.w.is_finite()
    }
}
