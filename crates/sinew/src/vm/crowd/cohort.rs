//! Members of one program that run in the same frames, packed into blocks without holes.

use super::block::{Block, Job};
use super::run::LaneProgram;
use super::scratch::Scratch;
use crate::hierarchy::LaneShared;
use crate::vm::isa::{Entry, Width};

/// Members that run in every `rate`-th frame, those where the number of the frame leaves `phase`.
#[derive(Debug)]
pub(super) struct Cohort<const L: usize> {
    pub rate: u32,
    pub phase: u32,
    pub blocks: Vec<Block<L>>,
    /// Which member of the group sits where: seat `i` is lane `i % L` of block `i / L`.
    pub seats: Vec<u32>,
}

impl<const L: usize> Cohort<L> {
    pub fn new(rate: u32, phase: u32) -> Self {
        Self { rate, phase, blocks: Vec::new(), seats: Vec::new() }
    }

    /// True if it runs in a frame of this number.
    pub fn is_due(&self, frame: u64) -> bool {
        frame % u64::from(self.rate) == u64::from(self.phase)
    }

    /// A seat's block and lane.
    pub fn at(&self, seat: u32) -> (&Block<L>, usize) {
        (&self.blocks[seat as usize / L], seat as usize % L)
    }

    /// A seat's block and lane, to change.
    pub fn at_mut(&mut self, seat: u32) -> (&mut Block<L>, usize) {
        (&mut self.blocks[seat as usize / L], seat as usize % L)
    }

    /// Room for a member; its state is what was left there.
    pub fn push(&mut self, member: u32, program: &LaneProgram<L>, shared: &LaneShared<L>) -> u32 {
        let seat = self.seats.len();
        self.seats.push(member);
        if seat / L == self.blocks.len() {
            self.blocks.push(Block::new(&program.bound, shared, self.rate > 1));
        }
        seat as u32
    }

    /// Takes a seat away; the last member moves into the gap. Who that was, if anyone moved. Its
    /// block stays, for the next who comes.
    pub fn remove(&mut self, seat: u32) -> Option<u32> {
        let last = self.seats.len() as u32 - 1;
        self.seats.swap_remove(seat as usize);
        if seat == last {
            return None;
        }
        let (to, from) = (seat as usize / L, last as usize / L);
        let (lane, of) = (seat as usize % L, last as usize % L);
        if to == from {
            self.blocks[to].copy_within(lane, of);
        } else {
            let (low, high) = self.blocks.split_at_mut(from);
            low[to].copy_from(lane, &mut high[0], of);
        }
        Some(self.seats[seat as usize])
    }

    /// No members; blocks stay.
    pub fn clear(&mut self) {
        self.seats.clear();
    }

    /// The blocks that hold members, each with the members that sit in it.
    pub fn taken(&mut self) -> impl Iterator<Item = (&mut Block<L>, &[u32])> {
        self.blocks.iter_mut().zip(self.seats.chunks(L))
    }

    /// `dt` more seconds have gone by for all members.
    pub fn pass(&mut self, dt: f32) {
        for pending in self.taken().flat_map(|(block, _)| &mut block.pending) {
            *pending += dt;
        }
    }

    /// Runs all blocks on this thread; how many members ended early.
    pub fn run(
        &mut self,
        program: &LaneProgram<L>,
        shared: &LaneShared<L>,
        job: Job,
        scratch: &mut Scratch<L>,
    ) -> u32
    where
        Entry<L>: Width,
    {
        self.taken().map(|(block, seats)| block.run(program, shared, job, seats.len(), scratch)).sum()
    }

    /// Runs the blocks on as many threads as there are; each takes a scratch of its own.
    #[cfg(feature = "rayon")]
    pub fn run_parallel(
        &mut self,
        program: &LaneProgram<L>,
        shared: &LaneShared<L>,
        job: Job,
        scratch: &[std::sync::Mutex<Scratch<L>>],
    ) -> u32
    where
        Entry<L>: Width,
    {
        use rayon::prelude::*;
        let taken = self.seats.len().div_ceil(L);
        // Some blocks take longer than others, so each thread has several turns.
        let turn = taken.div_ceil(scratch.len() * 8).max(1);
        let blocks = self.blocks[..taken].par_chunks_mut(turn).zip(self.seats.par_chunks(turn * L));
        blocks
            .map(|(blocks, seats)| {
                let thread = rayon::current_thread_index().unwrap_or(0);
                let Some(Ok(mut scratch)) = scratch.get(thread).map(std::sync::Mutex::lock) else { return 0 };
                let each = blocks.iter_mut().zip(seats.chunks(L));
                each.map(|(block, seats)| block.run(program, shared, job, seats.len(), &mut scratch)).sum()
            })
            .sum()
    }
}
