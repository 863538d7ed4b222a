//! `L` characters of one program, run together.

use super::run::{LaneProgram, run};
use super::scratch::Scratch;
use crate::hierarchy::{LaneHierarchy, LaneShared, Lanes, Rows};
use crate::value::Aligned;
use crate::vm::isa::{Entry, Width};
use crate::vm::{BoundProgram, Cx, Elements, FaultKind, Frame, Memory};

/// Where and why a lane's last run ended early.
#[derive(Clone, Debug)]
pub(super) struct LaneFault {
    pub event: u32,
    pub instruction: u32,
    pub kind: FaultKind,
}

/// What a block's characters keep from frame to frame.
#[derive(Debug)]
pub(super) struct Block<const L: usize> {
    /// External, then State.
    pub words: Aligned<[u32; L]>,
    pub lanes: Lanes<L>,
    pub frames: [Frame; L],
    /// Seconds since the last run that ended well or not.
    pub pending: [f32; L],
    pub faults: [Option<LaneFault>; L],
    pub executed: [u64; L],
    /// What the last two runs ended with, where the block does not run in every frame.
    shown: Option<Box<Shown<L>>>,
}

/// Poses to show in between.
#[derive(Debug)]
struct Shown<const L: usize> {
    before: Aligned<Rows<L>>,
    after: Aligned<Rows<L>>,
}

/// What is run: an event of a program, with a budget of instructions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Job {
    pub event: usize,
    pub budget: u64,
    /// Seconds; `None` for what has gone by since each member's last frame.
    pub dt: Option<f32>,
}

impl<const L: usize> Block<L> {
    /// Characters as `setup` left them. `between`: poses are kept, to show those in between.
    pub fn new(bound: &BoundProgram, shared: &LaneShared<L>, between: bool) -> Self {
        let kept = bound.template.get(bound.layout.external..).unwrap_or(&[]);
        let mut words = Aligned::new([0; L], kept.len());
        for (row, word) in words.iter_mut().zip(kept) {
            *row = [word[0]; L];
        }
        let lanes = Lanes::new(shared);
        let pose = || Aligned::from_slice(lanes.locals());
        let shown = between.then(|| Box::new(Shown { before: pose(), after: pose() }));
        Self {
            words,
            shown,
            lanes,
            frames: core::array::from_fn(|_| Frame::of(bound)),
            pending: [0.0; L],
            faults: [const { None }; L],
            executed: [0; L],
        }
    }

    /// Bytes of all lanes, without messages and drawings.
    pub fn bytes(&self) -> usize {
        let shown = self.shown.as_ref().map_or(0, |s| size_of_val(&*s.before) * 2);
        size_of::<Self>() + size_of_val(&*self.words) + self.lanes.bytes() + shown
    }

    /// A lane back to the start.
    pub fn reset(&mut self, lane: usize, bound: &BoundProgram, shared: &LaneShared<L>) {
        let kept = bound.template.get(bound.layout.external..).unwrap_or(&[]);
        for (row, word) in self.words.iter_mut().zip(kept) {
            row[lane] = word[0];
        }
        self.lanes.reset_lane(lane, shared);
        self.frames[lane].restart();
        self.pending[lane] = 0.0;
        self.faults[lane] = None;
        self.executed[lane] = 0;
        self.show(lane);
    }

    /// Takes over a lane of another block, which is left with something else.
    pub fn copy_from(&mut self, lane: usize, from: &mut Self, of: usize) {
        for (to, from) in self.words.iter_mut().zip(from.words.iter()) {
            to[lane] = from[of];
        }
        self.lanes.copy_lane(lane, &from.lanes, of);
        core::mem::swap(&mut self.frames[lane], &mut from.frames[of]);
        self.pending[lane] = from.pending[of];
        self.faults[lane] = from.faults[of].take();
        self.executed[lane] = from.executed[of];
        match (&mut self.shown, &from.shown) {
            (Some(to), Some(from)) => {
                copy_rows(&mut to.before, lane, &from.before, of);
                copy_rows(&mut to.after, lane, &from.after, of);
            }
            _ => self.show(lane),
        }
    }

    /// Takes over another lane of this block, which is left with something else.
    pub fn copy_within(&mut self, lane: usize, of: usize) {
        for row in self.words.iter_mut() {
            row[lane] = row[of];
        }
        self.lanes.copy_lane_within(lane, of);
        self.frames.swap(lane, of);
        self.pending[lane] = self.pending[of];
        self.faults.swap(lane, of);
        self.executed[lane] = self.executed[of];
        if let Some(shown) = &mut self.shown {
            let shown = &mut **shown;
            for row in shown.before.iter_mut().chain(shown.after.iter_mut()).flatten() {
                row[lane] = row[of];
            }
        }
    }

    /// From now on the pose as it stands is shown, without one before it.
    pub fn show(&mut self, lane: usize) {
        let Some(shown) = &mut self.shown else { return };
        for (at, rows) in self.lanes.locals().iter().enumerate() {
            for (i, row) in rows.iter().enumerate() {
                shown.before[at][i][lane] = row[lane];
                shown.after[at][i][lane] = row[lane];
            }
        }
    }

    /// The poses that a lane is between.
    pub fn between(&self) -> Option<(&[Rows<L>], &[Rows<L>])> {
        self.shown.as_ref().map(|s| (&*s.before, &*s.after))
    }

    /// Runs an event in the first `used` lanes; how many ended early.
    pub fn run(
        &mut self,
        program: &LaneProgram<L>,
        shared: &LaneShared<L>,
        job: Job,
        used: usize,
        scratch: &mut Scratch<L>,
    ) -> u32
    where
        Entry<L>: Width,
    {
        let bound = &*program.bound;
        let Some(start) = bound.program.events.get(job.event).map(|e| e.start) else { return 0 };
        let layout = &bound.layout;
        let active: [u32; L] = core::array::from_fn(|l| if l < used { u32::MAX } else { 0 });
        let random: [u32; L] = core::array::from_fn(|l| self.frames[l].random);
        for (frame, pending) in self.frames.iter_mut().zip(&mut self.pending).take(used) {
            let dt = job.dt.unwrap_or_else(|| core::mem::take(pending));
            frame.begin(dt, job.event as u32);
        }
        scratch.memory[layout.external..].copy_from_slice(&self.words);
        let guarded = bound.may_fault[job.event] || job.budget < bound.steps.len() as u64;
        let mut cx = Cx {
            memory: Memory::new(&mut scratch.memory, layout.state),
            rig: Elements::Lanes(LaneHierarchy::new(shared, &mut self.lanes, &mut scratch.room, guarded)),
            frames: &mut self.frames,
            fault: None,
        };
        run(program, start, (&active, job.budget), &mut cx, &mut scratch.one, &mut scratch.flow);

        let Cx { mut rig, frames, .. } = cx;
        let mut failed = [0; L];
        let ends = scratch.flow.ends();
        for (lane, (fault, spent)) in ends.take(used).enumerate() {
            self.executed[lane] = spent;
            let ended =
                fault.map(|(instruction, kind)| LaneFault { event: job.event as u32, instruction, kind });
            if ended.is_some() {
                failed[lane] = u32::MAX;
                frames[lane].random = random[lane];
            } else {
                frames[lane].end();
            }
            self.faults[lane] = ended;
        }
        let count = failed.iter().filter(|f| **f != 0).count() as u32;
        if count != 0
            && let Elements::Lanes(rig) = &mut rig
        {
            rig.undo(&failed);
        }
        let kept = &scratch.memory[layout.external..];
        if count == 0 {
            self.words.copy_from_slice(kept);
        } else {
            for (to, from) in self.words.iter_mut().zip(kept) {
                *to = core::array::from_fn(|l| if failed[l] != 0 { to[l] } else { from[l] });
            }
        }
        if let Some(shown) = &mut self.shown {
            core::mem::swap(&mut shown.before, &mut shown.after);
            shown.after.copy_from_slice(self.lanes.locals());
        }
        count
    }
}

fn copy_rows<const L: usize>(to: &mut [Rows<L>], lane: usize, from: &[Rows<L>], of: usize) {
    for (to, from) in to.as_flattened_mut().iter_mut().zip(from.as_flattened()) {
        to[lane] = from[of];
    }
}
