//! The hierarchy against a model that computes everything anew, and at the edges of its input.

use proptest::prelude::*;

use super::*;
use crate::math::{Quat, Transform, Vec3};
use crate::value::Plain;

fn bits(t: Transform) -> [u32; 10] {
    let mut words = [0; 10];
    t.write(|i, w| words[i] = w);
    words
}

/// Any turn, scales that may be negative, uneven or 0.
fn transform(seed: u32) -> Transform {
    let f = |k: u32| {
        let h = seed.wrapping_add(k).wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        let h = ((h >> ((h >> 28) + 4)) ^ h).wrapping_mul(277_803_737);
        ((h >> 22) ^ h) as f32 / u32::MAX as f32 * 2.0 - 1.0
    };
    let turn = Quat::new(f(1), f(2), f(3), f(4)).normalize();
    let scale = match seed % 8 {
        0 => Vec3::new(1.0 + 0.5 * f(8), -1.0, 1.0),
        1 => Vec3::new(0.0, 1.0, 1.0),
        _ => Vec3::splat(1.0 + 0.5 * f(9)),
    };
    Transform::new(Vec3::new(f(5), f(6), f(7)), turn, scale)
}

/// The plain definition: no order, no marks, nothing kept but what was set.
#[derive(Clone, Default)]
struct Model {
    parents: Vec<Vec<(Option<usize>, f32)>>,
    initial: Vec<Transform>,
    local: Vec<Transform>,
}

impl Model {
    fn active(&self, id: usize) -> Vec<(Option<usize>, f32)> {
        match self.parents[id].as_slice() {
            [(one, _)] => vec![(*one, 1.0)],
            many => many.iter().copied().filter(|(_, w)| *w > 0.0).collect(),
        }
    }

    fn parent(&self, id: usize, locals: &[Transform]) -> Option<Transform> {
        let active = self.active(id);
        let of = |p: Option<usize>| p.map(|p| self.global_of(p, locals));
        if let [(one, _)] = active.as_slice() {
            return of(*one);
        }
        let parts: Vec<_> = active.iter().map(|(p, w)| (of(*p).unwrap_or_default(), *w)).collect();
        let sum = parts.iter().fold(0.0, |s, (_, w)| s + w);
        let mut q = [0.0f32; 4];
        for (p, w) in &parts {
            let r = [p.rotation.x, p.rotation.y, p.rotation.z, p.rotation.w];
            let side = q[0] * r[0] + q[1] * r[1] + q[2] * r[2] + q[3] * r[3];
            q = core::array::from_fn(|i| q[i] + r[i] * if side < 0.0 { -w } else { *w });
        }
        let mean =
            |of: fn(&Transform) -> Vec3| parts.iter().fold(Vec3::ZERO, |s, (p, w)| s + of(p) * *w) / sum;
        let turn = Quat::new(q[0], q[1], q[2], q[3]).normalize();
        (!parts.is_empty()).then(|| Transform::new(mean(|p| p.translation), turn, mean(|p| p.scale)))
    }

    fn global_of(&self, id: usize, locals: &[Transform]) -> Transform {
        self.parent(id, locals).map_or(locals[id], |p| p * locals[id])
    }

    fn global(&self, id: usize) -> Transform {
        self.global_of(id, &self.local)
    }

    fn follows(&self, id: usize, other: usize) -> bool {
        id == other || self.active(id).iter().any(|(p, _)| p.is_some_and(|p| self.follows(p, other)))
    }

    /// The longest way up.
    fn height(&self, id: usize) -> usize {
        self.active(id).iter().filter_map(|(p, _)| *p).map(|p| self.height(p) + 1).max().unwrap_or(0)
    }

    fn set_global(&mut self, id: usize, t: Transform, carry: Carry) {
        let local = self.parent(id, &self.local).map_or(t, |p| p.to_local(t));
        let mut stay: Vec<usize> = (0..self.local.len())
            .filter(|c| carry == Carry::Leave && self.active(*c).iter().any(|(p, _)| *p == Some(id)))
            .collect();
        stay.sort_by_key(|c| self.height(*c));
        let before: Vec<_> = stay.iter().map(|c| self.global(*c)).collect();
        self.local[id] = local;
        for (c, old) in stay.into_iter().zip(before) {
            self.local[c] = self.parent(c, &self.local).map_or(old, |p| p.to_local(old));
        }
    }

    fn add(&mut self, spec: &ElementSpec) {
        let parents = spec.parents.iter().map(|p| (p.id.is_some().then_some(p.id.index()), p.weight));
        self.parents.push(parents.collect());
        self.initial.push(spec.initial);
        self.local.push(spec.initial);
    }
}

#[derive(Clone, Debug)]
enum Op {
    Local(u32, u32),
    Global(u32, u32, bool),
    Rotation(u32, u32),
    Read(u32),
    UpdateAll,
    Switch(u32, u32, bool),
    Weight(u32, u32, u8),
    Add(u32),
    AddParent(u32, u32, bool),
    Load(u32, u32),
    Initial(u32, u32, bool),
    Reset,
    Snapshot,
    Restore,
}

fn op() -> impl Strategy<Value = Op> {
    let id = || 0..26u32;
    prop_oneof![
        3 => (id(), any::<u32>()).prop_map(|(a, b)| Op::Local(a, b)),
        3 => (id(), any::<u32>(), any::<bool>()).prop_map(|(a, b, c)| Op::Global(a, b, c)),
        1 => (id(), any::<u32>()).prop_map(|(a, b)| Op::Rotation(a, b)),
        5 => id().prop_map(Op::Read),
        1 => Just(Op::UpdateAll),
        2 => (id(), 0..3u32, any::<bool>()).prop_map(|(a, b, c)| Op::Switch(a, b, c)),
        2 => (id(), 0..3u32, 0..3u8).prop_map(|(a, b, c)| Op::Weight(a, b, c)),
        1 => any::<u32>().prop_map(Op::Add),
        1 => (id(), id(), any::<bool>()).prop_map(|(a, b, c)| Op::AddParent(a, b, c)),
        1 => (0..30u32, any::<u32>()).prop_map(|(a, b)| Op::Load(a, b)),
        1 => (id(), any::<u32>(), any::<bool>()).prop_map(|(a, b, c)| Op::Initial(a, b, c)),
        1 => Just(Op::Reset),
        1 => Just(Op::Snapshot),
        1 => Just(Op::Restore),
    ]
}

/// Elements that follow up to three others, in whatever order of ids; no circle.
fn specs(seeds: &[u32]) -> Vec<ElementSpec> {
    let n = seeds.len();
    let mut order: Vec<usize> = (0..n).collect();
    if seeds[0].is_multiple_of(2) {
        order.sort_by_key(|i| seeds[*i].wrapping_mul(2_654_435_761));
    }
    let place = |id: usize| order.iter().position(|i| *i == id).unwrap();
    let spec = |id: usize| {
        let (seed, place) = (seeds[id], place(id));
        let above = |k: u32| match place {
            0 => ElementId::NONE,
            _ => ElementId(order[(seed / k) as usize % place] as u32),
        };
        let mut s = ElementSpec::new(ElementKey::bone(format!("e{id}")), ElementId::NONE).at(transform(seed));
        match seed % 5 {
            0 => s = s.follow(above(3), 0.5).follow(above(7), 0.25).follow(ElementId::NONE, 0.5),
            1 => s = s.follow(above(3), 1.0).follow(above(7), 0.0),
            2 if seed % 3 == 0 => {}
            _ => s = s.follow(above(3), 1.0),
        }
        s
    };
    (0..n).map(spec).collect()
}

fn run(h: &mut Hierarchy, m: &mut Model, ops: Vec<Op>) -> Result<(), TestCaseError> {
    let mut saved = None;
    for op in ops {
        let n = m.local.len() as u32;
        let id = |i: u32| (ElementId(i), i as usize);
        let there = |i: u32| i < n;
        match op {
            Op::Local(i, s) => {
                prop_assert_eq!(h.set_local(ElementId(i), transform(s)), there(i));
                if there(i) {
                    m.local[i as usize] = transform(s);
                }
            }
            Op::Global(i, s, leave) => {
                let carry = if leave { Carry::Leave } else { Carry::Children };
                prop_assert_eq!(h.set_global(ElementId(i), transform(s), carry), there(i));
                if there(i) {
                    m.set_global(i as usize, transform(s), carry);
                }
            }
            Op::Rotation(i, s) => {
                let turn = transform(s).rotation;
                prop_assert_eq!(h.set_global_rotation(ElementId(i), turn), there(i));
                if there(i) {
                    let parent = m.parent(i as usize, &m.local);
                    m.local[i as usize].rotation = parent.map_or(turn, |p| p.rotation.conjugate() * turn);
                }
            }
            Op::Read(i) => {
                let want = if there(i) { m.global(i as usize) } else { Transform::IDENTITY };
                prop_assert_eq!(bits(h.global(ElementId(i))), bits(want));
                prop_assert_eq!(bits(h.global_mut(ElementId(i))), bits(want));
                prop_assert_eq!(h.is_prepared(ElementId(i)), there(i));
            }
            Op::UpdateAll => h.update_all(),
            Op::Switch(i, k, keep) => {
                let (id, at) = id(i);
                let ok = there(i) && (k as usize) < m.parents[at].len();
                prop_assert_eq!(h.switch_parent(id, k as usize, keep), ok);
                if ok {
                    let before = m.global(at);
                    for (j, p) in m.parents[at].iter_mut().enumerate() {
                        p.1 = if j == k as usize { 1.0 } else { 0.0 };
                    }
                    if keep {
                        m.set_global(at, before, Carry::Children);
                    }
                    prop_assert_eq!(h.active_parent(id), Some(k as usize));
                }
            }
            Op::Weight(i, k, w) => {
                let ok = there(i) && (k as usize) < m.parents[i as usize].len();
                prop_assert_eq!(h.set_parent_weight(ElementId(i), k as usize, f32::from(w) * 0.3), ok);
                if ok {
                    m.parents[i as usize][k as usize].1 = f32::from(w) * 0.3;
                }
            }
            Op::Add(s) => {
                let seeds: Vec<u32> = (0..n).chain([s]).collect();
                let mut spec = specs(&seeds).pop().unwrap();
                spec.parents.iter_mut().for_each(|p| {
                    if p.id.0 >= n {
                        p.id = ElementId::NONE;
                    }
                });
                prop_assert_eq!(h.add(&spec), Ok(ElementId(n)));
                m.add(&spec);
                saved = None;
            }
            Op::AddParent(i, p, on) => {
                let parent = Parent { id: ElementId(p), weight: if on { 1.0 } else { 0.0 } };
                let mut all = m.clone();
                all.parents.iter_mut().flatten().for_each(|p| p.1 = 1.0);
                let ok = there(i) && there(p) && !all.follows(p as usize, i as usize);
                match h.add_parent(ElementId(i), parent) {
                    Ok(index) => {
                        prop_assert!(ok);
                        let parents = &mut m.parents[i as usize];
                        if parents.is_empty() {
                            parents.push((None, 1.0));
                        }
                        parents.push((Some(p as usize), parent.weight));
                        prop_assert_eq!(index + 1, parents.len());
                        saved = None;
                    }
                    Err(HierarchyError::Cycle { path }) => {
                        prop_assert!(!ok && path.len() > 1 && path.first() == path.last());
                    }
                    Err(_) => prop_assert!(!there(i) || !there(p)),
                }
            }
            Op::Load(count, s) => {
                let locals: Vec<_> = (0..count).map(|i| transform(s.wrapping_add(i))).collect();
                prop_assert!(h.set_locals(&locals));
                m.local.iter_mut().zip(locals).for_each(|(to, from)| *to = from);
            }
            Op::Initial(i, s, global) => {
                let (id, at) = id(i);
                let ok = match global {
                    true => h.set_initial_global(id, transform(s)),
                    false => h.set_initial_local(id, transform(s)),
                };
                prop_assert_eq!(ok, there(i));
                if ok {
                    let mut first = m.clone();
                    first.parents = (0..n)
                        .map(|i| h.topology().parents(ElementId(i)).iter())
                        .map(|p| p.map(|p| (p.id.is_some().then_some(p.id.index()), p.weight)).collect())
                        .collect();
                    let parent = if global { first.parent(at, &m.initial) } else { None };
                    m.initial[at] = parent.map_or(transform(s), |p| p.to_local(transform(s)));
                    prop_assert_eq!(bits(h.initial_local(id)), bits(m.initial[at]));
                    let want = first.global_of(at, &m.initial);
                    prop_assert_eq!(bits(h.initial_global(id)), bits(want));
                }
            }
            Op::Reset => {
                h.reset_to_initial();
                m.local.clone_from(&m.initial);
            }
            Op::Snapshot => {
                let mut words = vec![0; h.state_words()];
                prop_assert!(h.write_state(&mut words));
                saved = Some((words, m.clone()));
            }
            Op::Restore => {
                if let Some((words, model)) = &saved {
                    prop_assert!(h.read_state(words));
                    m.clone_from(model);
                }
            }
        }
    }
    for i in 0..m.local.len() {
        let id = ElementId(i as u32);
        prop_assert_eq!(bits(h.local(id)), bits(m.local[i]));
        let want = bits(m.global(i));
        prop_assert_eq!(bits(h.global(id)), want);
        let mut one = h.clone();
        prop_assert_eq!(bits(one.global_mut(id)), want);
    }
    h.update_all();
    for i in 0..m.local.len() {
        prop_assert_eq!(bits(h.global(ElementId(i as u32))), bits(m.global(i)));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn every_way_to_a_global_gives_the_bits_of_the_plain_definition(
        seeds in prop::collection::vec(any::<u32>(), 1..20),
        ops in prop::collection::vec(op(), 0..40),
    ) {
        let specs = specs(&seeds);
        let mut h = Hierarchy::new(specs.clone()).unwrap();
        let mut m = Model::default();
        specs.iter().for_each(|s| m.add(s));
        run(&mut h, &mut m, ops)?;
    }

    #[test]
    fn a_circle_is_refused_and_nothing_else_is(
        parents in prop::collection::vec((0..8u32, 0..9u32), 8),
    ) {
        let parent = |p: u32| if p < 8 { ElementId(p) } else { ElementId::NONE };
        let spec = |(i, (a, b)): (usize, &(u32, u32))| {
            let s = ElementSpec::new(ElementKey::bone(i.to_string()), ElementId::NONE);
            let s = if *a == i as u32 { s } else { s.follow(parent(*a), 1.0) };
            if b % 3 == 0 { s.follow(parent(*b), 0.0) } else { s }
        };
        let specs: Vec<_> = parents.iter().enumerate().map(spec).collect();
        // Taking away what follows nothing that is left, until nothing more goes.
        let mut left: Vec<usize> = (0..8).collect();
        for _ in 0..8 {
            let now = left.clone();
            left.retain(|i| specs[*i].parents.iter().any(|p| now.contains(&p.id.index())));
        }
        match Hierarchy::new(specs.clone()) {
            Ok(_) => prop_assert!(left.is_empty()),
            Err(HierarchyError::Cycle { path }) => {
                prop_assert!(path.len() > 1 && path.first() == path.last());
                for step in path.windows(2) {
                    let of = |k: &ElementKey| k.name.parse::<usize>().unwrap();
                    prop_assert!(specs[of(&step[0])].parents.iter().any(|p| p.id.index() == of(&step[1])));
                }
            }
            Err(e) => prop_assert!(false, "{}", e),
        }
    }

    #[test]
    fn only_what_follows_a_change_is_computed_again(
        seeds in prop::collection::vec(any::<u32>(), 1..24),
        changed in any::<prop::sample::Index>(),
        read in any::<prop::sample::Index>(),
    ) {
        let mut specs = specs(&seeds);
        specs.iter_mut().for_each(|s| s.parents.truncate(1));
        let mut m = Model::default();
        specs.iter().for_each(|s| m.add(s));
        let mut h = Hierarchy::new(specs).unwrap();
        h.update_all();
        prop_assert_eq!(h.recomputed(), seeds.len() as u64);
        let (changed, read) = (changed.index(seeds.len()), read.index(seeds.len()));
        h.set_local(ElementId(changed as u32), transform(1));
        let count = |h: &mut Hierarchy, f: fn(&mut Hierarchy, ElementId)| {
            let before = h.recomputed();
            f(h, ElementId(read as u32));
            (h.recomputed() - before) as usize
        };
        let followers = |of: usize| (0..seeds.len()).filter(|i| m.follows(*i, of)).count();
        let way = (0..seeds.len()).filter(|i| m.follows(*i, changed) && m.follows(read, *i)).count();
        prop_assert_eq!(count(&mut h, |h, id| { h.global_mut(id); }), way);
        prop_assert_eq!(count(&mut h, |h, id| { h.global_mut(id); }), 0);
        prop_assert_eq!(count(&mut h, |h, id| { h.global(id); }), 0);
        prop_assert_eq!(count(&mut h, |h, _| h.update_all()), followers(changed) - way);
    }
}

fn chain(n: u32, local: impl Fn(u32) -> Transform) -> Hierarchy {
    let spec = |i: u32| {
        ElementSpec::new(ElementKey::bone(format!("b{i}")), ElementId(i.wrapping_sub(1))).at(local(i))
    };
    Hierarchy::new((0..n).map(spec)).unwrap()
}

#[test]
fn a_chain_of_a_hundred_thousand_works_throughout() {
    let n = 100_000;
    let step = Transform::new(Vec3::Y, Quat::new(0.6, 0.0, 0.0, 0.8), Vec3::ONE);
    let mut h = chain(n, |_| step);
    let last = ElementId(n - 1);
    let seen = h.global(last);
    assert_eq!(bits(seen), bits(h.initial_global(last)));
    assert_eq!(bits(seen), bits(h.global_mut(last)));
    assert!(h.set_global(ElementId(0), Transform::IDENTITY, Carry::Leave));
    assert!(h.set_local(ElementId(n / 2), step));
    let mut matrices = vec![crate::math::Mat4::IDENTITY; n as usize];
    assert!(h.world_matrices(&mut matrices));
    let mut words = vec![0; h.state_words()];
    assert!(h.write_state(&mut words) && h.read_state(&words));
    h.add(&ElementSpec::new(ElementKey::bone("more"), last)).unwrap();
    let back = h.add_parent(ElementId(0), Parent { id: last, weight: 0.0 });
    assert!(matches!(back, Err(HierarchyError::Cycle { path }) if path.len() == n as usize + 1));
}

#[test]
fn a_ladder_of_many_parents_takes_no_time_that_doubles() {
    // Every element follows the two before it: as many ways up as the 90th Fibonacci number.
    for n in [20, 90] {
        let spec = |i: u32| {
            let s =
                ElementSpec::new(ElementKey::bone(i.to_string()), ElementId::NONE).at(transform(i * 8 + 2));
            if i < 2 { s } else { s.follow(ElementId(i - 1), 0.5).follow(ElementId(i - 2), 0.5) }
        };
        let mut h = Hierarchy::new((0..n).map(spec)).unwrap();
        let seen = h.global(ElementId(n - 1));
        assert_eq!(bits(seen), bits(h.global_mut(ElementId(n - 1))));
        assert_eq!(h.recomputed(), u64::from(n));
    }
}

#[test]
fn a_look_on_from_outside_agrees_around_its_room() {
    for n in [255, 256, 257, 511, 513, 1025] {
        let mut h = chain(n, |i| Transform::from_rotation(transform(i).rotation));
        let id = ElementId(n - 1);
        assert_eq!(bits(h.global(id)), bits(h.global_mut(id)));
    }
}

#[test]
fn no_id_and_no_number_harms() {
    let mut h = chain(2, transform);
    let before = h.locals().to_vec();
    let identity = Transform::IDENTITY;
    for id in [ElementId::NONE, ElementId(2), ElementId(70), ElementId(u32::MAX - 1)] {
        h.prepare(id);
        assert!(!h.is_prepared(id));
        for t in [h.global_mut(id), h.global(id), h.local(id), h.initial_global(id), h.initial_local(id)] {
            assert_eq!(t, identity);
        }
        assert_eq!((h.parent_global(id), h.parent_global_mut(id)), (identity, identity));
        assert_eq!((h.control_value(id), h.curve(id)), (identity, 0.0));
        assert!(!h.set_global(id, identity, Carry::Leave) && !h.set_local(id, identity));
        assert!(!h.set_initial_local(id, identity) && !h.set_initial_global(id, identity));
        assert!(!h.set_global_rotation(id, Quat::IDENTITY));
        assert!(!h.switch_parent(id, 0, true) && !h.set_parent_weight(id, 0, 1.0));
        assert!(!h.set_curve(id, 1.0) && !h.set_control_value(id, identity));
        assert_eq!(h.active_parent(id), None);
        let t = h.topology();
        assert_eq!((t.children(id).count(), t.depth(id), t.parent(id)), (0, 0, ElementId::NONE));
        assert!(t.key(id).is_none() && !t.is_below(id, id) && t.ancestors(id).next().is_none());
    }
    let bad = |f: fn(&mut Transform)| {
        let mut t = identity;
        f(&mut t);
        t
    };
    for t in [
        bad(|t| t.translation.x = f32::NAN),
        bad(|t| t.rotation.w = f32::INFINITY),
        bad(|t| t.scale.z = f32::NEG_INFINITY),
    ] {
        assert!(!h.set_local(ElementId(0), t) && !h.set_initial_local(ElementId(0), t));
        assert!(
            !h.set_global(ElementId(1), t, Carry::Children) && !h.set_global(ElementId(0), t, Carry::Leave)
        );
        assert!(!h.set_initial_global(ElementId(1), t));
        assert!(!h.set_locals(&[t, before[1]]));
    }
    assert_eq!(h.locals(), before);
}

#[test]
fn a_local_that_would_overflow_is_refused() {
    let tiny = Transform { scale: Vec3::splat(1e-30), ..Transform::IDENTITY };
    let mut h = chain(2, |i| if i == 0 { tiny } else { Transform::IDENTITY });
    let far = Transform::from_translation(Vec3::splat(1e30));
    assert!(!h.set_global(ElementId(1), far, Carry::Children));
    assert_eq!(h.local(ElementId(1)), Transform::IDENTITY);
}

#[test]
fn a_turn_keeps_lengths_under_any_scale() {
    for scale in [0.01, 1.0, 2.0, 100.0] {
        let root = Transform {
            scale: Vec3::splat(scale),
            ..Transform::from_rotation(Quat::new(0.6, 0.0, 0.0, 0.8))
        };
        let bone = Transform::new(Vec3::new(0.1, 0.3, 0.2), Quat::IDENTITY, Vec3::new(1.1, 0.9, 1.0));
        let mut h = chain(3, |i| if i == 0 { root } else { bone });
        let want = Quat::new(0.1, 0.5, -0.7, 0.3).normalize();
        for _ in 0..1000 {
            assert!(h.set_global_rotation(ElementId(1), want));
        }
        let local = h.local(ElementId(1));
        assert_eq!((local.translation, local.scale), (bone.translation, bone.scale));
        assert!(h.global_mut(ElementId(1)).rotation.dot(want).abs() > 1.0 - 1e-6);
        let reach = h.global_mut(ElementId(2)).translation.distance(h.global_mut(ElementId(1)).translation);
        let length = (bone.scale * bone.translation).length() * scale;
        assert!((reach - length).abs() < 1e-5 * scale);
    }
}

#[test]
fn a_switch_of_space_keeps_the_place_or_the_local() {
    let at = |x| Transform::from_translation(Vec3::new(x, 0.0, 0.0));
    let bone = |name: &str, x| ElementSpec::new(ElementKey::bone(name), ElementId::NONE).at(at(x));
    let hand = ElementSpec::new(ElementKey::bone("hand"), ElementId(0))
        .follow(ElementId(1), 0.0)
        .follow(ElementId::NONE, 0.0)
        .at(at(1.0));
    let mut h = Hierarchy::new([bone("body", 10.0), bone("prop", 20.0), hand]).unwrap();
    let hand = ElementId(2);
    assert_eq!(h.global_mut(hand), at(11.0));
    assert!(h.switch_parent(hand, 1, true));
    assert_eq!((h.global_mut(hand), h.local(hand)), (at(11.0), at(-9.0)));
    h.set_local(ElementId(0), at(0.0));
    assert_eq!(h.global_mut(hand), at(11.0));
    h.set_local(ElementId(1), at(21.0));
    assert_eq!(h.global_mut(hand), at(12.0));
    assert!(h.switch_parent(hand, 2, false));
    assert_eq!(h.global_mut(hand), at(-9.0));
    // Half of each.
    assert!(h.set_parent_weight(hand, 1, 1.0));
    assert_eq!(h.global_mut(hand), at(1.5));
    let circle = h.add_parent(ElementId(0), Parent { id: hand, weight: 0.0 }).unwrap_err();
    assert_eq!(
        circle.to_string(),
        "these would follow each other in a circle: bone:body → bone:hand → bone:body; take one of them out"
    );
    assert_eq!(h.add_parent(ElementId(0), Parent { id: ElementId(1), weight: 1.0 }), Ok(1));
}

#[test]
fn one_element_alone_agrees_with_the_plain_definition() {
    let specs = specs(&[0]);
    let mut h = Hierarchy::new(specs.clone()).unwrap();
    let mut m = Model::default();
    specs.iter().for_each(|s| m.add(s));
    run(&mut h, &mut m, Vec::new()).unwrap();
}

#[test]
fn a_snapshot_of_nonsense_does_no_harm() {
    let specs = specs(&(0..12).map(|i| i * 97).collect::<Vec<_>>());
    let mut h = Hierarchy::new(specs).unwrap();
    for word in [u32::MAX, 0x7F80_0000, 0xBF80_0000, 0] {
        assert!(h.read_state(&vec![word; h.state_words()]));
        h.update_all();
        assert!(h.set_local(ElementId(3), transform(3)));
        h.set_global(ElementId(5), transform(4), Carry::Leave);
        let mut matrices = [crate::math::Mat4::IDENTITY; 12];
        assert!(h.world_matrices(&mut matrices));
    }
}

#[test]
fn a_space_without_weight_costs_nothing() {
    let bone = |name: &str| ElementSpec::new(ElementKey::bone(name), ElementId::NONE);
    let [body, prop, hand] = [ElementId(0), ElementId(1), ElementId(2)];
    let follower = bone("hand").follow(body, 1.0).follow(prop, 0.0);
    let mut h = Hierarchy::new([bone("body"), bone("prop"), follower]).unwrap();
    h.global_mut(hand);
    assert_eq!(h.recomputed(), 2);
    assert!(h.set_local(prop, transform(2)));
    assert!(h.is_prepared(hand));
    assert!(h.switch_parent(hand, 1, false));
    assert_eq!(bits(h.global_mut(hand)), bits(transform(2)));
    assert_eq!(h.recomputed(), 4);
}

#[test]
fn parents_of_opposite_signs_do_not_cancel() {
    let q = Quat::new(0.0, 0.6, 0.0, 0.8);
    let bone = |name: &str, q| {
        ElementSpec::new(ElementKey::bone(name), ElementId::NONE).at(Transform::from_rotation(q))
    };
    let both = ElementSpec::new(ElementKey::bone("c"), ElementId(0)).follow(ElementId(1), 1.0);
    let mut h = Hierarchy::new([bone("a", q), bone("b", -q), both]).unwrap();
    assert!(h.global_mut(ElementId(2)).rotation.dot(q).abs() > 1.0 - 1e-6);
}

#[test]
fn adding_leaves_the_other_characters_alone() {
    let mut a = chain(3, transform);
    let b = a.clone();
    let id = a.add(&ElementSpec::new(ElementKey::new(ElementKind::Socket, "s"), ElementId(2))).unwrap();
    assert_eq!((a.len(), b.len(), b.topology().len()), (4, 3, 3));
    assert_eq!(a.topology().find(&ElementKey::new(ElementKind::Socket, "s")), Some(id));
    assert_eq!(bits(a.global_mut(id)), bits(b.global(ElementId(2)) * Transform::IDENTITY));
    let twice =
        [ElementSpec::new(ElementKey::bone("x"), ElementId(0)), ElementSpec::new(ElementKey::bone("x"), id)];
    assert!(a.extend(&twice).is_err());
    assert_eq!((a.len(), a.topology().len()), (4, 4));
    assert!(a.topology().find(&ElementKey::bone("x")).is_none());
}
