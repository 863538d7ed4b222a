//! Reading elements. An element that is none or unknown reads as the identity, 0 or false.

use sinew_macros::unit;

use crate::hierarchy::{ElementId, ElementKind, Hierarchy, Joint, Space};
use crate::math::{Quat, Transform, Vec2, Vec3};
use crate::value::Text;
use crate::vm::{ArrayFull, Frame, ItemsMut, UnitDef};

/// The units of this file.
pub fn all() -> Vec<UnitDef> {
    crate::units![
        get_transform,
        get_translation,
        get_rotation,
        get_scale,
        get_relative,
        get_parent,
        get_children,
        get_chain,
        find_pattern,
        exists,
        is_below,
        get_curve,
        get_control_float,
        get_control_bool,
        get_control_int,
        get_control_vec2,
        get_control_position,
        get_control_rotation,
        get_control_scale,
        get_control_transform,
        get_parent_weight,
    ]
}

/// Transform of an element, as it stands at this point of the order.
#[unit("Hierarchy.GetTransform")]
pub fn get_transform(
    #[joint(global = space == Space::Global && !initial, initial_global = space == Space::Global && initial)]
    item: &Joint,
    /// What the result is relative to.
    space: Space,
    /// The transform that the element started with instead of its current one.
    initial: bool,
) -> Transform {
    if initial { item.started(space) } else { item.current(space) }
}

/// Translation of an element, metres.
#[unit("Hierarchy.GetTranslation")]
pub fn get_translation(
    #[joint(global = space == Space::Global && !initial, initial_global = space == Space::Global && initial)]
    item: &Joint,
    space: Space,
    initial: bool,
) -> Vec3 {
    get_transform(item, space, initial).translation
}

/// Rotation of an element.
#[unit("Hierarchy.GetRotation")]
pub fn get_rotation(
    #[joint(global = space == Space::Global && !initial, initial_global = space == Space::Global && initial)]
    item: &Joint,
    space: Space,
    initial: bool,
) -> Quat {
    get_transform(item, space, initial).rotation
}

/// Scale of an element.
#[unit("Hierarchy.GetScale")]
pub fn get_scale(
    #[joint(global = space == Space::Global && !initial, initial_global = space == Space::Global && initial)]
    item: &Joint,
    space: Space,
    initial: bool,
) -> Vec3 {
    get_transform(item, space, initial).scale
}

/// Transform of an element seen from another one.
#[unit("Hierarchy.GetRelative")]
pub fn get_relative(
    #[joint(global = !initial, initial_global = initial)] item: &Joint,
    #[joint(global = !initial, initial_global = initial)] relative_to: &Joint,
    initial: bool,
) -> Transform {
    let from = get_transform(relative_to, Space::Global, initial);
    from.to_local(get_transform(item, Space::Global, initial))
}

/// What an element hangs on first; none at the root.
#[unit("Hierarchy.GetParent")]
pub fn get_parent(rig: &Hierarchy, item: ElementId) -> ElementId {
    rig.topology().parent(item)
}

/// The elements that hang on one, in the order of the rig. Ends the frame where they are more than
/// the array holds.
#[unit("Hierarchy.GetChildren")]
pub fn get_children(
    rig: &Hierarchy,
    item: ElementId,
    #[out] mut children: ItemsMut<'_, ElementId>,
) -> Result<(), ArrayFull> {
    for child in rig.topology().children(item) {
        children.push(child)?;
    }
    Ok(())
}

/// The elements from `from` down to `to`, both counted; none where `to` does not hang below
/// `from`. Ends the frame where they are more than the array holds.
#[unit("Hierarchy.GetChain")]
pub fn get_chain(
    rig: &Hierarchy,
    from: ElementId,
    to: ElementId,
    #[out] mut chain: ItemsMut<'_, ElementId>,
) -> Result<(), ArrayFull> {
    let count = rig.topology().chain_len(from, to);
    for at in rig.topology().ancestors(to).take(count) {
        chain.push(at)?;
    }
    for i in 0..count / 2 {
        let other = count - 1 - i;
        if let (Some(a), Some(b)) = (chain.get(i), chain.get(other)) {
            chain.set(i, b);
            chain.set(other, a);
        }
    }
    Ok(())
}

/// Which elements are looked through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementFilter {
    /// All.
    Any,
    /// Bones alone.
    Bone,
    /// Nulls alone.
    Null,
    /// Controls alone.
    Control,
    /// Curves alone.
    Curve,
    /// Sockets alone.
    Socket,
}

crate::pin_enum!(ElementFilter { Any, Bone, Null, Control, Curve, Socket });

/// The elements whose name fits a pattern, in the order of the rig. Looks at every name, so it
/// belongs into `setup`, its result into a variable. Ends the frame where they are more than the
/// array holds.
#[unit("Hierarchy.FindPattern")]
pub fn find_pattern(
    rig: &Hierarchy,
    frame: &Frame,
    /// `*` is any run of characters, `?` any one; the whole name must fit.
    pattern: Text,
    kind: ElementFilter,
    #[out] mut items: ItemsMut<'_, ElementId>,
) -> Result<(), ArrayFull> {
    let kind = match kind {
        ElementFilter::Any => None,
        ElementFilter::Bone => Some(ElementKind::Bone),
        ElementFilter::Null => Some(ElementKind::Null),
        ElementFilter::Control => Some(ElementKind::Control),
        ElementFilter::Curve => Some(ElementKind::Curve),
        ElementFilter::Socket => Some(ElementKind::Socket),
    };
    for id in rig.topology().find_pattern(kind, frame.assets.text(pattern)) {
        items.push(id)?;
    }
    Ok(())
}

/// True if the element is in the rig.
#[unit("Hierarchy.Exists")]
pub fn exists(rig: &Hierarchy, item: ElementId) -> bool {
    item.index() < rig.len()
}

/// True if an element hangs below another, or is it.
#[unit("Hierarchy.IsBelow")]
pub fn is_below(rig: &Hierarchy, item: ElementId, ancestor: ElementId) -> bool {
    rig.topology().is_below(item, ancestor)
}

/// Value of a curve.
#[unit("Hierarchy.GetCurve")]
pub fn get_curve(rig: &Hierarchy, item: ElementId) -> f32 {
    rig.curve(item)
}

/// Value of a control that holds a number; 0 for any other.
#[unit("Control.GetFloat")]
pub fn get_control_float(rig: &Hierarchy, item: ElementId) -> f32 {
    rig.control_float(item)
}

/// Value of a control that is on or off; false for any other.
#[unit("Control.GetBool")]
pub fn get_control_bool(rig: &Hierarchy, item: ElementId) -> bool {
    rig.control_bool(item)
}

/// Value of a control that holds a whole number; 0 for any other.
#[unit("Control.GetInt")]
pub fn get_control_int(rig: &Hierarchy, item: ElementId) -> i32 {
    rig.control_int(item)
}

/// Value of a control that holds two numbers; 0 for any other.
#[unit("Control.GetVec2")]
pub fn get_control_vec2(rig: &Hierarchy, item: ElementId) -> Vec2 {
    rig.control_vec2(item)
}

/// Value of a control that holds a position, metres from its zero.
#[unit("Control.GetPosition")]
pub fn get_control_position(rig: &Hierarchy, item: ElementId) -> Vec3 {
    rig.control_value(item).translation
}

/// Value of a control that holds a rotation.
#[unit("Control.GetRotation")]
pub fn get_control_rotation(rig: &Hierarchy, item: ElementId) -> Quat {
    rig.control_value(item).rotation
}

/// Value of a control that holds a scale.
#[unit("Control.GetScale")]
pub fn get_control_scale(rig: &Hierarchy, item: ElementId) -> Vec3 {
    rig.control_value(item).scale
}

/// Value of a control: its transform seen from its zero.
#[unit("Control.GetTransform")]
pub fn get_control_transform(rig: &Hierarchy, item: ElementId) -> Transform {
    rig.control_value(item)
}

/// Weight with which an element follows one of its parents; 0 where there is no such parent.
#[unit("Hierarchy.GetParentWeight")]
pub fn get_parent_weight(
    rig: &Hierarchy,
    item: ElementId,
    /// Place among the parents, from 0.
    index: i32,
) -> f32 {
    let index = usize::try_from(index).unwrap_or(usize::MAX);
    rig.parent_weights(item).get(index).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vm::testing::{BONES, Bench, CONTROL, CURVE, FOLLOWER, SLIDER, array_of, quarter};
    use crate::vm::{FaultKind, words_of};

    /// A bench whose arm is turned by a quarter about Z and moved up.
    fn posed() -> Bench {
        let mut bench = Bench::new();
        bench.rig.set_local(BONES[1], Transform::new(Vec3::Y, quarter(Vec3::Z), Vec3::splat(2.0)));
        bench
    }

    fn call<R: crate::value::Plain>(bench: &mut Bench, unit: UnitDef, item: ElementId, space: Space) -> R {
        bench.call(&unit, &[("item", words_of(item)), ("space", words_of(space))])
    }

    #[test]
    fn a_read_is_never_stale() {
        let mut bench = posed();
        let unit = UnitDef::of::<get_transform>;
        let elbow: Transform = call(&mut bench, unit(), BONES[2], Space::Global);
        assert!(elbow.translation.distance(Vec3::new(0.0, 2.0, 0.0)) < 1e-6);
        // Moved after the read: the next read must see it.
        bench.rig.set_local(BONES[0], Transform::from_translation(Vec3::Z));
        let elbow: Transform = call(&mut bench, unit(), BONES[2], Space::Global);
        assert!(elbow.translation.distance(Vec3::new(0.0, 2.0, 1.0)) < 1e-6);
        let local: Transform = call(&mut bench, unit(), BONES[2], Space::Local);
        assert_eq!(local, Transform::from_translation(Vec3::X * 0.5));
    }

    #[test]
    fn parts_and_the_initial_pose() {
        let mut bench = posed();
        let item = BONES[1];
        assert_eq!(call::<Vec3>(&mut bench, UnitDef::of::<get_translation>(), item, Space::Global), Vec3::Y);
        assert_eq!(
            call::<Quat>(&mut bench, UnitDef::of::<get_rotation>(), item, Space::Local),
            quarter(Vec3::Z)
        );
        assert_eq!(
            call::<Vec3>(&mut bench, UnitDef::of::<get_scale>(), item, Space::Local),
            Vec3::splat(2.0)
        );
        let mut started =
            |space| bench.rig.change(BONES[3], |hand| get_transform(hand, space, true).translation);
        assert_eq!(started(Space::Global), Vec3::X * 1.5);
        assert_eq!(started(Space::Local), Vec3::X * 0.5);
    }

    #[test]
    fn relative_transforms_multiply_back() {
        let mut bench = posed();
        let inputs = [("item", words_of(CONTROL)), ("relative_to", words_of(BONES[2]))];
        let seen: Transform = bench.call(&UnitDef::of::<get_relative>(), &inputs);
        let back = bench.rig.global_mut(BONES[2]) * seen;
        assert!(back.approx_eq(bench.rig.global_mut(CONTROL), 1e-5));
    }

    #[test]
    fn no_element_reads_as_nothing() {
        let mut bench = Bench::new();
        for item in [ElementId::NONE, ElementId(99)] {
            let mut get = |space, initial| bench.rig.change(item, |j| get_transform(j, space, initial));
            assert_eq!(get(Space::Global, false), Transform::IDENTITY);
            assert_eq!(get(Space::Local, true), Transform::IDENTITY);
            assert_eq!(get_parent(&bench.rig, item), ElementId::NONE);
            assert!(!exists(&bench.rig, item) && !is_below(&bench.rig, item, item));
            assert_eq!((get_curve(&bench.rig, item), get_control_float(&bench.rig, item)), (0.0, 0.0));
        }
        assert!(exists(&bench.rig, CURVE));
    }

    fn list(bench: &mut Bench, unit: UnitDef, inputs: &[ElementId]) -> Result<Vec<ElementId>, FaultKind> {
        let pins = bench.run(&unit, |i, words| {
            if let Some(id) = inputs.get(i) {
                words[0] = id.0;
            }
        })?;
        Ok(array_of(pins.last().map_or(&[], Vec::as_slice)))
    }

    #[test]
    fn families() {
        let mut bench = Bench::new();
        let [root, arm, elbow, hand] = BONES;
        let children = UnitDef::of::<get_children>;
        assert_eq!(list(&mut bench, children(), &[root]), Ok(vec![arm, FOLLOWER, CONTROL, SLIDER]));
        assert_eq!(list(&mut bench, children(), &[hand]), Ok(vec![]));
        let chain = UnitDef::of::<get_chain>;
        assert_eq!(list(&mut bench, chain(), &[root, hand]), Ok(vec![root, arm, elbow, hand]));
        assert_eq!(list(&mut bench, chain(), &[arm, elbow]), Ok(vec![arm, elbow]));
        assert_eq!(list(&mut bench, chain(), &[hand, arm]), Ok(vec![]));
        assert_eq!(get_parent(&bench.rig, hand), elbow);
        assert!(is_below(&bench.rig, hand, arm) && !is_below(&bench.rig, arm, hand));
        // A fifth element finds no room in the four of the bench.
        bench
            .rig
            .add(&crate::hierarchy::ElementSpec::new(crate::hierarchy::ElementKey::bone("x"), hand))
            .unwrap();
        let tip = ElementId(bench.rig.len() as u32 - 1);
        let full = Err(FaultKind::ArrayFull(ArrayFull { capacity: 4 }));
        assert_eq!(list(&mut bench, chain(), &[root, tip]), full);
    }

    #[test]
    fn patterns_fit_whole_names_in_the_order_of_the_rig() {
        let mut bench = Bench::new();
        let texts = ["", "*o*", "*", "?oot", "oot", "ar"].map(String::from).to_vec();
        bench.frame.assets = std::sync::Arc::new(crate::vm::Assets::new(texts, Vec::new()));
        let [root, _, elbow, _] = BONES;
        let mut find = |pattern: u32, kind: ElementFilter| {
            let pins = bench.run(&UnitDef::of::<find_pattern>(), |i, words| match i {
                0 => words[0] = pattern,
                1 => words[0] = words_of(kind)[0],
                _ => {}
            })?;
            Ok(array_of::<ElementId>(&pins[2]))
        };
        assert_eq!(find(1, ElementFilter::Bone), Ok(vec![root, elbow]));
        assert_eq!(find(1, ElementFilter::Any), Ok(vec![root, elbow, FOLLOWER, CONTROL]));
        assert_eq!(find(2, ElementFilter::Control), Ok(vec![CONTROL, SLIDER]));
        assert_eq!(find(2, ElementFilter::Curve), Ok(vec![CURVE]));
        assert_eq!(find(2, ElementFilter::Null), Ok(vec![FOLLOWER]));
        assert_eq!(find(3, ElementFilter::Any), Ok(vec![root]));
        for (pattern, kind) in [(4, ElementFilter::Any), (5, ElementFilter::Any), (2, ElementFilter::Socket)]
        {
            assert_eq!(find(pattern, kind), Ok(vec![]), "pattern {pattern}");
        }
        let full = Err(FaultKind::ArrayFull(ArrayFull { capacity: 4 }));
        assert_eq!(find(2, ElementFilter::Any), full);
    }

    #[test]
    fn weights_of_parents() {
        let bench = Bench::new();
        let weight = |index| get_parent_weight(&bench.rig, FOLLOWER, index);
        assert_eq!([0, 1, 2, -1].map(weight), [1.0, 0.0, 0.0, 0.0]);
    }
}
