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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;
    use crate::testing::{numbers, shared_json};

    fn quat(v: &serde_json::Value) -> Quat {
        let n = numbers(v);
        Quat::new(n[0] as f32, n[1] as f32, n[2] as f32, n[3] as f32).normalize()
    }

    fn vec3(v: &serde_json::Value) -> Vec3 {
        let n = numbers(v);
        Vec3::new(n[0] as f32, n[1] as f32, n[2] as f32)
    }

    fn same_rotation(a: Quat, b: Quat, tolerance: f32) -> bool {
        (b.toward(a) - a).length() <= tolerance
    }

    fn directions() -> Vec<Vec3> {
        let mut v = vec![Vec3::X, Vec3::Y, Vec3::Z, Vec3::ONE, Vec3::new(0.1, 0.995, 0.0)];
        v.extend(v.clone().iter().map(|&d| -d));
        let mut random = Random::new(1, 0);
        v.extend((0..200).map(|_| random.unit_vec3()));
        v
    }

    #[test]
    fn reference_quaternions_agree() {
        let Some(file) = shared_json("vectors/quaternion.json") else { return };
        for c in file["cases"].as_array().expect("cases") {
            let (a, b) = (quat(&c["a"]), quat(&c["b"]));
            let t = c["t"].as_f64().expect("t") as f32;
            assert!(same_rotation(a.slerp(b, t), quat(&c["slerp"]), 1e-6), "{c}");
            assert!(same_rotation(a * b, quat(&c["mul_a_b"]), 1e-6), "{c}");
            let log = (b * a.inverse()).log();
            let want = vec3(&c["rotation_vector_b_times_inverse_a"]);
            // Half a turn is the same either way around.
            let off = (log - want).length();
            let off = if want.length() > 3.13 { off.min((log + want).length()) } else { off };
            assert!(off <= 2e-5, "{log:?} {want:?}");
            let angle = c["angle"].as_f64().expect("angle") as f32;
            assert!((Quat::angle_between(a, b) - angle).abs() <= 2e-6, "{c}");
        }
    }

    #[test]
    fn reference_swing_twist_agrees() {
        let Some(file) = shared_json("vectors/swing_twist.json") else { return };
        for c in file["cases"].as_array().expect("cases") {
            let (swing, twist, angle) = quat(&c["q"]).swing_twist(vec3(&c["axis"]));
            assert!(same_rotation(swing, quat(&c["swing"]), 1e-5), "{c}");
            assert!(same_rotation(twist, quat(&c["twist"]), 1e-5), "{c}");
            let want = c["twist_angle"].as_f64().expect("angle") as f32;
            assert!(crate::math::angle_difference(angle, want).abs() <= 2e-5, "{angle} {c}");
        }
    }

    #[test]
    fn reference_angular_velocities_agree() {
        let Some(file) = shared_json("vectors/angular_velocity.json") else { return };
        for c in file["cases"].as_array().expect("cases") {
            let dt = c["dt"].as_f64().expect("dt") as f32;
            let w = Quat::angular_velocity(quat(&c["q_previous"]), quat(&c["q_current"]), dt);
            let want = vec3(&c["angular_velocity_parent_space"]);
            // The quaternions' own rounding, over the step.
            assert!((w - want).length() <= 5e-7 / dt + 1e-5 * want.length(), "{w:?} {want:?}");
        }
    }

    #[test]
    fn shortest_arc_between_directions_even_opposite_ones() {
        let all = directions();
        let nudge = [Vec3::ZERO, Vec3::X * 1e-7, Vec3::Y * 1e-7, Vec3::Z * -1e-7, Vec3::new(1e-5, 2e-5, 0.0)];
        for &a in &all {
            for b in
                all.iter().copied().chain(nudge.iter().map(|&n| -a + n)).chain(nudge.iter().map(|&n| a + n))
            {
                let q = Quat::from_to(a, b);
                let (a, b) = (a.normalize_or(Vec3::X), b.normalize_or(Vec3::X));
                assert!((q.length() - 1.0).abs() < 1e-6);
                assert!((q * a - b).length() < 2e-6, "{a:?} {b:?} {:?}", q * a);
                // No longer than the angle between the directions.
                let angle = f64::from(a.cross(b).length()).atan2(f64::from(a.dot(b))) as f32;
                assert!(Quat::angle_between(Quat::IDENTITY, q) <= angle + 1e-5, "{a:?} {b:?}");
            }
            let half = Quat::from_to(a, -a);
            assert!(half.w.abs() < 1e-6);
        }
        assert_eq!(Quat::from_to(Vec3::ZERO, Vec3::X), Quat::IDENTITY);
        assert_eq!(Quat::from_to(Vec3::X, Vec3::splat(f32::NAN)), Quat::IDENTITY);
    }

    #[test]
    fn looking_along_up_is_finite_and_forward_is_exact() {
        for f in directions() {
            for u in directions().into_iter().take(10).chain([f, -f, f + Vec3::X * 1e-6, Vec3::ZERO]) {
                let q = Quat::look_rotation(f, u);
                let n = f.normalize_or(Vec3::Z);
                assert!((q.length() - 1.0).abs() < 1e-6);
                assert!((q * Vec3::Z - n).length() < 2e-6, "{f:?} {u:?}");
                if u.normalize_or(Vec3::ZERO).cross(n).length() > 1e-3 {
                    let x = u.cross(n).normalize_or(Vec3::ZERO);
                    assert!((q * Vec3::X - x).length() < 1e-3);
                }
            }
        }
        assert_eq!(Quat::look_rotation(Vec3::ZERO, Vec3::Y), Quat::IDENTITY);
        assert!(Quat::look_rotation(Vec3::splat(f32::NAN), Vec3::splat(f32::INFINITY)).is_finite());
    }

    #[test]
    fn rotation_vectors_round_trip_from_tiny_to_half_a_turn() {
        let mut random = Random::new(2, 0);
        for exponent in -30..1 {
            let v = random.unit_vec3() * 3.1 * 10f32.powi(exponent);
            let back = Quat::exp(v).log();
            assert!((back - v).length() <= 1e-5 * v.length(), "{v:?} {back:?}");
            let (axis, angle) = Quat::exp(v).to_axis_angle();
            if exponent > -10 {
                assert!((Quat::from_axis_angle(axis, angle).log() - v).length() <= 1e-5 * v.length());
            }
        }
        assert_eq!(Quat::exp(Vec3::splat(f32::NAN)), Quat::IDENTITY);
        assert!(Quat::exp(Vec3::splat(1e30)).is_finite());
        assert_eq!(Quat::IDENTITY.to_axis_angle(), (Vec3::X, 0.0));
    }

    #[test]
    fn swing_and_twist_compose_for_every_axis_and_for_half_turns() {
        let mut random = Random::new(3, 0);
        for _ in 0..2000 {
            let q = Quat::from_axis_angle(random.unit_vec3(), random.range(-6.0, 6.0));
            let axis = random.unit_vec3();
            let (swing, twist, angle) = q.swing_twist(axis);
            assert!(same_rotation(swing * twist, q, 2e-6));
            assert!(same_rotation(Quat::from_axis_angle(axis, angle), twist, 2e-6));
            assert!(swing.vector().dot(axis).abs() < 2e-6);
        }
        let (_, twist, angle) = Quat::new(1.0, 0.0, 0.0, 0.0).swing_twist(Vec3::Y);
        assert_eq!((twist, angle), (Quat::IDENTITY, 0.0));
    }

    #[test]
    fn mirrored_rotations_turn_mirrored_vectors() {
        let mut random = Random::new(4, 0);
        for axis in [Axis::X, Axis::Y, Axis::Z] {
            let q = Quat::from_axis_angle(random.unit_vec3(), 1.3);
            let v = random.unit_vec3();
            let f = axis.mirror_factors();
            assert!((q.mirror(axis) * (v * f) - (q * v) * f).length() < 1e-6);
        }
    }
}
