//! Plain-data math: vectors, quaternions, transforms.
//!
//! Every type is a `Copy` struct of `f32`s without padding or SIMD fields, and every function is
//! small, free of calls that do not inline and free of fused operations. So a loop over lanes
//! vectorizes around them, and every width and every platform gives the same bits.

mod exponential;
mod quat;
mod scalar;
mod transform;
mod trig;
mod vec;

pub use exponential::{exp, ln, powf};
pub use quat::Quat;
pub use scalar::{
    abs, angle_difference, ceil, clamp, floor, fract, inverse_lerp, lerp, max, min, modulo, remap,
    remap_clamped, round, saturate, sign, smoothstep, trunc, wrap_angle,
};
pub use transform::Transform;
pub use trig::{acos, asin, atan, atan2, cos, sin, sin_cos, tan};
pub use vec::{Vec2, Vec3};
