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
