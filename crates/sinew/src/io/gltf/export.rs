//! Writing a model as a GLB with other animations.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::super::model::Model;
use super::bones;
use super::container::join;
use super::embed::embedded;
use super::keys::Keys;
use super::nodes::targets;
use crate::anim::{Channel, Clip, Interpolation, Track};

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
    /// A clip moves morph weights that no mesh of the model has.
    #[error(
        "clip `{clip}` moves {weights} curves from {first} on as morph weights of joint {joint} (`{name}`), whose mesh has {targets} targets; leave the track out, or export with the model it is from"
    )]
    Weights {
        /// The clip.
        clip: String,
        /// The joint.
        joint: usize,
        /// Its name.
        name: String,
        /// First curve of the track.
        first: usize,
        /// Curves of the track.
        weights: usize,
        /// Morph targets of the joint's mesh; 0 if it has none.
        targets: usize,
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
    /// strictly (of keys at one time the last stays there, the first, where it differs, is put at
    /// the next smaller time), rotations are unit, and a node that is animated has no `matrix`.
    ///
    /// Durations are kept: a clip that is longer than its keys gets one more key, keys past its
    /// end are cut off. A clip that moves nothing is written as one that holds a joint at rest,
    /// and left out only where there is no joint that could.
    pub fn to_glb(&self, clips: &[Clip], options: ExportOptions) -> Result<Vec<u8>, ExportError> {
        let (mut json, mut bin) = match &self.source {
            Some(document) => embedded(document)?,
            None => bones::document(&self.skeleton),
        };
        let mut animations = Vec::new();
        let mut writer = Writer { json: &mut json, bin: &mut bin, inputs: HashMap::new() };
        for clip in clips {
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

/// The objects of a list at the root.
pub(super) fn items<'v>(json: &'v mut Value, key: &str) -> impl Iterator<Item = &'v mut Map<String, Value>> {
    let list = json.get_mut(key).and_then(Value::as_array_mut);
    list.into_iter().flatten().filter_map(Value::as_object_mut)
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
    inputs: HashMap<Vec<u32>, usize>,
}

impl Writer<'_> {
    fn clip(
        &mut self,
        model: &Model,
        clip: &Clip,
        options: ExportOptions,
    ) -> Result<Option<Value>, ExportError> {
        let mut written: Vec<(usize, Channel, Keys)> = Vec::new();
        for track in clip.tracks() {
            let Some(joint) = model.skeleton.joint(track.joint()) else {
                let (clip, joint, count) = (clip.name().to_string(), track.joint(), model.skeleton.len());
                return Err(ExportError::Joint { clip, joint, count });
            };
            if track.channel() == Channel::Weights {
                self.has_targets(model, clip, track)?;
            }
            let rest = rest_values(&joint.rest, track.channel());
            if !(options.drop_resting && holds(track, rest.as_deref())) {
                written.push((track.joint(), track.channel(), Keys::of(track, clip.duration())));
            }
        }
        if written.is_empty() {
            // An animation needs a channel, and a clip its duration: something rests.
            let shears = |joint: &usize| model.sheared.iter().any(|(sheared, _)| sheared == joint);
            let still = (0..model.skeleton.len()).find(|joint| !shears(joint));
            let Some((joint, rest)) = still.and_then(|j| Some((j, model.skeleton.joint(j)?.rest))) else {
                return Ok(None);
            };
            let value = rest_values(&rest, Channel::Translation).unwrap_or_default();
            written.push((joint, Channel::Translation, Keys::held(value, clip.duration())));
        }
        // A file's clip lasts until its last key.
        let ends = written.iter().filter_map(|(.., keys)| keys.times.last());
        if ends.fold(0.0f32, |a, b| if *b > a { *b } else { a }) < clip.duration() {
            let plain = written.iter().position(|(.., keys)| !keys.is_spline()).unwrap_or(0);
            if let Some((.., keys)) = written.get_mut(plain) {
                keys.hold_until(clip.duration());
            }
        }
        let (mut samplers, mut channels): (Vec<Value>, Vec<Value>) = (Vec::new(), Vec::new());
        for (node, channel, keys) in &written {
            let (path, kind) = words(*channel);
            let input = self.input(&keys.times);
            let width = if *channel == Channel::Weights { 1 } else { keys.width };
            let output = self.accessor(&keys.values, kind, width);
            let interpolation = match keys.interpolation {
                Interpolation::Step => "STEP",
                Interpolation::Linear => "LINEAR",
                Interpolation::CubicSpline => "CUBICSPLINE",
            };
            channels.push(json!({"sampler": samplers.len(), "target": {"node": node, "path": path}}));
            samplers.push(json!({"input": input, "output": output, "interpolation": interpolation}));
            if let Some(joint) = model.skeleton.joint(*node) {
                self.free_of_matrix(*node, &joint.rest);
            }
        }
        Ok(Some(json!({"name": clip.name(), "samplers": samplers, "channels": channels})))
    }

    /// Checks that a weights track is that of all morph targets of its node's mesh.
    fn has_targets(&self, model: &Model, clip: &Clip, track: &Track) -> Result<(), ExportError> {
        let joint = track.joint();
        let mesh = self.json.get("nodes").and_then(|n| n.get(joint)?.get("mesh")?.as_u64());
        let mesh = mesh.and_then(|m| self.json.get("meshes")?.get(usize::try_from(m).ok()?));
        let targets = mesh.map_or(0, targets);
        let curves = model.skeleton.curves();
        let first = curves.iter().position(|c| c.joint == joint);
        if targets == track.width() && first == Some(track.first_curve()) {
            return Ok(());
        }
        let name = model.skeleton.joint(joint).map_or(String::new(), |j| j.name.clone());
        Err(ExportError::Weights {
            clip: clip.name().to_string(),
            joint,
            name,
            first: track.first_curve(),
            weights: track.width(),
            targets,
        })
    }

    fn input(&mut self, times: &[f32]) -> usize {
        let bits: Vec<u32> = times.iter().map(|t| t.to_bits()).collect();
        if let Some(accessor) = self.inputs.get(&bits) {
            return *accessor;
        }
        let accessor = self.accessor(times, "SCALAR", 1);
        let (min, max) = (times.first().copied().unwrap_or(0.0), times.last().copied().unwrap_or(0.0));
        if let Some(written) = items(self.json, "accessors").nth(accessor) {
            written.insert("min".into(), json!([min]));
            written.insert("max".into(), json!([max]));
        }
        self.inputs.insert(bits, accessor);
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

/// What a channel is called, and the type of its values.
fn words(channel: Channel) -> (&'static str, &'static str) {
    match channel {
        Channel::Translation => ("translation", "VEC3"),
        Channel::Rotation => ("rotation", "VEC4"),
        Channel::Scale => ("scale", "VEC3"),
        Channel::Weights => ("weights", "SCALAR"),
    }
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
