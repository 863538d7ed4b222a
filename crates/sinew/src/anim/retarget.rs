//! A clip of one skeleton on another that has joints of the same names.

use super::{Clip, ClipError, Skeleton};

/// A clip that was taken over, and what of it found no place.
#[derive(Clone, Debug)]
pub struct Retargeted {
    /// For the other skeleton.
    pub clip: Clip,
    /// Joints that the clip moves and the other skeleton lacks.
    pub missing: Vec<String>,
}

impl Clip {
    /// The clip for another skeleton. Joints are the same if their names are, wherever they hang:
    /// what stands above a skeleton's root in one file need not stand there in the other. Tracks
    /// of joints that the other lacks, and of curves, are left out and named.
    pub fn retargeted(&self, from: &Skeleton, to: &Skeleton) -> Result<Retargeted, ClipError> {
        let (mut tracks, mut missing) = (Vec::new(), Vec::new());
        for track in self.tracks() {
            let name = from.joint(track.joint()).map_or("", |j| j.name.as_str());
            match to.find(name) {
                Some(joint) if track.channel() != super::Channel::Weights => {
                    tracks.push(track.retargeted(joint, 0));
                }
                _ if missing.last().is_none_or(|m| m != name) => missing.push(name.to_string()),
                _ => {}
            }
        }
        let clip = Clip::with_duration(self.name(), self.duration(), tracks)?;
        Ok(Retargeted { clip, missing })
    }
}
