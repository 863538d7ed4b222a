//! Sampled animation: tracks with a common time line, and time helpers.

use thiserror::Error;

use super::{Channel, Pose, Skeleton, Track};

/// Keyed animation of a skeleton. Time is counted from 0; before its first key a track holds the
/// first value, after its last key the last.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    name: String,
    duration: f32,
    tracks: Vec<Track>,
}

/// Why tracks do not make a clip.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum ClipError {
    /// A duration that is negative, infinite or not a number.
    #[error("duration of clip {clip} is {duration}; it must be finite seconds, 0 or more")]
    BadDuration {
        /// Name of the clip.
        clip: String,
        /// The duration.
        duration: f32,
    },
    /// Two tracks that move one thing.
    #[error("clip {clip} has two {channel:?} tracks for joint {joint}; keep one")]
    Duplicate {
        /// Name of the clip.
        clip: String,
        /// The joint.
        joint: usize,
        /// The channel.
        channel: Channel,
    },
}

impl Clip {
    /// A clip that lasts until the last key of any track.
    pub fn new(name: impl Into<String>, tracks: Vec<Track>) -> Result<Self, ClipError> {
        let duration = tracks.iter().map(Track::end).fold(0.0, |a, b| if b > a { b } else { a });
        Self::with_duration(name, duration, tracks)
    }

    /// A clip of a given duration in seconds. Keys past the end are kept; a longer duration holds
    /// the last values.
    pub fn with_duration(
        name: impl Into<String>,
        duration: f32,
        mut tracks: Vec<Track>,
    ) -> Result<Self, ClipError> {
        let clip = name.into();
        if !duration.is_finite() || duration < 0.0 {
            return Err(ClipError::BadDuration { clip, duration });
        }
        // By joint, so that a pose is written front to back.
        tracks.sort_by_key(|t| (t.joint(), t.channel() as u8, t.first_curve()));
        for pair in tracks.windows(2) {
            if let [a, b] = pair
                && (a.joint(), a.channel(), a.first_curve()) == (b.joint(), b.channel(), b.first_curve())
            {
                return Err(ClipError::Duplicate { clip, joint: a.joint(), channel: a.channel() });
            }
        }
        Ok(Self { name: clip, duration, tracks })
    }

    /// Name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same clip under another name.
    pub fn renamed(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Duration in seconds, 0 or more.
    pub fn duration(&self) -> f32 {
        self.duration
    }

    /// Tracks, sorted by joint and channel.
    pub fn tracks(&self) -> &[Track] {
        &self.tracks
    }

    /// The track of a joint's channel.
    pub fn track(&self, joint: usize, channel: Channel) -> Option<&Track> {
        self.tracks.iter().find(|t| t.joint() == joint && t.channel() == channel)
    }

    /// Sets the whole pose to the clip at `t` seconds: the rest pose first, then every track.
    /// `t` is clamped to the keys; see [`wrap_time`] for loops. Allocates nothing.
    pub fn sample(&self, skeleton: &Skeleton, t: f32, pose: &mut Pose) {
        pose.set_rest(skeleton);
        self.apply(t, pose);
    }

    /// Writes only what the clip has tracks for and leaves the rest of the pose. Allocates nothing.
    pub fn apply(&self, t: f32, pose: &mut Pose) {
        // Exporters give most tracks one time line: find the place in it once.
        let mut found: Option<(&Track, _)> = None;
        for track in &self.tracks {
            let place = match found {
                Some((last, place)) if last.shares_times(track) => place,
                _ => track.place(t),
            };
            found = Some((track, place));
            track.apply(place, pose);
        }
    }
}

/// Time in a loop of `duration` seconds: in `[0, duration)`, also for negative times. The end of
/// the loop is its start. A duration of 0 (a clip of one pose), and times that are not finite, give 0.
pub fn wrap_time(t: f32, duration: f32) -> f32 {
    if !(t.is_finite() && duration > 0.0 && duration < f32::INFINITY) {
        return 0.0;
    }
    // The remainder of IEEE floats is exact, hence the same everywhere.
    let r = t % duration;
    let wrapped = if r < 0.0 { r + duration } else { r };
    // A tiny negative remainder rounds up to the duration itself.
    if wrapped >= duration { 0.0 } else { wrapped }
}

/// Advances a looping time by `dt` seconds: the new time, and how often the end (or, backwards,
/// the start) was passed. With a duration of 0 the time stays 0 and every call with `dt != 0`
/// counts as one completion. Counts saturate at `u32::MAX`.
pub fn advance_looping(t: f32, dt: f32, duration: f32) -> (f32, u32) {
    if !(duration > 0.0 && duration < f32::INFINITY) {
        return (0.0, u32::from(dt != 0.0 && dt.is_finite()));
    }
    let t = wrap_time(t, duration);
    let next = t + dt;
    if !next.is_finite() {
        return (t, 0);
    }
    if next >= 0.0 && next < duration {
        return (next, 0);
    }
    let wrapped = wrap_time(next, duration);
    let turns = ((f64::from(next) - f64::from(wrapped)) / f64::from(duration)).abs() + 0.5;
    // A float-to-int cast saturates.
    (wrapped, (turns as u32).max(1))
}

/// Advances a time that stops at both ends: the new time, and whether this step arrived at an end.
pub fn advance_clamped(t: f32, dt: f32, duration: f32) -> (f32, bool) {
    let clamp = |t: f32| if t > 0.0 { if t < duration { t } else { duration } } else { 0.0 };
    if !(duration > 0.0 && duration < f32::INFINITY) {
        return (0.0, dt != 0.0 && dt.is_finite());
    }
    let from = clamp(t);
    let to = clamp(from + dt);
    (to, to != from && (to == 0.0 || to == duration))
}
