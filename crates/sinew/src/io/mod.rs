//! Files in and out: glTF and BVH.

pub mod bvh;
pub mod gltf;
pub mod matrix;
mod model;

pub use matrix::Matrix;
pub use model::{MeshInfo, Model, PrimitiveInfo, Skin, world_matrices, world_matrices_into};
