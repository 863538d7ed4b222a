//! Motions of the quadruped.

use core::f32::consts::TAU;

use sinew::math::{Transform, Vec3, cos, sin};

use super::skeleton::Bones;
use crate::curve::{Curve, ease, hold, key};
use crate::feet::{FootPath, FootPose, FootShape, Stance, Swing};
use crate::figure::Figure;
use crate::model::{Contact, SampleClip, SkeletonBuilder};
use crate::rotation::{about_x, about_y, about_z, deg, slerp};

/// A pose apart from root and paws; metres and degrees as in the humanoid: pitch (nose down), yaw
/// (left), roll (left side up).
#[derive(Clone, Copy, Debug, Default)]
pub struct Body {
    /// Shift of the pelvis: left, up, forward.
    pub shift: [f32; 3],
    pub pelvis: [f32; 3],
    /// Over the whole spine.
    pub spine: [f32; 3],
    /// Head against the root.
    pub head: [f32; 3],
    /// Tail up and to the left (tip to the right), per joint against the one before.
    pub tail: [[f32; 2]; 6],
    /// Ears back.
    pub ears: [f32; 2],
    /// Jaw open.
    pub jaw: f32,
    /// Shoulder blades forward: left, right.
    pub blades: [f32; 2],
}

/// A motion as functions of seconds.
pub struct Motion {
    pub name: &'static str,
    pub duration: f32,
    pub looping: bool,
    pub root: Box<dyn Fn(f32) -> Transform>,
    pub body: Box<dyn Fn(f32) -> Body>,
    pub feet: [FootPath; 4],
}

fn angles([pitch, yaw, roll]: [f32; 3]) -> sinew::math::Quat {
    about_y(deg(yaw)) * about_x(deg(pitch)) * about_z(deg(roll))
}

fn pose(
    skeleton: &SkeletonBuilder,
    n: &Bones,
    root: Transform,
    body: &Body,
    feet: [FootPose; 4],
) -> Vec<Transform> {
    let mut f = Figure::new(&skeleton.joints, &skeleton.globals);
    f.set(n.root, root.translation, root.rotation);
    let [x, y, z] = body.shift;
    let pelvis = root.transform_point(f.rest_place(n.pelvis) + Vec3::new(x, y, z));
    f.set(n.pelvis, pelvis, root.rotation * angles(body.pelvis));
    for joint in n.spine {
        f.follow(joint, angles(body.spine.map(|v| v * 0.25)));
    }
    let chest = f.turn(n.spine[3]);
    let head = root.rotation * angles(body.head);
    f.point(n.neck[0], slerp(chest, head, 0.35));
    f.point(n.neck[1], slerp(chest, head, 0.7));
    f.point(n.head, head);
    f.follow(n.jaw, about_x(deg(body.jaw)));
    for eye in n.eyes {
        f.follow(eye, sinew::math::Quat::IDENTITY);
    }
    for (i, joint) in n.ears.into_iter().enumerate() {
        f.follow(joint, about_x(deg(-body.ears[i / 2] * if i % 2 == 0 { 1.0 } else { 0.6 })));
    }
    for (joint, [pitch, yaw]) in n.tail.into_iter().zip(body.tail) {
        f.follow(joint, about_y(deg(yaw)) * about_x(deg(-pitch)));
    }
    for (i, (leg, foot)) in n.legs.iter().zip(feet).enumerate() {
        if let Some(blade) = leg.scapula {
            f.follow(blade, about_x(deg(-body.blades[i - 2])));
        }
        // Knees point forward, elbows back.
        let pole = root.rotation * if i < 2 { Vec3::Z } else { -Vec3::Z };
        f.reach([leg.upper, leg.lower, leg.paw], foot.ankle, pole);
        f.point(leg.paw, foot.foot);
        f.point(leg.toes, foot.toes);
    }
    f.locals()
}

impl Motion {
    /// Every frame's pose.
    pub fn bake(&self, skeleton: &SkeletonBuilder, bones: &Bones) -> SampleClip {
        let rate = 60.0;
        let count = sinew::math::round(self.duration * rate) as usize;
        let frames = (0..=count).map(|i| {
            let t = i as f32 / rate;
            let feet = [0, 1, 2, 3].map(|i: usize| self.feet[i].at(t));
            pose(skeleton, bones, (self.root)(t), &(self.body)(t), feet)
        });
        let frames = frames.collect();
        let contacts = self.feet.iter().enumerate().flat_map(|(point, path)| {
            path.contacts(0.0, self.duration).into_iter().map(move |(_, start, end)| Contact {
                point,
                start,
                end,
            })
        });
        let contacts = contacts.collect();
        let mut clip = SampleClip { name: self.name, rate, looping: self.looping, frames, contacts };
        clip.align_signs();
        clip
    }
}

/// A gait of four legs.
struct Gait {
    period: f32,
    speed: f32,
    duty: f32,
    /// Phase of each leg's touch: hind left, hind right, front left, front right.
    phases: [f32; 4],
    /// Footprints ahead of the rest place at mid-stance: hind, front.
    ahead: [f32; 2],
    /// Half distance between left and right prints.
    width: f32,
    strike: f32,
    off: [f32; 2],
    height: f32,
}

impl Gait {
    fn paths(&self, shapes: [FootShape; 4]) -> [FootPath; 4] {
        [0, 1, 2, 3].map(|i: usize| {
            let right = i % 2 == 1;
            let front = i / 2;
            let stance = |n: i32| {
                let start = (n as f32 + self.phases[i]) * self.period;
                let length = self.duty * self.period;
                let x = if right { -self.width } else { self.width };
                let z = shapes[i].ankle.z + self.ahead[front] + self.speed * (start + length * 0.5);
                Stance {
                    time: (start, start + length),
                    at: (x, z),
                    yaw: 0.0,
                    strike: self.strike,
                    flat: start + length * 0.3,
                    lift: start + length * 0.5,
                    off: self.off[front],
                }
            };
            let h = self.height;
            let off = self.off[front];
            let swing = Swing {
                heights: vec![(0.35, h), (0.7, h * 0.75)],
                pitches: vec![(0.3, off * 1.15), (0.7, off * 0.35)],
            };
            FootPath::new(shapes[i], (-2..4).map(stance).collect(), &[swing])
        })
    }
}

/// A wave that runs down the tail: amplitude and lag grow to the tip.
fn tail(base: f32, pitch: f32, yaw: f32, phase: f32, waves: f32) -> [[f32; 2]; 6] {
    core::array::from_fn(|i| {
        let lag = 0.085 * i as f32;
        let grow = 0.5 + 0.16 * i as f32;
        [base + pitch * grow * cos(TAU * (waves * phase - lag)), yaw * grow * sin(TAU * (phase - lag))]
    })
}

/// All motions.
pub fn motions(shapes: [FootShape; 4]) -> Vec<Motion> {
    vec![survey(shapes), walk(shapes), run(shapes), turn(shapes)]
}

/// Where the paws stand at ease.
fn standing(shape: FootShape, time: (f32, f32), yaw: f32) -> Stance {
    let at = about_y(deg(yaw)) * Vec3::new(shape.ankle.x, 0.0, shape.ankle.z);
    Stance { time, at: (at.x, at.z), yaw, strike: 0.0, flat: time.0, lift: time.1, off: 0.0 }
}

/// At ease, `u` from 0 to 1 of a loop.
fn survey_body(u: f32) -> Body {
    let w = |k: f32, at: f32| cos(TAU * k * (u - at));
    let look = Curve::periodic(
        1.0,
        &[
            hold(0.0, 0.0),
            key(0.13, 30.0),
            key(0.27, 33.0),
            key(0.45, -4.0),
            key(0.60, -36.0),
            key(0.74, -33.0),
            key(0.88, -6.0),
        ],
    )
    .at(u);
    let nod = Curve::periodic(
        1.0,
        &[hold(0.0, 0.0), key(0.2, -7.0), key(0.45, 4.0), key(0.67, -5.0), key(0.86, 9.0)],
    )
    .at(u);
    Body {
        shift: [0.007 * sin(TAU * u), -0.006 + 0.0012 * w(3.0, 0.0), 0.0],
        pelvis: [0.0, 0.0, -0.8 * sin(TAU * u)],
        spine: [-1.0 - 0.9 * w(3.0, 0.05), look * 0.10, 0.0],
        head: [nod, look, look * 0.12],
        tail: tail(3.0, 1.5, 7.0, u, 2.0),
        ears: [6.0 * w(2.0, 0.1), 6.0 * w(3.0, 0.4)],
        jaw: 1.5 + 1.5 * w(3.0, 0.2),
        blades: [0.0; 2],
    }
}

fn survey(shapes: [FootShape; 4]) -> Motion {
    Motion {
        name: "survey",
        duration: 5.0,
        looping: true,
        root: Box::new(|_| Transform::IDENTITY),
        body: Box::new(|t| survey_body(t / 5.0)),
        feet: shapes.map(|s| FootPath::new(s, vec![standing(s, (-1.0, 6.0), 0.0)], &[])),
    }
}

fn walk(shapes: [FootShape; 4]) -> Motion {
    let g = Gait {
        period: 0.8,
        speed: 0.56,
        duty: 0.64,
        phases: [0.0, 0.5, 0.25, 0.75],
        ahead: [0.015, 0.020],
        width: 0.048,
        strike: -8.0,
        off: [34.0, 46.0],
        height: 0.055,
    };
    let body = |u: f32| {
        let w = |k: f32, at: f32| cos(TAU * k * (u - at));
        // Blades and hips go with their legs: forward at touch, back at lift.
        Body {
            shift: [0.006 * w(1.0, 0.32), -0.021 + 0.004 * w(2.0, 0.30), 0.0],
            pelvis: [0.8 * w(2.0, 0.1), -3.5 * w(1.0, 0.02), 2.0 * w(1.0, 0.2)],
            spine: [0.6 * w(2.0, 0.2), 5.0 * w(1.0, 0.06), -2.5 * w(1.0, 0.3)],
            head: [8.0 + 2.0 * w(2.0, 0.15), 0.8 * w(1.0, 0.1), 0.0],
            tail: tail(2.0, 1.6, 4.0, u, 2.0),
            ears: [2.0 * w(2.0, 0.2), 2.0 * w(2.0, 0.3)],
            jaw: 2.0,
            blades: [13.0 * w(1.0, 0.23), 13.0 * w(1.0, 0.73)],
        }
    };
    let paths = g.paths(shapes);
    Motion {
        name: "walk",
        duration: g.period,
        looping: true,
        root: Box::new(move |t| Transform::from_translation(Vec3::new(0.0, 0.0, g.speed * t))),
        body: Box::new(move |t| body(t / 0.8)),
        feet: paths,
    }
}

fn run(shapes: [FootShape; 4]) -> Motion {
    let g = Gait {
        period: 0.5,
        speed: 2.4,
        duty: 0.22,
        phases: [0.0, 0.10, 0.46, 0.58],
        ahead: [0.05, 0.015],
        width: 0.042,
        strike: -8.0,
        off: [36.0, 44.0],
        height: 0.080,
    };
    let body = |u: f32| {
        let w = |k: f32, at: f32| cos(TAU * k * (u - at));
        // The back is arched most when the hind legs reach under the body, just before they touch.
        let arch = w(1.0, 0.93);
        Body {
            shift: [0.0, -0.034 + 0.016 * w(1.0, 0.82), 0.006 * arch],
            pelvis: [-8.0 * arch + 2.0 * w(1.0, 0.33), 0.0, 1.2 * w(1.0, 0.1)],
            spine: [16.0 * arch, 0.0, -1.2 * w(1.0, 0.15)],
            head: [4.0 + 3.5 * w(1.0, 0.75), 0.0, 0.0],
            tail: tail(-3.5, 5.0, 1.5, u, 1.0),
            ears: [24.0 + 3.0 * w(1.0, 0.3), 24.0 + 3.0 * w(1.0, 0.4)],
            jaw: 7.0 + 2.0 * w(1.0, 0.0),
            blades: [18.0 * w(1.0, 0.43), 18.0 * w(1.0, 0.55)],
        }
    };
    let paths = g.paths(shapes);
    Motion {
        name: "run",
        duration: g.period,
        looping: true,
        root: Box::new(move |t| Transform::from_translation(Vec3::new(0.0, 0.0, g.speed * t))),
        body: Box::new(move |t| body(t / 0.5)),
        feet: paths,
    }
}

/// A turn on the spot by a quarter to the left, in four rounds of steps.
fn turn(shapes: [FootShape; 4]) -> Motion {
    let duration = 2.4;
    let yaw = |t: f32| 90.0 * ease((t - 0.05) / 2.2);
    let rounds = 4;
    let round = 0.5;
    let feet = [0, 1, 2, 3].map(|i: usize| {
        let s = shapes[i];
        let offset = [0.10, 0.35, 0.225, 0.475][i];
        let mut stances = Vec::new();
        let mut start = -1.0;
        let mut facing = 0.0;
        for k in 0..=rounds {
            let lift = k as f32 * round + offset;
            let end = if k == rounds { duration + 1.0 } else { lift };
            let mut stance = standing(s, (start, end), facing);
            if k < rounds {
                stance.lift = end - 0.09;
                stance.off = 24.0;
            }
            stances.push(stance);
            start = lift + 0.20;
            // The print faces where the body will in the middle of the coming stance.
            facing = if k + 1 == rounds { 90.0 } else { yaw(start + 0.15) };
        }
        let swing =
            Swing { heights: vec![(0.35, 0.045), (0.7, 0.035)], pitches: vec![(0.35, 24.0), (0.75, 6.0)] };
        FootPath::new(s, stances, &[swing])
    });
    let body = move |t: f32| {
        let mut b = survey_body(0.0);
        // The head leads, the tail follows.
        let lead = Curve::new(&[hold(0.0, 0.0), key(0.45, 24.0), key(1.3, 20.0), hold(2.3, 0.0)]).at(t);
        let bob = ease(t / 0.3) * (1.0 - ease((t - 2.0) / 0.35));
        b.head[1] += lead;
        b.head[0] += 4.0 * bob;
        b.spine[1] += lead * 0.5;
        b.pelvis[1] -= lead * 0.12;
        b.shift[1] -= 0.008 * bob - 0.003 * bob * cos(TAU * t / 0.25);
        for j in &mut b.tail {
            j[1] -= lead * 0.22;
        }
        b
    };
    Motion {
        name: "turn_left",
        duration,
        looping: false,
        root: Box::new(move |t| Transform::from_rotation(about_y(deg(yaw(t))))),
        body: Box::new(body),
        feet,
    }
}
