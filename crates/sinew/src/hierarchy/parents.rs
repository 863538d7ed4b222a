//! Which of its parents an element follows, and how much.

use super::{Carry, ElementId, Hierarchy};

impl Hierarchy {
    /// Makes an element follow one of its parents alone. With `keep_global` it stays where it is
    /// (but for a control's limits), else it keeps its local and jumps to the new parent. False,
    /// and nothing changed, if it has no parent of that index.
    pub fn switch_parent(&mut self, id: ElementId, index: usize, keep_global: bool) -> bool {
        let at = self.topology.weights_of(id.index());
        if index >= at.len() {
            return false;
        }
        let global = if keep_global { Some(self.global_mut(id)) } else { None };
        for (i, w) in self.weights[at].iter_mut().enumerate() {
            *w = if i == index { 1.0 } else { 0.0 };
        }
        self.touch(id.index());
        if let Some(global) = global {
            self.set_global(id, global, Carry::Children);
        }
        true
    }

    /// The index of the only parent that an element follows; `None` if it follows several by
    /// weight, or has none.
    pub fn active_parent(&self, id: ElementId) -> Option<usize> {
        let mut active = self.parent_weights(id).iter().enumerate().filter(|(_, w)| **w > 0.0);
        let (index, _) = active.next()?;
        active.next().is_none().then_some(index)
    }

    /// Weights of an element's parents, as they were set.
    #[inline]
    pub fn parent_weights(&self, id: ElementId) -> &[f32] {
        self.weights.get(self.topology.weights_of(id.index())).unwrap_or(&[])
    }

    /// Sets the weight of one parent, 0 or more; the local stays. An element with one parent
    /// follows it whatever the weight, one whose several parents all weigh 0 follows the world.
    pub fn set_parent_weight(&mut self, id: ElementId, index: usize, weight: f32) -> bool {
        let at = self.topology.weights_of(id.index());
        if index >= at.len() || !(weight.is_finite() && weight >= 0.0) {
            return false;
        }
        self.weights[at.start + index] = weight;
        self.touch(id.index());
        true
    }
}
