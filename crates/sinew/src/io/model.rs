//! What a file brings: skeleton, clips, skins, and a summary of its meshes.

use super::{gltf, matrix, matrix::Matrix};
use crate::anim::{Clip, Pose, Skeleton};

/// A loaded file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// All nodes (glTF) or joints (BVH) of the file, by their index in it.
    pub skeleton: Skeleton,
    /// All animations.
    pub clips: Vec<Clip>,
    /// All skins.
    pub skins: Vec<Skin>,
    /// All meshes, in short.
    pub meshes: Vec<MeshInfo>,
    /// What was odd about the file but did not keep it from loading, ready to show.
    pub warnings: Vec<String>,
    /// The file itself, to be written again with other animations; `None` where it was no glTF.
    pub source: Option<gltf::Document>,
    /// Rest matrices that no T·R·S expresses, by joint, sorted.
    pub(super) sheared: Vec<(usize, Matrix)>,
}

/// A skin: which joints move a mesh, and the mesh's place relative to them.
#[derive(Clone, Debug, PartialEq)]
pub struct Skin {
    /// Name; may be empty.
    pub name: String,
    /// Joint indices into the skeleton, in the order that the mesh's joint attribute means.
    pub joints: Vec<usize>,
    /// From mesh space to each joint's space in the bind pose; as many as joints.
    pub inverse_bind: Vec<Matrix>,
    /// The node that the file calls the skin's root.
    pub root: Option<usize>,
}

/// A mesh in short.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshInfo {
    /// Name; may be empty.
    pub name: String,
    /// Number of morph targets.
    pub morph_targets: usize,
    /// Its parts.
    pub primitives: Vec<PrimitiveInfo>,
}

/// A part of a mesh with one material.
#[derive(Clone, Debug, PartialEq)]
pub struct PrimitiveInfo {
    /// Number of vertices.
    pub vertices: u64,
    /// Number of indices; 0 if not indexed.
    pub indices: u64,
    /// glTF's primitive mode; 4 is triangles.
    pub mode: u64,
    /// True if vertices carry joint indices.
    pub skinned: bool,
    /// Smallest and largest coordinates in mesh space, as the file states them.
    pub bounds: Option<([f32; 3], [f32; 3])>,
}

impl Model {
    /// The clip of that name.
    pub fn clip(&self, name: &str) -> Option<&Clip> {
        self.clips.iter().find(|c| c.name() == name)
    }

    /// The local matrix of a joint in a pose: T·R·S, or the file's own matrix where it has shear
    /// and the joint is at rest. Joints that the pose lacks are at rest.
    pub fn local_matrix(&self, joint: usize, pose: &Pose) -> Matrix {
        let Some(rest) = self.skeleton.joint(joint).map(|j| j.rest) else { return matrix::IDENTITY };
        let local = pose.locals.get(joint).copied().unwrap_or(rest);
        if local == rest
            && let Ok(i) = self.sheared.binary_search_by_key(&joint, |(j, _)| *j)
            && let Some((_, exact)) = self.sheared.get(i)
        {
            return *exact;
        }
        matrix::from_transform(&local)
    }
}

/// World matrices by joint index: products of local matrices down the tree, so exact under
/// non-uniform scale, where composed transforms are not.
pub fn world_matrices(model: &Model, pose: &Pose) -> Vec<Matrix> {
    let mut out = Vec::new();
    world_matrices_into(model, pose, &mut out);
    out
}

/// As [`world_matrices`]; reuses `out`, so that frames after the first allocate nothing.
pub fn world_matrices_into(model: &Model, pose: &Pose, out: &mut Vec<Matrix>) {
    out.resize(model.skeleton.len(), matrix::IDENTITY);
    for &joint in model.skeleton.order() {
        let local = model.local_matrix(joint, pose);
        let parent = model.skeleton.parent(joint).and_then(|p| out.get(p));
        let world = parent.map_or(local, |p| matrix::mul(p, &local));
        if let Some(to) = out.get_mut(joint) {
            *to = world;
        }
    }
}
