//! One animated channel of a clip and its sampling.

use std::sync::Arc;

use thiserror::Error;

use super::Pose;
use crate::math::{Quat, Vec3, clamp, lerp};

/// What a track moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Channel {
    /// Joint translation, three components, metres.
    Translation,
    /// Joint rotation, four components, x y z w.
    Rotation,
    /// Joint scale, three components.
    Scale,
    /// Curves of a pose, such as morph weights; as many components as there are curves.
    Weights,
}

/// How a track goes from one key to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Interpolation {
    /// The value of the last key at or before the time.
    Step,
    /// Straight line; for rotations the shorter arc at constant angular speed (slerp).
    Linear,
    /// Cubic Hermite spline. Each key holds in-tangent, value, out-tangent; tangents are per second.
    CubicSpline,
}

/// Keys of one channel. The arrays are shared, so that cloning is cheap and tracks that were
/// written with one time line keep one.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    joint: usize,
    channel: Channel,
    first_curve: usize,
    width: usize,
    interpolation: Interpolation,
    times: Arc<[f32]>,
    values: Arc<[f32]>,
    /// True for rotations that are unit only within a few decimals, and stay as they were written.
    as_written: bool,
}

/// Why keys do not make a track.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum TrackError {
    /// No key at all.
    #[error("a track needs at least one key; leave the track out instead")]
    NoKeys,
    /// A key time that is negative, infinite or not a number.
    #[error("time of key {key} is {time}; times are finite seconds from 0")]
    BadTime {
        /// Which key.
        key: usize,
        /// Its time.
        time: f32,
    },
    /// A key earlier than the one before it. Equal times are allowed: the later key wins.
    #[error("key {key} at {time} s comes after a later key; sort the keys by time")]
    Unsorted {
        /// Which key.
        key: usize,
        /// Its time.
        time: f32,
    },
    /// Number of values that does not fit the number of keys.
    #[error("{keys} keys need {expected} values, found {found}")]
    ValueCount {
        /// Number of keys.
        keys: usize,
        /// Values they need.
        expected: usize,
        /// Values given.
        found: usize,
    },
    /// A value that is infinite or not a number.
    #[error("value {index} is {value}; values must be finite")]
    BadValue {
        /// Index into the values.
        index: usize,
        /// The value.
        value: f32,
    },
}

/// Where a time falls among keys: the key at or before it, and the share of the way to the next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    key: usize,
    /// 0 to 1; 0 where there is no next key.
    share: f32,
    /// Seconds between the two keys; 0 where there is no next key.
    span: f32,
}

impl Track {
    /// A joint's track. `values` holds `width` floats a key (rotation 4, translation and scale 3),
    /// three times that for cubic splines. Rotation keys that are not unit length, by more than
    /// writing three decimals makes them, are normalized here for step and linear tracks; cubic keys stay as they are, the spline's result is
    /// normalized when sampling. For curves use [`Self::curves`].
    pub fn new(
        joint: usize,
        channel: Channel,
        interpolation: Interpolation,
        times: impl Into<Arc<[f32]>>,
        values: impl Into<Arc<[f32]>>,
    ) -> Result<Self, TrackError> {
        let times = times.into();
        let width = match channel {
            Channel::Translation | Channel::Scale => 3,
            Channel::Rotation => 4,
            Channel::Weights => 1,
        };
        Self::checked(joint, channel, 0, width, interpolation, times, values.into())
    }

    /// A track of `width` curves from `first_curve` on; `joint` is the one they belong to.
    pub fn curves(
        joint: usize,
        first_curve: usize,
        width: usize,
        interpolation: Interpolation,
        times: impl Into<Arc<[f32]>>,
        values: impl Into<Arc<[f32]>>,
    ) -> Result<Self, TrackError> {
        Self::checked(joint, Channel::Weights, first_curve, width, interpolation, times.into(), values.into())
    }

    fn checked(
        joint: usize,
        channel: Channel,
        first_curve: usize,
        width: usize,
        interpolation: Interpolation,
        times: Arc<[f32]>,
        mut values: Arc<[f32]>,
    ) -> Result<Self, TrackError> {
        if times.is_empty() {
            return Err(TrackError::NoKeys);
        }
        let mut last = 0.0;
        for (key, &time) in times.iter().enumerate() {
            if !time.is_finite() || time < 0.0 {
                return Err(TrackError::BadTime { key, time });
            }
            if time < last {
                return Err(TrackError::Unsorted { key, time });
            }
            last = time;
        }
        let per_key = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        let expected = times.len().saturating_mul(width).saturating_mul(per_key);
        if values.len() != expected {
            return Err(TrackError::ValueCount { keys: times.len(), expected, found: values.len() });
        }
        if let Some((index, &value)) = values.iter().enumerate().find(|(_, v)| !v.is_finite()) {
            return Err(TrackError::BadValue { index, value });
        }
        let mut as_written = false;
        if channel == Channel::Rotation && interpolation != Interpolation::CubicSpline {
            values = normalized_rotations(values);
            as_written = values.chunks_exact(4).any(|q| (squared(q) - 1.0).abs() >= 1e-6);
        }
        Ok(Self { joint, channel, first_curve, width, interpolation, times, values, as_written })
    }

    /// Joint that the track moves, or that its curves belong to.
    pub fn joint(&self) -> usize {
        self.joint
    }

    /// What it moves.
    pub fn channel(&self) -> Channel {
        self.channel
    }

    /// First curve of a weights track; 0 otherwise.
    pub fn first_curve(&self) -> usize {
        self.first_curve
    }

    /// Floats of one value: 3, 4, or the number of curves.
    pub fn width(&self) -> usize {
        self.width
    }

    /// How it goes between keys.
    pub fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    /// Key times in seconds, not decreasing.
    pub fn times(&self) -> &[f32] {
        &self.times
    }

    /// Key values, key by key; for cubic splines in-tangent, value, out-tangent of each key.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// Time of the last key in seconds.
    pub fn end(&self) -> f32 {
        self.times.last().copied().unwrap_or(0.0)
    }

    /// The same keys for another joint (and, for weights, from another first curve on).
    pub fn retargeted(&self, joint: usize, first_curve: usize) -> Self {
        Self { joint, first_curve, ..self.clone() }
    }

    /// True if both tracks share one array of times.
    pub(super) fn shares_times(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.times, &other.times)
    }

    /// The plain value of a key, without tangents.
    pub fn key_value(&self, key: usize) -> &[f32] {
        let (stride, skip) = self.layout();
        let start = key.saturating_mul(stride).saturating_add(skip);
        self.values.get(start..start.saturating_add(self.width)).unwrap_or(&[])
    }

    fn layout(&self) -> (usize, usize) {
        if self.interpolation == Interpolation::CubicSpline {
            (self.width * 3, self.width)
        } else {
            (self.width, 0)
        }
    }

    /// Finds a time among the keys by bisection. Before the first key and for NaN it is the first.
    pub(super) fn place(&self, t: f32) -> Place {
        let after = self.times.partition_point(|&k| k <= t);
        let Some(key) = after.checked_sub(1) else { return Place { key: 0, share: 0.0, span: 0.0 } };
        match (self.times.get(key), self.times.get(after)) {
            // `k <= t < n`, so the span is positive; it can only be tiny, never 0.
            (Some(&k), Some(&n)) => Place { key, share: (t - k) / (n - k), span: n - k },
            _ => Place { key, share: 0.0, span: 0.0 },
        }
    }

    /// One float of key `key`: `part` is 0 in-tangent, 1 value, 2 out-tangent.
    #[inline]
    fn at(&self, key: usize, part: usize, component: usize) -> f32 {
        let i = if self.interpolation == Interpolation::CubicSpline {
            (key * 3 + part) * self.width + component
        } else {
            key * self.width + component
        };
        self.values.get(i).copied().unwrap_or(0.0)
    }

    /// One component by step, line or spline; not fit for linear rotations.
    #[inline]
    fn component(&self, p: Place, component: usize) -> f32 {
        let v0 = self.at(p.key, 1, component);
        if p.span == 0.0 || self.interpolation == Interpolation::Step {
            return v0;
        }
        let v1 = self.at(p.key + 1, 1, component);
        let s = p.share;
        if self.interpolation == Interpolation::Linear {
            let v = v0 + (v1 - v0) * s;
            return if v.is_finite() { v } else { line_of_huge_keys(v0, v1, s) };
        }
        // glTF 2.0, appendix C.5: tangents are scaled by the time between the keys.
        let (b0, a1) = (self.at(p.key, 2, component), self.at(p.key + 1, 0, component));
        let (s2, s3) = (s * s, s * s * s);
        let v = (2.0 * s3 - 3.0 * s2 + 1.0) * v0
            + p.span * (s3 - 2.0 * s2 + s) * b0
            + (3.0 * s2 - 2.0 * s3) * v1
            + p.span * (s3 - s2) * a1;
        if v.is_finite() { v } else { spline_of_huge_keys([v0, b0, v1, a1], p) }
    }

    #[inline]
    fn vec3(&self, p: Place) -> Vec3 {
        Vec3::new(self.component(p, 0), self.component(p, 1), self.component(p, 2))
    }

    #[inline]
    fn quat(&self, p: Place) -> Quat {
        let key = |k| Quat::new(self.at(k, 1, 0), self.at(k, 1, 1), self.at(k, 1, 2), self.at(k, 1, 3));
        match self.interpolation {
            Interpolation::Linear if p.span != 0.0 => {
                let (from, to) = (key(p.key), key(p.key + 1));
                let q = from.slerp(to, p.share);
                if self.as_written { q * lerp(from.length(), to.length(), p.share) } else { q }
            }
            Interpolation::Linear | Interpolation::Step => key(p.key),
            Interpolation::CubicSpline => unit(Quat::new(
                self.component(p, 0),
                self.component(p, 1),
                self.component(p, 2),
                self.component(p, 3),
            )),
        }
    }

    /// Translation or scale at a time in seconds; zero for other channels.
    pub fn sample_vec3(&self, t: f32) -> Vec3 {
        if self.width == 3 { self.vec3(self.place(t)) } else { Vec3::ZERO }
    }

    /// Rotation at a time in seconds; identity for other channels.
    pub fn sample_quat(&self, t: f32) -> Quat {
        if self.channel == Channel::Rotation { self.quat(self.place(t)) } else { Quat::IDENTITY }
    }

    /// Writes the value at a found place into the pose; targets that the pose lacks are skipped.
    pub(super) fn apply(&self, p: Place, pose: &mut Pose) {
        if self.channel == Channel::Weights {
            for (i, value) in pose.curves.iter_mut().skip(self.first_curve).take(self.width).enumerate() {
                *value = self.component(p, i);
            }
            return;
        }
        let Some(local) = pose.locals.get_mut(self.joint) else { return };
        match self.channel {
            Channel::Translation => local.translation = self.vec3(p),
            Channel::Rotation => local.rotation = self.quat(p),
            Channel::Scale => local.scale = self.vec3(p),
            Channel::Weights => {}
        }
    }
}

/// A line whose difference of keys no `f32` holds; the value itself lies between the keys.
#[cold]
fn line_of_huge_keys(v0: f32, v1: f32, s: f32) -> f32 {
    let [v0, v1, s] = [v0, v1, s].map(f64::from);
    nearest_finite(v0 + (v1 - v0) * s)
}

/// A spline with a term that no `f32` holds. Where the curve itself leaves their range, its end.
#[cold]
fn spline_of_huge_keys(keys: [f32; 4], p: Place) -> f32 {
    let [v0, b0, v1, a1] = keys.map(f64::from);
    let (s, span) = (f64::from(p.share), f64::from(p.span));
    let (s2, s3) = (s * s, s * s * s);
    nearest_finite(
        (2.0 * s3 - 3.0 * s2 + 1.0) * v0
            + span * (s3 - 2.0 * s2 + s) * b0
            + (3.0 * s2 - 2.0 * s3) * v1
            + span * (s3 - s2) * a1,
    )
}

/// The closest `f32` that is neither infinite nor NaN.
fn nearest_finite(v: f64) -> f32 {
    clamp(v as f32, f32::MIN, f32::MAX)
}

/// A unit quaternion of the components of any size; identity for zero.
#[inline]
fn unit(q: Quat) -> Quat {
    let q = if q.dot(q).is_finite() { q } else { q * 1e-20 };
    q.normalize()
}

fn squared(q: &[f32]) -> f64 {
    q.iter().map(|&c| f64::from(c) * f64::from(c)).sum()
}

/// How far the squared length of a rotation key may be from 1 for a track to keep its keys as they
/// were written. Files with three decimals are that far off; every viewer shows them as written.
const AS_WRITTEN: f64 = 1e-3;

/// Unit-length rotations. Tracks whose keys are all unit within [`AS_WRITTEN`] keep their bits, so
/// that loading what was saved changes nothing. Lengths are taken in double precision, where no `f32` overflows.
fn normalized_rotations(values: Arc<[f32]>) -> Arc<[f32]> {
    if values.chunks_exact(4).all(|q| (squared(q) - 1.0).abs() < AS_WRITTEN) {
        return values;
    }
    let mut out = values.to_vec();
    for q in out.chunks_exact_mut(4) {
        let length = squared(q).sqrt();
        if length > 0.0 {
            q.iter_mut().for_each(|c| *c = (f64::from(*c) / length) as f32);
        } else {
            q.copy_from_slice(&[0.0, 0.0, 0.0, 1.0]);
        }
    }
    out.into()
}
