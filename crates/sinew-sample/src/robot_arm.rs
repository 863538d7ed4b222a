//! A six-axis robot arm of rigid parts: no skin, one mesh for each moving joint.
//!
//! Joints 1 to 6 turn about one axis each: 1 about its +Y (up), 2 and 3 about +X (shoulder and
//! elbow), 4 about +Y (along the forearm), 5 about +X (wrist), 6 about +Y (flange). At rest the arm
//! stands straight up and every joint has the model's axes, so an axis is the same in all poses.

use sinew::math::{Quat, Transform, Vec3, acos, atan2, clamp};

use crate::curve::{Curve, Key, hold, key};
use crate::loft::{Material, MeshBuilder, Ring};
use crate::model::{SampleClip, SampleMesh, SampleModel, SkeletonBuilder};
use crate::rotation::{about_x, about_y, about_z, deg};

const PAINT: usize = 0;
const DARK: usize = 1;
const METAL: usize = 2;

const MATERIALS: [Material; 4] = [
    Material { name: "paint", color: [0.86, 0.36, 0.03], roughness: 0.45, metallic: 0.0 },
    Material { name: "dark", color: [0.05, 0.055, 0.065], roughness: 0.6, metallic: 0.0 },
    Material { name: "metal", color: [0.56, 0.57, 0.58], roughness: 0.35, metallic: 1.0 },
    Material { name: "part", color: [0.08, 0.30, 0.62], roughness: 0.5, metallic: 0.0 },
];

/// Heights of the joints at rest, metres: turntable, shoulder, elbow, forearm, wrist, flange, tool.
const HEIGHTS: [f32; 7] = [0.14, 0.40, 0.95, 1.07, 1.45, 1.55, 1.72];
/// Lengths of the two long bones, and from wrist to tool.
const UPPER: f32 = HEIGHTS[2] - HEIGHTS[1];
const FORE: f32 = HEIGHTS[4] - HEIGHTS[2];
const TOOL: f32 = HEIGHTS[6] - HEIGHTS[4];
/// Side of the cube that is carried.
const CUBE: f32 = 0.12;

/// The six angles in radians that bring the tool to a point, pointing straight down, turned by
/// `spin` about the vertical. Closed form: base by the direction, shoulder and elbow by the law of
/// cosines, wrist by what is left.
fn angles_to(tool: Vec3, spin: f32) -> [f32; 6] {
    let base = atan2(tool.x, tool.z);
    let out = (tool.x * tool.x + tool.z * tool.z).sqrt();
    let up = tool.y + TOOL - HEIGHTS[1];
    let d2 = out * out + up * up;
    let d = d2.sqrt();
    let inner = acos(clamp((UPPER * UPPER + d2 - FORE * FORE) / (2.0 * UPPER * d), -1.0, 1.0));
    let elbow = acos(clamp((d2 - UPPER * UPPER - FORE * FORE) / (2.0 * UPPER * FORE), -1.0, 1.0));
    // From the vertical, forward is positive; the elbow stays up.
    let shoulder = atan2(out, up) - inner;
    let wrist = core::f32::consts::PI - shoulder - elbow;
    [base, shoulder, elbow, 0.0, wrist, base - spin]
}

/// The robot arm with its clip `pick_and_place`.
pub fn robot_arm() -> SampleModel {
    let mut b = SkeletonBuilder::default();
    let id = Quat::IDENTITY;
    let root = b.add("root", None, Vec3::ZERO, id);
    let base = b.add("base", Some(root), Vec3::ZERO, id);
    let mut axes = [0; 6];
    let mut parent = base;
    for (i, axis) in axes.iter_mut().enumerate() {
        let names = ["axis_1", "axis_2", "axis_3", "axis_4", "axis_5", "axis_6"];
        parent = b.add(names[i], Some(parent), Vec3::new(0.0, HEIGHTS[i], 0.0), id);
        *axis = parent;
    }
    b.add("tool", Some(parent), Vec3::new(0.0, HEIGHTS[6], 0.0), id);
    let fingers = [("finger_l", 0.075), ("finger_r", -0.075)]
        .map(|(name, x)| b.add(name, Some(parent), Vec3::new(x, HEIGHTS[5] + 0.055, 0.0), id));
    let part = b.add("part", Some(root), PICK, id);
    let clip = pick_and_place(&b, &axes, fingers, part);
    SampleModel {
        name: "robot_arm",
        meshes: meshes(base, &axes, fingers, part),
        clips: vec![clip],
        contact_points: Vec::new(),
        joints: b.joints,
    }
}

/// Middle of the cube where it is taken and where it is put.
const PICK: Vec3 = Vec3::new(0.62, CUBE * 0.5, 0.42);
const PLACE: Vec3 = Vec3::new(-0.58, CUBE * 0.5, 0.52);

/// Takes the cube on the left, puts it on the right, and goes back: a loop of six seconds, in
/// which the cube is handed back by the same arm.
fn pick_and_place(b: &SkeletonBuilder, axes: &[usize; 6], fingers: [usize; 2], part: usize) -> SampleClip {
    let (rate, duration) = (60.0, 6.0);
    let half = 3.0;
    // One way: hover, down, close, up, across, down, open, up. The way back is the same mirrored.
    let high = 0.42;
    let leg = |from: Vec3, to: Vec3, start: f32, out: &mut [Vec<Key>; 3]| {
        let aside = atan2(from.x, from.z);
        let there = atan2(to.x, to.z);
        let radius = |v: Vec3| (v.x * v.x + v.z * v.z).sqrt();
        out[0].extend([hold(start + 0.95, aside), hold(start + 2.0, there)]);
        out[1].extend([hold(start + 0.95, radius(from)), hold(start + 2.0, radius(to))]);
        out[2].extend([
            hold(start, high),
            hold(start + 0.42, CUBE * 0.5),
            hold(start + 0.62, CUBE * 0.5),
            key(start + 1.10, high),
            key(start + 1.50, high + 0.16),
            key(start + 1.85, high),
            hold(start + 2.35, CUBE * 0.5),
            hold(start + 2.55, CUBE * 0.5),
            hold(start + half, high),
        ]);
    };
    let mut keys: [Vec<Key>; 3] = Default::default();
    leg(PICK, PLACE, 0.0, &mut keys);
    leg(PLACE, PICK, half, &mut keys);
    // Both ways touch at the middle: the second start repeats the first end.
    keys[2].dedup_by(|a, b| a.t == b.t);
    let [direction, radius, height] = keys.map(|k| Curve::new(&k));
    let grip = Curve::new(&[
        hold(0.40, 0.0),
        hold(0.60, 1.0),
        hold(2.36, 1.0),
        hold(2.54, 0.0),
        hold(half + 0.40, 0.0),
        hold(half + 0.60, 1.0),
        hold(half + 2.36, 1.0),
        hold(half + 2.54, 0.0),
    ]);
    let place = |t: f32| {
        let (s, c) = sinew::math::sin_cos(direction.at(t));
        Vec3::new(s * radius.at(t), height.at(t), c * radius.at(t))
    };
    // The cube lies still, or hangs in the closed gripper.
    let carried = |t: f32| {
        let held = |start: f32| t >= start + 0.60 && t <= start + 2.36;
        if held(0.0) || held(half) {
            place(t)
        } else if t > 2.36 && t < half + 0.60 {
            PLACE
        } else {
            PICK
        }
    };
    let count = (duration * rate) as usize;
    let frames = (0..=count).map(|i| {
        let t = i as f32 / rate;
        let mut locals: Vec<Transform> = b.joints.iter().map(|j| j.rest).collect();
        let angles = angles_to(place(t), 0.0);
        for (k, (&joint, angle)) in axes.iter().zip(angles).enumerate() {
            locals[joint].rotation = if matches!(k, 1 | 2 | 4) { about_x(angle) } else { about_y(angle) };
        }
        let close = 0.075 - (0.075 - CUBE * 0.5 - 0.012) * grip.at(t);
        locals[fingers[0]].translation.x = close;
        locals[fingers[1]].translation.x = -close;
        locals[part].translation = carried(t);
        locals
    });
    let frames = frames.collect();
    let mut clip = SampleClip { name: "pick_and_place", rate, looping: true, frames, contacts: Vec::new() };
    clip.align_signs();
    clip
}

/// One mesh for each joint, in the joint's space.
fn meshes(base: usize, axes: &[usize; 6], fingers: [usize; 2], part: usize) -> Vec<SampleMesh> {
    let up = Quat::IDENTITY;
    let across = about_z(deg(-90.0));
    let w = || vec![(0, 1.0)];
    let mut out = Vec::new();
    let mut add = |name: &str, joint: usize, make: &dyn Fn(&mut MeshBuilder)| {
        let mut m = MeshBuilder::new(&MATERIALS);
        make(&mut m);
        out.push(m.finish(name, Some(joint)));
    };
    let v = Vec3::new;
    add("base", base, &|m| {
        tube(
            m,
            v(0.0, 0.0, 0.0),
            up,
            &[
                (0.0, 0.25, DARK),
                (0.035, 0.25, DARK),
                (0.05, 0.20, DARK),
                (0.13, 0.18, METAL),
                (0.145, 0.17, METAL),
            ],
        );
    });
    add("axis_1", axes[0], &|m| {
        tube(
            m,
            v(0.0, 0.005, 0.0),
            up,
            &[(0.0, 0.165, PAINT), (0.03, 0.17, PAINT), (0.10, 0.155, PAINT), (0.15, 0.12, PAINT)],
        );
        for x in [-0.115, 0.115] {
            m.block(v(x, 0.20, 0.0), up, v(0.035, 0.14, 0.095), 0.014, PAINT, w());
        }
    });
    add("axis_2", axes[1], &|m| {
        tube(
            m,
            v(-0.165, 0.0, 0.0),
            across,
            &[(0.0, 0.075, DARK), (0.015, 0.085, DARK), (0.315, 0.085, DARK), (0.33, 0.075, DARK)],
        );
        let arm = [
            (-0.07, 0.075, PAINT),
            (0.05, 0.085, PAINT),
            (0.25, 0.070, PAINT),
            (0.45, 0.062, PAINT),
            (0.52, 0.060, PAINT),
        ];
        tube(m, v(0.0, 0.0, 0.0), up, &arm);
    });
    add("axis_3", axes[2], &|m| {
        tube(
            m,
            v(-0.11, 0.0, 0.0),
            across,
            &[(0.0, 0.065, DARK), (0.012, 0.075, DARK), (0.208, 0.075, DARK), (0.22, 0.065, DARK)],
        );
        tube(
            m,
            v(0.0, 0.0, 0.0),
            up,
            &[(-0.05, 0.060, PAINT), (0.03, 0.070, PAINT), (0.10, 0.066, PAINT), (0.118, 0.060, PAINT)],
        );
    });
    add("axis_4", axes[3], &|m| {
        tube(
            m,
            v(0.0, 0.0, 0.0),
            up,
            &[
                (0.0, 0.056, METAL),
                (0.012, 0.058, PAINT),
                (0.14, 0.050, PAINT),
                (0.28, 0.044, PAINT),
                (0.32, 0.044, DARK),
                (0.34, 0.040, DARK),
            ],
        );
        for x in [-0.052, 0.052] {
            m.block(v(x, 0.345, 0.0), up, v(0.014, 0.070, 0.040), 0.008, DARK, w());
        }
    });
    add("axis_5", axes[4], &|m| {
        tube(
            m,
            v(-0.072, 0.0, 0.0),
            across,
            &[(0.0, 0.034, METAL), (0.008, 0.040, METAL), (0.136, 0.040, METAL), (0.144, 0.034, METAL)],
        );
        tube(
            m,
            v(0.0, 0.0, 0.0),
            up,
            &[(-0.02, 0.032, PAINT), (0.03, 0.038, PAINT), (0.085, 0.038, PAINT), (0.098, 0.034, PAINT)],
        );
    });
    add("axis_6", axes[5], &|m| {
        tube(
            m,
            v(0.0, 0.0, 0.0),
            up,
            &[(0.0, 0.036, METAL), (0.012, 0.040, METAL), (0.022, 0.040, METAL), (0.026, 0.036, METAL)],
        );
        m.block(v(0.0, 0.040, 0.0), up, v(0.11, 0.018, 0.034), 0.008, DARK, w());
    });
    for (name, joint, x) in [("finger_l", fingers[0], 1.0), ("finger_r", fingers[1], -1.0)] {
        add(name, joint, &|m| {
            m.block(v(0.0, 0.060, 0.0), up, v(0.011, 0.066, 0.026), 0.005, METAL, w());
            m.block(v(-0.006 * x, 0.110, 0.0), up, v(0.006, 0.030, 0.028), 0.003, DARK, w());
        });
    }
    add("part", part, &|m| m.block(Vec3::ZERO, up, Vec3::splat(CUBE * 0.5), 0.010, 3, w()));
    out
}

/// A turned part: distance along +Y of `turn`, radius, material. Edges are doubled, so they look
/// sharp.
fn tube(m: &mut MeshBuilder, at: Vec3, turn: Quat, profile: &[(f32, f32, usize)]) {
    let ring = |&(y, r, material): &(f32, f32, usize)| Ring {
        center: at + turn * Vec3::new(0.0, y, 0.0),
        turn,
        size: [r; 3],
        power: 2.0,
        weights: vec![(0, 1.0)],
        material,
    };
    let mut rings: Vec<Ring> = Vec::new();
    if let Some(&(y, r, material)) = profile.first() {
        rings.push(ring(&(y, r * 0.97, material)));
    }
    rings.extend(profile.iter().map(|p| ring(&(p.0 + 0.003, p.1, p.2))));
    if let Some(&(y, r, material)) = profile.last() {
        rings.push(ring(&(y + 0.006, r * 0.97, material)));
    }
    m.loft(&rings, 28);
}
