//! Rotations made from, and taken apart into, axes, angles and rotation vectors.

use core::f32::consts::PI;

use super::{Axis, Quat, Vec3, abs, atan2, min, sin_cos};

impl Quat {
    /// A turn by `angle` radians about `axis`, which need not be a unit vector; identity where it
    /// is zero.
    #[inline(always)]
    pub fn from_axis_angle(axis: Vec3, angle: f32) -> Self {
        let a = axis.normalize_or(Vec3::ZERO);
        let (s, c) = sin_cos(0.5 * angle);
        Self::new(a.x * s, a.y * s, a.z * s, c).normalize()
    }

    /// A turn by `angle` radians about +X.
    #[inline(always)]
    pub fn from_rotation_x(angle: f32) -> Self {
        let (s, c) = sin_cos(0.5 * angle);
        Self::new(s, 0.0, 0.0, c)
    }

    /// A turn by `angle` radians about +Y.
    #[inline(always)]
    pub fn from_rotation_y(angle: f32) -> Self {
        let (s, c) = sin_cos(0.5 * angle);
        Self::new(0.0, s, 0.0, c)
    }

    /// A turn by `angle` radians about +Z.
    #[inline(always)]
    pub fn from_rotation_z(angle: f32) -> Self {
        let (s, c) = sin_cos(0.5 * angle);
        Self::new(0.0, 0.0, s, c)
    }

    /// The vector part.
    #[inline(always)]
    pub fn vector(self) -> Vec3 {
        Vec3::new(self.x, self.y, self.z)
    }

    /// Inverse of a quaternion of any length; identity for zero.
    #[inline(always)]
    pub fn inverse(self) -> Self {
        let l = self.dot(self);
        if l > 0.0 && l < f32::INFINITY {
            let c = self.conjugate();
            Self::new(c.x / l, c.y / l, c.z / l, c.w / l)
        } else {
            Self::IDENTITY
        }
    }

    /// The one of `self` and `-self` on `o`'s side: with a dot product of 0 or more.
    #[inline(always)]
    pub fn toward(self, o: Self) -> Self {
        if self.dot(o) < 0.0 { -self } else { self }
    }

    /// Unit axis and angle in `[0, π]` radians of a unit quaternion; +X and 0 for the identity.
    #[inline(always)]
    pub fn to_axis_angle(self) -> (Vec3, f32) {
        let q = self.toward(Self::IDENTITY);
        let v = q.vector();
        let axis = v.normalize_or(Vec3::ZERO);
        if axis == Vec3::ZERO { (Vec3::X, 0.0) } else { (axis, 2.0 * atan2(v.length(), q.w)) }
    }

    /// The rotation of a rotation vector (axis times angle, radians). Identity where it is not
    /// finite.
    #[inline(always)]
    pub fn exp(rotation_vector: Vec3) -> Self {
        let v = rotation_vector;
        let angle = v.length();
        let (s, c) = sin_cos(0.5 * angle);
        // sin(a/2)/a by its series where the quotient would be of two tiny numbers.
        let k = if angle > 1e-3 { s / angle } else { 0.5 - angle * angle * (1.0 / 48.0) };
        Self::new(v.x * k, v.y * k, v.z * k, c).normalize()
    }

    /// The rotation vector (axis times angle, radians) of a unit quaternion by the shortest arc:
    /// of a length in `[0, π]`. Keeps its relative precision at tiny angles.
    #[inline(always)]
    pub fn log(self) -> Vec3 {
        let q = self.toward(Self::IDENTITY);
        let v = q.vector();
        let s = v.length();
        // Below this the square underflows; the half angle is its own sine there.
        let k = if s > 1e-18 { 2.0 * atan2(s, q.w) / s } else { 2.0 };
        v * k
    }

    /// Angle of the turn from `a` to `b` by the shortest arc, in `[0, π]` radians. Both unit.
    /// Precise at tiny angles, where an arc cosine is not.
    #[inline(always)]
    pub fn angle_between(a: Self, b: Self) -> f32 {
        let b = b.toward(a);
        min(4.0 * atan2((b - a).length(), (b + a).length()), PI)
    }

    /// Constant angular velocity that turns `from` into `to` in `dt` seconds by the shortest arc:
    /// radians per second in the space the quaternions map into. Zero where `dt` is not above 0.
    #[inline(always)]
    pub fn angular_velocity(from: Self, to: Self, dt: f32) -> Vec3 {
        let turn = (to * from.conjugate()).log();
        if dt > 0.0 { turn / dt } else { Vec3::ZERO }
    }

    /// The rotation seen in a mirror: the plane through the origin that `normal` stands on.
    #[inline(always)]
    pub fn mirror(self, normal: Axis) -> Self {
        // An axis is a pseudovector: its part along the normal stays, the rest turns around.
        let f = normal.mirror_factors();
        Self::new(-f.x * self.x, -f.y * self.y, -f.z * self.z, self.w)
    }

    /// The shortest turn that takes direction `from` to direction `to`; they need not be unit
    /// vectors. Identity where either is zero. For opposite directions half a turn, about an axis
    /// as near to +Y as can be (+Z for vertical ones).
    #[inline(always)]
    pub fn from_to(from: Vec3, to: Vec3) -> Self {
        let a = from.normalize_or(Vec3::ZERO);
        let b = to.normalize_or(Vec3::ZERO);
        let back = a.dot(b) < 0.0;
        // Beyond a right angle: the small turn to the opposite of `to`, then half a turn about an
        // axis square to it. So nothing is ever divided by a difference of nearly equal numbers.
        let near = if back { -b } else { b };
        let h = (a + near).normalize_or(a);
        let v = a.cross(h);
        let q = Self::new(v.x, v.y, v.z, a.dot(h));
        let c = a.cross(b);
        let n = if c.length_squared() > 1e-12 { c } else { any_perpendicular(b) };
        let n = (n - b * n.dot(b)).normalize_or(Vec3::Y);
        let n = (n - b * n.dot(b)).normalize_or(Vec3::Y);
        let flipped = Self::new(n.x, n.y, n.z, 0.0) * q;
        let q = if back { flipped } else { q };
        if a == Vec3::ZERO || b == Vec3::ZERO { Self::IDENTITY } else { q.normalize() }
    }

    /// The turn that takes +Z to `forward` exactly and +Y as near to `up` as can be; neither need
    /// be a unit vector. Where they are parallel, or `up` is zero, the shortest turn of +Z to
    /// `forward`; identity where `forward` is zero.
    #[inline(always)]
    pub fn look_rotation(forward: Vec3, up: Vec3) -> Self {
        let f = forward.normalize_or(Vec3::ZERO);
        let u = up.normalize_or(Vec3::ZERO);
        let c = u.cross(f);
        let x = c.normalize_or(Vec3::X);
        let x = (x - f * x.dot(f)).normalize_or(Vec3::X);
        let framed = Self::from_basis(x, f.cross(x), f);
        if c.length_squared() > 1e-10 { framed } else { Self::from_to(Vec3::Z, f) }
    }

    /// The rotation whose matrix has these columns: orthogonal unit vectors, right-handed.
    ///
    /// The largest component is found first, so that nothing is divided by a small number
    /// (Shepperd 1978, in Day's form with one square root).
    #[inline(always)]
    pub fn from_basis(x: Vec3, y: Vec3, z: Vec3) -> Self {
        let (t, q) = if z.z < 0.0 {
            if x.x > y.y {
                let t = 1.0 + x.x - y.y - z.z;
                (t, Self::new(t, x.y + y.x, z.x + x.z, y.z - z.y))
            } else {
                let t = 1.0 - x.x + y.y - z.z;
                (t, Self::new(x.y + y.x, t, y.z + z.y, z.x - x.z))
            }
        } else if x.x < -y.y {
            let t = 1.0 - x.x - y.y + z.z;
            (t, Self::new(z.x + x.z, y.z + z.y, t, x.y - y.x))
        } else {
            let t = 1.0 + x.x + y.y + z.z;
            (t, Self::new(y.z - z.y, z.x - x.z, x.y - y.x, t))
        };
        (q * (0.5 / t.sqrt())).normalize()
    }

    /// `(swing, twist, angle)` with `self = swing * twist`: the twist is about `axis` (which need
    /// not be a unit vector) by `angle` in `[-π, π]` radians, the swing about an axis square to it.
    /// Where the swing is half a turn the twist is undefined and taken as none.
    #[inline(always)]
    pub fn swing_twist(self, axis: Vec3) -> (Self, Self, f32) {
        let a = axis.normalize_or(Vec3::ZERO);
        let q = self.toward(Self::IDENTITY);
        let p = q.vector().dot(a);
        let l = (p * p + q.w * q.w).sqrt();
        let (s, c) = if l > 1e-6 { (p / l, q.w / l) } else { (0.0, 1.0) };
        let twist = Self::new(a.x * s, a.y * s, a.z * s, c);
        (q * twist.conjugate(), twist, 2.0 * atan2(s, c))
    }
}

/// A unit vector square to the unit vector `v`, toward +Y if possible, else toward +Z.
#[inline(always)]
pub(super) fn any_perpendicular(v: Vec3) -> Vec3 {
    let toward = if abs(v.y) < 0.99 { Vec3::Y } else { Vec3::Z };
    (toward - v * toward.dot(v)).normalize_or(Vec3::X)
}
