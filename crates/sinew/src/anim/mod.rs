//! Skeletons, poses, clips and their sampling.

mod clip;
mod pose;
mod skeleton;
mod track;

pub use clip::{Clip, ClipError, advance_clamped, advance_looping, wrap_time};
pub use pose::Pose;
pub(crate) use skeleton::unique_names;
pub use skeleton::{Curve, Joint, Skeleton, SkeletonError};
pub use track::{Channel, Interpolation, Track, TrackError};
