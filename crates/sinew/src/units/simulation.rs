//! What goes on from frame to frame: springs, sums, timers, chance.
//!
//! Each node keeps its own state. In its first frame a following unit starts at its target, at rest,
//! so nothing jumps in. A target that is not finite is passed over: the last state is shown.

use sinew_macros::unit;

use crate::math::{
    self, Quat, Random, SpringState, SpringStateQuat, SpringStateVec3, SpringStep, Transform, Vec3,
};
use crate::vm::{Frame, UnitDef};

/// The units of this file.
pub fn all() -> Vec<UnitDef> {
    crate::units![
        spring_float,
        spring_vec3,
        spring_quat,
        damped_spring_float,
        damped_spring_vec3,
        damped_spring_quat,
        damp_float,
        damp_vec3,
        damp_quat,
        accumulate_float,
        accumulate_vec3,
        velocity_float,
        velocity_vec3,
        previous_float,
        previous_vec3,
        previous_transform,
        time,
        delta_time,
        frame_index,
        timer,
        alternate,
        on_rise,
        random,
        random_direction,
        noise,
    ]
}

/// A number that follows another; nothing until its first frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FollowFloat {
    started: bool,
    spring: SpringState,
}

/// A vector that follows another; nothing until its first frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FollowVec3 {
    started: bool,
    spring: SpringStateVec3,
}

/// A rotation that follows another; nothing until its first frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FollowQuat {
    started: bool,
    spring: SpringStateQuat,
}

crate::plain_struct!(FollowFloat { started: bool, spring: SpringState });
crate::plain_struct!(FollowVec3 { started: bool, spring: SpringStateVec3 });
crate::plain_struct!(FollowQuat { started: bool, spring: SpringStateQuat });

impl FollowFloat {
    #[inline(always)]
    fn step(
        &mut self,
        target: f32,
        reset: bool,
        step: impl FnOnce(SpringState) -> SpringState,
    ) -> (f32, f32) {
        if target.is_finite() {
            let rest = SpringState { value: target, velocity: 0.0 };
            let next = if self.started && !reset { step(self.spring) } else { rest };
            let finite = next.value.is_finite() && next.velocity.is_finite();
            *self = Self { started: true, spring: if finite { next } else { rest } };
        }
        (self.spring.value, self.spring.velocity)
    }
}

impl FollowVec3 {
    #[inline(always)]
    fn step(
        &mut self,
        target: Vec3,
        reset: bool,
        step: impl FnOnce(SpringStateVec3) -> SpringStateVec3,
    ) -> (Vec3, Vec3) {
        if target.is_finite() {
            let rest = SpringStateVec3 { value: target, velocity: Vec3::ZERO };
            let next = if self.started && !reset { step(self.spring) } else { rest };
            let finite = next.value.is_finite() && next.velocity.is_finite();
            *self = Self { started: true, spring: if finite { next } else { rest } };
        }
        (self.spring.value, self.spring.velocity)
    }
}

impl FollowQuat {
    #[inline(always)]
    fn step(
        &mut self,
        target: Quat,
        reset: bool,
        step: impl FnOnce(SpringStateQuat) -> SpringStateQuat,
    ) -> (Quat, Vec3) {
        if target.is_finite() {
            let rest = SpringStateQuat { value: target.normalize(), velocity: Vec3::ZERO };
            let next = if self.started && !reset { step(self.spring) } else { rest };
            let finite = next.value.is_finite() && next.velocity.is_finite();
            *self = Self { started: true, spring: if finite { next } else { rest } };
        }
        (self.spring.value, self.spring.velocity)
    }
}

/// Critically damped follow of a moving number: smooth, and never beyond a target that stands
/// still when it starts at rest.
#[unit("Simulation.Spring", outputs(result, velocity))]
pub fn spring_float(
    frame: &Frame,
    state: &mut FollowFloat,
    target: f32,
    /// Seconds in which about half of the way is gone; 0 follows at once.
    #[pin(default = 0.1, min = 0.0)]
    half_life: f32,
    /// Starts over at the target.
    reset: bool,
) -> (f32, f32) {
    let step = SpringStep::critical(half_life, frame.dt);
    state.step(target, reset, |s| step.apply(s, target))
}

/// Critically damped follow of a moving point.
#[unit("Simulation.Spring", outputs(result, velocity))]
pub fn spring_vec3(
    frame: &Frame,
    state: &mut FollowVec3,
    target: Vec3,
    /// Seconds in which about half of the way is gone; 0 follows at once.
    #[pin(default = 0.1, min = 0.0)]
    half_life: f32,
    /// Starts over at the target.
    reset: bool,
) -> (Vec3, Vec3) {
    let step = SpringStep::critical(half_life, frame.dt);
    state.step(target, reset, |s| step.apply_vec3(s, target))
}

/// Critically damped follow of a turning rotation by the shortest arc; the velocity is in radians
/// per second.
#[unit("Simulation.Spring", outputs(result, velocity))]
pub fn spring_quat(
    frame: &Frame,
    state: &mut FollowQuat,
    target: Quat,
    /// Seconds in which about half of the way is gone; 0 follows at once.
    #[pin(default = 0.1, min = 0.0)]
    half_life: f32,
    /// Starts over at the target.
    reset: bool,
) -> (Quat, Vec3) {
    let (step, goal) = (SpringStep::critical(half_life, frame.dt), target.normalize());
    state.step(target, reset, |s| step.apply_quat(s, goal))
}

/// A number on a spring that may swing. The same motion at any frame rate.
#[unit("Simulation.DampedSpring", outputs(result, velocity))]
pub fn damped_spring_float(
    frame: &Frame,
    state: &mut FollowFloat,
    target: f32,
    /// Swings per second without damping.
    #[pin(default = 2.0, min = 0.0)]
    frequency: f32,
    /// 0 swings for ever, 1 does not swing, above it creeps.
    #[pin(default = 0.5, min = 0.0)]
    damping_ratio: f32,
    /// Starts over at the target.
    reset: bool,
) -> (f32, f32) {
    let step = SpringStep::damped(frequency, damping_ratio, frame.dt);
    state.step(target, reset, |s| step.apply(s, target))
}

/// A point on a spring that may swing. The same motion at any frame rate.
#[unit("Simulation.DampedSpring", outputs(result, velocity))]
pub fn damped_spring_vec3(
    frame: &Frame,
    state: &mut FollowVec3,
    target: Vec3,
    /// Swings per second without damping.
    #[pin(default = 2.0, min = 0.0)]
    frequency: f32,
    /// 0 swings for ever, 1 does not swing, above it creeps.
    #[pin(default = 0.5, min = 0.0)]
    damping_ratio: f32,
    /// Starts over at the target.
    reset: bool,
) -> (Vec3, Vec3) {
    let step = SpringStep::damped(frequency, damping_ratio, frame.dt);
    state.step(target, reset, |s| step.apply_vec3(s, target))
}

/// A rotation on a spring that may swing; the velocity is in radians per second.
#[unit("Simulation.DampedSpring", outputs(result, velocity))]
pub fn damped_spring_quat(
    frame: &Frame,
    state: &mut FollowQuat,
    target: Quat,
    /// Swings per second without damping.
    #[pin(default = 2.0, min = 0.0)]
    frequency: f32,
    /// 0 swings for ever, 1 does not swing, above it creeps.
    #[pin(default = 0.5, min = 0.0)]
    damping_ratio: f32,
    /// Starts over at the target.
    reset: bool,
) -> (Quat, Vec3) {
    let (step, goal) = (SpringStep::damped(frequency, damping_ratio, frame.dt), target.normalize());
    state.step(target, reset, |s| step.apply_quat(s, goal))
}

/// Exponential approach of a number: fast at first, then ever slower. The same at any frame rate.
#[unit("Simulation.Damp")]
pub fn damp_float(
    frame: &Frame,
    state: &mut FollowFloat,
    target: f32,
    /// Seconds in which half of the way is gone; 0 follows at once.
    #[pin(default = 0.1, min = 0.0)]
    half_life: f32,
    /// Starts over at the target.
    reset: bool,
) -> f32 {
    let step = |s: SpringState| SpringState {
        value: math::damper_exact(s.value, target, half_life, frame.dt),
        velocity: 0.0,
    };
    state.step(target, reset, step).0
}

/// Exponential approach of a point.
#[unit("Simulation.Damp")]
pub fn damp_vec3(
    frame: &Frame,
    state: &mut FollowVec3,
    target: Vec3,
    /// Seconds in which half of the way is gone; 0 follows at once.
    #[pin(default = 0.1, min = 0.0)]
    half_life: f32,
    /// Starts over at the target.
    reset: bool,
) -> Vec3 {
    let step = |s: SpringStateVec3| SpringStateVec3 {
        value: math::damper_exact_vec3(s.value, target, half_life, frame.dt),
        velocity: Vec3::ZERO,
    };
    state.step(target, reset, step).0
}

/// Exponential approach of a rotation by the shortest arc.
#[unit("Simulation.Damp")]
pub fn damp_quat(
    frame: &Frame,
    state: &mut FollowQuat,
    target: Quat,
    /// Seconds in which half of the way is gone; 0 follows at once.
    #[pin(default = 0.1, min = 0.0)]
    half_life: f32,
    /// Starts over at the target.
    reset: bool,
) -> Quat {
    let goal = target.normalize();
    let step = |s: SpringStateQuat| SpringStateQuat {
        value: math::damper_exact_quat(s.value, goal, half_life, frame.dt),
        velocity: Vec3::ZERO,
    };
    state.step(target, reset, step).0
}

/// A running sum; nothing until its first frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SumFloat {
    started: bool,
    sum: f32,
}

/// A running sum of vectors; nothing until its first frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SumVec3 {
    started: bool,
    sum: Vec3,
}

crate::plain_struct!(SumFloat { started: bool, sum: f32 });
crate::plain_struct!(SumVec3 { started: bool, sum: Vec3 });

/// Sum of a number over all frames, from `initial` on. Numbers that are not finite are left out.
#[unit("Simulation.Accumulate")]
pub fn accumulate_float(
    frame: &Frame,
    state: &mut SumFloat,
    increment: f32,
    /// Where the sum starts.
    initial: f32,
    /// `increment` is meant per second; if not, per frame.
    #[pin(default = true)]
    per_second: bool,
    /// Starts over.
    reset: bool,
) -> f32 {
    let sum = if state.started && !reset { state.sum } else { initial };
    let next = sum + increment * if per_second { frame.dt } else { 1.0 };
    *state = SumFloat { started: true, sum: if next.is_finite() { next } else { sum } };
    state.sum
}

/// Sum of a vector over all frames, from `initial` on. Vectors that are not finite are left out.
#[unit("Simulation.Accumulate")]
pub fn accumulate_vec3(
    frame: &Frame,
    state: &mut SumVec3,
    increment: Vec3,
    /// Where the sum starts.
    initial: Vec3,
    /// `increment` is meant per second; if not, per frame.
    #[pin(default = true)]
    per_second: bool,
    /// Starts over.
    reset: bool,
) -> Vec3 {
    let sum = if state.started && !reset { state.sum } else { initial };
    let next = sum + increment * if per_second { frame.dt } else { 1.0 };
    *state = SumVec3 { started: true, sum: if next.is_finite() { next } else { sum } };
    state.sum
}

/// Change of a number per second since the last frame; 0 in the first frame and while paused.
#[unit("Simulation.Velocity")]
pub fn velocity_float(frame: &Frame, state: &mut SumFloat, value: f32) -> f32 {
    let velocity = if state.started && frame.dt > 0.0 { (value - state.sum) / frame.dt } else { 0.0 };
    *state = SumFloat { started: true, sum: value };
    if velocity.is_finite() { velocity } else { 0.0 }
}

/// Change of a vector per second since the last frame; 0 in the first frame and while paused.
#[unit("Simulation.Velocity")]
pub fn velocity_vec3(frame: &Frame, state: &mut SumVec3, value: Vec3) -> Vec3 {
    let moving = state.started && frame.dt > 0.0;
    let velocity = if moving { (value - state.sum) / frame.dt } else { Vec3::ZERO };
    *state = SumVec3 { started: true, sum: value };
    if velocity.is_finite() { velocity } else { Vec3::ZERO }
}

/// The number of the last frame; in the first frame this one's.
#[unit("Simulation.Previous")]
pub fn previous_float(state: &mut SumFloat, value: f32) -> f32 {
    let last = if state.started { state.sum } else { value };
    *state = SumFloat { started: true, sum: value };
    last
}

/// The vector of the last frame; in the first frame this one's.
#[unit("Simulation.Previous")]
pub fn previous_vec3(state: &mut SumVec3, value: Vec3) -> Vec3 {
    let last = if state.started { state.sum } else { value };
    *state = SumVec3 { started: true, sum: value };
    last
}

/// A transform kept from the last frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct KeptTransform {
    started: bool,
    value: Transform,
}

crate::plain_struct!(KeptTransform { started: bool, value: Transform });

/// The transform of the last frame; in the first frame this one's.
#[unit("Simulation.Previous")]
pub fn previous_transform(state: &mut KeptTransform, value: Transform) -> Transform {
    let last = if state.started { state.value } else { value };
    *state = KeptTransform { started: true, value };
    last
}

/// Seconds that the character has run.
#[unit("Simulation.Time")]
pub fn time(frame: &Frame) -> f32 {
    frame.time
}

/// Seconds since the last frame; 0 while paused.
#[unit("Simulation.DeltaTime")]
pub fn delta_time(frame: &Frame) -> f32 {
    frame.dt
}

/// Frames that the character has run.
#[unit("Simulation.FrameIndex")]
pub fn frame_index(frame: &Frame) -> i32 {
    i32::try_from(frame.index).unwrap_or(i32::MAX)
}

/// Seconds since the node first ran or was reset, without those in which it did not run.
#[unit("Simulation.Timer")]
pub fn timer(
    frame: &Frame,
    state: &mut SumFloat,
    #[pin(default = true)] running: bool,
    /// Starts over at 0.
    reset: bool,
) -> f32 {
    let step = if state.started && running { frame.dt } else { 0.0 };
    let sum = if reset { 0.0 } else { state.sum + step };
    *state = SumFloat { started: true, sum };
    sum
}

/// What a node remembers of yes and no.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Flag {
    started: bool,
    value: bool,
}

crate::plain_struct!(Flag { started: bool, value: bool });

/// True and false by turns, from `start` on.
#[unit("Simulation.Alternate")]
pub fn alternate(state: &mut Flag, #[pin(default = true)] start: bool) -> bool {
    let value = if state.started { !state.value } else { start };
    *state = Flag { started: true, value };
    value
}

/// True in the frames in which a value has become true; not in the first.
#[unit("Simulation.OnRise")]
pub fn on_rise(state: &mut Flag, value: bool) -> bool {
    let rise = state.started && value && !state.value;
    *state = Flag { started: true, value };
    rise
}

/// How many random numbers a node has taken.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Drawn {
    count: u32,
}

crate::plain_struct!(Drawn { count: u32 });

/// The character's own stream for a node: its seed and the node's.
#[inline(always)]
fn stream(frame: &Frame, seed: i32, count: u32) -> Random {
    Random::new(frame.random ^ (seed as u32).wrapping_mul(0x9e37_79b9), count)
}

/// A new random number in every frame, evenly spread. It replays: the same character and seed give
/// the same numbers.
#[unit("Simulation.Random")]
pub fn random(
    frame: &Frame,
    state: &mut Drawn,
    minimum: f32,
    #[pin(default = 1.0)] maximum: f32,
    /// Nodes with different seeds draw different numbers.
    seed: i32,
) -> f32 {
    let mut stream = stream(frame, seed, state.count);
    let value = stream.range(minimum, maximum);
    state.count = stream.counter;
    value
}

/// A new random direction in every frame, a unit vector, evenly spread. It replays.
#[unit("Simulation.RandomDirection")]
pub fn random_direction(
    frame: &Frame,
    state: &mut Drawn,
    /// Nodes with different seeds draw different directions.
    seed: i32,
) -> Vec3 {
    let mut stream = stream(frame, seed, state.count);
    let value = stream.unit_vec3();
    state.count = stream.counter;
    value
}

/// Smooth noise over a number: a random value at each whole number, an even passage between; in
/// `[-1, 1]`. 0 beyond 4 million.
#[unit("Math.Noise")]
pub fn noise(value: f32, seed: i32) -> f32 {
    let cell = math::floor(value);
    if cell.is_nan() || cell.abs() >= 4_194_304.0 {
        return 0.0;
    }
    let at = |cell: f32| Random::new(seed as u32, cell as i32 as u32).range(-1.0, 1.0);
    math::lerp(at(cell), at(cell + 1.0), math::Ease::SmootherStep.ease(value - cell))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vm::testing::Bench;

    fn frame(dt: f32) -> Frame {
        let mut frame = Bench::new().frame;
        frame.dt = dt;
        frame
    }

    #[test]
    fn the_first_frame_starts_at_the_target_at_rest() {
        let f = frame(0.02);
        assert_eq!(spring_float(&f, &mut FollowFloat::default(), 7.0, 0.1, false), (7.0, 0.0));
        assert_eq!(damp_float(&f, &mut FollowFloat::default(), 7.0, 0.1, false), 7.0);
        let far = Vec3::new(100.0, 2.0, 3.0);
        assert_eq!(spring_vec3(&f, &mut FollowVec3::default(), far, 0.1, false), (far, Vec3::ZERO));
        assert_eq!(damped_spring_vec3(&f, &mut FollowVec3::default(), far, 2.0, 0.1, false).0, far);
        let q = Quat::from_rotation_x(1.0);
        assert_eq!(spring_quat(&f, &mut FollowQuat::default(), q, 0.1, false).0, q.normalize());
    }

    #[test]
    fn a_spring_follows_the_closed_form_at_any_frame_rate() {
        // From rest at 1 toward 0: x = (1 + wt) e^(-wt), w = 2 ln 2 / half-life.
        let w = 2.0 * std::f64::consts::LN_2 / 0.2;
        let right = (1.0 + w * 0.6) * (-w * 0.6).exp();
        for steps in [1u32, 6, 60, 600] {
            let (mut state, still, f) = (FollowFloat::default(), frame(0.0), frame(0.6 / steps as f32));
            spring_float(&still, &mut state, 1.0, 0.2, false);
            let mut shown = 1.0;
            for _ in 0..steps {
                shown = spring_float(&f, &mut state, 0.0, 0.2, false).0;
            }
            assert!((f64::from(shown) - right).abs() < 2e-5, "{steps}: {shown}, {right}");
        }
    }

    #[test]
    fn damping_halves_the_way_in_each_half_life() {
        let mut state = FollowFloat::default();
        damp_float(&frame(0.0), &mut state, 1.0, 0.25, false);
        for k in 1..8 {
            let shown = damp_float(&frame(0.25), &mut state, 0.0, 0.25, false);
            assert!((f64::from(shown) - 0.5f64.powi(k)).abs() < 1e-6);
        }
    }

    #[test]
    fn one_bad_frame_does_not_spoil_a_spring() {
        let f = frame(0.02);
        let mut state = FollowVec3::default();
        spring_vec3(&f, &mut state, Vec3::X, 0.1, false);
        let kept = spring_vec3(&f, &mut state, Vec3::Y, 0.1, false);
        assert_eq!(spring_vec3(&f, &mut state, Vec3::splat(f32::NAN), 0.1, false), kept);
        assert!(spring_vec3(&f, &mut state, Vec3::Y, 0.1, false).0.is_finite());
        assert_eq!(spring_vec3(&f, &mut state, Vec3::Z, 0.1, true), (Vec3::Z, Vec3::ZERO));
        let mut fresh = FollowFloat::default();
        assert_eq!(spring_float(&f, &mut fresh, f32::INFINITY, 0.1, false), (0.0, 0.0));
        assert_eq!(spring_float(&f, &mut fresh, 5.0, 0.1, false), (5.0, 0.0));
    }

    #[test]
    fn a_rotation_takes_the_shorter_way_for_either_sign() {
        let f = frame(0.1);
        let target = Quat::from_rotation_y(0.4);
        for target in [target, -target] {
            let mut state = FollowQuat::default();
            damp_quat(&f, &mut state, Quat::IDENTITY, 0.1, false);
            let half = damp_quat(&f, &mut state, target, 0.1, false);
            assert!((Quat::angle_between(half, Quat::IDENTITY) - 0.2).abs() < 1e-5);
        }
        let mut state = FollowQuat::default();
        damped_spring_quat(&f, &mut state, Quat::IDENTITY, 2.0, 1.0, false);
        for _ in 0..60 {
            damped_spring_quat(&f, &mut state, target, 2.0, 1.0, false);
        }
        let (shown, velocity) = damped_spring_quat(&f, &mut state, target, 2.0, 1.0, false);
        assert!(Quat::angle_between(shown, target) < 1e-4 && velocity.length() < 1e-4);
    }

    #[test]
    fn an_undamped_spring_is_back_after_a_period() {
        let mut state = FollowFloat::default();
        damped_spring_float(&frame(0.0), &mut state, 1.0, 2.0, 0.0, false);
        let f = frame(0.5 / 50.0);
        let mut least = 1.0f32;
        let mut shown = (1.0, 0.0);
        for _ in 0..50 {
            shown = damped_spring_float(&f, &mut state, 0.0, 2.0, 0.0, false);
            least = math::min(least, shown.0);
        }
        assert!((shown.0 - 1.0).abs() < 1e-4 && shown.1.abs() < 1e-2 && (least + 1.0).abs() < 1e-3);
    }

    #[test]
    fn sums_timers_and_memories() {
        let f = frame(0.5);
        let mut sum = SumFloat::default();
        assert_eq!(accumulate_float(&f, &mut sum, 2.0, 10.0, true, false), 11.0);
        assert_eq!(accumulate_float(&f, &mut sum, f32::NAN, 10.0, true, false), 11.0);
        assert_eq!(accumulate_float(&f, &mut sum, 2.0, 10.0, false, false), 13.0);
        assert_eq!(accumulate_float(&f, &mut sum, 0.0, 10.0, false, true), 10.0);
        let mut sums = SumVec3::default();
        assert_eq!(accumulate_vec3(&f, &mut sums, Vec3::X, Vec3::Y, true, false), Vec3::new(0.5, 1.0, 0.0));
        let mut t = SumFloat::default();
        let shown = [true, true, false, true].map(|running| timer(&f, &mut t, running, false));
        assert_eq!(shown, [0.0, 0.5, 0.5, 1.0]);
        assert_eq!(timer(&f, &mut t, true, true), 0.0);
        let mut last = SumFloat::default();
        assert_eq!([3.0, 4.0, 5.0].map(|v| previous_float(&mut last, v)), [3.0, 3.0, 4.0]);
        let mut last = SumVec3::default();
        assert_eq!([Vec3::X, Vec3::Y].map(|v| previous_vec3(&mut last, v)), [Vec3::X; 2]);
        let mut kept = KeptTransform::default();
        let moved = Transform::from_translation(Vec3::X);
        assert_eq!(previous_transform(&mut kept, moved), moved);
        assert_eq!(previous_transform(&mut kept, Transform::IDENTITY), moved);
    }

    #[test]
    fn velocities_are_per_second() {
        let mut state = SumFloat::default();
        assert_eq!([1.0, 2.0, 2.0].map(|v| velocity_float(&frame(0.25), &mut state, v)), [0.0, 4.0, 0.0]);
        assert_eq!(velocity_float(&frame(0.0), &mut state, 100.0), 0.0);
        let mut state = SumVec3::default();
        velocity_vec3(&frame(0.5), &mut state, Vec3::ZERO);
        assert_eq!(velocity_vec3(&frame(0.5), &mut state, Vec3::Y), Vec3::Y * 2.0);
    }

    #[test]
    fn turns_and_edges() {
        let mut flag = Flag::default();
        assert_eq!([(); 4].map(|()| alternate(&mut flag, true)), [true, false, true, false]);
        let mut flag = Flag::default();
        let seen = [true, false, true, true, false].map(|v| on_rise(&mut flag, v));
        assert_eq!(seen, [false, false, true, false, false]);
    }

    #[test]
    fn chance_replays_and_stays_in_range() {
        let f = frame(0.02);
        let draw = |seed| {
            let mut state = Drawn::default();
            [(); 100].map(|()| random(&f, &mut state, -2.0, 3.0, seed))
        };
        let (a, b) = (draw(1), draw(2));
        assert_eq!(a, draw(1));
        assert_ne!(a, b);
        assert!(a.iter().all(|v| (-2.0..=3.0).contains(v)));
        let mut state = Drawn::default();
        for _ in 0..50 {
            assert!((random_direction(&f, &mut state, 0).length() - 1.0).abs() < 1e-5);
        }
    }

    #[test]
    fn noise_is_smooth_and_bounded() {
        let mut last = noise(-20.0, 3);
        for i in -20_000..20_000 {
            let v = noise(i as f32 * 0.001, 3);
            assert!(v.abs() <= 1.0 && (v - last).abs() < 0.01, "{i}");
            last = v;
        }
        assert_eq!((noise(f32::NAN, 0), noise(f32::INFINITY, 0), noise(1e30, 0)), (0.0, 0.0, 0.0));
        assert_ne!(noise(0.3, 1), noise(0.3, 2));
    }

    #[test]
    fn the_frame_is_told() {
        let mut f = frame(0.25);
        (f.time, f.index) = (3.0, 7);
        assert_eq!((time(&f), delta_time(&f), frame_index(&f)), (3.0, 0.25, 7));
    }
}
