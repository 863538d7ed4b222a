//! Proves a program's operands, types, jumps, call depth and loop bounds before it runs.
//!
//! What is proved: every operand lies inside its container and every register that a unit writes
//! lies in Work, State or External; every call passes as many operands as its unit has; blocks and
//! loops nest and close; jumps go forward inside one block; functions call only functions that
//! come later in the list, so there is no recursion; every event ends with `exit`, every function
//! with `return`. So each instruction is reached at most as often as the loops around it turn.

use super::{Container, Direction, Instr, Operand, Program, Registry, UnitDef};
use crate::value::Type;

/// What is wrong with a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VerifyError {
    /// A unit is not registered.
    #[error("import {index}: this host has no unit `{signature}`{hint}")]
    UnknownImport {
        /// Its place in the imports.
        index: usize,
        /// What was asked for.
        signature: String,
        /// What there is instead.
        hint: String,
    },
    /// Something at an instruction.
    #[error("instruction {at}{node}: {what}")]
    Instruction {
        /// Its index.
        at: usize,
        /// The node it came from, if known.
        node: String,
        /// What is wrong.
        what: String,
    },
    /// Something outside the code.
    #[error("{0}")]
    Table(String),
}

/// The largest sizes that a program may state; more is refused before anything is allocated.
pub const MAX_CONTAINER_WORDS: u32 = 1 << 24;

/// All that is wrong with a program, or its imports resolved against the host's units.
pub fn verify<'r>(program: &Program, registry: &'r Registry) -> Result<Vec<&'r UnitDef>, Vec<VerifyError>> {
    let mut v = Verifier { program, units: Vec::new(), errors: Vec::new() };
    v.imports(registry);
    v.tables();
    if !v.errors.is_empty() {
        return Err(v.errors);
    }
    for (i, f) in program.functions.iter().enumerate() {
        v.body(&f.name, f.start, f.end, Some(i), f.state_words);
    }
    for e in &program.events {
        v.body(&e.name, e.start, e.end, None, program.state.len() as u32);
    }
    if v.errors.is_empty() && !tiles(program) {
        v.table("events and functions overlap or leave instructions out".into());
    }
    if v.errors.is_empty() { Ok(v.units) } else { Err(v.errors) }
}

/// True if each instruction lies in one event or function: those that lie in none were not looked at.
fn tiles(program: &Program) -> bool {
    let events = program.events.iter().map(|e| (e.start, e.end));
    let mut ranges: Vec<_> = events.chain(program.functions.iter().map(|f| (f.start, f.end))).collect();
    ranges.sort_unstable();
    let end = ranges.iter().try_fold(0, |at, (start, end)| (at == *start).then_some(*end));
    end == Some(program.code.len() as u32)
}

struct Verifier<'p, 'r> {
    program: &'p Program,
    units: Vec<&'r UnitDef>,
    errors: Vec<VerifyError>,
}

/// How many problems are told before the rest is left out.
const MOST_ERRORS: usize = 32;

enum Open {
    Block(usize),
    Loop(usize),
}

impl<'r> Verifier<'_, 'r> {
    fn table(&mut self, what: String) {
        if self.errors.len() < MOST_ERRORS {
            self.errors.push(VerifyError::Table(what));
        }
    }

    fn fail(&mut self, at: usize, what: String) {
        let node = self.program.node_of(at).map_or(String::new(), |n| format!(" (node {n})"));
        if self.errors.len() < MOST_ERRORS {
            self.errors.push(VerifyError::Instruction { at, node, what });
        }
    }

    fn imports(&mut self, registry: &'r Registry) {
        for (index, signature) in self.program.imports.iter().enumerate() {
            match registry.by_signature(signature) {
                Some(unit) => self.units.push(unit),
                None => {
                    let name = signature.split('(').next().unwrap_or_default();
                    let known: Vec<_> = registry.overloads(name).iter().map(UnitDef::signature).collect();
                    let hint = match known.is_empty() {
                        true => "; register the crate it comes from".to_string(),
                        false => format!("; it has {}: compile the rig anew", known.join(", ")),
                    };
                    if self.errors.len() < MOST_ERRORS {
                        let signature = signature.clone();
                        self.errors.push(VerifyError::UnknownImport { index, signature, hint });
                    }
                }
            }
        }
    }

    fn size(&self, container: Container) -> u32 {
        match container {
            Container::Literal => self.program.literals.len() as u32,
            Container::Work => self.program.work_words,
            Container::State => self.program.state.len() as u32,
            Container::External => self.program.external.len() as u32,
        }
    }

    fn tables(&mut self) {
        let p = self.program;
        for c in Container::ALL {
            if self.size(c) > MAX_CONTAINER_WORDS {
                self.table(format!("{c:?} has more than {MAX_CONTAINER_WORDS} words"));
            }
        }
        for (i, e) in p.element_words.iter().enumerate() {
            let writable = matches!(e.word.container(), Container::Literal | Container::External);
            if !writable || e.word.offset() >= self.size(e.word.container()) || e.key as usize >= p.keys.len()
            {
                self.table(format!("element word {i} ({}, key {}) points outside", e.word, e.key));
            }
        }
        for (i, e) in p.elements.iter().enumerate() {
            if e.parents.iter().flatten().any(|key| *key as usize >= p.keys.len()) {
                self.table(format!("element {i} (`{}`) has a parent with no key", e.spec.key));
            }
        }
        for v in &p.variables {
            if v.offset.checked_add(v.words).is_none_or(|end| end > self.size(Container::External)) {
                self.table(format!("variable `{}` lies outside External", v.name));
            }
        }
        let ranges = p.events.iter().map(|e| (&e.name, e.start, e.end));
        for (name, start, end) in ranges.chain(p.functions.iter().map(|f| (&f.name, f.start, f.end))) {
            if start >= end || end as usize > p.code.len() {
                self.table(format!("`{name}` has no code or points outside it"));
            }
        }
    }

    fn operand(&mut self, at: usize, word: u32, words: u32, writes: bool, state_words: u32) {
        let o = Operand(word);
        let size = if o.container() == Container::State { state_words } else { self.size(o.container()) };
        if o.offset().checked_add(words).is_none_or(|end| end > size) {
            self.fail(at, format!("operand {o} of {words} words lies outside its container of {size}"));
        }
        if writes && o.container() == Container::Literal {
            self.fail(at, format!("operand {o} is a literal and cannot be written"));
        }
    }

    /// State is reached through a unit's own state operand alone.
    fn plain(&mut self, at: usize, word: u32, words: u32, writes: bool) {
        if Operand(word).container() == Container::State {
            self.fail(
                at,
                format!("operand {} is state; only a unit's own state may lie there", Operand(word)),
            );
        }
        self.operand(at, word, words, writes, 0);
    }

    fn body(&mut self, name: &str, start: u32, end: u32, function: Option<usize>, state_words: u32) {
        let (start, end) = (start as usize, end as usize);
        let program = self.program;
        let Some(code) = program.code.get(start..end) else { return };
        let last = if function.is_some() { Instr::Return } else { Instr::Exit };
        if code.last() != Some(&last) {
            self.table(format!("`{name}` does not end with {}", last.mnemonic()));
            return;
        }
        let mut open: Vec<Open> = Vec::new();
        let mut targets: Vec<(usize, usize, usize)> = Vec::new();
        // For each instruction the begin of its innermost block, to keep jumps inside it.
        let mut inside = vec![usize::MAX; code.len()];
        for (i, instr) in code.iter().enumerate() {
            let at = start + i;
            let innermost = open.last().map_or(usize::MAX, |o| match o {
                Open::Block(b) | Open::Loop(b) => *b,
            });
            inside[i] = innermost;
            match *instr {
                Instr::Call { import, args, count } => self.call(at, import, args, count, state_words),
                Instr::Copy { to, from, words } => {
                    self.plain(at, to.0, words, true);
                    self.plain(at, from.0, words, false);
                }
                Instr::Jump { target } => targets.push((at, target as usize, innermost)),
                Instr::JumpIf { condition, target } => {
                    self.plain(at, condition.0, 1, false);
                    targets.push((at, target as usize, innermost));
                }
                Instr::BeginBlock { condition, end: close, .. } => {
                    self.plain(at, condition.0, 1, false);
                    self.close(at, close, end, code, start, &Instr::EndBlock);
                    open.push(Open::Block(at));
                }
                Instr::BeginLoop { index, args, end: close, .. } => {
                    self.plain(at, index.0, 1, true);
                    match program.operands.get(args as usize..(args as usize).saturating_add(2)) {
                        Some(&[count, bound]) => {
                            self.plain(at, count, 1, false);
                            self.plain(at, bound, 1, false);
                            if Operand(bound).container() != Container::Literal {
                                self.fail(at, "a loop's bound must be a literal".into());
                            }
                        }
                        _ => self.fail(at, "the loop's operands lie outside the list".into()),
                    }
                    self.close(at, close, end, code, start, &Instr::EndLoop);
                    open.push(Open::Loop(at));
                }
                Instr::EndBlock => match open.pop() {
                    Some(Open::Block(b)) if self.closes(b, at) => {}
                    _ => self.fail(at, "this end_block closes no block".into()),
                },
                Instr::EndLoop => match open.pop() {
                    Some(Open::Loop(b)) if self.closes(b, at) => {}
                    _ => self.fail(at, "this end_loop closes no loop".into()),
                },
                Instr::Break { unless } => {
                    self.plain(at, unless.0, 1, false);
                    if !matches!(open.last(), Some(Open::Loop(_))) {
                        self.fail(at, "break_unless must stand directly in a loop".into());
                    }
                }
                Instr::CallFunction { function: callee, state } => {
                    match program.functions.get(callee as usize) {
                        None => self.fail(at, format!("there is no function {callee}")),
                        Some(_) if function.is_some_and(|f| callee as usize <= f) => {
                            self.fail(at, format!("function {callee} stands before its caller: recursion"));
                        }
                        Some(f) => {
                            if state.checked_add(f.state_words).is_none_or(|e| e > state_words) {
                                self.fail(at, format!("the state of `{}` lies outside its caller's", f.name));
                            }
                        }
                    }
                }
                Instr::Return | Instr::Exit => {
                    if *instr != last || i + 1 != code.len() {
                        self.fail(at, format!("{} must be the last instruction", last.mnemonic()));
                    }
                }
            }
        }
        if !open.is_empty() {
            self.table(format!("`{name}` leaves a block or loop open"));
        }
        for (at, target, innermost) in targets {
            let ok = target > at && target < end && inside[target - start] == innermost;
            if !ok {
                self.fail(at, format!("jump to {target} is not forward inside its own block"));
            }
        }
    }

    fn close(&mut self, at: usize, close: u32, end: usize, code: &[Instr], start: usize, want: &Instr) {
        let close = close as usize;
        let found = (close > at && close < end).then(|| code.get(close - start)).flatten();
        if found != Some(want) {
            self.fail(at, format!("its end {close} is no {} of the same code", want.mnemonic()));
        }
    }

    fn closes(&self, begin: usize, at: usize) -> bool {
        match self.program.code.get(begin) {
            Some(Instr::BeginBlock { end, .. } | Instr::BeginLoop { end, .. }) => *end as usize == at,
            _ => false,
        }
    }

    fn call(&mut self, at: usize, import: u32, args: u32, count: u32, state_words: u32) {
        let program = self.program;
        let Some(&unit) = self.units.get(import as usize) else {
            return self.fail(at, format!("there is no import {import}"));
        };
        let (starts, total) = unit.operand_layout();
        let first = args as usize;
        let list = program.operands.get(first..first.saturating_add(count as usize));
        let Some(list) = list.filter(|l| l.len() == total) else {
            return self.fail(at, format!("`{}` takes {total} operand words, not {count}", unit.name));
        };
        let any = if unit.is_generic() { list[0] } else { 0 };
        if any > MAX_CONTAINER_WORDS {
            return self.fail(at, format!("a value of {any} words is too large"));
        }
        let mut arrays: Vec<(u32, u32)> = Vec::new();
        for (pin, start) in unit.pins.iter().zip(starts) {
            let writes = pin.direction != Direction::In;
            let words = match &pin.ty {
                Type::Array(elem, _) => {
                    let elem = if elem.is_generic() { any } else { elem.words() };
                    elem.saturating_mul(list[start + 1]).saturating_add(1)
                }
                Type::Any => any,
                ty => ty.words(),
            };
            self.plain(at, list[start], words, writes);
            if writes && matches!(pin.ty, Type::Array(..)) {
                arrays.push((list[start], words));
            }
        }
        if let Some(state) = &unit.state {
            let word = list[total - 1];
            if Operand(word).container() != Container::State {
                self.fail(at, format!("the state of `{}` is not in State", unit.name));
            }
            self.operand(at, word, state.len() as u32, true, state_words);
        }
    }
}
