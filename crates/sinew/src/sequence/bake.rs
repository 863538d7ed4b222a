//! Runs a rig for every frame of a clip and keeps the poses.

use crate::anim::{Channel, Clip, ClipError, Interpolation, Pose, Skeleton, Track, TrackError, wrap_time};
use crate::math::Transform;
use crate::vm::{Fault, Instance};

/// What to run and for how long.
#[derive(Clone, Copy, Debug)]
pub struct Bake<'a> {
    /// The skeleton that the instance's program is bound to.
    pub skeleton: &'a Skeleton,
    /// The clip that is loaded into the bones before each frame; the rest pose without one.
    pub clip: Option<&'a Clip>,
    /// Frames a second.
    pub fps: f32,
    /// Seconds; a clip shorter than that is looped.
    pub duration: f32,
}

/// Why a bake ended.
#[derive(Debug, thiserror::Error)]
pub enum BakeError {
    /// The rate or the length make no sense.
    #[error(
        "{0} frames a second for {1} seconds: the rate is above 0, the length is not negative, and there are at most {MAX_FRAMES} frames"
    )]
    Length(f32, f32),
    /// The rig ended a frame with a fault.
    #[error("frame {frame} at {time} s: {fault}")]
    Fault {
        /// Which frame.
        frame: usize,
        /// Its time.
        time: f32,
        /// What happened.
        fault: Fault,
    },
}

/// The most frames of one bake.
pub const MAX_FRAMES: usize = 1_000_000;

/// Poses of bones at frame times.
#[derive(Clone, Debug, Default)]
pub struct Baked {
    /// Seconds of each frame, rising from 0.
    pub times: Vec<f32>,
    /// Locals of all bones for each frame.
    pub poses: Vec<Vec<Transform>>,
}

impl Bake<'_> {
    /// How many frames there are: one at 0, one at the end, and those at the rate between.
    pub fn frames(&self) -> Result<usize, BakeError> {
        let error = || BakeError::Length(self.fps, self.duration);
        if !(self.fps > 0.0 && self.fps.is_finite() && self.duration >= 0.0 && self.duration.is_finite()) {
            return Err(error());
        }
        let whole = f64::from(self.duration) * f64::from(self.fps);
        // A length that is a whole number of frames but for rounding has no short last one.
        let frames = (whole - 1e-3).ceil().max(0.0) as usize + 1;
        if frames > MAX_FRAMES { Err(error()) } else { Ok(frames) }
    }

    /// The time of a frame.
    pub fn time(&self, frame: usize) -> f32 {
        let t = (frame as f64 / f64::from(self.fps)) as f32;
        if t < self.duration { t } else { self.duration }
    }

    /// Runs the event `forward` for every frame. `each` sees the instance after each frame.
    pub fn run(
        &self,
        instance: &mut Instance,
        mut each: impl FnMut(usize, &mut Instance),
    ) -> Result<Baked, BakeError> {
        let frames = self.frames()?;
        let mut pose = Pose::rest(self.skeleton);
        let mut baked = Baked { times: Vec::with_capacity(frames), poses: Vec::with_capacity(frames) };
        let mut last = 0.0;
        for frame in 0..frames {
            let time = self.time(frame);
            if let Some(clip) = self.clip {
                // The last frame of a clip is its end, not its start again.
                let inside = if time <= clip.duration() { time } else { wrap_time(time, clip.duration()) };
                clip.sample(self.skeleton, inside, &mut pose);
            }
            instance.set_pose(&pose.locals);
            instance.tick(time - last).map_err(|fault| BakeError::Fault { frame, time, fault })?;
            last = time;
            each(frame, instance);
            baked.times.push(time);
            baked.poses.push(instance.pose().iter().take(self.skeleton.len()).copied().collect());
        }
        Ok(baked)
    }
}

/// Why baked poses make no clip.
#[derive(Debug, thiserror::Error)]
pub enum ToClipError {
    /// A track.
    #[error(transparent)]
    Track(#[from] TrackError),
    /// The clip.
    #[error(transparent)]
    Clip(#[from] ClipError),
}

impl Baked {
    /// As a clip with a key for every frame: translation, rotation and scale of every bone, the
    /// quaternions of a bone turned to one side.
    pub fn to_clip(&self, name: &str) -> Result<Clip, ToClipError> {
        let joints = self.poses.first().map_or(0, Vec::len);
        let mut tracks = Vec::with_capacity(joints * 3);
        for joint in 0..joints {
            let locals = || self.poses.iter().filter_map(|p| p.get(joint));
            let (mut t, mut r, mut s) = (Vec::new(), Vec::new(), Vec::new());
            let mut before = None;
            for local in locals() {
                let mut q = local.rotation;
                if before.is_some_and(|b| q.dot(b) < 0.0) {
                    q = -q;
                }
                before = Some(q);
                t.extend([local.translation.x, local.translation.y, local.translation.z]);
                r.extend([q.x, q.y, q.z, q.w]);
                s.extend([local.scale.x, local.scale.y, local.scale.z]);
            }
            for (channel, values) in [(Channel::Translation, t), (Channel::Rotation, r), (Channel::Scale, s)]
            {
                tracks.push(Track::new(joint, channel, Interpolation::Linear, self.times.clone(), values)?);
            }
        }
        Ok(Clip::new(name, tracks)?)
    }
}
