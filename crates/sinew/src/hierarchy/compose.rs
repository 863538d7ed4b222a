//! From locals to globals: the one definition that every way of computing them shares.

use super::topology::NONE;
use super::{ElementId, Topology};
use crate::math::{Quat, Transform, Vec3};

/// The global of an element whose parents' globals are known.
#[inline(always)]
pub(super) fn compose(
    topology: &Topology,
    weights: &[f32],
    id: usize,
    local: Transform,
    global: impl Fn(usize) -> Transform,
) -> Transform {
    match parent_of(topology, weights, id, global) {
        Some(parent) => parent * local,
        None => local,
    }
}

/// What an element's local is relative to; `None` is the world.
#[inline(always)]
pub(super) fn parent_of(
    topology: &Topology,
    weights: &[f32],
    id: usize,
    global: impl Fn(usize) -> Transform,
) -> Option<Transform> {
    if topology.several[id] {
        return blended(topology, |i| weights[i], id, global);
    }
    match topology.parent[id] {
        NONE => None,
        parent => Some(global(parent as usize)),
    }
}

/// As [`parent_of`], with the weights of one lane of many.
pub(super) fn parent_of_lane<const L: usize>(
    topology: &Topology,
    weights: &[[f32; L]],
    id: usize,
    lane: usize,
    global: impl Fn(usize) -> Transform,
) -> Option<Transform> {
    if topology.several[id] {
        return blended(topology, |i| weights[i][lane], id, global);
    }
    match topology.parent[id] {
        NONE => None,
        parent => Some(global(parent as usize)),
    }
}

/// Weighted mean of an element's parents. The only one with a weight is taken as it is; none at
/// all is the world. Translations and scales are averaged by component, rotations summed with
/// their signs turned to the side of the sum so far, and normalized (Gramkow, On Averaging
/// Rotations, 2001, is on how near that comes to the mean on the sphere).
fn blended(
    topology: &Topology,
    weight: impl Fn(usize) -> f32,
    id: usize,
    global: impl Fn(usize) -> Transform,
) -> Option<Transform> {
    let weighted = || {
        let parents = topology.elements[id].parents.iter().zip(topology.weights_of(id).map(&weight));
        parents.filter(|(_, w)| *w > 0.0).map(|(p, w)| (p.id, w))
    };
    let of = |id: ElementId| if id.is_some() { global(id.index()) } else { Transform::IDENTITY };
    let mut active = weighted();
    let (first, _) = active.next()?;
    if active.next().is_none() {
        return first.is_some().then(|| global(first.index()));
    }
    let (mut t, mut s, mut sum) = (Vec3::ZERO, Vec3::ZERO, 0.0f32);
    let mut q = Quat::new(0.0, 0.0, 0.0, 0.0);
    for (id, w) in weighted() {
        let p = of(id);
        let signed = if q.dot(p.rotation) < 0.0 { -w } else { w };
        q.x += p.rotation.x * signed;
        q.y += p.rotation.y * signed;
        q.z += p.rotation.z * signed;
        q.w += p.rotation.w * signed;
        t += p.translation * w;
        s += p.scale * w;
        sum += w;
    }
    Some(Transform::new(t / sum, q.normalize(), s / sum))
}

/// Computes globals without keeping them: for hosts that look on, and for initials.
///
/// `ready` gives the globals that are known. Nothing is allocated unless more than
/// [`KNOWN`] elements with several parents are out of date on the way.
pub(super) struct Lookup<'a, F> {
    pub(super) topology: &'a Topology,
    pub(super) locals: &'a [Transform],
    pub(super) weights: &'a [f32],
    pub(super) ready: F,
}

/// Elements with several parents that had to be computed on the way, in order of evaluation.
struct Known {
    ids: [u32; KNOWN],
    globals: [Transform; KNOWN],
    len: usize,
}

/// How many elements with several parents are remembered on the way without a heap.
const KNOWN: usize = 24;

impl Known {
    fn get(&self, id: usize) -> Option<Transform> {
        let at = self.ids[..self.len].iter().position(|k| *k as usize == id)?;
        Some(self.globals[at])
    }

    /// Takes an element in, once; false if there is no room.
    fn note(&mut self, id: Option<u32>) -> bool {
        let Some(id) = id else { return true };
        if self.ids[..self.len].contains(&id) {
            return true;
        }
        let Some(slot) = self.ids.get_mut(self.len) else { return false };
        *slot = id;
        self.len += 1;
        true
    }
}

impl<F: Fn(usize) -> Option<Transform>> Lookup<'_, F> {
    /// An element's global; `id` must be in range.
    pub(super) fn global(&self, id: usize) -> Transform {
        let mut known = Known { ids: [0; KNOWN], globals: [Transform::IDENTITY; KNOWN], len: 0 };
        if self.topology.shared.is_empty() {
            return self.fold(id, &known);
        }
        if !self.collect(id, &mut known) {
            return self.all_up_to(id);
        }
        known.ids[..known.len].sort_unstable_by_key(|k| self.topology.rank[*k as usize]);
        let wanted = core::mem::take(&mut known.len);
        for i in 0..wanted {
            let at = known.ids[i] as usize;
            let of = |parent| self.fold(parent, &known);
            known.globals[i] = compose(self.topology, self.weights, at, self.locals[at], of);
            known.len = i + 1;
        }
        self.fold(id, &known)
    }

    /// What an element's local is relative to; `None` is the world.
    pub(super) fn parent(&self, id: usize) -> Option<Transform> {
        parent_of(self.topology, self.weights, id, |parent| self.global(parent))
    }

    /// Finds the elements with several parents that `id` needs; false if they are too many.
    fn collect(&self, id: usize, known: &mut Known) -> bool {
        let t = self.topology;
        if !known.note(self.top(id as u32)) {
            return false;
        }
        let mut next = 0;
        while let Some(&at) = known.ids[..known.len].get(next) {
            next += 1;
            let parents =
                t.elements[at as usize].parents.iter().zip(&self.weights[t.weights_of(at as usize)]);
            let mut weighted = parents.filter(|(_, w)| **w > 0.0);
            if !weighted.all(|(p, _)| known.note(self.top(p.id.0))) {
                return false;
            }
        }
        true
    }

    /// The first element from `at` upwards that has several parents and is not ready.
    fn top(&self, mut at: u32) -> Option<u32> {
        while at != NONE && (self.ready)(at as usize).is_none() {
            if self.topology.several[at as usize] {
                return Some(at);
            }
            at = self.topology.parent[at as usize];
        }
        None
    }

    /// Multiplies down from the nearest global that is known. Goes up once for every so many
    /// elements of a long chain, as it has no room to remember them all.
    fn fold(&self, id: usize, known: &Known) -> Transform {
        const ROOM: usize = 256;
        let parent = &self.topology.parent;
        let (mut at, mut left) = (id as u32, 0usize);
        let mut global = loop {
            if at == NONE {
                break None;
            }
            let found = (self.ready)(at as usize).or_else(|| match self.topology.several[at as usize] {
                true => known.get(at as usize),
                false => None,
            });
            if found.is_some() {
                break found;
            }
            left += 1;
            at = parent[at as usize];
        };
        let mut room = [0u32; ROOM];
        while left > 0 {
            let n = left.min(ROOM);
            let mut at = id as u32;
            for _ in 0..left - n {
                at = parent[at as usize];
            }
            for slot in &mut room[..n] {
                *slot = at;
                at = parent[at as usize];
            }
            for at in room[..n].iter().rev() {
                let local = self.locals[*at as usize];
                global = Some(global.map_or(local, |g| g * local));
            }
            left -= n;
        }
        global.unwrap_or_default()
    }

    #[cold]
    fn all_up_to(&self, id: usize) -> Transform {
        let t = self.topology;
        let mut globals = vec![Transform::IDENTITY; t.len()];
        for &at in &t.evaluation[..=t.rank[id] as usize] {
            let at = at as usize;
            globals[at] = (self.ready)(at)
                .unwrap_or_else(|| compose(t, self.weights, at, self.locals[at], |p| globals[p]));
        }
        globals[id]
    }
}
