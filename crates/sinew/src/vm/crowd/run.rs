//! The interpreter over blocks: one loop over the same steps that one lane runs.

use std::sync::Arc;

use super::alone::{Alone, OneLane};
use super::flow::Flow;
use crate::vm::isa::{Entry, Isa, Width};
use crate::vm::steps::Step;
use crate::vm::{BoundProgram, Cx, FaultKind};

/// A bound program with the entry points of an instruction set.
#[derive(Debug)]
pub(super) struct LaneProgram<const L: usize> {
    pub bound: Arc<BoundProgram>,
    calls: Vec<LaneCall<L>>,
}

#[derive(Debug)]
struct LaneCall<const L: usize> {
    body: Body<L>,
    args: Box<[u32]>,
}

#[derive(Debug)]
enum Body<const L: usize> {
    Lanes(Entry<L>),
    Alone(Alone),
}

impl<const L: usize> LaneProgram<L>
where
    Entry<L>: Width,
{
    /// `isa` must be of this width.
    pub fn new(bound: &Arc<BoundProgram>, isa: Isa) -> Self {
        let calls = bound.calls.iter().map(|call| {
            let unit = &bound.units[call.import as usize];
            let entry = unit.lanes.as_ref().and_then(|l| <Entry<L> as Width>::entry(l, isa));
            let body = entry.map_or_else(|| Body::Alone(Alone::new(unit, &call.args)), Body::Lanes);
            LaneCall { body, args: call.args.clone() }
        });
        Self { calls: calls.collect(), bound: Arc::clone(bound) }
    }
}

impl<const L: usize> LaneCall<L> {
    #[inline(always)]
    fn run(&self, cx: &mut Cx<'_, L>, one: &mut OneLane) {
        match &self.body {
            Body::Lanes(entry) => entry.call(cx, &self.args),
            Body::Alone(alone) => {
                let mask = *cx.memory.mask();
                for lane in (0..L).filter(|l| mask[*l] != 0) {
                    alone.run(&self.args, cx, one, lane);
                }
            }
        }
    }

    /// As `run`, with messages and faults; true if lanes ended.
    fn run_told(&self, cx: &mut Cx<'_, L>, one: &mut OneLane, flow: &mut Flow<L>) -> bool {
        let at = flow.pc;
        let mask = *flow.mask();
        let mut ended = false;
        for lane in (0..L).filter(|l| mask[*l] != 0) {
            cx.frames[lane].log.at = at;
            if let Body::Alone(alone) = &self.body
                && let Some(fault) = alone.run(&self.args, cx, one, lane)
            {
                flow.fail(lane, at, fault);
                ended = true;
            }
        }
        if let Body::Lanes(entry) = &self.body {
            entry.call(cx, &self.args);
        }
        ended
    }
}

/// Runs from `start` to the end in the lanes of `active`; `flow` then says how each one ended.
pub(super) fn run<const L: usize>(
    program: &LaneProgram<L>,
    start: u32,
    (active, budget): (&[u32; L], u64),
    cx: &mut Cx<'_, L>,
    one: &mut OneLane,
    flow: &mut Flow<L>,
) {
    let steps = program.bound.steps.as_slice();
    let mut on = flow.begin(start, active, budget, &mut cx.memory);
    while on {
        if flow.pc >= flow.next {
            on = flow.meet(&mut cx.memory);
            continue;
        }
        // The verifier has proved that control never leaves the code.
        let pc = flow.pc;
        let Some(step) = steps.get(pc as usize) else {
            on = flow.exit(&mut cx.memory);
            continue;
        };
        if flow.left == 0 {
            on = flow.exhaust(&mut cx.memory);
            continue;
        }
        match *step {
            Step::Call { call, run } => {
                let run = u64::from(run.min(flow.next - pc)).min(flow.left) as u32;
                for call in &program.calls[call as usize..(call + run) as usize] {
                    call.run(cx, one);
                }
                flow.go(pc + run, run);
            }
            Step::CallTold { call, .. } => {
                let ended = program.calls[call as usize].run_told(cx, one, flow);
                flow.go(pc + 1, 1);
                if ended {
                    on = flow.meet(&mut cx.memory);
                }
            }
            Step::Copy { to, from, words } => {
                cx.memory.copy_rows(to, from, words);
                flow.go(pc + 1, 1);
            }
            Step::Jump { target } => flow.go(target, 1),
            Step::JumpIf { condition, when, target } => {
                let row = cx.memory.lanes_of(condition);
                let taken = row.map(|w| if (w != 0) == when { u32::MAX } else { 0 });
                on = flow.part(&taken, target, pc + 1, &mut cx.memory);
            }
            Step::BeginLoop { index, count, bound, end, until_break } => {
                let (turns, most) = (cx.memory.lanes_of(count), cx.memory.lanes_of(bound));
                if !until_break && refuse(&turns, &most, flow) {
                    on = flow.meet(&mut cx.memory);
                    continue;
                }
                cx.memory.set_lanes_of(index, &[0; L]);
                let turns = if until_break { most } else { turns };
                let over = turns.map(|t| if t as i32 <= 0 { u32::MAX } else { 0 });
                on = flow.part(&over, end, pc + 1, &mut cx.memory);
            }
            Step::EndLoop { index, count, body, .. } => {
                let (at, turns) = (cx.memory.lanes_of(index), cx.memory.lanes_of(count));
                let again: [u32; L] = core::array::from_fn(|l| {
                    if i64::from(at[l] as i32) + 1 < i64::from(turns[l] as i32) { u32::MAX } else { 0 }
                });
                cx.memory.set_lanes_of(index, &core::array::from_fn(|l| at[l].wrapping_add(again[l] & 1)));
                on = flow.part(&again, body, pc + 1, &mut cx.memory);
            }
            Step::EndWhile { index, bound, body } => {
                let (at, most) = (cx.memory.lanes_of(index), cx.memory.lanes_of(bound));
                let next = at.map(|i| (i as i32).wrapping_add(1));
                let mask = *flow.mask();
                let mut ended = false;
                for lane in (0..L).filter(|l| mask[*l] != 0 && next[*l] >= most[*l] as i32) {
                    flow.fail(lane, pc, FaultKind::LoopEndless { bound: most[lane] as i32 });
                    ended = true;
                }
                cx.memory.set_lanes_of(index, &next.map(|i| i as u32));
                flow.go(body, 1);
                if ended {
                    on = flow.meet(&mut cx.memory);
                }
            }
            Step::CallFunction { start, state } => flow.call(start, pc + 1, state, &mut cx.memory),
            Step::Return => on = flow.back(&mut cx.memory),
            Step::Exit => on = flow.exit(&mut cx.memory),
            Step::Nothing => flow.go(pc + 1, 1),
        }
    }
}

/// Ends the lanes that ask for more turns than their bound allows; true if there were any.
#[inline(always)]
fn refuse<const L: usize>(turns: &[u32; L], most: &[u32; L], flow: &mut Flow<L>) -> bool {
    let mask = *flow.mask();
    let over: [bool; L] = core::array::from_fn(|l| (mask[l] != 0) & (turns[l] as i32 > most[l] as i32));
    if over == [false; L] {
        return false;
    }
    for lane in (0..L).filter(|l| over[*l]) {
        let (count, bound) = (turns[lane] as i32, most[lane] as i32);
        flow.fail(lane, flow.pc, FaultKind::LoopBound { count, bound });
    }
    true
}
