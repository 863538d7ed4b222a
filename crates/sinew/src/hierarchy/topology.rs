//! Which elements there are and who is whose parent: shared by all characters of one skeleton.

use std::collections::HashMap;

use super::{ControlSettings, ElementId, ElementKey, ElementKind, HierarchyError};
use crate::math::Transform;

/// An element to add.
#[derive(Clone, Debug, PartialEq)]
pub struct ElementSpec {
    /// Its key; unique.
    pub key: ElementKey,
    /// What it follows. The first with weight 1 is the usual parent; others are spaces that it may
    /// be switched to, or parents that share it by weight. Empty means the world.
    pub parents: Vec<Parent>,
    /// Initial transform relative to the parent; for controls the offset, where its zero is.
    pub initial: Transform,
    /// For controls, what it holds and how it looks.
    pub control: Option<ControlSettings>,
    /// For curves, the value it starts with.
    pub value: f32,
}

/// One of the things that an element follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parent {
    /// The element, or [`ElementId::NONE`] for the world.
    pub id: ElementId,
    /// Its weight at the start; weights are divided by their sum.
    pub weight: f32,
}

impl ElementSpec {
    /// An element with one parent (or [`ElementId::NONE`]) and no offset.
    pub fn new(key: ElementKey, parent: ElementId) -> Self {
        let parents = if parent.is_some() { vec![Parent { id: parent, weight: 1.0 }] } else { Vec::new() };
        Self { key, parents, initial: Transform::IDENTITY, control: None, value: 0.0 }
    }

    /// The same with an initial transform.
    #[must_use]
    pub fn at(mut self, initial: Transform) -> Self {
        self.initial = initial;
        self
    }
}

/// The tree of elements. Ids are the order of addition; positions are depth-first, so that all
/// that hangs below an element is one range of positions.
#[derive(Clone, Debug, Default)]
pub struct Topology {
    pub(super) elements: Vec<ElementSpec>,
    ids: HashMap<ElementKey, ElementId>,
    /// First parent by id, `u32::MAX` for the world.
    pub(super) parent: Vec<u32>,
    /// Where an element's weights begin.
    pub(super) weights_at: Vec<u32>,
    pub(super) position: Vec<u32>,
    /// One past the last position below, by id.
    pub(super) end: Vec<u32>,
    /// Ids by position.
    pub(super) order: Vec<u32>,
    /// Children by the first parent, as a list: first child and next sibling by id.
    first_child: Vec<u32>,
    next_sibling: Vec<u32>,
    /// Elements with more than one parent.
    pub(super) shared: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Topology {
    /// The most elements of one hierarchy.
    pub const MAX_ELEMENTS: usize = 1 << 20;

    /// How many elements.
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// The element of this key.
    pub fn find(&self, key: &ElementKey) -> Option<ElementId> {
        self.ids.get(key).copied()
    }

    /// The key of an element.
    pub fn key(&self, id: ElementId) -> Option<&ElementKey> {
        self.elements.get(id.index()).map(|e| &e.key)
    }

    /// What a control holds and how it looks.
    pub fn control(&self, id: ElementId) -> Option<&ControlSettings> {
        self.elements.get(id.index()).and_then(|e| e.control.as_ref())
    }

    /// The element as it was added.
    pub fn spec(&self, id: ElementId) -> Option<ElementSpec> {
        self.elements.get(id.index()).cloned()
    }

    /// All ids in order of addition.
    pub fn ids(&self) -> impl Iterator<Item = ElementId> + use<> {
        (0..self.elements.len() as u32).map(ElementId)
    }

    /// The first parent; [`ElementId::NONE`] at the root.
    #[inline]
    pub fn parent(&self, id: ElementId) -> ElementId {
        ElementId(self.parent.get(id.index()).copied().unwrap_or(NONE))
    }

    /// All parents and spaces, with their weights at the start.
    pub fn parents(&self, id: ElementId) -> &[Parent] {
        self.elements.get(id.index()).map_or(&[], |e| &e.parents)
    }

    /// The elements whose first parent this is, in order of addition.
    pub fn children(&self, id: ElementId) -> impl Iterator<Item = ElementId> + '_ {
        let mut next = self.first_child.get(id.index()).copied().unwrap_or(NONE);
        core::iter::from_fn(move || {
            let child = ElementId(next);
            next = *self.next_sibling.get(child.index())?;
            Some(child)
        })
    }

    /// True if `id` hangs below `ancestor` by first parents, or is it.
    pub fn is_below(&self, id: ElementId, ancestor: ElementId) -> bool {
        match (
            self.position.get(id.index()),
            self.position.get(ancestor.index()),
            self.end.get(ancestor.index()),
        ) {
            (Some(p), Some(start), Some(end)) => (start..end).contains(&p),
            _ => false,
        }
    }

    /// How many elements a chain from `from` down to `to` has, both counted; 0 if `to` is not below.
    pub fn chain_len(&self, from: ElementId, to: ElementId) -> usize {
        if !self.is_below(to, from) {
            return 0;
        }
        let mut n = 1;
        let mut at = to;
        while at != from && n <= self.len() {
            at = self.parent(at);
            n += 1;
        }
        n
    }

    /// The `index`-th ancestor of `id`, 0 being itself.
    pub fn ancestor(&self, id: ElementId, index: usize) -> ElementId {
        let mut at = id;
        for _ in 0..index.min(self.len()) {
            at = self.parent(at);
        }
        at
    }

    /// Elements whose name fits a pattern (`*` any run, `?` any one character), in order of addition.
    pub fn find_pattern<'a>(
        &'a self,
        kind: Option<ElementKind>,
        pattern: &'a str,
    ) -> impl Iterator<Item = ElementId> + 'a {
        let fits = move |e: &ElementSpec| kind.is_none_or(|k| k == e.key.kind) && glob(pattern, &e.key.name);
        self.elements.iter().enumerate().filter(move |(_, e)| fits(e)).map(|(i, _)| ElementId(i as u32))
    }

    pub(super) fn add(&mut self, spec: &ElementSpec) -> Result<ElementId, HierarchyError> {
        if self.elements.len() >= Self::MAX_ELEMENTS {
            return Err(HierarchyError::TooMany { limit: Self::MAX_ELEMENTS });
        }
        if self.ids.contains_key(&spec.key) {
            return Err(HierarchyError::Duplicate { key: spec.key.clone() });
        }
        if !spec.initial.is_finite() || !spec.value.is_finite() {
            return Err(HierarchyError::NotFinite { key: spec.key.clone() });
        }
        // Parents must be there already, so the graph of parents has no cycle by construction.
        for p in &spec.parents {
            if p.id.is_some() && p.id.index() >= self.elements.len() {
                return Err(HierarchyError::UnknownParent { key: spec.key.clone() });
            }
            if !(p.weight.is_finite() && p.weight >= 0.0) {
                return Err(HierarchyError::NotFinite { key: spec.key.clone() });
            }
        }
        let id = ElementId(self.elements.len() as u32);
        self.weights_at.push(
            self.elements
                .last()
                .map_or(0, |e| self.weights_at.last().copied().unwrap_or(0) + e.parents.len() as u32),
        );
        if spec.parents.len() > 1 {
            self.shared.push(id.0);
        }
        self.parent.push(spec.parents.first().map_or(NONE, |p| p.id.0));
        self.elements.push(spec.clone());
        self.ids.insert(spec.key.clone(), id);
        Ok(id)
    }

    /// Derives positions and child lists from the parents.
    pub(super) fn arrange(&mut self) {
        let n = self.elements.len();
        self.first_child = vec![NONE; n];
        self.next_sibling = vec![NONE; n];
        let mut roots = NONE;
        for id in (0..n).rev() {
            let head = match self.parent[id] {
                NONE => &mut roots,
                parent => &mut self.first_child[parent as usize],
            };
            self.next_sibling[id] = *head;
            *head = id as u32;
        }
        self.position = vec![0; n];
        self.end = vec![0; n];
        self.order.clear();
        self.order.reserve(n);
        // Walks down by first children and along siblings; climbs by parents. No recursion: a
        // chain may be as long as the hierarchy.
        let mut at = roots;
        while at != NONE {
            self.position[at as usize] = self.order.len() as u32;
            self.order.push(at);
            let mut next = self.first_child[at as usize];
            while next == NONE && at != NONE {
                self.end[at as usize] = self.order.len() as u32;
                next = self.next_sibling[at as usize];
                at = self.parent[at as usize];
            }
            at = next;
        }
    }
}

/// True if the whole name fits; linear in the name for each star.
fn glob(pattern: &str, name: &str) -> bool {
    let (p, n): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut i, mut j, mut star) = (0, 0, None);
    while j < n.len() {
        if p.get(i) == Some(&'*') {
            star = Some((i, j));
            i += 1;
        } else if p.get(i).is_some_and(|c| *c == '?' || *c == n[j]) {
            i += 1;
            j += 1;
        } else if let Some((si, sj)) = star {
            (i, j) = (si + 1, sj + 1);
            star = Some((si, sj + 1));
        } else {
            return false;
        }
    }
    p[i..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bones(parents: &[u32]) -> Topology {
        let mut t = Topology::default();
        for (i, p) in parents.iter().enumerate() {
            t.add(&ElementSpec::new(ElementKey::bone(format!("b{i}")), ElementId(*p))).unwrap();
        }
        t.arrange();
        t
    }

    #[test]
    fn what_hangs_below_is_one_range() {
        let t = bones(&[NONE, 0, 0, 1, 2, NONE, 3]);
        for a in t.ids() {
            for b in t.ids() {
                let mut up = b;
                while up.is_some() && up != a {
                    up = t.parent(up);
                }
                assert_eq!(t.is_below(b, a), up == a, "{b:?} below {a:?}");
            }
        }
        assert_eq!(t.children(ElementId(0)).map(|c| c.0).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(t.chain_len(ElementId(0), ElementId(6)), 4);
        assert_eq!(t.chain_len(ElementId(2), ElementId(6)), 0);
    }

    #[test]
    fn a_chain_of_a_hundred_thousand_is_no_recursion() {
        let n = 100_000u32;
        let t = bones(&(0..n).map(|i| i.wrapping_sub(1)).collect::<Vec<_>>());
        assert!(t.is_below(ElementId(n - 1), ElementId(0)));
        assert_eq!(t.chain_len(ElementId(0), ElementId(n - 1)), n as usize);
    }

    #[test]
    fn patterns() {
        for (p, n, fits) in [
            ("*", "", true),
            ("spine_*", "spine_01", true),
            ("spine_*", "spin", false),
            ("*_l", "hand_l", true),
            ("?and_*", "hand_l", true),
            ("a*b*c", "a__b_bc", true),
            ("a*b*c", "a__b_b", false),
            ("", "x", false),
        ] {
            assert_eq!(glob(p, n), fits, "{p} {n}");
        }
    }

    #[test]
    fn bad_elements_are_refused_with_their_name() {
        let mut t = bones(&[NONE]);
        let key = || ElementKey::bone("b0");
        assert_eq!(
            t.add(&ElementSpec::new(key(), ElementId::NONE)),
            Err(HierarchyError::Duplicate { key: key() })
        );
        let orphan = ElementSpec::new(ElementKey::bone("x"), ElementId(9));
        assert!(matches!(t.add(&orphan), Err(HierarchyError::UnknownParent { .. })));
    }
}
