//! The interpreter: one loop over decoded steps.

use super::steps::{Call, Step};
use super::{Cx, FaultKind};

/// Looks on while a program runs. The probe that does nothing costs nothing.
pub trait Probe {
    /// False for the probe that need not be asked.
    const ACTIVE: bool = true;
    /// Before an instruction.
    fn before(&mut self, _instruction: u32, _cx: &Cx<'_, 1>) {}
    /// After an instruction.
    fn after(&mut self, _instruction: u32, _cx: &Cx<'_, 1>) {}
}

/// No probe.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProbe;

impl Probe for NoProbe {
    const ACTIVE: bool = false;
}

/// What stays the same during a run.
pub(super) struct Run<'p> {
    pub steps: &'p [Step],
    pub calls: &'p [Call],
    pub state: usize,
    pub budget: u64,
}

/// Runs from `start` to `exit`; how many steps it took, or where and why it stopped.
pub(super) fn run<P: Probe>(
    run: &Run<'_>,
    start: u32,
    cx: &mut Cx<'_, 1>,
    calls: &mut Vec<(u32, u32)>,
    probe: &mut P,
) -> Result<u64, (u32, FaultKind)> {
    let (steps, units) = (run.steps, run.calls);
    let mut pc = start as usize;
    let mut left = run.budget;
    calls.clear();
    cx.memory.state = run.state;
    loop {
        // The verifier has proved that control never leaves the code.
        let Some(step) = steps.get(pc) else { return Ok(run.budget - left) };
        if left == 0 {
            return Err((pc as u32, FaultKind::Budget(run.budget)));
        }
        left -= 1;
        probe.before(pc as u32, cx);
        let this = pc;
        pc += 1;
        match *step {
            Step::Call { call, run } => {
                // A probe is shown each call; and the last calls before the budget ends are counted
                // one by one.
                let run = if P::ACTIVE || left < u64::from(run) { 1 } else { run };
                for unit in &units[call as usize..(call + run) as usize] {
                    (unit.entry)(cx, &unit.args);
                }
                left -= u64::from(run - 1);
                pc = this + run as usize;
            }
            Step::CallTold { call, fallible } => {
                let unit = &units[call as usize];
                cx.frames[0].log.at = this as u32;
                (unit.entry)(cx, &unit.args);
                if fallible && let Some(fault) = cx.fault.take() {
                    return Err((this as u32, fault));
                }
            }
            Step::Copy { to, from, words } => cx.memory.copy(to, from, words),
            Step::Jump { target } => pc = target as usize,
            Step::JumpIf { condition, when, target } => {
                if (cx.memory.word(condition) != 0) == when {
                    pc = target as usize;
                }
            }
            Step::BeginLoop { index, count, bound, end, until_break } => {
                let (turns, most) = (cx.memory.word(count) as i32, cx.memory.word(bound) as i32);
                if !until_break && turns > most {
                    return Err((this as u32, FaultKind::LoopBound { count: turns, bound: most }));
                }
                cx.memory.set_word(index, 0);
                let turns = if until_break { most } else { turns };
                if turns <= 0 {
                    pc = end as usize;
                }
            }
            Step::EndLoop { index, count, body, straight } => {
                let mut turn = i64::from(cx.memory.word(index) as i32) + 1;
                let turns = i64::from(cx.memory.word(count) as i32);
                let body = body as usize;
                if straight && !P::ACTIVE {
                    let cost = (this - body) as u64 + 1;
                    let calls = match steps.get(body) {
                        Some(Step::Call { call, run }) => &units[*call as usize..(*call + *run) as usize],
                        _ => &[],
                    };
                    // The turn that the budget does not cover is left to the ordinary way.
                    while turn < turns && left >= cost {
                        cx.memory.set_word(index, turn as u32);
                        for unit in calls {
                            (unit.entry)(cx, &unit.args);
                        }
                        left -= cost;
                        turn += 1;
                    }
                }
                if turn < turns {
                    cx.memory.set_word(index, turn as u32);
                    pc = body;
                }
            }
            Step::EndWhile { index, bound, body } => {
                let next = (cx.memory.word(index) as i32).wrapping_add(1);
                let most = cx.memory.word(bound) as i32;
                if next >= most {
                    return Err((this as u32, FaultKind::LoopEndless { bound: most }));
                }
                cx.memory.set_word(index, next as u32);
                pc = body as usize;
            }
            Step::CallFunction { start, state } => {
                calls.push((pc as u32, state));
                cx.memory.state += state as usize;
                pc = start as usize;
            }
            Step::Return => {
                if let Some((back, state)) = calls.pop() {
                    cx.memory.state -= state as usize;
                    pc = back as usize;
                }
            }
            Step::Exit => return Ok(run.budget - left),
            Step::Nothing => {}
        }
        probe.after(this as u32, cx);
    }
}
