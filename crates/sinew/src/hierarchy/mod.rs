//! Elements of a rig, their tree, and their transforms.

mod key;

pub use key::{ElementId, ElementKey, ElementKind, KeyError};
