//! Which globals are out of date: marks by element, whatever holds the transforms.

use super::Topology;
use super::topology::NONE;

/// One bit for each element, by position, and what it takes to bring elements up to date.
///
/// Rule: if an element is stale, so is all that follows it with a weight above 0. So marking one
/// that is stale already is done at once, and a clean element's parents are clean.
#[derive(Clone, Debug, Default)]
pub(super) struct Stale {
    bits: Vec<u64>,
    /// Elements on the way up while one is brought up to date; as long as the hierarchy from the
    /// start, in clones too, so that a frame never makes it grow.
    path: Vec<u32>,
    recomputed: u64,
}

impl Stale {
    /// For `n` elements, all stale.
    pub(super) fn resize(&mut self, n: usize) {
        self.bits.resize(n.div_ceil(64), !0);
        self.path.resize(n, 0);
        self.mark_all();
    }

    pub(super) fn mark_all(&mut self) {
        self.bits.fill(!0);
    }

    /// Takes over the marks of another for the same topology.
    pub(super) fn copy_from(&mut self, other: &Self) {
        self.bits.copy_from_slice(&other.bits);
    }

    /// Marks what another one marks too.
    pub(super) fn merge(&mut self, other: &Self) {
        for (to, from) in self.bits.iter_mut().zip(&other.bits) {
            *to |= from;
        }
    }

    /// How many globals have been computed.
    pub(super) fn recomputed(&self) -> u64 {
        self.recomputed
    }

    #[inline(always)]
    pub(super) fn is_stale(&self, topology: &Topology, id: usize) -> bool {
        let p = topology.position.get(id).copied().unwrap_or(0) as usize;
        self.bits.get(p / 64).is_some_and(|w| w >> (p % 64) & 1 != 0)
    }

    /// An element's global has just been computed.
    #[inline(always)]
    pub(super) fn computed(&mut self, topology: &Topology, id: usize) {
        let p = topology.position.get(id).copied().unwrap_or(0) as usize;
        if let Some(w) = self.bits.get_mut(p / 64) {
            *w &= !(1 << (p % 64));
        }
        self.recomputed += 1;
    }

    /// Marks an element, all that hangs below it, and what follows any of that by weight.
    #[inline]
    pub(super) fn mark(&mut self, topology: &Topology, weights: &[f32], id: usize) {
        if self.is_stale(topology, id) {
            return;
        }
        set_range(&mut self.bits, topology.position[id] as usize, topology.end[id] as usize);
        if topology.followed[id] {
            self.mark_followers(topology, weights, id);
        }
    }

    /// Elements with several parents stand in one subtree but follow others too.
    fn mark_followers(&mut self, topology: &Topology, weights: &[f32], id: usize) {
        // In order of evaluation a follower comes after all it follows, so one pass finds them all.
        let after = topology.shared.partition_point(|f| topology.rank[*f as usize] <= topology.rank[id]);
        for &follower in &topology.shared[after..] {
            let f = follower as usize;
            if self.is_stale(topology, f) {
                continue;
            }
            let mut parents = topology.elements[f].parents.iter().zip(&weights[topology.weights_of(f)]);
            if parents.any(|(p, w)| *w > 0.0 && p.id.is_some() && self.is_stale(topology, p.id.index())) {
                set_range(&mut self.bits, topology.position[f] as usize, topology.end[f] as usize);
            }
        }
    }

    /// Brings an element and what it hangs on up to date: calls `compute` for each stale one,
    /// parents first.
    #[inline(never)]
    pub(super) fn refresh(
        &mut self,
        topology: &Topology,
        weights: &[f32],
        id: u32,
        mut compute: impl FnMut(usize),
    ) {
        // Every element on the path follows the one before it, and none twice: it fits.
        let mut height = 0;
        let mut at = id;
        loop {
            while let Some(parent) = self.waiting_for(topology, weights, at as usize) {
                let Some(slot) = self.path.get_mut(height) else { return };
                *slot = at;
                height += 1;
                at = parent;
            }
            compute(at as usize);
            self.computed(topology, at as usize);
            if height == 0 {
                return;
            }
            height -= 1;
            at = self.path[height];
        }
    }

    /// A stale parent that counts.
    #[inline(always)]
    fn waiting_for(&self, topology: &Topology, weights: &[f32], id: usize) -> Option<u32> {
        if !topology.several[id] {
            let parent = topology.parent[id];
            return (parent != NONE && self.is_stale(topology, parent as usize)).then_some(parent);
        }
        let weighted = topology.elements[id].parents.iter().zip(&weights[topology.weights_of(id)]);
        let waiting = |(p, w): &(&super::Parent, &f32)| {
            **w > 0.0 && p.id.is_some() && self.is_stale(topology, p.id.index())
        };
        weighted.into_iter().find(waiting).map(|(p, _)| p.id.0)
    }
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
    use super::*;

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

    #[test]
    fn a_clone_has_room_for_the_longest_way_up() {
        let mut stale = Stale::default();
        stale.resize(70);
        assert_eq!(stale.clone().path.len(), 70);
    }
}
