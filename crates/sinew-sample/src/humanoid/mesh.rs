//! Skin of the humanoid: a mannequin of rounded segments with dark joints.

use sinew::math::{Quat, Vec3};

use super::skeleton::{Bones, FINGERS, PALM, side};
use crate::loft::{Chain, Limb, Material, MeshBuilder, Ring, Section};
use crate::model::{SampleMesh, SkeletonBuilder};
use crate::rotation::{about_x, deg, frame_yz};

const SHELL: usize = 0;
const JOINT: usize = 1;
const ACCENT: usize = 2;

const MATERIALS: [Material; 3] = [
    Material { name: "shell", color: [0.72, 0.70, 0.66], roughness: 0.55, metallic: 0.0 },
    Material { name: "joint", color: [0.045, 0.052, 0.065], roughness: 0.65, metallic: 0.0 },
    Material { name: "accent", color: [0.86, 0.26, 0.06], roughness: 0.5, metallic: 0.0 },
];

/// Builds the skinned mesh.
pub fn build(skeleton: &SkeletonBuilder, bones: &Bones) -> SampleMesh {
    let mut m = MeshBuilder::new(&MATERIALS);
    trunk(&mut m, skeleton, bones);
    head(&mut m, skeleton, bones);
    for right in [false, true] {
        arm(&mut m, skeleton, bones, right);
        hand(&mut m, skeleton, bones, right);
        leg(&mut m, skeleton, bones, right);
        foot(&mut m, skeleton, bones, right);
    }
    m.finish("humanoid", None)
}

fn trunk(m: &mut MeshBuilder, skeleton: &SkeletonBuilder, n: &Bones) {
    let y = |j: usize| skeleton.globals[j].translation.y;
    let mut chain = vec![(n.pelvis, 0.0, 0.0)];
    chain.extend(n.spine.map(|j| (j, y(j), 0.05)));
    chain.extend([
        (n.neck[0], y(n.neck[0]), 0.025),
        (n.neck[1], y(n.neck[1]), 0.022),
        (n.head, y(n.head), 0.02),
    ]);
    let chain = Chain(chain);
    // Height, middle's z, half width, front, back, boxiness, material.
    let rings: [(f32, f32, f32, f32, f32, f32, usize); 23] = [
        (0.838, 0.000, 0.040, 0.036, 0.040, 2.0, JOINT),
        (0.850, 0.000, 0.074, 0.060, 0.066, 2.0, JOINT),
        (0.876, -0.002, 0.112, 0.084, 0.092, 2.2, JOINT),
        (0.905, -0.004, 0.140, 0.096, 0.108, 2.3, JOINT),
        (0.918, -0.004, 0.150, 0.100, 0.112, 2.3, SHELL),
        (0.955, -0.004, 0.161, 0.102, 0.113, 2.3, SHELL),
        (0.995, -0.004, 0.158, 0.099, 0.105, 2.3, SHELL),
        (1.030, -0.005, 0.148, 0.096, 0.094, 2.3, JOINT),
        (1.065, -0.006, 0.135, 0.092, 0.084, 2.3, JOINT),
        (1.100, -0.008, 0.127, 0.090, 0.079, 2.3, JOINT),
        (1.130, -0.010, 0.125, 0.091, 0.078, 2.3, SHELL),
        (1.170, -0.012, 0.128, 0.097, 0.081, 2.3, SHELL),
        (1.215, -0.014, 0.136, 0.106, 0.087, 2.3, SHELL),
        (1.265, -0.018, 0.145, 0.116, 0.094, 2.4, SHELL),
        (1.315, -0.022, 0.150, 0.122, 0.098, 2.4, SHELL),
        (1.360, -0.026, 0.150, 0.116, 0.099, 2.4, SHELL),
        (1.400, -0.029, 0.140, 0.101, 0.095, 2.3, SHELL),
        (1.430, -0.031, 0.116, 0.083, 0.086, 2.2, SHELL),
        (1.452, -0.032, 0.086, 0.068, 0.074, 2.1, SHELL),
        (1.466, -0.031, 0.063, 0.056, 0.060, 2.0, JOINT),
        (1.485, -0.027, 0.054, 0.050, 0.053, 2.0, JOINT),
        (1.520, -0.018, 0.051, 0.048, 0.051, 2.0, JOINT),
        (1.575, -0.008, 0.052, 0.048, 0.052, 2.0, JOINT),
    ];
    let rings = rings.map(|(y, z, w, front, back, power, material)| Ring {
        center: Vec3::new(0.0, y, z),
        turn: Quat::IDENTITY,
        size: [w, front, back],
        power,
        weights: chain.at(y),
        material,
    });
    m.loft(&rings, 20);
    // A lamp on the breast.
    let chest = vec![(n.spine[3], 0.6), (n.spine[2], 0.4)];
    let face = about_x(deg(94.0));
    let lamp = Vec3::new(0.0, 1.318, 0.0955);
    m.ellipsoid(lamp, face, Vec3::new(0.036, 0.0095, 0.036), JOINT, chest.clone(), 7);
    m.ellipsoid(lamp, face, Vec3::new(0.025, 0.0130, 0.025), ACCENT, chest, 7);
}

fn head(m: &mut MeshBuilder, _: &SkeletonBuilder, n: &Bones) {
    // Height, half width, front, back, share of the jaw.
    let rings: [(f32, f32, f32, f32, f32); 14] = [
        (1.5285, 0.016, 0.072, 0.040, 0.9),
        (1.5330, 0.028, 0.083, 0.022, 0.9),
        (1.5440, 0.039, 0.091, -0.012, 0.8),
        (1.5600, 0.049, 0.095, -0.048, 0.5),
        (1.5800, 0.058, 0.097, -0.074, 0.15),
        (1.6050, 0.066, 0.098, -0.091, 0.0),
        (1.6350, 0.0715, 0.097, -0.101, 0.0),
        (1.6600, 0.0740, 0.096, -0.105, 0.0),
        (1.6850, 0.0730, 0.091, -0.103, 0.0),
        (1.7080, 0.0675, 0.080, -0.095, 0.0),
        (1.7270, 0.0560, 0.062, -0.080, 0.0),
        (1.7410, 0.0385, 0.039, -0.058, 0.0),
        (1.7480, 0.0210, 0.016, -0.038, 0.0),
        (1.7500, 0.0070, 0.000, -0.020, 0.0),
    ];
    let rings = rings.map(|(y, w, front, back, jaw)| Ring {
        center: Vec3::new(0.0, y, (front + back) * 0.5),
        turn: Quat::IDENTITY,
        size: [w, (front - back) * 0.5, (front - back) * 0.5],
        power: 2.15,
        weights: if jaw > 0.0 { vec![(n.jaw, jaw), (n.head, 1.0 - jaw)] } else { vec![(n.head, 1.0)] },
        material: SHELL,
    });
    m.loft(&rings, 20);
    let only = |j: usize| vec![(j, 1.0)];
    // Nose, eyes, ears.
    m.ellipsoid(
        Vec3::new(0.0, 1.612, 0.096),
        about_x(deg(-16.0)),
        Vec3::new(0.0095, 0.026, 0.016),
        SHELL,
        only(n.head),
        6,
    );
    for right in [false, true] {
        let eye = side(Vec3::new(0.031, 1.640, 0.0865), right);
        let i = usize::from(right);
        m.ellipsoid(eye, Quat::IDENTITY, Vec3::new(0.0155, 0.0105, 0.0085), JOINT, only(n.eyes[i]), 6);
        let ear = side(Vec3::new(0.072, 1.628, -0.006), right);
        m.ellipsoid(ear, about_x(deg(-8.0)), Vec3::new(0.010, 0.029, 0.020), JOINT, only(n.head), 6);
    }
}

fn arm(m: &mut MeshBuilder, skeleton: &SkeletonBuilder, n: &Bones, right: bool) {
    let a = &n.arms[usize::from(right)];
    let at = |j: usize| skeleton.globals[j].translation;
    // Collar: from the neck's foot over the shoulder.
    let inner = side(Vec3::new(0.045, 1.432, -0.030), right);
    let collar = Limb {
        points: &[inner, at(a.upper)],
        front: Vec3::Z,
        chain: Chain(vec![(n.spine[3], 0.0, 0.0), (a.clavicle, 0.045, 0.04)]),
        power: 2.0,
    };
    let l = inner.distance(at(a.upper));
    let sections: [Section; 4] = [
        (0.0, [0.040, 0.052, 0.054], SHELL),
        (l * 0.45, [0.046, 0.052, 0.055], SHELL),
        (l * 0.8, [0.050, 0.050, 0.052], SHELL),
        (l, [0.050, 0.048, 0.050], SHELL),
    ];
    m.loft(&collar.rings(&sections, 0.02, 0.03), 12);
    let (upper, lower) = (at(a.upper).distance(at(a.lower)), at(a.lower).distance(at(a.hand)));
    let limb = Limb {
        points: &[at(a.upper), at(a.lower), at(a.hand)],
        front: Vec3::Z,
        chain: Chain(vec![
            (a.upper_twist, 0.0, 0.0),
            (a.upper, upper * 0.55, 0.09),
            (a.lower, upper, 0.035),
            (a.lower_twist, upper + lower * 0.5, 0.09),
            (a.hand, upper + lower, 0.022),
        ]),
        power: 2.0,
    };
    let e = upper;
    let sections: [Section; 18] = [
        (0.0, [0.058, 0.058, 0.058], JOINT),
        (0.022, [0.0565, 0.057, 0.057], SHELL),
        (0.055, [0.053, 0.054, 0.053], SHELL),
        (0.100, [0.0475, 0.050, 0.048], SHELL),
        (0.150, [0.044, 0.047, 0.044], SHELL),
        (0.200, [0.0415, 0.043, 0.0415], SHELL),
        (e - 0.045, [0.039, 0.039, 0.039], JOINT),
        (e - 0.022, [0.0365, 0.036, 0.0375], JOINT),
        (e, [0.036, 0.035, 0.038], JOINT),
        (e + 0.020, [0.0365, 0.036, 0.0375], JOINT),
        (e + 0.038, [0.040, 0.040, 0.039], SHELL),
        (e + 0.070, [0.0415, 0.041, 0.040], SHELL),
        (e + 0.110, [0.039, 0.039, 0.038], SHELL),
        (e + 0.150, [0.034, 0.034, 0.034], ACCENT),
        (e + 0.168, [0.0325, 0.032, 0.032], SHELL),
        (e + 0.215, [0.0285, 0.027, 0.027], SHELL),
        (e + 0.236, [0.0265, 0.025, 0.025], JOINT),
        (e + lower, [0.0245, 0.022, 0.022], JOINT),
    ];
    m.loft(&limb.rings(&sections, 0.058, 0.015), 12);
}

fn hand(m: &mut MeshBuilder, skeleton: &SkeletonBuilder, n: &Bones, right: bool) {
    let a = &n.arms[usize::from(right)];
    let hand = skeleton.globals[a.hand];
    let along = hand.rotation * Vec3::Y;
    let palm = side(PALM, right);
    let limb = Limb {
        points: &[hand.translation, hand.translation + along * 0.2],
        front: palm,
        chain: Chain(vec![(a.lower_twist, 0.0, 0.0), (a.hand, 0.0, 0.02)]),
        power: 2.5,
    };
    let sections: [Section; 7] = [
        (-0.006, [0.0225, 0.019, 0.019], SHELL),
        (0.018, [0.030, 0.0195, 0.0175], SHELL),
        (0.042, [0.038, 0.0185, 0.0165], SHELL),
        (0.066, [0.0425, 0.0165, 0.0150], SHELL),
        (0.086, [0.0430, 0.0140, 0.0135], SHELL),
        (0.096, [0.0410, 0.0120, 0.0120], SHELL),
        (0.101, [0.0360, 0.0080, 0.0085], SHELL),
    ];
    m.loft(&limb.rings(&sections, 0.004, 0.004), 12);
    for (f, joints) in a.fingers.iter().enumerate() {
        let at = joints.map(|j| skeleton.globals[j].translation);
        let direction = skeleton.globals[joints[0]].rotation * Vec3::Y;
        let [.., l1, l2, l3] = FINGERS[f];
        let r = if f == 0 {
            0.0118
        } else if f == 4 {
            0.0083
        } else {
            0.0094
        };
        let limb = Limb {
            points: &[at[0] - direction * 0.015, at[2] + direction * l3],
            front: palm,
            chain: Chain(vec![
                (a.hand, 0.0, 0.0),
                (joints[0], 0.014, 0.008),
                (joints[1], 0.015 + l1, 0.007),
                (joints[2], 0.015 + l1 + l2, 0.006),
            ]),
            power: 2.2,
        };
        let s1 = 0.015 + l1;
        let s2 = s1 + l2;
        let root = if f == 0 { 1.35 } else { 1.08 };
        let round = |s: f32, k: f32, material: usize| -> Section { (s, [r * k; 3], material) };
        let sections = [
            round(0.0, root, SHELL),
            round(0.015, root, SHELL),
            round(0.015 + l1 * 0.5, 1.02, SHELL),
            round(s1 - 0.005, 0.98, JOINT),
            round(s1 + 0.005, 0.97, SHELL),
            round(s2 - 0.0045, 0.92, JOINT),
            round(s2 + 0.0045, 0.90, SHELL),
            round(s2 + l3 - 0.007, 0.80, SHELL),
        ];
        m.loft(&limb.rings(&sections, 0.0, 0.007), 6);
    }
}

fn leg(m: &mut MeshBuilder, skeleton: &SkeletonBuilder, n: &Bones, right: bool) {
    let l = &n.legs[usize::from(right)];
    let at = |j: usize| skeleton.globals[j].translation;
    let (thigh, calf) = (at(l.thigh).distance(at(l.calf)), at(l.calf).distance(at(l.foot)));
    let limb = Limb {
        points: &[at(l.thigh), at(l.calf), at(l.foot)],
        front: Vec3::Z,
        chain: Chain(vec![
            (l.thigh_twist, 0.0, 0.0),
            (l.thigh, thigh * 0.5, 0.12),
            (l.calf, thigh, 0.055),
            (l.calf_twist, thigh + calf * 0.5, 0.12),
            (l.foot, thigh + calf, 0.03),
        ]),
        power: 2.1,
    };
    let k = thigh;
    let sections: [Section; 20] = [
        (0.0, [0.084, 0.086, 0.090], JOINT),
        (0.030, [0.084, 0.085, 0.090], SHELL),
        (0.080, [0.081, 0.084, 0.088], SHELL),
        (0.140, [0.076, 0.082, 0.082], SHELL),
        (0.210, [0.069, 0.076, 0.073], SHELL),
        (0.280, [0.062, 0.068, 0.064], SHELL),
        (0.340, [0.057, 0.060, 0.057], SHELL),
        (k - 0.050, [0.053, 0.055, 0.053], JOINT),
        (k - 0.025, [0.050, 0.053, 0.049], JOINT),
        (k, [0.049, 0.053, 0.047], JOINT),
        (k + 0.025, [0.049, 0.050, 0.048], JOINT),
        (k + 0.050, [0.052, 0.049, 0.056], SHELL),
        (k + 0.100, [0.053, 0.046, 0.064], SHELL),
        (k + 0.150, [0.051, 0.043, 0.063], SHELL),
        (k + 0.205, [0.045, 0.039, 0.053], ACCENT),
        (k + 0.228, [0.042, 0.037, 0.048], SHELL),
        (k + 0.290, [0.036, 0.034, 0.038], SHELL),
        (k + 0.350, [0.033, 0.033, 0.033], JOINT),
        (k + 0.385, [0.033, 0.034, 0.034], JOINT),
        (k + calf, [0.034, 0.036, 0.036], JOINT),
    ];
    m.loft(&limb.rings(&sections, 0.086, 0.034), 14);
}

fn foot(m: &mut MeshBuilder, skeleton: &SkeletonBuilder, n: &Bones, right: bool) {
    let l = &n.legs[usize::from(right)];
    let ankle = skeleton.globals[l.foot].translation;
    let ball = skeleton.globals[l.ball].translation;
    let chain = Chain(vec![(l.foot, 0.0, 0.0), (l.ball, ball.z - ankle.z, 0.022)]);
    let out = if right { -1.0 } else { 1.0 };
    // Distance from the ankle, half width, underside, upside, shift outward, material.
    let rings: [(f32, f32, f32, f32, f32, usize); 15] = [
        (-0.070, 0.016, 0.018, 0.046, 0.000, SHELL),
        (-0.065, 0.025, 0.008, 0.058, 0.000, SHELL),
        (-0.052, 0.033, 0.001, 0.074, 0.000, SHELL),
        (-0.030, 0.037, 0.000, 0.094, 0.000, SHELL),
        (-0.005, 0.038, 0.000, 0.101, 0.000, SHELL),
        (0.022, 0.038, 0.000, 0.096, 0.001, SHELL),
        (0.055, 0.040, 0.000, 0.081, 0.002, SHELL),
        (0.085, 0.044, 0.000, 0.067, 0.003, SHELL),
        (0.112, 0.047, 0.000, 0.056, 0.004, JOINT),
        (0.130, 0.048, 0.000, 0.050, 0.005, JOINT),
        (0.148, 0.048, 0.000, 0.046, 0.005, SHELL),
        (0.172, 0.046, 0.000, 0.040, 0.004, SHELL),
        (0.194, 0.039, 0.001, 0.034, 0.002, SHELL),
        (0.207, 0.029, 0.004, 0.028, 0.000, SHELL),
        (0.213, 0.016, 0.009, 0.021, -0.001, SHELL),
    ];
    let rings = rings.map(|(s, w, low, high, shift, material)| Ring {
        center: Vec3::new(ankle.x + shift * out, (low + high) * 0.5, ankle.z + s),
        turn: frame_yz(Vec3::Z, Vec3::Y),
        size: [w, (high - low) * 0.5, (high - low) * 0.5],
        power: 2.6,
        weights: chain.at(s),
        material,
    });
    m.loft(&rings, 14);
}
