//! Inverse kinematics on elements. Only rotations change: translations and scales stay as they are.

use sinew_macros::unit;

use crate::hierarchy::{ElementId, Hierarchy};
use crate::ik::{Reach, solve_two_bone};
use crate::math::{self, Quat, Transform, Vec3};
use crate::vm::UnitDef;

/// The units of this file.
pub fn all() -> Vec<UnitDef> {
    crate::units![two_bone, two_bone_points, limit_rotation]
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
    rig: &mut Hierarchy,
    /// The first bone, such as an upper arm.
    root: ElementId,
    /// The second bone, such as a forearm.
    middle: ElementId,
    /// What meets the target, such as a hand.
    tip: ElementId,
    /// Where the tip goes, in the character's space.
    target: Transform,
    /// The middle joint bends to the side of this point in the character's space.
    pole: Vec3,
    /// Without the pole the chain bends as it stands.
    use_pole: bool,
    /// The tip takes the target's rotation; if not, it turns along with the chain.
    rotate_tip: bool,
    #[pin(default = 1.0, min = 0.0, max = 1.0)] weight: f32,
) -> Reach {
    let topology = rig.topology();
    let chain = root != middle && middle != tip;
    if !(chain && topology.is_below(middle, root) && topology.is_below(tip, middle)) {
        return Reach::Degenerate;
    }
    let (a, b, c) = (rig.global_mut(root), rig.global_mut(middle), rig.global_mut(tip));
    let pole = if use_pole { Some(pole) } else { None };
    let solved = solve_two_bone(a.translation, b.translation, c.translation, target.translation, pole);
    if solved.reach == Reach::Degenerate || !(weight > 0.0) {
        return solved.reach;
    }
    // The turns of a weighted solution are found before the first one changes what the others hang on.
    let first = (solved.first_turn * a.rotation).normalize();
    let second = (solved.second_turn * b.rotation).normalize();
    let local = rig.local(middle).rotation;
    turn_global(rig, root, first, 1.0);
    turn_global(rig, middle, second, 1.0);
    if weight < 1.0 {
        let bent = rig.local(middle);
        let rotation = local.slerp(bent.rotation, math::saturate(weight));
        rig.set_local(middle, Transform { rotation, ..bent });
        turn_global(rig, root, a.rotation.slerp(first, math::saturate(weight)), 1.0);
    }
    if rotate_tip {
        turn_global(rig, tip, target.rotation, weight);
    }
    solved.reach
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
    let solved = solve_two_bone(start, middle, tip, target, Some(pole));
    (solved.middle, solved.tip, solved.reach)
}

/// A rotation with its swing and its twist about `axis` kept within limits, all in radians.
#[unit("IK.LimitRotation")]
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
    let (swing, _, twist_angle) = value.normalize().swing_twist(axis);
    let lean = swing.log();
    let angle = lean.length();
    let most = math::max(maximum_swing, 0.0);
    let swing = if angle > most { Quat::exp(lean * (most / angle)) } else { swing };
    let twist = Quat::from_axis_angle(axis, math::clamp(twist_angle, minimum_twist, maximum_twist));
    (swing * twist).normalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vm::testing::{BONES, Bench, quarter};

    const ROOT: ElementId = BONES[0];
    const ARM: ElementId = BONES[1];
    const ELBOW: ElementId = BONES[2];
    const HAND: ElementId = BONES[3];

    fn solve(bench: &mut Bench, target: Vec3, weight: f32) -> Reach {
        let target = Transform::new(target, quarter(Vec3::X), Vec3::ONE);
        two_bone(&mut bench.rig, ARM, ELBOW, HAND, target, Vec3::new(0.0, 5.0, 0.0), true, false, weight)
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
            let reach = two_bone(&mut bench.rig, a, b, c, t, Vec3::Z, true, true, 1.0);
            assert_eq!(reach, Reach::Degenerate);
        }
        solve(&mut bench, Vec3::splat(f32::NAN), 1.0);
        assert_eq!(bench.rig.locals(), before);
    }

    #[test]
    fn the_tip_takes_the_rotation_that_is_asked_for() {
        let mut bench = Bench::new();
        let target = Transform::new(Vec3::new(0.9, 0.4, 0.0), quarter(Vec3::Y), Vec3::ONE);
        two_bone(&mut bench.rig, ARM, ELBOW, HAND, target, Vec3::Y, true, true, 1.0);
        assert!(bench.rig.global_mut(HAND).approx_eq(target, 1e-5));
        let far = Transform::from_translation(Vec3::X * 9.0);
        let reach = two_bone(&mut bench.rig, ARM, ELBOW, HAND, far, Vec3::Y, true, false, 1.0);
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
    fn points_alone() {
        let (middle, tip, reach) =
            two_bone_points(Vec3::ZERO, Vec3::X, Vec3::X * 2.0, Vec3::X * 1.2, Vec3::new(0.0, 3.0, 0.0));
        assert_eq!(reach, Reach::Reached);
        assert!(middle.distance(Vec3::new(0.6, 0.8, 0.0)) < 1e-6 && tip.distance(Vec3::X * 1.2) < 1e-6);
    }
}
