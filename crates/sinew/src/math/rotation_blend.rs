//! Rotations between rotations.

use super::{Quat, atan2, clamp, sin};

impl Quat {
    /// Straight line between the components, by the shorter way, normalized. `t` is not clamped.
    /// Its speed is not constant, but it is cheap and its path is slerp's.
    #[inline(always)]
    pub fn nlerp(self, to: Self, t: f32) -> Self {
        let to = to.toward(self);
        (self * (1.0 - t) + to * t).normalize()
    }

    /// Turn at constant speed by the shortest arc (Shoemake 1985) from `self` at `t = 0` to `to`
    /// at `t = 1` (or `-to`, the same rotation). Both unit; `t` is not clamped. The result is a
    /// unit quaternion for equal, nearly equal and opposite ones too.
    #[inline(always)]
    pub fn slerp(self, to: Self, t: f32) -> Self {
        let to = to.toward(self);
        let angle = 2.0 * atan2((to - self).length(), (to + self).length());
        let near = angle < 1e-3;
        let s = if near { 1.0 } else { sin(angle) };
        let a = if near { 1.0 - t } else { sin((1.0 - t) * angle) / s };
        let b = if near { t } else { sin(t * angle) / s };
        (self * a + to * b).normalize()
    }

    /// `self` turned toward `to` by the shortest arc, by no more than `max_angle` radians; `to`
    /// itself once it is within reach. A negative angle counts as 0.
    #[inline(always)]
    pub fn rotate_towards(self, to: Self, max_angle: f32) -> Self {
        let angle = Self::angle_between(self, to);
        let t = if angle > 0.0 { clamp(max_angle / angle, 0.0, 1.0) } else { 1.0 };
        if max_angle >= angle { to } else { self.slerp(to, t) }
    }

    /// Weighted average of rotations; see [`RotationAverage`].
    pub fn average(rotations: &[(Self, f32)]) -> Self {
        let mut sum = RotationAverage::default();
        for &(q, w) in rotations {
            sum.add(q, w);
        }
        sum.finish()
    }
}

/// Gathers rotations for their weighted average: the rotation with the greatest weighted sum of
/// squared dot products (Markley, Cheng, Crassidis and Oshman 2007). It does not depend on the
/// signs or the order of the quaternions beyond rounding, and changes smoothly with them as long
/// as one rotation is the nearest to all.
#[derive(Clone, Copy, Debug, Default)]
pub struct RotationAverage {
    /// `Σ w q qᵀ`, the upper triangle by rows.
    sum: [f32; 10],
}

impl RotationAverage {
    /// Adds a unit quaternion. Weights that are not above 0 count as 0.
    #[inline(always)]
    pub fn add(&mut self, q: Quat, weight: f32) {
        let w = if weight > 0.0 && weight < f32::INFINITY { weight } else { 0.0 };
        let o = [
            q.x * q.x,
            q.x * q.y,
            q.x * q.z,
            q.x * q.w,
            q.y * q.y,
            q.y * q.z,
            q.y * q.w,
            q.z * q.z,
            q.z * q.w,
            q.w * q.w,
        ];
        for (s, o) in self.sum.iter_mut().zip(o) {
            *s += w * o;
        }
    }

    /// The average, a unit quaternion with its largest component positive; identity where nothing
    /// was added.
    #[inline]
    pub fn finish(self) -> Quat {
        let mut m = self.sum;
        // Squaring brings out the greatest eigenvalue: after ten times its power is 1024.
        for _ in 0..10 {
            let trace = m[0] + m[4] + m[7] + m[9];
            if !(trace > 1e-30 && trace < f32::INFINITY) {
                return Quat::IDENTITY;
            }
            for v in &mut m {
                *v /= trace;
            }
            let [xx, xy, xz, xw, yy, yz, yw, zz, zw, ww] = m;
            m = [
                xx * xx + xy * xy + xz * xz + xw * xw,
                xx * xy + xy * yy + xz * yz + xw * yw,
                xx * xz + xy * yz + xz * zz + xw * zw,
                xx * xw + xy * yw + xz * zw + xw * ww,
                xy * xy + yy * yy + yz * yz + yw * yw,
                xy * xz + yy * yz + yz * zz + yw * zw,
                xy * xw + yy * yw + yz * zw + yw * ww,
                xz * xz + yz * yz + zz * zz + zw * zw,
                xz * xw + yz * yw + zz * zw + zw * ww,
                xw * xw + yw * yw + zw * zw + ww * ww,
            ];
        }
        let [xx, xy, xz, xw, yy, yz, yw, zz, zw, ww] = m;
        let by_x = Quat::new(xx, xy, xz, xw);
        let by_y = Quat::new(xy, yy, yz, yw);
        let by_z = Quat::new(xz, yz, zz, zw);
        let by_w = Quat::new(xw, yw, zw, ww);
        // Every column is the eigenvector; the one with the largest diagonal has most digits.
        let (d, q) = if xx > yy { (xx, by_x) } else { (yy, by_y) };
        let (d, q) = if zz > d { (zz, by_z) } else { (d, q) };
        let q = if ww >= d { by_w } else { q };
        q.normalize()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Random, Vec3};

    fn any(random: &mut Random) -> Quat {
        Quat::from_axis_angle(random.unit_vec3(), random.range(-3.0, 3.0))
    }

    #[test]
    fn slerp_of_equal_and_nearly_equal_rotations_is_unit_and_near() {
        let mut random = Random::new(5, 0);
        for i in 0..200_000 {
            let q = any(&mut random);
            let t = random.unit();
            assert!((q.slerp(q, t) - q).length() <= 1e-6);
            assert!((q.slerp(-q, t) - q).length() <= 1e-6);
            let ulp = Quat::new(f32::from_bits(q.x.to_bits() + 1), q.y, q.z, q.w);
            let angle = [0.0, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2][i % 8];
            let turned = Quat::exp(random.unit_vec3() * angle) * q;
            for to in [ulp, turned, -turned] {
                let s = q.slerp(to, t);
                assert!((s.length() - 1.0).abs() < 1e-6);
                assert!((Quat::angle_between(q, s) - t * Quat::angle_between(q, to)).abs() <= 1e-6);
            }
        }
    }

    #[test]
    fn slerp_turns_evenly_and_by_the_shortest_arc() {
        let mut random = Random::new(6, 0);
        for _ in 0..5000 {
            let (a, b) = (any(&mut random), any(&mut random));
            let angle = Quat::angle_between(a, b);
            for t in [0.0f32, 0.25, 0.5, 1.0] {
                let s = a.slerp(b, t);
                assert!((Quat::angle_between(a, s) - t * angle).abs() < 5e-6);
                assert!((Quat::angle_between(s, b) - (1.0 - t) * angle).abs() < 5e-6);
            }
            assert!((a.nlerp(b, 0.5) - a.slerp(b, 0.5)).length() < 2e-6);
            assert!(a.slerp(b, f32::NAN).is_finite());
        }
    }

    #[test]
    fn rotating_towards_stops_at_the_target() {
        let a = Quat::from_rotation_y(0.2);
        let b = Quat::from_rotation_y(1.2);
        let s = a.rotate_towards(b, 0.4);
        assert!((s - Quat::from_rotation_y(0.6)).length() < 1e-6);
        assert_eq!(a.rotate_towards(b, 2.0), b);
        assert!((a.rotate_towards(b, -1.0) - a).length() < 1e-6);
        assert_eq!(a.rotate_towards(a, 0.0), a);
        assert!(a.rotate_towards(b, f32::NAN).is_finite());
    }

    #[test]
    fn averages_ignore_signs_and_order_and_keep_equal_rotations() {
        let mut random = Random::new(7, 0);
        for _ in 0..2000 {
            let q = any(&mut random);
            let same = Quat::average(&[(q, 0.2), (-q, 0.7), (q, 1.3)]);
            assert!((same.toward(q) - q).length() <= 5e-7, "{q:?} {same:?}");
            let r = Quat::exp(random.unit_vec3() * 0.8) * q;
            let s = Quat::exp(random.unit_vec3() * 0.5) * q;
            let a = Quat::average(&[(q, 0.5), (r, 0.3), (s, 0.2)]);
            let b = Quat::average(&[(-s, 0.2), (q, 0.5), (-r, 0.3)]);
            assert!((b.toward(a) - a).length() < 2e-6);
            let half = Quat::average(&[(q, 1.0), (-r, 1.0)]);
            assert!((half.toward(q) - q.slerp(r, 0.5)).length() < 2e-6);
            let moved = Quat::average(&[(q, 0.5), (r, 0.301), (s, 0.2)]);
            assert!((moved.toward(a) - a).length() < 1e-3);
        }
        assert_eq!(Quat::average(&[]), Quat::IDENTITY);
        assert_eq!(Quat::average(&[(Quat::from_rotation_x(1.0), 0.0)]), Quat::IDENTITY);
        let opposite = Quat::average(&[
            (Quat::IDENTITY, 1.0),
            (Quat::from_axis_angle(Vec3::Y, core::f32::consts::PI), 1.0),
        ]);
        assert!((opposite.length() - 1.0).abs() < 1e-6);
    }
}
