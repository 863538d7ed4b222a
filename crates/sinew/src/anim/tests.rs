//! Sampling against closed forms: edges of the time line, each interpolation, huge and odd keys.

use super::*;
use crate::math::{Quat, Transform, Vec3};

fn skeleton(joints: usize) -> Skeleton {
    let rest = Transform::from_translation(Vec3::new(0.0, 1.2, 0.3));
    let joint = |i| Joint { name: format!("j{i}"), parent: None, rest };
    Skeleton::new((0..joints).map(joint).collect()).unwrap()
}

/// Joint 0 moved along x, with the keys' values.
fn moved(interpolation: Interpolation, times: &[f32], xs: &[f32]) -> Track {
    let values: Vec<f32> = xs.iter().flat_map(|x| [*x, 0.0, 0.0]).collect();
    Track::new(0, Channel::Translation, interpolation, times, values).unwrap()
}

fn turned(interpolation: Interpolation, times: &[f32], keys: &[Quat]) -> Track {
    let values: Vec<f32> = keys.iter().flat_map(|q| [q.x, q.y, q.z, q.w]).collect();
    Track::new(0, Channel::Rotation, interpolation, times, values).unwrap()
}

/// Cubic keys with zero tangents.
fn flat_spline(keys: &[Quat]) -> Vec<f32> {
    let zero = [0.0; 4];
    keys.iter().flat_map(|q| [zero, [q.x, q.y, q.z, q.w], zero]).flatten().collect()
}

/// A turn made in double precision, without the library's own trigonometry.
fn turn(axis: [f64; 3], degrees: f64) -> Quat {
    let l = axis.iter().map(|v| v * v).sum::<f64>().sqrt();
    let (s, c) = (degrees.to_radians() / 2.0).sin_cos();
    let [x, y, z] = axis.map(|v| (v / l * s) as f32);
    Quat::new(x, y, z, c as f32)
}

/// Degrees between two rotations, either sign, in double precision.
fn degrees(a: Quat, b: Quat) -> f64 {
    let (a, b) = ([a.x, a.y, a.z, a.w].map(f64::from), [b.x, b.y, b.z, b.w].map(f64::from));
    let distance = |sign: f64| (0..4).map(|i| (a[i] - sign * b[i]).powi(2)).sum::<f64>().sqrt();
    let near = distance(1.0).min(distance(-1.0));
    (4.0 * (near / 2.0).clamp(0.0, 1.0).asin()).to_degrees()
}

#[test]
fn step_holds_the_last_key_at_or_before_the_time() {
    let track = moved(Interpolation::Step, &[0.2, 0.5, 0.8], &[6.0, 8.0, 9.0]);
    for (t, want) in
        [(0.0, 6.0), (0.2, 6.0), (0.4999, 6.0), (0.5, 8.0), (0.7999, 8.0), (0.8, 9.0), (5.0, 9.0)]
    {
        assert_eq!(track.sample_vec3(t).x, want, "{t}");
    }
    // Rotations too: no mixing of the neighbours at any time.
    let (a, b) = (turn([1.0, 2.0, 3.0], 10.0), turn([0.0, 1.0, 0.0], 170.0));
    let track = turned(Interpolation::Step, &[0.0, 1.0], &[a, b]);
    for t in 0..100 {
        assert_eq!(track.sample_quat(t as f32 * 0.00999), a);
    }
    assert_eq!(track.sample_quat(1.0), b);
}

#[test]
fn time_runs_from_zero_and_holds_outside_of_the_keys() {
    let a = moved(Interpolation::Linear, &[1.5, 2.5], &[3.0, 7.0]);
    let b = turned(Interpolation::Linear, &[0.0, 2.0], &[Quat::IDENTITY, turn([0.0, 1.0, 0.0], 80.0)]);
    let clip = Clip::new("c", vec![a.clone(), b.clone()]).unwrap();
    assert_eq!(clip.duration(), 2.5, "the last key of any track, and late first keys shorten nothing");
    assert_eq!((a.sample_vec3(0.0).x, a.sample_vec3(1.5).x), (3.0, 3.0));
    assert_eq!(b.sample_quat(2.5), b.sample_quat(2.0));
    assert_eq!(a.sample_vec3(2.0).x, 5.0);
    for t in [-1.0, f32::NEG_INFINITY, f32::NAN] {
        assert_eq!(a.sample_vec3(t).x, 3.0, "{t}");
    }
    assert_eq!(a.sample_vec3(f32::INFINITY).x, 7.0);
    // A longer duration holds the last values.
    let longer = Clip::with_duration("c", 10.0, vec![a]).unwrap();
    let mut pose = Pose::rest(&skeleton(1));
    longer.sample(&skeleton(1), 9.0, &mut pose);
    assert_eq!((longer.duration(), pose.locals[0].translation.x), (10.0, 7.0));
}

#[test]
fn linear_rotations_take_the_short_way_at_constant_speed_for_either_sign() {
    // The near-parallel pair of opposite sign, and pairs where slerp is a slerp.
    let axis = [1.0, 2.0, 3.0];
    for (from, to) in [(10.0, 10.05), (10.0, 10.0), (0.0, 90.0), (-100.0, 79.0), (0.0, 0.001)] {
        for sign in [1.0, -1.0] {
            let (a, b) = (turn(axis, from), turn(axis, to) * sign);
            let track = turned(Interpolation::Linear, &[0.0, 1.0], &[a, b]);
            let mut last = 0.0;
            for i in 0..=100 {
                let t = i as f32 / 100.0;
                let q = track.sample_quat(t);
                let want = turn(axis, from + (to - from) * f64::from(t));
                assert!(degrees(q, want) < 1e-3, "{from} {to} {sign} at {t}: {}", degrees(q, want));
                let gone = degrees(a, q);
                assert!(gone >= last - 2e-5 && gone <= (to - from).abs() + 2e-5, "{gone} after {last}");
                last = gone;
            }
        }
    }
    let pair = [turn(axis, 10.0), -turn(axis, 10.05)];
    let track = turned(Interpolation::Linear, &[0.0, 1.0], &pair);
    for (t, want) in [(0.0, 10.0), (0.25, 10.0125), (0.5, 10.025), (0.75, 10.0375), (1.0, 10.05)] {
        let angle = degrees(Quat::IDENTITY, track.sample_quat(t));
        assert!((angle - want).abs() < 1e-3, "{t}: {angle}");
    }
}

#[test]
fn splines_pass_through_keys_and_follow_hermite_with_tangents_per_second() {
    // x(t) = t³ - 2t + 5 on keys at 1, 3 and 4 s is its own Hermite spline.
    let x = |t: f64| t * t * t - 2.0 * t + 5.0;
    let slope = |t: f64| 3.0 * t * t - 2.0;
    let times = [1.0f32, 3.0, 4.0];
    let values: Vec<f32> = times
        .iter()
        .flat_map(|t| [slope(f64::from(*t)), x(f64::from(*t)), slope(f64::from(*t))])
        .flat_map(|v| [v as f32, 0.0, 0.0])
        .collect();
    let track = Track::new(0, Channel::Translation, Interpolation::CubicSpline, times, values).unwrap();
    for i in 0..=60 {
        let t = 1.0 + f64::from(i) * 0.05;
        assert!((f64::from(track.sample_vec3(t as f32).x) - x(t)).abs() < 2e-5 * x(t).abs(), "{t}");
    }
    assert_eq!(track.sample_vec3(0.0).x, x(1.0) as f32);
    assert_eq!(track.sample_vec3(9.0).x, x(4.0) as f32);
}

#[test]
fn splines_tell_in_tangents_from_out_tangents() {
    // Leaves key 0 with slope 2 (its in-tangent must not count), arrives at key 1 with slope -4.
    let values: Vec<f32> = [99.0, 0.0, 2.0, -4.0, 1.0, 77.0].iter().flat_map(|v| [*v, 0.0, 0.0]).collect();
    let track = Track::new(0, Channel::Translation, Interpolation::CubicSpline, [0.0, 2.0], values).unwrap();
    // Halfway: (v0 + v1) / 2 + span (b0 - a1) / 8.
    assert!((track.sample_vec3(1.0).x - (0.5 + 2.0 * 6.0 / 8.0)).abs() < 1e-6);
}

#[test]
fn spline_rotations_are_unit_and_do_not_squash() {
    let keys = [0.0, 120.0, 240.0].map(|a| turn([0.0, 1.0, 0.0], a));
    let times: [f32; 3] = [0.0, 1.0, 2.0];
    let track =
        Track::new(0, Channel::Rotation, Interpolation::CubicSpline, times, flat_spline(&keys)).unwrap();
    for i in 0..=50 {
        let q = track.sample_quat(i as f32 / 25.0);
        let length = [q.x, q.y, q.z, q.w].iter().map(|v| f64::from(*v).powi(2)).sum::<f64>().sqrt();
        assert!((length - 1.0).abs() < 1e-6, "{length}");
        let m = crate::io::matrix::from_transform(&Transform { rotation: q, ..Transform::IDENTITY });
        for c in 0..3 {
            let column = m[c * 4..c * 4 + 3].iter().map(|v| f64::from(*v).powi(2)).sum::<f64>().sqrt();
            assert!((column - 1.0).abs() < 1e-5);
        }
    }
    // Opposite signs are not the short way for a spline: halfway from q to -q' the components meet.
    let signed = [keys[0], -keys[1]];
    let track =
        Track::new(0, Channel::Rotation, Interpolation::CubicSpline, [0.0, 1.0], flat_spline(&signed))
            .unwrap();
    // (1, 0) and -(cos 60°, sin 60°) at their middle: (0.25, -0.433) points to -60°, a turn of -120°.
    assert!(degrees(track.sample_quat(0.5), turn([0.0, 1.0, 0.0], -120.0)) < 0.01);
}

#[test]
fn keys_off_unit_length_are_normalized_and_not_replaced() {
    let q = turn([1.0, -2.0, 0.5], 77.0);
    for factor in [0.99, 1.01, 3.0, 1e-12, 1e18, 1e30] {
        let track = turned(Interpolation::Linear, &[0.0], &[q * factor]);
        assert!(degrees(track.sample_quat(0.0), q) < 1e-3, "{factor}");
    }
    let zero = turned(Interpolation::Linear, &[0.0], &[q * 0.0]);
    assert_eq!(zero.sample_quat(0.0), Quat::IDENTITY);
}

#[test]
fn huge_keys_give_finite_values_between_them() {
    const HUGE: f32 = f32::MAX;
    let track = moved(Interpolation::Linear, &[0.0, 1.0], &[-HUGE, HUGE]);
    for (t, want) in [(0.0, -HUGE), (0.25, -HUGE / 2.0), (0.5, 0.0), (0.75, HUGE / 2.0), (1.0, HUGE)] {
        let x = track.sample_vec3(t).x;
        assert!((f64::from(x) - f64::from(want)).abs() <= f64::from(HUGE) * 1e-6, "{t}: {x:e}");
    }
    // Terms of a spline overflow, the curve does not: flat tangents between equal huge keys.
    let spline = |values: [f32; 6], times: [f32; 2]| {
        let values: Vec<f32> = values.iter().flat_map(|v| [*v, 0.0, 0.0]).collect();
        Track::new(0, Channel::Translation, Interpolation::CubicSpline, times, values).unwrap()
    };
    let track = spline([0.0, HUGE, 0.0, 0.0, HUGE, 0.0], [0.0, 1.0]);
    let track_down = spline([0.0, HUGE, 0.0, 0.0, -HUGE, 0.0], [0.0, 1.0]);
    // Tangents over a long span: out of range whatever the precision, so held at the range's end.
    let steep = spline([0.0, 0.0, HUGE, HUGE, 0.0, 0.0], [0.0, 1e30]);
    for i in 0..=64 {
        let t = i as f32 / 64.0;
        assert!((track.sample_vec3(t).x / HUGE - 1.0).abs() < 1e-5, "{t}");
        let (s, x) = (f64::from(t), track_down.sample_vec3(t).x);
        let want = f64::from(HUGE) * (4.0 * s.powi(3) - 6.0 * s * s + 1.0);
        assert!((f64::from(x) - want).abs() <= f64::from(HUGE) * 1e-5, "{t}: {x:e}");
        assert!(steep.sample_vec3(t * 1e30).x.is_finite());
    }
    // Rotation splines keep their direction.
    let axis = [0.0, 0.0, 1.0];
    let keys = [turn(axis, 0.0), turn(axis, 90.0)];
    let values: Vec<f32> = flat_spline(&keys).iter().map(|v| v * 3e38).collect();
    let track = Track::new(0, Channel::Rotation, Interpolation::CubicSpline, [0.0, 1.0], values).unwrap();
    assert!(degrees(track.sample_quat(0.5), turn(axis, 45.0)) < 0.01);
    assert!(degrees(track.sample_quat(0.0), keys[0]) < 0.01);
    // Weights go the same way.
    let weights = Track::curves(0, 0, 1, Interpolation::Linear, [0.0, 1.0], [-HUGE, HUGE]).unwrap();
    let mut pose = Pose { locals: Vec::new(), curves: vec![0.0] };
    weights.apply(weights.place(0.5), &mut pose);
    assert!(pose.curves[0].abs() <= HUGE * 1e-6);
}

#[test]
fn tiny_and_huge_spans_of_time_are_finite() {
    let least = f32::from_bits(1);
    for times in [[0.0, least], [f32::MAX.next_down(), f32::MAX], [0.0, f32::MAX], [1.0, 1.0f32.next_up()]] {
        let track = moved(Interpolation::Linear, &times, &[1.0, 2.0]);
        for t in [0.0, least, 0.5, 1.0, 1.0f32.next_up(), 1e30, f32::MAX, f32::INFINITY] {
            let x = track.sample_vec3(t).x;
            assert!((1.0..=2.0).contains(&x), "{times:?} at {t:e}: {x}");
        }
        assert_eq!((track.sample_vec3(times[0]).x, track.sample_vec3(times[1]).x), (1.0, 2.0));
    }
}

#[test]
fn of_keys_at_one_time_the_last_counts_and_the_first_is_arrived_at() {
    let track = moved(Interpolation::Linear, &[0.0, 0.5, 0.5, 0.5, 1.0], &[0.0, 1.0, 9.0, 3.0, 5.0]);
    assert_eq!(track.sample_vec3(0.25).x, 0.5);
    assert_eq!(track.sample_vec3(0.5).x, 3.0);
    assert_eq!(track.sample_vec3(0.75).x, 4.0);
    let step = moved(Interpolation::Step, &[0.0, 0.0, 1.0, 1.0], &[1.0, 2.0, 3.0, 4.0]);
    assert_eq!([0.0, 0.9, 1.0, 7.0].map(|t| step.sample_vec3(t).x), [2.0, 2.0, 4.0, 4.0]);
}

#[test]
fn keys_that_make_no_track_are_errors_with_their_place() {
    let make = |times: &[f32], values: &[f32]| {
        Track::new(0, Channel::Translation, Interpolation::Linear, times, values).unwrap_err()
    };
    assert_eq!(make(&[], &[]), TrackError::NoKeys);
    assert_eq!(make(&[0.0, 1.0, 0.5], &[0.0; 9]), TrackError::Unsorted { key: 2, time: 0.5 });
    assert_eq!(make(&[-1.0], &[0.0; 3]), TrackError::BadTime { key: 0, time: -1.0 });
    assert!(matches!(make(&[0.0, f32::NAN], &[0.0; 6]), TrackError::BadTime { key: 1, .. }));
    assert!(matches!(make(&[f32::INFINITY], &[0.0; 3]), TrackError::BadTime { key: 0, .. }));
    assert_eq!(make(&[0.0], &[0.0; 4]), TrackError::ValueCount { keys: 1, expected: 3, found: 4 });
    assert!(matches!(make(&[0.0], &[0.0, f32::NAN, 0.0]), TrackError::BadValue { index: 1, .. }));
    let cubic = Track::new(0, Channel::Rotation, Interpolation::CubicSpline, [0.0], [0.0; 4]);
    assert_eq!(cubic.unwrap_err(), TrackError::ValueCount { keys: 1, expected: 12, found: 4 });
    let track = moved(Interpolation::Step, &[0.0], &[0.0]);
    assert!(matches!(Clip::new("c", vec![track.clone(), track]), Err(ClipError::Duplicate { joint: 0, .. })));
    for duration in [-1.0, f32::NAN, f32::INFINITY] {
        assert!(matches!(Clip::with_duration("c", duration, vec![]), Err(ClipError::BadDuration { .. })));
    }
}

#[test]
fn one_key_tracks_pose_every_joint_in_any_order() {
    let skeleton = skeleton(4);
    let q = turn([1.0, 1.0, 0.0], 50.0);
    let tracks = [
        Track::new(0, Channel::Translation, Interpolation::Linear, [0.5], [1.0, 2.0, 3.0]).unwrap(),
        Track::new(1, Channel::Rotation, Interpolation::CubicSpline, [0.0], flat_spline(&[q])).unwrap(),
        Track::new(2, Channel::Scale, Interpolation::Step, [0.0], [2.0, 3.0, 4.0]).unwrap(),
        Track::new(
            3,
            Channel::Translation,
            Interpolation::Linear,
            [0.0, 2.0],
            [0.0, 0.0, 0.0, 4.0, 0.0, 0.0],
        )
        .unwrap(),
    ];
    for first in 0..4 {
        for reverse in [false, true] {
            let mut order: Vec<Track> = (0..4).map(|i| tracks[(first + i) % 4].clone()).collect();
            if reverse {
                order.reverse();
            }
            let clip = Clip::new("c", order).unwrap();
            for (t, x) in [(0.0, 0.0), (1.0, 2.0), (3.0, 4.0)] {
                let mut pose = Pose::rest(&skeleton);
                clip.sample(&skeleton, t, &mut pose);
                assert_eq!(pose.locals[0].translation, Vec3::new(1.0, 2.0, 3.0));
                assert!(degrees(pose.locals[1].rotation, q) < 1e-4);
                assert_eq!(pose.locals[2].scale, Vec3::new(2.0, 3.0, 4.0));
                assert_eq!(pose.locals[3].translation, Vec3::new(x, 0.0, 0.0));
                // What has no track is at rest.
                assert_eq!(pose.locals[1].translation, Vec3::new(0.0, 1.2, 0.3));
            }
        }
    }
}

#[test]
fn tracks_with_one_time_line_and_their_own_are_sampled_alike() {
    // The place in a shared time line is looked up once: it must not leak into other tracks.
    let shared: std::sync::Arc<[f32]> = [0.0, 1.0, 2.0].into();
    let values = |k: f32| [0.0, 0.0, 0.0, k, k, k, 4.0 * k, 0.0, 0.0];
    let track = |joint, times: std::sync::Arc<[f32]>, k| {
        Track::new(joint, Channel::Translation, Interpolation::Linear, times, values(k)).unwrap()
    };
    let other: std::sync::Arc<[f32]> = [0.0, 0.5, 4.0].into();
    let tracks = vec![
        track(0, shared.clone(), 1.0),
        track(1, other, 2.0),
        track(2, shared.clone(), 3.0),
        track(3, shared, 5.0),
    ];
    let skeleton = skeleton(4);
    let clip = Clip::new("c", tracks.clone()).unwrap();
    let mut pose = Pose::rest(&skeleton);
    for t in [0.0, 0.3, 0.5, 1.0, 1.7, 2.0, 3.0, 9.0] {
        clip.sample(&skeleton, t, &mut pose);
        for (joint, track) in tracks.iter().enumerate() {
            assert_eq!(pose.locals[joint].translation, track.sample_vec3(t));
        }
    }
}

#[test]
fn targets_that_a_pose_lacks_are_skipped() {
    let mut pose = Pose::rest(&skeleton(1));
    let far = Track::new(7, Channel::Scale, Interpolation::Step, [0.0], [2.0; 3]).unwrap();
    let weights = Track::curves(0, 3, 2, Interpolation::Step, [0.0], [1.0, 2.0]).unwrap();
    let clip = Clip::new("c", vec![far, weights]).unwrap();
    let before = pose.clone();
    clip.apply(0.0, &mut pose);
    assert_eq!(pose, before);
}

#[test]
fn loops_of_no_length_stay_at_zero_and_count_each_step() {
    let (mut t, mut completions) = (0.0, 0);
    let (next, n) = advance_looping(t, 5.0, 0.0);
    assert_eq!((next, n), (0.0, 1));
    for _ in 0..100 {
        let (next, n) = advance_looping(t, 1.0 / 60.0, 0.0);
        (t, completions) = (next, completions + n);
        assert_eq!(t, 0.0);
    }
    assert_eq!(completions, 100);
    assert_eq!(advance_looping(0.0, 0.0, 0.0), (0.0, 0));
    for t in [0.0, 1.0, -3.0, f32::NAN, f32::INFINITY] {
        assert_eq!(wrap_time(t, 0.0), 0.0);
    }
    let track = moved(Interpolation::Linear, &[0.0], &[3.0]);
    let clip = Clip::new("pose", vec![track]).unwrap();
    let mut pose = Pose::rest(&skeleton(1));
    clip.sample(&skeleton(1), wrap_time(123.4, clip.duration()), &mut pose);
    assert_eq!((clip.duration(), pose.locals[0].translation.x), (0.0, 3.0));
}

#[test]
fn loops_wrap_into_their_length_forwards_and_backwards() {
    assert_eq!(wrap_time(2.0, 2.0), 0.0, "the end of the loop is its start");
    assert_eq!(wrap_time(5.5, 2.0), 1.5);
    assert_eq!(wrap_time(-0.5, 2.0), 1.5);
    assert_eq!(wrap_time(-1e-30, 2.0), 0.0);
    assert_eq!(advance_looping(1.5, 1.0, 2.0), (0.5, 1));
    assert_eq!(advance_looping(0.5, -1.0, 2.0), (1.5, 1));
    assert_eq!(advance_looping(0.5, 8.0, 2.0), (0.5, 4));
    assert_eq!(advance_looping(0.0, 2.0, 2.0), (0.0, 1));
    // 1000 frames of 1/64 s in a loop of 0.75 s, all exact: 15.625 s are 20 turns and 0.625 s.
    let (mut t, mut turns) = (0.0, 0);
    for _ in 0..1000 {
        let (next, n) = advance_looping(t, 1.0 / 64.0, 0.75);
        (t, turns) = (next, turns + n);
        assert!((0.0..0.75).contains(&t));
    }
    assert_eq!((t, turns), (0.625, 20));
}

#[test]
fn clamped_times_stop_at_both_ends_and_arrive_once() {
    assert_eq!(advance_clamped(0.5, 1.0, 1.0), (1.0, true));
    assert_eq!(advance_clamped(1.0, 1.0, 1.0), (1.0, false));
    assert_eq!(advance_clamped(0.5, -1.0, 1.0), (0.0, true));
    assert_eq!(advance_clamped(0.25, 0.25, 1.0), (0.5, false));
    let (t, _) = advance_clamped(f32::NAN, f32::NAN, 1.0);
    assert_eq!(t, 0.0);
}

#[test]
fn clips_move_by_joint_names_and_name_what_has_no_place() {
    let joint = |name: &str, parent| Joint { name: name.into(), parent, rest: Transform::IDENTITY };
    let from = Skeleton::new(vec![joint("Character", None), joint("Hips", Some(0)), joint("Tail", Some(1))])
        .unwrap();
    let to = Skeleton::new(vec![joint("Hips", Some(1)), joint("Armature", None)]).unwrap();
    let track =
        |j, x| Track::new(j, Channel::Translation, Interpolation::Step, [0.0], [x, 0.0, 0.0]).unwrap();
    let clip = Clip::with_duration("walk", 2.0, vec![track(1, 5.0), track(2, 6.0)]).unwrap();
    let taken = clip.retargeted(&from, &to).unwrap();
    assert_eq!(taken.missing, ["Tail"]);
    assert_eq!((taken.clip.duration(), taken.clip.tracks().len()), (2.0, 1));
    let mut pose = Pose::rest(&to);
    taken.clip.sample(&to, 1.0, &mut pose);
    assert_eq!((pose.locals[0].translation.x, pose.locals[1].translation.x), (5.0, 0.0));
}
