//! Idle and the actions that start or end in it.

use core::f32::consts::TAU;

use sinew::math::{Transform, Vec3, cos, sin};

use super::body::{ArmPose, Body};
use super::gait::{RUN, run_body, run_swing};
use super::motion::Motion;
use crate::curve::{Curve, Key, ease, hold, key, moving};
use crate::feet::{FootPath, FootShape, Stance, Swing};

/// Where a foot stands at ease, from the root: left, forward.
fn stand_at(right: bool) -> (f32, f32) {
    if right { (-0.112, -0.030) } else { (0.112, 0.012) }
}

const STAND_YAW: f32 = 9.0;

/// A flat stance at ease, moved by metres forward and left.
fn standing(right: bool, time: (f32, f32), forward: f32, left: f32) -> Stance {
    let (x, z) = stand_at(right);
    let yaw = if right { -STAND_YAW } else { STAND_YAW };
    Stance { time, at: (x + left, z + forward), yaw, strike: 0.0, flat: time.0, lift: time.1, off: 0.0 }
}

/// The same, leaving by the ball of the foot.
fn leaving(right: bool, time: (f32, f32), forward: f32, lift: f32, off: f32) -> Stance {
    Stance { lift, off, ..standing(right, time, forward, 0.0) }
}

/// The same, arriving with a pitch that is gone at `flat`.
fn arriving(s: Stance, strike: f32, flat: f32) -> Stance {
    Stance { strike, flat, ..s }
}

fn low_step(height: f32, toes: f32) -> Swing {
    Swing { heights: vec![(0.3, height), (0.65, height * 0.8)], pitches: vec![(0.25, toes), (0.7, 0.0)] }
}

fn curve(keys: &[Key]) -> Curve {
    Curve::new(keys)
}

/// Body at ease at `t` seconds of a loop of four.
fn idle_body(t: f32) -> Body {
    let u = t / IDLE;
    let w = |k: f32, at: f32| cos(TAU * k * (u - at));
    let mut b = Body::stand();
    let breath = w(2.0, 0.21);
    b.breath = breath;
    b.shift[0] += 0.016 * sin(TAU * u);
    b.shift[1] += -0.002 * w(2.0, 0.0);
    b.shift[2] += 0.003 * w(1.0, 0.1);
    b.pelvis[2] = -1.3 * sin(TAU * u);
    b.pelvis[1] = 1.2 * w(1.0, 0.35);
    b.spine[2] = 1.5 * w(1.0, 0.27);
    b.spine[1] = -1.4 * w(1.0, 0.38);
    b.head[1] = 4.0 * w(1.0, 0.42) + 1.5 * w(2.0, 0.1);
    b.head[0] += 0.9 * w(2.0, 0.33);
    b.eyes[1] = 3.0 * w(1.0, 0.38);
    for (i, a) in b.arms.iter_mut().enumerate() {
        let lag = 0.05 * i as f32;
        a.swing += 1.2 * w(1.0, 0.3 + lag);
        a.abduct += 0.8 * w(2.0, 0.27 + lag);
        a.elbow += 1.5 * w(2.0, 0.3 + lag);
        a.curl += 3.0 * w(1.0, 0.5 + lag);
    }
    b
}

const IDLE: f32 = 4.0;

/// Breathing and a slow shift of weight.
pub fn idle(shapes: [FootShape; 2]) -> Motion {
    Motion {
        name: "idle",
        duration: IDLE,
        looping: true,
        root: Box::new(|_| Transform::IDENTITY),
        body: Box::new(idle_body),
        feet: [false, true].map(|r| {
            FootPath::new(shapes[usize::from(r)], vec![standing(r, (-1.0, IDLE + 1.0), 0.0, 0.0)], &[])
        }),
    }
}

/// From a frame of the run (left foot touching) to standing, in four steps.
pub fn run_to_stop(shapes: [FootShape; 2]) -> Motion {
    let d = 2.0;
    let v = RUN.speed;
    let (brake, stop) = (0.14, 1.34);
    let way = v * brake + v * (stop - brake) * 0.455;
    let z = curve(&[moving(0.0, 0.0, v, 0.0), moving(brake, v * brake, v, 0.0), hold(stop, way)]);
    // Phase of the run's body: a cycle a period at first, then slower with the steps.
    let r = 1.0 / RUN.period;
    let phase = curve(&[
        moving(0.0, 0.0, r, 0.0),
        moving(0.2, 0.2 * r, r, 0.0),
        key(0.35, 0.5),
        key(0.74, 1.0),
        hold(1.3, 1.5),
    ]);
    let ease_to = move |t: f32| ease((t - 0.10) / 1.35);
    let shift_y =
        curve(&[hold(0.2, 0.0), key(0.55, -0.022), key(0.85, -0.036), key(1.25, -0.012), hold(1.6, 0.0)]);
    let shift_z =
        curve(&[hold(0.33, 0.0), key(0.56, -0.075), key(0.9, -0.065), key(1.35, 0.012), hold(1.75, 0.0)]);
    let lean = curve(&[hold(0.1, 0.0), key(0.45, -10.0), key(0.85, -6.0), key(1.35, 4.0), hold(1.8, 0.0)]);
    let spread = curve(&[hold(0.15, 0.0), key(0.6, 7.0), key(1.1, 6.0), hold(1.7, 0.0)]);
    let body = move |t: f32| {
        let w = ease_to(t);
        let mut b = run_body(phase.at(t)).mix(idle_body(t - d + IDLE), w);
        b.shift[1] += shift_y.at(t);
        b.shift[2] += shift_z.at(t);
        b.pelvis[0] += lean.at(t) * 0.6;
        b.spine[0] += lean.at(t) * 0.7;
        for a in &mut b.arms {
            a.abduct += spread.at(t);
        }
        b
    };
    let l0 = RUN.stance(false, 0);
    let r1 = RUN.stance(true, 0);
    // The second step brakes: longer on the ground, heel first.
    let r1 = Stance { time: (r1.time.0, 0.72), lift: 0.56, off: 38.0, flat: 0.40, ..r1 };
    let l1 = Stance {
        time: (0.68, 1.08),
        at: (0.080, 2.235),
        yaw: 7.0,
        strike: -16.0,
        flat: 0.76,
        lift: 0.93,
        off: 22.0,
    };
    let right = vec![
        RUN.stance(true, -2),
        RUN.stance(true, -1),
        r1,
        arriving(standing(true, (1.04, d + 1.0), way, 0.0), -9.0, 1.12),
    ];
    let left =
        vec![RUN.stance(false, -1), l0, l1, arriving(standing(false, (1.42, d + 1.0), way, 0.0), 8.0, 1.52)];
    let settle = Swing { heights: vec![(0.35, 0.10), (0.7, 0.055)], pitches: vec![(0.3, 42.0), (0.7, 6.0)] };
    let brake_step = Swing {
        heights: vec![(0.3, 0.25), (0.6, 0.16), (0.85, 0.05)],
        pitches: vec![(0.14, 76.0), (0.36, 70.0), (0.65, 15.0), (0.88, -16.0)],
    };
    let close = Swing { heights: vec![(0.4, 0.07), (0.7, 0.05)], pitches: vec![(0.35, 26.0), (0.75, 11.0)] };
    Motion {
        name: "run_to_stop",
        duration: d,
        looping: false,
        root: Box::new(move |t| Transform::from_translation(Vec3::new(0.0, 0.0, z.at(t)))),
        body: Box::new(body),
        feet: [
            FootPath::new(shapes[0], left, &[run_swing(), brake_step, close]),
            FootPath::new(shapes[1], right, &[run_swing(), run_swing(), settle]),
        ],
    }
}

/// A leap forward from standing to standing. The root travels on the ground; the pelvis flies on
/// the parabola that gravity asks for.
pub fn jump(shapes: [FootShape; 2]) -> Motion {
    let d = 1.9;
    let (off, land) = (0.56, 1.04);
    let far = 1.3;
    let air = land - off;
    // Vertical speed and acceleration of a throw that lasts `air`, centred a little above standing.
    let g = 9.81;
    let (rise, drop) = (0.012, -0.055);
    let v = (drop - rise) / air + g * air * 0.5;
    let y = curve(&[
        hold(0.0, 0.0),
        moving(0.34, -0.235, 0.0, 8.0),
        moving(off, rise, v, -g),
        moving(land, drop, v - g * air, -g),
        moving(land + 0.20, -0.215, 0.0, 6.0),
        hold(d - 0.15, 0.0),
    ]);
    let speed = far / (air + 0.42);
    let z = curve(&[
        hold(0.22, 0.0),
        moving(off, 0.17 * speed + 0.05, speed, 0.0),
        moving(land, (0.17 + air) * speed + 0.05, speed, 0.0),
        hold(land + 0.42, far),
    ]);
    // Bend of hips and trunk, forward when low.
    let bend = curve(&[
        hold(0.0, 0.0),
        key(0.34, 36.0),
        key(off + 0.03, -3.0),
        key(0.8, 8.0),
        key(land, 14.0),
        key(land + 0.2, 34.0),
        hold(d - 0.15, 0.0),
    ]);
    let swing = curve(&[
        hold(0.0, 0.0),
        key(0.30, -48.0),
        key(off, 95.0),
        key(0.74, 112.0),
        key(land, 52.0),
        key(land + 0.24, 2.0),
        key(1.5, -6.0),
        hold(d, 0.0),
    ]);
    let out =
        curve(&[hold(0.0, 0.0), key(0.3, 8.0), key(0.72, 24.0), key(land + 0.1, 30.0), hold(d - 0.1, 0.0)]);
    let elbow = curve(&[
        hold(0.0, 0.0),
        key(0.3, 22.0),
        key(off, 38.0),
        key(0.8, 30.0),
        key(land + 0.2, 42.0),
        hold(d, 0.0),
    ]);
    let body = move |t: f32| {
        let mut b = idle_body(0.0).mix(idle_body(t - d + IDLE), ease(t / d));
        b.shift[1] += y.at(t);
        let k = bend.at(t);
        // The hips go back as the trunk goes forward: weight stays over the feet.
        b.shift[2] -= 0.0030 * sinew::math::max(k, 0.0);
        b.pelvis[0] += k * 0.62;
        b.spine[0] += k * 0.62;
        b.head[0] += k * 0.18;
        for a in &mut b.arms {
            a.swing += swing.at(t);
            a.abduct += out.at(t);
            a.elbow += elbow.at(t);
            a.shrug += 0.10 * sinew::math::max(swing.at(t), 0.0);
            a.curl += 0.3 * elbow.at(t);
        }
        b.jaw = 0.15 * sinew::math::max(k, 0.0);
        b
    };
    let path = |r: bool| {
        let late = if r { 0.0 } else { 0.012 };
        let before = leaving(r, (-1.0, off + late), 0.0, 0.36, 58.0);
        let after = arriving(standing(r, (land + late, d + 1.0), far, 0.0), 16.0, land + 0.08 + late);
        let tuck = Swing {
            heights: vec![(0.10, 0.085), (0.22, 0.225), (0.48, 0.375), (0.74, 0.285), (0.90, 0.105)],
            pitches: vec![(0.2, 60.0), (0.55, 28.0), (0.85, 15.0)],
        };
        FootPath::new(shapes[usize::from(r)], vec![before, after], &[tuck])
    };
    Motion {
        name: "jump",
        duration: d,
        looping: false,
        root: Box::new(move |t| Transform::from_translation(Vec3::new(0.0, 0.0, z.at(t)))),
        body: Box::new(body),
        feet: [path(false), path(true)],
    }
}

/// A step forward with a right-handed cut from high to low, and the other foot drawn up.
pub fn attack(shapes: [FootShape; 2]) -> Motion {
    let d = 1.4;
    let far = 0.55;
    let z = curve(&[hold(0.22, 0.0), key(0.42, 0.20), key(0.60, 0.34), hold(1.12, far)]);
    let turn = curve(&[
        hold(0.0, 0.0),
        key(0.30, -30.0),
        key(0.36, -31.0),
        key(0.54, 26.0),
        key(0.66, 32.0),
        key(0.9, 17.0),
        hold(d, 0.0),
    ]);
    let bend = curve(&[
        hold(0.0, 0.0),
        key(0.30, -8.0),
        key(0.52, 17.0),
        key(0.66, 22.0),
        key(0.95, 8.0),
        hold(d, 0.0),
    ]);
    let low = curve(&[
        hold(0.0, 0.0),
        key(0.3, -0.025),
        key(0.56, -0.105),
        key(0.72, -0.115),
        key(1.0, -0.05),
        hold(1.3, 0.0),
    ]);
    let strike: [Curve; 6] = [
        // swing, abduct, twist, elbow, wrist, shrug of the right arm
        curve(&[
            hold(0.0, 0.0),
            key(0.30, 118.0),
            key(0.37, 124.0),
            key(0.50, 84.0),
            key(0.60, 40.0),
            key(0.70, 26.0),
            key(0.95, 14.0),
            hold(d, 0.0),
        ]),
        curve(&[
            hold(0.0, 0.0),
            key(0.30, 38.0),
            key(0.37, 36.0),
            key(0.50, 10.0),
            key(0.60, -8.0),
            key(0.72, -10.0),
            hold(d - 0.1, 0.0),
        ]),
        curve(&[
            hold(0.0, 0.0),
            key(0.30, -28.0),
            key(0.37, -24.0),
            key(0.52, 12.0),
            key(0.62, 30.0),
            key(0.75, 32.0),
            hold(d - 0.1, 0.0),
        ]),
        curve(&[
            hold(0.0, 0.0),
            key(0.30, 88.0),
            key(0.37, 84.0),
            key(0.50, 20.0),
            key(0.58, 10.0),
            key(0.8, 32.0),
            hold(d, 0.0),
        ]),
        curve(&[hold(0.0, 0.0), key(0.32, -14.0), key(0.54, 14.0), hold(1.0, 0.0)]),
        curve(&[hold(0.0, 0.0), key(0.32, 16.0), key(0.56, 2.0), hold(0.9, 0.0)]),
    ];
    let guard = curve(&[hold(0.0, 0.0), key(0.32, 1.0), key(0.56, 0.55), key(0.8, 0.5), hold(d - 0.05, 0.0)]);
    let fist = curve(&[hold(0.0, 0.0), hold(0.2, 1.0), hold(0.95, 1.0), hold(d, 0.0)]);
    let body = move |t: f32| {
        let mut b = idle_body(0.0).mix(idle_body(t - d + IDLE), ease(t / d));
        let yaw = turn.at(t);
        b.shift[1] += low.at(t);
        b.shift[2] += 0.0012 * bend.at(t);
        b.pelvis[1] += yaw * 0.35;
        b.pelvis[0] += bend.at(t) * 0.3;
        b.spine[1] += yaw * 0.75;
        b.spine[0] += bend.at(t) * 0.9;
        b.head[1] += yaw * 0.16;
        b.head[0] += bend.at(t) * 0.25;
        let [swing, abduct, twist, elbow, wrist, shrug] = [0, 1, 2, 3, 4, 5].map(|i| strike[i].at(t));
        let a = &mut b.arms[1];
        a.swing += swing;
        a.abduct += abduct;
        a.twist += twist;
        a.elbow += elbow;
        a.wrist += wrist;
        a.shrug += shrug;
        a.curl += (82.0 - a.curl) * fist.at(t);
        let g = guard.at(t);
        let up = ArmPose {
            swing: 42.0,
            abduct: 20.0,
            twist: 34.0,
            elbow: 92.0,
            curl: 60.0,
            shrug: 5.0,
            ..b.arms[0]
        };
        b.arms[0] = b.arms[0].mix(up, g);
        b.jaw = 7.0 * fist.at(t) * ease((t - 0.25) / 0.2);
        b
    };
    let left = vec![
        leaving(false, (-1.0, 0.24), 0.0, 0.13, 18.0),
        arriving(standing(false, (0.50, d + 1.0), far, 0.0), -14.0, 0.58),
    ];
    let right = vec![
        leaving(true, (-1.0, 0.80), 0.0, 0.40, 40.0),
        arriving(standing(true, (1.12, d + 1.0), far, 0.0), 9.0, 1.2),
    ];
    Motion {
        name: "attack",
        duration: d,
        looping: false,
        root: Box::new(move |t| Transform::from_translation(Vec3::new(0.0, 0.0, z.at(t)))),
        body: Box::new(body),
        feet: [
            FootPath::new(
                shapes[0],
                left,
                &[Swing {
                    heights: vec![(0.35, 0.10), (0.7, 0.06)],
                    pitches: vec![(0.3, 22.0), (0.8, -12.0)],
                }],
            ),
            FootPath::new(
                shapes[1],
                right,
                &[Swing {
                    heights: vec![(0.35, 0.06), (0.7, 0.045)],
                    pitches: vec![(0.3, 40.0), (0.75, 14.0)],
                }],
            ),
        ],
    }
}

/// A blow to the chest from the front: the body folds back, two steps catch it.
pub fn hit(shapes: [FootShape; 2]) -> Motion {
    let d = 1.3;
    let far = -0.32;
    let z = curve(&[hold(0.04, 0.0), key(0.20, -0.10), key(0.42, -0.26), hold(0.85, far)]);
    let back = curve(&[
        hold(0.0, 0.0),
        key(0.11, -19.0),
        key(0.17, -20.0),
        key(0.42, 7.0),
        key(0.62, 10.0),
        hold(1.2, 0.0),
    ]);
    let head = curve(&[
        hold(0.02, 0.0),
        key(0.09, 6.0),
        key(0.20, -21.0),
        key(0.45, 9.0),
        key(0.65, 7.0),
        hold(1.2, 0.0),
    ]);
    let yaw = curve(&[hold(0.0, 0.0), key(0.13, -17.0), key(0.40, -6.0), key(0.65, 3.0), hold(1.2, 0.0)]);
    let low =
        curve(&[hold(0.0, 0.0), key(0.16, -0.018), key(0.42, -0.075), key(0.75, -0.04), hold(1.2, 0.0)]);
    let push =
        curve(&[hold(0.0, 0.0), key(0.12, -0.060), key(0.34, -0.035), key(0.62, 0.018), hold(1.15, 0.0)]);
    let fling = curve(&[hold(0.02, 0.0), key(0.16, 1.0), key(0.26, 0.85), key(0.62, 0.25), hold(1.2, 0.0)]);
    let body = move |t: f32| {
        let mut b = idle_body(0.0).mix(idle_body(t - d + IDLE), ease(t / d));
        b.shift[1] += low.at(t);
        b.shift[2] += push.at(t);
        b.pelvis[0] -= back.at(t) * 0.35;
        b.pelvis[1] += yaw.at(t) * 0.3;
        b.spine[0] += back.at(t);
        b.spine[1] += yaw.at(t) * 0.7;
        b.head[0] += head.at(t);
        b.head[1] += yaw.at(t) * 0.4;
        let g = fling.at(t);
        for (i, a) in b.arms.iter_mut().enumerate() {
            let more = if i == 0 { 1.0 } else { 0.8 };
            a.swing += 30.0 * g * more;
            a.abduct += 26.0 * g * more;
            a.elbow += 42.0 * g;
            a.shrug += 9.0 * g;
            a.curl -= 12.0 * g;
        }
        b.jaw = 9.0 * g;
        b.eyes[0] = -4.0 * g;
        b
    };
    let right = vec![
        leaving(true, (-1.0, 0.13), 0.0, 0.13, 0.0),
        arriving(standing(true, (0.38, d + 1.0), far, 0.0), 14.0, 0.47),
    ];
    let left = vec![
        leaving(false, (-1.0, 0.50), 0.0, 0.50, 0.0),
        arriving(standing(false, (0.82, d + 1.0), far, 0.0), 8.0, 0.90),
    ];
    Motion {
        name: "hit",
        duration: d,
        looping: false,
        root: Box::new(move |t| Transform::from_translation(Vec3::new(0.0, 0.0, z.at(t)))),
        body: Box::new(body),
        feet: [
            FootPath::new(shapes[0], left, &[low_step(0.06, 10.0)]),
            FootPath::new(shapes[1], right, &[low_step(0.08, 14.0)]),
        ],
    }
}
