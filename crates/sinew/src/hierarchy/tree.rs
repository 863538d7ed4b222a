//! One character's elements: transforms that are brought up to date only where they are read.

use std::sync::Arc;

use super::compose::{Lookup, compose, parent_of};
use super::stale::Stale;
use super::topology::NONE;
use super::{ElementId, ElementSpec, HierarchyError, Parent, Topology};
use crate::math::{Quat, Transform, Vec3};

/// Whether what hangs on an element follows when its global transform is set. Its children here are
/// all that follow it directly with a weight, be it as one of several parents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Carry {
    /// Children keep their locals and move along.
    #[default]
    Children,
    /// Children keep their globals and stay, within rounding of the way back; one that cannot (a
    /// control at its limits, or under a scale of 0) goes as far as it can.
    Leave,
}

/// The elements of one character.
///
/// Locals are always right, and a global is a function of the locals and weights alone: of no
/// order of reads and writes. A global is stale once it or something that it follows was set, and
/// is brought up to date when it is read ([`Hierarchy::prepare`], [`Hierarchy::global_mut`]);
/// nothing else is touched. Setting marks all that hangs below as stale: a fill of one range of
/// bits. Nothing here allocates but [`Hierarchy::new`], [`Hierarchy::add`],
/// [`Hierarchy::extend`], [`Hierarchy::add_parent`] and clones.
///
/// An id that is [`ElementId::NONE`] or beyond the end is no error: reads give the identity or 0,
/// writes do nothing and return false. So does writing a transform with a NaN or infinity, or the
/// transform of a curve.
#[derive(Clone, Debug, Default)]
pub struct Hierarchy {
    pub(super) topology: Arc<Topology>,
    pub(super) initial: Vec<Transform>,
    pub(super) local: Vec<Transform>,
    global: Vec<Transform>,
    pub(super) stale: Stale,
    /// Weights of the parents, for all elements one after another.
    pub(super) weights: Vec<f32>,
    /// Curves' values and the numbers of controls, by id.
    pub(super) values: Vec<[f32; 2]>,
}

impl Hierarchy {
    /// From elements. Ids are their order; parents may come after what hangs on them.
    pub fn new(specs: impl IntoIterator<Item = ElementSpec>) -> Result<Self, HierarchyError> {
        let mut h = Self::default();
        h.extend(specs.into_iter().collect::<Vec<_>>().as_slice())?;
        Ok(h)
    }

    /// Adds one more element; ids stay as they are. Its parents must be there already. On an error
    /// nothing has changed. Allocates, and takes time by the size of the hierarchy: for many, use
    /// [`Hierarchy::extend`].
    pub fn add(&mut self, spec: &ElementSpec) -> Result<ElementId, HierarchyError> {
        let topology = Arc::make_mut(&mut self.topology);
        let id = topology.add(spec, topology.len())?;
        // Its parents have been checked and nothing follows it, so this finds nothing wrong.
        topology.arrange()?;
        self.make_room();
        Ok(id)
    }

    /// Adds elements; ids stay as they are, the new ones follow in order. Parents may be any that
    /// are there or are added with them. On an error nothing has changed. Allocates.
    pub fn extend(&mut self, specs: &[ElementSpec]) -> Result<(), HierarchyError> {
        let mut topology = Topology::clone(&self.topology);
        let total = topology.len().saturating_add(specs.len());
        for spec in specs {
            topology.add(spec, total)?;
        }
        topology.arrange()?;
        self.topology = Arc::new(topology);
        self.make_room();
        Ok(())
    }

    /// Data for the elements that the topology has more.
    fn make_room(&mut self) {
        for id in self.len()..self.topology.len() {
            let spec = &self.topology.elements[id];
            self.initial.push(spec.initial);
            self.local.push(spec.initial);
            self.global.push(Transform::IDENTITY);
            self.weights.extend(spec.parents.iter().map(|p| p.weight));
            self.values.push([0.0; 2]);
            self.reset_element(id);
        }
        self.stale.resize(self.local.len());
    }

    /// Gives an element one more parent or space to follow, and returns its index. Refused if a
    /// circle would come of it, whatever the weights: so no switch of spaces can ever close one.
    /// On an error nothing has changed. Allocates.
    pub fn add_parent(&mut self, id: ElementId, parent: Parent) -> Result<usize, HierarchyError> {
        let mut topology = Topology::clone(&self.topology);
        let index = topology.add_parent(id, parent)?;
        topology.arrange()?;
        let at = topology.weights_of(id.index());
        let had = self.topology.parents(id).len();
        let new = topology.initial_weights[at.clone()].iter().skip(had).copied();
        self.weights.splice(at.start + had..at.start + had, new);
        self.topology = Arc::new(topology);
        self.stale.resize(self.local.len());
        Ok(index)
    }

    /// Names, parents, children.
    #[inline]
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// How many elements.
    #[inline]
    pub fn len(&self) -> usize {
        self.local.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.local.is_empty()
    }

    /// Brings an element's global, and so those of all it hangs on, up to date.
    #[inline]
    pub fn prepare(&mut self, id: ElementId) {
        if id.index() < self.local.len() && self.stale.is_stale(&self.topology, id.index()) {
            self.refresh(id.0);
        }
    }

    #[inline(never)]
    fn refresh(&mut self, id: u32) {
        let Self { topology, stale, global, local, weights, .. } = self;
        stale.refresh(topology, weights, id, |at| {
            global[at] = compose(topology, weights, at, local[at], |parent| global[parent]);
        });
    }

    /// Brings all globals up to date.
    pub fn update_all(&mut self) {
        let Self { topology, stale, global, local, weights, .. } = self;
        for &at in &topology.evaluation {
            let at = at as usize;
            if stale.is_stale(topology, at) {
                global[at] = compose(topology, weights, at, local[at], |parent| global[parent]);
                stale.computed(topology, at);
            }
        }
    }

    /// The transform that an element's local is relative to; the identity for the world.
    #[inline]
    pub fn parent_global_mut(&mut self, id: ElementId) -> Transform {
        self.prepared_parent(id).unwrap_or_default()
    }

    #[inline]
    pub(super) fn prepared_parent(&mut self, id: ElementId) -> Option<Transform> {
        if id.index() >= self.local.len() {
            return None;
        }
        if self.topology.several[id.index()] {
            for (i, at) in self.topology.weights_of(id.index()).enumerate() {
                if self.weights[at] > 0.0 {
                    self.prepare(self.topology.elements[id.index()].parents[i].id);
                }
            }
        } else {
            self.prepare(self.topology.parent(id));
        }
        parent_of(&self.topology, &self.weights, id.index(), |parent| self.global[parent])
    }

    /// The transform that an element's local is relative to, as [`Hierarchy::global`] gives it.
    pub fn parent_global(&self, id: ElementId) -> Transform {
        if id.index() >= self.local.len() {
            return Transform::IDENTITY;
        }
        parent_of(&self.topology, &self.weights, id.index(), |parent| self.global(ElementId(parent as u32)))
            .unwrap_or_default()
    }

    /// Relative to the parent.
    #[inline]
    pub fn local(&self, id: ElementId) -> Transform {
        self.local.get(id.index()).copied().unwrap_or_default()
    }

    /// Relative to the character, brought up to date first.
    #[inline]
    pub fn global_mut(&mut self, id: ElementId) -> Transform {
        self.prepare(id);
        self.global.get(id.index()).copied().unwrap_or_default()
    }

    /// Relative to the character. A plain load if it is up to date (after [`Hierarchy::prepare`]);
    /// else computed from the nearest that is, to the same bits, without being kept.
    #[inline]
    pub fn global(&self, id: ElementId) -> Transform {
        match self.global.get(id.index()) {
            None => Transform::IDENTITY,
            Some(global) if !self.stale.is_stale(&self.topology, id.index()) => *global,
            Some(_) => self.look_up(id.index()),
        }
    }

    #[cold]
    fn look_up(&self, id: usize) -> Transform {
        let ready = |at: usize| (!self.stale.is_stale(&self.topology, at)).then(|| self.global[at]);
        let lookup = Lookup { topology: &self.topology, locals: &self.local, weights: &self.weights, ready };
        lookup.global(id)
    }

    /// An element's global as it was last brought up to date.
    #[inline(always)]
    pub(super) fn kept_global(&self, id: ElementId) -> Transform {
        self.global.get(id.index()).copied().unwrap_or_default()
    }

    /// All globals as they were last brought up to date.
    pub(super) fn kept_globals_mut(&mut self) -> &mut [Transform] {
        &mut self.global
    }

    /// True if an element's global is up to date, so that [`Hierarchy::global`] is a plain load.
    #[inline]
    pub fn is_prepared(&self, id: ElementId) -> bool {
        id.index() < self.local.len() && !self.stale.is_stale(&self.topology, id.index())
    }

    /// Initial transform relative to the parent; of a control its offset, where its zero is.
    #[inline]
    pub fn initial_local(&self, id: ElementId) -> Transform {
        self.initial.get(id.index()).copied().unwrap_or_default()
    }

    fn initials(&self) -> Lookup<'_, impl Fn(usize) -> Option<Transform> + use<>> {
        let topology = &*self.topology;
        Lookup { topology, locals: &self.initial, weights: &topology.initial_weights, ready: |_| None }
    }

    /// Initial transform relative to the character: of the initial locals, with the weights of
    /// parents at the start. Computed up the chain at each call.
    pub fn initial_global(&self, id: ElementId) -> Transform {
        if id.index() < self.initial.len() { self.initials().global(id.index()) } else { Transform::IDENTITY }
    }

    /// Sets a transform relative to the parent. A control with limits or of a kind that holds less
    /// than a transform takes what it can of it.
    #[inline]
    pub fn set_local(&mut self, id: ElementId, t: Transform) -> bool {
        if id.index() >= self.local.len() || !t.is_finite() {
            return false;
        }
        match self.hold(id.index(), t) {
            Some(t) => {
                self.local[id.index()] = t;
                self.touch(id.index());
                true
            }
            None => false,
        }
    }

    /// Sets a part of a local, the rest of which stays: as [`Hierarchy::set_local`] of the whole.
    #[inline(always)]
    fn set_part<T>(
        &mut self,
        id: ElementId,
        (part, finite): (T, bool),
        of: impl Fn(&mut Transform) -> &mut T,
    ) -> bool {
        if id.index() >= self.local.len() || !finite {
            return false;
        }
        if self.topology.held[id.index()] {
            let mut local = self.local[id.index()];
            *of(&mut local) = part;
            return self.set_local(id, local);
        }
        *of(&mut self.local[id.index()]) = part;
        self.touch(id.index());
        true
    }

    /// Sets the translation of a local; rotation and scale stay.
    #[inline(always)]
    pub fn set_local_translation(&mut self, id: ElementId, v: Vec3) -> bool {
        self.set_part(id, (v, v.is_finite()), |t| &mut t.translation)
    }

    /// Sets the rotation of a local; translation and scale stay.
    #[inline(always)]
    pub fn set_local_rotation(&mut self, id: ElementId, q: Quat) -> bool {
        self.set_part(id, (q, q.is_finite()), |t| &mut t.rotation)
    }

    /// Sets the scale of a local; translation and rotation stay.
    #[inline(always)]
    pub fn set_local_scale(&mut self, id: ElementId, v: Vec3) -> bool {
        self.set_part(id, (v, v.is_finite()), |t| &mut t.scale)
    }

    /// Sets a transform relative to the character; the local follows from it. It reads back as
    /// the parent's global times that local: within rounding of `t`, or as near as a control's
    /// limits or a parent's scale of 0 allow. False, and nothing changed, where the parent's scale
    /// is so small that the local would overflow.
    pub fn set_global(&mut self, id: ElementId, t: Transform, carry: Carry) -> bool {
        if id.index() >= self.local.len() || !t.is_finite() {
            return false;
        }
        let parent = self.prepared_parent(id);
        let local = parent.map_or(t, |p| p.to_local(t));
        if !local.is_finite() {
            return false;
        }
        let Some(local) = self.hold(id.index(), local) else { return false };
        if carry == Carry::Leave {
            self.each_follower(id, |h, child| h.prepare(child));
        }
        self.local[id.index()] = local;
        self.touch(id.index());
        self.global[id.index()] = parent.map_or(local, |p| p * local);
        self.stale.computed(&self.topology, id.index());
        if carry == Carry::Leave {
            self.each_follower(id, Self::put_back);
        }
        true
    }

    /// Sets a rotation relative to the character. The local translation and scale stay as they are,
    /// bit for bit, whatever the scales above: what an IK solver wants.
    pub fn set_global_rotation(&mut self, id: ElementId, rotation: Quat) -> bool {
        if id.index() >= self.local.len() || !rotation.is_finite() {
            return false;
        }
        let parent = self.prepared_parent(id);
        let rotation = parent.map_or(rotation, |p| p.rotation.conjugate() * rotation);
        self.set_local_rotation(id, rotation)
    }

    /// Calls `f` for what follows an element directly and with a weight, in order of evaluation.
    pub(super) fn each_follower(&mut self, id: ElementId, mut f: impl FnMut(&mut Self, ElementId)) {
        let mut child = self.topology.first_child[id.index()];
        while child != NONE {
            let next = self.topology.next_sibling[child as usize];
            if !self.topology.several[child as usize] {
                f(self, ElementId(child));
            }
            child = next;
        }
        if !self.topology.followed[id.index()] && self.topology.first_child[id.index()] == NONE {
            return;
        }
        for i in 0..self.topology.shared.len() {
            let follower = self.topology.shared[i];
            let weights = &self.weights[self.topology.weights_of(follower as usize)];
            let parents = self.topology.elements[follower as usize].parents.iter();
            if parents.zip(weights).any(|(p, w)| p.id == id && *w > 0.0) {
                f(self, ElementId(follower));
            }
        }
    }

    /// Gives an element the local that brings it back to the global that it had when it was last
    /// up to date.
    pub(super) fn put_back(&mut self, id: ElementId) {
        // Marking leaves the global of old in its place, and only this element's own turn ends that:
        // what it follows comes before it.
        let old = self.global[id.index()];
        let local = self.prepared_parent(id).map_or(old, |p| p.to_local(old));
        if local.is_finite() {
            self.set_local(id, local);
        }
    }

    /// Marks an element's global, and all that follow it, as stale.
    #[inline(always)]
    pub(super) fn touch(&mut self, id: usize) {
        self.stale.mark(&self.topology, &self.weights, id);
    }

    /// Sets an initial transform relative to the parent. The current one stays; but a control's
    /// offset moves its zero, so one that holds numbers moves with it, and one with limits keeps
    /// them.
    pub fn set_initial_local(&mut self, id: ElementId, t: Transform) -> bool {
        let curve = self.topology.kind(id) == Some(super::ElementKind::Curve);
        if id.index() >= self.initial.len() || curve || !t.is_finite() {
            return false;
        }
        self.initial[id.index()] = t;
        if self.topology.held[id.index()] {
            let value = self.control_value(id);
            self.set_control_value(id, value);
        }
        true
    }

    /// Sets an initial transform relative to the character; the initial local follows from it, and
    /// what hangs below moves along.
    pub fn set_initial_global(&mut self, id: ElementId, t: Transform) -> bool {
        if id.index() >= self.initial.len() {
            return false;
        }
        let local = self.initials().parent(id.index()).map_or(t, |p| p.to_local(t));
        self.set_initial_local(id, local)
    }

    /// All currents to their initials, controls and curves to their first values. Weights of
    /// parents stay: they are no part of the pose.
    pub fn reset_to_initial(&mut self) {
        for id in 0..self.local.len() {
            self.reset_element(id);
        }
        self.stale.mark_all();
    }

    /// Loads locals of the first elements, as many as are given: a sampled pose into the bones.
    /// One with a NaN or infinity is left out; false if there was any. All globals are stale after.
    pub fn set_locals(&mut self, locals: &[Transform]) -> bool {
        let mut all = true;
        for (id, t) in locals.iter().enumerate().take(self.local.len()) {
            let held = if t.is_finite() { self.hold(id, *t) } else { None };
            match held {
                Some(t) => self.local[id] = t,
                None => all = false,
            }
        }
        self.stale.mark_all();
        all
    }

    /// Locals of all elements, in order of addition.
    pub fn locals(&self) -> &[Transform] {
        &self.local
    }

    /// How many globals have been computed and kept since this hierarchy was made.
    pub fn recomputed(&self) -> u64 {
        self.stale.recomputed()
    }
}
