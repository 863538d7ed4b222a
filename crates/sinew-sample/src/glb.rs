//! Writing a model as a GLB (glTF 2.0 binary).

use serde_json::{Value, json};
use sinew::math::{Quat, Vec3};

use crate::model::{SampleMesh, SampleModel};

const FLOAT: u32 = 5126;
const USHORT: u32 = 5123;

/// Buffer with its views and accessors.
#[derive(Default)]
struct Buffer {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Buffer {
    /// Adds an accessor over its own view; returns its index. `target` is the view's use on the GPU.
    fn add(&mut self, bytes: &[u8], kind: &str, component: u32, count: usize, target: Option<u32>) -> usize {
        while !self.bytes.len().is_multiple_of(4) {
            self.bytes.push(0);
        }
        let mut view = json!({"buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len()});
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        self.bytes.extend_from_slice(bytes);
        self.views.push(view);
        self.accessors.push(json!({
            "bufferView": self.views.len() - 1, "componentType": component, "count": count, "type": kind
        }));
        self.accessors.len() - 1
    }

    fn floats(&mut self, values: &[f32], kind: &str, width: usize, target: Option<u32>) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.add(&bytes, kind, FLOAT, values.len() / width, target)
    }

    /// States the smallest and largest value by component, as glTF wants for positions and times.
    fn bounds(&mut self, accessor: usize, values: &[f32], width: usize) {
        let fold = |pick: fn(f32, f32) -> f32| -> Vec<f32> {
            (0..width)
                .map(|c| values.iter().skip(c).step_by(width).copied().reduce(pick).unwrap_or(0.0))
                .collect()
        };
        self.accessors[accessor]["min"] = json!(fold(sinew::math::min));
        self.accessors[accessor]["max"] = json!(fold(sinew::math::max));
    }
}

fn vec3(v: Vec3) -> [f32; 3] {
    [v.x, v.y, v.z]
}

/// Components, none above 1 by rounding.
fn quat(q: Quat) -> [f32; 4] {
    [q.x, q.y, q.z, q.w].map(|v| sinew::math::clamp(v, -1.0, 1.0))
}

/// The model as a GLB: one scene, nodes in the order of the joints and then one for each skinned
/// mesh; linear tracks for what a clip changes.
pub fn to_glb(model: &SampleModel) -> Vec<u8> {
    let mut buffer = Buffer::default();
    let mut nodes: Vec<Value> = Vec::new();
    for (i, joint) in model.joints.iter().enumerate() {
        let mut node = json!({"name": joint.name});
        let children: Vec<usize> =
            (0..model.joints.len()).filter(|&c| model.joints[c].parent == Some(i)).collect();
        if !children.is_empty() {
            node["children"] = json!(children);
        }
        if joint.rest.translation != Vec3::ZERO {
            node["translation"] = json!(vec3(joint.rest.translation));
        }
        if joint.rest.rotation != Quat::IDENTITY {
            node["rotation"] = json!(quat(joint.rest.rotation));
        }
        nodes.push(node);
    }
    let mut materials: Vec<Value> = Vec::new();
    let mut meshes: Vec<Value> = Vec::new();
    let mut skins: Vec<Value> = Vec::new();
    let mut scene = vec![0];
    for mesh in &model.meshes {
        meshes.push(write_mesh(&mut buffer, &mut materials, mesh));
        match mesh.joint {
            Some(joint) => nodes[joint]["mesh"] = json!(meshes.len() - 1),
            None => {
                if skins.is_empty() {
                    skins.push(write_skin(&mut buffer, model));
                }
                scene.push(nodes.len());
                nodes.push(
                    json!({"name": format!("{}_mesh", mesh.name), "mesh": meshes.len() - 1, "skin": 0}),
                );
            }
        }
    }
    let animations = write_clips(&mut buffer, model);
    let mut root = json!({
        "asset": {"version": "2.0", "generator": "sinew-sample"},
        "scene": 0,
        "scenes": [{"name": model.name, "nodes": scene}],
        "nodes": nodes,
        "materials": materials,
        "meshes": meshes,
        "animations": animations,
        "accessors": buffer.accessors,
        "bufferViews": buffer.views,
        "buffers": [{"byteLength": buffer.bytes.len()}]
    });
    if !skins.is_empty() {
        root["skins"] = json!(skins);
    }
    container(&root, buffer.bytes)
}

fn write_mesh(buffer: &mut Buffer, materials: &mut Vec<Value>, mesh: &SampleMesh) -> Value {
    const VERTICES: Option<u32> = Some(34962);
    let positions: Vec<f32> = mesh.vertices.iter().flat_map(|v| vec3(v.position)).collect();
    let normals: Vec<f32> = mesh.vertices.iter().flat_map(|v| vec3(v.normal)).collect();
    let position = buffer.floats(&positions, "VEC3", 3, VERTICES);
    buffer.bounds(position, &positions, 3);
    let normal = buffer.floats(&normals, "VEC3", 3, VERTICES);
    let mut attributes = json!({"POSITION": position, "NORMAL": normal});
    if mesh.joint.is_none() {
        let joints: Vec<u8> =
            mesh.vertices.iter().flat_map(|v| v.joints).flat_map(u16::to_le_bytes).collect();
        let weights: Vec<f32> = mesh.vertices.iter().flat_map(|v| v.weights).collect();
        attributes["JOINTS_0"] = json!(buffer.add(&joints, "VEC4", USHORT, mesh.vertices.len(), VERTICES));
        attributes["WEIGHTS_0"] = json!(buffer.floats(&weights, "VEC4", 4, VERTICES));
    }
    let mut primitives = Vec::new();
    for part in &mesh.parts {
        let bytes: Vec<u8> = part.indices.iter().flat_map(|&i| (i as u16).to_le_bytes()).collect();
        let indices = buffer.add(&bytes, "SCALAR", USHORT, part.indices.len(), Some(34963));
        let [r, g, b] = part.color;
        let material = json!({
            "name": part.material,
            "pbrMetallicRoughness": {
                "baseColorFactor": [r, g, b, 1.0],
                "metallicFactor": part.metallic,
                "roughnessFactor": part.roughness
            }
        });
        let place = materials.iter().position(|m| *m == material).unwrap_or_else(|| {
            materials.push(material);
            materials.len() - 1
        });
        primitives.push(json!({"attributes": attributes, "indices": indices, "material": place}));
    }
    json!({"name": mesh.name, "primitives": primitives})
}

fn write_skin(buffer: &mut Buffer, model: &SampleModel) -> Value {
    let mut inverse_bind = Vec::new();
    for global in model.globals(&[]) {
        let turn = global.rotation.conjugate();
        for column in [Vec3::X, Vec3::Y, Vec3::Z] {
            inverse_bind.extend(vec3(turn * column));
            inverse_bind.push(0.0);
        }
        inverse_bind.extend(vec3(-(turn * global.translation)));
        inverse_bind.push(1.0);
    }
    let matrices = buffer.floats(&inverse_bind, "MAT4", 16, None);
    let joints: Vec<usize> = (0..model.joints.len()).collect();
    json!({"name": model.name, "joints": joints, "skeleton": 0, "inverseBindMatrices": matrices})
}

fn write_clips(buffer: &mut Buffer, model: &SampleModel) -> Vec<Value> {
    let mut animations = Vec::new();
    for clip in &model.clips {
        let times: Vec<f32> = (0..clip.frames.len()).map(|i| i as f32 / clip.rate).collect();
        let input = buffer.floats(&times, "SCALAR", 1, None);
        buffer.bounds(input, &times, 1);
        let mut samplers = Vec::new();
        let mut channels = Vec::new();
        for i in 0..model.joints.len() {
            let locals = || clip.frames.iter().filter_map(move |f| f.get(i));
            let (moves, turns) = model.changes(clip, i);
            let mut outputs: Vec<(&str, usize)> = Vec::new();
            if moves {
                let v: Vec<f32> = locals().flat_map(|l| vec3(l.translation)).collect();
                outputs.push(("translation", buffer.floats(&v, "VEC3", 3, None)));
            }
            if turns {
                let v: Vec<f32> = locals().flat_map(|l| quat(l.rotation)).collect();
                outputs.push(("rotation", buffer.floats(&v, "VEC4", 4, None)));
            }
            for (path, output) in outputs {
                channels.push(json!({"sampler": samplers.len(), "target": {"node": i, "path": path}}));
                samplers.push(json!({"input": input, "output": output, "interpolation": "LINEAR"}));
            }
        }
        animations.push(json!({"name": clip.name, "samplers": samplers, "channels": channels}));
    }
    animations
}

/// Header, JSON chunk and binary chunk, each padded to four bytes.
fn container(root: &Value, mut bytes: Vec<u8>) -> Vec<u8> {
    let mut text = root.to_string().into_bytes();
    while !text.len().is_multiple_of(4) {
        text.push(b' ');
    }
    while !bytes.len().is_multiple_of(4) {
        bytes.push(0);
    }
    let total = 12 + 8 + text.len() + 8 + bytes.len();
    let mut out = Vec::with_capacity(total);
    out.extend_from_slice(b"glTF");
    for word in [2, total as u32, text.len() as u32] {
        out.extend_from_slice(&word.to_le_bytes());
    }
    out.extend_from_slice(b"JSON");
    out.extend_from_slice(&text);
    out.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
    out.extend_from_slice(b"BIN\0");
    out.extend_from_slice(&bytes);
    out
}
