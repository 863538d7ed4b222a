//! A motion as functions of time, and its bake to frames.

use sinew::math::Transform;

use super::body::{Body, pose};
use super::skeleton::Bones;
use crate::feet::FootPath;
use crate::model::{Contact, SampleClip, SkeletonBuilder};

/// Frames a second of all clips.
pub const RATE: f32 = 60.0;

/// A motion as functions of seconds.
pub struct Motion {
    pub name: &'static str,
    /// Seconds; a whole number of frames.
    pub duration: f32,
    pub looping: bool,
    pub root: Box<dyn Fn(f32) -> Transform>,
    pub body: Box<dyn Fn(f32) -> Body>,
    /// Left, right.
    pub feet: [FootPath; 2],
}

impl Motion {
    /// Every frame's pose.
    pub fn bake(&self, skeleton: &SkeletonBuilder, bones: &Bones) -> SampleClip {
        let count = sinew::math::round(self.duration * RATE) as usize;
        let frames = (0..=count).map(|i| {
            let t = i as f32 / RATE;
            let feet = [self.feet[0].at(t), self.feet[1].at(t)];
            pose(skeleton, bones, (self.root)(t), &(self.body)(t), feet)
        });
        let frames = frames.collect();
        let mut contacts = Vec::new();
        for (i, path) in self.feet.iter().enumerate() {
            for (is_heel, start, end) in path.contacts(0.0, self.duration) {
                contacts.push(Contact { point: i * 2 + usize::from(!is_heel), start, end });
            }
        }
        let mut clip = SampleClip { name: self.name, rate: RATE, looping: self.looping, frames, contacts };
        clip.align_signs();
        clip
    }
}
