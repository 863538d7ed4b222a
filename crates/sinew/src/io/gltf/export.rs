//! Writing a model as a GLB with other animations.

use serde_json::{Map, Value, json};

use super::super::model::Model;
use super::bones;
use super::container::join;
use super::document::{Document, read_uri};
use super::tidy::remove_animation_data;
use crate::anim::{Channel, Clip, Interpolation, Track};
use crate::math::{Quat, clamp};

/// Why a model cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExportError {
    /// A buffer of the model was not there when it was loaded.
    #[error(
        "buffer {0} of the model could not be read, so its meshes cannot be written; put its file beside the glTF"
    )]
    MissingBuffer(usize),
    /// A clip moves a joint that the model lacks.
    #[error("clip `{clip}` moves joint {joint}, the model has {count}; take the clip over by names first")]
    Joint {
        /// The clip.
        clip: String,
        /// The joint.
        joint: usize,
        /// How many there are.
        count: usize,
    },
    /// More than a GLB can hold.
    #[error("the result is larger than the 4 GiB that a GLB can hold")]
    TooLarge,
}

/// What to leave out of a written clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExportOptions {
    /// Leave out channels that hold the rest value throughout.
    pub drop_resting: bool,
}

impl Default for ExportOptions {
    fn default() -> Self {
        Self { drop_resting: true }
    }
}

impl Model {
    /// The model as a GLB: meshes, skins, materials and images as they were, embedded, and these
    /// clips instead of its own. A model that came without a mesh (BVH) gets one that shows its
    /// bones.
    ///
    /// The result has no errors for the Khronos validator if the source had none: times rise
    /// strictly (of equal times the last key counts), rotations are unit, and a node that is
    /// animated has no `matrix`.
    pub fn to_glb(&self, clips: &[Clip], options: ExportOptions) -> Result<Vec<u8>, ExportError> {
        let (mut json, mut bin) = match &self.source {
            Some(document) => embedded(document)?,
            None => bones::document(&self.skeleton),
        };
        let mut animations = Vec::new();
        for clip in clips {
            let mut writer = Writer { json: &mut json, bin: &mut bin, inputs: Vec::new() };
            if let Some(animation) = writer.clip(self, clip, options)? {
                animations.push(animation);
            }
        }
        if let Value::Object(root) = &mut json {
            if !animations.is_empty() {
                root.insert("animations".into(), Value::Array(animations));
            }
            root.remove("buffers");
            if !bin.is_empty() {
                root.insert("buffers".into(), json!([{ "byteLength": bin.len() }]));
            }
            if let Some(Value::Object(asset)) = root.get_mut("asset") {
                asset.insert("generator".into(), json!(concat!("sinew ", env!("CARGO_PKG_VERSION"))));
            }
        }
        join(&json, &bin).ok_or(ExportError::TooLarge)
    }
}

/// The document without its animations, all its buffers as one, its images in it.
fn embedded(document: &Document) -> Result<(Value, Vec<u8>), ExportError> {
    let mut json = document.json.clone();
    let mut bin = Vec::new();
    let mut starts = Vec::new();
    for (i, buffer) in document.buffers.iter().enumerate() {
        let data = buffer.as_ref().map_err(|_| ExportError::MissingBuffer(i))?;
        bin.resize(bin.len().next_multiple_of(4), 0);
        starts.push(bin.len());
        bin.extend_from_slice(data);
    }
    for view in items(&mut json, "bufferViews") {
        let buffer = view.get("buffer").and_then(Value::as_u64).unwrap_or(0) as usize;
        let offset = view.get("byteOffset").and_then(Value::as_u64).unwrap_or(0);
        let start = starts.get(buffer).copied().unwrap_or(0) as u64;
        view.insert("buffer".into(), json!(0));
        view.insert("byteOffset".into(), json!(offset.saturating_add(start)));
    }
    embed_images(document, &mut json, &mut bin);
    remove_animation_data(&mut json, &mut bin);
    Ok((json, bin))
}

/// The objects of a list at the root.
pub(super) fn items<'v>(json: &'v mut Value, key: &str) -> impl Iterator<Item = &'v mut Map<String, Value>> {
    let list = json.get_mut(key).and_then(Value::as_array_mut);
    list.into_iter().flatten().filter_map(Value::as_object_mut)
}

/// Images of other files become part of this one. One that cannot be read keeps its URI.
fn embed_images(document: &Document, json: &mut Value, bin: &mut Vec<u8>) {
    let mut views = json.get("bufferViews").and_then(Value::as_array).map_or(0, Vec::len);
    let mut added = Vec::new();
    for image in items(json, "images") {
        let Some(uri) = image.get("uri").and_then(Value::as_str) else { continue };
        let Ok(data) = read_uri(uri, document.base.as_deref()) else { continue };
        let mime = match data.as_slice() {
            [0x89, b'P', b'N', b'G', ..] => "image/png",
            [0xFF, 0xD8, 0xFF, ..] => "image/jpeg",
            _ => continue,
        };
        bin.resize(bin.len().next_multiple_of(4), 0);
        added.push(json!({"buffer": 0, "byteOffset": bin.len(), "byteLength": data.len()}));
        bin.extend(data);
        image.remove("uri");
        image.insert("bufferView".into(), json!(views));
        image.insert("mimeType".into(), json!(mime));
        views += 1;
    }
    for view in added {
        push(json, "bufferViews", view);
    }
}

/// Appends to a list at the root, which is made if it is not there; the item's index.
pub(super) fn push(json: &mut Value, key: &str, item: Value) -> usize {
    if !json.is_object() {
        *json = json!({});
    }
    if !json.get(key).is_some_and(Value::is_array) {
        json[key] = json!([]);
    }
    match json.get_mut(key).and_then(Value::as_array_mut) {
        Some(list) => {
            list.push(item);
            list.len() - 1
        }
        None => 0,
    }
}

struct Writer<'w> {
    json: &'w mut Value,
    bin: &'w mut Vec<u8>,
    /// Times that were written already, with their accessor.
    inputs: Vec<(Vec<u32>, usize)>,
}

impl Writer<'_> {
    fn clip(
        &mut self,
        model: &Model,
        clip: &Clip,
        options: ExportOptions,
    ) -> Result<Option<Value>, ExportError> {
        let (mut samplers, mut channels): (Vec<Value>, Vec<Value>) = (Vec::new(), Vec::new());
        for track in clip.tracks() {
            let Some(joint) = model.skeleton.joint(track.joint()) else {
                let (clip, joint, count) = (clip.name().to_string(), track.joint(), model.skeleton.len());
                return Err(ExportError::Joint { clip, joint, count });
            };
            let rest = rest_values(&joint.rest, track.channel());
            if options.drop_resting && holds(track, rest.as_deref()) {
                continue;
            }
            let Some((input, output)) = self.sampler(track) else { continue };
            let (path, interpolation) = words(track);
            channels
                .push(json!({"sampler": samplers.len(), "target": {"node": track.joint(), "path": path}}));
            samplers.push(json!({"input": input, "output": output, "interpolation": interpolation}));
            self.free_of_matrix(track.joint(), &joint.rest);
        }
        if channels.is_empty() {
            return Ok(None);
        }
        Ok(Some(json!({"name": clip.name(), "samplers": samplers, "channels": channels})))
    }

    fn sampler(&mut self, track: &Track) -> Option<(usize, usize)> {
        let per_key = track.values().len() / track.times().len().max(1);
        let (mut times, mut values): (Vec<f32>, Vec<f32>) = (Vec::new(), Vec::new());
        for (key, time) in track.times().iter().enumerate() {
            let value = track.values().get(key * per_key..(key + 1) * per_key)?;
            if times.last().is_some_and(|t| t >= time) {
                // Of keys at one time the last counts.
                let keep = values.len() - per_key;
                values.truncate(keep);
                times.pop();
                if times.last().is_some_and(|t| t >= time) {
                    continue;
                }
            }
            times.push(*time);
            values.extend_from_slice(value);
        }
        if times.is_empty() {
            return None;
        }
        let kind = match track.channel() {
            Channel::Translation | Channel::Scale => "VEC3",
            Channel::Rotation => "VEC4",
            Channel::Weights => "SCALAR",
        };
        if track.channel() == Channel::Rotation {
            let cubic = track.interpolation() == Interpolation::CubicSpline;
            tidy_rotations(&mut values, cubic);
        }
        let input = self.input(&times);
        let width = if kind == "SCALAR" { 1 } else { track.width() };
        let output = self.accessor(&values, kind, width);
        Some((input, output))
    }

    fn input(&mut self, times: &[f32]) -> usize {
        let bits: Vec<u32> = times.iter().map(|t| t.to_bits()).collect();
        if let Some((_, accessor)) = self.inputs.iter().find(|(b, _)| *b == bits) {
            return *accessor;
        }
        let accessor = self.accessor(times, "SCALAR", 1);
        let (min, max) = (times.first().copied().unwrap_or(0.0), times.last().copied().unwrap_or(0.0));
        if let Some(written) = items(self.json, "accessors").nth(accessor) {
            written.insert("min".into(), json!([min]));
            written.insert("max".into(), json!([max]));
        }
        self.inputs.push((bits, accessor));
        accessor
    }

    fn accessor(&mut self, values: &[f32], kind: &str, width: usize) -> usize {
        let view = add_view(self.json, self.bin, values);
        let count = values.len() / width.max(1);
        let item = json!({"bufferView": view, "componentType": 5126, "count": count, "type": kind});
        push(self.json, "accessors", item)
    }

    /// A node that is animated must state T, R and S instead of a matrix.
    fn free_of_matrix(&mut self, node: usize, rest: &crate::math::Transform) {
        let node = self.json.get_mut("nodes").and_then(|n| n.get_mut(node)).and_then(Value::as_object_mut);
        if let Some(node) = node
            && node.remove("matrix").is_some()
        {
            let (t, r, s) = (rest.translation, rest.rotation, rest.scale);
            node.insert("translation".into(), json!([t.x, t.y, t.z]));
            node.insert("rotation".into(), json!([r.x, r.y, r.z, r.w]));
            node.insert("scale".into(), json!([s.x, s.y, s.z]));
        }
    }
}

/// Appends floats and a view of them.
pub(super) fn add_view(json: &mut Value, bin: &mut Vec<u8>, values: &[f32]) -> usize {
    bin.resize(bin.len().next_multiple_of(4), 0);
    let start = bin.len();
    bin.extend(values.iter().flat_map(|v| v.to_le_bytes()));
    push(json, "bufferViews", json!({"buffer": 0, "byteOffset": start, "byteLength": values.len() * 4}))
}

fn words(track: &Track) -> (&'static str, &'static str) {
    let path = match track.channel() {
        Channel::Translation => "translation",
        Channel::Rotation => "rotation",
        Channel::Scale => "scale",
        Channel::Weights => "weights",
    };
    let interpolation = match track.interpolation() {
        Interpolation::Step => "STEP",
        Interpolation::Linear => "LINEAR",
        Interpolation::CubicSpline => "CUBICSPLINE",
    };
    (path, interpolation)
}

fn rest_values(rest: &crate::math::Transform, channel: Channel) -> Option<Vec<f32>> {
    let (t, r, s) = (rest.translation, rest.rotation, rest.scale);
    match channel {
        Channel::Translation => Some(vec![t.x, t.y, t.z]),
        Channel::Rotation => Some(vec![r.x, r.y, r.z, r.w]),
        Channel::Scale => Some(vec![s.x, s.y, s.z]),
        Channel::Weights => None,
    }
}

/// True if every key of the track is the rest value.
fn holds(track: &Track, rest: Option<&[f32]>) -> bool {
    let Some(rest) = rest else { return false };
    if track.interpolation() == Interpolation::CubicSpline {
        return false;
    }
    let negated: Vec<f32> = rest.iter().map(|v| -v).collect();
    let rotation = track.channel() == Channel::Rotation;
    track.values().chunks(rest.len().max(1)).all(|key| key == rest || (rotation && key == negated.as_slice()))
}

/// Unit quaternions, each on the side of the one before, so that every reader takes the short way.
fn tidy_rotations(values: &mut [f32], cubic: bool) {
    // A cubic key is in-tangent, value, out-tangent: all three turn over together, and only the
    // value is unit length.
    let size = if cubic { 12 } else { 4 };
    let at = if cubic { 4 } else { 0 };
    let mut before: Option<Quat> = None;
    for key in values.chunks_mut(size) {
        let Some(&[x, y, z, w]) = key.get(at..at + 4).and_then(|q| q.first_chunk::<4>()) else { continue };
        let mut q = Quat::new(x, y, z, w);
        if !cubic {
            q = q.normalize();
        }
        let turn = before.is_some_and(|b| b.dot(q) < 0.0);
        if turn {
            q = -q;
            key.iter_mut().for_each(|v| *v = -*v);
        }
        if let Some(slot) = key.get_mut(at..at + 4) {
            slot.copy_from_slice(&[q.x, q.y, q.z, q.w].map(|v| if cubic { v } else { clamp(v, -1.0, 1.0) }));
        }
        before = Some(q);
    }
}
