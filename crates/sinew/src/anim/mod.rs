//! Skeletons, poses, clips and their sampling.

mod clip;
mod elements;
mod pose;
mod retarget;
mod skeleton;
#[cfg(test)]
mod tests;
mod track;

pub use clip::{Clip, ClipError, advance_clamped, advance_looping, wrap_time};
pub use pose::Pose;
pub use retarget::Retargeted;
pub(crate) use skeleton::unique_names;
pub use skeleton::{Curve, Joint, Skeleton, SkeletonError};
pub use track::{Channel, Interpolation, Track, TrackError};
