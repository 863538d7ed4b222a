//! Plain-data math: vectors, quaternions, transforms.
//!
//! Every type is a `Copy` struct of `f32`s without padding or SIMD fields, and every function is
//! small, free of calls that do not inline and free of fused operations. So a loop over lanes
//! vectorizes around them, and every width and every platform gives the same bits.

mod quat;
mod transform;
mod vec;

pub use quat::Quat;
pub use transform::Transform;
pub use vec::{Vec2, Vec3};
