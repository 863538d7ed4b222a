//! What a thread needs to run blocks of one program.

use super::alone::OneLane;
use super::flow::Flow;
use crate::hierarchy::{LaneRoom, LaneShared};
use crate::value::Aligned;
use crate::vm::BoundProgram;

/// Registers and room for one block at a time. Literals and Work registers need not outlive a run,
/// so that blocks share them, and they stay in the cache.
#[derive(Debug)]
pub(super) struct Scratch<const L: usize> {
    pub memory: Aligned<[u32; L]>,
    pub one: OneLane,
    pub flow: Flow<L>,
    pub room: LaneRoom<L>,
}

impl<const L: usize> Scratch<L> {
    pub fn new(bound: &BoundProgram, shared: &LaneShared<L>) -> Self {
        let mut memory = Aligned::new([0; L], bound.template.len());
        for (row, word) in memory.iter_mut().zip(&bound.template) {
            *row = [word[0]; L];
        }
        Self {
            memory,
            one: bound.template.clone(),
            flow: Flow::new(bound.depth),
            room: LaneRoom::new(shared),
        }
    }

    /// Bytes of registers and room.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.memory) + self.room.bytes()
    }
}
