//! Inverse kinematics on elements. Only rotations change: translations and scales keep their bits,
//! unless bones are let stretch.

use sinew_macros::unit;

use crate::hierarchy::{ElementId, Hierarchy, Joint};
use crate::ik::{
    ChainLimits, JointLimit, Link, MAX_CHAIN, Reach, TwoBoneLimits, solve_ccd, solve_ccd_limited,
    solve_fabrik, solve_two_bone,
};
use crate::math::{self, Quat, Transform, Vec3};
use crate::vm::{Items, UnitDef};

/// The units of this file.
pub fn all() -> Vec<UnitDef> {
    crate::units![two_bone, fabrik, ccd, ccd_limited, two_bone_points, limit_rotation, limit_element]
}

/// Turns an element to a global rotation, part of the way; its local translation and scale keep
/// their bits.
#[inline]
pub(super) fn turn_global(rig: &mut Hierarchy, item: ElementId, rotation: Quat, weight: f32) {
    let weight = math::saturate(weight);
    let local = rig.local(item).rotation;
    if weight > 0.0 && rig.set_global_rotation(item, rotation.normalize()) && weight < 1.0 {
        let turned = rig.local(item);
        rig.set_local(item, Transform { rotation: local.slerp(turned.rotation, weight), ..turned });
    }
}

/// Turns two bones so that the tip meets a target: an arm, a leg. Where the target is out of reach
/// the tip comes as near as it can. Nothing happens where the three do not hang below one another.
#[unit("IK.TwoBone", outputs(reach))]
pub fn two_bone(
    /// The first bone, such as an upper arm.
    #[joint(global = true, parent = true)]
    root: &mut Joint,
    /// The second bone, such as a forearm.
    #[joint(global = true, parent = true)]
    middle: &mut Joint,
    /// What meets the target, such as a hand.
    #[joint(global = true, parent = true)]
    tip: &mut Joint,
    /// Where the tip goes, in the character's space.
    target: Transform,
    /// The middle joint bends to the side of this point in the character's space.
    pole: Vec3,
    /// Without the pole the chain bends as it stands.
    use_pole: bool,
    /// The tip takes the target's rotation; if not, it turns along with the chain.
    rotate_tip: bool,
    /// The last part of the length over which the tip falls behind the target, so that the joint does
    /// not snap straight.
    #[pin(min = 0.0, max = 1.0)]
    softness: f32,
    /// How many times their length the bones may be stretched; 1 is not at all.
    #[pin(default = 1.0, min = 1.0)]
    stretch: f32,
    #[pin(default = 1.0, min = 0.0, max = 1.0)] weight: f32,
) -> Reach {
    let chain = root.id != middle.id && middle.id != tip.id && middle.is_below(root) && tip.is_below(middle);
    let (a, b, c) = (root.global, middle.global, tip.global);
    let pole = if use_pole { Some(pole) } else { None };
    let points = [a.translation, b.translation, c.translation];
    let solved = solve_two_bone(points, target.translation, pole, TwoBoneLimits { softness, stretch });
    let weight = math::saturate(weight);
    if !chain {
        return Reach::Degenerate;
    }
    if solved.reach == Reach::Degenerate || weight <= 0.0 {
        return solved.reach;
    }
    // The middle bone's turn is found under the whole turn of the first, then both go part of the way.
    let first = (solved.first_turn * a.rotation).normalize();
    let under = first * a.rotation.conjugate() * middle.parent.rotation;
    let bend = (under.conjugate() * (solved.second_turn * b.rotation)).normalize();
    let (first, bend) = if weight < 1.0 {
        (a.rotation.slerp(first, weight).normalize(), middle.local.rotation.slerp(bend, weight))
    } else {
        (first, bend)
    };
    root.set_global_rotation(first);
    middle.set_local(Transform { rotation: bend, ..middle.local });
    if rotate_tip {
        // What the tip hangs on, as it stands after both turns.
        let under = first * a.rotation.conjugate() * middle.parent.rotation;
        let under = (under * bend) * b.rotation.conjugate() * tip.parent.rotation;
        let turned = (under.conjugate() * target.rotation.normalize()).normalize();
        let rotation = if weight < 1.0 { tip.local.rotation.slerp(turned, weight) } else { turned };
        tip.set_local(Transform { rotation, ..tip.local });
    }
    if solved.stretch > 1.0 {
        tip.stretch(math::lerp(1.0, solved.stretch, weight), root.id);
    }
    solved.reach
}

/// Turns the elements from `root` down to the parent of `tip` to the solution for their positions.
#[inline]
fn solve_chain(
    rig: &mut Hierarchy,
    (root, tip): (ElementId, ElementId),
    weight: f32,
    solve: impl FnOnce(&mut [Vec3]) -> Reach,
) -> Reach {
    let count = rig.topology().chain_len(root, tip);
    if !(2..=MAX_CHAIN).contains(&count) {
        return Reach::Degenerate;
    }
    let mut ids = [ElementId::NONE; MAX_CHAIN];
    rig.topology().chain(root, tip, &mut ids);
    let (mut given, mut solved) = ([Transform::IDENTITY; MAX_CHAIN], [Vec3::ZERO; MAX_CHAIN]);
    let mut locals = [Quat::IDENTITY; MAX_CHAIN];
    for (i, id) in ids.iter().take(count).enumerate() {
        given[i] = rig.global_mut(*id);
        solved[i] = given[i].translation;
        locals[i] = rig.local(*id).rotation;
    }
    let reach = solve(&mut solved[..count]);
    let weight = math::saturate(weight);
    if reach == Reach::Degenerate || weight <= 0.0 {
        return reach;
    }
    for i in 0..count - 1 {
        let was = given[i + 1].translation - given[i].translation;
        // Each bone turns by the shortest arc from where it was, so none rolls about itself.
        let turn = Quat::from_to(was, solved[i + 1] - solved[i]);
        rig.set_global_rotation(ids[i], (turn * given[i].rotation).normalize());
    }
    if weight < 1.0 {
        for i in 0..count - 1 {
            let rotation = locals[i].slerp(rig.local(ids[i]).rotation, weight);
            rig.set_local_rotation(ids[i], rotation);
        }
    }
    reach
}

/// Turns a chain of up to 64 elements so that its tip meets a target, by FABRIK: a spine, a tail, a
/// tentacle. It starts from the pose as it stands, so the result depends on pose and target alone.
#[unit("IK.Fabrik", outputs(reach))]
pub fn fabrik(
    rig: &mut Hierarchy,
    /// The first element of the chain.
    root: ElementId,
    /// What meets the target; it hangs below `root`.
    tip: ElementId,
    /// Where the tip goes, in the character's space.
    target: Vec3,
    /// How near it must come, metres.
    #[pin(default = 0.001, min = 0.0)]
    tolerance: f32,
    /// How often the chain is gone through at most, up to 1000.
    #[pin(default = 20, min = 0, max = 1000)]
    iterations: i32,
    #[pin(default = 1.0, min = 0.0, max = 1.0)] weight: f32,
) -> Reach {
    let limits = ChainLimits { tolerance, iterations: iterations.clamp(0, 1000) as u32 };
    solve_chain(rig, (root, tip), weight, |points| solve_fabrik(points, target, limits))
}

/// Turns a chain of up to 64 elements so that its tip meets a target, by cyclic coordinate descent:
/// the bones near the tip turn most.
#[unit("IK.Ccd", outputs(reach))]
pub fn ccd(
    rig: &mut Hierarchy,
    /// The first element of the chain.
    root: ElementId,
    /// What meets the target; it hangs below `root`.
    tip: ElementId,
    /// Where the tip goes, in the character's space.
    target: Vec3,
    /// How near it must come, metres.
    #[pin(default = 0.001, min = 0.0)]
    tolerance: f32,
    /// How often the chain is gone through at most, up to 1000.
    #[pin(default = 20, min = 0, max = 1000)]
    iterations: i32,
    #[pin(default = 1.0, min = 0.0, max = 1.0)] weight: f32,
) -> Reach {
    let limits = ChainLimits { tolerance, iterations: iterations.clamp(0, 1000) as u32 };
    solve_chain(rig, (root, tip), weight, |points| solve_ccd(points, target, limits))
}

/// As `IK.Ccd`, with joints that turn within limits against their initial rotations. The limits are
/// lists by joint, from `root` on; the last one counts for all further joints, and an empty list is
/// no limit. Where it stays away from a target within its length, it starts anew from other
/// configurations, the same ones every time, so that what is reached does not depend on how the
/// chain came to stand.
#[unit("IK.CcdLimited", outputs(reach))]
pub fn ccd_limited(
    rig: &mut Hierarchy,
    /// The first element of the chain.
    root: ElementId,
    /// What meets the target; it hangs below `root`.
    tip: ElementId,
    /// Where the tip goes, in the character's space.
    target: Vec3,
    /// The joints' own axis.
    #[pin(default = Vec3::Y)]
    axis: Vec3,
    /// How far the axis may lean, to any side, radians; 0 makes a hinge.
    maximum_swing: Items<'_, f32>,
    /// Least twist about the axis, radians.
    minimum_twist: Items<'_, f32>,
    /// Greatest twist about the axis, radians.
    maximum_twist: Items<'_, f32>,
    /// How near it must come, metres.
    #[pin(default = 0.001, min = 0.0)]
    tolerance: f32,
    /// How often the chain is gone through at most from one start, up to 1000.
    #[pin(default = 20, min = 0, max = 1000)]
    iterations: i32,
    /// From how many other configurations it may start, up to 32.
    #[pin(default = 6, min = 0, max = 32)]
    restarts: i32,
    #[pin(default = 1.0, min = 0.0, max = 1.0)] weight: f32,
) -> Reach {
    let count = rig.topology().chain_len(root, tip);
    if !(2..=MAX_CHAIN).contains(&count) {
        return Reach::Degenerate;
    }
    let mut ids = [ElementId::NONE; MAX_CHAIN];
    rig.topology().chain(root, tip, &mut ids);
    let free = JointLimit::FREE;
    let of = |list: &Items<'_, f32>, i: usize, none: f32| {
        let last = list.len().checked_sub(1);
        last.and_then(|last| list.get(i.min(last))).unwrap_or(none)
    };
    let limit = |i: usize| JointLimit {
        axis,
        maximum_swing: of(&maximum_swing, i, free.maximum_swing),
        minimum_twist: of(&minimum_twist, i, free.minimum_twist),
        maximum_twist: of(&maximum_twist, i, free.maximum_twist),
    };
    let none = Link { rotation: Quat::IDENTITY, rest: Quat::IDENTITY, limit: free, bone: Vec3::ZERO };
    let mut joints = [none; MAX_CHAIN];
    let place = rig.global_mut(root);
    let parent = rig.topology().parent(root);
    let base = if parent.is_some() { rig.global_mut(parent).rotation } else { Quat::IDENTITY };
    let mut from = place;
    for (i, joint) in joints.iter_mut().take(count - 1).enumerate() {
        let next = rig.global_mut(ids[i + 1]);
        *joint = Link {
            rotation: rig.local(ids[i]).rotation,
            rest: rig.initial_local(ids[i]).rotation,
            limit: limit(i),
            // In the character's space, so that scales are in it already.
            bone: from.rotation.conjugate() * (next.translation - from.translation),
        };
        from = next;
    }
    let given = joints;
    let joints = &mut joints[..count - 1];
    let limits = ChainLimits { tolerance, iterations: iterations.clamp(0, 1000) as u32 };
    let reach =
        solve_ccd_limited(joints, (place.translation, base), target, limits, restarts.clamp(0, 32) as u32);
    let weight = math::saturate(weight);
    if reach == Reach::Degenerate || weight <= 0.0 {
        return reach;
    }
    for (i, (joint, was)) in joints.iter().zip(given).enumerate() {
        let rotation = if weight < 1.0 { was.rotation.slerp(joint.rotation, weight) } else { joint.rotation };
        rig.set_local_rotation(ids[i], rotation);
    }
    reach
}

/// Solves two bones as points: where the middle joint and the tip go so that the tip meets a target.
#[unit("IK.TwoBonePoints", outputs(new_middle, new_tip, reach))]
pub fn two_bone_points(
    start: Vec3,
    #[pin(default = Vec3::new(0.0, -0.5, 0.0))] middle: Vec3,
    #[pin(default = Vec3::new(0.0, -1.0, 0.0))] tip: Vec3,
    target: Vec3,
    /// The middle joint bends to the side of this point.
    #[pin(default = Vec3::Z)]
    pole: Vec3,
) -> (Vec3, Vec3, Reach) {
    let solved = solve_two_bone([start, middle, tip], target, Some(pole), TwoBoneLimits::default());
    (solved.middle, solved.tip, solved.reach)
}

/// A rotation with its swing kept within a cone and its twist about `axis` within a range, all in
/// radians. The range may go beyond half a turn: of the angles of one rotation the one nearest to
/// its middle counts.
#[unit("IK.RotationLimit")]
pub fn limit_rotation(
    value: Quat,
    /// The bone's own axis.
    #[pin(default = Vec3::Y)]
    axis: Vec3,
    /// How far the axis may lean, to any side.
    #[pin(default = core::f32::consts::FRAC_PI_2, min = 0.0)]
    maximum_swing: f32,
    #[pin(default = -core::f32::consts::FRAC_PI_2)] minimum_twist: f32,
    #[pin(default = core::f32::consts::FRAC_PI_2)] maximum_twist: f32,
) -> Quat {
    JointLimit { axis, maximum_swing, minimum_twist, maximum_twist }.apply(value)
}

/// Keeps the local rotation of an element within limits against its initial one: its swing within a
/// cone, its twist about `axis` within a range, all in radians.
#[unit("IK.RotationLimit")]
pub fn limit_element(
    item: &mut Joint,
    /// The bone's own axis.
    #[pin(default = Vec3::Y)]
    axis: Vec3,
    /// How far the axis may lean, to any side.
    #[pin(default = core::f32::consts::FRAC_PI_2, min = 0.0)]
    maximum_swing: f32,
    #[pin(default = -core::f32::consts::FRAC_PI_2)] minimum_twist: f32,
    #[pin(default = core::f32::consts::FRAC_PI_2)] maximum_twist: f32,
    #[pin(default = 1.0, min = 0.0, max = 1.0)] weight: f32,
) {
    let weight = math::saturate(weight);
    let (local, start) = (item.local, item.initial.rotation);
    let turn = start.conjugate() * local.rotation;
    let to = start * limit_rotation(turn, axis, maximum_swing, minimum_twist, maximum_twist);
    let rotation = if weight < 1.0 { local.rotation.slerp(to, weight) } else { to };
    if weight > 0.0 {
        item.set_local(Transform { rotation, ..local });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::Needs;
    use crate::vm::testing::{BONES, Bench, quarter};

    const ROOT: ElementId = BONES[0];
    const ARM: ElementId = BONES[1];
    const ELBOW: ElementId = BONES[2];
    const HAND: ElementId = BONES[3];

    /// The unit on three elements, as the machine calls it.
    #[allow(clippy::too_many_arguments)]
    fn on_chain(
        rig: &mut Hierarchy,
        ids: [ElementId; 3],
        target: Transform,
        pole: Vec3,
        use_pole: bool,
        rotate_tip: bool,
        softness: f32,
        stretch: f32,
        weight: f32,
    ) -> Reach {
        let needs = Needs { global: true, parent: true, initial_global: false };
        let [mut a, mut b, mut c] = ids.map(|id| rig.joint(id, needs));
        let reach =
            two_bone(&mut a, &mut b, &mut c, target, pole, use_pole, rotate_tip, softness, stretch, weight);
        for (id, joint) in ids.iter().zip([a, b, c]) {
            rig.apply(*id, &joint);
        }
        reach
    }

    fn solve(bench: &mut Bench, target: Vec3, weight: f32) -> Reach {
        let target = Transform::new(target, quarter(Vec3::X), Vec3::ONE);
        on_chain(
            &mut bench.rig,
            [ARM, ELBOW, HAND],
            target,
            Vec3::new(0.0, 5.0, 0.0),
            true,
            false,
            0.0,
            1.0,
            weight,
        )
    }

    #[test]
    fn the_hand_meets_its_target_and_only_rotations_change() {
        for scale in [0.01, 1.0, 2.0, 100.0] {
            let mut bench = Bench::new();
            bench.rig.set_local(ROOT, Transform::new(Vec3::Y * scale, quarter(Vec3::Z), Vec3::splat(scale)));
            let before = bench.rig.locals().to_vec();
            let target = bench.rig.global_mut(ROOT).transform_point(Vec3::new(0.9, 0.5, 0.2));
            assert_eq!(solve(&mut bench, target, 1.0), Reach::Reached);
            assert!(bench.rig.global_mut(HAND).translation.distance(target) < 1e-5 * scale, "{scale}");
            for (was, is) in before.iter().zip(bench.rig.locals()) {
                assert_eq!((was.translation, was.scale), (is.translation, is.scale));
            }
        }
    }

    #[test]
    fn weight_goes_from_the_given_pose_to_the_solution() {
        let target = Vec3::new(0.9, 0.4, 0.0);
        let mut bench = Bench::new();
        let before = bench.rig.locals().to_vec();
        solve(&mut bench, target, 0.0);
        assert_eq!(bench.rig.locals(), before);
        let mut last = 10.0;
        for weight in [0.0, 0.25, 0.5, 0.75, 1.0] {
            let mut bench = Bench::new();
            solve(&mut bench, target, weight);
            let off = bench.rig.global_mut(HAND).translation.distance(target);
            assert!(off < last, "{weight}: {off}");
            last = off;
        }
        assert!(last < 1e-5);
    }

    #[test]
    fn the_same_pose_gives_the_same_bits_for_ever() {
        let mut bench = Bench::new();
        let given = bench.rig.locals().to_vec();
        solve(&mut bench, Vec3::new(0.8, 0.3, 0.4), 1.0);
        let first = bench.rig.locals().to_vec();
        for _ in 0..1000 {
            bench.rig.set_locals(&given);
            solve(&mut bench, Vec3::new(0.8, 0.3, 0.4), 1.0);
            assert_eq!(bench.rig.locals(), first);
        }
    }

    #[test]
    fn what_is_no_chain_changes_nothing() {
        let mut bench = Bench::new();
        let before = bench.rig.locals().to_vec();
        let t = Transform::from_translation(Vec3::X);
        for (a, b, c) in [(HAND, ELBOW, ARM), (ARM, ARM, HAND), (ARM, ElementId::NONE, HAND)] {
            let reach = on_chain(&mut bench.rig, [a, b, c], t, Vec3::Z, true, true, 0.0, 1.0, 1.0);
            assert_eq!(reach, Reach::Degenerate);
        }
        solve(&mut bench, Vec3::splat(f32::NAN), 1.0);
        assert_eq!(bench.rig.locals(), before);
    }

    #[test]
    fn the_tip_takes_the_rotation_that_is_asked_for() {
        let mut bench = Bench::new();
        let target = Transform::new(Vec3::new(0.9, 0.4, 0.0), quarter(Vec3::Y), Vec3::ONE);
        on_chain(&mut bench.rig, [ARM, ELBOW, HAND], target, Vec3::Y, true, true, 0.0, 1.0, 1.0);
        assert!(bench.rig.global_mut(HAND).approx_eq(target, 1e-5));
        let far = Transform::from_translation(Vec3::X * 9.0);
        let reach = on_chain(&mut bench.rig, [ARM, ELBOW, HAND], far, Vec3::Y, true, false, 0.0, 1.0, 1.0);
        assert_eq!(reach, Reach::TooFar);
        assert!(bench.rig.global_mut(HAND).translation.distance(Vec3::X * 1.5) < 1e-4);
    }

    #[test]
    fn limits_reach_both_signs_alike() {
        use crate::units::trigonometry::radians;
        for degrees in [-120.0f32, -80.0, -45.0, 0.0, 45.0, 80.0, 120.0] {
            let limited = |q: Quat| limit_rotation(q, Vec3::Z, 0.0, radians(-90.0), radians(90.0));
            let seen = limited(Quat::from_axis_angle(Vec3::Z, radians(degrees)));
            let right = Quat::from_axis_angle(Vec3::Z, radians(degrees.clamp(-90.0, 90.0)));
            assert!(Quat::angle_between(seen, right) < 1e-5, "{degrees}");
        }
        let leaning = Quat::from_axis_angle(Vec3::X, 1.2);
        let seen = limit_rotation(leaning, Vec3::Z, 0.5, -1.0, 1.0);
        assert!(Quat::angle_between(seen, Quat::from_axis_angle(Vec3::X, 0.5)) < 1e-5);
        assert!(Quat::angle_between(limit_rotation(leaning, Vec3::Z, 1.5, -1.0, 1.0), leaning) < 1e-5);
    }

    #[test]
    fn a_range_beyond_half_a_turn_is_one_range() {
        use crate::units::trigonometry::radians;
        let limited = |degrees: f32| {
            let q = Quat::from_axis_angle(Vec3::Z, radians(degrees));
            limit_rotation(q, Vec3::Z, 1.0, radians(0.0), radians(270.0))
        };
        for (given, right) in [(240.0, 240.0), (190.0, 190.0), (10.0, 10.0), (-20.0, 0.0), (-60.0, 270.0)] {
            let right = Quat::from_axis_angle(Vec3::Z, radians(right));
            assert!(Quat::angle_between(limited(given), right) < 1e-5, "{given}");
        }
    }

    #[test]
    fn an_element_is_limited_against_its_initial_rotation() {
        let mut bench = Bench::new();
        let start = bench.rig.initial_local(ELBOW);
        bench.rig.set_initial_local(ELBOW, Transform { rotation: quarter(Vec3::X), ..start });
        let turned = quarter(Vec3::X) * Quat::from_rotation_y(1.5);
        bench.rig.set_local(ELBOW, Transform { rotation: turned, ..start });
        bench.rig.change(ELBOW, |j| limit_element(j, Vec3::Y, 0.3, -0.5, 0.5, 1.0));
        let right = quarter(Vec3::X) * Quat::from_rotation_y(0.5);
        assert!(Quat::angle_between(bench.rig.local(ELBOW).rotation, right) < 1e-5);
        assert_eq!(bench.rig.local(ELBOW).translation, start.translation);
    }

    #[test]
    fn a_stretched_arm_reaches_and_a_soft_one_does_not_snap() {
        let mut bench = Bench::new();
        let target = Transform::from_translation(Vec3::new(1.9, 0.2, 0.0));
        let reach = on_chain(&mut bench.rig, [ARM, ELBOW, HAND], target, Vec3::Y, true, false, 0.1, 2.0, 1.0);
        assert_eq!(reach, Reach::Reached);
        assert!(bench.rig.global_mut(HAND).translation.distance(target.translation) < 1e-5);
        assert_eq!(bench.rig.global_mut(HAND).scale, Vec3::ONE);
    }

    #[test]
    fn chains_meet_their_target_and_only_rotations_change() {
        type Run = fn(&mut Hierarchy, ElementId, ElementId, Vec3, f32, i32, f32) -> Reach;
        for run in [fabrik as Run, ccd as Run] {
            for scale in [0.01f32, 1.0, 100.0] {
                let mut bench = Bench::new();
                bench.rig.set_local(ROOT, Transform::new(Vec3::Y, quarter(Vec3::Z), Vec3::splat(scale)));
                let before = bench.rig.locals().to_vec();
                let target = bench.rig.global_mut(ROOT).transform_point(Vec3::new(0.6, 0.7, 0.2));
                let reach = run(&mut bench.rig, ROOT, HAND, target, 1e-3 * scale, 200, 1.0);
                assert_eq!(reach, Reach::Reached);
                assert!(bench.rig.global_mut(HAND).translation.distance(target) < 1.1e-3 * scale);
                for (was, is) in before.iter().zip(bench.rig.locals()) {
                    assert_eq!((was.translation, was.scale), (is.translation, is.scale));
                }
            }
            let mut bench = Bench::new();
            let before = bench.rig.locals().to_vec();
            run(&mut bench.rig, ROOT, HAND, Vec3::Y, 1e-3, 50, 0.0);
            assert_eq!(run(&mut bench.rig, HAND, ROOT, Vec3::Y, 1e-3, 50, 1.0), Reach::Degenerate);
            assert_eq!(run(&mut bench.rig, HAND, HAND, Vec3::Y, 1e-3, 50, 1.0), Reach::Degenerate);
            assert_eq!(bench.rig.locals(), before);
        }
    }

    #[test]
    fn points_alone() {
        let (middle, tip, reach) =
            two_bone_points(Vec3::ZERO, Vec3::X, Vec3::X * 2.0, Vec3::X * 1.2, Vec3::new(0.0, 3.0, 0.0));
        assert_eq!(reach, Reach::Reached);
        assert!(middle.distance(Vec3::new(0.6, 0.8, 0.0)) < 1e-6 && tip.distance(Vec3::X * 1.2) < 1e-6);
    }

    #[test]
    fn a_limited_chain_reaches_within_its_limits() {
        use crate::vm::testing::array_words;
        use crate::vm::words_of;
        let unit = UnitDef::of::<ccd_limited>();
        let solve = |bench: &mut Bench, target: Vec3, weight: f32| {
            let inputs = [
                ("root", words_of(ARM)),
                ("tip", words_of(HAND)),
                ("target", words_of(target)),
                ("axis", words_of(Vec3::Z)),
                ("maximum_swing", array_words(&[0.0f32])),
                ("minimum_twist", array_words(&[-1.5f32, 0.0])),
                ("maximum_twist", array_words(&[1.5f32, 2.4])),
                ("iterations", words_of(60)),
                ("weight", words_of(weight)),
            ];
            bench.call::<Reach>(&unit, &inputs)
        };
        // Bones of half a metre from (0.5, 0, 0); the elbow bends to one side alone.
        for (x, y) in [(0.7, 0.5), (0.7, -0.5), (0.2, 0.4), (1.0, 0.0)] {
            let mut bench = Bench::new();
            let before = bench.rig.locals().to_vec();
            let target = Vec3::new(0.5 + x * 0.9, y * 0.9, 0.0);
            assert_eq!(solve(&mut bench, target, 1.0), Reach::Reached);
            assert!(bench.rig.global_mut(HAND).translation.distance(target) < 1e-3);
            let bend = bench.rig.local(ELBOW).rotation;
            assert!(bend.z * bend.w >= 0.0 && bend.x.abs() + bend.y.abs() < 1e-6, "{bend:?}");
            for (was, is) in before.iter().zip(bench.rig.locals()) {
                assert_eq!((was.translation, was.scale), (is.translation, is.scale));
            }
        }
        let mut bench = Bench::new();
        let before = bench.rig.locals().to_vec();
        solve(&mut bench, Vec3::Y, 0.0);
        assert_eq!(bench.rig.locals(), before);
    }
}
