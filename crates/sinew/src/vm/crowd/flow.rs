//! Where each lane of a block is in the code.
//!
//! All lanes run the same instruction as long as they agree. Where they part, each one waits at its
//! own place, and those at the least place run until they meet the next ones: code is structured
//! and only loops lead back, so lanes that parted come together again at the end of what parted
//! them. A call of a function is a place of its own: those that called return together.

use crate::vm::{FaultKind, Memory};

/// The place of a lane that takes no part: in another call, ended, or never begun.
const NOWHERE: u32 = u32::MAX;

/// Where the lanes of a block are.
#[derive(Debug)]
pub(super) struct Flow<const L: usize> {
    /// The instruction that the lanes of the mask are at.
    pub pc: u32,
    /// The least place where others wait.
    pub next: u32,
    /// Steps that no lane of the mask lacks.
    pub left: u64,
    mask: [u32; L],
    wake: [u32; L],
    /// Lanes that will not go on: at their end, or at a fault.
    gone: [u32; L],
    budget: u64,
    /// Steps since `spent` was brought up to date.
    since: u64,
    spent: [u64; L],
    faults: [Option<(u32, FaultKind)>; L],
    calls: Vec<Caller<L>>,
}

/// Those who called a function, and where their callers' other lanes wait.
#[derive(Debug)]
struct Caller<const L: usize> {
    mask: [u32; L],
    wake: [u32; L],
    back: u32,
    state: u32,
}

impl<const L: usize> Flow<L> {
    /// For programs whose functions call each other this deep.
    pub fn new(depth: usize) -> Self {
        Self {
            pc: 0,
            next: NOWHERE,
            left: 0,
            mask: [0; L],
            wake: [NOWHERE; L],
            gone: [0; L],
            budget: 0,
            since: 0,
            spent: [0; L],
            faults: [const { None }; L],
            calls: Vec::with_capacity(depth),
        }
    }

    /// All lanes of `active` at an event's start; false if there are none.
    pub fn begin(&mut self, start: u32, active: &[u32; L], budget: u64, memory: &mut Memory<'_, L>) -> bool {
        self.calls.clear();
        self.mask = [0; L];
        self.gone = [0; L];
        (self.budget, self.since, self.spent) = (budget, 0, [0; L]);
        self.faults = [const { None }; L];
        self.wake = active.map(|m| if m != 0 { start } else { NOWHERE });
        self.settle(memory)
    }

    /// Lanes that take part in this instruction.
    #[inline(always)]
    pub fn mask(&self) -> &[u32; L] {
        &self.mask
    }

    /// For each lane where and why it ended early, if it did, and how many steps it ran.
    pub fn ends(&mut self) -> impl Iterator<Item = (Option<(u32, FaultKind)>, u64)> + '_ {
        self.faults.iter_mut().map(Option::take).zip(self.spent)
    }

    /// On to an instruction with all lanes of the mask, `steps` having been run.
    #[inline(always)]
    pub fn go(&mut self, pc: u32, steps: u32) {
        self.pc = pc;
        self.since += u64::from(steps);
        self.left -= u64::from(steps);
    }

    /// After a step: lanes of `taken` on to `target`, the others to `other`.
    #[inline(always)]
    pub fn part(&mut self, taken: &[u32; L], target: u32, other: u32, memory: &mut Memory<'_, L>) -> bool {
        let taken: [u32; L] = core::array::from_fn(|l| taken[l] & self.mask[l]);
        if taken == self.mask {
            self.go(target, 1);
            return true;
        }
        if taken == [0; L] {
            self.go(other, 1);
            return true;
        }
        self.part_varying(&taken, target, other, memory)
    }

    #[inline(never)]
    fn part_varying(
        &mut self,
        taken: &[u32; L],
        target: u32,
        other: u32,
        memory: &mut Memory<'_, L>,
    ) -> bool {
        self.since += 1;
        for (lane, to) in taken.iter().enumerate() {
            if self.mask[lane] != 0 {
                self.wake[lane] = if *to != 0 { target } else { other };
            }
        }
        self.settle(memory)
    }

    /// The lanes of the mask have come to where others wait, or past it; false if none goes on.
    #[inline(never)]
    pub fn meet(&mut self, memory: &mut Memory<'_, L>) -> bool {
        self.wait_at(self.pc);
        self.settle(memory)
    }

    /// The lanes of the mask that have no step left end here; false if none goes on.
    #[cold]
    pub fn exhaust(&mut self, memory: &mut Memory<'_, L>) -> bool {
        let at = self.pc;
        self.wait_at(at);
        self.count();
        for lane in 0..L {
            if self.mask[lane] != 0 && self.spent[lane] >= self.budget {
                self.end_lane(lane, at, FaultKind::Budget(self.budget));
            }
        }
        self.settle(memory)
    }

    /// A lane of the mask ends with a fault at this instruction; [`Flow::meet`] is to follow.
    #[cold]
    pub fn fail(&mut self, lane: usize, at: u32, kind: FaultKind) {
        self.count();
        self.mask[lane] = 0;
        self.end_lane(lane, at, kind);
    }

    fn end_lane(&mut self, lane: usize, at: u32, kind: FaultKind) {
        self.wake[lane] = NOWHERE;
        self.gone[lane] = u32::MAX;
        self.faults[lane].get_or_insert((at, kind));
    }

    /// The lanes of the mask end well; false if none goes on.
    pub fn exit(&mut self, memory: &mut Memory<'_, L>) -> bool {
        self.since += 1;
        for (gone, mask) in self.gone.iter_mut().zip(&self.mask) {
            *gone |= mask;
        }
        self.settle(memory)
    }

    /// The lanes of the mask go on in a function and come back to `back`.
    pub fn call(&mut self, start: u32, back: u32, state: u32, memory: &mut Memory<'_, L>) {
        self.calls.push(Caller { mask: self.mask, wake: self.wake, back, state });
        memory.state += state as usize;
        self.wake = [NOWHERE; L];
        self.next = NOWHERE;
        self.go(start, 1);
    }

    /// The lanes of the mask are at the end of a function; false if none goes on.
    pub fn back(&mut self, memory: &mut Memory<'_, L>) -> bool {
        self.since += 1;
        self.settle(memory)
    }

    fn wait_at(&mut self, pc: u32) {
        for (wake, mask) in self.wake.iter_mut().zip(&self.mask) {
            if *mask != 0 {
                *wake = pc;
            }
        }
    }

    /// Counts the steps of the lanes of the mask.
    fn count(&mut self) {
        for (spent, mask) in self.spent.iter_mut().zip(&self.mask) {
            if *mask != 0 {
                *spent += self.since;
            }
        }
        self.since = 0;
    }

    /// The lanes at the least place become those that run; where there are none, the callers'.
    fn settle(&mut self, memory: &mut Memory<'_, L>) -> bool {
        self.count();
        let mut least = NOWHERE;
        loop {
            least = self.wake.iter().fold(least, |a, b| a.min(*b));
            if least != NOWHERE {
                break;
            }
            let Some(caller) = self.calls.pop() else {
                self.mask = [0; L];
                return false;
            };
            memory.state -= caller.state as usize;
            self.wake = caller.wake;
            for lane in 0..L {
                if caller.mask[lane] & !self.gone[lane] != 0 {
                    self.wake[lane] = caller.back;
                }
            }
        }
        self.next = NOWHERE;
        let mut most = 0;
        for lane in 0..L {
            let runs = self.wake[lane] == least;
            self.mask[lane] = if runs { u32::MAX } else { 0 };
            if runs {
                self.wake[lane] = NOWHERE;
                most = most.max(self.spent[lane]);
            } else {
                self.next = self.next.min(self.wake[lane]);
            }
        }
        self.pc = least;
        self.left = self.budget.saturating_sub(most);
        memory.set_mask(self.mask);
        true
    }
}
