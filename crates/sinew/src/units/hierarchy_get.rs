//! Reading elements. An element that is none or unknown reads as the identity, 0 or false.

use sinew_macros::unit;

use crate::hierarchy::{ElementId, Hierarchy, Space};
use crate::math::{Quat, Transform, Vec2, Vec3};
use crate::vm::{ArrayFull, ItemsMut, UnitDef};

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
        is_valid,
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
    rig: &Hierarchy,
    item: ElementId,
    /// What the result is relative to.
    space: Space,
    /// The transform that the element started with instead of its current one.
    initial: bool,
) -> Transform {
    match (space, initial) {
        (Space::Global, false) => rig.global(item),
        (Space::Local, false) => rig.local(item),
        (Space::Global, true) => rig.initial_global(item),
        (Space::Local, true) => rig.initial_local(item),
    }
}

/// Translation of an element, metres.
#[unit("Hierarchy.GetTranslation")]
pub fn get_translation(rig: &Hierarchy, item: ElementId, space: Space, initial: bool) -> Vec3 {
    get_transform(rig, item, space, initial).translation
}

/// Rotation of an element.
#[unit("Hierarchy.GetRotation")]
pub fn get_rotation(rig: &Hierarchy, item: ElementId, space: Space, initial: bool) -> Quat {
    get_transform(rig, item, space, initial).rotation
}

/// Scale of an element.
#[unit("Hierarchy.GetScale")]
pub fn get_scale(rig: &Hierarchy, item: ElementId, space: Space, initial: bool) -> Vec3 {
    get_transform(rig, item, space, initial).scale
}

/// Transform of an element seen from another one.
#[unit("Hierarchy.GetRelative")]
pub fn get_relative(rig: &Hierarchy, item: ElementId, relative_to: ElementId, initial: bool) -> Transform {
    let from = get_transform(rig, relative_to, Space::Global, initial);
    from.to_local(get_transform(rig, item, Space::Global, initial))
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
    let mut at = to;
    for _ in 0..rig.topology().chain_len(from, to) {
        chain.push(at)?;
        at = rig.topology().parent(at);
    }
    let count = chain.len();
    for i in 0..count / 2 {
        let other = count - 1 - i;
        if let (Some(a), Some(b)) = (chain.get(i), chain.get(other)) {
            chain.set(i, b);
            chain.set(other, a);
        }
    }
    Ok(())
}

/// True if the element is in the rig.
#[unit("Hierarchy.IsValid")]
pub fn is_valid(rig: &Hierarchy, item: ElementId) -> bool {
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

/// Value of a control that holds a number.
#[unit("Control.GetFloat")]
pub fn get_control_float(rig: &Hierarchy, item: ElementId) -> f32 {
    rig.control_value(item).translation.x
}

/// Value of a control that is on or off.
#[unit("Control.GetBool")]
pub fn get_control_bool(rig: &Hierarchy, item: ElementId) -> bool {
    rig.control_value(item).translation.x != 0.0
}

/// Value of a control that holds a whole number.
#[unit("Control.GetInt")]
pub fn get_control_int(rig: &Hierarchy, item: ElementId) -> i32 {
    crate::math::round(rig.control_value(item).translation.x) as i32
}

/// Value of a control that holds two numbers.
#[unit("Control.GetVec2")]
pub fn get_control_vec2(rig: &Hierarchy, item: ElementId) -> Vec2 {
    let t = rig.control_value(item).translation;
    Vec2::new(t.x, t.y)
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
