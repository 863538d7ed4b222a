//! A hierarchy's state as plain words, for snapshots and hashes.

use super::Hierarchy;
use crate::math::Transform;
use crate::value::Plain;

impl Hierarchy {
    /// How many words [`Hierarchy::write_state`] writes.
    pub fn state_words(&self) -> usize {
        self.len() * 3 * Transform::WORDS + self.stale.len() * 2 + self.weights.len() + self.values.len()
    }

    /// All that changes from frame to frame. False if `out` is of another length.
    pub fn write_state(&self, out: &mut [u32]) -> bool {
        if out.len() != self.state_words() {
            return false;
        }
        let mut out = out.iter_mut();
        let mut put = |w: u32| {
            if let Some(slot) = out.next() {
                *slot = w;
            }
        };
        let (initial, local, global) = self.parts();
        for t in initial.iter().chain(local).chain(global) {
            t.write(|_, w| put(w));
        }
        self.stale.iter().for_each(|w| {
            put(*w as u32);
            put((*w >> 32) as u32);
        });
        self.weights.iter().chain(&self.values).for_each(|w| put(w.to_bits()));
        true
    }

    /// Takes back what [`Hierarchy::write_state`] gave. False, and nothing changed, if `words` is
    /// of another length.
    pub fn read_state(&mut self, words: &[u32]) -> bool {
        if words.len() != self.state_words() {
            return false;
        }
        let mut at = 0;
        let mut take = |n: usize| {
            let part = &words[at..at + n];
            at += n;
            part
        };
        let (initial, local, global) = self.parts_mut();
        for t in initial.iter_mut().chain(local).chain(global) {
            let part = take(Transform::WORDS);
            *t = Transform::read(|i| part[i]);
        }
        for w in &mut self.stale {
            let part = take(2);
            *w = u64::from(part[0]) | u64::from(part[1]) << 32;
        }
        for w in self.weights.iter_mut().chain(&mut self.values) {
            *w = f32::from_bits(take(1)[0]);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ElementId, ElementKey, ElementSpec};
    use super::*;
    use crate::math::Vec3;

    #[test]
    fn a_snapshot_brings_everything_back() {
        let spec = |i: u32| ElementSpec::new(ElementKey::bone(format!("b{i}")), ElementId(i.wrapping_sub(1)));
        let mut h = Hierarchy::new((0..5).map(spec)).unwrap();
        h.set_local(ElementId(2), Transform::from_translation(Vec3::X));
        h.global_mut(ElementId(4));
        h.set_local(ElementId(4), Transform::from_translation(Vec3::Y));
        let mut words = vec![0; h.state_words()];
        assert!(h.write_state(&mut words));
        let want = h.clone().global_mut(ElementId(4));
        h.reset_to_initial();
        assert!(h.read_state(&words));
        let mut again = vec![0; h.state_words()];
        h.write_state(&mut again);
        assert_eq!(words, again);
        assert_eq!(h.global_mut(ElementId(4)), want);
        assert!(!h.read_state(&words[1..]));
    }
}
