//! The elements of a block of characters: each word of a transform is a row of `L` lanes, so that
//! what is done for one is done for all by the same instructions.
//!
//! Marks of what is out of date are shared by the block. That changes no bit: a global is a function
//! of the locals and weights alone, and bringing one up to date that already was gives the same.

use std::sync::Arc;

use super::compose::parent_of_lane;
use super::joint::{Change, Joint};
use super::stale::Stale;
use super::topology::NONE;
use super::{ElementId, Hierarchy, Needs, Topology};
use crate::math::Transform;
use crate::value::Plain;

/// The words of a transform in `L` lanes.
pub type Rows<const L: usize> = [[u32; L]; Transform::WORDS];

/// `parent * local` in every lane: built for an instruction set, called by what holds the proof that
/// the machine has it.
pub type Compose<const L: usize> = fn(&Rows<L>, &Rows<L>, &mut Rows<L>);

/// The body of [`Compose`].
#[inline(always)]
pub fn compose_rows<const L: usize>(parent: &Rows<L>, local: &Rows<L>, out: &mut Rows<L>) {
    for lane in 0..L {
        let t = Transform::read(|i| parent[i][lane]) * Transform::read(|i| local[i][lane]);
        t.write(|i, w| out[i][lane] = w);
    }
}

fn splat<const L: usize>(t: Transform) -> Rows<L> {
    let mut rows = [[0; L]; Transform::WORDS];
    t.write(|i, w| rows[i] = [w; L]);
    rows
}

fn rows_of<const L: usize>(of: impl Fn(usize) -> Transform) -> Rows<L> {
    let mut rows = [[0; L]; Transform::WORDS];
    for (lane, t) in (0..L).map(|lane| (lane, of(lane))) {
        t.write(|i, w| rows[i][lane] = w);
    }
    rows
}

#[inline(always)]
fn lane_of<const L: usize>(rows: &Rows<L>, lane: usize) -> Transform {
    Transform::read(|i| rows[i][lane])
}

/// `new` in the lanes of the mask, `old` in the others.
#[inline(always)]
fn blend<const L: usize, const W: usize>(old: &mut [[u32; L]; W], new: &[[u32; L]; W], mask: &[u32; L]) {
    for (to, from) in old.iter_mut().zip(new) {
        *to = core::array::from_fn(|i| (from[i] & mask[i]) | (to[i] & !mask[i]));
    }
}

/// The elements of `L` characters of one skeleton, whose initial pose they share.
#[derive(Clone, Debug)]
pub struct LaneHierarchy<const L: usize> {
    topology: Arc<Topology>,
    /// Initials, the same in all lanes, and the globals that they give.
    initials: Vec<Transform>,
    initial_globals: Vec<Transform>,
    local: Vec<Rows<L>>,
    global: Vec<Rows<L>>,
    stale: Stale,
    weights: Vec<[f32; L]>,
    /// The greatest weight of the lanes: an element follows a parent if it does in any lane.
    heaviest: Vec<f32>,
    values: Vec<[[u32; L]; 2]>,
    compose: Compose<L>,
    /// For what is done lane by lane; away only while that goes on.
    one: Option<Hierarchy>,
}

/// A joint in `L` lanes: what [`Joint`] is at one.
#[derive(Clone, Copy, Debug)]
pub struct JointRows<const L: usize> {
    ids: [u32; L],
    local: Rows<L>,
    global: Rows<L>,
    parent: Rows<L>,
    initial: Rows<L>,
    initial_global: Rows<L>,
    hangs: [u32; L],
    span: [[u32; L]; 2],
    changed: [u32; L],
    leave: [u32; L],
    stretch: [f32; L],
    stretch_below: [u32; L],
}

impl<const L: usize> JointRows<L> {
    /// A joint at one lane, spread over all.
    #[inline(always)]
    pub fn splat(j: &Joint) -> Self {
        Self {
            ids: [j.id.0; L],
            local: splat(j.local),
            global: splat(j.global),
            parent: splat(j.parent),
            initial: splat(j.initial),
            initial_global: splat(j.initial_global),
            hangs: [u32::from(j.hangs); L],
            span: j.span.map(|s| [s; L]),
            changed: [0; L],
            leave: [0; L],
            stretch: [0.0; L],
            stretch_below: [NONE; L],
        }
    }

    /// One lane of it.
    #[inline(always)]
    pub fn lane(&self, lane: usize) -> Joint {
        Joint {
            id: ElementId(self.ids[lane]),
            local: lane_of(&self.local, lane),
            global: lane_of(&self.global, lane),
            parent: lane_of(&self.parent, lane),
            initial: lane_of(&self.initial, lane),
            initial_global: lane_of(&self.initial_global, lane),
            hangs: self.hangs[lane] != 0,
            span: [self.span[0][lane], self.span[1][lane]],
            change: Change::default(),
        }
    }

    /// One lane of it with what is to be changed.
    #[inline(always)]
    pub fn whole_lane(&self, lane: usize) -> Joint {
        let change = Change {
            changed: self.changed[lane] != 0,
            leave: self.leave[lane] != 0,
            stretch: self.stretch[lane],
            stretch_below: self.stretch_below[lane],
        };
        Joint { change, ..self.lane(lane) }
    }

    /// Takes over what a unit did with one lane.
    #[inline(always)]
    pub fn set_lane(&mut self, lane: usize, j: &Joint) {
        j.local.write(|i, w| self.local[i][lane] = w);
        self.changed[lane] = u32::from(j.change.changed);
        self.leave[lane] = u32::from(j.change.leave);
        self.stretch[lane] = j.change.stretch;
        self.stretch_below[lane] = j.change.stretch_below;
    }
}

/// The id of all lanes that take part, if it is one.
#[inline(always)]
fn common<const L: usize>(ids: &[u32; L], mask: &[u32; L]) -> Option<u32> {
    let first = (0..L).find(|l| mask[*l] != 0).map_or(NONE, |l| ids[l]);
    let differs = (0..L).fold(0, |d, l| d | ((ids[l] ^ first) & mask[l]));
    (differs == 0).then_some(first)
}

impl<const L: usize> LaneHierarchy<L> {
    /// `L` characters as this one stands.
    pub fn new(template: &Hierarchy, compose: Compose<L>) -> Self {
        let ids = || template.topology.ids();
        let mut lanes = Self {
            topology: Arc::clone(&template.topology),
            initial_globals: ids().map(|id| template.initial_global(id)).collect(),
            local: template.locals().iter().map(|t| splat(*t)).collect(),
            global: ids().map(|_| splat(Transform::IDENTITY)).collect(),
            stale: template.stale.clone(),
            weights: template.weights.iter().map(|w| [*w; L]).collect(),
            heaviest: template.weights.clone(),
            values: template.values.iter().map(|v| v.map(|x| [x.to_bits(); L])).collect(),
            initials: template.initial.clone(),
            one: Some(template.clone()),
            compose,
        };
        lanes.stale.mark_all();
        lanes
    }

    /// Names, parents, children.
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// How many elements.
    pub fn len(&self) -> usize {
        self.local.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.local.is_empty()
    }

    /// Bytes of all lanes, without what the characters of a skeleton share.
    pub fn bytes(&self) -> usize {
        let rows = (self.local.len() + self.global.len()) * size_of::<Rows<L>>();
        rows + self.weights.len() * size_of::<[f32; L]>() + self.values.len() * size_of::<[[u32; L]; 2]>()
    }

    /// Brings an element's global, and so those of all it hangs on, up to date in every lane.
    #[inline]
    pub fn prepare(&mut self, id: ElementId) {
        if id.index() < self.local.len() && self.stale.is_stale(&self.topology, id.index()) {
            self.refresh(id.0);
        }
    }

    #[inline(never)]
    fn refresh(&mut self, id: u32) {
        let Self { topology, stale, global, local, weights, heaviest, compose, .. } = self;
        stale.refresh(topology, heaviest, id, |at| {
            global[at] = composed(topology, weights, global, at, &local[at], *compose);
        });
    }

    /// Brings all globals up to date.
    pub fn update_all(&mut self) {
        let Self { topology, stale, global, local, weights, compose, .. } = self;
        for &at in &topology.evaluation {
            let at = at as usize;
            if stale.is_stale(topology, at) {
                global[at] = composed(topology, weights, global, at, &local[at], *compose);
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
        if at >= self.local.len() {
            return JointRows::splat(&Joint::default());
        }
        if needs.global {
            self.prepare(id);
        }
        let hangs = if needs.parent { self.prepare_parent(id) } else { [0; L] };
        let mut rows = JointRows {
            ids: [id.0; L],
            local: self.local[at],
            global: self.global[at],
            parent: splat(Transform::IDENTITY),
            initial: splat(self.initials[at]),
            initial_global: splat(self.initial_globals[at]),
            hangs,
            span: [[self.topology.position[at]; L], [self.topology.end[at]; L]],
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
        if !self.topology.several[id.index()] {
            let parent = self.topology.parent(id);
            self.prepare(parent);
            return [u32::from(parent.is_some()); L];
        }
        self.prepare_parents(id)
    }

    #[cold]
    fn prepare_parents(&mut self, id: ElementId) -> [u32; L] {
        for (i, at) in self.topology.weights_of(id.index()).enumerate() {
            if self.heaviest[at] > 0.0 {
                self.prepare(self.topology.elements[id.index()].parents[i].id);
            }
        }
        core::array::from_fn(|lane| u32::from(self.parent_of(id.index(), lane).is_some()))
    }

    /// What an element's local is relative to; it must be up to date.
    #[inline(always)]
    fn parent_rows(&self, at: usize) -> Rows<L> {
        if !self.topology.several[at] {
            let parent = self.topology.parent[at] as usize;
            return self.global.get(parent).copied().unwrap_or_else(|| splat(Transform::IDENTITY));
        }
        self.blended_rows(at)
    }

    #[cold]
    fn blended_rows(&self, at: usize) -> Rows<L> {
        rows_of(|lane| self.parent_of(at, lane).unwrap_or_default())
    }

    fn parent_of(&self, at: usize, lane: usize) -> Option<Transform> {
        parent_in(&self.topology, &self.weights, &self.global, at, lane)
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
    pub fn alone(&mut self, lane: usize, work: impl FnOnce(&mut Hierarchy)) {
        let Some(mut one) = self.one.take() else { return };
        self.copy_to(lane, &mut one);
        work(&mut one);
        self.copy_from(lane, &one);
        self.one = Some(one);
    }

    /// Sets locals, where they are finite, and marks what follows.
    #[inline(always)]
    fn store(&mut self, at: usize, mask: &[u32; L], rows: &Rows<L>) {
        if at >= self.local.len() {
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
        if self.topology.held[at] {
            self.store_held(at, &mask, rows);
            return;
        }
        blend(&mut self.local[at], rows, &mask);
        self.stale.mark(&self.topology, &self.heaviest, at);
    }

    /// A control or a curve: what it takes of a transform is its own matter, lane by lane.
    #[cold]
    fn store_held(&mut self, at: usize, mask: &[u32; L], rows: &Rows<L>) {
        for lane in (0..L).filter(|l| mask[*l] != 0) {
            if self.hold(at, lane, lane_of(rows, lane)) {
                self.stale.mark(&self.topology, &self.heaviest, at);
            }
        }
    }

    /// Sets what a control takes of a local.
    fn hold(&mut self, at: usize, lane: usize, local: Transform) -> bool {
        let Some(one) = &mut self.one else { return false };
        let Some(local) = one.hold(at, local) else { return false };
        local.write(|i, w| self.local[at][i][lane] = w);
        for (to, value) in self.values[at].iter_mut().zip(one.values[at]) {
            to[lane] = value.to_bits();
        }
        true
    }

    /// Loads locals of the first elements into one lane: see [`Hierarchy::set_locals`].
    pub fn set_locals(&mut self, lane: usize, locals: &[Transform]) -> bool {
        let mut all = true;
        for (at, t) in locals.iter().enumerate().take(self.local.len()) {
            if !t.is_finite() {
                all = false;
            } else if self.topology.held[at] {
                all &= self.hold(at, lane, *t);
            } else {
                t.write(|i, w| self.local[at][i][lane] = w);
            }
        }
        self.stale.mark_all();
        all
    }

    /// Local of an element in one lane.
    pub fn local(&self, lane: usize, id: ElementId) -> Transform {
        self.local.get(id.index()).map_or(Transform::IDENTITY, |rows| lane_of(rows, lane))
    }

    /// Global of an element in one lane, brought up to date first.
    pub fn global_mut(&mut self, lane: usize, id: ElementId) -> Transform {
        self.prepare(id);
        self.global.get(id.index()).map_or(Transform::IDENTITY, |rows| lane_of(rows, lane))
    }

    /// One lane as a hierarchy of its own, which must be of this topology.
    pub fn copy_to(&self, lane: usize, one: &mut Hierarchy) {
        for (to, from) in one.local.iter_mut().zip(&self.local) {
            *to = lane_of(from, lane);
        }
        for (to, from) in one.kept_globals_mut().iter_mut().zip(&self.global) {
            *to = lane_of(from, lane);
        }
        for (to, from) in one.weights.iter_mut().zip(&self.weights) {
            *to = from[lane];
        }
        for (to, from) in one.values.iter_mut().zip(&self.values) {
            *to = [0, 1].map(|i| f32::from_bits(from[i][lane]));
        }
        one.stale.copy_from(&self.stale);
    }

    /// Takes one lane back; its initials must be those of the block.
    pub fn copy_from(&mut self, lane: usize, one: &Hierarchy) {
        for (to, from) in self.local.iter_mut().zip(&one.local) {
            from.write(|i, w| to[i][lane] = w);
        }
        for (at, (to, from)) in self.weights.iter_mut().zip(&one.weights).enumerate() {
            to[lane] = *from;
            self.heaviest[at] = to.iter().fold(0.0, |a: f32, b| if *b > a { *b } else { a });
        }
        for (to, from) in self.values.iter_mut().zip(&one.values) {
            for (row, value) in to.iter_mut().zip(from) {
                row[lane] = value.to_bits();
            }
        }
        self.stale.merge(&one.stale);
        // What is up to date here is so there, and of what was brought up to date there nothing is
        // kept: it is computed again, to the same bits.
    }
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
