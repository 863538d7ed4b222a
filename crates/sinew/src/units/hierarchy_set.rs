//! Changing elements. An element that is none or unknown and a value that is not finite change
//! nothing.

use sinew_macros::unit;

use crate::hierarchy::{Carry, ElementId, Hierarchy, Space};
use crate::math::{Euler, EulerOrder, Quat, Transform, Vec2, Vec3, saturate};
use crate::vm::UnitDef;

/// The units of this file.
pub fn all() -> Vec<UnitDef> {
    crate::units![
        set_transform,
        set_translation,
        set_rotation,
        set_scale,
        offset_transform,
        modify,
        reset_transform,
        set_curve,
        set_control_float,
        set_control_bool,
        set_control_int,
        set_control_vec2,
        set_control_position,
        set_control_rotation,
        set_control_scale,
        set_control_transform,
        switch_parent,
        set_parent_weight,
    ]
}

/// The current transform in a space.
#[inline]
pub(super) fn current(rig: &mut Hierarchy, item: ElementId, space: Space) -> Transform {
    match space {
        Space::Global => rig.global_mut(item),
        Space::Local => rig.local(item),
    }
}

/// Sets a transform in a space; children move along or stay.
#[inline]
pub(super) fn put(rig: &mut Hierarchy, item: ElementId, t: Transform, space: Space, carry: bool) {
    match (space, carry) {
        (Space::Global, true) => rig.set_global(item, t, Carry::Children),
        (Space::Global, false) => rig.set_global(item, t, Carry::Leave),
        (Space::Local, true) => rig.set_local(item, t),
        (Space::Local, false) => {
            let global = rig.parent_global_mut(item) * t;
            rig.set_global(item, global, Carry::Leave)
        }
    };
}

/// Sets the part `weight` of the way from the current transform to `to`.
#[inline]
fn put_weighted(rig: &mut Hierarchy, item: ElementId, to: Transform, how: How) {
    let weight = saturate(how.weight);
    if weight <= 0.0 {
        return;
    }
    let to = if weight < 1.0 { current(rig, item, how.space).lerp(to, weight) } else { to };
    put(rig, item, to, how.space, how.carry);
}

/// How a transform is set.
struct How {
    space: Space,
    carry: bool,
    weight: f32,
}

/// Sets the transform of an element. Its rotation should be a unit quaternion.
#[unit("Hierarchy.SetTransform")]
pub fn set_transform(
    rig: &mut Hierarchy,
    item: ElementId,
    transform: Transform,
    /// What `transform` is relative to.
    space: Space,
    /// What hangs on the element moves along; if not, it stays where it is.
    #[pin(default = true)]
    carry_children: bool,
    /// 0 leaves the element as it is, 1 sets it, and between it is set part of the way.
    #[pin(default = 1.0, min = 0.0, max = 1.0)]
    weight: f32,
) {
    put_weighted(rig, item, transform, How { space, carry: carry_children, weight });
}

/// Sets the translation of an element, metres; rotation and scale stay.
#[unit("Hierarchy.SetTranslation")]
pub fn set_translation(
    rig: &mut Hierarchy,
    item: ElementId,
    translation: Vec3,
    space: Space,
    #[pin(default = true)] carry_children: bool,
    #[pin(default = 1.0, min = 0.0, max = 1.0)] weight: f32,
) {
    let to = Transform { translation, ..current(rig, item, space) };
    put_weighted(rig, item, to, How { space, carry: carry_children, weight });
}

/// Sets the rotation of an element; translation and scale stay.
#[unit("Hierarchy.SetRotation")]
pub fn set_rotation(
    rig: &mut Hierarchy,
    item: ElementId,
    rotation: Quat,
    space: Space,
    #[pin(default = true)] carry_children: bool,
    #[pin(default = 1.0, min = 0.0, max = 1.0)] weight: f32,
) {
    let to = Transform { rotation, ..current(rig, item, space) };
    put_weighted(rig, item, to, How { space, carry: carry_children, weight });
}

/// Sets the scale of an element; translation and rotation stay.
#[unit("Hierarchy.SetScale")]
pub fn set_scale(
    rig: &mut Hierarchy,
    item: ElementId,
    #[pin(default = Vec3::ONE)] scale: Vec3,
    space: Space,
    #[pin(default = true)] carry_children: bool,
    #[pin(default = 1.0, min = 0.0, max = 1.0)] weight: f32,
) {
    let to = Transform { scale, ..current(rig, item, space) };
    put_weighted(rig, item, to, How { space, carry: carry_children, weight });
}

/// Moves an element by a transform seen from the element itself: `current * offset`.
#[unit("Hierarchy.OffsetTransform")]
pub fn offset_transform(
    rig: &mut Hierarchy,
    item: ElementId,
    offset: Transform,
    #[pin(default = true)] carry_children: bool,
    #[pin(default = 1.0, min = 0.0, max = 1.0)] weight: f32,
) {
    let to = rig.local(item) * offset;
    put_weighted(rig, item, to, How { space: Space::Local, carry: carry_children, weight });
}

/// Changes the transform of an element bit by bit: adds a translation, turns by angles after the
/// current rotation (about the element's own axes), multiplies the scale.
#[unit("Transform.Modify")]
pub fn modify(
    rig: &mut Hierarchy,
    item: ElementId,
    /// Added, metres, along the axes of `space`.
    translation: Vec3,
    /// Degrees about X, then the new Y, then the newest Z.
    rotation_degrees: Vec3,
    /// Factors by axis.
    #[pin(default = Vec3::ONE)]
    scale: Vec3,
    /// In which space the current transform is taken.
    space: Space,
    #[pin(default = 1.0, min = 0.0, max = 1.0)] weight: f32,
) {
    let radians = rotation_degrees * (core::f32::consts::PI / 180.0);
    let turn = Euler::new(radians.x, radians.y, radians.z, EulerOrder::XYZ).to_quat();
    let now = current(rig, item, space);
    let to = Transform::new(now.translation + translation, now.rotation * turn, now.scale * scale);
    put_weighted(rig, item, to, How { space, carry: true, weight });
}

/// Takes an element back to the transform it started with, relative to its parent.
#[unit("Hierarchy.ResetTransform")]
pub fn reset_transform(
    rig: &mut Hierarchy,
    item: ElementId,
    #[pin(default = 1.0, min = 0.0, max = 1.0)] weight: f32,
) {
    let to = rig.initial_local(item);
    put_weighted(rig, item, to, How { space: Space::Local, carry: true, weight });
}

/// Sets the value of a curve.
#[unit("Hierarchy.SetCurve")]
pub fn set_curve(rig: &mut Hierarchy, item: ElementId, value: f32) {
    rig.set_curve(item, value);
}

fn set_number(rig: &mut Hierarchy, item: ElementId, value: Vec3) {
    rig.set_control_value(item, Transform::from_translation(value));
}

/// Sets a control that holds a number, within its limits.
#[unit("Control.SetFloat")]
pub fn set_control_float(rig: &mut Hierarchy, item: ElementId, value: f32) {
    set_number(rig, item, Vec3::new(value, 0.0, 0.0));
}

/// Sets a control that is on or off.
#[unit("Control.SetBool")]
pub fn set_control_bool(rig: &mut Hierarchy, item: ElementId, value: bool) {
    set_number(rig, item, Vec3::new(f32::from(u8::from(value)), 0.0, 0.0));
}

/// Sets a control that holds a whole number, within its limits.
#[unit("Control.SetInt")]
pub fn set_control_int(rig: &mut Hierarchy, item: ElementId, value: i32) {
    set_number(rig, item, Vec3::new(value as f32, 0.0, 0.0));
}

/// Sets a control that holds two numbers, within its limits.
#[unit("Control.SetVec2")]
pub fn set_control_vec2(rig: &mut Hierarchy, item: ElementId, value: Vec2) {
    set_number(rig, item, Vec3::new(value.x, value.y, 0.0));
}

/// Sets the position of a control, metres from its zero, within its limits; rotation and scale
/// stay.
#[unit("Control.SetPosition")]
pub fn set_control_position(rig: &mut Hierarchy, item: ElementId, value: Vec3) {
    let value = Transform { translation: value, ..rig.control_value(item) };
    rig.set_control_value(item, value);
}

/// Sets the rotation of a control; position and scale stay.
#[unit("Control.SetRotation")]
pub fn set_control_rotation(rig: &mut Hierarchy, item: ElementId, value: Quat) {
    let value = Transform { rotation: value, ..rig.control_value(item) };
    rig.set_control_value(item, value);
}

/// Sets the scale of a control, within its limits; position and rotation stay.
#[unit("Control.SetScale")]
pub fn set_control_scale(rig: &mut Hierarchy, item: ElementId, #[pin(default = Vec3::ONE)] value: Vec3) {
    let value = Transform { scale: value, ..rig.control_value(item) };
    rig.set_control_value(item, value);
}

/// Sets a control: its transform seen from its zero, within its limits.
#[unit("Control.SetTransform")]
pub fn set_control_transform(rig: &mut Hierarchy, item: ElementId, value: Transform) {
    rig.set_control_value(item, value);
}

/// A place among an element's parents; a negative one is beyond them all.
fn place(index: i32) -> usize {
    usize::try_from(index).unwrap_or(usize::MAX)
}

/// Makes an element follow one of its parents alone.
#[unit("Hierarchy.SwitchParent")]
pub fn switch_parent(
    rig: &mut Hierarchy,
    item: ElementId,
    /// Place among the parents, from 0; nothing happens where there is no such parent.
    index: i32,
    /// The element stays where it is; if not, it keeps its transform relative to the parent.
    #[pin(default = true)]
    keep_global: bool,
) {
    rig.switch_parent(item, place(index), keep_global);
}

/// Sets the weight with which an element follows one of its parents; weights are divided by their
/// sum. The element keeps its transform relative to the mix.
#[unit("Hierarchy.SetParentWeight")]
pub fn set_parent_weight(
    rig: &mut Hierarchy,
    item: ElementId,
    /// Place among the parents, from 0; nothing happens where there is no such parent.
    index: i32,
    #[pin(default = 1.0, min = 0.0)] weight: f32,
) {
    rig.set_parent_weight(item, place(index), weight);
}
