//! One character's elements: transforms that are brought up to date only where they are read.

use std::sync::Arc;

use super::{ControlValue, ElementId, ElementKind, ElementSpec, HierarchyError, Parent, Topology};
use crate::math::{Quat, Transform, Vec3};

/// Whether what hangs on an element follows when its global transform is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Carry {
    /// Children keep their locals and move along.
    #[default]
    Children,
    /// Children keep their globals and stay.
    Leave,
}

/// The elements of one character.
///
/// Locals are always right. A global is stale once it or something above it was set, and is
/// brought up to date when it is read ([`Hierarchy::prepare`], [`Hierarchy::global_mut`]); nothing
/// else is touched. Setting marks all that hangs below as stale: a fill of one range of bits.
/// Nothing here allocates but [`Hierarchy::add`].
///
/// An id that is [`ElementId::NONE`] or beyond the end is no error: reads give the identity or 0,
/// writes do nothing and return false. So does writing a transform with a NaN or infinity.
#[derive(Clone, Debug, Default)]
pub struct Hierarchy {
    topology: Arc<Topology>,
    initial: Vec<Transform>,
    local: Vec<Transform>,
    global: Vec<Transform>,
    /// Stale globals, by position.
    pub(super) stale: Vec<u64>,
    /// Weights of the parents, for all elements one after another.
    pub(super) weights: Vec<f32>,
    /// Curves' values, by id.
    pub(super) values: Vec<f32>,
    /// Elements on the way up while a global is brought up to date.
    path: Vec<u32>,
    recomputed: u64,
}

impl Hierarchy {
    /// From elements, parents before what hangs on them.
    pub fn new(specs: impl IntoIterator<Item = ElementSpec>) -> Result<Self, HierarchyError> {
        let mut h = Self::default();
        let topology = Arc::make_mut(&mut h.topology);
        let mut added = Vec::new();
        for spec in specs {
            topology.add(&spec)?;
            added.push(spec);
        }
        topology.arrange();
        for spec in &added {
            h.push_data(spec);
        }
        h.mark_all();
        Ok(h)
    }

    /// Adds one more element; ids stay as they are. Allocates.
    pub fn add(&mut self, spec: &ElementSpec) -> Result<ElementId, HierarchyError> {
        let topology = Arc::make_mut(&mut self.topology);
        let id = topology.add(spec)?;
        topology.arrange();
        self.push_data(spec);
        self.mark_all();
        Ok(id)
    }

    fn push_data(&mut self, spec: &ElementSpec) {
        let control = spec.control.as_ref();
        let local = control.map_or(spec.initial, |c| spec.initial * c.clamp(c.value));
        self.initial.push(spec.initial);
        self.local.push(local);
        self.global.push(Transform::IDENTITY);
        self.weights.extend(spec.parents.iter().map(|p| p.weight));
        self.values.push(spec.value);
        self.path.reserve(self.local.len());
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

    fn mark_all(&mut self) {
        let words = self.local.len().div_ceil(64);
        self.stale.clear();
        self.stale.resize(words, !0);
    }

    #[inline(always)]
    fn is_stale(&self, id: usize) -> bool {
        is_stale(&self.topology, &self.stale, id)
    }

    /// Marks all that hangs below an element, and what follows any of that by weight.
    #[inline]
    fn mark_below(&mut self, id: usize) {
        let (start, end) = (self.topology.position[id] + 1, self.topology.end[id]);
        set_range(&mut self.stale, start as usize, end as usize);
        if !self.topology.shared.is_empty() {
            self.mark_followers(id);
        }
    }

    /// Elements with several parents stand in one subtree but hang on others too.
    fn mark_followers(&mut self, id: usize) {
        let Self { topology, stale, .. } = self;
        // In order of addition a follower comes after all it follows, so one pass finds them all.
        for &follower in &topology.shared {
            let follower = follower as usize;
            let follows = |p: &Parent| {
                p.id.is_some() && (p.id.index() == id || is_stale(topology, stale, p.id.index()))
            };
            if !is_stale(topology, stale, follower) && topology.elements[follower].parents.iter().any(follows)
            {
                set_range(stale, topology.position[follower] as usize, topology.end[follower] as usize);
            }
        }
    }

    /// Brings an element's global, and so those of all it hangs on, up to date.
    #[inline]
    pub fn prepare(&mut self, id: ElementId) {
        if id.index() < self.local.len() && self.is_stale(id.index()) {
            self.refresh(id.0);
        }
    }

    #[inline(never)]
    fn refresh(&mut self, id: u32) {
        let Self { topology, stale, global, local, weights, path, recomputed, .. } = self;
        path.clear();
        path.push(id);
        while let Some(&at) = path.last() {
            let parents = &topology.elements[at as usize].parents;
            let waiting = |p: &&Parent| p.id.is_some() && is_stale(topology, stale, p.id.index());
            if let Some(parent) = parents.iter().find(waiting) {
                path.push(parent.id.0);
                continue;
            }
            global[at as usize] = parent_global(topology, global, weights, at as usize) * local[at as usize];
            clear_stale(topology, stale, at as usize);
            *recomputed += 1;
            path.pop();
        }
    }

    /// The transform that an element's local is relative to.
    pub fn parent_global_mut(&mut self, id: ElementId) -> Transform {
        if id.index() >= self.local.len() {
            return Transform::IDENTITY;
        }
        for i in 0..self.topology.parents(id).len() {
            self.prepare(self.topology.parents(id)[i].id);
        }
        parent_global(&self.topology, &self.global, &self.weights, id.index())
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

    /// Relative to the character. Cheap if it is up to date (after [`Hierarchy::prepare`]), else
    /// computed along the first parents without being kept.
    #[inline]
    pub fn global(&self, id: ElementId) -> Transform {
        match self.global.get(id.index()) {
            None => Transform::IDENTITY,
            Some(global) if !self.is_stale(id.index()) => *global,
            Some(_) => self.compute_global(id),
        }
    }

    #[cold]
    fn compute_global(&self, id: ElementId) -> Transform {
        // A copy is dear, but this is the path of hosts that look on, not of frames.
        let mut copy = self.clone();
        copy.global_mut(id)
    }

    /// Initial transform relative to the parent.
    pub fn initial_local(&self, id: ElementId) -> Transform {
        self.initial.get(id.index()).copied().unwrap_or_default()
    }

    /// Initial transform relative to the character, by first parents.
    pub fn initial_global(&self, id: ElementId) -> Transform {
        let mut global = self.initial_local(id);
        let mut at = self.topology.parent(id);
        while at.is_some() {
            global = self.initial_local(at) * global;
            at = self.topology.parent(at);
        }
        global
    }

    /// Sets a transform relative to the parent.
    #[inline]
    pub fn set_local(&mut self, id: ElementId, t: Transform) -> bool {
        if id.index() >= self.local.len() || !t.is_finite() {
            return false;
        }
        self.local[id.index()] = t;
        let p = self.topology.position[id.index()] as usize;
        self.stale[p / 64] |= 1 << (p % 64);
        self.mark_below(id.index());
        true
    }

    /// Sets a transform relative to the character; the local follows from it.
    pub fn set_global(&mut self, id: ElementId, t: Transform, carry: Carry) -> bool {
        if id.index() >= self.local.len() || !t.is_finite() {
            return false;
        }
        let local = self.parent_global_mut(id).to_local(t);
        if !local.is_finite() {
            return false;
        }
        if carry == Carry::Leave {
            let topology = Arc::clone(&self.topology);
            for child in topology.children(id).filter(|c| topology.parents(*c).len() == 1) {
                let child_local = t.to_local(self.global_mut(child));
                self.local[child.index()] =
                    if child_local.is_finite() { child_local } else { self.local(child) };
            }
            self.put(id, local, t);
            // The children's globals are as they were, but for the rounding of the way back.
            self.mark_below(id.index());
            return true;
        }
        self.put(id, local, t);
        self.mark_below(id.index());
        true
    }

    fn put(&mut self, id: ElementId, local: Transform, global: Transform) {
        self.local[id.index()] = local;
        self.global[id.index()] = global;
        clear_stale(&self.topology, &mut self.stale, id.index());
    }

    /// Sets an initial transform relative to the parent.
    pub fn set_initial_local(&mut self, id: ElementId, t: Transform) -> bool {
        let ok = id.index() < self.initial.len() && t.is_finite();
        if ok {
            self.initial[id.index()] = t;
        }
        ok
    }

    /// All currents to their initials, controls to their first value, curves to 0.
    pub fn reset_to_initial(&mut self) {
        self.local.copy_from_slice(&self.initial);
        for id in self.topology.ids() {
            if let Some(c) = self.topology.control(id) {
                self.local[id.index()] = self.initial[id.index()] * c.clamp(c.value);
            }
        }
        self.mark_all_stale();
    }

    /// Loads locals of the first elements, as many as are given: a sampled pose into the bones.
    pub fn set_locals(&mut self, locals: &[Transform]) {
        let n = locals.len().min(self.local.len());
        self.local[..n].copy_from_slice(&locals[..n]);
        self.mark_all_stale();
    }

    /// Locals of all elements, in order of addition.
    pub fn locals(&self) -> &[Transform] {
        &self.local
    }

    fn mark_all_stale(&mut self) {
        self.stale.fill(!0);
    }

    /// A curve's value; 0 where there is none.
    pub fn curve(&self, id: ElementId) -> f32 {
        self.values.get(id.index()).copied().unwrap_or(0.0)
    }

    /// Sets a curve's value.
    pub fn set_curve(&mut self, id: ElementId, value: f32) -> bool {
        let is_curve = self.topology.key(id).is_some_and(|k| k.kind == ElementKind::Curve);
        if is_curve && value.is_finite() {
            self.values[id.index()] = value;
        }
        is_curve && value.is_finite()
    }

    /// A control's value: its local seen from its offset.
    pub fn control_value(&self, id: ElementId) -> ControlValue {
        self.initial_local(id).to_local(self.local(id))
    }

    /// Sets a control's value within its limits.
    pub fn set_control_value(&mut self, id: ElementId, value: ControlValue) -> bool {
        match self.topology.control(id) {
            Some(settings) if value.is_finite() => {
                let local = self.initial_local(id) * settings.clamp(value);
                self.set_local(id, local)
            }
            _ => false,
        }
    }

    /// Makes an element follow one of its parents alone. With `keep_global` it stays where it is.
    pub fn switch_parent(&mut self, id: ElementId, index: usize, keep_global: bool) -> bool {
        let count = self.topology.parents(id).len();
        if index >= count {
            return false;
        }
        let global = self.global_mut(id);
        let at = self.topology.weights_at[id.index()] as usize;
        for (i, w) in self.weights[at..at + count].iter_mut().enumerate() {
            *w = if i == index { 1.0 } else { 0.0 };
        }
        if keep_global {
            return self.set_global(id, global, Carry::Children);
        }
        let local = self.local(id);
        self.set_local(id, local)
    }

    /// Weights of an element's parents.
    pub fn parent_weights(&self, id: ElementId) -> &[f32] {
        let count = self.topology.parents(id).len();
        let at = self.topology.weights_at.get(id.index()).copied().unwrap_or(0) as usize;
        self.weights.get(at..at + count).unwrap_or(&[])
    }

    /// Sets the weight of one parent.
    pub fn set_parent_weight(&mut self, id: ElementId, index: usize, weight: f32) -> bool {
        let count = self.topology.parents(id).len();
        if index >= count || !(weight.is_finite() && weight >= 0.0) {
            return false;
        }
        let at = self.topology.weights_at[id.index()] as usize;
        self.weights[at + index] = weight;
        let local = self.local(id);
        self.set_local(id, local)
    }

    /// How many globals have been computed since this hierarchy was made.
    pub fn recomputed(&self) -> u64 {
        self.recomputed
    }

    /// The parts that change from frame to frame.
    pub(super) fn parts(&self) -> (&[Transform], &[Transform], &[Transform]) {
        (&self.initial, &self.local, &self.global)
    }

    pub(super) fn parts_mut(&mut self) -> (&mut [Transform], &mut [Transform], &mut [Transform]) {
        (&mut self.initial, &mut self.local, &mut self.global)
    }
}

#[inline(always)]
fn is_stale(topology: &Topology, stale: &[u64], id: usize) -> bool {
    let p = topology.position.get(id).copied().unwrap_or(0) as usize;
    stale.get(p / 64).is_some_and(|w| w >> (p % 64) & 1 != 0)
}

fn clear_stale(topology: &Topology, stale: &mut [u64], id: usize) {
    let p = topology.position[id] as usize;
    stale[p / 64] &= !(1 << (p % 64));
}

/// What an element hangs on, its parents being up to date.
#[inline]
fn parent_global(topology: &Topology, globals: &[Transform], weights: &[f32], id: usize) -> Transform {
    let parents = &topology.elements[id].parents;
    let global = |id: ElementId| globals.get(id.index()).copied().unwrap_or_default();
    if let [one] = parents.as_slice() {
        return global(one.id);
    }
    let weights = &weights[topology.weights_at[id] as usize..][..parents.len()];
    blend(parents.iter().zip(weights).map(|(p, w)| (global(p.id), *w)))
}

/// Weighted mean of transforms; the identity where all weights are 0. Rotations are summed with
/// their signs turned to the first one's side and normalized.
fn blend(parents: impl Iterator<Item = (Transform, f32)>) -> Transform {
    let (mut t, mut s, mut sum) = (Vec3::ZERO, Vec3::ZERO, 0.0f32);
    let mut q = Quat::new(0.0, 0.0, 0.0, 0.0);
    for (p, w) in parents {
        if w <= 0.0 {
            continue;
        }
        let sign = if q.dot(p.rotation) < 0.0 { -w } else { w };
        q.x += p.rotation.x * sign;
        q.y += p.rotation.y * sign;
        q.z += p.rotation.z * sign;
        q.w += p.rotation.w * sign;
        t += p.translation * w;
        s += p.scale * w;
        sum += w;
    }
    if sum <= 0.0 {
        return Transform::IDENTITY;
    }
    Transform::new(t / sum, q.normalize(), s / sum)
}

/// Sets the bits from `start` to before `end`.
#[inline]
fn set_range(bits: &mut [u64], start: usize, end: usize) {
    if start >= end {
        return;
    }
    let (first, last) = (start / 64, (end - 1) / 64);
    let low = !0u64 << (start % 64);
    let high = !0u64 >> (63 - (end - 1) % 64);
    if first == last {
        bits[first] |= low & high;
        return;
    }
    bits[first] |= low;
    bits[first + 1..last].fill(!0);
    bits[last] |= high;
}

#[cfg(test)]
mod tests {
    use super::super::ElementKey;
    use super::*;
    use proptest::prelude::*;

    fn turn(half_angle: f32) -> Quat {
        // cos and sin of small angles to the accuracy that a test needs.
        Quat::new(0.0, half_angle, 0.2, 1.0).normalize()
    }

    fn local(seed: u32) -> Transform {
        let f = |k: u32| {
            ((seed.wrapping_mul(747_796_405).wrapping_add(k.wrapping_mul(2_891_336_453)) >> 8) % 2000) as f32
                / 1000.0
                - 1.0
        };
        Transform::new(Vec3::new(f(1), f(2), f(3)), turn(f(4)), Vec3::splat(1.0 + 0.1 * f(5)))
    }

    /// The plain definition: parents' globals, blended, times the local.
    fn naive(h: &Hierarchy, id: ElementId) -> Transform {
        let parents = h.topology().parents(id);
        let parent = match parents {
            [] => Transform::IDENTITY,
            [one] if one.id.is_some() => naive(h, one.id),
            [_] => Transform::IDENTITY,
            many => blend(
                many.iter()
                    .zip(h.parent_weights(id))
                    .map(|(p, w)| (if p.id.is_some() { naive(h, p.id) } else { Transform::IDENTITY }, *w)),
            ),
        };
        parent * h.local(id)
    }

    fn close(a: Transform, b: Transform) -> bool {
        let same_turn = a.rotation.dot(b.rotation).abs() > 1.0 - 1e-5;
        a.translation.distance(b.translation) < 2e-4 && same_turn && a.scale.distance(b.scale) < 1e-4
    }

    #[derive(Clone, Debug)]
    enum Op {
        Local(u32, u32),
        Global(u32, u32, bool),
        Read(u32),
        Switch(u32, u32, bool),
        Weight(u32, u32, u8),
        Add(u32),
    }

    fn op() -> impl Strategy<Value = Op> {
        prop_oneof![
            (0..40u32, any::<u32>()).prop_map(|(a, b)| Op::Local(a, b)),
            (0..40u32, any::<u32>(), any::<bool>()).prop_map(|(a, b, c)| Op::Global(a, b, c)),
            (0..40u32).prop_map(Op::Read),
            (0..40u32, 0..3u32, any::<bool>()).prop_map(|(a, b, c)| Op::Switch(a, b, c)),
            (0..40u32, 0..3u32, any::<u8>()).prop_map(|(a, b, c)| Op::Weight(a, b, c)),
            any::<u32>().prop_map(Op::Add),
        ]
    }

    fn spec(i: u32, seed: u32) -> ElementSpec {
        let parent = |k: u32| match i {
            0 => ElementId::NONE,
            _ => ElementId(seed.wrapping_mul(k) % (i + 1)),
        };
        let fix = |p: ElementId| if p.0 >= i { ElementId::NONE } else { p };
        let mut s = ElementSpec::new(ElementKey::bone(format!("e{i}")), fix(parent(1))).at(local(seed));
        if seed % 4 == 0 && i > 0 {
            let more = |k| Parent { id: fix(parent(k)), weight: 0.5 };
            s.parents = vec![more(3), more(5)];
        }
        s
    }

    proptest! {
        #[test]
        fn lazy_globals_equal_the_plain_definition(
            seeds in prop::collection::vec(any::<u32>(), 1..20),
            ops in prop::collection::vec(op(), 0..40),
        ) {
            let mut h = Hierarchy::new(seeds.iter().enumerate().map(|(i, s)| spec(i as u32, *s))).unwrap();
            for op in ops {
                match op {
                    Op::Local(id, s) => { h.set_local(ElementId(id), local(s)); }
                    Op::Global(id, s, leave) => {
                        let id = ElementId(id);
                        let children: Vec<_> = h.topology().children(id)
                            .filter(|c| h.topology().parents(*c).len() == 1).collect();
                        let before: Vec<_> = children.iter().map(|c| h.global_mut(*c)).collect();
                        let t = local(s);
                        if h.set_global(id, t, if leave { Carry::Leave } else { Carry::Children }) {
                            prop_assert!(close(h.global_mut(id), t));
                            if leave {
                                for (c, b) in children.iter().zip(before) {
                                    prop_assert!(close(h.global_mut(*c), b));
                                }
                            }
                        }
                    }
                    Op::Read(id) => { h.global_mut(ElementId(id)); }
                    Op::Switch(id, k, keep) => {
                        let before = h.global_mut(ElementId(id));
                        if h.switch_parent(ElementId(id), k as usize, keep) && keep {
                            prop_assert!(close(h.global_mut(ElementId(id)), before));
                        }
                    }
                    Op::Weight(id, k, w) => { h.set_parent_weight(ElementId(id), k as usize, f32::from(w)); }
                    Op::Add(s) => { let i = h.len() as u32; h.add(&spec(i, s)).unwrap(); }
                }
            }
            for id in h.topology().ids() {
                let (want, seen, got) = (naive(&h, id), h.global(id), h.global_mut(id));
                prop_assert_eq!(seen, got);
                prop_assert!(close(got, want), "{:?}: {:?} for {:?}", id, got, want);
            }
        }
    }

    fn chain(n: u32) -> Hierarchy {
        let spec = |i: u32| {
            ElementSpec::new(ElementKey::bone(format!("b{i}")), ElementId(i.wrapping_sub(1))).at(local(i))
        };
        Hierarchy::new((0..n).map(spec)).unwrap()
    }

    #[test]
    fn only_what_was_touched_is_computed_again() {
        let mut h = chain(10);
        h.global_mut(ElementId(9));
        assert_eq!(h.recomputed(), 10);
        h.global_mut(ElementId(9));
        h.global_mut(ElementId(3));
        assert_eq!(h.recomputed(), 10);
        h.set_local(ElementId(7), local(99));
        h.global_mut(ElementId(6));
        assert_eq!(h.recomputed(), 10);
        h.global_mut(ElementId(9));
        assert_eq!(h.recomputed(), 13);
    }

    #[test]
    fn no_id_and_no_number_harms() {
        let mut h = chain(2);
        let before = h.locals().to_vec();
        for id in [ElementId::NONE, ElementId(2), ElementId(70)] {
            assert_eq!(h.global_mut(id), Transform::IDENTITY);
            assert_eq!(h.initial_global(id), Transform::IDENTITY);
            assert!(!h.set_global(id, Transform::IDENTITY, Carry::Leave));
            assert!(!h.set_local(id, Transform::IDENTITY));
            assert!(!h.switch_parent(id, 0, true));
            assert!(!h.set_curve(id, 1.0));
        }
        let bad = Transform::from_translation(Vec3::new(f32::NAN, 0.0, 0.0));
        assert!(!h.set_local(ElementId(0), bad));
        assert!(!h.set_global(ElementId(0), bad, Carry::Children));
        assert_eq!(h.locals(), before);
    }

    #[test]
    fn ranges_of_bits() {
        for start in 0..130 {
            for end in start..=130 {
                let mut bits = [0u64; 3];
                set_range(&mut bits, start, end);
                for b in 0..192 {
                    assert_eq!(bits[b / 64] >> (b % 64) & 1 != 0, (start..end).contains(&b));
                }
            }
        }
    }
}
