//! All members of one program.

use std::sync::{Arc, Mutex};

use super::block::{Job, LaneFault};
use super::cohort::Cohort;
use super::run::LaneProgram;
use super::scratch::Scratch;
use crate::hierarchy::{ElementId, LaneHierarchy, LaneShared, lane_of, rows_of};
use crate::math::Transform;
use crate::value::Plain;
use crate::vm::isa::{Compose, Entry, Isa, Width};
use crate::vm::{BoundProgram, Frame};

/// A group of either width. Members are named by their place in the order of the group.
pub(super) trait AnyGroup: core::fmt::Debug + Send + Sync {
    fn bound(&self) -> &Arc<BoundProgram>;
    fn len(&self) -> usize;
    /// One more member, as `setup` left things, in the cohort of a rate and a phase.
    fn add(&mut self, rate: u32, phase: u32);
    /// Takes a member away; the last one takes its place in the order.
    fn remove(&mut self, index: usize);
    /// Takes all away.
    fn clear(&mut self);
    /// Moves a member to the least crowded cohort of a rate.
    fn set_rate(&mut self, index: usize, rate: u32);
    fn rate_and_phase(&self, index: usize) -> (u32, u32);
    fn read(&self, index: usize, at: usize, out: &mut [u32]);
    fn write(&mut self, index: usize, at: usize, words: &[u32]);
    fn frame(&self, index: usize) -> &Frame;
    fn frame_mut(&mut self, index: usize) -> &mut Frame;
    fn pending(&self, index: usize) -> f32;
    fn set_pending(&mut self, index: usize, seconds: f32);
    fn fault(&self, index: usize) -> Option<&LaneFault>;
    fn executed(&self, index: usize) -> u64;
    fn set_pose(&mut self, index: usize, locals: &[Transform]) -> bool;
    fn set_poses(&mut self, locals: &[Transform], each: usize);
    fn local(&self, index: usize, id: ElementId) -> Transform;
    fn pose(&self, index: usize, out: &mut [Transform]);
    fn shown(&self, index: usize, out: &mut [Transform]);
    fn globals(&mut self, index: usize, out: &mut [Transform]);
    fn all_globals(&mut self, out: &mut [Transform], each: usize);
    fn pass(&mut self, dt: f32);
    /// Runs the cohorts that are due in a frame, or all; how many members ended early.
    fn run(&mut self, job: Job, frame: Option<u64>) -> u32;
    #[cfg(feature = "rayon")]
    fn run_parallel(&mut self, job: Job, frame: Option<u64>) -> u32;
    fn each_initial_word(&self, put: &mut dyn FnMut(u32));
    fn initial_words(&self) -> usize;
    /// How many words stand before the initials in the state of an instance.
    fn words_before_initials(&self) -> usize;
    /// How many words a member keeps, without the initials, which all share.
    fn words(&self) -> usize;
    /// Gives the words that a member keeps, with or without the initials.
    fn each_word(&self, index: usize, initials: bool, put: &mut dyn FnMut(u32));
    /// Takes that back; initials are passed over.
    fn take_words(&mut self, index: usize, initials: bool, next: &mut dyn FnMut() -> u32);
    fn bytes(&self) -> usize;
    fn scratch_bytes(&self) -> usize;
}

/// A group for an instruction set.
pub(super) fn group(bound: &Arc<BoundProgram>, isa: Isa) -> Box<dyn AnyGroup> {
    match isa.lanes() {
        16 => Box::new(Group::<16>::new(bound, isa)),
        _ => Box::new(Group::<8>::new(bound, isa)),
    }
}

#[derive(Debug)]
struct Group<const L: usize> {
    program: LaneProgram<L>,
    shared: LaneShared<L>,
    cohorts: Vec<Cohort<L>>,
    /// Where each member sits, in the order of the group.
    places: Vec<Place>,
    /// One for each thread; the first is this thread's.
    scratch: Vec<Mutex<Scratch<L>>>,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    cohort: u32,
    seat: u32,
}

impl<const L: usize> Group<L>
where
    Entry<L>: Width,
{
    fn new(bound: &Arc<BoundProgram>, isa: Isa) -> Self {
        let shared = LaneShared::new(&bound.hierarchy, Compose::of::<L>(isa));
        let scratch = Mutex::new(Scratch::new(bound, &shared));
        Self {
            program: LaneProgram::new(bound, isa),
            cohorts: vec![Cohort::new(1, 0)],
            places: Vec::new(),
            scratch: vec![scratch],
            shared,
        }
    }

    fn at(&self, index: usize) -> (&super::block::Block<L>, usize) {
        let place = self.places[index];
        self.cohorts[place.cohort as usize].at(place.seat)
    }

    fn at_mut(&mut self, index: usize) -> (&mut super::block::Block<L>, usize) {
        let place = self.places[index];
        self.cohorts[place.cohort as usize].at_mut(place.seat)
    }

    /// The cohort of a rate and a phase, made where there is none.
    fn cohort(&mut self, rate: u32, phase: u32) -> usize {
        if let Some(at) = self.cohorts.iter().position(|c| (c.rate, c.phase) == (rate, phase)) {
            return at;
        }
        self.cohorts.push(Cohort::new(rate, phase));
        self.cohorts.len() - 1
    }

    fn sit(&mut self, member: usize, cohort: usize) -> Place {
        let seat = self.cohorts[cohort].push(member as u32, &self.program, &self.shared);
        Place { cohort: cohort as u32, seat }
    }

    /// Leaves a seat; who sat last in the cohort sits there now.
    fn leave(&mut self, place: Place) {
        if let Some(moved) = self.cohorts[place.cohort as usize].remove(place.seat) {
            self.places[moved as usize].seat = place.seat;
        }
    }

    /// The elements of a block, and the lane of a member in it.
    fn elements<R>(
        &mut self,
        index: usize,
        work: impl FnOnce(&mut LaneHierarchy<'_, L>, usize) -> R,
    ) -> Option<R> {
        let Self { shared, cohorts, places, scratch, .. } = self;
        let place = places[index];
        let (block, lane) = cohorts[place.cohort as usize].at_mut(place.seat);
        let scratch = scratch.first_mut()?.get_mut().ok()?;
        let mut rig = LaneHierarchy::new(shared, &mut block.lanes, &mut scratch.room, false);
        Some(work(&mut rig, lane))
    }

    #[cfg(feature = "rayon")]
    fn scratch_for_threads(&mut self) {
        let (bound, shared) = (&self.program.bound, &self.shared);
        self.scratch.resize_with(rayon::current_num_threads(), || Mutex::new(Scratch::new(bound, shared)));
    }
}

impl<const L: usize> AnyGroup for Group<L>
where
    Entry<L>: Width,
{
    fn bound(&self) -> &Arc<BoundProgram> {
        &self.program.bound
    }

    fn len(&self) -> usize {
        self.places.len()
    }

    fn add(&mut self, rate: u32, phase: u32) {
        let (index, cohort) = (self.places.len(), self.cohort(rate, phase));
        let place = self.sit(index, cohort);
        self.places.push(place);
        let (block, lane) = self.cohorts[cohort].at_mut(place.seat);
        block.reset(lane, &self.program.bound, &self.shared);
    }

    fn remove(&mut self, index: usize) {
        self.leave(self.places[index]);
        self.places.swap_remove(index);
        if let Some(moved) = self.places.get(index) {
            self.cohorts[moved.cohort as usize].seats[moved.seat as usize] = index as u32;
        }
    }

    fn clear(&mut self) {
        self.places.clear();
        self.cohorts.iter_mut().for_each(Cohort::clear);
    }

    fn set_rate(&mut self, index: usize, rate: u32) {
        let old = self.places[index];
        if self.cohorts[old.cohort as usize].rate == rate {
            return;
        }
        let size = |phase: &u32| {
            let found = self.cohorts.iter().find(|c| (c.rate, c.phase) == (rate, *phase));
            found.map_or(0, |c| c.seats.len())
        };
        let phase = (0..rate).min_by_key(size).unwrap_or(0);
        let cohort = self.cohort(rate, phase);
        let new = self.sit(index, cohort);
        if let Ok([from, to]) = self.cohorts.get_disjoint_mut([old.cohort as usize, cohort]) {
            let ((to, lane), (from, of)) = (to.at_mut(new.seat), from.at_mut(old.seat));
            to.copy_from(lane, from, of);
        }
        self.places[index] = new;
        self.leave(old);
    }

    fn rate_and_phase(&self, index: usize) -> (u32, u32) {
        let cohort = &self.cohorts[self.places[index].cohort as usize];
        (cohort.rate, cohort.phase)
    }

    fn read(&self, index: usize, at: usize, out: &mut [u32]) {
        let (block, lane) = self.at(index);
        let at = at - self.program.bound.layout.external;
        for (to, from) in out.iter_mut().zip(block.words.get(at..).unwrap_or(&[])) {
            *to = from[lane];
        }
    }

    fn write(&mut self, index: usize, at: usize, words: &[u32]) {
        let at = at - self.program.bound.layout.external;
        let (block, lane) = self.at_mut(index);
        for (to, from) in block.words.get_mut(at..).unwrap_or(&mut []).iter_mut().zip(words) {
            to[lane] = *from;
        }
    }

    fn frame(&self, index: usize) -> &Frame {
        let (block, lane) = self.at(index);
        &block.frames[lane]
    }

    fn frame_mut(&mut self, index: usize) -> &mut Frame {
        let (block, lane) = self.at_mut(index);
        &mut block.frames[lane]
    }

    fn pending(&self, index: usize) -> f32 {
        let (block, lane) = self.at(index);
        block.pending[lane]
    }

    fn set_pending(&mut self, index: usize, seconds: f32) {
        let (block, lane) = self.at_mut(index);
        block.pending[lane] = seconds;
    }

    fn fault(&self, index: usize) -> Option<&LaneFault> {
        let (block, lane) = self.at(index);
        block.faults[lane].as_ref()
    }

    fn executed(&self, index: usize) -> u64 {
        let (block, lane) = self.at(index);
        block.executed[lane]
    }

    fn set_pose(&mut self, index: usize, locals: &[Transform]) -> bool {
        self.elements(index, |rig, lane| rig.set_locals(lane, locals)).unwrap_or(false)
    }

    fn set_poses(&mut self, locals: &[Transform], each: usize) {
        let Self { shared, cohorts, scratch, .. } = self;
        let Some(Ok(scratch)) = scratch.first_mut().map(Mutex::get_mut) else { return };
        for (block, seats) in cohorts.iter_mut().flat_map(Cohort::taken) {
            let mut rig = LaneHierarchy::new(shared, &mut block.lanes, &mut scratch.room, false);
            let mask = core::array::from_fn(|l| if l < seats.len() { u32::MAX } else { 0 });
            let poses: [&[Transform]; L] = core::array::from_fn(|l| {
                let start = seats.get(l).map_or(0, |m| *m as usize * each);
                locals.get(start..start + each).unwrap_or(&[])
            });
            for at in 0..each {
                let rows = rows_of(|lane| poses[lane].get(at).copied().unwrap_or_default());
                rig.set_local_rows(at, &mask, &rows);
            }
        }
    }

    fn local(&self, index: usize, id: ElementId) -> Transform {
        let (block, lane) = self.at(index);
        block.lanes.local(lane, id.index())
    }

    fn pose(&self, index: usize, out: &mut [Transform]) {
        let (block, lane) = self.at(index);
        for (to, rows) in out.iter_mut().zip(block.lanes.locals()) {
            *to = lane_of(rows, lane);
        }
    }

    fn shown(&self, index: usize, out: &mut [Transform]) {
        let (block, lane) = self.at(index);
        let Some((before, after)) = block.between() else { return self.pose(index, out) };
        let whole = block.frames[lane].dt;
        let part = if whole > 0.0 { (block.pending[lane] / whole).clamp(0.0, 1.0) } else { 1.0 };
        for (to, (before, after)) in out.iter_mut().zip(before.iter().zip(after)) {
            *to = lane_of(before, lane).lerp(lane_of(after, lane), part);
        }
    }

    fn globals(&mut self, index: usize, out: &mut [Transform]) {
        self.elements(index, |rig, lane| {
            rig.read_alone(lane, |one| {
                for (i, to) in out.iter_mut().enumerate() {
                    *to = one.global_mut(ElementId(i as u32));
                }
            });
        });
    }

    fn all_globals(&mut self, out: &mut [Transform], each: usize) {
        let Self { shared, cohorts, scratch, .. } = self;
        let Some(Ok(scratch)) = scratch.first_mut().map(Mutex::get_mut) else { return };
        for (block, seats) in cohorts.iter_mut().flat_map(Cohort::taken) {
            let mut rig = LaneHierarchy::new(shared, &mut block.lanes, &mut scratch.room, false);
            rig.update_all();
            for (lane, member) in seats.iter().enumerate() {
                let start = *member as usize * each;
                let Some(out) = out.get_mut(start..start + each) else { continue };
                for (to, rows) in out.iter_mut().zip(rig.globals()) {
                    *to = lane_of(rows, lane);
                }
            }
        }
    }

    fn pass(&mut self, dt: f32) {
        for cohort in &mut self.cohorts {
            cohort.pass(dt);
        }
    }

    fn run(&mut self, job: Job, frame: Option<u64>) -> u32 {
        let Self { program, shared, cohorts, scratch, .. } = self;
        let Some(Ok(scratch)) = scratch.first_mut().map(Mutex::get_mut) else { return 0 };
        let due = cohorts.iter_mut().filter(|c| frame.is_none_or(|f| c.is_due(f)));
        due.map(|c| c.run(program, shared, job, scratch)).sum()
    }

    #[cfg(feature = "rayon")]
    fn run_parallel(&mut self, job: Job, frame: Option<u64>) -> u32 {
        self.scratch_for_threads();
        let Self { program, shared, cohorts, scratch, .. } = self;
        let due = cohorts.iter_mut().filter(|c| frame.is_none_or(|f| c.is_due(f)));
        due.map(|c| c.run_parallel(program, shared, job, scratch)).sum()
    }

    fn each_initial_word(&self, put: &mut dyn FnMut(u32)) {
        self.shared.each_initial_word(put);
    }

    fn initial_words(&self) -> usize {
        self.shared.len() * Transform::WORDS
    }

    fn words_before_initials(&self) -> usize {
        let l = &self.program.bound.layout;
        3 + l.total - l.external
    }

    fn words(&self) -> usize {
        self.words_before_initials() + self.shared.words()
    }

    fn each_word(&self, index: usize, initials: bool, put: &mut dyn FnMut(u32)) {
        let (block, lane) = self.at(index);
        block.frames[lane].clock().into_iter().for_each(&mut *put);
        block.words.iter().for_each(|row| put(row[lane]));
        if initials {
            self.shared.each_initial_word(&mut *put);
        }
        block.lanes.each_word(lane, put);
    }

    fn take_words(&mut self, index: usize, initials: bool, next: &mut dyn FnMut() -> u32) {
        let shared = if initials { self.initial_words() } else { 0 };
        let (block, lane) = self.at_mut(index);
        block.frames[lane].set_clock(core::array::from_fn(|_| next()));
        block.words.iter_mut().for_each(|row| row[lane] = next());
        (0..shared).for_each(|_| _ = next());
        block.lanes.take_words(lane, next);
        block.faults[lane] = None;
        block.show(lane);
    }

    fn bytes(&self) -> usize {
        self.cohorts.iter().flat_map(|c| &c.blocks).map(super::block::Block::bytes).sum()
    }

    fn scratch_bytes(&self) -> usize {
        self.scratch.iter().filter_map(|s| s.lock().ok()).map(|s| s.bytes()).sum()
    }
}
