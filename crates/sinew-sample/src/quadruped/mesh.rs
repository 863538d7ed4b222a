//! Skin of the quadruped.

use sinew::math::{Quat, Vec3};

use super::skeleton::{Bones, Leg, side};
use crate::loft::{Chain, Limb, Material, MeshBuilder, Ring, Section};
use crate::model::{SampleMesh, SkeletonBuilder};
use crate::rotation::{about_x, about_z, deg, frame_yz};

const FUR: usize = 0;
const WHITE: usize = 1;
const DARK: usize = 2;

const MATERIALS: [Material; 3] = [
    Material { name: "fur", color: [0.74, 0.24, 0.05], roughness: 0.85, metallic: 0.0 },
    Material { name: "white", color: [0.80, 0.74, 0.66], roughness: 0.85, metallic: 0.0 },
    Material { name: "dark", color: [0.045, 0.035, 0.032], roughness: 0.7, metallic: 0.0 },
];

/// Builds the skinned mesh.
pub fn build(skeleton: &SkeletonBuilder, n: &Bones) -> SampleMesh {
    let mut m = MeshBuilder::new(&MATERIALS);
    trunk(&mut m, skeleton, n);
    head(&mut m, skeleton, n);
    tail(&mut m, skeleton, n);
    for leg in &n.legs {
        limb(&mut m, skeleton, n, leg);
    }
    m.finish("quadruped", None)
}

fn trunk(m: &mut MeshBuilder, skeleton: &SkeletonBuilder, n: &Bones) {
    let at = |j: usize| skeleton.globals[j].translation;
    let joints = [n.pelvis, n.spine[0], n.spine[1], n.spine[2], n.spine[3], n.neck[0], n.neck[1], n.head];
    let start = at(n.pelvis) - Vec3::new(0.0, -0.004, 0.095);
    let mut points = vec![start];
    points.extend(joints.map(at));
    let mut chain = vec![(n.pelvis, 0.0, 0.0)];
    let mut s = start.distance(at(n.pelvis));
    for pair in joints.windows(2) {
        s += at(pair[0]).distance(at(pair[1]));
        chain.push((pair[1], s, 0.032));
    }
    let body = Limb { points: &points, front: Vec3::Y, chain: Chain(chain), power: 2.1 };
    // Distance, half width, up, down.
    let sections: [Section; 14] = [
        (0.000, [0.030, 0.030, 0.034], FUR),
        (0.018, [0.050, 0.042, 0.056], FUR),
        (0.050, [0.066, 0.050, 0.074], FUR),
        (0.095, [0.074, 0.054, 0.080], FUR),
        (0.150, [0.072, 0.052, 0.072], FUR),
        (0.210, [0.068, 0.050, 0.066], FUR),
        (0.270, [0.070, 0.050, 0.076], FUR),
        (0.335, [0.075, 0.051, 0.094], FUR),
        (0.395, [0.077, 0.052, 0.106], FUR),
        (0.440, [0.073, 0.052, 0.104], FUR),
        (0.480, [0.064, 0.052, 0.088], FUR),
        (0.520, [0.055, 0.050, 0.072], FUR),
        (0.570, [0.048, 0.046, 0.058], FUR),
        (0.625, [0.046, 0.044, 0.048], FUR),
    ];
    m.loft(&body.rings(&sections, 0.0, 0.0), 18);
    let bib = vec![(n.spine[3], 0.7), (n.neck[0], 0.3)];
    m.ellipsoid(
        Vec3::new(0.0, 0.398, 0.205),
        about_x(deg(40.0)),
        Vec3::new(0.047, 0.085, 0.052),
        WHITE,
        bib,
        8,
    );
    let belly = vec![(n.spine[1], 0.5), (n.spine[2], 0.5)];
    m.ellipsoid(
        Vec3::new(0.0, 0.362, 0.000),
        about_x(deg(97.0)),
        Vec3::new(0.052, 0.150, 0.030),
        WHITE,
        belly,
        8,
    );
}

fn head(m: &mut MeshBuilder, skeleton: &SkeletonBuilder, n: &Bones) {
    let only = |j: usize| vec![(j, 1.0)];
    // Distance forward, height, half width, up, down, material.
    let skull: [(f32, f32, f32, f32, f32, usize); 12] = [
        (0.236, 0.560, 0.026, 0.026, 0.026, FUR),
        (0.246, 0.562, 0.044, 0.040, 0.042, FUR),
        (0.268, 0.563, 0.058, 0.049, 0.050, FUR),
        (0.300, 0.562, 0.064, 0.050, 0.048, FUR),
        (0.330, 0.558, 0.059, 0.044, 0.040, FUR),
        (0.355, 0.552, 0.044, 0.034, 0.028, FUR),
        (0.375, 0.547, 0.031, 0.025, 0.020, FUR),
        (0.405, 0.542, 0.023, 0.019, 0.015, FUR),
        (0.432, 0.539, 0.018, 0.015, 0.012, FUR),
        (0.444, 0.540, 0.013, 0.012, 0.009, DARK),
        (0.453, 0.541, 0.011, 0.010, 0.007, DARK),
        (0.458, 0.541, 0.006, 0.006, 0.004, DARK),
    ];
    let turn = frame_yz(Vec3::Z, Vec3::Y);
    let rings = skull.map(|(z, y, w, up, down, material)| Ring {
        center: Vec3::new(0.0, y, z),
        turn,
        size: [w, up, down],
        power: 2.1,
        weights: only(n.head),
        material,
    });
    m.loft(&rings, 16);
    let jaw: [(f32, f32, f32, f32); 6] = [
        (0.325, 0.522, 0.020, 0.012),
        (0.340, 0.521, 0.027, 0.014),
        (0.370, 0.523, 0.023, 0.012),
        (0.405, 0.525, 0.017, 0.010),
        (0.425, 0.527, 0.012, 0.008),
        (0.434, 0.528, 0.006, 0.005),
    ];
    let rings = jaw.map(|(z, y, w, h)| Ring {
        center: Vec3::new(0.0, y, z),
        turn,
        size: [w, h, h],
        power: 2.0,
        weights: only(n.jaw),
        material: WHITE,
    });
    m.loft(&rings, 12);
    for right in [false, true] {
        let i = usize::from(right);
        let cheek = side(Vec3::new(0.036, 0.540, 0.322), right);
        m.ellipsoid(
            cheek,
            about_z(deg(if right { 30.0 } else { -30.0 })),
            Vec3::new(0.027, 0.026, 0.036),
            WHITE,
            only(n.head),
            7,
        );
        let eye = side(Vec3::new(0.0365, 0.574, 0.348), right);
        m.ellipsoid(eye, Quat::IDENTITY, Vec3::new(0.0085, 0.0085, 0.0085), DARK, only(n.eyes[i]), 6);
        let (base, tip) = (n.ears[i * 2], n.ears[i * 2 + 1]);
        let root = skeleton.globals[base].translation;
        let along = (skeleton.globals[tip].translation - root).normalize_or(Vec3::Y);
        let ear = Limb {
            points: &[root - along * 0.012, root + along * 0.2],
            front: Vec3::Z,
            chain: Chain(vec![(n.head, 0.0, 0.0), (base, 0.014, 0.010), (tip, 0.064, 0.018)]),
            power: 2.0,
        };
        let sections: [Section; 6] = [
            (0.000, [0.030, 0.013, 0.014], FUR),
            (0.022, [0.032, 0.008, 0.013], FUR),
            (0.050, [0.027, 0.005, 0.011], FUR),
            (0.075, [0.018, 0.004, 0.008], DARK),
            (0.098, [0.009, 0.003, 0.005], DARK),
            (0.112, [0.003, 0.002, 0.002], DARK),
        ];
        m.loft(&ear.rings(&sections, 0.0, 0.0), 10);
    }
}

fn tail(m: &mut MeshBuilder, skeleton: &SkeletonBuilder, n: &Bones) {
    let at = n.tail.map(|j| skeleton.globals[j].translation);
    let along = skeleton.globals[n.tail[5]].rotation * Vec3::Y;
    let mut points = vec![at[0] + Vec3::new(0.0, 0.004, 0.03)];
    points.extend(at);
    points.push(at[5] + along * 0.09);
    let mut chain = vec![(n.pelvis, 0.0, 0.0)];
    chain.extend(n.tail.iter().enumerate().map(|(i, &j)| (j, 0.030 + 0.075 * i as f32, 0.026)));
    let limb = Limb { points: &points, front: Vec3::Y, chain: Chain(chain), power: 2.0 };
    let round = |s: f32, r: f32, m: usize| -> Section { (s, [r, r, r], m) };
    let sections = [
        round(0.000, 0.022, FUR),
        round(0.040, 0.028, FUR),
        round(0.090, 0.038, FUR),
        round(0.150, 0.049, FUR),
        round(0.210, 0.057, FUR),
        round(0.270, 0.060, FUR),
        round(0.320, 0.058, FUR),
        round(0.365, 0.052, WHITE),
        round(0.410, 0.041, WHITE),
        round(0.450, 0.026, WHITE),
        round(0.475, 0.012, WHITE),
    ];
    m.loft(&limb.rings(&sections, 0.0, 0.008), 14);
}

fn limb(m: &mut MeshBuilder, skeleton: &SkeletonBuilder, n: &Bones, leg: &Leg) {
    let at = |j: usize| skeleton.globals[j].translation;
    let front = leg.scapula.is_some();
    let toes = at(leg.toes);
    let mut joints = vec![(leg.upper, 0.028), (leg.lower, 0.024), (leg.paw, 0.016)];
    if let Some(blade) = leg.scapula {
        joints.insert(0, (blade, 0.0));
    }
    let mut points: Vec<Vec3> = joints.iter().map(|&(j, _)| at(j)).collect();
    points.push(toes);
    let mut s = 0.0;
    let mut chain = Vec::new();
    let mut marks = Vec::new();
    for (i, &(joint, half)) in joints.iter().enumerate() {
        chain.push((joint, s, half));
        marks.push(s);
        s += points[i].distance(points[i + 1]);
    }
    if !front {
        chain.insert(0, (n.pelvis, 0.0, 0.0));
        chain[1] = (leg.upper, 0.0, 0.02);
    }
    let body = Limb { points: &points, front: Vec3::Z, chain: Chain(chain), power: 2.0 };
    let end = s;
    let sections: Vec<Section> = if front {
        let (shoulder, elbow, wrist) = (marks[1], marks[2], marks[3]);
        vec![
            (0.0, [0.026, 0.040, 0.040], FUR),
            (shoulder * 0.5, [0.030, 0.048, 0.048], FUR),
            (shoulder, [0.030, 0.045, 0.046], FUR),
            (shoulder + 0.055, [0.029, 0.040, 0.042], FUR),
            (elbow, [0.025, 0.030, 0.032], FUR),
            (elbow + 0.045, [0.021, 0.024, 0.025], FUR),
            (elbow + 0.085, [0.017, 0.019, 0.019], DARK),
            (elbow + 0.125, [0.0155, 0.016, 0.016], DARK),
            (wrist, [0.0165, 0.017, 0.017], DARK),
            (wrist + 0.030, [0.016, 0.015, 0.016], DARK),
            (end, [0.017, 0.015, 0.015], DARK),
        ]
    } else {
        let (knee, hock) = (marks[1], marks[2]);
        vec![
            (-0.01, [0.036, 0.055, 0.058], FUR),
            (0.035, [0.038, 0.060, 0.062], FUR),
            (0.085, [0.035, 0.052, 0.054], FUR),
            (knee, [0.029, 0.040, 0.042], FUR),
            (knee + 0.050, [0.025, 0.031, 0.034], FUR),
            (knee + 0.105, [0.019, 0.022, 0.023], FUR),
            (hock - 0.018, [0.0155, 0.018, 0.019], DARK),
            (hock, [0.0155, 0.018, 0.020], DARK),
            (hock + 0.035, [0.0145, 0.015, 0.015], DARK),
            (hock + 0.080, [0.0145, 0.014, 0.014], DARK),
            (end, [0.0165, 0.015, 0.015], DARK),
        ]
    };
    m.loft(&body.rings(&sections, 0.035, 0.010), 12);
    // The paw lies flat on its pads.
    let rings: [(f32, f32, f32); 6] = [
        (-0.022, 0.012, 0.018),
        (-0.014, 0.019, 0.030),
        (0.005, 0.023, 0.036),
        (0.026, 0.024, 0.032),
        (0.042, 0.020, 0.024),
        (0.050, 0.010, 0.014),
    ];
    let paw = Chain(vec![(leg.paw, -1.0, 0.0), (leg.toes, -0.012, 0.008)]);
    let rings = rings.map(|(z, w, high)| Ring {
        center: Vec3::new(toes.x, high * 0.5, toes.z + z),
        turn: frame_yz(Vec3::Z, Vec3::Y),
        size: [w, high * 0.5, high * 0.5],
        power: 2.4,
        weights: paw.at(z),
        material: DARK,
    });
    m.loft(&rings, 12);
}
