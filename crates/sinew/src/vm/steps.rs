//! Instructions made ready to run: operands become positions in an instance's memory, blocks and loops
//! become jumps, calls in a row are joined.

use super::bound::Layout;
use super::{Entry, Instr, Operand, Program, UnitDef};

/// An instruction as the interpreter wants it: positions in memory, functions instead of names.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// The first of `run` plain calls in a row.
    Call {
        call: u32,
        run: u32,
    },
    /// A unit that may fail, or that is told which instruction it is.
    CallTold {
        call: u32,
        fallible: bool,
    },
    Copy {
        to: u32,
        from: u32,
        words: u32,
    },
    Jump {
        target: u32,
    },
    JumpIf {
        condition: u32,
        when: bool,
        target: u32,
    },
    BeginLoop {
        index: u32,
        count: u32,
        bound: u32,
        end: u32,
        until_break: bool,
    },
    EndLoop {
        index: u32,
        count: u32,
        body: u32,
        straight: bool,
    },
    EndWhile {
        index: u32,
        bound: u32,
        body: u32,
    },
    CallFunction {
        start: u32,
        state: u32,
    },
    Return,
    Exit,
    Nothing,
}

/// A unit and the positions of its operands. Each has a list of its own, so that an entry point
/// is given it without looking at bounds.
#[derive(Debug)]
pub(super) struct Call {
    /// Which of the program's imports.
    pub import: u32,
    pub entry: Entry,
    pub args: Box<[u32]>,
}

/// A program's steps, one for each instruction, and the calls that they make.
#[derive(Debug, Default)]
pub(super) struct Steps {
    pub steps: Vec<Step>,
    pub calls: Vec<Call>,
}

impl Steps {
    /// The program must have been verified; `units` are its imports.
    pub fn of(program: &Program, units: &[UnitDef], layout: &Layout) -> Self {
        let mut out = Self::default();
        let at = |o: Operand| layout.position(o);
        let mut loops: Vec<(u32, u32, u32, bool)> = Vec::new();
        for (pc, instr) in program.code.iter().enumerate() {
            let pc = pc as u32;
            let step = match *instr {
                Instr::Call { import, args, count } => {
                    let unit = &units[import as usize];
                    let list = &program.operands[args as usize..(args + count) as usize];
                    let call = out.calls.len() as u32;
                    out.calls.push(Call { import, entry: unit.entry, args: positions(unit, list, at) });
                    let fallible = unit.fallible;
                    if fallible || unit.told {
                        Step::CallTold { call, fallible }
                    } else {
                        Step::Call { call, run: 1 }
                    }
                }
                Instr::Copy { to, from, words } => Step::Copy { to: at(to), from: at(from), words },
                Instr::Jump { target } => Step::Jump { target },
                Instr::JumpIf { condition, target } => {
                    Step::JumpIf { condition: at(condition), when: true, target }
                }
                Instr::BeginBlock { condition, when, end } => {
                    Step::JumpIf { condition: at(condition), when: !when, target: end + 1 }
                }
                Instr::BeginLoop { index, args, end, until_break } => {
                    let (count, bound) =
                        (program.operands[args as usize], program.operands[args as usize + 1]);
                    let (index, count, bound) = (at(index), at(Operand(count)), at(Operand(bound)));
                    loops.push((pc, index, end, until_break));
                    Step::BeginLoop { index, count, bound, end: end + 1, until_break }
                }
                Instr::EndLoop => {
                    let (begin, index, _, until_break) = loops.pop().unwrap_or((pc, 0, pc, false));
                    let Some(Step::BeginLoop { count, bound, .. }) = out.steps.get(begin as usize).copied()
                    else {
                        out.steps.push(Step::Nothing);
                        continue;
                    };
                    let body = begin + 1;
                    if until_break {
                        Step::EndWhile { index, bound, body }
                    } else {
                        Step::EndLoop { index, count, body, straight: false }
                    }
                }
                Instr::Break { unless } => {
                    let end = loops.last().map_or(pc, |l| l.2);
                    Step::JumpIf { condition: at(unless), when: false, target: end + 1 }
                }
                Instr::CallFunction { function, state } => {
                    Step::CallFunction { start: program.functions[function as usize].start, state }
                }
                Instr::Return => Step::Return,
                Instr::Exit => Step::Exit,
                Instr::EndBlock => Step::Nothing,
            };
            out.steps.push(step);
        }
        out.drop_nothings();
        out.join_calls();
        out
    }

    /// An end of a block does nothing at one lane, so jumps skip it. The steps keep their places:
    /// instruction numbers are what the source map and the debugger speak of.
    fn drop_nothings(&mut self) {
        let skip = |steps: &[Step], mut at: u32| {
            while matches!(steps.get(at as usize), Some(Step::Nothing)) {
                at += 1;
            }
            at
        };
        for i in 0..self.steps.len() {
            let step = match self.steps[i] {
                Step::Jump { target } => Step::Jump { target: skip(&self.steps, target) },
                Step::JumpIf { condition, when, target } => {
                    Step::JumpIf { condition, when, target: skip(&self.steps, target) }
                }
                other => other,
            };
            self.steps[i] = step;
        }
    }

    /// Calls in a row are run in a loop of their own, which is all that a straight rig needs.
    fn join_calls(&mut self) {
        let mut following = 0;
        for step in self.steps.iter_mut().rev() {
            following = match step {
                Step::Call { run, .. } => {
                    *run += following;
                    *run
                }
                _ => 0,
            };
        }
        // A loop whose body is nothing but calls turns without going through the dispatch.
        for i in 0..self.steps.len() {
            let Step::EndLoop { body, .. } = self.steps[i] else { continue };
            let calls = self.steps.get(body as usize..i).unwrap_or(&[]);
            let all = calls.iter().all(|s| matches!(s, Step::Call { .. }));
            if let Step::EndLoop { straight, .. } = &mut self.steps[i] {
                *straight = all;
            }
        }
    }
}

fn positions(unit: &UnitDef, list: &[u32], at: impl Fn(Operand) -> u32) -> Box<[u32]> {
    let mut args: Box<[u32]> = list.into();
    for start in unit.operand_layout().0 {
        args[start] = at(Operand(list[start]));
    }
    if unit.state.is_some()
        && let Some(last) = args.last_mut()
    {
        *last = at(Operand(*last));
    }
    args
}
