//! What a generated character is made of.

use sinew::math::{Quat, Transform, Vec3};

use crate::rotation::slerp;

/// A joint; parents stand before their children.
#[derive(Clone, Debug, PartialEq)]
pub struct SampleJoint {
    /// Name, unique in the model.
    pub name: String,
    /// Index of the parent; only joint 0 has none.
    pub parent: Option<usize>,
    /// Rest transform to the parent, metres.
    pub rest: Transform,
}

/// A vertex in model space at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SampleVertex {
    /// Position, metres.
    pub position: Vec3,
    /// Unit normal.
    pub normal: Vec3,
    /// Joints that move it.
    pub joints: [u16; 4],
    /// Their weights; they add up to 1, unused ones are 0.
    pub weights: [f32; 4],
}

/// Triangles of one material.
#[derive(Clone, Debug, PartialEq)]
pub struct SamplePart {
    /// Name of the material.
    pub material: &'static str,
    /// Linear red, green, blue.
    pub color: [f32; 3],
    /// Roughness, 0 mirror to 1 matt.
    pub roughness: f32,
    /// How metallic, 0 or 1 as a rule.
    pub metallic: f32,
    /// Vertex indices, three a triangle, counter-clockwise from outside.
    pub indices: Vec<u32>,
}

/// A mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct SampleMesh {
    /// Name.
    pub name: String,
    /// The joint that carries it rigidly, its vertices in the joint's space; `None` for a skinned
    /// mesh, its vertices in model space.
    pub joint: Option<usize>,
    /// Vertices, shared by all parts.
    pub vertices: Vec<SampleVertex>,
    /// Triangles by material.
    pub parts: Vec<SamplePart>,
}

/// A point of the sole or paw that touches the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactPoint {
    /// Name, as `heel_l`, `ball_r`.
    pub name: &'static str,
    /// The joint that carries it.
    pub joint: usize,
    /// Place in the joint's space, metres.
    pub offset: Vec3,
}

/// A time during which a contact point rests on the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Index into [`SampleModel::contact_points`].
    pub point: usize,
    /// First moment, seconds.
    pub start: f32,
    /// Last moment, seconds.
    pub end: f32,
}

/// A clip: every joint's local transform at every frame.
#[derive(Clone, Debug, PartialEq)]
pub struct SampleClip {
    /// Name.
    pub name: &'static str,
    /// Frames a second.
    pub rate: f32,
    /// Whether it repeats; then the last frame is the first apart from the root's displacement.
    pub looping: bool,
    /// Frames, each with one local transform by joint.
    pub frames: Vec<Vec<Transform>>,
    /// When which point of the feet stands still.
    pub contacts: Vec<Contact>,
}

/// A generated character.
#[derive(Clone, Debug, PartialEq)]
pub struct SampleModel {
    /// Name, and stem of its file.
    pub name: &'static str,
    /// Joints, parents first.
    pub joints: Vec<SampleJoint>,
    /// Meshes.
    pub meshes: Vec<SampleMesh>,
    /// Clips.
    pub clips: Vec<SampleClip>,
    /// Points of the feet that touch the ground.
    pub contact_points: Vec<ContactPoint>,
}

impl SampleModel {
    /// Index of a joint by name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|j| j.name == name)
    }

    /// A clip by name.
    pub fn clip(&self, name: &str) -> Option<&SampleClip> {
        self.clips.iter().find(|c| c.name == name)
    }

    /// Model-space transforms of a pose; joints that `locals` lacks are at rest.
    pub fn globals(&self, locals: &[Transform]) -> Vec<Transform> {
        let mut out: Vec<Transform> = Vec::with_capacity(self.joints.len());
        for (i, joint) in self.joints.iter().enumerate() {
            let local = locals.get(i).copied().unwrap_or(joint.rest);
            let parent = joint.parent.and_then(|p| out.get(p)).copied();
            out.push(parent.map_or(local, |p| p * local));
        }
        out
    }

    /// The rest pose, local.
    pub fn rest(&self) -> Vec<Transform> {
        self.joints.iter().map(|j| j.rest).collect()
    }
}

impl SampleClip {
    /// Seconds from the first frame to the last.
    pub fn duration(&self) -> f32 {
        self.frames.len().saturating_sub(1) as f32 / self.rate
    }

    /// Local transforms at `t` seconds, as linear glTF tracks give them: translation on a straight
    /// line, rotation by the shorter great circle. `t` is clamped to the clip.
    pub fn sample(&self, t: f32) -> Vec<Transform> {
        let last = self.frames.len().saturating_sub(1);
        let place = sinew::math::clamp(t * self.rate, 0.0, last as f32);
        let i = (place as usize).min(last);
        let (Some(a), Some(b)) = (self.frames.get(i), self.frames.get((i + 1).min(last))) else {
            return Vec::new();
        };
        let u = place - i as f32;
        let mix = |(a, b): (&Transform, &Transform)| Transform {
            translation: a.translation.lerp(b.translation, u),
            rotation: slerp(a.rotation, b.rotation, u),
            scale: a.scale.lerp(b.scale, u),
        };
        a.iter().zip(b).map(mix).collect()
    }

    /// The root's transform in the last frame relative to the first.
    pub fn displacement(&self) -> Transform {
        let root =
            |frame: Option<&Vec<Transform>>| frame.and_then(|f| f.first()).copied().unwrap_or_default();
        root(self.frames.first()).to_local(root(self.frames.last()))
    }

    /// Gives every rotation the sign nearest to the one before, so that tracks are continuous.
    pub(crate) fn align_signs(&mut self) {
        for i in 1..self.frames.len() {
            let (before, rest) = self.frames.split_at_mut(i);
            for (a, b) in before[i - 1].iter().zip(rest[0].iter_mut()) {
                if a.rotation.dot(b.rotation) < 0.0 {
                    b.rotation = -b.rotation;
                }
            }
        }
    }
}

/// Builds a joint list from model-space rest frames.
#[derive(Default)]
pub(crate) struct SkeletonBuilder {
    pub joints: Vec<SampleJoint>,
    /// Model-space rest transforms.
    pub globals: Vec<Transform>,
}

impl SkeletonBuilder {
    /// Adds a joint at a model-space place and orientation.
    pub fn add(&mut self, name: impl Into<String>, parent: Option<usize>, at: Vec3, turn: Quat) -> usize {
        let global = Transform::new(at, turn, Vec3::ONE);
        let mut rest = parent.map_or(global, |p| self.globals[p].to_local(global));
        rest.rotation = rest.rotation.normalize();
        self.joints.push(SampleJoint { name: name.into(), parent, rest });
        self.globals.push(global);
        self.joints.len() - 1
    }
}
