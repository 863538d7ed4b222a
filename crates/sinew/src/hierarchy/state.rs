//! A hierarchy's state as plain words, for snapshots and hashes.

use super::Hierarchy;
use crate::math::Transform;
use crate::value::Plain;

impl Hierarchy {
    /// How many words [`Hierarchy::write_state`] writes.
    pub fn state_words(&self) -> usize {
        self.len() * 2 * Transform::WORDS + self.weights.len() + self.values.len() * 2
    }

    /// All that changes from frame to frame: initials, locals, weights of parents, values. Globals
    /// follow from these, so two hierarchies that stand alike give the same words, whatever was
    /// read of them before. False, and nothing written, if `out` is not of
    /// [`Hierarchy::state_words`].
    pub fn write_state(&self, out: &mut [u32]) -> bool {
        if out.len() != self.state_words() {
            return false;
        }
        let (transforms, numbers) = out.split_at_mut(self.len() * 2 * Transform::WORDS);
        let slots = transforms.chunks_exact_mut(Transform::WORDS);
        for (slot, t) in slots.zip(self.initial.iter().chain(&self.local)) {
            t.write(|i, w| slot[i] = w);
        }
        let values = self.weights.iter().chain(self.values.as_flattened());
        for (slot, value) in numbers.iter_mut().zip(values) {
            *slot = value.to_bits();
        }
        true
    }

    /// The words of [`Hierarchy::write_state`], one after another.
    pub fn each_state_word(&self, mut put: impl FnMut(u32)) {
        for t in self.initial.iter().chain(&self.local) {
            t.write(|_, w| put(w));
        }
        for value in self.weights.iter().chain(self.values.as_flattened()) {
            put(value.to_bits());
        }
    }

    /// Takes back, one after another, the words that [`Hierarchy::each_state_word`] gave.
    pub fn take_state_words(&mut self, mut next: impl FnMut() -> u32) {
        for t in self.initial.iter_mut().chain(&mut self.local) {
            let words: [u32; Transform::WORDS] = core::array::from_fn(|_| next());
            *t = Transform::read(|i| words[i]);
        }
        for value in self.weights.iter_mut().chain(self.values.as_flattened_mut()) {
            *value = f32::from_bits(next());
        }
        self.stale.mark_all();
    }

    /// Takes back what [`Hierarchy::write_state`] gave. False, and nothing changed, if `words` is
    /// of another length.
    pub fn read_state(&mut self, words: &[u32]) -> bool {
        if words.len() != self.state_words() {
            return false;
        }
        let (transforms, numbers) = words.split_at(self.len() * 2 * Transform::WORDS);
        let slots = transforms.chunks_exact(Transform::WORDS);
        for (slot, t) in slots.zip(self.initial.iter_mut().chain(&mut self.local)) {
            *t = Transform::read(|i| slot[i]);
        }
        let values = self.weights.iter_mut().chain(self.values.as_flattened_mut());
        for (slot, value) in numbers.iter().zip(values) {
            *value = f32::from_bits(*slot);
        }
        self.stale.mark_all();
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ElementId, ElementKey, ElementSpec};
    use super::*;
    use crate::math::Vec3;

    fn bones() -> Hierarchy {
        let spec = |i: u32| ElementSpec::new(ElementKey::bone(format!("b{i}")), ElementId(i.wrapping_sub(1)));
        Hierarchy::new((0..5).map(spec)).unwrap()
    }

    fn words(h: &Hierarchy) -> Vec<u32> {
        let mut words = vec![0; h.state_words()];
        assert!(h.write_state(&mut words));
        words
    }

    #[test]
    fn a_snapshot_brings_everything_back() {
        let mut h = bones();
        h.set_local(ElementId(2), Transform::from_translation(Vec3::X));
        h.global_mut(ElementId(4));
        h.set_local(ElementId(4), Transform::from_translation(Vec3::Y));
        let saved = words(&h);
        let want = h.clone().global_mut(ElementId(4));
        h.reset_to_initial();
        assert!(h.read_state(&saved));
        assert_eq!(words(&h), saved);
        assert_eq!(h.global_mut(ElementId(4)), want);
        let mut one_by_one = Vec::new();
        h.each_state_word(|w| one_by_one.push(w));
        assert_eq!(one_by_one, saved);
        h.reset_to_initial();
        let mut next = saved.iter();
        h.take_state_words(|| *next.next().unwrap());
        assert_eq!(words(&h), saved);
        assert!(!h.read_state(&saved[1..]));
        assert!(!h.write_state(&mut [0; 3]));
    }

    #[test]
    fn reading_changes_no_word_of_a_snapshot() {
        let mut h = bones();
        h.set_local(ElementId(1), Transform::from_translation(Vec3::X));
        let before = words(&h);
        h.global_mut(ElementId(4));
        h.update_all();
        assert_eq!(words(&h), before);
    }
}
