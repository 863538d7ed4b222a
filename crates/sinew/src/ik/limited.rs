//! A chain whose joints turn within limits: cyclic coordinate descent over their rotations.

use super::chain::{ChainLimits, MAX_CHAIN};
use super::two_bone::Reach;
use crate::math::{Quat, Vec3, angle_difference, atan2, clamp, max, sin_cos};

/// How far a joint may turn from its rest: its axis leans within a cone, and it twists about its axis
/// within a range. Radians.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointLimit {
    /// The joint's own axis, in its own frame.
    pub axis: Vec3,
    /// How far the axis may lean, to any side; 0 makes a hinge.
    pub maximum_swing: f32,
    /// Least twist. The range may go beyond half a turn: of the angles of one rotation the one nearest
    /// to the middle of the range counts.
    pub minimum_twist: f32,
    /// Greatest twist.
    pub maximum_twist: f32,
}

impl JointLimit {
    /// No limit.
    pub const FREE: Self = Self {
        axis: Vec3::Y,
        maximum_swing: core::f32::consts::PI,
        minimum_twist: -core::f32::consts::PI,
        maximum_twist: core::f32::consts::PI,
    };

    /// A turn from rest brought within the limit.
    #[inline]
    pub fn apply(&self, turn: Quat) -> Quat {
        let (swing, _, twist_angle) = turn.normalize().swing_twist(self.axis);
        let lean = swing.log();
        let angle = lean.length();
        let most = max(self.maximum_swing, 0.0);
        let swing = if angle > most { Quat::exp(lean * (most / angle)) } else { swing };
        (swing * Quat::from_axis_angle(self.axis, self.twist(twist_angle))).normalize()
    }

    /// An angle brought within the range of twist.
    #[inline]
    fn twist(&self, angle: f32) -> f32 {
        let middle = 0.5 * (self.minimum_twist + self.maximum_twist);
        let nearest = middle + angle_difference(middle, angle);
        clamp(nearest, self.minimum_twist, self.maximum_twist)
    }

    fn is_hinge(&self) -> bool {
        self.maximum_swing < 1e-3
    }
}

/// A joint of a chain, as the solver sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// Its rotation against the joint before; of the first, against the chain's base.
    pub rotation: Quat,
    /// The rotation that its limit is measured from.
    pub rest: Quat,
    /// What it may do.
    pub limit: JointLimit,
    /// Where the next joint is (after the last: the tip), in this joint's frame, metres.
    pub bone: Vec3,
}

impl Link {
    fn limited(&self, rotation: Quat) -> Quat {
        (self.rest * self.limit.apply(self.rest.conjugate() * rotation)).normalize()
    }
}

/// Turns the joints of a chain within their limits until its tip meets `target`.
///
/// `root` and `base` place the first joint. Where descent from the given rotations stays away from a
/// target that lies within the chain's length, it starts anew from up to `restarts` other
/// configurations, the same ones every time, and the best result counts: so what is reached depends
/// on the arguments alone. Costs at most `iterations · (restarts + 1) · n²` turns for `n` joints and
/// allocates nothing. What is no chain (no joint, more than [`MAX_CHAIN`], no length, NaN) stays as
/// it is.
pub fn solve_ccd_limited(
    joints: &mut [Link],
    (root, base): (Vec3, Quat),
    target: Vec3,
    limits: ChainLimits,
    restarts: u32,
) -> Reach {
    let total: f32 = joints.iter().map(|j| j.bone.length()).sum();
    let finite = root.is_finite() && base.is_finite() && target.is_finite() && total.is_finite();
    let finite = finite && joints.iter().all(|j| j.rotation.is_finite() && j.rest.is_finite());
    if !(1..MAX_CHAIN).contains(&joints.len()) || !finite || total <= 1e-12 {
        return Reach::Degenerate;
    }
    let tolerance = clamp(limits.tolerance, 0.0, f32::MAX);
    let chain = Chain { root, base, target, limits: ChainLimits { tolerance, ..limits } };
    for joint in joints.iter_mut() {
        joint.rotation = joint.limited(joint.rotation);
    }
    let mut error = chain.descend(joints);
    let too_far = root.distance(target) > total + tolerance;
    let mut best = [Quat::IDENTITY; MAX_CHAIN];
    for (b, j) in best.iter_mut().zip(joints.iter()) {
        *b = j.rotation;
    }
    for start in 1..=if too_far { 0 } else { restarts } {
        if error <= tolerance {
            break;
        }
        for (i, joint) in joints.iter_mut().enumerate() {
            joint.rotation = joint.limited(joint.rest * configuration(&joint.limit, start, i as u32));
        }
        let new = chain.descend(joints);
        if new < error {
            error = new;
            for (b, j) in best.iter_mut().zip(joints.iter()) {
                *b = j.rotation;
            }
        }
    }
    for (b, j) in best.iter().zip(joints.iter_mut()) {
        j.rotation = *b;
    }
    match () {
        () if error <= tolerance => Reach::Reached,
        () if too_far => Reach::TooFar,
        () => Reach::Unsolved,
    }
}

/// The `start`-th place to begin from: turns spread evenly over what the limit allows, by the sequence
/// of fractions of multiples of the square root of 2 and 3, and the golden ratio.
fn configuration(limit: &JointLimit, start: u32, joint: u32) -> Quat {
    let fraction = |step: f32| {
        let x = (start as f32 + 0.37 * joint as f32) * step;
        x - x.floor()
    };
    let pi = core::f32::consts::PI;
    let (least, most) = (limit.minimum_twist, limit.maximum_twist);
    let middle = 0.5 * (least + most);
    let half = clamp(0.5 * (most - least), 0.0, pi);
    let twist = middle + half * (2.0 * fraction(0.618_034) - 1.0);
    // The lean goes to any side of the axis, up to a quarter turn.
    let side = limit.axis.cross(if limit.axis.x.abs() < 0.9 { Vec3::X } else { Vec3::Z });
    let side = side.normalize_or(Vec3::X);
    let (s, c) = sin_cos(2.0 * pi * fraction(0.414_213_56));
    let about = side * c + limit.axis.normalize_or(Vec3::Y).cross(side) * s;
    let lean = clamp(limit.maximum_swing, 0.0, 0.5 * pi) * fraction(0.732_050_8);
    Quat::from_axis_angle(about, lean) * Quat::from_axis_angle(limit.axis, twist)
}

struct Chain {
    root: Vec3,
    base: Quat,
    target: Vec3,
    limits: ChainLimits,
}

impl Chain {
    /// Goes through the chain until the tip is near enough; how far it is off.
    fn descend(&self, joints: &mut [Link]) -> f32 {
        for _ in 0..self.limits.iterations {
            for i in (0..joints.len()).rev() {
                self.turn(joints, i);
            }
            if self.error(joints) <= self.limits.tolerance {
                break;
            }
        }
        self.error(joints)
    }

    fn error(&self, joints: &[Link]) -> f32 {
        self.place(joints, joints.len()).0.distance(self.target)
    }

    /// Where the `count`-th joint is, and the rotation of the one before it.
    fn place(&self, joints: &[Link], count: usize) -> (Vec3, Quat) {
        joints.iter().take(count).fold((self.root, self.base), |(at, rotation), j| {
            let rotation = rotation * j.rotation;
            (at + rotation * j.bone, rotation)
        })
    }

    /// Turns one joint so that the tip looks at the target, as far as it may.
    fn turn(&self, joints: &mut [Link], i: usize) {
        let (pivot, before) = self.place(joints, i);
        let (tip, _) = self.place(joints, joints.len());
        let Some(joint) = joints.get_mut(i) else { return };
        let (from, to) = (tip - pivot, self.target - pivot);
        joint.rotation = if joint.limit.is_hinge() {
            // About its axis alone the best angle is that between the parts across it.
            let rest = before * joint.rest;
            let axis = (rest * joint.limit.axis).normalize_or(Vec3::Y);
            let across = |v: Vec3| v - axis * v.dot(axis);
            let (from, to) = (across(from), across(to));
            let by = atan2(axis.dot(from.cross(to)), from.dot(to));
            let (_, _, now) = (joint.rest.conjugate() * joint.rotation).swing_twist(joint.limit.axis);
            joint.rest * Quat::from_axis_angle(joint.limit.axis, joint.limit.twist(now + by))
        } else {
            let turned = Quat::from_to(from, to) * (before * joint.rotation);
            joint.limited(before.conjugate() * turned)
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hinge(bone: f32, degrees: [f32; 2]) -> Link {
        let [minimum_twist, maximum_twist] = degrees.map(f32::to_radians);
        Link {
            rotation: Quat::IDENTITY,
            rest: Quat::IDENTITY,
            limit: JointLimit { axis: Vec3::Z, maximum_swing: 0.0, minimum_twist, maximum_twist },
            bone: Vec3::X * bone,
        }
    }

    fn about_z(q: Quat) -> f32 {
        2.0 * q.z.atan2(q.w).to_degrees()
    }

    fn solve(joints: &mut [Link], target: Vec3, restarts: u32) -> Reach {
        let limits = ChainLimits { tolerance: 1e-3, iterations: 60 };
        solve_ccd_limited(joints, (Vec3::ZERO, Quat::IDENTITY), target, limits, restarts)
    }

    fn tip(joints: &[Link]) -> Vec3 {
        let chain = Chain {
            root: Vec3::ZERO,
            base: Quat::IDENTITY,
            target: Vec3::ZERO,
            limits: ChainLimits::default(),
        };
        chain.place(joints, joints.len()).0
    }

    #[test]
    fn a_hinge_turns_to_both_sides_alike() {
        for degrees in [-80.0f32, -45.0, 0.0, 45.0, 80.0] {
            let (s, c) = degrees.to_radians().sin_cos();
            let mut joints = [hinge(1.0, [-90.0, 90.0])];
            assert_eq!(solve(&mut joints, Vec3::new(c, s, 0.0), 0), Reach::Reached);
            assert!((about_z(joints[0].rotation) - degrees).abs() < 0.1, "{degrees}");
        }
        // Beyond its range it stays at the end of it.
        let mut joints = [hinge(1.0, [-90.0, 90.0])];
        assert_eq!(solve(&mut joints, Vec3::new(-0.5, -0.75_f32.sqrt(), 0.0), 2), Reach::Unsolved);
        assert!((about_z(joints[0].rotation) + 90.0).abs() < 0.1);
    }

    /// Every target that some angles within the limits reach is reached from a cold start too.
    #[test]
    fn what_can_be_reached_by_dragging_is_reached_at_once() {
        let make = || [hinge(6.0, [-90.0, 90.0]), hinge(8.0, [0.0, 135.0])];
        for a in -9..=9 {
            for b in 0..=13 {
                let (a, b) = (a as f32 * 10.0, b as f32 * 10.0);
                let mut there = make();
                for (joint, angle) in there.iter_mut().zip([a, b]) {
                    joint.rotation = Quat::from_axis_angle(Vec3::Z, angle.to_radians());
                }
                let target = tip(&there);
                let mut cold = make();
                solve(&mut cold, target, 8);
                let off = tip(&cold).distance(target);
                assert!(off <= 0.01 * 14.0, "{a}, {b}: {off} off");
                let mut near = there;
                near[0].rotation = Quat::from_axis_angle(Vec3::Z, (a + 3.0).to_radians());
                solve(&mut near, target, 8);
                assert!(tip(&near).distance(target) <= 0.01 * 14.0, "dragged: {a}, {b}");
            }
        }
    }

    #[test]
    fn the_limits_hold_wherever_the_target_is() {
        let limit = JointLimit { axis: Vec3::X, maximum_swing: 0.6, minimum_twist: -0.2, maximum_twist: 0.3 };
        let joint = Link { rotation: Quat::IDENTITY, rest: Quat::IDENTITY, limit, bone: Vec3::X * 0.5 };
        for i in 0..200 {
            let f = i as f32;
            let target = Vec3::new((f * 0.7).sin(), (f * 1.3).sin(), (f * 2.1).sin()) * 2.0;
            let mut joints = [Link { rest: Quat::from_axis_angle(Vec3::Y, 0.1 * f), ..joint }; 5];
            let reach = solve(&mut joints, target, 3);
            let off = tip(&joints).distance(target);
            assert_eq!(reach == Reach::Reached, off <= 1e-3, "{off}");
            for j in &joints {
                let (swing, _, twist) = (j.rest.conjugate() * j.rotation).swing_twist(Vec3::X);
                assert!(swing.log().length() <= 0.6 + 1e-3, "{}", swing.log().length());
                assert!((-0.201..=0.301).contains(&twist), "{twist}");
            }
        }
    }

    #[test]
    fn without_limits_any_target_within_reach_is_met() {
        let joint =
            Link { rotation: Quat::IDENTITY, rest: Quat::IDENTITY, limit: JointLimit::FREE, bone: Vec3::X };
        for i in 0..100 {
            let f = i as f32;
            let target = Vec3::new((f * 0.7).sin(), (f * 1.3).sin(), (f * 2.1).sin()) * 1.7;
            let mut joints = [joint; 4];
            assert_eq!(solve(&mut joints, target, 4), Reach::Reached, "{target:?}");
        }
        let mut joints = [joint; 4];
        assert_eq!(solve(&mut joints, Vec3::X * 9.0, 4), Reach::TooFar);
        assert!(tip(&joints).distance(Vec3::X * 4.0) < 1e-3);
    }

    #[test]
    fn no_chain_stays_as_it_is() {
        let good = hinge(1.0, [-90.0, 90.0]);
        let bad = Link { bone: Vec3::splat(f32::NAN), ..good };
        for joints in [vec![], vec![bad; 2], vec![Link { bone: Vec3::ZERO, ..good }], vec![good; 64]] {
            let mut moved = joints.clone();
            assert_eq!(solve(&mut moved, Vec3::Y, 2), Reach::Degenerate);
            assert_eq!(format!("{moved:?}"), format!("{joints:?}"));
        }
        let mut joints = [good; 2];
        assert_eq!(solve(&mut joints, Vec3::splat(f32::NAN), 2), Reach::Degenerate);
    }
}
