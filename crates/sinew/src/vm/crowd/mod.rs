//! Crowds: any number of characters, run in blocks.
//!
//! The characters of one program are packed into blocks of 8 or 16, and each instruction runs over a
//! whole block before the next one. Values that are the same in all lanes branch as they do alone;
//! where lanes differ, each side runs under a mask, and a side that no lane takes is not run. What
//! comes out is bit for bit what an [`Instance`](super::Instance) computes, whatever the instruction
//! set, the number of threads, and whoever else stands in the block.
//!
//! # Cost
//!
//! A frame allocates nothing. Adding a program allocates its scratch memory (one block's registers
//! and globals for each thread); adding a member allocates when its block is new, once for 8 or 16
//! members. [`Crowd::remove`] is constant in the size of the crowd and copies one member's words.
//!
//! # Failure
//!
//! A member whose frame ends early keeps its last good pose and state, and [`Crowd::fault`] says
//! why; the rest are unharmed, bit for bit. What cannot be done at all is a [`CrowdError`].
//!
//! ```
//! # use std::sync::Arc;
//! # use sinew::vm::{BoundProgram, Crowd};
//! # fn crowd(bound: &Arc<BoundProgram>) -> Result<(), Box<dyn std::error::Error>> {
//! let mut crowd = Crowd::new();
//! let soldiers = crowd.add_program(bound);
//! let speed = bound.handle::<f32>("speed")?;
//! for i in 0..1000 {
//!     let member = crowd.add(soldiers)?;
//!     crowd.set(member, speed, i as f32 * 0.01)?;
//! }
//! let ended_early = crowd.tick(1.0 / 60.0);
//! assert_eq!(ended_early, 0);
//! # Ok(())
//! # }
//! ```

mod access;
mod alone;
mod block;
mod cohort;
mod error;
mod flow;
mod group;
mod run;
mod scratch;
mod slots;
mod state;

use std::sync::Arc;

pub use self::error::CrowdError;
pub use self::slots::Member;
pub use self::state::RestoreError;

use self::block::Job;
use self::group::AnyGroup;
use self::slots::{Place, Slots};
use super::isa::Isa;
use super::{BoundProgram, Fault, Frame, Instance};

/// A program of a crowd.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProgramId(u32);

/// Characters that are run together.
#[derive(Debug)]
pub struct Crowd {
    isa: Isa,
    parts: Vec<Part>,
    slots: Slots,
    budget: u64,
    /// Frames that were ticked: it says which members are due.
    frame: u64,
}

/// The members of one program.
#[derive(Debug)]
struct Part {
    group: Box<dyn AnyGroup>,
    /// The slot of each member, in the order of the group.
    slots: Vec<u32>,
}

impl Default for Crowd {
    fn default() -> Self {
        Self::new()
    }
}

impl Crowd {
    /// The largest number of frames that a member may go without running.
    pub const MAX_RATE: u32 = 64;

    /// An empty crowd that uses the widest instruction set of this machine.
    pub fn new() -> Self {
        Self::of(Isa::best())
    }

    /// An empty crowd that uses an instruction set, which changes how fast it runs and nothing else.
    ///
    /// # Errors
    ///
    /// [`CrowdError::NoSuchIsa`] if the machine lacks it.
    pub fn with_isa(isa: Isa) -> Result<Self, CrowdError> {
        if isa.is_available() { Ok(Self::of(isa)) } else { Err(CrowdError::NoSuchIsa(isa)) }
    }

    fn of(isa: Isa) -> Self {
        Self { isa, parts: Vec::new(), slots: Slots::default(), budget: Instance::BUDGET, frame: 0 }
    }

    /// The instruction set in use.
    pub fn isa(&self) -> Isa {
        self.isa
    }

    /// Makes room for characters of a program. The same bound program again is the same program.
    pub fn add_program(&mut self, bound: &Arc<BoundProgram>) -> ProgramId {
        let same = |part: &Part| Arc::ptr_eq(part.group.bound(), bound);
        let at = self.parts.iter().position(same).unwrap_or_else(|| {
            self.parts.push(Part { group: group::group(bound, self.isa), slots: Vec::new() });
            self.parts.len() - 1
        });
        ProgramId(at as u32)
    }

    /// One more character, as `setup` left it. It runs in every frame.
    ///
    /// # Errors
    ///
    /// [`CrowdError::UnknownProgram`].
    pub fn add(&mut self, program: ProgramId) -> Result<Member, CrowdError> {
        let part = self.parts.get_mut(program.0 as usize).ok_or(CrowdError::UnknownProgram)?;
        let place = Place { group: program.0, index: part.group.len() as u32 };
        part.group.add(1, 0);
        let member = self.slots.take(place);
        part.slots.push(member.slot());
        Ok(member)
    }

    /// Takes a character away. The last of its program takes its place in the order of
    /// [`Crowd::members`].
    ///
    /// # Errors
    ///
    /// [`CrowdError::Gone`].
    pub fn remove(&mut self, member: Member) -> Result<(), CrowdError> {
        let place = self.place(member)?;
        let part = &mut self.parts[place.group as usize];
        let index = place.index as usize;
        part.group.remove(index);
        part.slots.swap_remove(index);
        if let Some(moved) = part.slots.get(index) {
            self.slots.set_index(*moved, place.index);
        }
        self.slots.free(member.slot());
        Ok(())
    }

    /// How many members there are.
    pub fn len(&self) -> usize {
        self.parts.iter().map(|p| p.slots.len()).sum()
    }

    /// True if there is nobody.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The members of a program, in the order of the slices that [`Crowd::read`], [`Crowd::write`],
    /// [`Crowd::set_poses`] and [`Crowd::all_globals_into`] take; none of an unknown program.
    pub fn members(&self, program: ProgramId) -> impl ExactSizeIterator<Item = Member> {
        let slots = self.parts.get(program.0 as usize).map_or(&[][..], |p| &p.slots);
        slots.iter().map(|slot| self.slots.member(*slot))
    }

    /// The program that a member runs.
    ///
    /// # Errors
    ///
    /// [`CrowdError::Gone`].
    pub fn program(&self, member: Member) -> Result<ProgramId, CrowdError> {
        self.place(member).map(|place| ProgramId(place.group))
    }

    /// A program as it was added.
    ///
    /// # Errors
    ///
    /// [`CrowdError::UnknownProgram`].
    pub fn bound(&self, program: ProgramId) -> Result<&Arc<BoundProgram>, CrowdError> {
        self.part(program).map(|part| part.group.bound())
    }

    /// Lets a member run in every `rate`-th frame only, with the time that has gone by since its last
    /// one; [`Crowd::shown_into`] gives poses in between. Members of one rate are spread over the
    /// frames.
    ///
    /// # Errors
    ///
    /// [`CrowdError::Gone`]; [`CrowdError::Rate`] for 0 and above [`Crowd::MAX_RATE`].
    pub fn set_rate(&mut self, member: Member, rate: u32) -> Result<(), CrowdError> {
        if !(1..=Self::MAX_RATE).contains(&rate) {
            return Err(CrowdError::Rate(rate));
        }
        let (group, index) = self.at_mut(member)?;
        group.set_rate(index, rate);
        Ok(())
    }

    /// In every how many frames a member runs.
    ///
    /// # Errors
    ///
    /// [`CrowdError::Gone`].
    pub fn rate(&self, member: Member) -> Result<u32, CrowdError> {
        self.at(member).map(|(group, index)| group.rate_and_phase(index).0)
    }

    /// Where a member's random stream begins, as [`Instance::set_seed`].
    ///
    /// # Errors
    ///
    /// [`CrowdError::Gone`].
    pub fn set_seed(&mut self, member: Member, seed: u32) -> Result<(), CrowdError> {
        let (group, index) = self.at_mut(member)?;
        group.frame_mut(index).random = seed;
        Ok(())
    }

    /// Limits the instructions of each member's frame, as [`Instance::set_budget`].
    pub fn set_budget(&mut self, instructions: u64) {
        self.budget = instructions;
    }

    /// Runs the event `forward` of the members that are due, after `dt` more seconds; how many of
    /// them ended early. Time that runs backwards or is no number counts as none.
    pub fn tick(&mut self, dt: f32) -> u32 {
        self.tick_by(dt, |group, job, frame| group.run(job, frame))
    }

    /// As [`Crowd::tick`], on all threads of rayon's pool, with the same bits.
    #[cfg(feature = "rayon")]
    pub fn tick_parallel(&mut self, dt: f32) -> u32 {
        self.tick_by(dt, |group, job, frame| group.run_parallel(job, frame))
    }

    fn tick_by(&mut self, dt: f32, run: impl Fn(&mut dyn AnyGroup, Job, Option<u64>) -> u32) -> u32 {
        let (frame, budget) = (self.frame, self.budget);
        self.frame = self.frame.wrapping_add(1);
        let mut early = 0;
        for part in &mut self.parts {
            let Some(event) = part.group.bound().program.event("forward") else { continue };
            part.group.pass(Frame::sane(dt));
            early += run(&mut *part.group, Job { event, budget, dt: None }, Some(frame));
        }
        early
    }

    /// Runs an event of all members whose rig has it, due or not, for `dt` seconds; how many of them
    /// ended early.
    pub fn run(&mut self, event: &str, dt: f32) -> u32 {
        let (budget, dt) = (self.budget, Some(Frame::sane(dt)));
        let mut early = 0;
        for part in &mut self.parts {
            if let Some(event) = part.group.bound().program.event(event) {
                early += part.group.run(Job { event, budget, dt }, None);
            }
        }
        early
    }

    /// Why a member's last run ended early, if it did.
    ///
    /// # Errors
    ///
    /// [`CrowdError::Gone`].
    pub fn fault(&self, member: Member) -> Result<Option<Fault>, CrowdError> {
        let (group, index) = self.at(member)?;
        Ok(group.fault(index).map(|fault| {
            let program = &group.bound().program;
            let event = program.events.get(fault.event as usize);
            Fault {
                event: event.map_or_else(String::new, |e| e.name.clone()),
                node: program.node_of(fault.instruction as usize).unwrap_or("?").to_string(),
                instruction: fault.instruction,
                kind: fault.kind.clone(),
            }
        }))
    }

    /// The members whose last run ended early.
    pub fn faulted(&self) -> impl Iterator<Item = Member> {
        self.parts.iter().flat_map(|part| {
            let ended = part.slots.iter().enumerate().filter(|(i, _)| part.group.fault(*i).is_some());
            ended.map(|(_, slot)| self.slots.member(*slot))
        })
    }

    /// Messages and drawings of a member's last frame.
    ///
    /// # Errors
    ///
    /// [`CrowdError::Gone`].
    pub fn frame(&self, member: Member) -> Result<&Frame, CrowdError> {
        self.at(member).map(|(group, index)| group.frame(index))
    }

    /// Instructions that a member's last frame ran.
    ///
    /// # Errors
    ///
    /// [`CrowdError::Gone`].
    pub fn executed(&self, member: Member) -> Result<u64, CrowdError> {
        self.at(member).map(|(group, index)| group.executed(index))
    }

    /// Bytes that the members of all programs keep, without messages and drawings.
    pub fn bytes(&self) -> usize {
        self.parts.iter().map(|p| p.group.bytes()).sum()
    }

    /// Bytes of the registers and globals that blocks share, one set for each thread.
    pub fn scratch_bytes(&self) -> usize {
        self.parts.iter().map(|p| p.group.scratch_bytes()).sum()
    }

    fn part(&self, program: ProgramId) -> Result<&Part, CrowdError> {
        self.parts.get(program.0 as usize).ok_or(CrowdError::UnknownProgram)
    }

    fn part_mut(&mut self, program: ProgramId) -> Result<&mut Part, CrowdError> {
        self.parts.get_mut(program.0 as usize).ok_or(CrowdError::UnknownProgram)
    }

    fn place(&self, member: Member) -> Result<Place, CrowdError> {
        self.slots.place(member).ok_or(CrowdError::Gone)
    }

    fn at(&self, member: Member) -> Result<(&dyn AnyGroup, usize), CrowdError> {
        let place = self.place(member)?;
        let part = self.parts.get(place.group as usize).ok_or(CrowdError::Gone)?;
        Ok((&*part.group, place.index as usize))
    }

    fn at_mut(&mut self, member: Member) -> Result<(&mut dyn AnyGroup, usize), CrowdError> {
        let place = self.place(member)?;
        let part = self.parts.get_mut(place.group as usize).ok_or(CrowdError::Gone)?;
        Ok((&mut *part.group, place.index as usize))
    }
}
