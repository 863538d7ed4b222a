//! What a block of characters keeps from frame to frame, and what all blocks of a skeleton share.

use std::sync::Arc;

use super::rows::{Compose, Rows, lane_of, splat};
use crate::hierarchy::{Hierarchy, Topology};
use crate::math::Transform;
use crate::value::{Aligned, Plain};

/// What the characters of one skeleton share: their elements, and the pose that they start from.
#[derive(Clone, Debug)]
pub struct LaneShared<const L: usize> {
    pub(super) topology: Arc<Topology>,
    pub(super) template: Hierarchy,
    pub(super) initial_globals: Vec<Transform>,
    pub(super) compose: Compose<L>,
}

impl<const L: usize> LaneShared<L> {
    /// Characters that start as `template` stands.
    pub fn new(template: &Hierarchy, compose: Compose<L>) -> Self {
        Self {
            topology: Arc::clone(&template.topology),
            initial_globals: template.topology.ids().map(|id| template.initial_global(id)).collect(),
            template: template.clone(),
            compose,
        }
    }

    /// The pose that characters start from.
    pub fn template(&self) -> &Hierarchy {
        &self.template
    }

    /// The words of the initials, one after another.
    pub fn each_initial_word(&self, mut put: impl FnMut(u32)) {
        for t in &self.template.initial {
            t.write(|_, w| put(w));
        }
    }

    /// How many words [`Lanes::each_word`] gives.
    pub fn words(&self) -> usize {
        let t = &self.template;
        t.len() * Transform::WORDS + t.weights.len() + t.values.len() * 2
    }

    /// How many elements.
    pub fn len(&self) -> usize {
        self.template.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.template.is_empty()
    }
}

/// What `L` characters of one skeleton keep from frame to frame.
#[derive(Clone, Debug)]
pub struct Lanes<const L: usize> {
    pub(super) local: Aligned<Rows<L>>,
    pub(super) weights: Vec<[f32; L]>,
    pub(super) values: Vec<[[u32; L]; 2]>,
}

impl<const L: usize> Lanes<L> {
    /// `L` characters at the start.
    pub fn new(shared: &LaneShared<L>) -> Self {
        let t = &shared.template;
        let mut local = Aligned::new(splat(Transform::IDENTITY), t.len());
        for (to, from) in local.iter_mut().zip(&t.local) {
            *to = splat(*from);
        }
        Self {
            local,
            weights: t.weights.iter().map(|w| [*w; L]).collect(),
            values: t.values.iter().map(|v| v.map(|x| [x.to_bits(); L])).collect(),
        }
    }

    /// Bytes of all lanes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.local) + size_of_val(&*self.weights) + size_of_val(&*self.values)
    }

    /// The words of all locals.
    pub fn locals(&self) -> &[Rows<L>] {
        &self.local
    }

    /// Local of an element in one lane; the identity for none.
    pub fn local(&self, lane: usize, at: usize) -> Transform {
        self.local.get(at).map_or(Transform::IDENTITY, |rows| lane_of(rows, lane))
    }

    /// One lane back to the start.
    pub fn reset_lane(&mut self, lane: usize, shared: &LaneShared<L>) {
        self.take_lane(lane, &shared.template);
    }

    /// Takes over one lane of another block of the same skeleton.
    pub fn copy_lane(&mut self, lane: usize, from: &Self, of: usize) {
        for (to, from) in self.local.iter_mut().zip(from.local.iter()) {
            for (to, from) in to.iter_mut().zip(from) {
                to[lane] = from[of];
            }
        }
        for (to, from) in self.weights.iter_mut().zip(&from.weights) {
            to[lane] = from[of];
        }
        for (to, from) in self.values.as_flattened_mut().iter_mut().zip(from.values.as_flattened()) {
            to[lane] = from[of];
        }
    }

    /// Takes over another lane of this block.
    pub fn copy_lane_within(&mut self, lane: usize, of: usize) {
        for row in self.local.iter_mut().flatten() {
            row[lane] = row[of];
        }
        for weight in &mut self.weights {
            weight[lane] = weight[of];
        }
        for value in self.values.as_flattened_mut() {
            value[lane] = value[of];
        }
    }

    /// Takes over a hierarchy of the same topology, whose initials must be the shared ones.
    pub(super) fn take_lane(&mut self, lane: usize, one: &Hierarchy) {
        for (to, from) in self.local.iter_mut().zip(&one.local) {
            from.write(|i, w| to[i][lane] = w);
        }
        for (to, from) in self.weights.iter_mut().zip(&one.weights) {
            to[lane] = *from;
        }
        for (to, from) in self.values.as_flattened_mut().iter_mut().zip(one.values.as_flattened()) {
            to[lane] = from.to_bits();
        }
    }

    /// Gives a lane to a hierarchy of the same topology, but for its globals and marks.
    pub(super) fn give_lane(&self, lane: usize, one: &mut Hierarchy) {
        for (to, from) in one.local.iter_mut().zip(self.local.iter()) {
            *to = lane_of(from, lane);
        }
        for (to, from) in one.weights.iter_mut().zip(&self.weights) {
            *to = from[lane];
        }
        for (to, from) in one.values.as_flattened_mut().iter_mut().zip(self.values.as_flattened()) {
            *to = f32::from_bits(from[lane]);
        }
    }

    /// The words of a lane that are not shared, one after another: locals, weights, values. With
    /// [`LaneShared::each_initial_word`] before them they are those of
    /// [`Hierarchy::each_state_word`].
    pub fn each_word(&self, lane: usize, mut put: impl FnMut(u32)) {
        for row in self.local.iter().flatten() {
            put(row[lane]);
        }
        for weight in &self.weights {
            put(weight[lane].to_bits());
        }
        for value in self.values.as_flattened() {
            put(value[lane]);
        }
    }

    /// Takes back, one after another, the words that [`Lanes::each_word`] gave.
    pub fn take_words(&mut self, lane: usize, mut next: impl FnMut() -> u32) {
        for row in self.local.iter_mut().flatten() {
            row[lane] = next();
        }
        for weight in &mut self.weights {
            weight[lane] = f32::from_bits(next());
        }
        for value in self.values.as_flattened_mut() {
            value[lane] = next();
        }
    }
}
