//! Plain-data math: vectors, quaternions, transforms.
//!
//! Every type is a `Copy` struct of `f32`s without padding or SIMD fields, and every function is
//! small, free of calls that do not inline and free of fused operations. So a loop over lanes
//! vectorizes around them, and every width and every platform gives the same bits.

mod axis;
mod color;
mod curve;
mod easing;
mod euler;
mod exponential;
#[cfg(feature = "glam")]
mod glam;
mod matrix;
mod quat;
mod random;
mod rotation;
mod rotation_blend;
mod scalar;
mod spring;
mod transform;
mod trig;
mod vec;

pub use axis::Axis;
pub use color::{Color, linear_to_srgb, srgb_to_linear};
pub use curve::{Curve, CurveError, CurveKey, Extrapolation, Interpolation};
pub use easing::Ease;
pub use euler::{Euler, EulerOrder, proper_euler_from_quat, proper_euler_to_quat};
pub use exponential::{exp, ln, powf};
pub use matrix::Mat4;
pub use quat::Quat;
pub use random::Random;
pub use rotation_blend::RotationAverage;
pub use scalar::{
    abs, angle_difference, ceil, clamp, floor, fract, inverse_lerp, lerp, max, min, modulo, remap,
    remap_clamped, round, saturate, sign, smoothstep, trunc, wrap_angle,
};
pub use spring::{
    SpringState, SpringStateQuat, SpringStateVec3, SpringStep, damper_exact, damper_exact_quat,
    damper_exact_vec3, damper_fraction,
};
pub use transform::Transform;
pub use trig::{acos, asin, atan, atan2, cos, sin, sin_cos, tan};
pub use vec::{Vec2, Vec3};
