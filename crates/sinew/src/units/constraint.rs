//! Constraints: an element held to another one.
//!
//! With `maintain_offset` the element keeps the place it had to the other one in the initial pose.
//! A weight below 1 goes part of the way from where the element is. What hangs on it moves along.

use sinew_macros::unit;

use crate::hierarchy::{Carry, ElementId, Hierarchy};
use crate::math::{self, Quat, Transform, Vec3};
use crate::vm::{Items, UnitDef};

use super::ik::turn_global;

/// The units of this file.
pub fn all() -> Vec<UnitDef> {
    crate::units![
        hold_parent,
        hold_parents,
        hold_position,
        hold_rotation,
        hold_scale,
        aim_at_element,
        aim_at_point
    ]
}

/// True if `item` may be held to `to`: both are there and are not one.
#[inline]
fn holds(rig: &Hierarchy, item: ElementId, to: ElementId) -> bool {
    item.index() < rig.len() && to.index() < rig.len() && item != to
}

#[inline]
fn place(rig: &mut Hierarchy, item: ElementId, to: Transform, weight: f32) {
    let weight = math::saturate(weight);
    if weight > 0.0 {
        let to = if weight < 1.0 { rig.global_mut(item).lerp(to, weight) } else { to };
        rig.set_global(item, to, Carry::Children);
    }
}

/// Where an element stands if it hangs on `to`.
#[inline]
fn hung(rig: &mut Hierarchy, item: ElementId, to: ElementId, maintain_offset: bool) -> Transform {
    let now = rig.global_mut(to);
    if maintain_offset { now * rig.initial_global(to).to_local(rig.initial_global(item)) } else { now }
}

/// Moves, turns and scales an element along with another one.
#[unit("Constraint.Parent")]
pub fn hold_parent(
    rig: &mut Hierarchy,
    item: ElementId,
    parent: ElementId,
    #[pin(default = true)] maintain_offset: bool,
    #[pin(default = 1.0, min = 0.0, max = 1.0)] weight: f32,
) {
    if holds(rig, item, parent) {
        let to = hung(rig, item, parent, maintain_offset);
        place(rig, item, to, weight);
    }
}

/// Moves, turns and scales an element along with several others, by their weights. A parent without
/// a weight of its own has 1; with a sum of 0 nothing happens.
#[unit("Constraint.Parent")]
pub fn hold_parents(
    rig: &mut Hierarchy,
    item: ElementId,
    parents: Items<'_, ElementId>,
    /// One for each parent; those that are missing are 1.
    weights: Items<'_, f32>,
    #[pin(default = true)] maintain_offset: bool,
    #[pin(default = 1.0, min = 0.0, max = 1.0)] weight: f32,
) {
    let (mut sum, mut mix) = (0.0f32, None);
    for (i, to) in parents.iter().enumerate() {
        let part = math::max(weights.get(i).unwrap_or(1.0), 0.0);
        if part > 0.0 && part.is_finite() && holds(rig, item, to) {
            let here = hung(rig, item, to, maintain_offset);
            sum += part;
            // A running mean: each one pulls by its share of what has been added up so far.
            mix = Some(mix.map_or(here, |m: Transform| m.lerp(here, part / sum)));
        }
    }
    if let Some(to) = mix {
        place(rig, item, to, weight);
    }
}

/// Holds an element at the position of another one; rotation and scale stay.
#[unit("Constraint.Position")]
pub fn hold_position(
    rig: &mut Hierarchy,
    item: ElementId,
    target: ElementId,
    /// Keep the difference of the initial positions, in the character's space.
    #[pin(default = true)]
    maintain_offset: bool,
    #[pin(default = 1.0, min = 0.0, max = 1.0)] weight: f32,
) {
    if holds(rig, item, target) {
        let (item_start, target_start) = (rig.initial_global(item), rig.initial_global(target));
        let offset = item_start.translation - target_start.translation;
        let offset = if maintain_offset { offset } else { Vec3::ZERO };
        let translation = rig.global_mut(target).translation + offset;
        let to = Transform { translation, ..rig.global_mut(item) };
        place(rig, item, to, weight);
    }
}

/// Turns an element along with another one; position and scale stay.
#[unit("Constraint.Rotation")]
pub fn hold_rotation(
    rig: &mut Hierarchy,
    item: ElementId,
    target: ElementId,
    #[pin(default = true)] maintain_offset: bool,
    #[pin(default = 1.0, min = 0.0, max = 1.0)] weight: f32,
) {
    if holds(rig, item, target) {
        let to = hung(rig, item, target, maintain_offset).rotation;
        turn_global(rig, item, to, weight);
    }
}

/// Scales an element along with another one; position and rotation stay.
#[unit("Constraint.Scale")]
pub fn hold_scale(
    rig: &mut Hierarchy,
    item: ElementId,
    target: ElementId,
    #[pin(default = true)] maintain_offset: bool,
    #[pin(default = 1.0, min = 0.0, max = 1.0)] weight: f32,
) {
    if holds(rig, item, target) {
        let scale = hung(rig, item, target, maintain_offset).scale;
        let to = Transform { scale, ..rig.global_mut(item) };
        place(rig, item, to, weight);
    }
}

/// The rotation that takes `axis` to `direction` and `up_axis` as near to `world_up` as can be.
#[inline]
fn aim_rotation(direction: Vec3, axis: Vec3, up_axis: Vec3, world_up: Vec3) -> Quat {
    Quat::look_rotation(direction, world_up) * Quat::look_rotation(axis, up_axis).conjugate()
}

/// Turns an element so that one of its axes points at another element. Nothing happens where the
/// two are at one place.
#[unit("Constraint.Aim")]
pub fn aim_at_element(
    rig: &mut Hierarchy,
    item: ElementId,
    target: ElementId,
    /// The element's own axis that points at the target.
    #[pin(default = Vec3::Z)]
    axis: Vec3,
    /// The element's own axis that stays up.
    #[pin(default = Vec3::Y)]
    up_axis: Vec3,
    /// Up in the character's space.
    #[pin(default = Vec3::Y)]
    world_up: Vec3,
    #[pin(default = 1.0, min = 0.0, max = 1.0)] weight: f32,
) {
    if holds(rig, item, target) {
        let at = rig.global_mut(target).translation;
        aim_at_point(rig, item, at, axis, up_axis, world_up, weight);
    }
}

/// Turns an element so that one of its axes points at a point in the character's space.
#[unit("Constraint.Aim")]
pub fn aim_at_point(
    rig: &mut Hierarchy,
    item: ElementId,
    target: Vec3,
    /// The element's own axis that points at the target.
    #[pin(default = Vec3::Z)]
    axis: Vec3,
    /// The element's own axis that stays up.
    #[pin(default = Vec3::Y)]
    up_axis: Vec3,
    /// Up in the character's space.
    #[pin(default = Vec3::Y)]
    world_up: Vec3,
    #[pin(default = 1.0, min = 0.0, max = 1.0)] weight: f32,
) {
    let direction = (target - rig.global_mut(item).translation).normalize_or(Vec3::ZERO);
    if direction != Vec3::ZERO && axis.normalize_or(Vec3::ZERO) != Vec3::ZERO {
        turn_global(rig, item, aim_rotation(direction, axis, up_axis, world_up), weight);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vm::testing::{BONES, Bench, CONTROL, array_words, quarter};
    use crate::vm::words_of;

    const HAND: ElementId = BONES[3];

    fn moved(bench: &mut Bench) -> Transform {
        let t = Transform::new(Vec3::new(1.0, 2.0, 3.0), quarter(Vec3::Y), Vec3::splat(2.0));
        bench.rig.set_global(HAND, t, Carry::Children);
        t
    }

    #[test]
    fn in_the_initial_pose_a_kept_offset_changes_nothing() {
        let mut bench = Bench::new();
        let before = bench.rig.global_mut(CONTROL);
        hold_parent(&mut bench.rig, CONTROL, HAND, true, 1.0);
        hold_position(&mut bench.rig, CONTROL, HAND, true, 1.0);
        hold_rotation(&mut bench.rig, CONTROL, HAND, true, 1.0);
        hold_scale(&mut bench.rig, CONTROL, HAND, true, 1.0);
        assert!(bench.rig.global_mut(CONTROL).approx_eq(before, 1e-6));
    }

    #[test]
    fn a_child_follows_as_if_it_hung_there() {
        let mut bench = Bench::new();
        let offset = bench.rig.global_mut(HAND).to_local(bench.rig.global(CONTROL));
        let hand = moved(&mut bench);
        hold_parent(&mut bench.rig, CONTROL, HAND, true, 1.0);
        assert!(bench.rig.global_mut(CONTROL).approx_eq(hand * offset, 1e-5));
        hold_parent(&mut bench.rig, CONTROL, HAND, false, 1.0);
        assert!(bench.rig.global_mut(CONTROL).approx_eq(hand, 1e-5));
    }

    #[test]
    fn each_part_alone() {
        let mut bench = Bench::new();
        let before = bench.rig.global_mut(CONTROL);
        let hand = moved(&mut bench);
        hold_position(&mut bench.rig, CONTROL, HAND, false, 0.5);
        let half = before.translation.lerp(hand.translation, 0.5);
        assert!(bench.rig.global_mut(CONTROL).approx_eq(Transform { translation: half, ..before }, 1e-5));
        hold_rotation(&mut bench.rig, CONTROL, HAND, false, 1.0);
        let turned = Transform { translation: half, rotation: hand.rotation, ..before };
        assert!(bench.rig.global_mut(CONTROL).approx_eq(turned, 1e-5));
        hold_scale(&mut bench.rig, CONTROL, HAND, false, 1.0);
        assert!(bench.rig.global_mut(CONTROL).scale.distance(hand.scale) < 1e-5);
    }

    #[test]
    fn several_parents_pull_by_their_weights() {
        let run = |weights: &[f32]| {
            let mut bench = Bench::new();
            let unit = UnitDef::of::<hold_parents>();
            let inputs = [
                ("item", words_of(CONTROL)),
                ("parents", array_words(&[BONES[1], HAND])),
                ("weights", array_words(weights)),
                ("maintain_offset", words_of(false)),
            ];
            let fill = |i: usize, words: &mut [u32]| {
                if let Some((_, given)) = inputs.iter().find(|(n, _)| *n == unit.pins[i].name) {
                    words[..given.len()].copy_from_slice(given);
                }
            };
            bench.run(&unit, fill).expect("no fault");
            bench.rig.global_mut(CONTROL).translation
        };
        assert!(run(&[1.0, 0.0]).distance(Vec3::X * 0.5) < 1e-6);
        assert!(run(&[1.0, 3.0]).distance(Vec3::X * 1.25) < 1e-6);
        assert!(run(&[]).distance(Vec3::X) < 1e-6);
        assert!(run(&[0.0, -1.0]).distance(Vec3::Y) < 1e-6);
    }

    #[test]
    fn an_aimed_axis_points_at_its_target_with_its_up_axis_up() {
        for axis in [Vec3::X, Vec3::Z, -Vec3::X] {
            for target in [Vec3::new(3.0, 2.0, -1.0), Vec3::new(-3.0, 0.5, 4.0), Vec3::new(0.1, 0.0, -5.0)] {
                let mut bench = Bench::new();
                aim_at_point(&mut bench.rig, CONTROL, target, axis, Vec3::Y, Vec3::Y, 1.0);
                let seen = bench.rig.global_mut(CONTROL);
                let direction = (target - seen.translation).normalize_or(Vec3::ZERO);
                assert!((seen.rotation * axis).distance(direction) < 1e-5);
                let up = seen.rotation * Vec3::Y;
                assert!(up.y > 0.0 && up.dot(direction.cross(Vec3::Y)).abs() < 1e-5);
            }
        }
        let mut bench = Bench::new();
        aim_at_element(&mut bench.rig, CONTROL, HAND, Vec3::Z, Vec3::Y, Vec3::Y, 1.0);
        let seen = bench.rig.global_mut(CONTROL);
        let direction = (bench.rig.global_mut(HAND).translation - seen.translation).normalize_or(Vec3::ZERO);
        assert!((seen.rotation * Vec3::Z).distance(direction) < 1e-5);
    }

    #[test]
    fn what_is_not_there_holds_nothing() {
        let mut bench = Bench::new();
        let before = bench.rig.locals().to_vec();
        for (item, to) in [(CONTROL, ElementId::NONE), (ElementId(99), HAND), (CONTROL, CONTROL)] {
            hold_parent(&mut bench.rig, item, to, false, 1.0);
            hold_position(&mut bench.rig, item, to, false, 1.0);
            hold_rotation(&mut bench.rig, item, to, false, 1.0);
            hold_scale(&mut bench.rig, item, to, false, 1.0);
            aim_at_element(&mut bench.rig, item, to, Vec3::Z, Vec3::Y, Vec3::Y, 1.0);
        }
        let here = bench.rig.global_mut(CONTROL).translation;
        aim_at_point(&mut bench.rig, CONTROL, here, Vec3::Z, Vec3::Y, Vec3::Y, 1.0);
        hold_parent(&mut bench.rig, CONTROL, HAND, false, f32::NAN);
        assert_eq!(bench.rig.locals(), before);
    }
}
