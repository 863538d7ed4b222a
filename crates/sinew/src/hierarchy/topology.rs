//! Which elements there are and who is whose parent: shared by all characters of one skeleton.

use std::collections::HashMap;

use super::pattern::fits_pattern;
use super::{
    ControlKind, ControlSettings, ElementId, ElementKey, ElementKind, ElementSpec, HierarchyError, Parent,
};
use crate::math::Transform;

/// The tree of elements. Ids are the order of addition and never change; positions are
/// depth-first, so that all that hangs below an element is one range of positions.
#[derive(Clone, Debug, Default)]
pub struct Topology {
    pub(super) elements: Vec<ElementSpec>,
    ids: HashMap<ElementKey, ElementId>,
    /// First parent by id, `u32::MAX` for the world.
    pub(super) parent: Vec<u32>,
    /// Elements with more than one parent, by id.
    pub(super) several: Vec<bool>,
    /// Elements whose transform is held to a kind or to limits, by id: most controls, and curves.
    pub(super) held: Vec<bool>,
    /// Where an element's weights begin.
    pub(super) weights_at: Vec<u32>,
    /// Weights at the start, of all elements one after another.
    pub(super) initial_weights: Vec<f32>,
    pub(super) position: Vec<u32>,
    /// One past the last position below, by id.
    pub(super) end: Vec<u32>,
    depth: Vec<u32>,
    /// Children by the first parent, as a list: first child and next sibling by id.
    pub(super) first_child: Vec<u32>,
    pub(super) next_sibling: Vec<u32>,
    /// Ids so that all parents stand before what follows them.
    pub(super) evaluation: Vec<u32>,
    /// Place in `evaluation`, by id.
    pub(super) rank: Vec<u32>,
    /// Elements with more than one parent, in order of evaluation.
    pub(super) shared: Vec<u32>,
    /// By id: something elsewhere in the tree follows this or what hangs below it.
    pub(super) followed: Vec<bool>,
}

pub(super) const NONE: u32 = u32::MAX;

impl Topology {
    /// The most elements of one hierarchy.
    pub const MAX_ELEMENTS: usize = 1 << 20;
    /// The most parents and spaces of one element.
    pub const MAX_PARENTS: usize = 256;

    /// How many elements.
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// The element of this key. For binding; nothing in a frame looks names up.
    pub fn find(&self, key: &ElementKey) -> Option<ElementId> {
        self.ids.get(key).copied()
    }

    /// The key of an element.
    pub fn key(&self, id: ElementId) -> Option<&ElementKey> {
        self.elements.get(id.index()).map(|e| &e.key)
    }

    /// The kind of an element.
    #[inline]
    pub fn kind(&self, id: ElementId) -> Option<ElementKind> {
        self.elements.get(id.index()).map(|e| e.key.kind)
    }

    /// What a control holds and how it looks; `None` for anything else.
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

    /// The element itself, its first parent, and so on up to the root.
    pub fn ancestors(&self, id: ElementId) -> impl Iterator<Item = ElementId> + '_ {
        let mut next = id;
        core::iter::from_fn(move || {
            let at = next;
            next = ElementId(*self.parent.get(at.index())?);
            Some(at)
        })
    }

    /// How many first parents stand above; 0 at a root and for no element.
    #[inline]
    pub fn depth(&self, id: ElementId) -> usize {
        self.depth.get(id.index()).copied().unwrap_or(0) as usize
    }

    /// True if `id` hangs below `ancestor` by first parents, or is it.
    #[inline]
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
    #[inline]
    pub fn chain_len(&self, from: ElementId, to: ElementId) -> usize {
        if self.is_below(to, from) { self.depth(to) - self.depth(from) + 1 } else { 0 }
    }

    /// Writes the chain from `from` down to `to`, both counted, into the start of `out`, and gives
    /// its length. 0, and nothing written, if `to` is not below `from` or `out` is too short
    /// ([`Topology::chain_len`] says how long it must be).
    pub fn chain(&self, from: ElementId, to: ElementId, out: &mut [ElementId]) -> usize {
        let n = self.chain_len(from, to);
        let Some(out) = out.get_mut(..n) else { return 0 };
        for (slot, at) in out.iter_mut().rev().zip(self.ancestors(to)) {
            *slot = at;
        }
        n
    }

    /// The `index`-th ancestor of `id`, 0 being itself; [`ElementId::NONE`] above the root.
    pub fn ancestor(&self, id: ElementId, index: usize) -> ElementId {
        self.ancestors(id).nth(index).unwrap_or(ElementId::NONE)
    }

    /// Elements whose name fits a pattern (`*` any run, `?` any one character), in order of addition.
    pub fn find_pattern<'a>(
        &'a self,
        kind: Option<ElementKind>,
        pattern: &'a str,
    ) -> impl Iterator<Item = ElementId> + 'a {
        let fits =
            move |e: &ElementSpec| kind.is_none_or(|k| k == e.key.kind) && fits_pattern(pattern, &e.key.name);
        self.elements.iter().enumerate().filter(move |(_, e)| fits(e)).map(|(i, _)| ElementId(i as u32))
    }

    /// The place of an element's weights, one for each of its parents.
    #[inline]
    pub(super) fn weights_of(&self, id: usize) -> core::ops::Range<usize> {
        let start = self.weights_at.get(id).copied().unwrap_or(0) as usize;
        start..start + self.elements.get(id).map_or(0, |e| e.parents.len())
    }

    /// Adds an element, its parents being among the first `total` ids; [`Topology::arrange`] must
    /// follow.
    pub(super) fn add(&mut self, spec: &ElementSpec, total: usize) -> Result<ElementId, HierarchyError> {
        let key = || spec.key.clone();
        if self.elements.len() >= Self::MAX_ELEMENTS {
            return Err(HierarchyError::TooMany { limit: Self::MAX_ELEMENTS });
        }
        if self.ids.contains_key(&spec.key) {
            return Err(HierarchyError::Duplicate { key: key() });
        }
        if spec.parents.len() > Self::MAX_PARENTS {
            return Err(HierarchyError::TooManyParents { key: key(), limit: Self::MAX_PARENTS });
        }
        if spec.control.is_some() && spec.key.kind != ElementKind::Control {
            return Err(HierarchyError::NotAControl { key: key() });
        }
        let control_ok = spec.control.as_ref().is_none_or(ControlSettings::is_sound);
        if !(spec.initial.is_finite() && spec.value.is_finite() && control_ok) {
            return Err(HierarchyError::NotFinite { key: key() });
        }
        for p in &spec.parents {
            self.check_parent(&spec.key, p, total)?;
        }
        let id = ElementId(self.elements.len() as u32);
        let mut spec = spec.clone();
        match spec.key.kind {
            ElementKind::Control => _ = spec.control.get_or_insert_default(),
            ElementKind::Curve => spec.initial = Transform::IDENTITY,
            _ => {}
        }
        self.ids.insert(spec.key.clone(), id);
        self.parent.push(NONE);
        self.several.push(false);
        self.held.push(match &spec.control {
            Some(c) => c.kind != ControlKind::Transform || c.min.is_some() || c.max.is_some(),
            None => spec.key.kind == ElementKind::Curve,
        });
        self.elements.push(spec);
        Ok(id)
    }

    fn check_parent(&self, key: &ElementKey, p: &Parent, total: usize) -> Result<(), HierarchyError> {
        if p.id.is_some() && p.id.index() >= total {
            return Err(HierarchyError::UnknownParent { key: key.clone() });
        }
        if !(p.weight.is_finite() && p.weight >= 0.0) {
            return Err(HierarchyError::NotFinite { key: key.clone() });
        }
        match self.elements.get(p.id.index()) {
            Some(curve) if curve.key.kind == ElementKind::Curve => {
                Err(HierarchyError::CurveAsParent { key: key.clone(), parent: curve.key.clone() })
            }
            _ => Ok(()),
        }
    }

    /// Adds one more parent to an element; [`Topology::arrange`] must follow. An element that hung
    /// on the world by having none gets the world as its first.
    pub(super) fn add_parent(&mut self, id: ElementId, parent: Parent) -> Result<usize, HierarchyError> {
        let Some(spec) = self.elements.get(id.index()) else {
            return Err(HierarchyError::UnknownElement { index: id.0 });
        };
        self.check_parent(&spec.key, &parent, self.elements.len())?;
        if spec.parents.len() >= Self::MAX_PARENTS {
            return Err(HierarchyError::TooManyParents { key: spec.key.clone(), limit: Self::MAX_PARENTS });
        }
        let parents = &mut self.elements[id.index()].parents;
        if parents.is_empty() {
            parents.push(Parent { id: ElementId::NONE, weight: 1.0 });
        }
        parents.push(parent);
        Ok(parents.len() - 1)
    }

    /// Derives orders, ranges and lists from the parents. On an error this topology is unfinished
    /// and must be dropped.
    pub(super) fn arrange(&mut self) -> Result<(), HierarchyError> {
        self.weights_at.clear();
        self.initial_weights.clear();
        for (id, e) in self.elements.iter().enumerate() {
            self.parent[id] = e.parents.first().map_or(NONE, |p| p.id.0);
            self.several[id] = e.parents.len() > 1;
            self.weights_at.push(self.initial_weights.len() as u32);
            self.initial_weights.extend(e.parents.iter().map(|p| p.weight));
            let curve = |p: &&Parent| self.kind(p.id) == Some(ElementKind::Curve);
            if let Some(parent) = e.parents.iter().find(curve).and_then(|p| self.key(p.id)) {
                return Err(HierarchyError::CurveAsParent { key: e.key.clone(), parent: parent.clone() });
            }
        }
        self.arrange_evaluation()?;
        self.arrange_positions();
        self.followed = vec![false; self.elements.len()];
        for &id in &self.shared {
            for p in self.elements[id as usize].parents.iter().skip(1).filter(|p| p.id.is_some()) {
                self.followed[p.id.index()] = true;
            }
        }
        for &id in self.evaluation.iter().rev() {
            if self.followed[id as usize] && self.parent[id as usize] != NONE {
                self.followed[self.parent[id as usize] as usize] = true;
            }
        }
        Ok(())
    }

    /// Parents before what follows them; as added, where that is such an order.
    fn arrange_evaluation(&mut self) -> Result<(), HierarchyError> {
        let n = self.elements.len();
        self.evaluation.clear();
        let in_order =
            |(id, e): (usize, &ElementSpec)| e.parents.iter().all(|p| !p.id.is_some() || p.id.index() < id);
        if self.elements.iter().enumerate().all(in_order) {
            self.evaluation.extend(0..n as u32);
        } else {
            self.evaluation = evaluation_order(&self.elements).map_err(|path| HierarchyError::Cycle {
                path: path.into_iter().filter_map(|id| self.key(id).cloned()).collect(),
            })?;
        }
        self.rank = vec![0; n];
        for (rank, &id) in self.evaluation.iter().enumerate() {
            self.rank[id as usize] = rank as u32;
        }
        self.shared.clear();
        self.shared.extend(self.evaluation.iter().filter(|id| self.several[**id as usize]));
        Ok(())
    }

    fn arrange_positions(&mut self) {
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
        (self.position, self.end, self.depth) = (vec![0; n], vec![0; n], vec![0; n]);
        // Walks down by first children and along siblings; climbs by parents. No recursion: a
        // chain may be as long as the hierarchy.
        let (mut at, mut count) = (roots, 0);
        while at != NONE {
            self.position[at as usize] = count;
            count += 1;
            self.depth[at as usize] = match self.parent[at as usize] {
                NONE => 0,
                parent => self.depth[parent as usize] + 1,
            };
            let mut next = self.first_child[at as usize];
            while next == NONE && at != NONE {
                self.end[at as usize] = count;
                next = self.next_sibling[at as usize];
                at = self.parent[at as usize];
            }
            at = next;
        }
    }
}

/// Depth-first from each element in turn, parents first; or the circle that was met.
fn evaluation_order(elements: &[ElementSpec]) -> Result<Vec<u32>, Vec<ElementId>> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; elements.len()];
    let mut out = Vec::with_capacity(elements.len());
    // Elements on the way up, each with its parents that are still to be looked at.
    let mut open: Vec<(ElementId, usize)> = Vec::new();
    for start in 0..elements.len() {
        if marks[start] == Mark::New {
            marks[start] = Mark::Open;
            open.push((ElementId(start as u32), 0));
        }
        while let Some((id, looked_at)) = open.last_mut() {
            let Some(parent) = elements[id.index()].parents.get(*looked_at).map(|p| p.id) else {
                marks[id.index()] = Mark::Done;
                out.push(id.0);
                open.pop();
                continue;
            };
            *looked_at += 1;
            match marks.get(parent.index()) {
                Some(Mark::New) => {
                    marks[parent.index()] = Mark::Open;
                    open.push((parent, 0));
                }
                Some(Mark::Open) => {
                    let path = open.iter().map(|(id, _)| *id).skip_while(|id| *id != parent);
                    return Err(path.chain([parent]).collect());
                }
                Some(Mark::Done) | None => {}
            }
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn try_bones(parents: &[u32]) -> Result<Topology, HierarchyError> {
        let mut t = Topology::default();
        for (i, p) in parents.iter().enumerate() {
            t.add(&ElementSpec::new(ElementKey::bone(format!("b{i}")), ElementId(*p)), parents.len())?;
        }
        t.arrange().map(|()| t)
    }

    fn bones(parents: &[u32]) -> Topology {
        try_bones(parents).unwrap()
    }

    #[test]
    fn what_hangs_below_is_one_range() {
        // The last two come before their parents.
        let t = bones(&[NONE, 0, 0, 1, 2, NONE, 3, 8, 9, 4]);
        for a in t.ids() {
            assert_eq!(t.depth(a) + 1, t.ancestors(a).count());
            for b in t.ids() {
                let up: Vec<_> = t.ancestors(b).take_while(|up| *up != a).collect();
                let below = up.len() < t.ancestors(b).count();
                assert_eq!(t.is_below(b, a), below, "{b:?} below {a:?}");
                let mut chain = [ElementId::NONE; 10];
                let n = t.chain(a, b, &mut chain);
                assert_eq!(n, if below { up.len() + 1 } else { 0 });
                assert_eq!(n, t.chain_len(a, b));
                let down = chain[..n].iter().rev().copied();
                assert!(down.eq(up.into_iter().chain([a]).take(n)));
            }
        }
        assert_eq!(t.children(ElementId(0)).map(|c| c.0).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(t.chain(ElementId(0), ElementId(6), &mut [ElementId::NONE; 3]), 0);
        assert_eq!(t.ancestor(ElementId(6), 3), ElementId(0));
        assert_eq!(t.ancestor(ElementId(6), 4), ElementId::NONE);
    }

    #[test]
    fn a_chain_of_a_hundred_thousand_is_no_recursion() {
        let n = 100_000u32;
        let last = ElementId(n - 1);
        let down = bones(&(0..n).map(|i| i.wrapping_sub(1)).collect::<Vec<_>>());
        assert!(down.is_below(last, ElementId(0)));
        assert_eq!(down.chain_len(ElementId(0), last), n as usize);
        // The same upside down: every parent comes after its child.
        let up = bones(&(0..n).map(|i| if i + 1 < n { i + 1 } else { NONE }).collect::<Vec<_>>());
        assert_eq!(up.depth(ElementId(0)), n as usize - 1);
    }

    #[test]
    fn circles_are_refused_with_their_path() {
        let path = |parents: &[u32]| match try_bones(parents) {
            Err(HierarchyError::Cycle { path }) => path.into_iter().map(|k| k.name).collect::<Vec<_>>(),
            other => panic!("{other:?}"),
        };
        assert_eq!(path(&[NONE, 3, 1, 2]), ["b1", "b3", "b2", "b1"]);
        assert_eq!(path(&[NONE, NONE, NONE, 3]), ["b3", "b3"]);
        let n = 100_000;
        let long = try_bones(&(0..n).map(|i| (i + 1) % n).collect::<Vec<_>>()).unwrap_err();
        assert!(long.to_string().len() < 300, "{long}");
    }

    #[test]
    fn bad_elements_are_refused_with_their_name() {
        let t = bones(&[NONE]);
        let add = |spec: &ElementSpec| {
            let mut t = t.clone();
            t.add(spec, 1).and_then(|_| t.arrange())
        };
        let key = || ElementKey::bone("b0");
        let x = || ElementKey::bone("x");
        let twice = add(&ElementSpec::new(key(), ElementId::NONE));
        assert_eq!(twice, Err(HierarchyError::Duplicate { key: key() }));
        let orphan = add(&ElementSpec::new(x(), ElementId(9)));
        assert_eq!(orphan, Err(HierarchyError::UnknownParent { key: x() }));
        let mut control = ElementSpec::new(x(), ElementId(0));
        control.control = Some(ControlSettings::default());
        assert_eq!(add(&control), Err(HierarchyError::NotAControl { key: x() }));
        let mut wild = ElementSpec::new(x(), ElementId(0));
        wild.initial.scale.y = f32::INFINITY;
        assert_eq!(add(&wild), Err(HierarchyError::NotFinite { key: x() }));
        for weight in [f32::NAN, -1.0, f32::INFINITY] {
            let mut wild = ElementSpec::new(x(), ElementId(0));
            wild.parents[0].weight = weight;
            assert_eq!(add(&wild), Err(HierarchyError::NotFinite { key: x() }));
        }
        let mut crowd = ElementSpec::new(x(), ElementId(0));
        crowd.parents = vec![crowd.parents[0]; Topology::MAX_PARENTS + 1];
        assert!(matches!(add(&crowd), Err(HierarchyError::TooManyParents { .. })));
        // Whether the curve comes before what names it or after.
        let curve = ElementSpec::new(ElementKey::new(ElementKind::Curve, "c"), ElementId::NONE);
        for order in
            [[&curve, &ElementSpec::new(x(), ElementId(1))], [&ElementSpec::new(x(), ElementId(2)), &curve]]
        {
            let mut t = t.clone();
            let added = order.into_iter().try_for_each(|s| t.add(s, 3).map(|_| ()));
            let refused = added.and_then(|()| t.arrange());
            assert!(matches!(refused, Err(HierarchyError::CurveAsParent { .. })));
        }
    }
}
