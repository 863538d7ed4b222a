//! What each instruction costs.

use std::time::{Duration, Instant};

use super::Cx;
use super::interp::Probe;

/// A probe that counts and times every instruction. Reading the clock around a unit takes longer
/// than many units do: the time of an empty measurement is taken first and subtracted.
#[derive(Clone, Debug)]
pub struct Profile {
    cost: Vec<InstructionCost>,
    started: Instant,
    overhead: Duration,
}

/// What one instruction cost so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InstructionCost {
    /// How often it ran.
    pub count: u64,
    /// In all, less the measurement itself.
    pub time: Duration,
}

impl Profile {
    /// For programs of this many instructions.
    pub fn new(instructions: usize) -> Self {
        // The least of many is what a measurement costs when nothing disturbs it.
        let empty = || {
            let start = Instant::now();
            start.elapsed()
        };
        let overhead = (0..1000).map(|_| empty()).min().unwrap_or_default();
        Self { cost: vec![InstructionCost::default(); instructions], started: Instant::now(), overhead }
    }

    /// By instruction.
    pub fn cost(&self) -> &[InstructionCost] {
        &self.cost
    }
}

impl Probe for Profile {
    fn before(&mut self, _: u32, _: &Cx<'_, 1>) {
        self.started = Instant::now();
    }

    fn after(&mut self, instruction: u32, _: &Cx<'_, 1>) {
        let time = self.started.elapsed().saturating_sub(self.overhead);
        if let Some(cost) = self.cost.get_mut(instruction as usize) {
            cost.count += 1;
            cost.time += time;
        }
    }
}
