//! Inverse kinematics: joints turned so that the end of a chain meets a target.

mod chain;
mod limited;
mod two_bone;

pub use chain::{ChainLimits, MAX_CHAIN, solve_ccd, solve_fabrik};
pub use limited::{JointLimit, Link, solve_ccd_limited};
pub use two_bone::{Reach, TwoBone, TwoBoneLimits, solve_two_bone};
