//! Joints of the quadruped: a fox of 40 joints, 0.43 m at the shoulder, facing +Z.
//!
//! Bones follow the humanoid's rule: +Y along the bone to its child, +Z up for trunk, neck, head
//! and tail, forward for legs, up for toes. The root stands on the ground with the model's axes.

use sinew::math::{Quat, Vec3};

use crate::feet::FootShape;
use crate::model::{ContactPoint, SkeletonBuilder};
use crate::rotation::frame_yz;

/// Joints of a leg: shoulder blade (front legs only), two long bones, paw, toes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Leg {
    pub scapula: Option<usize>,
    pub upper: usize,
    pub lower: usize,
    pub paw: usize,
    pub toes: usize,
}

/// Joints by their part in the body. Legs are hind left, hind right, front left, front right.
#[derive(Clone, Debug, Default)]
pub struct Bones {
    pub root: usize,
    pub pelvis: usize,
    pub spine: [usize; 4],
    pub neck: [usize; 2],
    pub head: usize,
    pub jaw: usize,
    pub eyes: [usize; 2],
    /// Left base and tip, right base and tip.
    pub ears: [usize; 4],
    pub tail: [usize; 6],
    pub legs: [Leg; 4],
}

/// A point of the left side on the given side.
pub fn side(v: Vec3, right: bool) -> Vec3 {
    if right { Vec3::new(-v.x, v.y, v.z) } else { v }
}

const UP: Vec3 = Vec3::Y;

/// Builds the joints.
pub fn build() -> (SkeletonBuilder, Bones) {
    let mut b = SkeletonBuilder::default();
    let mut n = Bones::default();
    let p = |y: f32, z: f32| Vec3::new(0.0, y, z);
    n.root = b.add("root", None, Vec3::ZERO, Quat::IDENTITY);
    let line = [p(0.400, -0.205), p(0.418, -0.125), p(0.424, -0.035), p(0.422, 0.050), p(0.416, 0.125)];
    let neck = [p(0.455, 0.205), p(0.505, 0.250), p(0.553, 0.290), p(0.535, 0.440)];
    let toward = |a: Vec3, b: Vec3| frame_yz(b - a, UP);
    n.pelvis = b.add("pelvis", Some(n.root), line[0], toward(line[0], line[1]));
    let mut parent = n.pelvis;
    for (i, name) in ["spine_01", "spine_02", "spine_03", "chest"].into_iter().enumerate() {
        let next = line.get(i + 2).copied().unwrap_or(neck[0]);
        parent = b.add(name, Some(parent), line[i + 1], toward(line[i + 1], next));
        n.spine[i] = parent;
    }
    n.neck[0] = b.add("neck_01", Some(parent), neck[0], toward(neck[0], neck[1]));
    n.neck[1] = b.add("neck_02", Some(n.neck[0]), neck[1], toward(neck[1], neck[2]));
    n.head = b.add("head", Some(n.neck[1]), neck[2], toward(neck[2], neck[3]));
    n.jaw = b.add("jaw", Some(n.head), p(0.540, 0.325), toward(p(0.540, 0.325), p(0.522, 0.42)));
    for (i, s) in ["l", "r"].into_iter().enumerate() {
        let right = i == 1;
        let at = side(Vec3::new(0.030, 0.572, 0.352), right);
        n.eyes[i] = b.add(format!("eye_{s}"), Some(n.head), at, b.globals[n.head].rotation);
        let base = side(Vec3::new(0.036, 0.598, 0.282), right);
        let tip = side(Vec3::new(0.050, 0.648, 0.276), right);
        let turn = frame_yz(tip - base, Vec3::Z);
        n.ears[i * 2] = b.add(format!("ear_01_{s}"), Some(n.head), base, turn);
        n.ears[i * 2 + 1] = b.add(format!("ear_02_{s}"), Some(n.ears[i * 2]), tip, turn);
    }
    let mut at = p(0.405, -0.265);
    let mut parent = n.pelvis;
    for (i, drop) in [0.35, 0.55, 0.55, 0.35, 0.10, -0.10].into_iter().enumerate() {
        let direction = p(-drop, -1.0).normalize_or(-Vec3::Z);
        parent = b.add(format!("tail_0{}", i + 1), Some(parent), at, frame_yz(direction, UP));
        n.tail[i] = parent;
        at += direction * 0.075;
    }
    for (i, s) in ["l", "r"].into_iter().enumerate() {
        let points =
            [(0.052, 0.385, -0.215), (0.060, 0.252, -0.150), (0.060, 0.122, -0.262), (0.060, 0.020, -0.218)];
        n.legs[i] = leg(&mut b, n.pelvis, None, points, ["thigh", "shin", "hock", "hind_toes"], s, i == 1);
    }
    for (i, s) in ["l", "r"].into_iter().enumerate() {
        let right = i == 1;
        let blade = side(Vec3::new(0.042, 0.440, 0.130), right);
        let points =
            [(0.050, 0.330, 0.196), (0.055, 0.238, 0.126), (0.055, 0.078, 0.148), (0.055, 0.020, 0.166)];
        let shoulder = side(Vec3::new(0.050, 0.330, 0.196), right);
        let scapula =
            b.add(format!("scapula_{s}"), Some(n.spine[3]), blade, frame_yz(shoulder - blade, Vec3::Z));
        let names = ["upperarm", "forearm", "paw", "front_toes"];
        n.legs[2 + i] = leg(&mut b, scapula, Some(scapula), points, names, s, right);
    }
    (b, n)
}

fn leg(
    b: &mut SkeletonBuilder,
    parent: usize,
    scapula: Option<usize>,
    points: [(f32, f32, f32); 4],
    names: [&str; 4],
    s: &str,
    right: bool,
) -> Leg {
    let p = points.map(|(x, y, z)| side(Vec3::new(x, y, z), right));
    let tip = p[3] + Vec3::Z * 0.05;
    let mut parent = parent;
    let mut out = [0; 4];
    for i in 0..4 {
        let next = p.get(i + 1).copied().unwrap_or(tip);
        let front = if i == 3 { Vec3::Y } else { Vec3::Z };
        parent = b.add(format!("{}_{s}", names[i]), Some(parent), p[i], frame_yz(next - p[i], front));
        out[i] = parent;
    }
    Leg { scapula, upper: out[0], lower: out[1], paw: out[2], toes: out[3] }
}

/// Where the parts of a leg's paw are at rest.
pub fn foot_shape(b: &SkeletonBuilder, leg: &Leg) -> FootShape {
    FootShape { ankle: b.globals[leg.paw].translation, ball: b.globals[leg.toes].translation, heel: None }
}

/// The pad of each paw.
pub fn contact_points(b: &SkeletonBuilder, bones: &Bones) -> Vec<ContactPoint> {
    let names = ["paw_hind_l", "paw_hind_r", "paw_front_l", "paw_front_r"];
    bones
        .legs
        .iter()
        .zip(names)
        .map(|(leg, name)| {
            let toes = b.globals[leg.toes];
            let pad = Vec3::new(toes.translation.x, 0.0, toes.translation.z);
            ContactPoint {
                name,
                joint: leg.toes,
                offset: toes.rotation.conjugate() * (pad - toes.translation),
            }
        })
        .collect()
}
