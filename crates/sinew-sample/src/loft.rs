//! Meshes of rounded tubes: rings along a path, joined by triangles, with smooth normals.

use core::f32::consts::{PI, TAU};

use sinew::math::{Quat, Vec3, abs, powf, sign, sin_cos, smoothstep};

use crate::model::{SampleMesh, SamplePart, SampleVertex};
use crate::rotation::frame_yz;

/// Up to four joints and their weights.
pub type Weights = Vec<(usize, f32)>;

/// A material.
#[derive(Clone, Copy, Debug)]
pub struct Material {
    pub name: &'static str,
    /// Linear red, green, blue.
    pub color: [f32; 3],
    pub roughness: f32,
    pub metallic: f32,
}

/// A cross-section: a superellipse in the X-Z plane of a frame whose +Y runs along the tube.
#[derive(Clone, Debug)]
pub struct Ring {
    pub center: Vec3,
    pub turn: Quat,
    /// Half widths along X, +Z and -Z.
    pub size: [f32; 3],
    /// Exponent: 2 is an ellipse, more is boxier.
    pub power: f32,
    pub weights: Weights,
    /// Material of the strip from here to the next ring.
    pub material: usize,
}

/// Collects rings into one mesh.
pub struct MeshBuilder {
    materials: Vec<Material>,
    vertices: Vec<SampleVertex>,
    triangles: Vec<(usize, [u32; 3])>,
}

impl MeshBuilder {
    /// An empty mesh.
    pub fn new(materials: &[Material]) -> Self {
        Self { materials: materials.to_vec(), vertices: Vec::new(), triangles: Vec::new() }
    }

    fn vertex(&mut self, position: Vec3, weights: &Weights) -> u32 {
        let (mut joints, mut w) = ([0u16; 4], [0.0f32; 4]);
        let total: f32 = weights.iter().take(4).map(|x| x.1).sum();
        for (i, &(joint, weight)) in weights.iter().take(4).enumerate() {
            if weight > 0.0 {
                joints[i] = joint as u16;
                w[i] = weight / total;
            }
        }
        self.vertices.push(SampleVertex { position, normal: Vec3::ZERO, joints, weights: w });
        (self.vertices.len() - 1) as u32
    }

    /// A closed tube through the rings, each of `sides` corners; the ends close in a point.
    pub fn loft(&mut self, rings: &[Ring], sides: usize) {
        let (Some(first), Some(last)) = (rings.first(), rings.last()) else { return };
        let start = self.vertices.len();
        let from = self.triangles.len();
        let bottom = self.vertex(first.center, &first.weights);
        let mut rows: Vec<Vec<u32>> = Vec::new();
        for ring in rings {
            let row = (0..sides).map(|i| {
                let (s, c) = sin_cos(TAU * i as f32 / sides as f32);
                let shape = |v: f32| sign(v) * powf(abs(v), 2.0 / ring.power);
                let depth = if s < 0.0 { ring.size[2] } else { ring.size[1] };
                let p = ring.center + ring.turn * Vec3::new(shape(c) * ring.size[0], 0.0, shape(s) * depth);
                self.vertex(p, &ring.weights)
            });
            let row = row.collect();
            rows.push(row);
        }
        let top = self.vertex(last.center, &last.weights);
        for i in 0..sides {
            let j = (i + 1) % sides;
            if let (Some(a), Some(b)) = (rows.first(), rows.last()) {
                self.triangles.push((first.material, [bottom, a[i], a[j]]));
                self.triangles.push((last.material, [top, b[j], b[i]]));
            }
            for (k, pair) in rows.windows(2).enumerate() {
                let (a, b) = (&pair[0], &pair[1]);
                let m = rings[k].material;
                self.triangles.push((m, [a[i], b[i], a[j]]));
                self.triangles.push((m, [a[j], b[i], b[j]]));
            }
        }
        self.smooth_normals(start, from);
    }

    /// An ellipsoid: half sizes by the axes of `turn`, +Y from pole to pole.
    pub fn ellipsoid(
        &mut self,
        center: Vec3,
        turn: Quat,
        half: Vec3,
        material: usize,
        weights: Weights,
        detail: usize,
    ) {
        let rings: Vec<Ring> = (0..detail)
            .map(|i| {
                let (s, c) = sin_cos(PI * ((i as f32 + 0.35) / (detail as f32 - 0.3) - 0.5));
                Ring {
                    center: center + turn * Vec3::new(0.0, half.y * s, 0.0),
                    turn,
                    size: [half.x * c, half.z * c, half.z * c],
                    power: 2.0,
                    weights: weights.clone(),
                    material,
                }
            })
            .collect();
        self.loft(&rings, detail * 2);
    }

    /// A box with rounded edges: half sizes by the axes of `turn`.
    pub fn block(
        &mut self,
        center: Vec3,
        turn: Quat,
        half: Vec3,
        round: f32,
        material: usize,
        weights: Weights,
    ) {
        let mut rings = Vec::new();
        for (y, inset) in [(-1.0, 1.0), (-1.0, 0.3), (-1.0, 0.0), (1.0, 0.0), (1.0, 0.3), (1.0, 1.0)] {
            // The edge is a quarter circle seen at three points.
            let (sink, pull) = match inset {
                1.0 => (0.0, round),
                0.3 => (round * 0.3, round * 0.3),
                _ => (round, 0.0),
            };
            let (x, z) = (half.x - pull, half.z - pull);
            rings.push(Ring {
                center: center + turn * Vec3::new(0.0, y * (half.y - sink), 0.0),
                turn,
                size: [x, z, z],
                power: 7.0,
                weights: weights.clone(),
                material,
            });
        }
        self.loft(&rings, 24);
    }

    /// Normals of the vertices from `start`, from the triangles from `from`, weighted by area.
    fn smooth_normals(&mut self, start: usize, from: usize) {
        for &(_, [a, b, c]) in &self.triangles[from..] {
            let p = |i: u32| self.vertices[i as usize].position;
            let n = (p(b) - p(a)).cross(p(c) - p(a));
            for i in [a, b, c] {
                self.vertices[i as usize].normal += n;
            }
        }
        for v in &mut self.vertices[start..] {
            // Small meshes have triangles far below the length that counts as zero.
            v.normal = (v.normal * 1e6).normalize_or(Vec3::Y);
        }
    }

    /// The mesh, triangles sorted by material.
    pub fn finish(self, name: &str, joint: Option<usize>) -> SampleMesh {
        let parts = self.materials.iter().enumerate().map(|(m, material)| SamplePart {
            material: material.name,
            color: material.color,
            roughness: material.roughness,
            metallic: material.metallic,
            indices: self.triangles.iter().filter(|t| t.0 == m).flat_map(|t| t.1).collect(),
        });
        SampleMesh {
            name: name.into(),
            joint,
            parts: parts.filter(|p| !p.indices.is_empty()).collect(),
            vertices: self.vertices,
        }
    }
}

/// Joints along a path: each takes over at a distance along it, over a half width before and after.
#[derive(Clone, Debug)]
pub struct Chain(pub Vec<(usize, f32, f32)>);

impl Chain {
    /// Weights at a distance.
    pub fn at(&self, s: f32) -> Weights {
        let mut out: Weights = Vec::new();
        for &(joint, start, half) in &self.0 {
            let w = if out.is_empty() { 1.0 } else { smoothstep(start - half, start + half, s) };
            for x in &mut out {
                x.1 *= 1.0 - w;
            }
            out.push((joint, w));
        }
        out.retain(|x| x.1 > 1e-4);
        out.sort_by(|a, b| b.1.total_cmp(&a.1));
        out.truncate(4);
        out
    }
}

/// A limb along straight pieces between points.
pub struct Limb<'a> {
    pub points: &'a [Vec3],
    /// Which way the rings' +Z looks.
    pub front: Vec3,
    pub chain: Chain,
    pub power: f32,
}

/// A cross-section of a [`Limb`]: distance along it, half widths sideways, front, back, and material.
pub type Section = (f32, [f32; 3], usize);

impl Limb<'_> {
    /// Point and direction at a distance; the direction turns smoothly near the bends.
    fn place(&self, s: f32) -> (Vec3, Vec3) {
        let mut start = 0.0;
        let mut directions: Vec<(f32, Vec3, Vec3)> = Vec::new();
        for pair in self.points.windows(2) {
            let v = pair[1] - pair[0];
            directions.push((start, pair[0], v.normalize_or(Vec3::Y)));
            start += v.length();
        }
        let mut at = directions.first().map_or((Vec3::ZERO, Vec3::Y), |d| (d.1 + d.2 * s, d.2));
        for d in directions.iter().skip(1) {
            let w = smoothstep(d.0 - 0.03, d.0 + 0.03, s);
            let place = if s >= d.0 { d.1 + d.2 * (s - d.0) } else { at.0 };
            at = (place, at.1.lerp(d.2, w).normalize_or(d.2));
        }
        at
    }

    /// Rings at the sections, with round caps where asked: a cap is a half ellipsoid of the end
    /// section, as long as `cap` metres.
    pub fn rings(&self, sections: &[Section], cap_start: f32, cap_end: f32) -> Vec<Ring> {
        let ring = |s: f32, size: [f32; 3], material: usize| {
            let (center, along) = self.place(s);
            Ring {
                center,
                turn: frame_yz(along, self.front),
                size,
                power: self.power,
                weights: self.chain.at(s),
                material,
            }
        };
        let cap = |&(s, size, material): &Section, length: f32, back: bool| {
            let mut out: Vec<Ring> = [0.35f32, 0.75, 1.15]
                .into_iter()
                .map(|a| {
                    let (sin, cos) = sin_cos(a);
                    ring(s + if back { -length } else { length } * cos, size.map(|v| v * sin), material)
                })
                .collect();
            if !back {
                out.reverse();
            }
            out
        };
        let mut out = Vec::new();
        if let Some(first) = sections.first().filter(|_| cap_start > 0.0) {
            out.extend(cap(first, cap_start, true));
        }
        out.extend(sections.iter().map(|&(s, size, m)| ring(s, size, m)));
        if let Some(last) = sections.last().filter(|_| cap_end > 0.0) {
            out.extend(cap(last, cap_end, false));
        }
        out
    }
}
