//! Elements of a rig, their tree, and their transforms.

mod control;
mod error;
mod key;
mod space;
mod state;
mod topology;
mod tree;

pub use control::{ControlKind, ControlSettings, ControlValue};
pub use error::HierarchyError;
pub use key::{ElementId, ElementKey, ElementKind, KeyError};
pub use space::Space;
pub use topology::{ElementSpec, Parent, Topology};
pub use tree::{Carry, Hierarchy};
