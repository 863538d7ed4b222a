//! Two bones and a target: an arm or a leg, in closed form.

use crate::math::{Quat, Vec3, clamp, exp, max, min};

/// How near a chain came to its target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// It is there.
    #[default]
    Reached,
    /// The target is farther than the chain is long; the chain points at it.
    TooFar,
    /// The target is nearer than the chain can fold.
    TooNear,
    /// A bone has no length, or the input is not finite.
    Degenerate,
    /// The turns that were allowed did not suffice.
    Unsolved,
}

crate::pin_enum!(Reach { Reached, TooFar, TooNear, Degenerate, Unsolved });

/// What a chain of two bones may do besides turning, and how it comes to its full length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoBoneLimits {
    /// The last part of the length, from 0 to 1, over which the tip falls behind its target, so that
    /// the middle joint does not snap straight.
    pub softness: f32,
    /// How many times their length the bones may be stretched to reach the target; 1 is not at all.
    pub stretch: f32,
}

impl Default for TwoBoneLimits {
    fn default() -> Self {
        Self { softness: 0.0, stretch: 1.0 }
    }
}

/// Where two bones go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoBone {
    /// Position of the middle joint.
    pub middle: Vec3,
    /// Position of the tip.
    pub tip: Vec3,
    /// Turns the first bone from where it was: goes before its rotation, in the space of the points.
    pub first_turn: Quat,
    /// Turns the second bone from where it was, in the space of the points.
    pub second_turn: Quat,
    /// How many times their length the bones have; 1 unless stretched.
    pub stretch: f32,
    /// How near the tip came.
    pub reach: Reach,
}

/// Places a chain of two bones (start, middle, tip) so that its tip meets `target`, or comes as near
/// as the lengths allow.
///
/// The points are the joints as they stand, all in one space. The middle joint goes to the side of
/// `pole`, a point; without one (or where it lies on the line to the target) the chain bends as it
/// did, and a straight one toward +Z, or +Y where that is along the chain. Each bone turns by the
/// shortest arc, so none rolls about itself. The result depends on the arguments alone and is always
/// finite: where the input is not, or has no length, nothing turns and it is said so.
///
/// By the law of cosines: the foot of the middle joint on the line to the target at distance `r` is
/// `(r + (a - b)(a + b)/r) / 2` from the start, for bones of lengths `a` and `b`. With softness `s`
/// (as a length) a distance `d` beyond `a + b - s` counts as `a + b - s·e^(-(d - (a + b - s))/s)`.
#[inline]
pub fn solve_two_bone(chain: [Vec3; 3], target: Vec3, pole: Option<Vec3>, limits: TwoBoneLimits) -> TwoBone {
    let [start, middle, tip] = chain;
    let stay = TwoBone {
        middle,
        tip,
        first_turn: Quat::IDENTITY,
        second_turn: Quat::IDENTITY,
        stretch: 1.0,
        reach: Reach::Degenerate,
    };
    let (first, second) = (middle - start, tip - middle);
    let (a, b) = (first.length(), second.length());
    let to_target = target - start;
    let distance = to_target.length();
    // The normalization below takes no vector shorter than this for a direction.
    const LEAST: f32 = 1e-12;
    if !(a > LEAST && b > LEAST && distance.is_finite() && (a + b).is_finite()) {
        return stay;
    }
    let old = (tip - start).normalize_or(first / a);
    let along = to_target.normalize_or(old);
    let (least, most) = ((a - b).abs(), a + b);
    let r = max(softened(distance, most, clamp(limits.softness, 0.0, 1.0)), least);
    let stretch = if distance > r { min(distance / r, clamp(limits.stretch, 1.0, 1e6)) } else { 1.0 };
    let bend = bend_direction(start, first, old, along, pole, most);
    // The height is a product of four sums, of which one is exactly 0 at either limit; the square of
    // `a` less that of the foot would leave a height of the root of a rounding error there.
    let (foot, height) = if r > 0.0 {
        let (sum, difference) = (a + b, b - a);
        let square = ((r + difference) / r) * ((r - difference) / r) * ((sum - r) * (sum + r));
        (0.5 * (r - difference * sum / r), 0.5 * max(square, 0.0).sqrt())
    } else {
        (0.0, a)
    };
    let (foot, height) = (clamp(foot, -a, a), min(height, a));
    let to_middle = along * foot + bend * height;
    let to_tip = along * r;
    let (off, slack) = (distance - r * stretch, 1e-5 * most * stretch);
    let reach = if off > slack {
        Reach::TooFar
    } else if off < -slack {
        Reach::TooNear
    } else {
        Reach::Reached
    };
    TwoBone {
        middle: start + to_middle * stretch,
        tip: start + to_tip * stretch,
        first_turn: Quat::from_to(first, to_middle),
        second_turn: Quat::from_to(second, to_tip - to_middle),
        stretch,
        reach,
    }
}

/// The distance at which a chain of length `most` holds its tip for a target at `distance`.
#[inline]
fn softened(distance: f32, most: f32, softness: f32) -> f32 {
    let s = softness * most;
    let hard = most - s;
    if distance > hard && s > 0.0 { most - s * exp(-(distance - hard) / s) } else { min(distance, most) }
}

/// Unit vector square to `along`, to which the middle joint goes.
#[inline]
fn bend_direction(start: Vec3, first: Vec3, old: Vec3, along: Vec3, pole: Option<Vec3>, length: f32) -> Vec3 {
    let square = |v: Vec3, to: Vec3| v - to * v.dot(to);
    // What is left of a vector along the line is rounding; below this it says nothing.
    let says = |v: Vec3, size: f32| v.length() > 1e-5 * size;
    if let Some(pole) = pole.filter(|p| p.is_finite()) {
        let side = square(pole - start, along);
        if says(side, (pole - start).length()) {
            return side.normalize_or(Vec3::Z);
        }
    }
    let bent = square(first, old);
    let mut side =
        if says(bent, length) { square(Quat::from_to(old, along) * bent, along) } else { Vec3::ZERO };
    for fallback in [Vec3::Z, Vec3::Y] {
        if !says(side, 1e-3 * length) {
            let candidate = square(fallback, along);
            side = if candidate.length() > 0.1 { candidate * length } else { side };
        }
    }
    side.normalize_or(Vec3::Y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{numbers, shared_json};
    use proptest::prelude::*;

    fn solve(chain: [Vec3; 3], target: Vec3, pole: Option<Vec3>) -> TwoBone {
        solve_two_bone(chain, target, pole, TwoBoneLimits::default())
    }

    fn vec(v: &serde_json::Value) -> Vec3 {
        match numbers(v).as_slice() {
            &[x, y, z] => Vec3::new(x as f32, y as f32, z as f32),
            _ => panic!("three numbers"),
        }
    }

    #[test]
    fn agrees_with_reference_solutions() {
        let Some(data) = shared_json("vectors/two_bone_ik.json") else { return };
        let cases = data["cases"].as_array().cloned().unwrap_or_default();
        assert!(!cases.is_empty());
        for case in &cases {
            let at = |name: &str| vec(&case[name]);
            let s = solve([at("start"), at("mid"), at("end")], at("target"), Some(at("pole_point")));
            assert!(s.middle.distance(at("mid_out")) < 2e-5, "{s:?} {case}");
            assert!(s.tip.distance(at("end_out")) < 2e-5, "{s:?} {case}");
            assert_eq!(case["reachable"].as_bool(), Some(s.reach == Reach::Reached), "{case}");
        }
    }

    fn finite(s: &TwoBone) -> bool {
        s.middle.is_finite() && s.tip.is_finite() && s.first_turn.is_finite() && s.second_turn.is_finite()
    }

    #[test]
    fn lengths_at_every_limit_stay_finite() {
        let sizes = [0.0f32, 1e-8, 0.5, 1.0, 1e4];
        for a in sizes {
            for b in sizes {
                let middle = Vec3::X * a;
                let tip = middle + Vec3::new(0.6, -0.8, 0.0) * b;
                let ends = [(a - b).abs(), a + b];
                let mut distances = vec![0.0, 2.0 * (a + b)];
                distances.extend(ends.iter().flat_map(|d| [d.next_down().max(0.0), *d, d.next_up()]));
                for d in distances {
                    for pole in [None, Some(Vec3::Y), Some(Vec3::ZERO)] {
                        let target = Vec3::new(0.0, 0.6, 0.8) * d;
                        let s = solve([Vec3::ZERO, middle, tip], target, pole);
                        assert!(finite(&s), "{a} {b} {d}: {s:?}");
                        if a == 0.0 || b == 0.0 {
                            assert_eq!(s.reach, Reach::Degenerate);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_straight_chain_bends_to_a_side_that_is_always_the_same() {
        let (middle, tip) = (Vec3::X, Vec3::X * 2.0);
        for target in [Vec3::X * 0.8, -Vec3::X, Vec3::ZERO] {
            let s = solve([Vec3::ZERO, middle, tip], target, None);
            assert_eq!(s.reach, Reach::Reached);
            assert!(s.tip.distance(target) < 1e-5 && s.middle.z > 0.1, "{s:?}");
        }
    }

    #[test]
    fn the_elbow_moves_smoothly_with_a_target_on_a_circle() {
        let (middle, tip) = (Vec3::new(0.3, 0.0, 0.0), Vec3::new(0.3, -0.25, 0.0));
        let mut last: Option<Vec3> = None;
        for i in 0..=720 {
            let angle = f64::from(i) * std::f64::consts::TAU / 720.0;
            let target = Vec3::new(angle.cos() as f32 * 0.4, angle.sin() as f32 * 0.4, 0.0);
            let s = solve([Vec3::ZERO, middle, tip], target, Some(Vec3::new(0.1, 0.1, -1.0)));
            assert!(s.reach == Reach::Reached && s.tip.distance(target) < 1e-5);
            let step = 0.4 * std::f32::consts::TAU / 720.0;
            assert!(last.is_none_or(|l| l.distance(s.middle) < 20.0 * step));
            last = Some(s.middle);
        }
    }

    #[test]
    fn a_soft_chain_slows_down_toward_its_full_length() {
        let chain = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, -1.0, 0.0)];
        let limits = TwoBoneLimits { softness: 0.1, stretch: 1.0 };
        let mut last = 0.0;
        for i in 0..400 {
            let d = i as f32 * 0.01;
            let s = solve_two_bone(chain, Vec3::X * d, Some(Vec3::Y), limits);
            let shown = s.tip.length();
            assert!(shown >= last && shown <= 2.0 && shown <= d + 1e-6, "{d}: {shown}");
            assert!(d > 1.8 || (shown - d).abs() < 1e-6);
            // Full speed up to the soft part, less and less within it.
            assert!(shown - last < 0.0101);
            last = shown;
        }
        let s = solve_two_bone(chain, Vec3::X * 2.0, Some(Vec3::Y), limits);
        let right = 2.0 - 0.2 * f64::exp(-1.0);
        assert!((f64::from(s.tip.x) - right).abs() < 1e-6 && s.reach == Reach::TooFar);
    }

    #[test]
    fn stretched_bones_reach_as_far_as_they_may() {
        let chain = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, -1.0, 0.0)];
        for softness in [0.0, 0.1] {
            let limits = TwoBoneLimits { softness, stretch: 1.5 };
            let at = |d: f32| solve_two_bone(chain, Vec3::X * d, Some(Vec3::Y), limits);
            let near = at(1.0);
            assert_eq!((near.reach, near.stretch), (Reach::Reached, 1.0));
            let far = at(2.5);
            assert_eq!(far.reach, Reach::Reached);
            assert!((far.tip.x - 2.5).abs() < 1e-5 && far.stretch <= 1.5);
            assert!((far.middle.length() - far.stretch).abs() < 1e-5);
            let beyond = at(9.0);
            assert_eq!((beyond.reach, beyond.stretch), (Reach::TooFar, 1.5));
            assert!((beyond.tip.x - 3.0).abs() < 1e-4);
        }
    }

    fn point() -> impl Strategy<Value = Vec3> {
        (-2.0f32..2.0, -2.0f32..2.0, -2.0f32..2.0).prop_map(|(x, y, z)| Vec3::new(x, y, z))
    }

    proptest! {
        #[test]
        fn lengths_are_kept_and_turns_do_not_roll(
            p in [point(), point(), point(), point(), point()],
            with_pole: bool,
        ) {
            let [start, middle, tip, target, pole] = p;
            let s = solve([start, middle, tip], target, with_pole.then_some(pole));
            prop_assert!(finite(&s));
            if s.reach == Reach::Degenerate { return Ok(()); }
            let (a, b) = (middle.distance(start), tip.distance(middle));
            prop_assert!((s.middle.distance(start) - a).abs() < 1e-5 * (a + b));
            prop_assert!((s.tip.distance(s.middle) - b).abs() < 2e-5 * (a + b));
            let turned = start + s.first_turn * (middle - start);
            prop_assert!(turned.distance(s.middle) < 1e-5 * (a + b));
            prop_assert!((turned + s.second_turn * (tip - middle)).distance(s.tip) < 2e-5 * (a + b));
            if s.reach == Reach::Reached {
                prop_assert!(s.tip.distance(target) < 1e-4 * (a + b));
            }
            let (_, _, roll) = s.first_turn.swing_twist(middle - start);
            let half_turn = s.first_turn.w.abs() < 1e-3;
            prop_assert!(half_turn || roll.abs() < 5e-3, "{roll}");
        }

        #[test]
        fn no_input_gives_nan(v in proptest::collection::vec(proptest::num::f32::ANY, 15)) {
            let at = |i: usize| Vec3::new(v[i], v[i + 1], v[i + 2]);
            let s = solve([at(0), at(3), at(6)], at(9), Some(at(12)));
            prop_assert!(s.first_turn.is_finite() && s.second_turn.is_finite());
        }
    }
}
