//! What an entry point is given: registers, hierarchy, frame.

use std::sync::Arc;

use crate::hierarchy::HierarchyError;

use super::{ArrayFull, Elements, Frame, Memory};

/// Why a frame ended early.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FaultKind {
    /// An array variable had no room.
    #[error("{0}; raise the capacity of its type or reset it first")]
    ArrayFull(#[from] ArrayFull),
    /// A loop asked for more turns than its bound allows.
    #[error("the loop asked for {count} turns, its bound is {bound}; raise `max` or lower the count")]
    LoopBound {
        /// Turns asked for.
        count: i32,
        /// The bound.
        bound: i32,
    },
    /// A while loop did not end within its bound.
    #[error("the loop did not end within its bound of {bound} turns")]
    LoopEndless {
        /// The bound.
        bound: i32,
    },
    /// More instructions than a frame may run.
    #[error("more than {0} instructions in one frame; raise the instance's budget or do less in loops")]
    Budget(u64),
    /// An element could not be added.
    #[error("{0}")]
    Element(Arc<HierarchyError>),
    /// Something a unit was given cannot be.
    #[error("{0}")]
    Unit(&'static str),
}

impl From<HierarchyError> for FaultKind {
    fn from(e: HierarchyError) -> Self {
        Self::Element(Arc::new(e))
    }
}

/// The arguments of an entry point that are the same for all units.
#[derive(Debug)]
pub struct Cx<'a, const L: usize = 1> {
    pub(super) memory: Memory<'a, L>,
    pub(super) rig: Elements<'a, L>,
    pub(super) frames: &'a mut [Frame; L],
    pub(super) fault: Option<FaultKind>,
}

impl<'a, const L: usize> Cx<'a, L> {
    /// The parts, borrowed apart.
    #[inline(always)]
    pub fn split(&mut self) -> (&mut Memory<'a, L>, &mut Elements<'a, L>, &mut [Frame; L]) {
        (&mut self.memory, &mut self.rig, self.frames)
    }

    /// The registers, for a probe to look at.
    pub fn memory(&self) -> &Memory<'a, L> {
        &self.memory
    }

    /// The elements, for a probe to look at.
    pub fn elements(&self) -> &Elements<'a, L> {
        &self.rig
    }

    /// Ends the frame with a fault after this unit; the first one counts.
    #[cold]
    pub fn fail(&mut self, fault: impl Into<FaultKind>) {
        self.fault.get_or_insert(fault.into());
    }
}
