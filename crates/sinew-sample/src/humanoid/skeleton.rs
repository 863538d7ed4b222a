//! Joints of the humanoid: 67, 1.75 m tall, A-pose, facing +Z.
//!
//! Every bone's +Y runs along it to its child, and a positive turn about its +X takes +Y towards
//! +Z. +Z is forward for trunk, arms and legs (so elbows flex with +X, knees with -X), up for feet
//! and toes, and the palm's side for hands and fingers (so they close with +X). The root stands on
//! the ground with the model's axes.

use sinew::math::{Quat, Vec3};

use crate::feet::FootShape;
use crate::model::{ContactPoint, SkeletonBuilder};
use crate::rotation::frame_yz;

/// Joints of an arm.
#[derive(Clone, Copy, Debug, Default)]
pub struct Arm {
    pub clavicle: usize,
    pub upper: usize,
    pub upper_twist: usize,
    pub lower: usize,
    pub lower_twist: usize,
    pub hand: usize,
    /// Thumb, index, middle, ring, pinky; three joints each, from the hand.
    pub fingers: [[usize; 3]; 5],
}

/// Joints of a leg.
#[derive(Clone, Copy, Debug, Default)]
pub struct Leg {
    pub thigh: usize,
    pub thigh_twist: usize,
    pub calf: usize,
    pub calf_twist: usize,
    pub foot: usize,
    pub ball: usize,
}

/// Joints by their part in the body; sides are left, right.
#[derive(Clone, Debug, Default)]
pub struct Bones {
    pub root: usize,
    pub pelvis: usize,
    pub spine: [usize; 4],
    pub neck: [usize; 2],
    pub head: usize,
    pub jaw: usize,
    pub eyes: [usize; 2],
    pub arms: [Arm; 2],
    pub legs: [Leg; 2],
    pub prop: usize,
}

/// Direction of the left upper arm at rest.
pub const ARM: Vec3 = Vec3::new(0.707_106_77, -0.707_106_77, 0.0);
/// Side of the left palm at rest.
pub const PALM: Vec3 = Vec3::new(-0.707_106_77, -0.707_106_77, 0.0);
const FINGER_NAMES: [&str; 5] = ["thumb", "index", "middle", "ring", "pinky"];
/// Offset from the hand along the hand and towards the thumb, then lengths of the three bones.
pub const FINGERS: [[f32; 5]; 5] = [
    [0.024, 0.026, 0.046, 0.034, 0.027],
    [0.092, 0.031, 0.044, 0.027, 0.021],
    [0.095, 0.010, 0.049, 0.030, 0.022],
    [0.091, -0.011, 0.045, 0.028, 0.021],
    [0.083, -0.031, 0.035, 0.021, 0.018],
];

/// Direction of a finger of the left hand at rest.
pub fn finger_direction(finger: usize) -> Vec3 {
    let hand = forearm_direction();
    let v = match finger {
        0 => hand * 0.62 + Vec3::Z * 0.68 + PALM * 0.38,
        1 => hand + Vec3::Z * 0.06,
        2 => hand,
        3 => hand - Vec3::Z * 0.05,
        _ => hand - Vec3::Z * 0.11,
    };
    v.normalize_or(hand)
}

/// Direction of the left forearm and hand at rest: a little bent, so that the elbow has a plane.
pub fn forearm_direction() -> Vec3 {
    Vec3::new(0.70, -0.70, 0.14).normalize_or(ARM)
}

/// A point or direction of the left side on the given side.
pub fn side(v: Vec3, right: bool) -> Vec3 {
    if right { Vec3::new(-v.x, v.y, v.z) } else { v }
}

/// Builds the joints.
pub fn build() -> (SkeletonBuilder, Bones) {
    let mut b = SkeletonBuilder::default();
    let mut n = Bones::default();
    let id = Quat::IDENTITY;
    n.root = b.add("root", None, Vec3::ZERO, id);
    n.pelvis = b.add("pelvis", Some(n.root), Vec3::new(0.0, 0.965, 0.0), id);
    let spine = [(1.035, -0.006), (1.13, -0.010), (1.23, -0.018), (1.335, -0.028)];
    let mut parent = n.pelvis;
    for (i, (y, z)) in spine.into_iter().enumerate() {
        parent = b.add(format!("spine_0{}", i + 1), Some(parent), Vec3::new(0.0, y, z), id);
        n.spine[i] = parent;
    }
    n.neck[0] = b.add("neck_01", Some(n.spine[3]), Vec3::new(0.0, 1.468, -0.030), id);
    n.neck[1] = b.add("neck_02", Some(n.neck[0]), Vec3::new(0.0, 1.512, -0.022), id);
    n.head = b.add("head", Some(n.neck[1]), Vec3::new(0.0, 1.556, -0.010), id);
    n.jaw = b.add("jaw", Some(n.head), Vec3::new(0.0, 1.585, 0.012), id);
    for (i, s) in ["l", "r"].into_iter().enumerate() {
        let at = side(Vec3::new(0.032, 1.640, 0.070), i == 1);
        n.eyes[i] = b.add(format!("eye_{s}"), Some(n.head), at, id);
    }
    for (i, s) in ["l", "r"].into_iter().enumerate() {
        n.arms[i] = arm(&mut b, n.spine[3], s, i == 1);
    }
    for (i, s) in ["l", "r"].into_iter().enumerate() {
        n.legs[i] = leg(&mut b, n.pelvis, s, i == 1);
    }
    let hand = b.globals[n.arms[1].hand];
    let grip = hand.translation + hand.rotation * Vec3::new(0.0, 0.082, 0.028);
    n.prop = b.add("prop_r", Some(n.arms[1].hand), grip, hand.rotation);
    (b, n)
}

fn arm(b: &mut SkeletonBuilder, chest: usize, s: &str, right: bool) -> Arm {
    let m = |v| side(v, right);
    let shoulder = Vec3::new(0.172, 1.420, -0.030);
    let collar = Vec3::new(0.022, 1.437, 0.0);
    let elbow = shoulder + ARM * 0.285;
    let fore = forearm_direction();
    let wrist = elbow + fore * 0.255;
    let arm_turn = frame_yz(m(ARM), Vec3::Z);
    let fore_turn = frame_yz(m(fore), Vec3::Z);
    let clavicle =
        b.add(format!("clavicle_{s}"), Some(chest), m(collar), frame_yz(m(shoulder - collar), Vec3::Z));
    let upper = b.add(format!("upperarm_{s}"), Some(clavicle), m(shoulder), arm_turn);
    let upper_twist =
        b.add(format!("upperarm_twist_01_{s}"), Some(upper), m(shoulder + ARM * 0.1425), arm_turn);
    let lower = b.add(format!("lowerarm_{s}"), Some(upper), m(elbow), fore_turn);
    let lower_twist =
        b.add(format!("lowerarm_twist_01_{s}"), Some(lower), m(elbow + fore * 0.1275), fore_turn);
    let hand = b.add(format!("hand_{s}"), Some(lower), m(wrist), frame_yz(m(fore), m(PALM)));
    let mut fingers = [[0; 3]; 5];
    for (f, joints) in fingers.iter_mut().enumerate() {
        let [along, across, lengths @ ..] = FINGERS[f];
        let direction = finger_direction(f);
        let mut at = wrist + fore * along + Vec3::Z * across;
        if f == 0 {
            at += PALM * 0.010;
        }
        let turn = frame_yz(m(direction), m(if f == 0 { PALM - Vec3::Z * 0.6 } else { PALM }));
        let mut parent = hand;
        for (k, joint) in joints.iter_mut().enumerate() {
            parent = b.add(format!("{}_0{}_{s}", FINGER_NAMES[f], k + 1), Some(parent), m(at), turn);
            at += direction * lengths[k];
            *joint = parent;
        }
    }
    Arm { clavicle, upper, upper_twist, lower, lower_twist, hand, fingers }
}

fn leg(b: &mut SkeletonBuilder, pelvis: usize, s: &str, right: bool) -> Leg {
    let m = |v| side(v, right);
    let hip = Vec3::new(0.092, 0.925, 0.0);
    let knee = Vec3::new(0.097, 0.507, 0.016);
    let ankle = Vec3::new(0.100, 0.083, -0.022);
    let ball = Vec3::new(0.104, 0.024, 0.108);
    let toe = Vec3::new(0.105, 0.020, 0.180);
    let mid = |a: Vec3, b: Vec3| a.lerp(b, 0.5);
    let thigh_turn = frame_yz(m(knee - hip), Vec3::Z);
    let calf_turn = frame_yz(m(ankle - knee), Vec3::Z);
    let thigh = b.add(format!("thigh_{s}"), Some(pelvis), m(hip), thigh_turn);
    let thigh_twist = b.add(format!("thigh_twist_01_{s}"), Some(thigh), m(mid(hip, knee)), thigh_turn);
    let calf = b.add(format!("calf_{s}"), Some(thigh), m(knee), calf_turn);
    let calf_twist = b.add(format!("calf_twist_01_{s}"), Some(calf), m(mid(knee, ankle)), calf_turn);
    let foot = b.add(format!("foot_{s}"), Some(calf), m(ankle), frame_yz(m(ball - ankle), Vec3::Y));
    let ball = b.add(format!("ball_{s}"), Some(foot), m(ball), frame_yz(m(toe - ball), Vec3::Y));
    Leg { thigh, thigh_twist, calf, calf_twist, foot, ball }
}

/// Where the parts of a foot are at rest.
pub fn foot_shape(b: &SkeletonBuilder, leg: &Leg) -> FootShape {
    let ankle = b.globals[leg.foot].translation;
    let heel = Vec3::new(ankle.x, 0.0, ankle.z - 0.045);
    FootShape { ankle, ball: b.globals[leg.ball].translation, heel: Some(heel) }
}

/// Heel and ball of both feet.
pub fn contact_points(b: &SkeletonBuilder, bones: &Bones) -> Vec<ContactPoint> {
    let mut out = Vec::new();
    for (leg, names) in bones.legs.iter().zip([["heel_l", "ball_l"], ["heel_r", "ball_r"]]) {
        let shape = foot_shape(b, leg);
        let heel = shape.heel.unwrap_or(shape.ankle);
        let sole = Vec3::new(shape.ball.x, 0.0, shape.ball.z);
        for (name, joint, at) in [(names[0], leg.foot, heel), (names[1], leg.ball, sole)] {
            let global = b.globals[joint];
            let offset = global.rotation.conjugate() * (at - global.translation);
            out.push(ContactPoint { name, joint, offset });
        }
    }
    out
}
