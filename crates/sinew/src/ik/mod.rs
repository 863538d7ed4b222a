//! Inverse kinematics: joints turned so that the end of a chain meets a target.

mod two_bone;

pub use two_bone::{Reach, TwoBone, solve_two_bone};
