//! Changing elements. An element that is none or unknown and a value that is not finite change
//! nothing.

use sinew_macros::unit;

use crate::hierarchy::{Carry, ElementId, Hierarchy, Joint, Space};
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

/// Sets the part `weight` of the way from the current transform to `to`.
#[inline(always)]
fn put_weighted(item: &mut Joint, to: Transform, how: How) {
    let weight = saturate(how.weight);
    let to = if weight < 1.0 { item.current(how.space).lerp(to, weight) } else { to };
    if weight > 0.0 {
        item.set(to, how.space, if how.carry { Carry::Children } else { Carry::Leave });
    }
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
    #[joint(global = space == Space::Global && weight < 1.0, parent = space == Space::Global)]
    item: &mut Joint,
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
    put_weighted(item, transform, How { space, carry: carry_children, weight });
}

/// Sets the translation of an element, metres; rotation and scale stay.
#[unit("Hierarchy.SetTranslation")]
pub fn set_translation(
    #[joint(global = space == Space::Global, parent = space == Space::Global)] item: &mut Joint,
    translation: Vec3,
    space: Space,
    #[pin(default = true)] carry_children: bool,
    #[pin(default = 1.0, min = 0.0, max = 1.0)] weight: f32,
) {
    let to = Transform { translation, ..item.current(space) };
    put_weighted(item, to, How { space, carry: carry_children, weight });
}

/// Sets the rotation of an element; translation and scale stay.
#[unit("Hierarchy.SetRotation")]
pub fn set_rotation(
    #[joint(global = space == Space::Global, parent = space == Space::Global)] item: &mut Joint,
    rotation: Quat,
    space: Space,
    #[pin(default = true)] carry_children: bool,
    #[pin(default = 1.0, min = 0.0, max = 1.0)] weight: f32,
) {
    let to = Transform { rotation, ..item.current(space) };
    put_weighted(item, to, How { space, carry: carry_children, weight });
}

/// Sets the scale of an element; translation and rotation stay.
#[unit("Hierarchy.SetScale")]
pub fn set_scale(
    #[joint(global = space == Space::Global, parent = space == Space::Global)] item: &mut Joint,
    #[pin(default = Vec3::ONE)] scale: Vec3,
    space: Space,
    #[pin(default = true)] carry_children: bool,
    #[pin(default = 1.0, min = 0.0, max = 1.0)] weight: f32,
) {
    let to = Transform { scale, ..item.current(space) };
    put_weighted(item, to, How { space, carry: carry_children, weight });
}

/// Moves an element by a transform seen from the element itself: `current * offset`.
#[unit("Hierarchy.OffsetTransform")]
pub fn offset_transform(
    item: &mut Joint,
    offset: Transform,
    #[pin(default = true)] carry_children: bool,
    #[pin(default = 1.0, min = 0.0, max = 1.0)] weight: f32,
) {
    let to = item.local * offset;
    put_weighted(item, to, How { space: Space::Local, carry: carry_children, weight });
}

/// Changes the transform of an element bit by bit: adds a translation, turns by angles after the
/// current rotation (about the element's own axes), multiplies the scale.
#[unit("Transform.Modify")]
pub fn modify(
    #[joint(global = space == Space::Global, parent = space == Space::Global)] item: &mut Joint,
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
    let now = item.current(space);
    let to = Transform::new(now.translation + translation, now.rotation * turn, now.scale * scale);
    put_weighted(item, to, How { space, carry: true, weight });
}

/// Takes an element back to the transform it started with, relative to its parent.
#[unit("Hierarchy.ResetTransform")]
pub fn reset_transform(item: &mut Joint, #[pin(default = 1.0, min = 0.0, max = 1.0)] weight: f32) {
    let to = item.initial;
    put_weighted(item, to, How { space: Space::Local, carry: true, weight });
}

/// Sets the value of a curve.
#[unit("Hierarchy.SetCurve")]
pub fn set_curve(rig: &mut Hierarchy, item: ElementId, value: f32) {
    rig.set_curve(item, value);
}

/// Sets a control that holds a number, within its limits; any other stays.
#[unit("Control.SetFloat")]
pub fn set_control_float(rig: &mut Hierarchy, item: ElementId, value: f32) {
    rig.set_control_float(item, value);
}

/// Sets a control that is on or off; any other stays.
#[unit("Control.SetBool")]
pub fn set_control_bool(rig: &mut Hierarchy, item: ElementId, value: bool) {
    rig.set_control_bool(item, value);
}

/// Sets a control that holds a whole number, within its limits; any other stays.
#[unit("Control.SetInt")]
pub fn set_control_int(rig: &mut Hierarchy, item: ElementId, value: i32) {
    rig.set_control_int(item, value);
}

/// Sets a control that holds two numbers, within its limits; any other stays.
#[unit("Control.SetVec2")]
pub fn set_control_vec2(rig: &mut Hierarchy, item: ElementId, value: Vec2) {
    rig.set_control_vec2(item, value);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::hierarchy_get::{get_control_float, get_control_transform, get_curve};
    use crate::vm::testing::{BONES, Bench, CONTROL, CURVE, FOLLOWER, SLIDER, quarter};

    const ARM: ElementId = BONES[1];
    const ELBOW: ElementId = BONES[2];

    fn target() -> Transform {
        Transform::new(Vec3::new(1.0, 2.0, 3.0), quarter(Vec3::Y), Vec3::splat(2.0))
    }

    #[test]
    fn what_is_set_is_read_in_either_space() {
        for space in [Space::Global, Space::Local] {
            for carry in [true, false] {
                let mut bench = Bench::new();
                bench.rig.set_local(BONES[0], Transform::new(Vec3::Z, quarter(Vec3::X), Vec3::ONE));
                let child = bench.rig.global_mut(ELBOW);
                bench.rig.change(ARM, |j| set_transform(j, target(), space, carry, 1.0));
                assert!(bench.rig.change(ARM, |j| j.current(space)).approx_eq(target(), 1e-5));
                assert_eq!(bench.rig.global_mut(ELBOW).approx_eq(child, 1e-5), !carry);
            }
        }
    }

    #[test]
    fn a_weight_goes_part_of_the_way() {
        let mut bench = Bench::new();
        let before = bench.rig.locals().to_vec();
        for none in [0.0, -1.0, f32::NAN] {
            bench.rig.change(ARM, |j| set_transform(j, target(), Space::Global, true, none));
        }
        assert_eq!(bench.rig.locals(), before);
        let from = bench.rig.global_mut(ARM);
        bench.rig.change(ARM, |j| set_transform(j, target(), Space::Global, true, 0.25));
        assert!(bench.rig.global_mut(ARM).approx_eq(from.lerp(target(), 0.25), 1e-5));
    }

    #[test]
    fn each_part_alone() {
        let mut bench = Bench::new();
        let rig = &mut bench.rig;
        rig.change(ARM, |j| set_translation(j, Vec3::Y, Space::Global, true, 1.0));
        rig.change(ARM, |j| set_rotation(j, quarter(Vec3::Z), Space::Global, true, 1.0));
        rig.change(ARM, |j| set_scale(j, Vec3::splat(3.0), Space::Local, true, 1.0));
        let right = Transform::new(Vec3::Y, quarter(Vec3::Z), Vec3::splat(3.0));
        assert!(rig.global_mut(ARM).approx_eq(right, 1e-6));
        rig.change(ARM, |j| set_scale(j, Vec3::splat(1.0), Space::Local, true, 0.5));
        assert!(rig.local(ARM).scale.distance(Vec3::splat(2.0)) < 1e-6);
        rig.change(ARM, |j| reset_transform(j, 1.0));
        assert_eq!(rig.local(ARM), rig.initial_local(ARM));
    }

    #[test]
    fn offsets_are_seen_from_the_element() {
        let mut bench = Bench::new();
        bench.rig.set_local(ARM, Transform::from_rotation(quarter(Vec3::Z)));
        bench.rig.change(ARM, |j| offset_transform(j, Transform::from_translation(Vec3::X), true, 1.0));
        assert!(bench.rig.global_mut(ARM).translation.distance(Vec3::Y) < 1e-6);
    }

    #[test]
    fn modifying_adds_turns_and_multiplies() {
        let mut bench = Bench::new();
        let start = Transform::new(Vec3::X, quarter(Vec3::Y), Vec3::splat(2.0));
        bench.rig.set_local(ARM, start);
        let turn = Vec3::new(0.0, 0.0, 90.0);
        bench.rig.change(ARM, |j| modify(j, Vec3::Y, turn, Vec3::splat(0.5), Space::Local, 1.0));
        let right = Transform::new(Vec3::new(1.0, 1.0, 0.0), quarter(Vec3::Y) * quarter(Vec3::Z), Vec3::ONE);
        assert!(bench.rig.local(ARM).approx_eq(right, 1e-6));
        let before = bench.rig.local(ARM);
        bench.rig.change(ARM, |j| {
            modify(j, Vec3::ZERO, Vec3::new(0.0, 360.0, 0.0), Vec3::ONE, Space::Global, 1.0)
        });
        assert!(bench.rig.local(ARM).approx_eq(before, 1e-5));
    }

    #[test]
    fn controls_keep_their_limits_and_others_stay() {
        let mut bench = Bench::new();
        let rig = &mut bench.rig;
        set_control_float(rig, SLIDER, 0.3);
        assert_eq!(get_control_float(rig, SLIDER), 0.3);
        set_control_float(rig, SLIDER, 9.0);
        assert_eq!(get_control_float(rig, SLIDER), 2.0);
        set_control_float(rig, SLIDER, f32::NAN);
        assert_eq!(get_control_float(rig, SLIDER), 2.0);
        set_control_int(rig, SLIDER, 1);
        set_control_bool(rig, SLIDER, false);
        set_control_vec2(rig, SLIDER, Vec2::ZERO);
        assert_eq!(get_control_float(rig, SLIDER), 2.0);
        set_control_transform(rig, CONTROL, target());
        assert!(get_control_transform(rig, CONTROL).approx_eq(target(), 1e-5));
        set_control_position(rig, CONTROL, Vec3::Z);
        set_control_rotation(rig, CONTROL, quarter(Vec3::X));
        set_control_scale(rig, CONTROL, Vec3::splat(0.5));
        let right = Transform::new(Vec3::Z, quarter(Vec3::X), Vec3::splat(0.5));
        assert!(get_control_transform(rig, CONTROL).approx_eq(right, 1e-5));
        set_curve(rig, CURVE, 0.7);
        set_curve(rig, ARM, 0.7);
        assert_eq!((get_curve(rig, CURVE), get_curve(rig, ARM)), (0.7, 0.0));
    }

    #[test]
    fn a_switch_of_parents_keeps_the_place() {
        let mut bench = Bench::new();
        let rig = &mut bench.rig;
        rig.set_local(BONES[3], target());
        let before = rig.global_mut(FOLLOWER);
        switch_parent(rig, FOLLOWER, 1, true);
        assert!(rig.global_mut(FOLLOWER).approx_eq(before, 1e-5));
        assert_eq!(rig.parent_weights(FOLLOWER), [0.0, 1.0]);
        set_parent_weight(rig, FOLLOWER, 0, 1.0);
        assert_eq!(rig.parent_weights(FOLLOWER), [1.0, 1.0]);
        for wrong in [-1, 2, i32::MAX] {
            switch_parent(rig, FOLLOWER, wrong, true);
            set_parent_weight(rig, FOLLOWER, wrong, 0.5);
        }
        assert_eq!(rig.parent_weights(FOLLOWER), [1.0, 1.0]);
    }

    #[test]
    fn what_is_not_finite_or_not_there_changes_nothing() {
        let mut bench = Bench::new();
        let before = bench.rig.locals().to_vec();
        let bad = Transform::from_translation(Vec3::splat(f32::NAN));
        bench.rig.change(ARM, |j| set_transform(j, bad, Space::Global, true, 0.5));
        bench.rig.change(ARM, |j| set_transform(j, bad, Space::Local, false, 1.0));
        bench.rig.change(ARM, |j| {
            modify(j, Vec3::ZERO, Vec3::ZERO, Vec3::splat(f32::INFINITY), Space::Local, 1.0)
        });
        bench.rig.change(ElementId::NONE, |j| set_transform(j, target(), Space::Local, false, 1.0));
        bench.rig.change(ElementId(99), |j| set_transform(j, target(), Space::Global, true, 0.5));
        assert_eq!(bench.rig.locals(), before);
    }

    /// A part set on its own leaves what setting the whole would: of bones, of controls with a kind
    /// and limits, of curves, of nothing, and with a value that is no number.
    #[test]
    fn a_part_of_a_local_is_set_as_the_whole() {
        let elements = [BONES[0], BONES[2], FOLLOWER, CONTROL, SLIDER, CURVE, ElementId::NONE, ElementId(99)];
        let turn = quarter(Vec3::Y);
        for id in elements {
            for v in [Vec3::new(5.0, -7.0, 0.5), Vec3::ZERO, Vec3::new(f32::NAN, 0.0, 0.0)] {
                type Set = fn(&mut Hierarchy, ElementId, Vec3, Quat) -> bool;
                let pairs: [(Set, Set); 3] = [
                    (
                        |h, id, v, _| h.set_local_translation(id, v),
                        |h, id, v, _| h.set_local(id, Transform { translation: v, ..h.local(id) }),
                    ),
                    (
                        |h, id, v, q| h.set_local_rotation(id, q * v.x),
                        |h, id, v, q| h.set_local(id, Transform { rotation: q * v.x, ..h.local(id) }),
                    ),
                    (
                        |h, id, v, _| h.set_local_scale(id, v),
                        |h, id, v, _| h.set_local(id, Transform { scale: v, ..h.local(id) }),
                    ),
                ];
                for (part, whole) in pairs {
                    let (mut a, mut b) = (Bench::new().rig, Bench::new().rig);
                    a.update_all();
                    b.update_all();
                    assert_eq!(part(&mut a, id, v, turn), whole(&mut b, id, v, turn), "{id:?} {v:?}");
                    let state = |h: &Hierarchy| {
                        let mut words = vec![0; h.state_words()];
                        h.write_state(&mut words);
                        words
                    };
                    assert_eq!(state(&a), state(&b));
                    for at in a.topology().ids() {
                        assert_eq!(a.global_mut(at), b.global_mut(at));
                    }
                }
            }
        }
    }
}
