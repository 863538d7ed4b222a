//! Room to work on one block at a time: one for each thread, whatever the number of characters.

use super::rows::{Rows, blend, splat};
use super::{LaneShared, Lanes};
use crate::hierarchy::Hierarchy;
use crate::hierarchy::stale::Stale;
use crate::math::Transform;
use crate::value::Aligned;

/// Globals, marks and copies that a block needs only while it is worked on. Globals follow from what
/// is kept, so a block need not carry them from frame to frame, and those of the block at hand stay
/// in the cache.
#[derive(Clone, Debug)]
pub struct LaneRoom<const L: usize> {
    pub(super) global: Aligned<Rows<L>>,
    pub(super) stale: Stale,
    /// The greatest weight of the lanes: an element follows a parent if it does in any lane.
    pub(super) heaviest: Vec<f32>,
    /// For what is done lane by lane.
    pub(super) one: Hierarchy,
    pub(super) journal: Journal<L>,
}

impl<const L: usize> LaneRoom<L> {
    /// For blocks of a skeleton's characters.
    pub fn new(shared: &LaneShared<L>) -> Self {
        let n = shared.len();
        Self {
            global: Aligned::new(splat(Transform::IDENTITY), n),
            stale: shared.template.stale.clone(),
            heaviest: shared.template.weights.clone(),
            one: shared.template.clone(),
            journal: Journal::new(shared),
        }
    }

    /// Bytes that it takes.
    pub fn bytes(&self) -> usize {
        (self.global.len() + self.journal.rows.len()) * size_of::<Rows<L>>()
    }
}

/// What elements were before something changed them for the first time, for lanes that have to go
/// back. Only what is touched is copied.
#[derive(Clone, Debug)]
pub(super) struct Journal<const L: usize> {
    on: bool,
    seen: Vec<bool>,
    elements: Vec<u32>,
    rows: Aligned<Rows<L>>,
    numbers: bool,
    weights: Vec<[f32; L]>,
    values: Vec<[[u32; L]; 2]>,
}

impl<const L: usize> Journal<L> {
    fn new(shared: &LaneShared<L>) -> Self {
        let n = shared.len();
        Self {
            on: false,
            seen: vec![false; n],
            elements: Vec::with_capacity(n),
            rows: Aligned::new(splat(Transform::IDENTITY), n),
            numbers: false,
            weights: vec![[0.0; L]; shared.template.weights.len()],
            values: vec![[[0; L]; 2]; shared.template.values.len()],
        }
    }

    /// Starts anew; where it is off it notes nothing.
    pub fn begin(&mut self, on: bool) {
        for at in self.elements.drain(..) {
            if let Some(seen) = self.seen.get_mut(at as usize) {
                *seen = false;
            }
        }
        self.numbers = false;
        self.on = on;
    }

    /// Before an element's local changes.
    #[inline(always)]
    pub fn local(&mut self, at: usize, rows: &Rows<L>) {
        if self.on && !self.seen[at] {
            self.seen[at] = true;
            self.rows[self.elements.len()] = *rows;
            self.elements.push(at as u32);
        }
    }

    /// Before anything else changes.
    #[inline(always)]
    pub fn others(&mut self, weights: &[[f32; L]], values: &[[[u32; L]; 2]]) {
        if self.on && !self.numbers {
            self.numbers = true;
            self.weights.copy_from_slice(weights);
            self.values.copy_from_slice(values);
        }
    }

    /// Takes the lanes of the mask back to where they were when this was begun.
    #[cold]
    pub fn undo(&self, lanes: &mut Lanes<L>, mask: &[u32; L]) {
        for (at, rows) in self.elements.iter().zip(self.rows.iter()) {
            if let Some(local) = lanes.local.get_mut(*at as usize) {
                blend(local, rows, mask);
            }
        }
        if !self.numbers {
            return;
        }
        for lane in (0..L).filter(|l| mask[*l] != 0) {
            for (to, from) in lanes.weights.iter_mut().zip(&self.weights) {
                to[lane] = from[lane];
            }
            for (to, from) in lanes.values.iter_mut().zip(&self.values) {
                *to = [0, 1].map(|i| {
                    let mut row = to[i];
                    row[lane] = from[i][lane];
                    row
                });
            }
        }
    }
}
