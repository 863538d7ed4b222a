//! A mesh that shows a skeleton which has none: an octahedron for each bone.

use serde_json::{Value, json};

use super::export::{add_view, push};
use crate::anim::Skeleton;
use crate::math::{Mat4, Transform, Vec3, max, min};

/// A document with the skeleton's nodes, one skin, and a mesh of its bones.
pub(super) fn document(skeleton: &Skeleton) -> (Value, Vec<u8>) {
    let (mut json, mut bin) = (json!({"asset": {"version": "2.0"}}), Vec::new());
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); skeleton.len()];
    let mut roots = Vec::new();
    for joint in 0..skeleton.len() {
        match skeleton.parent(joint) {
            Some(parent) => children[parent].push(joint),
            None => roots.push(joint),
        }
    }
    for (joint, below) in skeleton.joints().iter().zip(&children) {
        let (t, r, s) = (joint.rest.translation, joint.rest.rotation, joint.rest.scale);
        let mut node = json!({"name": joint.name, "translation": [t.x, t.y, t.z],
                              "rotation": [r.x, r.y, r.z, r.w], "scale": [s.x, s.y, s.z]});
        if !below.is_empty() {
            node["children"] = json!(below);
        }
        push(&mut json, "nodes", node);
    }
    let globals = globals(skeleton);
    let mesh = Octahedra::of(skeleton, &globals, &children);
    if !mesh.positions.is_empty() {
        roots.push(skeleton.len());
        mesh.write(&globals, &mut json, &mut bin);
    }
    if !roots.is_empty() {
        json["scenes"] = json!([{ "nodes": roots }]);
        json["scene"] = json!(0);
    }
    (json, bin)
}

fn globals(skeleton: &Skeleton) -> Vec<Transform> {
    let mut globals = vec![Transform::IDENTITY; skeleton.len()];
    for &joint in skeleton.order() {
        let parent = skeleton.parent(joint).map_or(Transform::IDENTITY, |p| globals[p]);
        globals[joint] = parent * skeleton.joints()[joint].rest;
    }
    globals
}

#[derive(Default)]
struct Octahedra {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    joints: Vec<u16>,
}

impl Octahedra {
    fn of(skeleton: &Skeleton, globals: &[Transform], children: &[Vec<usize>]) -> Self {
        let mut mesh = Self::default();
        let end = |joint: usize| globals[joint].translation;
        let lengths = (0..skeleton.len()).filter_map(|j| skeleton.parent(j).map(|p| end(j).distance(end(p))));
        let longest = lengths.fold(0.0f32, max);
        for (joint, below) in children.iter().enumerate() {
            // glTF's skins hold joint indices of 16 bits.
            if joint > usize::from(u16::MAX) {
                break;
            }
            for &child in below {
                mesh.bone(end(joint), end(child), joint as u16);
            }
            if below.is_empty() {
                let tip = end(joint) + globals[joint].rotation * Vec3::Y * (longest * 0.1);
                mesh.bone(end(joint), tip, joint as u16);
            }
        }
        mesh
    }

    fn bone(&mut self, from: Vec3, to: Vec3, joint: u16) {
        let axis = to - from;
        let length = axis.length();
        if !(length > 1e-6 && length.is_finite()) {
            return;
        }
        let direction = axis / length;
        let other = if min(direction.y, -direction.y) > -0.9 { Vec3::Y } else { Vec3::X };
        let side = direction.cross(other).normalize_or(Vec3::X);
        let up = side.cross(direction);
        let width = length * 0.1;
        let waist = from + axis * 0.15;
        let ring = [waist + side * width, waist + up * width, waist - side * width, waist - up * width];
        for i in 0..4 {
            let (a, b) = (ring[i], ring[(i + 1) % 4]);
            self.triangle(from, b, a, joint);
            self.triangle(to, a, b, joint);
        }
    }

    fn triangle(&mut self, a: Vec3, b: Vec3, c: Vec3, joint: u16) {
        let normal = (b - a).cross(c - a).normalize_or(Vec3::Y);
        self.positions.extend([a, b, c]);
        self.normals.extend([normal; 3]);
        self.joints.extend([joint; 3]);
    }

    fn write(&self, globals: &[Transform], json: &mut Value, bin: &mut Vec<u8>) {
        let floats = |v: &[Vec3]| v.iter().flat_map(|v| [v.x, v.y, v.z]).collect::<Vec<f32>>();
        let count = self.positions.len();
        let bound = |f: fn(f32, f32) -> f32, start: f32| {
            let fold = |part: fn(&Vec3) -> f32| self.positions.iter().map(part).fold(start, f);
            [fold(|v| v.x), fold(|v| v.y), fold(|v| v.z)]
        };
        let view = add_view(json, bin, &floats(&self.positions));
        let position = push(
            json,
            "accessors",
            json!({"bufferView": view, "componentType": 5126, "count": count,
            "type": "VEC3", "min": bound(min, f32::INFINITY), "max": bound(max, f32::NEG_INFINITY)}),
        );
        let view = add_view(json, bin, &floats(&self.normals));
        let normal = push(
            json,
            "accessors",
            json!({"bufferView": view, "componentType": 5126, "count": count, "type": "VEC3"}),
        );
        let start = bin.len();
        bin.extend(self.joints.iter().flat_map(|j| [*j, 0, 0, 0]).flat_map(u16::to_le_bytes));
        let view = json!({"buffer": 0, "byteOffset": start, "byteLength": bin.len() - start});
        let view = push(json, "bufferViews", view);
        let joints = push(
            json,
            "accessors",
            json!({"bufferView": view, "componentType": 5123, "count": count, "type": "VEC4"}),
        );
        let weights: Vec<f32> = self.joints.iter().flat_map(|_| [1.0, 0.0, 0.0, 0.0]).collect();
        let view = add_view(json, bin, &weights);
        let weights = push(
            json,
            "accessors",
            json!({"bufferView": view, "componentType": 5126, "count": count, "type": "VEC4"}),
        );
        let inverse: Vec<f32> = globals
            .iter()
            .flat_map(|g| Mat4::from_transform(*g).inverse().unwrap_or(Mat4::IDENTITY).0)
            .collect();
        let view = add_view(json, bin, &inverse);
        let inverse = push(
            json,
            "accessors",
            json!({"bufferView": view, "componentType": 5126, "count": globals.len(), "type": "MAT4"}),
        );
        json["materials"] = json!([{"name": "bone", "pbrMetallicRoughness":
            {"baseColorFactor": [0.85, 0.78, 0.6, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.8}}]);
        json["meshes"] = json!([{"name": "bones", "primitives": [{"material": 0, "attributes":
            {"POSITION": position, "NORMAL": normal, "JOINTS_0": joints, "WEIGHTS_0": weights}}]}]);
        json["skins"] =
            json!([{"joints": (0..globals.len()).collect::<Vec<_>>(), "inverseBindMatrices": inverse}]);
        push(json, "nodes", json!({"name": "bones_mesh", "mesh": 0, "skin": 0}));
    }
}
