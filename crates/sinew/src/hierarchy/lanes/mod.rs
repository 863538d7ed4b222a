//! The elements of a block of characters: each word of a transform is a row of `L` lanes, so that
//! what is done for one is done for all by the same instructions.
//!
//! [`LaneShared`] is what the characters of a skeleton have in common, [`Lanes`] what a block keeps
//! from frame to frame, [`LaneRoom`] what work on one block needs, and [`LaneHierarchy`] the three
//! together while a block runs.
//!
//! Marks of what is out of date are shared by the block. That changes no bit: a global is a function
//! of the locals and weights alone, and bringing one up to date that already was gives the same.

mod joint;
mod kept;
mod room;
mod rows;

pub use joint::JointRows;
pub use kept::{LaneShared, Lanes};
pub use room::LaneRoom;
pub use rows::{Compose, Rows, compose_rows, lane_of, rows_of};

use super::compose::parent_of_lane;
use super::joint::Joint;
use super::topology::NONE;
use super::{ElementId, Hierarchy, Needs, Topology};
use crate::math::Transform;
use crate::value::Plain;
use rows::{blend, splat};

/// The elements of a block while it is worked on.
#[derive(Debug)]
pub struct LaneHierarchy<'a, const L: usize> {
    shared: &'a LaneShared<L>,
    lanes: &'a mut Lanes<L>,
    room: &'a mut LaneRoom<L>,
}

/// The id of all lanes that take part, if it is one.
#[inline(always)]
fn common<const L: usize>(ids: &[u32; L], mask: &[u32; L]) -> Option<u32> {
    let first = (0..L).find(|l| mask[*l] != 0).map_or(NONE, |l| ids[l]);
    let differs = (0..L).fold(0, |d, l| d | ((ids[l] ^ first) & mask[l]));
    (differs == 0).then_some(first)
}

impl<'a, const L: usize> LaneHierarchy<'a, L> {
    /// Begins work on a block. `room` must be of this skeleton; what other blocks left in it does
    /// not matter. With `undoable` the first state of all that is changed is kept aside, for
    /// [`LaneHierarchy::undo`].
    pub fn new(
        shared: &'a LaneShared<L>,
        lanes: &'a mut Lanes<L>,
        room: &'a mut LaneRoom<L>,
        undoable: bool,
    ) -> Self {
        room.stale.mark_all();
        room.journal.begin(undoable);
        for (to, weights) in room.heaviest.iter_mut().zip(&lanes.weights) {
            *to = heaviest(weights);
        }
        Self { shared, lanes, room }
    }

    /// Takes the lanes of the mask back to where they were at the beginning of undoable work.
    #[cold]
    pub fn undo(&mut self, mask: &[u32; L]) {
        self.room.journal.undo(self.lanes, mask);
        for (to, weights) in self.room.heaviest.iter_mut().zip(&self.lanes.weights) {
            *to = heaviest(weights);
        }
        self.room.stale.mark_all();
    }

    /// Names, parents, children.
    pub fn topology(&self) -> &Topology {
        &self.shared.topology
    }

    /// How many elements.
    pub fn len(&self) -> usize {
        self.lanes.local.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.lanes.local.is_empty()
    }

    /// Brings an element's global, and so those of all it hangs on, up to date in every lane.
    #[inline]
    pub fn prepare(&mut self, id: ElementId) {
        if id.index() < self.len() && self.room.stale.is_stale(&self.shared.topology, id.index()) {
            self.refresh(id.0);
        }
    }

    #[inline(never)]
    fn refresh(&mut self, id: u32) {
        let LaneRoom { stale, global, heaviest, .. } = &mut *self.room;
        let (topology, compose) = (&*self.shared.topology, self.shared.compose);
        let (lanes, global) = (&*self.lanes, &mut **global);
        stale.refresh(topology, heaviest, id, |at| {
            global[at] = composed(topology, &lanes.weights, global, at, &lanes.local[at], compose);
        });
    }

    /// Brings all globals up to date.
    pub fn update_all(&mut self) {
        let LaneRoom { stale, global, .. } = &mut *self.room;
        let (topology, compose) = (&*self.shared.topology, self.shared.compose);
        let (lanes, global) = (&*self.lanes, &mut **global);
        for &at in &topology.evaluation {
            let at = at as usize;
            if stale.is_stale(topology, at) {
                global[at] = composed(topology, &lanes.weights, global, at, &lanes.local[at], compose);
                stale.computed(topology, at);
            }
        }
    }

    /// An element of each lane as units see it. Which one may differ from lane to lane.
    #[inline(always)]
    pub fn joints(&mut self, ids: &[u32; L], mask: &[u32; L], needs: Needs) -> JointRows<L> {
        match common(ids, mask) {
            Some(id) => self.joint(ElementId(id), needs),
            None => self.gather(ids, mask, needs),
        }
    }

    #[inline(always)]
    fn joint(&mut self, id: ElementId, needs: Needs) -> JointRows<L> {
        let at = id.index();
        if at >= self.len() {
            return JointRows::splat(&Joint::default());
        }
        if needs.global {
            self.prepare(id);
        }
        let hangs = if needs.parent { self.prepare_parent(id) } else { [0; L] };
        let mut rows = JointRows {
            ids: [id.0; L],
            local: self.lanes.local[at],
            global: self.room.global[at],
            parent: splat(Transform::IDENTITY),
            initial: splat(self.shared.template.initial[at]),
            initial_global: splat(self.shared.initial_globals[at]),
            hangs,
            span: [[self.shared.topology.position[at]; L], [self.shared.topology.end[at]; L]],
            changed: [0; L],
            leave: [0; L],
            stretch: [0.0; L],
            stretch_below: [NONE; L],
        };
        if needs.parent {
            rows.parent = self.parent_rows(at);
        }
        rows
    }

    /// Brings what an element's local is relative to up to date; in which lanes it is not the world.
    #[inline(always)]
    fn prepare_parent(&mut self, id: ElementId) -> [u32; L] {
        if !self.shared.topology.several[id.index()] {
            let parent = self.shared.topology.parent(id);
            self.prepare(parent);
            return [u32::from(parent.is_some()); L];
        }
        self.prepare_parents(id)
    }

    #[cold]
    fn prepare_parents(&mut self, id: ElementId) -> [u32; L] {
        for (i, at) in self.shared.topology.weights_of(id.index()).enumerate() {
            if self.room.heaviest[at] > 0.0 {
                self.prepare(self.shared.topology.elements[id.index()].parents[i].id);
            }
        }
        core::array::from_fn(|lane| u32::from(self.parent_of(id.index(), lane).is_some()))
    }

    /// What an element's local is relative to; it must be up to date.
    #[inline(always)]
    fn parent_rows(&self, at: usize) -> Rows<L> {
        if !self.shared.topology.several[at] {
            let parent = self.shared.topology.parent[at] as usize;
            return self.room.global.get(parent).copied().unwrap_or_else(|| splat(Transform::IDENTITY));
        }
        self.blended_rows(at)
    }

    #[cold]
    fn blended_rows(&self, at: usize) -> Rows<L> {
        rows_of(|lane| self.parent_of(at, lane).unwrap_or_default())
    }

    fn parent_of(&self, at: usize, lane: usize) -> Option<Transform> {
        parent_in(&self.shared.topology, &self.lanes.weights, &self.room.global, at, lane)
    }

    #[cold]
    fn gather(&mut self, ids: &[u32; L], mask: &[u32; L], needs: Needs) -> JointRows<L> {
        let mut rows = JointRows::splat(&Joint::default());
        for lane in (0..L).filter(|l| mask[*l] != 0) {
            let mut one = self.joint(ElementId(ids[lane]), needs);
            let j = one.lane(lane);
            let put = |rows: &mut Rows<L>, t: Transform| t.write(|i, w| rows[i][lane] = w);
            rows.ids[lane] = ids[lane];
            put(&mut rows.local, j.local);
            put(&mut rows.global, j.global);
            put(&mut rows.parent, j.parent);
            put(&mut rows.initial, j.initial);
            put(&mut rows.initial_global, j.initial_global);
            rows.hangs[lane] = one.hangs[lane];
            for (to, from) in rows.span.iter_mut().zip(&mut one.span) {
                to[lane] = from[lane];
            }
        }
        rows
    }

    /// Writes what a unit wants changed, in the lanes of the mask.
    #[inline(always)]
    pub fn apply(&mut self, ids: &[u32; L], mask: &[u32; L], rows: &JointRows<L>) {
        let changed: [u32; L] = core::array::from_fn(|l| if rows.changed[l] != 0 { mask[l] } else { 0 });
        let other = (0..L)
            .fold(false, |any, l| any | ((rows.leave[l] != 0) | (rows.stretch[l] != 0.0)) & (mask[l] != 0));
        match common(ids, mask) {
            Some(id) if !other => self.store(id as usize, &changed, &rows.local),
            _ => self.apply_apart(ids, mask, rows),
        }
    }

    /// Lane by lane: elements that differ, and changes that reach further than the element.
    #[cold]
    fn apply_apart(&mut self, ids: &[u32; L], mask: &[u32; L], rows: &JointRows<L>) {
        for lane in (0..L).filter(|l| mask[*l] != 0) {
            let id = ElementId(ids[lane]);
            if rows.leave[lane] != 0 || rows.stretch[lane] != 0.0 {
                let joint = rows.whole_lane(lane);
                self.alone(lane, |one| one.apply(id, &joint));
            } else if rows.changed[lane] != 0 {
                let only = core::array::from_fn(|l| if l == lane { u32::MAX } else { 0 });
                self.store(id.index(), &only, &rows.local);
            }
        }
    }

    /// Does something with one lane as with a hierarchy of its own.
    pub fn alone<R>(&mut self, lane: usize, work: impl FnOnce(&mut Hierarchy) -> R) -> R {
        let result = self.read_alone(lane, work);
        for (at, rows) in self.lanes.local.iter().enumerate() {
            self.room.journal.local(at, rows);
        }
        self.room.journal.others(&self.lanes.weights, &self.lanes.values);
        self.lanes.take_lane(lane, &self.room.one);
        for (to, weights) in self.room.heaviest.iter_mut().zip(&self.lanes.weights) {
            *to = heaviest(weights);
        }
        // Of what was brought up to date there nothing is kept: it is computed again, to the same
        // bits.
        self.room.stale.merge(&self.room.one.stale);
        result
    }

    /// As [`LaneHierarchy::alone`], for what changes nothing: changes are lost.
    pub fn read_alone<R>(&mut self, lane: usize, work: impl FnOnce(&mut Hierarchy) -> R) -> R {
        self.lanes.give_lane(lane, &mut self.room.one);
        let LaneRoom { global, one, stale, .. } = &mut *self.room;
        for (to, from) in one.kept_globals_mut().iter_mut().zip(global.iter()) {
            *to = lane_of(from, lane);
        }
        one.stale.copy_from(stale);
        work(one)
    }

    /// For what wants a hierarchy and does not look at it: that of some character.
    pub fn aside<R>(&mut self, work: impl FnOnce(&mut Hierarchy) -> R) -> R {
        work(&mut self.room.one)
    }

    /// Sets locals, where they are finite, and marks what follows.
    #[inline(always)]
    fn store(&mut self, at: usize, mask: &[u32; L], rows: &Rows<L>) {
        if at >= self.len() {
            return;
        }
        let mut mask = *mask;
        for row in rows {
            for (m, w) in mask.iter_mut().zip(row) {
                // An exponent of all ones is an infinity or no number.
                *m = if w & 0x7F80_0000 == 0x7F80_0000 { 0 } else { *m };
            }
        }
        if mask == [0; L] {
            return;
        }
        if self.shared.topology.held[at] {
            self.store_held(at, &mask, rows);
            return;
        }
        self.room.journal.local(at, &self.lanes.local[at]);
        blend(&mut self.lanes.local[at], rows, &mask);
        self.room.stale.mark(&self.shared.topology, &self.room.heaviest, at);
    }

    /// A control or a curve: what it takes of a transform is its own matter, lane by lane.
    #[cold]
    fn store_held(&mut self, at: usize, mask: &[u32; L], rows: &Rows<L>) {
        self.room.journal.local(at, &self.lanes.local[at]);
        self.room.journal.others(&self.lanes.weights, &self.lanes.values);
        for lane in (0..L).filter(|l| mask[*l] != 0) {
            if self.hold(at, lane, lane_of(rows, lane)) {
                self.room.stale.mark(&self.shared.topology, &self.room.heaviest, at);
            }
        }
    }

    /// Sets what a control takes of a local.
    fn hold(&mut self, at: usize, lane: usize, local: Transform) -> bool {
        let one = &mut self.room.one;
        one.values[at] = self.lanes.values[at].map(|row| f32::from_bits(row[lane]));
        let Some(local) = one.hold(at, local) else { return false };
        local.write(|i, w| self.lanes.local[at][i][lane] = w);
        for (to, value) in self.lanes.values[at].iter_mut().zip(one.values[at]) {
            to[lane] = value.to_bits();
        }
        true
    }

    /// Loads locals of the first elements into one lane: see [`Hierarchy::set_locals`].
    pub fn set_locals(&mut self, lane: usize, locals: &[Transform]) -> bool {
        let mut all = true;
        for (at, t) in locals.iter().enumerate().take(self.len()) {
            self.room.journal.local(at, &self.lanes.local[at]);
            self.room.journal.others(&self.lanes.weights, &self.lanes.values);
            if !t.is_finite() {
                all = false;
            } else if self.shared.topology.held[at] {
                all &= self.hold(at, lane, *t);
            } else {
                t.write(|i, w| self.lanes.local[at][i][lane] = w);
            }
        }
        self.room.stale.mark_all();
        all
    }

    /// Sets an element's locals in the lanes of the mask, where they are finite.
    pub fn set_local_rows(&mut self, at: usize, mask: &[u32; L], rows: &Rows<L>) {
        self.store(at, mask, rows);
    }

    /// Global of an element in one lane, brought up to date first.
    pub fn global_mut(&mut self, lane: usize, id: ElementId) -> Transform {
        self.prepare(id);
        self.room.global.get(id.index()).map_or(Transform::IDENTITY, |rows| lane_of(rows, lane))
    }

    /// The words of all globals; those that are stale hold what was last known.
    pub fn globals(&self) -> &[Rows<L>] {
        &self.room.global
    }
}

fn heaviest<const L: usize>(weights: &[f32; L]) -> f32 {
    weights.iter().fold(0.0, |a: f32, b| if *b > a { *b } else { a })
}

#[inline(always)]
fn composed<const L: usize>(
    topology: &Topology,
    weights: &[[f32; L]],
    global: &[Rows<L>],
    at: usize,
    local: &Rows<L>,
    compose: Compose<L>,
) -> Rows<L> {
    if topology.several[at] {
        return composed_apart(topology, weights, global, at, local);
    }
    match global.get(topology.parent[at] as usize) {
        Some(parent) => {
            let mut out = *local;
            compose(parent, local, &mut out);
            out
        }
        None => *local,
    }
}

/// An element with several parents, whose weights may differ from lane to lane.
#[cold]
fn composed_apart<const L: usize>(
    topology: &Topology,
    weights: &[[f32; L]],
    global: &[Rows<L>],
    at: usize,
    local: &Rows<L>,
) -> Rows<L> {
    rows_of(|lane| {
        let local = lane_of(local, lane);
        parent_in(topology, weights, global, at, lane).map_or(local, |p| p * local)
    })
}

fn parent_in<const L: usize>(
    topology: &Topology,
    weights: &[[f32; L]],
    global: &[Rows<L>],
    at: usize,
    lane: usize,
) -> Option<Transform> {
    parent_of_lane(topology, weights, at, lane, |p| lane_of(&global[p], lane))
}
