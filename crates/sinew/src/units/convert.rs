//! Conversions: from one type to another, one input pin `value` each. The compiler puts the ones
//! that lose nothing between links of different types.

use sinew_macros::unit;

use crate::math::{Color, Euler, EulerOrder, Quat, Transform, Vec2, Vec3};
use crate::vm::UnitDef;

/// The units of this file.
pub fn all() -> Vec<UnitDef> {
    crate::units![
        int_to_float,
        float_to_int,
        bool_to_int,
        bool_to_float,
        int_to_bool,
        float_to_bool,
        float_to_vec2,
        float_to_vec3,
        vec2_to_vec3,
        vec3_to_vec2,
        vec3_to_transform,
        quat_to_transform,
        transform_to_vec3,
        transform_to_quat,
        euler_to_quat,
        quat_to_euler,
        vec3_to_color,
        color_to_vec3,
    ]
}

/// A whole number as a float: exact up to 2^24, the nearest beyond.
#[unit("Convert.IntToFloat")]
pub fn int_to_float(value: i32) -> f32 {
    value as f32
}

/// The whole part of a float, toward zero; held at the ends of the range; 0 for NaN.
#[unit("Convert.FloatToInt")]
pub fn float_to_int(value: f32) -> i32 {
    value as i32
}

/// 1 for true, 0 for false.
#[unit("Convert.BoolToInt")]
pub fn bool_to_int(value: bool) -> i32 {
    i32::from(value)
}

/// 1 for true, 0 for false.
#[unit("Convert.BoolToFloat")]
pub fn bool_to_float(value: bool) -> f32 {
    f32::from(u8::from(value))
}

/// True for any number but 0.
#[unit("Convert.IntToBool")]
pub fn int_to_bool(value: i32) -> bool {
    value != 0
}

/// True for any number but 0; false for NaN.
#[unit("Convert.FloatToBool")]
pub fn float_to_bool(value: f32) -> bool {
    value != 0.0 && !value.is_nan()
}

/// The number in both components.
#[unit("Convert.FloatToVec2")]
pub fn float_to_vec2(value: f32) -> Vec2 {
    Vec2::splat(value)
}

/// The number in all three components.
#[unit("Convert.FloatToVec3")]
pub fn float_to_vec3(value: f32) -> Vec3 {
    Vec3::splat(value)
}

/// The same with a z of 0.
#[unit("Convert.Vec2ToVec3")]
pub fn vec2_to_vec3(value: Vec2) -> Vec3 {
    Vec3::new(value.x, value.y, 0.0)
}

/// The same without z.
#[unit("Convert.Vec3ToVec2")]
pub fn vec3_to_vec2(value: Vec3) -> Vec2 {
    Vec2::new(value.x, value.y)
}

/// A move: no rotation, scale 1.
#[unit("Convert.Vec3ToTransform")]
pub fn vec3_to_transform(value: Vec3) -> Transform {
    Transform::from_translation(value)
}

/// A turn: no translation, scale 1.
#[unit("Convert.QuatToTransform")]
pub fn quat_to_transform(value: Quat) -> Transform {
    Transform::from_rotation(value)
}

/// The translation.
#[unit("Convert.TransformToVec3")]
pub fn transform_to_vec3(value: Transform) -> Vec3 {
    value.translation
}

/// The rotation.
#[unit("Convert.TransformToQuat")]
pub fn transform_to_quat(value: Transform) -> Quat {
    value.rotation
}

/// The rotation of three angles in their order.
#[unit("Convert.EulerToQuat")]
pub fn euler_to_quat(value: Euler) -> Quat {
    value.to_quat()
}

/// Three angles of a rotation in the order XYZ; see `Quat.ToEuler` for other orders.
#[unit("Convert.QuatToEuler")]
pub fn quat_to_euler(value: Quat) -> Euler {
    Euler::from_quat(value, EulerOrder::XYZ)
}

/// Red, green and blue from x, y and z; opaque.
#[unit("Convert.Vec3ToColor")]
pub fn vec3_to_color(value: Vec3) -> Color {
    Color::new(value.x, value.y, value.z, 1.0)
}

/// Red, green and blue as x, y and z.
#[unit("Convert.ColorToVec3")]
pub fn color_to_vec3(value: Color) -> Vec3 {
    Vec3::new(value.r, value.g, value.b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_to_whole_numbers_truncate_and_saturate() {
        let cases = [(1.9, 1), (-1.9, -1), (-0.5, 0), (1e20, i32::MAX), (-1e20, i32::MIN), (f32::NAN, 0)];
        for (value, right) in cases {
            assert_eq!(float_to_int(value), right, "{value}");
        }
        for i in [0, 1, -1, 16_777_216, -16_777_215] {
            assert_eq!(float_to_int(int_to_float(i)), i);
        }
    }

    #[test]
    fn truth_is_not_zero() {
        assert!(int_to_bool(-3) && !int_to_bool(0));
        assert!(float_to_bool(0.1) && !float_to_bool(-0.0) && !float_to_bool(f32::NAN));
        assert_eq!((bool_to_int(true), bool_to_float(true)), (1, 1.0));
        assert_eq!((bool_to_int(false), bool_to_float(false)), (0, 0.0));
    }

    #[test]
    fn parts_go_where_their_names_say() {
        let v = Vec3::new(1.0, 2.0, 3.0);
        let q = Quat::new(0.5, 0.5, 0.5, 0.5);
        assert_eq!(vec2_to_vec3(vec3_to_vec2(v)), Vec3::new(1.0, 2.0, 0.0));
        assert_eq!(float_to_vec3(2.0), Vec3::new(2.0, 2.0, 2.0));
        assert_eq!(float_to_vec2(2.0), Vec2::new(2.0, 2.0));
        assert_eq!(transform_to_vec3(vec3_to_transform(v)), v);
        assert_eq!(transform_to_quat(quat_to_transform(q)), q);
        assert_eq!(vec3_to_transform(v).rotation, Quat::IDENTITY);
        assert_eq!(quat_to_transform(q).scale, Vec3::ONE);
        assert_eq!(color_to_vec3(vec3_to_color(v)), v);
        assert_eq!(vec3_to_color(v).a, 1.0);
        assert!(1.0 - euler_to_quat(quat_to_euler(q)).dot(q).abs() < 1e-6);
    }
}
