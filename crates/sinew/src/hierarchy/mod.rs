//! Elements of a rig, their tree, and their transforms.
//!
//! A [`Topology`] says which elements there are and who follows whom; all characters of one
//! skeleton share it. A [`Hierarchy`] is one character's transforms and values over it.

mod compose;
mod control;
mod error;
mod joint;
mod key;
mod lanes;
mod matrices;
#[cfg(test)]
mod model_tests;
mod parents;
mod pattern;
mod space;
mod spec;
mod stale;
mod state;
mod topology;
mod tree;
mod values;

pub use control::{CONTROL_SHAPES, ControlKind, ControlSettings, ControlValue};
pub use error::HierarchyError;
pub use joint::{Joint, Needs};
pub use key::{ElementId, ElementKey, ElementKind, KeyError};
pub use lanes::{
    Compose, JointRows, LaneHierarchy, LaneRoom, LaneShared, Lanes, Rows, compose_rows, lane_of, rows_of,
};
pub use pattern::fits_pattern;
pub use space::Space;
pub use spec::{ElementSpec, Parent};
pub use topology::Topology;
pub use tree::{Carry, Hierarchy};
