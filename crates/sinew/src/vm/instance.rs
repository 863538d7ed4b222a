//! One character: its registers, its elements, its frame.

use core::marker::PhantomData;
use std::sync::Arc;

use super::interp::{NoProbe, Probe, Run, run};
use super::{BoundProgram, Cx, Elements, FaultKind, Frame, Memory, Operand};
use crate::hierarchy::Hierarchy;
use crate::math::Transform;
use crate::value::{PinType, Type};

/// A frame that ended early. The instance shows its last good pose and can be run again.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("event {event}, node {node} (instruction {instruction}): {kind}")]
pub struct Fault {
    /// The event that ran.
    pub event: String,
    /// The node that ended it.
    pub node: String,
    /// The instruction.
    pub instruction: u32,
    /// Why.
    pub kind: FaultKind,
}

/// Why a variable cannot be used as asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VariableError {
    /// There is none of that name.
    #[error("the rig has no variable `{0}`; it has {1}")]
    Unknown(String, String),
    /// It has another type.
    #[error("variable `{name}` is {is}, not {asked}")]
    Type {
        /// The variable.
        name: String,
        /// Its type.
        is: String,
        /// The type that was asked for.
        asked: String,
    },
}

/// A variable found once by name, for reading and writing in every frame.
#[derive(Clone, Copy, Debug)]
pub struct Handle<T> {
    at: usize,
    _t: PhantomData<T>,
}

/// One character's memory. Nothing here allocates after it is made.
#[derive(Debug)]
pub struct Instance {
    bound: Arc<BoundProgram>,
    body: Body,
}

/// What changes from frame to frame, apart from the program so that both can be borrowed.
#[derive(Debug)]
pub(super) struct Body {
    memory: Vec<[u32; 1]>,
    hierarchy: Hierarchy,
    frame: Frame,
    calls: Vec<(u32, u32)>,
    /// Copy of memory and hierarchy from before a frame that may fault.
    good_memory: Vec<[u32; 1]>,
    good_hierarchy: Vec<u32>,
    budget: u64,
    executed: u64,
}

impl Instance {
    /// Instructions that a frame may run unless [`Instance::set_budget`] says otherwise.
    pub const BUDGET: u64 = 10_000_000;

    /// A character as `setup` left it.
    pub fn new(bound: &Arc<BoundProgram>) -> Self {
        Self { body: Body::new(bound), bound: Arc::clone(bound) }
    }

    /// A character before `setup`, which may add elements to it.
    pub(super) fn for_setup(bound: &BoundProgram) -> Body {
        let mut body = Body::new(bound);
        body.frame.building = true;
        body
    }

    /// The program it runs.
    pub fn bound(&self) -> &Arc<BoundProgram> {
        &self.bound
    }

    /// Runs the event `forward` for `dt` seconds.
    pub fn tick(&mut self, dt: f32) -> Result<(), Fault> {
        match self.bound.program.event("forward") {
            Some(event) => self.body.run_event(&self.bound, event, dt),
            None => Ok(()),
        }
    }

    /// Runs an event by name; a rig that has no such event does nothing.
    pub fn run(&mut self, event: &str, dt: f32) -> Result<(), Fault> {
        match self.bound.program.event(event) {
            Some(event) => self.body.run_event(&self.bound, event, dt),
            None => Ok(()),
        }
    }

    /// Runs an event while a probe looks on: a profiler, a debugger, a finder of NaNs.
    pub fn run_probed<P: Probe>(&mut self, event: usize, dt: f32, probe: &mut P) -> Result<(), Fault> {
        self.body.run_with(&self.bound, event, dt, probe)
    }

    /// Loads a pose into the bones: locals in the skeleton's order.
    pub fn set_pose(&mut self, locals: &[Transform]) {
        self.body.hierarchy.set_locals(locals);
    }

    /// Locals of all elements, bones first.
    pub fn pose(&self) -> &[Transform] {
        self.body.hierarchy.locals()
    }

    /// The elements.
    pub fn hierarchy(&self) -> &Hierarchy {
        &self.body.hierarchy
    }

    /// The elements, to pose controls with.
    pub fn hierarchy_mut(&mut self) -> &mut Hierarchy {
        &mut self.body.hierarchy
    }

    /// Messages and drawings of the last frame.
    pub fn frame(&self) -> &Frame {
        &self.body.frame
    }

    /// Limits the instructions of a frame.
    pub fn set_budget(&mut self, instructions: u64) {
        self.body.budget = instructions;
    }

    /// Instructions that the last frame ran.
    pub fn executed(&self) -> u64 {
        self.body.executed
    }

    /// Finds a variable of a type.
    pub fn handle<T: PinType>(&self, name: &str) -> Result<Handle<T>, VariableError> {
        let program = &self.bound.program;
        let Some(v) = program.variable(name) else {
            let known: Vec<_> = program.variables.iter().map(|v| v.name.as_str()).collect();
            return Err(VariableError::Unknown(name.into(), known.join(", ")));
        };
        let asked = T::pin_type();
        // A program keeps types as text; an enum of the rig's is read as an Int.
        let same = v.ty == asked.to_string() || (asked == Type::Int && !v.variants.is_empty());
        if !same || v.words != T::WORDS as u32 {
            return Err(VariableError::Type {
                name: name.into(),
                is: v.ty.clone(),
                asked: asked.to_string(),
            });
        }
        Ok(Handle { at: self.bound.layout.external + v.offset as usize, _t: PhantomData })
    }

    /// Writes a variable.
    pub fn set<T: PinType>(&mut self, handle: Handle<T>, value: T) {
        if let Some(words) = self.body.memory.get_mut(handle.at..handle.at + T::WORDS) {
            value.write(|i, w| words[i] = [w]);
        }
    }

    /// Reads a variable.
    pub fn get<T: PinType>(&self, handle: Handle<T>) -> T {
        match self.body.memory.get(handle.at..handle.at + T::WORDS) {
            Some(words) => T::read(|i| words[i][0]),
            None => T::pin_default(),
        }
    }

    /// Words of a variable, by its place in External.
    pub fn external(&self) -> &[[u32; 1]] {
        let l = &self.bound.layout;
        self.body.memory.get(l.external..l.state).unwrap_or(&[])
    }

    /// Words of variables, to write.
    pub fn external_mut(&mut self) -> &mut [[u32; 1]] {
        let l = self.bound.layout;
        self.body.memory.get_mut(l.external..l.state).unwrap_or(&mut [])
    }

    /// The words of a register as the last run left it; empty where it lies outside.
    pub fn register(&self, operand: Operand, words: u32) -> &[[u32; 1]] {
        let base = match operand.container() {
            super::Container::State => self.bound.layout.state,
            _ => 0,
        };
        let at = base + self.bound.layout.position(operand) as usize;
        self.body.memory.get(at..at + words as usize).unwrap_or(&[])
    }

    /// All that makes the next frames what they are, as words: variables, state, elements, time.
    /// The same words mean the same future, bit for bit.
    pub fn snapshot(&self) -> Vec<u32> {
        let mut words = vec![0; self.snapshot_words()];
        self.snapshot_into(&mut words);
        words
    }

    /// How many words a snapshot has.
    pub fn snapshot_words(&self) -> usize {
        let l = &self.bound.layout;
        3 + l.total - l.external + self.body.hierarchy.state_words()
    }

    /// Writes a snapshot without allocating; false if `out` is of another length.
    pub fn snapshot_into(&self, out: &mut [u32]) -> bool {
        if out.len() != self.snapshot_words() {
            return false;
        }
        let l = &self.bound.layout;
        let (head, rest) = out.split_at_mut(3);
        head.copy_from_slice(&[
            self.body.frame.time.to_bits(),
            self.body.frame.index,
            self.body.frame.random,
        ]);
        let (words, elements) = rest.split_at_mut(l.total - l.external);
        for (to, from) in words.iter_mut().zip(&self.body.memory[l.external..]) {
            *to = from[0];
        }
        self.body.hierarchy.write_state(elements)
    }

    /// Goes back to a snapshot of an instance of the same bound program; false, and nothing
    /// changed, if the length shows that it is of another.
    pub fn restore(&mut self, words: &[u32]) -> bool {
        if words.len() != self.snapshot_words() {
            return false;
        }
        let l = self.bound.layout;
        let (head, rest) = words.split_at(3);
        let (memory, elements) = rest.split_at(l.total - l.external);
        self.body.frame.time = f32::from_bits(head[0]);
        self.body.frame.index = head[1];
        self.body.frame.random = head[2];
        for (to, from) in self.body.memory[l.external..].iter_mut().zip(memory) {
            *to = [*from];
        }
        self.body.hierarchy.read_state(elements)
    }
}

impl Body {
    fn new(bound: &BoundProgram) -> Self {
        let hierarchy = bound.hierarchy.clone();
        let faulty = bound.may_fault.iter().any(|f| *f);
        let good = |n: usize| if faulty { n } else { 0 };
        Self {
            memory: bound.template.clone(),
            good_memory: vec![[0]; good(bound.layout.total - bound.layout.external)],
            good_hierarchy: vec![0; good(hierarchy.state_words())],
            hierarchy,
            frame: Frame { assets: Arc::clone(&bound.assets), ..Frame::new(0x9E37_79B9) },
            calls: Vec::with_capacity(bound.depth),
            budget: Instance::BUDGET,
            executed: 0,
        }
    }

    pub(super) fn into_parts(self) -> (Vec<[u32; 1]>, Hierarchy) {
        (self.memory, self.hierarchy)
    }

    pub(super) fn run_event(&mut self, bound: &BoundProgram, event: usize, dt: f32) -> Result<(), Fault> {
        self.run_with(bound, event, dt, &mut NoProbe)
    }

    fn run_with<P: Probe>(
        &mut self,
        bound: &BoundProgram,
        event: usize,
        dt: f32,
        probe: &mut P,
    ) -> Result<(), Fault> {
        let Some(entry) = bound.program.events.get(event) else { return Ok(()) };
        // Time that runs backwards or is no number would spoil every state it meets.
        let dt = if dt > 0.0 && dt < f32::INFINITY { dt } else { 0.0 };
        let guarded = bound.may_fault[event];
        // Setup may add elements: then there is no copy of the right size, and no pose to go back to.
        let guarded = guarded && self.good_hierarchy.len() == self.hierarchy.state_words();
        if guarded {
            self.hierarchy.write_state(&mut self.good_hierarchy);
            self.good_memory.copy_from_slice(&self.memory[bound.layout.external..]);
        }
        self.frame.log.clear();
        self.frame.draw.clear();
        self.frame.dt = dt;
        self.frame.event = event as u32;
        let random = self.frame.random;
        let mut cx = Cx {
            memory: Memory::new(&mut self.memory, bound.layout.state),
            rig: Elements::One(&mut self.hierarchy),
            frames: core::array::from_mut(&mut self.frame),
            fault: None,
        };
        let parts =
            Run { steps: &bound.steps, calls: &bound.calls, state: bound.layout.state, budget: self.budget };
        let result = run(&parts, entry.start, &mut cx, &mut self.calls, probe);
        match result {
            Ok(executed) => {
                self.executed = executed;
                self.frame.time += dt;
                self.frame.index = self.frame.index.wrapping_add(1);
                Ok(())
            }
            Err((instruction, kind)) => {
                if guarded {
                    self.hierarchy.read_state(&self.good_hierarchy);
                    self.memory[bound.layout.external..].copy_from_slice(&self.good_memory);
                }
                self.frame.random = random;
                let node = bound.program.node_of(instruction as usize).unwrap_or("?").to_string();
                Err(Fault { event: entry.name.clone(), node, instruction, kind })
            }
        }
    }
}
