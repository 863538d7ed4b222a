//! Euler angles.

use core::f32::consts::FRAC_PI_2;

use super::{Axis, Quat, Vec3, atan2, wrap_angle};

/// The order of three turns, each about an axis carried along by the ones before: in `XYZ` first
/// about X, then about the new Y, then about the newest Z, so `q = qx * qy * qz`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EulerOrder {
    /// `qx * qy * qz`.
    #[default]
    XYZ,
    /// `qx * qz * qy`.
    XZY,
    /// `qy * qx * qz`.
    YXZ,
    /// `qy * qz * qx`.
    YZX,
    /// `qz * qx * qy`.
    ZXY,
    /// `qz * qy * qx`.
    ZYX,
}

crate::pin_enum!(EulerOrder { XYZ, XZY, YXZ, YZX, ZXY, ZYX });

impl EulerOrder {
    /// All six.
    pub const ALL: [Self; 6] = [Self::XYZ, Self::XZY, Self::YXZ, Self::YZX, Self::ZXY, Self::ZYX];

    /// The axes of the first, second and third turn.
    #[inline(always)]
    pub const fn axes(self) -> [Axis; 3] {
        match self {
            Self::XYZ => [Axis::X, Axis::Y, Axis::Z],
            Self::XZY => [Axis::X, Axis::Z, Axis::Y],
            Self::YXZ => [Axis::Y, Axis::X, Axis::Z],
            Self::YZX => [Axis::Y, Axis::Z, Axis::X],
            Self::ZXY => [Axis::Z, Axis::X, Axis::Y],
            Self::ZYX => [Axis::Z, Axis::Y, Axis::X],
        }
    }
}

/// Three angles in radians by the axis they turn about (not by their place in the order).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Euler {
    /// About X.
    pub x: f32,
    /// About Y.
    pub y: f32,
    /// About Z.
    pub z: f32,
    /// Which turn comes first.
    pub order: EulerOrder,
}

crate::plain_struct!(Euler { x: f32, y: f32, z: f32, order: EulerOrder });

impl Euler {
    /// From angles in radians.
    #[inline(always)]
    pub const fn new(x: f32, y: f32, z: f32, order: EulerOrder) -> Self {
        Self { x, y, z, order }
    }

    /// The rotation.
    #[inline(always)]
    pub fn to_quat(self) -> Quat {
        let turn = |axis: Axis| match axis {
            Axis::X => Quat::from_rotation_x(self.x),
            Axis::Y => Quat::from_rotation_y(self.y),
            Axis::Z => Quat::from_rotation_z(self.z),
        };
        let [a, b, c] = self.order.axes();
        (turn(a) * turn(b) * turn(c)).normalize()
    }

    /// Angles of a rotation: the first and third in `[-π, π]`, the second in `[-π/2, π/2]`.
    /// At gimbal lock (the second at ±π/2) the third is 0. Never NaN: the quaternion is normalized
    /// first, and arc tangents alone are taken.
    #[inline(always)]
    pub fn from_quat(q: Quat, order: EulerOrder) -> Self {
        let [i, j, k] = order.axes();
        let q = q.normalize();
        let v = q.vector();
        let (qi, qj, qk) = (v.dot(i.vector()), v.dot(j.vector()), v.dot(k.vector()));
        let parity = parity(i, j);
        // Turning a quarter about the second axis makes the third turn one about the first axis
        // again, and the order a proper Euler one.
        let (first, second, third) = proper(q.w - qj, qi - parity * qk, qj + q.w, parity * qk + qi);
        let angles =
            i.vector() * first + j.vector() * (second - FRAC_PI_2) + k.vector() * wrap_angle(-parity * third);
        Self { x: angles.x, y: angles.y, z: angles.z, order }
    }

    /// The angles as a vector, radians.
    #[inline(always)]
    pub fn angles(self) -> Vec3 {
        Vec3::new(self.x, self.y, self.z)
    }
}

/// A proper Euler rotation: by `angles[0]` about `outer`, `angles[1]` about the carried `middle`
/// and `angles[2]` about the carried `outer` again, radians. `outer` and `middle` must differ.
#[inline(always)]
pub fn proper_euler_to_quat(outer: Axis, middle: Axis, angles: [f32; 3]) -> Quat {
    let [a, b, c] = angles;
    let o = outer.vector();
    let q = Quat::from_axis_angle(o, a) * Quat::from_axis_angle(middle.vector(), b);
    (q * Quat::from_axis_angle(o, c)).normalize()
}

/// The angles of [`proper_euler_to_quat`]: the second in `[0, π]`, the others in `[-π, π]`. Where
/// the second is 0 or π, the third is 0.
#[inline(always)]
pub fn proper_euler_from_quat(outer: Axis, middle: Axis, q: Quat) -> [f32; 3] {
    let q = q.normalize();
    let (o, m) = (outer.vector(), middle.vector());
    let v = q.vector();
    let (first, second, third) = proper(q.w, v.dot(o), v.dot(m), v.dot(o.cross(m)));
    [first, second, third]
}

/// +1 where the third axis is the vector product of the first two, else -1.
#[inline(always)]
fn parity(i: Axis, j: Axis) -> f32 {
    let c = i.vector().cross(j.vector());
    c.x + c.y + c.z
}

/// Proper Euler angles of the quaternion `w + i·qi + j·qj + (i×j)·qij` of any length.
///
/// With half sum and half difference of the outer angles as the angles of `(w, qi)` and
/// `(qj, qij)` (Bernardes and Viollet, Quaternion to Euler angles conversion, 2022).
#[inline(always)]
fn proper(w: f32, qi: f32, qj: f32, qij: f32) -> (f32, f32, f32) {
    let (near, far) = (w * w + qi * qi, qj * qj + qij * qij);
    let sum = atan2(qi, w);
    let diff = atan2(qij, qj);
    // At the poles one of the two is noise; the third angle is set to 0 there.
    let sum_only = far < 1e-9 * near;
    let diff_only = near < 1e-9 * far;
    let second = 2.0 * atan2(far.sqrt(), near.sqrt());
    let (sum, diff) = (if diff_only { diff } else { sum }, if sum_only { sum } else { diff });
    (wrap_angle(sum + diff), second, wrap_angle(sum - diff))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Random;
    use crate::testing::{numbers, shared_json};

    const AXES: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];
    const TENTH_OF_A_DEGREE: f32 = 0.1 * core::f32::consts::PI / 180.0;

    fn right_angles_and_near() -> Vec<f32> {
        let mut v = vec![];
        for quarter in -2..=2 {
            for off in [0.0f32, 1e-7, -1e-7, 1e-5, -1e-5, 1e-4, 1e-3, -1e-3, 0.3] {
                v.push(quarter as f32 * FRAC_PI_2 + off);
            }
        }
        v
    }

    #[test]
    fn reference_orders_agree() {
        let Some(file) = shared_json("vectors/euler.json") else { return };
        for c in file["cases"].as_array().expect("cases") {
            let name = c["order"].as_str().expect("order");
            let order = EulerOrder::ALL.into_iter().find(|o| format!("{o:?}") == name).expect("known order");
            let degrees = numbers(&c["degrees_in_order"]);
            let mut angles = Vec3::ZERO;
            for (axis, d) in order.axes().into_iter().zip(degrees) {
                angles += axis.vector() * d.to_radians() as f32;
            }
            let q = Euler::new(angles.x, angles.y, angles.z, order).to_quat();
            let n = numbers(&c["q_intrinsic"]);
            let want = Quat::new(n[0] as f32, n[1] as f32, n[2] as f32, n[3] as f32);
            assert!((want.toward(q) - q).length() < 1e-6, "{c}");
        }
    }

    #[test]
    fn all_twelve_orders_round_trip_at_gimbal_lock_too() {
        let mut random = Random::new(8, 0);
        let near = right_angles_and_near();
        let mut rotations: Vec<Quat> =
            (0..500).map(|_| Quat::from_axis_angle(random.unit_vec3(), random.range(-3.2, 3.2))).collect();
        for order in EulerOrder::ALL {
            for (i, &x) in near.iter().enumerate() {
                for &y in &near {
                    rotations.push(Euler::new(x, y, near[(i * 7) % near.len()], order).to_quat());
                }
            }
        }
        for &q in &rotations {
            for order in EulerOrder::ALL {
                let e = Euler::from_quat(q, order);
                assert!(e.angles().is_finite());
                assert!(Quat::angle_between(e.to_quat(), q) < 0.1 * TENTH_OF_A_DEGREE, "{q:?} {e:?}");
            }
            for outer in AXES {
                for middle in AXES.into_iter().filter(|m| *m != outer) {
                    let a = proper_euler_from_quat(outer, middle, q);
                    let back = proper_euler_to_quat(outer, middle, a);
                    assert!(Quat::angle_between(back, q) < 0.1 * TENTH_OF_A_DEGREE, "{q:?} {a:?}");
                }
            }
        }
    }

    #[test]
    fn angles_come_back_away_from_gimbal_lock() {
        let e = Euler::from_quat(Euler::new(0.3, -0.7, 1.1, EulerOrder::ZXY).to_quat(), EulerOrder::ZXY);
        assert!((e.angles() - Vec3::new(0.3, -0.7, 1.1)).length() < 2e-6);
    }

    #[test]
    fn a_quarter_turn_of_any_length_is_never_nan() {
        let s = core::f32::consts::FRAC_1_SQRT_2;
        for length in [1.0f32, 1.0001, 0.9999, 1.000_000_1] {
            let y = Quat::new(0.0, s, 0.0, s);
            let exact = Quat::from_rotation_y(core::f32::consts::FRAC_PI_4)
                * Quat::from_rotation_y(core::f32::consts::FRAC_PI_4);
            for q in
                [y, exact, Quat::new(0.0, -s, 0.0, s), Quat::new(s, 0.0, 0.0, s), Quat::new(0.0, 0.0, s, s)]
            {
                for order in EulerOrder::ALL {
                    let e = Euler::from_quat(q * length, order);
                    assert!(e.angles().is_finite());
                    assert!(Quat::angle_between(e.to_quat(), q.normalize()) < TENTH_OF_A_DEGREE);
                }
            }
        }
        assert!(Euler::from_quat(Quat::new(0.0, 0.0, 0.0, 0.0), EulerOrder::XYZ).angles().is_finite());
        assert!(Euler::from_quat(Quat::new(f32::NAN, 0.0, 0.0, 0.0), EulerOrder::XYZ).angles().is_finite());
    }
}
