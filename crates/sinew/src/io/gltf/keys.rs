//! A track's keys as glTF wants them: strictly rising times, unit rotations, no key past the end.

use crate::anim::{Channel, Interpolation, Track};
use crate::math::clamp;

/// Keys to be written.
pub(super) struct Keys {
    pub times: Vec<f32>,
    /// Of a spline: in-tangent, value, out-tangent of each key.
    pub values: Vec<f32>,
    pub interpolation: Interpolation,
    /// Floats of one value.
    pub width: usize,
}

impl Keys {
    /// Keys that give the track's values from 0 to `end` seconds, and have no time after it.
    pub fn of(track: &Track, end: f32) -> Self {
        let mut keys = Self::cut(track, end);
        keys.separate();
        if keys.times.len() == 1 {
            keys.single();
        }
        if track.channel() == Channel::Rotation {
            if keys.is_spline() { keys.unit_splines() } else { keys.one_side() }
        }
        keys
    }

    /// One key that holds a value.
    pub fn held(value: Vec<f32>, time: f32) -> Self {
        let width = value.len();
        Self { times: vec![time], values: value, interpolation: Interpolation::Linear, width }
    }

    /// Holds the last value until a time, with one more key if that is later than the last one.
    pub fn hold_until(&mut self, time: f32) {
        if self.times.last().is_none_or(|last| *last >= time) {
            return;
        }
        let (stride, value) = (self.stride(), self.value(self.times.len() - 1));
        if self.is_spline() {
            // The out-tangent of the last key counted for nothing so far.
            let from = self.values.len() - self.width;
            self.values[from..].fill(0.0);
            let zero = vec![0.0; self.width];
            self.values.extend([zero.clone(), value, zero].concat());
        } else {
            self.values.extend(value);
        }
        debug_assert_eq!(self.values.len(), (self.times.len() + 1) * stride);
        self.times.push(time);
    }

    pub fn is_spline(&self) -> bool {
        self.interpolation == Interpolation::CubicSpline
    }

    /// Floats of one key.
    fn stride(&self) -> usize {
        if self.is_spline() { self.width * 3 } else { self.width }
    }

    /// The value of a key without its tangents.
    fn value(&self, key: usize) -> Vec<f32> {
        let from = key * self.stride() + if self.is_spline() { self.width } else { 0 };
        self.values.get(from..from + self.width).unwrap_or(&[]).to_vec()
    }

    fn cut(track: &Track, end: f32) -> Self {
        let kept = track.times().partition_point(|t| *t <= end);
        let mut keys = Self {
            // Adding 0 makes a negative zero a plain one.
            times: track.times().iter().take(kept).map(|t| t + 0.0).collect(),
            values: Vec::new(),
            interpolation: track.interpolation(),
            width: track.width(),
        };
        let stride = keys.stride();
        keys.values.extend(track.values().iter().take(kept * stride));
        if kept == 0 {
            keys.interpolation = Interpolation::Linear;
            keys.times.push(end);
            keys.values.extend(track.key_value(0));
        } else if kept < track.times().len() && keys.times[kept - 1] < end {
            match track.interpolation() {
                Interpolation::Step => {}
                Interpolation::Linear if track.channel() == Channel::Rotation => {
                    let q = track.sample_quat(end);
                    keys.values.extend([q.x, q.y, q.z, q.w]);
                    keys.times.push(end);
                }
                Interpolation::Linear | Interpolation::CubicSpline => keys.cut_between(track, kept - 1, end),
            }
        }
        keys
    }

    /// Adds a key at a time after key `key` of the track and before the next one.
    fn cut_between(&mut self, track: &Track, key: usize, time: f32) {
        let at = |key: usize, part: usize| {
            let from = if self.is_spline() { (key * 3 + part) * self.width } else { key * self.width };
            track.values().get(from..from + self.width).unwrap_or(&[]).iter().map(|v| f64::from(*v))
        };
        let (from, to) = (f64::from(track.times()[key]), f64::from(track.times()[key + 1]));
        let span = to - from;
        let s = (f64::from(time) - from) / span;
        let (mut slopes, mut values): (Vec<f32>, Vec<f32>) = (Vec::new(), Vec::new());
        let ends = at(key, 1).zip(at(key + 1, 1));
        if !self.is_spline() {
            values.extend(ends.map(|(v0, v1)| finite(v0 + (v1 - v0) * s)));
        } else {
            // A part of a cubic is the cubic with the same slopes at the part's ends.
            let (s2, s3) = (s * s, s * s * s);
            for ((v0, v1), (b0, a1)) in ends.zip(at(key, 2).zip(at(key + 1, 0))) {
                let value = (2.0 * s3 - 3.0 * s2 + 1.0) * v0
                    + span * (s3 - 2.0 * s2 + s) * b0
                    + (3.0 * s2 - 2.0 * s3) * v1
                    + span * (s3 - s2) * a1;
                let slope = (6.0 * s2 - 6.0 * s) * (v0 - v1) / span
                    + (3.0 * s2 - 4.0 * s + 1.0) * b0
                    + (3.0 * s2 - 2.0 * s) * a1;
                slopes.push(finite(slope));
                values.push(finite(value));
            }
        }
        let after = if self.is_spline() { vec![0.0; self.width] } else { Vec::new() };
        self.values.extend([slopes, values, after].concat());
        self.times.push(time);
    }

    /// Makes times rise strictly. Of keys at one time the last counts from there on and the first
    /// is what is arrived at: where they differ, the first goes to the next smaller time.
    fn separate(&mut self) {
        if self.times.windows(2).all(|pair| pair[0] < pair[1]) {
            return;
        }
        let (times, values) = (std::mem::take(&mut self.times), std::mem::take(&mut self.values));
        let stride = self.stride();
        let key = |i: usize| values.get(i * stride..(i + 1) * stride).unwrap_or(&[]);
        let tangent = if self.is_spline() { self.width } else { 0 };
        let plain = |i: usize| key(i).get(tangent..tangent + self.width);
        let mut from = 0;
        for group in times.chunk_by(|a, b| a == b) {
            let (first, last, time) = (from, from + group.len() - 1, group[0]);
            from += group.len();
            let arrives = if first == 0 { time > 0.0 } else { self.interpolation != Interpolation::Step };
            let earlier = time.next_down();
            let room = self.times.last().is_none_or(|before| *before < earlier);
            if first < last && arrives && plain(first) != plain(last) && room {
                self.times.push(earlier);
                self.values.extend(key(first));
                self.values.extend(key(last));
            } else {
                // One key: it is arrived at as at the first, left as from the last.
                self.values.extend(key(first).iter().take(tangent));
                self.values.extend(key(last).iter().skip(tangent));
            }
            self.times.push(time);
        }
    }

    /// A spline needs two keys; one key is its value at all times.
    fn single(&mut self) {
        self.values = self.value(0);
        self.interpolation = match self.interpolation {
            Interpolation::CubicSpline => Interpolation::Linear,
            other => other,
        };
    }

    /// Each rotation on the side of the one before, so that every reader takes the short way.
    fn one_side(&mut self) {
        let mut before = [0.0; 4];
        for key in self.values.as_chunks_mut::<4>().0 {
            // Splines and keys past an end are not unit before.
            unit(key, 0);
            let dot: f32 = key.iter().zip(before).map(|(a, b)| a * b).sum();
            if dot < 0.0 {
                key.iter_mut().for_each(|v| *v = -*v);
            }
            before = *key;
        }
    }

    /// Unit rotations of a spline. Its signs stay: a spline goes through the components as they
    /// are, so turning a key over would bend the way there and back.
    fn unit_splines(&mut self) {
        self.values.as_chunks_mut::<12>().0.iter_mut().for_each(|key| unit(key, 4));
    }
}

/// Scales a key so that its value, from component `at` on, is unit; one that nearly is, as files
/// with few decimals have it, stays as it was written.
fn unit(key: &mut [f32], at: usize) {
    let value = key.iter().skip(at).take(4);
    let squared = value.map(|v| f64::from(*v) * f64::from(*v)).sum::<f64>();
    if (squared - 1.0).abs() < 1e-3 {
        return;
    }
    let length = squared.sqrt();
    if length > 0.0 {
        key.iter_mut().for_each(|v| *v = finite(f64::from(*v) / length));
    } else if let Some(value) = key.get_mut(at..at + 4) {
        value.copy_from_slice(&[0.0, 0.0, 0.0, 1.0]);
    }
}

fn finite(v: f64) -> f32 {
    clamp(v as f32, f32::MIN, f32::MAX)
}
