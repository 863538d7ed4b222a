//! Sample models as the library's own types, without a file in between.

use sinew::anim::{Channel, Clip, Interpolation, Joint, Skeleton, Track};
use sinew::math::Vec3;

use crate::SampleError;
use crate::model::{SampleClip, SampleModel};

impl SampleModel {
    /// The joints as a skeleton, with the same indices. Meshes of skins are no joints, so a file
    /// written by [`crate::to_glb`] has further nodes after these. Fails only for models made
    /// elsewhere, with parents that are not there or in a circle.
    pub fn skeleton(&self) -> Result<Skeleton, SampleError> {
        let joints =
            self.joints.iter().map(|j| Joint { name: j.name.clone(), parent: j.parent, rest: j.rest });
        Ok(Skeleton::new(joints.collect())?)
    }

    /// All clips, for [`Self::skeleton`]: linear tracks for what each clip changes. Fails only for
    /// models made elsewhere, with frames that are not finite.
    pub fn anim_clips(&self) -> Result<Vec<Clip>, SampleError> {
        self.clips.iter().map(|c| self.convert(c)).collect()
    }

    fn convert(&self, clip: &SampleClip) -> Result<Clip, SampleError> {
        let times: std::sync::Arc<[f32]> = (0..clip.frames.len()).map(|i| i as f32 / clip.rate).collect();
        let mut tracks = Vec::new();
        for joint in 0..self.joints.len() {
            let (moves, turns) = self.changes(clip, joint);
            let locals = || clip.frames.iter().filter_map(move |f| f.get(joint));
            let mut add = |channel, values: Vec<f32>| -> Result<(), SampleError> {
                tracks.push(Track::new(joint, channel, Interpolation::Linear, times.clone(), values)?);
                Ok(())
            };
            if moves {
                let xyz = |v: Vec3| [v.x, v.y, v.z];
                add(Channel::Translation, locals().flat_map(|l| xyz(l.translation)).collect())?;
            }
            if turns {
                let xyzw = locals().flat_map(|l| [l.rotation.x, l.rotation.y, l.rotation.z, l.rotation.w]);
                add(Channel::Rotation, xyzw.collect())?;
            }
        }
        Ok(Clip::new(clip.name, tracks)?)
    }

    /// Whether a joint moves and turns in a clip. The root always does, so that root motion is
    /// explicit even where it stands.
    pub(crate) fn changes(&self, clip: &SampleClip, joint: usize) -> (bool, bool) {
        let Some(rest) = self.joints.get(joint).map(|j| j.rest) else { return (false, false) };
        let any = |changed: fn(&sinew::math::Transform, &sinew::math::Transform) -> bool| {
            joint == 0 || clip.frames.iter().filter_map(|f| f.get(joint)).any(|l| changed(l, &rest))
        };
        (any(|a, b| a.translation != b.translation), any(|a, b| a.rotation != b.rotation))
    }
}
