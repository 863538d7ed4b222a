//! One character: its registers, its elements, its frame.

use std::sync::Arc;

use super::interp::{NoProbe, Probe, Run, run};
use super::snapshot::{HEADER, Hash, Reader, SnapshotError, Writer};
use super::{BoundProgram, Cx, Elements, FaultKind, Frame, Handle, Memory, Operand, VariableError};
use crate::hierarchy::Hierarchy;
use crate::math::Transform;
use crate::value::PinType;

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

    /// Limits the instructions of a frame. A limit below the length of the program makes every
    /// frame one that may fault, for which a copy of the last good pose is kept.
    pub fn set_budget(&mut self, instructions: u64) {
        self.body.budget = instructions;
        if instructions < self.bound.steps.len() as u64 {
            self.body.make_room_for_good(&self.bound);
        }
    }

    /// Where the character's random stream begins: one that has a seed of its own has a stream of
    /// its own.
    pub fn set_seed(&mut self, seed: u32) {
        self.body.frame.random = seed;
    }

    /// Instructions that the last frame ran.
    pub fn executed(&self) -> u64 {
        self.body.executed
    }

    /// Finds a variable of a type.
    pub fn handle<T: PinType>(&self, name: &str) -> Result<Handle<T>, VariableError> {
        self.bound.handle(name)
    }

    /// Writes a variable. A handle of another bound program does nothing.
    pub fn set<T: PinType>(&mut self, handle: Handle<T>, value: T) {
        if handle.is_of(&self.bound)
            && let Some(words) = self.body.memory.get_mut(handle.at..handle.at + T::WORDS)
        {
            value.write(|i, w| words[i] = [w]);
        }
    }

    /// Reads a variable; its type's default through a handle of another bound program.
    pub fn get<T: PinType>(&self, handle: Handle<T>) -> T {
        match self.body.memory.get(handle.at..handle.at + T::WORDS) {
            Some(words) if handle.is_of(&self.bound) => T::read(|i| words[i][0]),
            _ => T::pin_default(),
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

    /// All that makes the next frames what they are, as bytes: variables, state, elements, time.
    /// The same bytes mean the same future, bit for bit. A member of a [`Crowd`](super::Crowd) in
    /// the same state gives the same bytes.
    pub fn snapshot(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.snapshot_len()];
        self.write_snapshot(&mut bytes);
        bytes
    }

    /// How many bytes a snapshot has.
    pub fn snapshot_len(&self) -> usize {
        let l = &self.bound.layout;
        HEADER + 4 * (3 + l.total - l.external + self.body.hierarchy.state_words())
    }

    /// Writes a snapshot into a buffer of [`Instance::snapshot_len`] bytes; allocates nothing after
    /// the first one.
    pub fn snapshot_into(&self, out: &mut [u8]) -> Result<(), SnapshotError> {
        let (found, want) = (out.len(), self.snapshot_len());
        if found != want {
            return Err(SnapshotError::Buffer { found, want });
        }
        self.write_snapshot(out);
        Ok(())
    }

    fn write_snapshot(&self, out: &mut [u8]) {
        let mut writer = Writer::new(out, self.bound.fingerprint());
        self.each_word(|w| writer.word(w));
    }

    fn each_word(&self, mut put: impl FnMut(u32)) {
        self.body.frame.clock().into_iter().for_each(&mut put);
        for word in &self.body.memory[self.bound.layout.external..] {
            put(word[0]);
        }
        self.body.hierarchy.each_state_word(put);
    }

    /// A number for the whole state: equal states give equal ones, on every machine, and in a crowd
    /// as alone; different ones give different ones, but for one in 2⁶⁴.
    pub fn hash(&self) -> u64 {
        let mut hash = Hash::new();
        self.each_word(|w| hash.word(w));
        hash.end()
    }

    /// Goes back to a snapshot of an instance of the same program and skeleton, or of a crowd's
    /// member. On an error nothing has changed.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), SnapshotError> {
        let mut reader = Reader::new(bytes, self.bound.fingerprint(), self.snapshot_len())?;
        let external = self.bound.layout.external;
        self.body.frame.set_clock([reader.word(), reader.word(), reader.word()]);
        for to in &mut self.body.memory[external..] {
            *to = [reader.word()];
        }
        self.body.hierarchy.take_state_words(|| reader.word());
        Ok(())
    }
}

impl Body {
    fn new(bound: &BoundProgram) -> Self {
        let mut body = Self {
            memory: bound.template.clone(),
            good_memory: Vec::new(),
            good_hierarchy: Vec::new(),
            hierarchy: bound.hierarchy.clone(),
            frame: Frame::of(bound),
            calls: Vec::with_capacity(bound.depth),
            budget: Instance::BUDGET,
            executed: 0,
        };
        if bound.may_fault.contains(&true) {
            body.make_room_for_good(bound);
        }
        body
    }

    /// Room for what a frame that faults goes back to.
    fn make_room_for_good(&mut self, bound: &BoundProgram) {
        self.good_memory.resize(bound.layout.total - bound.layout.external, [0]);
        self.good_hierarchy.resize(self.hierarchy.state_words(), 0);
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
        let guarded = bound.may_fault[event] || self.budget < bound.steps.len() as u64;
        // Setup may add elements: then there is no copy of the right size, and no pose to go back to.
        let guarded = guarded && self.good_hierarchy.len() == self.hierarchy.state_words();
        if guarded {
            self.hierarchy.write_state(&mut self.good_hierarchy);
            self.good_memory.copy_from_slice(&self.memory[bound.layout.external..]);
        }
        self.frame.begin(Frame::sane(dt), event as u32);
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
                self.frame.end();
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
