//! A skeleton's joints as the bones of a hierarchy.

use super::Skeleton;
use crate::hierarchy::{ElementId, ElementKey, ElementSpec, Hierarchy, HierarchyError};

impl Skeleton {
    /// A hierarchy with a bone for every joint: bone `i` is joint `i`, so a pose's locals can be
    /// loaded as they are.
    pub fn hierarchy(&self) -> Result<Hierarchy, HierarchyError> {
        Hierarchy::new(self.joints().iter().map(|joint| {
            let parent = joint.parent.map_or(ElementId::NONE, |p| ElementId(p as u32));
            ElementSpec::new(ElementKey::bone(joint.name.clone()), parent).at(joint.rest)
        }))
    }
}
