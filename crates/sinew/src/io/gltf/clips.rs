//! Animations to clips.

use std::collections::HashMap;

use serde_json::Value;

use super::{
    accessor::{Decoder, Want},
    document::{Document, shorten},
    error::{Fault, Place, Report},
};
use crate::anim::{Channel, Clip, Interpolation, Skeleton, Track, unique_names};

/// What a track is made of; equal keys are equal keys, so they are checked once.
type Keys = (usize, usize, Interpolation, Channel, usize);

/// All clips, in order. Unnamed ones are called `animation_3` after their index; of equal names
/// the later ones get a number, as joints do.
pub(super) fn clips(
    document: &Document,
    skeleton: &Skeleton,
    decoder: &mut Decoder<'_>,
    report: &mut Report,
) -> Vec<Clip> {
    let animations = report.list(&document.json, "animations", &Place::ROOT);
    let nodes = report.list(&document.json, "nodes", &Place::ROOT);
    let names = animations.iter().map(|a| a.get("name").and_then(Value::as_str).unwrap_or_default());
    let names = unique_names(names, "animation");
    let mut curves = HashMap::new();
    for (i, curve) in skeleton.curves().iter().enumerate() {
        curves.entry(curve.joint).or_insert((i, 0)).1 += 1;
    }
    let mut tracks = Tracks { nodes: nodes.len(), curves, decoder, known: HashMap::new() };
    let list = Place::ROOT.key("animations");
    let mut out = Vec::new();
    for (i, (animation, name)) in animations.iter().zip(names).enumerate() {
        let at = list.index(i);
        if !report.object(animation, &at) {
            continue;
        }
        let at_channels = at.key("channels");
        // By target: the last channel of one wins, and it is said.
        let mut by_target: HashMap<(usize, Channel), usize> = HashMap::new();
        let mut of_clip: Vec<Track> = Vec::new();
        let samplers = report.list(animation, "samplers", &at);
        for (c, channel) in report.list(animation, "channels", &at).iter().enumerate() {
            let at_channel = at_channels.index(c);
            let Some(track) = tracks.read(samplers, channel, &at.key("samplers"), &at_channel, report) else {
                continue;
            };
            let target = (track.joint(), track.channel());
            match by_target.get(&target).and_then(|k| of_clip.get_mut(*k)) {
                Some(earlier) => {
                    report.warn(&at_channel.key("target"), Fault::DuplicateTarget);
                    *earlier = track;
                }
                None => {
                    by_target.insert(target, of_clip.len());
                    of_clip.push(track);
                }
            }
        }
        if let Ok(clip) = Clip::new(name, of_clip) {
            out.push(clip);
        }
    }
    out
}

struct Tracks<'a, 'd> {
    nodes: usize,
    /// First curve and number of curves by joint.
    curves: HashMap<usize, (usize, usize)>,
    decoder: &'a mut Decoder<'d>,
    known: HashMap<Keys, Option<Track>>,
}

impl Tracks<'_, '_> {
    /// One channel; `None` if it has no target here, or a problem was noted.
    fn read(
        &mut self,
        samplers: &[Value],
        channel: &Value,
        at_samplers: &Place<'_>,
        at: &Place<'_>,
        report: &mut Report,
    ) -> Option<Track> {
        if !report.object(channel, at) {
            return None;
        }
        let at_target = at.key("target");
        let Some(target) = channel.get("target") else {
            report.problem(&at_target, Fault::Missing);
            return None;
        };
        let at_path = at_target.key("path");
        let Some(path) = report.text(target, "path", &at_target) else {
            if target.get("path").is_none() {
                report.problem(&at_path, Fault::Missing);
            }
            return None;
        };
        let kind = match path {
            "translation" => Channel::Translation,
            "rotation" => Channel::Rotation,
            "scale" => Channel::Scale,
            "weights" => Channel::Weights,
            other => {
                let what = format!("an animated property {:?}", shorten(other));
                report.warn(&at_path, Fault::Unsupported { what });
                return None;
            }
        };
        // Without a node the target is an extension's, and the channel is to be ignored.
        let joint = report.reference(target, "node", &at_target, "nodes", self.nodes)?;
        let (first_curve, width) = match kind {
            Channel::Weights => self.curves.get(&joint).copied().unwrap_or((0, 0)),
            Channel::Rotation => (0, 4),
            Channel::Translation | Channel::Scale => (0, 3),
        };
        if width == 0 {
            let what = "a weights channel of a node without morph targets".to_owned();
            report.warn(&at_target.key("node"), Fault::Unsupported { what });
            return None;
        }
        if channel.get("sampler").is_none() {
            report.problem(&at.key("sampler"), Fault::Missing);
        }
        let index = report.reference(channel, "sampler", at, "samplers", samplers.len())?;
        let at_sampler = at_samplers.index(index);
        let sampler = samplers.get(index)?;
        if !report.object(sampler, &at_sampler) {
            return None;
        }
        let interpolation = match sampler.get("interpolation").map(|v| v.as_str().unwrap_or_default()) {
            None | Some("LINEAR") => Interpolation::Linear,
            Some("STEP") => Interpolation::Step,
            Some("CUBICSPLINE") => Interpolation::CubicSpline,
            Some(other) => {
                report.problem(&at_sampler.key("interpolation"), Fault::BadValue { found: shorten(other) });
                return None;
            }
        };
        let input = report.required(sampler, "input", &at_sampler)?;
        let output = report.required(sampler, "output", &at_sampler)?;
        let keys = (input, output, interpolation, kind, width);
        let track = match self.known.get(&keys) {
            Some(known) => known.clone(),
            None => {
                let made = self.make(keys, &at_sampler, report);
                self.known.insert(keys, made.clone());
                made
            }
        };
        Some(track?.retargeted(joint, first_curve))
    }

    fn make(&mut self, keys: Keys, at: &Place<'_>, report: &mut Report) -> Option<Track> {
        let (input, output, interpolation, kind, width) = keys;
        let want = match kind {
            Channel::Translation | Channel::Scale => Want::Vec3,
            Channel::Rotation => Want::Rotation,
            Channel::Weights => Want::Weights,
        };
        // Both, so that both problems are noted.
        let times = self.decoder.floats(input, Want::Times, &at.key("input"), report);
        let values = self.decoder.floats(output, want, &at.key("output"), report);
        let (times, values) = (times?, values?);
        let components = if kind == Channel::Weights { 1 } else { width };
        let cubic = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        let expected = times.len().saturating_mul(width / components).saturating_mul(cubic);
        let found = values.len() / components;
        if found != expected {
            report.problem(&at.key("output"), Fault::Count { expected, found });
            return None;
        }
        let track = match kind {
            Channel::Weights => Track::curves(0, 0, width, interpolation, times, values),
            _ => Track::new(0, kind, interpolation, times, values),
        };
        track.map_err(|e| report.problem(&at.key("input"), e.into())).ok()
    }
}
