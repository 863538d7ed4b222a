//! Local transforms and curve values of a skeleton at one moment.

use super::Skeleton;
use crate::math::Transform;

/// Local transforms and curve values, sized once for a skeleton and then overwritten.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pose {
    /// Transform of each joint to its parent, by joint index.
    pub locals: Vec<Transform>,
    /// Curve values (morph weights among them), by curve index.
    pub curves: Vec<f32>,
}

impl Pose {
    /// The rest pose of a skeleton. This is the one place that allocates.
    pub fn rest(skeleton: &Skeleton) -> Self {
        Self {
            locals: skeleton.joints().iter().map(|j| j.rest).collect(),
            curves: skeleton.curves().iter().map(|c| c.rest).collect(),
        }
    }

    /// Back to the rest pose, in place. Joints that the skeleton lacks keep their values.
    pub fn set_rest(&mut self, skeleton: &Skeleton) {
        for (local, joint) in self.locals.iter_mut().zip(skeleton.joints()) {
            *local = joint.rest;
        }
        for (value, curve) in self.curves.iter_mut().zip(skeleton.curves()) {
            *value = curve.rest;
        }
    }

    /// Takes another pose's values over without allocating; what the other lacks stays.
    pub fn copy_from(&mut self, other: &Self) {
        for (to, from) in self.locals.iter_mut().zip(&other.locals) {
            *to = *from;
        }
        for (to, from) in self.curves.iter_mut().zip(&other.curves) {
            *to = *from;
        }
    }
}
