//! Timelines: a rig run over a clip, frame by frame, into a clip of its own.

mod bake;

pub use bake::{Bake, BakeError, Baked, MAX_FRAMES, ToClipError};
