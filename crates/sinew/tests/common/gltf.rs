//! Small glTF files made in memory, and a plain reader of written ones that shares no code with
//! the library.
#![allow(dead_code)]

use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};
use sinew::anim::Pose;
use sinew::io::gltf::{GltfError, Problem, load_bytes};
use sinew::io::{Model, world_matrices};

/// A file being made: JSON that a test may change at will, and one buffer.
#[derive(Clone)]
pub struct File {
    pub json: Value,
    pub bin: Vec<u8>,
}

impl File {
    pub fn new() -> Self {
        Self { json: json!({"asset": {"version": "2.0"}}), bin: Vec::new() }
    }

    /// A file of these nodes.
    pub fn of_nodes(nodes: Value) -> Self {
        let mut file = Self::new();
        file.json["nodes"] = nodes;
        file
    }

    /// Appends to a list at the root; the item's index.
    pub fn push(&mut self, list: &str, item: Value) -> usize {
        if self.json[list].is_null() {
            self.json[list] = json!([]);
        }
        let list = self.json[list].as_array_mut().unwrap();
        list.push(item);
        list.len() - 1
    }

    pub fn view(&mut self, bytes: &[u8]) -> usize {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        let start = self.bin.len();
        self.bin.extend(bytes);
        self.push("bufferViews", json!({"buffer": 0, "byteOffset": start, "byteLength": bytes.len()}))
    }

    /// An accessor of any component type over bytes of its own.
    pub fn packed(&mut self, bytes: &[u8], component: u32, kind: &str, count: usize) -> usize {
        let view = self.view(bytes);
        let item = json!({"bufferView": view, "componentType": component, "count": count, "type": kind});
        self.push("accessors", item)
    }

    pub fn floats(&mut self, kind: &str, values: &[f32]) -> usize {
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.packed(&bytes, 5126, kind, values.len() / width(kind))
    }

    /// A new animation of no channels.
    pub fn animation(&mut self, name: &str) {
        self.push("animations", json!({"name": name, "channels": [], "samplers": []}));
    }

    /// A channel of the last animation from two accessors.
    pub fn channel(&mut self, node: usize, path: &str, interpolation: &str, input: usize, output: usize) {
        if self.json["animations"].is_null() {
            self.animation("clip");
        }
        let animation = self.json["animations"].as_array_mut().unwrap().last_mut().unwrap();
        let samplers = animation["samplers"].as_array_mut().unwrap();
        samplers.push(json!({"input": input, "output": output, "interpolation": interpolation}));
        let sampler = samplers.len() - 1;
        let channel = json!({"sampler": sampler, "target": {"node": node, "path": path}});
        animation["channels"].as_array_mut().unwrap().push(channel);
    }

    /// A channel with float keys of its own.
    pub fn animate(&mut self, node: usize, path: &str, interpolation: &str, times: &[f32], values: &[f32]) {
        let kind = match path {
            "rotation" => "VEC4",
            "weights" => "SCALAR",
            _ => "VEC3",
        };
        let (input, output) = (self.floats("SCALAR", times), self.floats(kind, values));
        self.channel(node, path, interpolation, input, output);
    }

    /// A mesh of one triangle with that many morph targets.
    pub fn mesh(&mut self, targets: usize) -> usize {
        let position = self.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
        self.json["accessors"][position]["min"] = json!([0.0, 0.0, 0.0]);
        self.json["accessors"][position]["max"] = json!([1.0, 1.0, 0.0]);
        let mut primitive = json!({"attributes": {"POSITION": position}});
        if targets > 0 {
            primitive["targets"] = json!(vec![json!({"POSITION": position}); targets]);
        }
        self.push("meshes", json!({"primitives": [primitive]}))
    }

    /// Everything in one JSON text.
    pub fn text(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        if !self.bin.is_empty() && json["buffers"].is_null() {
            let uri = format!("data:application/octet-stream;base64,{}", BASE64_STANDARD.encode(&self.bin));
            json["buffers"] = json!([{"byteLength": self.bin.len(), "uri": uri}]);
        }
        json.to_string().into_bytes()
    }

    pub fn glb(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        if !self.bin.is_empty() && json["buffers"].is_null() {
            json["buffers"] = json!([{"byteLength": self.bin.len()}]);
        }
        let mut text = json.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        let mut chunks = Vec::new();
        let mut bin = self.bin.clone();
        bin.resize(bin.len().next_multiple_of(4), 0);
        for (kind, data) in [(b"JSON", text), (b"BIN\0", bin)] {
            chunks.extend((data.len() as u32).to_le_bytes());
            chunks.extend(kind);
            chunks.extend(data);
        }
        let mut out = b"glTF\x02\0\0\0".to_vec();
        out.extend((chunks.len() as u32 + 12).to_le_bytes());
        out.extend(chunks);
        out
    }

    pub fn load(&self) -> Result<Model, GltfError> {
        load_bytes(&self.text(), None)
    }

    /// Loads a file that must be good.
    pub fn model(&self) -> Model {
        self.load().unwrap_or_else(|e| panic!("{e}"))
    }

    /// Loads a file that must be wrong; its problems.
    pub fn problems(&self) -> Vec<Problem> {
        self.load().expect_err("a problem").problems().to_vec()
    }

    /// Loads a file that must have one problem; place and message.
    pub fn problem(&self) -> (String, String) {
        let problems = self.problems();
        assert_eq!(problems.len(), 1, "{problems:?}");
        (problems[0].place.clone(), problems[0].to_string())
    }
}

pub fn width(kind: &str) -> usize {
    match kind {
        "SCALAR" => 1,
        "VEC3" => 3,
        "VEC4" => 4,
        "MAT4" => 16,
        other => panic!("{other}"),
    }
}

/// JSON and binary chunk of a GLB as this library's own format says they are.
pub fn open(glb: &[u8]) -> (Value, Vec<u8>) {
    let word = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!((&glb[..4], word(4), word(8)), (&b"glTF"[..], 2, glb.len()));
    let end = 20 + word(12);
    let json = serde_json::from_slice(&glb[20..end]).unwrap();
    (json, glb.get(end + 8..).unwrap_or(&[]).to_vec())
}

/// Floats of an accessor of an opened GLB.
pub fn floats(json: &Value, bin: &[u8], accessor: usize) -> Vec<f32> {
    let accessor = &json["accessors"][accessor];
    assert_eq!(accessor["componentType"], 5126);
    let view = &json["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
    assert_eq!(view["buffer"], 0);
    let start = view["byteOffset"].as_u64().unwrap_or(0) + accessor["byteOffset"].as_u64().unwrap_or(0);
    let count = accessor["count"].as_u64().unwrap() as usize * width(accessor["type"].as_str().unwrap());
    assert!(count as u64 * 4 <= view["byteLength"].as_u64().unwrap());
    let bytes = &bin[start as usize..start as usize + count * 4];
    bytes.chunks(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect()
}

/// Times, values and interpolation of a channel of an opened GLB.
pub fn keys(json: &Value, bin: &[u8], animation: usize, channel: usize) -> (Vec<f32>, Vec<f32>, String) {
    let animation = &json["animations"][animation];
    let sampler = animation["channels"][channel]["sampler"].as_u64().unwrap() as usize;
    let sampler = &animation["samplers"][sampler];
    let at = |key: &str| floats(json, bin, sampler[key].as_u64().unwrap() as usize);
    (at("input"), at("output"), sampler["interpolation"].as_str().unwrap_or("LINEAR").to_owned())
}

/// Pose of a clip.
pub fn pose(model: &Model, clip: usize, t: f32) -> Pose {
    let mut pose = Pose::rest(&model.skeleton);
    model.clips[clip].sample(&model.skeleton, t, &mut pose);
    pose
}

/// Largest difference of any world matrix entry or curve between two models in a clip at a time;
/// the second may have more joints.
pub fn difference(a: &Model, b: &Model, clip: usize, t: f32) -> f32 {
    let (pose_a, pose_b) = (pose(a, clip, t), pose(b, clip, t));
    let (world_a, world_b) = (world_matrices(a, &pose_a), world_matrices(b, &pose_b));
    assert!(world_a.len() <= world_b.len() && pose_a.curves.len() == pose_b.curves.len());
    let matrices = world_a.iter().flatten().zip(world_b.iter().flatten());
    let curves = pose_a.curves.iter().zip(&pose_b.curves);
    // A NaN on either side shows as infinite.
    let off = |(x, y): (&f32, &f32)| if x == y { 0.0 } else { (x - y).abs() };
    let off = matrices.chain(curves).map(off);
    off.fold(0.0, |worst: f32, d| if d.is_nan() { f32::INFINITY } else { worst.max(d) })
}
