//! A program linked to a host's units and to a skeleton: names are indices, operands positions.

use std::sync::{Arc, OnceLock};

use super::names::{self as lookup, NameMap};
use super::program::{Program, Variable, VariableRole};
use super::steps::{Call, Step, Steps};
use super::verify::{VerifyError, verify};
use super::{Assets, Container, Operand, Registry, UnitDef};
use crate::hierarchy::{ElementId, ElementKey, Hierarchy, HierarchyError};

/// Why a program cannot run on a skeleton.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BindError {
    /// The bytecode is not sound, or asks for units that the host lacks.
    #[error(transparent)]
    Verify(#[from] VerifyError),
    /// An element that the rig names is not there.
    #[error("node {used_by}: the skeleton has no {key}{}", lookup::hints(key, tried, near))]
    MissingElement {
        /// What was looked for.
        key: ElementKey,
        /// Other names that were tried.
        tried: Vec<String>,
        /// Names that are much like it.
        near: Vec<String>,
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
    /// The program's texts and curves, for units to look up.
    pub(super) assets: Arc<Assets>,
    /// How deep functions call each other.
    pub(super) depth: usize,
    /// For each event, whether it can end with a fault.
    pub(super) may_fault: Vec<bool>,
    pub(super) fingerprint: OnceLock<u64>,
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
            assets: Arc::new(Assets::new(program.strings.clone(), program.curves.clone())),
            depth: program.functions.len() + 1,
            may_fault: Vec::new(),
            fingerprint: OnceLock::new(),
            program: Arc::clone(&program),
        };
        bound.fill_template();
        bound.declare(names)?;
        let Steps { steps, calls } = Steps::of(&program, &bound.units, &layout);
        (bound.steps, bound.calls) = (steps, calls);
        bound.may_fault = program.events.iter().map(|e| bound.event_may_fault(e.start, e.end)).collect();
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
    fn declare(&mut self, names: &NameMap) -> Result<(), Vec<BindError>> {
        let program = Arc::clone(&self.program);
        let mut errors = Vec::new();
        for declared in &program.elements {
            let mut spec = declared.spec.clone();
            let mut whole = true;
            for (parent, key) in spec.parents.iter_mut().zip(&declared.parents) {
                let Some(key) = key.map(|k| &program.keys[k as usize]) else { continue };
                match lookup::find(&self.hierarchy, key, names) {
                    Some(id) => parent.id = id,
                    None => {
                        errors.push(lookup::missing(&self.hierarchy, key, names));
                        whole = false;
                    }
                }
            }
            if whole {
                errors.extend(self.hierarchy.add(&spec).err().map(BindError::Element));
            }
        }
        // What hangs on an element that could not be added is told again with it.
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    /// Writes the ids of the rig's keys into its words, looked up in `hierarchy`; the keys that are
    /// not there.
    fn resolve(&mut self, hierarchy: &Hierarchy, names: &NameMap) -> Vec<usize> {
        let program = Arc::clone(&self.program);
        let found: Vec<_> = program.keys.iter().map(|k| lookup::find(hierarchy, k, names)).collect();
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

    /// Runs `setup` on the template. Elements that it adds may be named anywhere in the rig, itself
    /// too, so where names are missing a first run finds out what it adds and under which ids, and
    /// a second one from the start counts.
    fn setup(&mut self, names: &NameMap) -> Result<(), Vec<BindError>> {
        let mut known = self.hierarchy.clone();
        let mut missing = self.resolve(&known, names);
        let event = self.program.event("setup");
        let mut errors = Vec::new();
        let trial = match event {
            Some(event) if !missing.is_empty() => {
                let mut instance = super::Instance::for_setup(self);
                let ran = instance.run_event(self, event, 0.0);
                known = instance.into_parts().1;
                missing = self.resolve(&known, names);
                if let (Err(fault), false) = (ran, missing.is_empty()) {
                    // What is missing may be what it did not come to add.
                    errors.push(BindError::Setup(fault.to_string()));
                }
                true
            }
            _ => false,
        };
        errors.extend(missing.into_iter().map(|k| lookup::missing(&known, &self.program.keys[k], names)));
        if !errors.is_empty() {
            return Err(errors);
        }
        let Some(event) = event else { return Ok(()) };
        let mut instance = super::Instance::for_setup(self);
        instance.run_event(self, event, 0.0).map_err(|f| vec![BindError::Setup(f.to_string())])?;
        let (memory, hierarchy) = instance.into_parts();
        if trial && !lookup::same_keys(&known, &hierarchy) {
            let message = "which elements are added depends on elements that it adds; add them by name alone";
            return Err(vec![BindError::Setup(message.into())]);
        }
        self.template = memory;
        self.hierarchy = hierarchy;
        Ok(())
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
