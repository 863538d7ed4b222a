//! Rotations. Inputs should be unit quaternions, as all results are.

use sinew_macros::unit;

use crate::math::{Axis, Euler, EulerOrder, Quat, Vec3};
use crate::vm::UnitDef;

/// The units of this file.
pub fn all() -> Vec<UnitDef> {
    crate::units![
        make_quat,
        multiply_quat,
        inverse_quat,
        normalize_quat,
        dot_quat,
        slerp,
        nlerp,
        from_axis_angle,
        to_axis_angle,
        from_euler,
        to_euler,
        from_to,
        look_rotation,
        swing_twist,
        angle_quat,
        rotation_vector,
        from_rotation_vector,
        rotate_towards,
        scale_rotation,
        mirror_quat,
        axis_of,
    ]
}

/// A rotation from four components, normalized; no rotation where they are all 0 or not finite.
#[unit("Quat.Make")]
pub fn make_quat(x: f32, y: f32, z: f32, #[pin(default = 1.0)] w: f32) -> Quat {
    Quat::new(x, y, z, w).normalize()
}

/// Both turns: by `b` first, then by `a`.
#[unit("Quat.Multiply")]
pub fn multiply_quat(a: Quat, b: Quat) -> Quat {
    a * b
}

/// The turn back; no rotation for a quaternion of zero.
#[unit("Quat.Inverse")]
pub fn inverse_quat(value: Quat) -> Quat {
    value.inverse()
}

/// Unit quaternion of the same rotation; no rotation where the length is 0 or not finite.
#[unit("Quat.Normalize")]
pub fn normalize_quat(value: Quat) -> Quat {
    value.normalize()
}

/// Four-component scalar product: the cosine of half the angle between two rotations.
#[unit("Quat.Dot")]
pub fn dot_quat(a: Quat, b: Quat) -> f32 {
    a.dot(b)
}

/// Turn at constant speed by the shortest arc from `a` at `t` = 0 to `b` at `t` = 1.
#[unit("Quat.Slerp")]
pub fn slerp(a: Quat, b: Quat, #[pin(min = 0.0, max = 1.0)] t: f32) -> Quat {
    a.slerp(b, t)
}

/// As `Quat.Slerp` along the same path, cheaper, at a speed that is not quite constant.
#[unit("Quat.Nlerp")]
pub fn nlerp(a: Quat, b: Quat, #[pin(min = 0.0, max = 1.0)] t: f32) -> Quat {
    a.nlerp(b, t)
}

/// A turn about an axis, which need not be a unit vector; no rotation where it is zero.
#[unit("Quat.FromAxisAngle")]
pub fn from_axis_angle(
    #[pin(default = Vec3::Y)] axis: Vec3,
    /// Radians.
    angle: f32,
) -> Quat {
    Quat::from_axis_angle(axis, angle)
}

/// Unit axis and angle of a rotation, the angle in `[0, π]` radians; +X and 0 for no rotation.
#[unit("Quat.ToAxisAngle", outputs(axis, angle))]
pub fn to_axis_angle(value: Quat) -> (Vec3, f32) {
    value.to_axis_angle()
}

/// The rotation of three angles in their order.
#[unit("Quat.FromEuler")]
pub fn from_euler(value: Euler) -> Quat {
    value.to_quat()
}

/// Three angles of a rotation: the first and third in `[-π, π]`, the second in `[-π/2, π/2]`
/// radians. At gimbal lock the third is 0.
#[unit("Quat.ToEuler")]
pub fn to_euler(
    value: Quat,
    /// Which axis turns first, second and third.
    order: EulerOrder,
) -> Euler {
    Euler::from_quat(value, order)
}

/// The shortest turn that takes one direction to another. No rotation where either is zero; for
/// opposite directions half a turn about an axis as near to +Y as can be.
#[unit("Quat.FromTo")]
pub fn from_to(#[pin(default = Vec3::Z)] from: Vec3, #[pin(default = Vec3::Z)] to: Vec3) -> Quat {
    Quat::from_to(from, to)
}

/// The turn that takes +Z to `forward` and +Y as near to `up` as can be.
#[unit("Quat.LookRotation")]
pub fn look_rotation(#[pin(default = Vec3::Z)] forward: Vec3, #[pin(default = Vec3::Y)] up: Vec3) -> Quat {
    Quat::look_rotation(forward, up)
}

/// Takes a rotation apart as `swing * twist`: the twist is about `axis` by `twist_angle` in
/// `[-π, π]` radians, the swing about an axis square to it.
#[unit("Quat.SwingTwist", outputs(swing, twist, twist_angle))]
pub fn swing_twist(value: Quat, #[pin(default = Vec3::Y)] axis: Vec3) -> (Quat, Quat, f32) {
    value.swing_twist(axis)
}

/// Angle of the turn from one rotation to another by the shortest arc, in `[0, π]` radians.
#[unit("Quat.Angle")]
pub fn angle_quat(a: Quat, b: Quat) -> f32 {
    Quat::angle_between(a, b)
}

/// The rotation vector (axis times angle, radians) by the shortest arc: the logarithm.
#[unit("Quat.RotationVector")]
pub fn rotation_vector(value: Quat) -> Vec3 {
    value.log()
}

/// The rotation of a rotation vector (axis times angle, radians): the exponential.
#[unit("Quat.FromRotationVector")]
pub fn from_rotation_vector(value: Vec3) -> Quat {
    Quat::exp(value)
}

/// A rotation turned toward another by the shortest arc, by `max_angle` at most.
#[unit("Quat.RotateTowards")]
pub fn rotate_towards(
    value: Quat,
    target: Quat,
    /// Radians.
    #[pin(min = 0.0)]
    max_angle: f32,
) -> Quat {
    value.rotate_towards(target, max_angle)
}

/// A part of a rotation by the shortest arc, or a multiple of it: no rotation at 0, itself at 1.
#[unit("Quat.Scale")]
pub fn scale_rotation(value: Quat, #[pin(default = 1.0)] factor: f32) -> Quat {
    Quat::exp(value.log() * factor)
}

/// A rotation seen in a mirror: the plane through the origin that `normal` stands on.
#[unit("Quat.Mirror")]
pub fn mirror_quat(value: Quat, normal: Axis) -> Quat {
    value.mirror(normal)
}

/// Where a rotation takes an axis: a unit vector.
#[unit("Quat.Axis")]
pub fn axis_of(
    value: Quat,
    /// The axis before the turn.
    #[pin(default = Axis::Z)]
    axis: Axis,
) -> Vec3 {
    value * axis.vector()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{numbers, shared_json};
    use crate::units::trigonometry::radians;
    use crate::units::vector::mirror_vec3;

    fn near(a: Quat, b: Quat) -> bool {
        let b = if a.dot(b) < 0.0 { -b } else { b };
        (a - b).length() < 2e-6
    }

    fn samples() -> Vec<Quat> {
        let f = |i: u32, k: u32| ((i * 37 + k * 101 + i * i * 13) % 200) as f32 / 100.0 - 1.0;
        (0..60).map(|i| Quat::new(f(i, 1), f(i, 2), f(i, 3), f(i, 5)).normalize()).collect()
    }

    #[test]
    fn products_turn_by_the_second_first() {
        let x = from_axis_angle(Vec3::X, radians(90.0));
        let y = from_axis_angle(Vec3::Y, radians(90.0));
        assert!((multiply_quat(y, x) * Vec3::Y).distance(y * (x * Vec3::Y)) < 1e-6);
        assert!((multiply_quat(y, x) * Vec3::Y).distance(Vec3::X) < 1e-6);
        for q in samples() {
            assert!(near(multiply_quat(q, inverse_quat(q)), Quat::IDENTITY));
        }
    }

    #[test]
    fn ways_there_and_back() {
        for q in samples() {
            let (axis, angle) = to_axis_angle(q);
            assert!(near(from_axis_angle(axis * 3.0, angle), q));
            assert!(near(from_rotation_vector(rotation_vector(q)), q));
            for order in EulerOrder::ALL {
                assert!(near(from_euler(to_euler(q, order)), q));
            }
            let (swing, twist, angle) = swing_twist(q, Vec3::Y * 2.0);
            assert!(near(multiply_quat(swing, twist), q));
            assert!(near(from_axis_angle(Vec3::Y, angle), twist));
            assert!(near(mirror_quat(mirror_quat(q, Axis::X), Axis::X), q));
            assert!(near(scale_rotation(scale_rotation(q, 0.5), 2.0), q));
        }
    }

    #[test]
    fn interpolation_is_by_the_shortest_arc_for_either_sign() {
        let a = from_axis_angle(Vec3::Y, radians(170.0));
        let b = from_axis_angle(Vec3::Y, radians(190.0));
        for b in [b, -b] {
            for t in [0.0, 0.25, 0.5, 0.75, 1.0] {
                let right = from_axis_angle(Vec3::Y, radians(170.0 + 20.0 * t));
                assert!(near(slerp(a, b, t), right), "{t}");
                assert!(angle_quat(nlerp(a, b, t), right) < 1e-3);
            }
            assert!((angle_quat(a, b) - radians(20.0)).abs() < 1e-5);
        }
    }

    #[test]
    fn a_limited_turn_arrives_and_stays() {
        let to = from_axis_angle(Vec3::X, 1.0);
        let part = rotate_towards(Quat::IDENTITY, to, 0.25);
        assert!((angle_quat(Quat::IDENTITY, part) - 0.25).abs() < 1e-6);
        assert!(near(rotate_towards(part, to, 2.0), to));
        assert!(near(rotate_towards(part, to, -1.0), part));
    }

    #[test]
    fn directions_are_met() {
        let dirs = [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::Z, -Vec3::Y, Vec3::new(1.0, 2.0, -3.0)];
        for from in dirs {
            for to in dirs {
                let seen = from_to(from * 2.0, to) * from.normalize_or(Vec3::ZERO);
                assert!(seen.distance(to.normalize_or(Vec3::ZERO)) < 1e-6, "{from:?} {to:?}");
            }
            let look = look_rotation(from, Vec3::Y);
            assert!(axis_of(look, Axis::Z).distance(from.normalize_or(Vec3::ZERO)) < 1e-6);
            assert!(axis_of(look, Axis::X).y.abs() < 1e-6);
        }
        assert_eq!(from_to(Vec3::ZERO, Vec3::X), Quat::IDENTITY);
    }

    #[test]
    fn a_mirrored_turn_turns_mirrored_vectors() {
        for q in samples() {
            for normal in [Axis::X, Axis::Y, Axis::Z] {
                let v = Vec3::new(0.3, -1.2, 0.7);
                let right = mirror_vec3(q * v, normal);
                assert!((mirror_quat(q, normal) * mirror_vec3(v, normal)).distance(right) < 1e-5);
            }
        }
    }

    #[test]
    fn degenerate_input_gives_no_rotation() {
        for bad in [Quat::new(0.0, 0.0, 0.0, 0.0), Quat::new(f32::NAN, 0.0, 0.0, 1.0)] {
            assert_eq!(normalize_quat(bad), Quat::IDENTITY);
        }
        assert_eq!(make_quat(0.0, 0.0, 0.0, 0.0), Quat::IDENTITY);
        assert!(dot_quat(make_quat(0.0, 2.0, 0.0, 0.0), Quat::IDENTITY).abs() < 1e-6);
        assert_eq!(from_axis_angle(Vec3::ZERO, 1.0), Quat::IDENTITY);
        assert_eq!(to_axis_angle(Quat::IDENTITY), (Vec3::X, 0.0));
    }

    #[test]
    fn swing_and_twist_agree_with_reference_vectors() {
        let Some(data) = shared_json("vectors/swing_twist.json") else { return };
        let cases = data["cases"].as_array().cloned().unwrap_or_default();
        assert!(!cases.is_empty());
        let quat = |v: &serde_json::Value| match numbers(v).as_slice() {
            &[x, y, z, w] => Quat::new(x as f32, y as f32, z as f32, w as f32),
            _ => panic!("four numbers"),
        };
        for case in &cases {
            let axis = numbers(&case["axis"]);
            let axis = Vec3::new(axis[0] as f32, axis[1] as f32, axis[2] as f32);
            let (swing, twist, angle) = swing_twist(quat(&case["q"]), axis);
            assert!(near(swing, quat(&case["swing"])), "{case}");
            assert!(near(twist, quat(&case["twist"])), "{case}");
            let right = case["twist_angle"].as_f64().unwrap_or(f64::NAN);
            assert!((f64::from(angle) - right).abs() < 2e-5, "{case}");
        }
    }
}
