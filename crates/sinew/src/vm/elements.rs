//! The elements as an entry point is given them: of one character, or of a block of them.

use crate::hierarchy::{ElementId, Hierarchy, JointRows, LaneHierarchy, Needs};

/// The elements of one lane or of `L`.
#[derive(Debug)]
pub enum Elements<'a, const L: usize> {
    /// One character.
    One(&'a mut Hierarchy),
    /// A block.
    Lanes(LaneHierarchy<'a, L>),
}

impl<const L: usize> Elements<'_, L> {
    /// One element of each lane, what is needed of it up to date.
    #[inline(always)]
    pub fn joints(&mut self, ids: &[u32; L], mask: &[u32; L], needs: Needs) -> JointRows<L> {
        match self {
            Self::One(rig) => JointRows::splat(&rig.joint(ElementId(ids[0]), needs)),
            Self::Lanes(rig) => rig.joints(ids, mask, needs),
        }
    }

    /// Writes what a unit wants changed.
    #[inline(always)]
    pub fn apply(&mut self, ids: &[u32; L], mask: &[u32; L], rows: &JointRows<L>) {
        match self {
            Self::One(rig) => rig.apply(ElementId(ids[0]), &rows.whole_lane(0)),
            Self::Lanes(rig) => rig.apply(ids, mask, rows),
        }
    }
}

impl Elements<'_, 1> {
    /// The hierarchy of the one character.
    #[inline(always)]
    pub fn one(&mut self) -> Option<&mut Hierarchy> {
        match self {
            Self::One(rig) => Some(rig),
            Self::Lanes(_) => None,
        }
    }
}
