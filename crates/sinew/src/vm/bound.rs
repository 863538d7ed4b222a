//! A program linked to a host's units and to a skeleton: names are indices, operands positions.

use std::sync::Arc;

use super::program::{Program, Variable, VariableRole};
use super::verify::{VerifyError, verify};
use super::{Container, Entry, Instr, Operand, Registry, UnitDef};
use crate::hierarchy::{ElementId, ElementKey, ElementKind, Hierarchy, HierarchyError};

/// Why a program cannot run on a skeleton.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BindError {
    /// The bytecode is not sound, or asks for units that the host lacks.
    #[error(transparent)]
    Verify(#[from] VerifyError),
    /// An element that the rig names is not there.
    #[error(
        "node {used_by}: the skeleton has no {key}{tried}{near}; map it to one it has, or add the name to the rig's `bones`"
    )]
    MissingElement {
        /// What was looked for.
        key: ElementKey,
        /// Other names that were tried.
        tried: String,
        /// Names that are much like it.
        near: String,
        /// A node that uses it.
        used_by: String,
    },
    /// An element that the rig declares cannot be added.
    #[error("the rig's own elements: {0}")]
    Element(#[from] HierarchyError),
    /// The rig's `setup` ended with a fault.
    #[error("setup: {0}")]
    Setup(String),
}

/// Names that stand for others on one skeleton: `head` is to be `Bip01_Head`.
pub type NameMap = std::collections::BTreeMap<String, String>;

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
    pub entry: Entry,
    pub args: Box<[u32]>,
}

/// A program that is ready to run on characters of one skeleton. Shared by its instances.
#[derive(Debug)]
pub struct BoundProgram {
    pub(super) program: Arc<Program>,
    pub(super) units: Vec<UnitDef>,
    pub(super) steps: Vec<Step>,
    pub(super) calls: Vec<Call>,
    pub(super) layout: Layout,
    /// Memory and hierarchy of a fresh instance, after setup.
    pub(super) template: Vec<[u32; 1]>,
    pub(super) hierarchy: Hierarchy,
    /// How deep functions call each other.
    pub(super) depth: usize,
    /// For each event, whether it can end with a fault.
    pub(super) may_fault: Vec<bool>,
}

/// Where the containers begin in an instance's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub work: usize,
    pub external: usize,
    pub state: usize,
    pub total: usize,
}

impl Layout {
    fn of(p: &Program) -> Self {
        let work = p.literals.len();
        let external = work + p.work_words as usize;
        let state = external + p.external.len();
        Self { work, external, state, total: state + p.state.len() }
    }

    /// State operands stay relative: the running function's block is added when they are used.
    pub(super) fn position(&self, o: Operand) -> u32 {
        let base = match o.container() {
            Container::Literal | Container::State => 0,
            Container::Work => self.work,
            Container::External => self.external,
        };
        base as u32 + o.offset()
    }
}

impl BoundProgram {
    /// Links a program to units and to a skeleton's elements.
    ///
    /// `skeleton` has the bones; elements that the rig declares are added behind them. Keys are
    /// looked up under their candidates in order, each first through `names`. The event `setup` is
    /// run once; every instance starts as it leaves things. All problems are reported together.
    pub fn bind(
        program: Arc<Program>,
        registry: &Registry,
        skeleton: &Hierarchy,
        names: &NameMap,
    ) -> Result<Self, Vec<BindError>> {
        let units =
            verify(&program, registry).map_err(|e| e.into_iter().map(Into::into).collect::<Vec<_>>())?;
        let units: Vec<UnitDef> = units.into_iter().cloned().collect();
        let layout = Layout::of(&program);
        let mut bound = Self {
            units,
            steps: Vec::new(),
            calls: Vec::new(),
            layout,
            template: Vec::with_capacity(layout.total),
            hierarchy: skeleton.clone(),
            depth: program.functions.len() + 1,
            may_fault: Vec::new(),
            program: Arc::clone(&program),
        };
        bound.fill_template();
        bound.declare(names).map_err(|e| vec![e])?;
        bound.decode();
        bound.setup(names)?;
        // So that the first read of a fresh instance is as cheap as any.
        bound.hierarchy.update_all();
        Ok(bound)
    }

    fn fill_template(&mut self) {
        let p = &self.program;
        let word = |w: &u32| [*w];
        self.template.extend(p.literals.iter().map(word));
        self.template.resize(self.layout.external, [0]);
        self.template.extend(p.external.iter().map(word));
        self.template.extend(p.state.iter().map(word));
    }

    /// Adds the rig's own elements to the skeleton's.
    fn declare(&mut self, names: &NameMap) -> Result<(), BindError> {
        let program = Arc::clone(&self.program);
        for declared in &program.elements {
            let mut spec = declared.spec.clone();
            for (parent, key) in spec.parents.iter_mut().zip(&declared.parents) {
                parent.id = match key {
                    None => ElementId::NONE,
                    Some(key) => match self.find(&program.keys[*key as usize], names) {
                        Some(id) => id,
                        None => return Err(self.missing(&program.keys[*key as usize], names)),
                    },
                };
            }
            self.hierarchy.add(&spec)?;
        }
        Ok(())
    }

    fn find(&self, key: &super::KeyRef, names: &NameMap) -> Option<ElementId> {
        let topology = self.hierarchy.topology();
        let mapped = names.get(&key.name);
        let tried = mapped.into_iter().chain(&key.candidates).chain(core::iter::once(&key.name));
        tried.into_iter().find_map(|n| topology.find(&ElementKey::new(key.kind, n.clone())))
    }

    fn missing(&self, key: &super::KeyRef, names: &NameMap) -> BindError {
        let mapped = names.get(&key.name);
        let tried: Vec<_> = mapped.into_iter().chain(&key.candidates).cloned().collect();
        let tried = if tried.is_empty() { String::new() } else { format!(" (tried {})", tried.join(", ")) };
        let near = near(&self.hierarchy, key.kind, &key.name);
        let key_of = ElementKey::new(key.kind, key.name.clone());
        BindError::MissingElement { key: key_of, tried, near, used_by: key.used_by.clone() }
    }

    /// Writes the ids of the rig's keys into its words; the keys that are not there.
    fn resolve(&mut self, names: &NameMap) -> Vec<usize> {
        let program = Arc::clone(&self.program);
        let found: Vec<_> = program.keys.iter().map(|k| self.find(k, names)).collect();
        for e in &program.element_words {
            let at = self.layout.position(e.word) as usize;
            let id = found.get(e.key as usize).copied().flatten().unwrap_or(ElementId::NONE);
            if let Some(word) = self.template.get_mut(at) {
                *word = [id.0];
            }
        }
        let used = |i: &usize| program.element_words.iter().any(|e| e.key as usize == *i);
        (0..found.len()).filter(|i| found[*i].is_none()).filter(used).collect()
    }

    /// Runs `setup` on the template. Elements that it adds may be named anywhere in the rig, so a
    /// first run finds out what it adds and a second one, on a fresh skeleton that has them, counts.
    fn setup(&mut self, names: &NameMap) -> Result<(), Vec<BindError>> {
        let missing = self.resolve(names);
        let event = self.program.event("setup");
        if let (Some(event), false) = (event, missing.is_empty()) {
            let mut trial = super::Instance::from_template(self);
            // A fault in the trial shows again in the run that counts.
            let _ = trial.run_event(self, event, 0.0);
            let known = self.hierarchy.len();
            let topology = trial.hierarchy().topology();
            for id in topology.ids().skip(known) {
                if let Some(spec) = topology.spec(id) {
                    self.hierarchy.add(&spec).map_err(|e| vec![e.into()])?;
                }
            }
        }
        let missing = self.resolve(names);
        if !missing.is_empty() {
            return Err(missing.into_iter().map(|k| self.missing(&self.program.keys[k], names)).collect());
        }
        if let Some(event) = event {
            let mut instance = super::Instance::from_template(self);
            instance.run_event(self, event, 0.0).map_err(|f| vec![BindError::Setup(f.to_string())])?;
            let (memory, hierarchy) = instance.into_parts();
            self.template = memory;
            self.hierarchy = hierarchy;
        }
        Ok(())
    }

    fn decode(&mut self) {
        let program = Arc::clone(&self.program);
        let layout = self.layout;
        let at = |o: Operand| layout.position(o);
        let mut loops: Vec<(u32, u32, u32, bool)> = Vec::new();
        for (pc, instr) in program.code.iter().enumerate() {
            let pc = pc as u32;
            let step = match *instr {
                Instr::Call { import, args, count } => {
                    let unit = &self.units[import as usize];
                    let list = &program.operands[args as usize..(args + count) as usize];
                    let call = self.calls.len() as u32;
                    self.calls.push(Call { entry: unit.entry, args: positions(unit, list, at) });
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
                    let Some(Step::BeginLoop { count, bound, .. }) = self.steps.get(begin as usize).copied()
                    else {
                        self.steps.push(Step::Nothing);
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
            self.steps.push(step);
        }
        self.drop_nothings();
        self.join_calls();
        self.may_fault = program.events.iter().map(|e| self.event_may_fault(e.start, e.end)).collect();
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

    /// A run without loops, calls and units that may fail always ends well: it needs no copy of
    /// the last good pose.
    fn event_may_fault(&self, start: u32, end: u32) -> bool {
        self.steps[start as usize..end as usize].iter().any(|s| match s {
            Step::CallTold { fallible, .. } => *fallible,
            Step::BeginLoop { .. } | Step::CallFunction { .. } => true,
            _ => false,
        })
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The units that the program imports, in the order of its imports.
    pub fn units(&self) -> &[UnitDef] {
        &self.units
    }

    /// The hierarchy that instances start with.
    pub fn hierarchy(&self) -> &Hierarchy {
        &self.hierarchy
    }

    /// The variable of this name and role, for a host to hold on to.
    pub fn variable(&self, name: &str) -> Option<&Variable> {
        self.program.variable(name)
    }

    /// Inputs, outputs or internals.
    pub fn variables(&self, role: VariableRole) -> impl Iterator<Item = &Variable> {
        self.program.variables.iter().filter(move |v| v.role == role)
    }

    /// Words of memory for each instance, without its hierarchy.
    pub fn memory_words(&self) -> usize {
        self.layout.total
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

/// Names on the skeleton that share the most letters with the wanted one.
fn near(h: &Hierarchy, kind: ElementKind, name: &str) -> String {
    let plain = |s: &str| s.to_lowercase().replace(|c: char| !c.is_alphanumeric(), "");
    let want = plain(name);
    let score = |other: &str| {
        let other = plain(other);
        let common = want.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
        let within = if other.contains(&want) || want.contains(&other) { 8 } else { 0 };
        common + within
    };
    let keys = h.topology().ids().filter_map(|id| h.topology().key(id)).filter(|k| k.kind == kind);
    let mut scored: Vec<_> = keys.map(|k| (score(&k.name), &k.name)).filter(|(s, _)| *s >= 3).collect();
    scored.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
    let best: Vec<_> = scored.iter().take(3).map(|(_, n)| format!("`{n}`")).collect();
    if best.is_empty() { String::new() } else { format!("; it has {}", best.join(", ")) }
}
