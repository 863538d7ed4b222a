//! Generated sample characters, clips and rigs for Sinew.
//!
//! Everything here is computed: skeletons, skins and motion come from formulas and tables in this
//! crate, with Sinew's own trigonometry, so the files are the same bytes on every platform.

mod convert;
mod curve;
mod feet;
mod figure;
mod glb;
mod humanoid;
mod loft;
mod model;
mod quadruped;
mod robot_arm;
mod rotation;

use std::path::{Path, PathBuf};

pub use glb::to_glb;
pub use humanoid::humanoid;
pub use model::{
    Contact, ContactPoint, SampleClip, SampleJoint, SampleMesh, SampleModel, SamplePart, SampleVertex,
};
pub use quadruped::quadruped;
pub use robot_arm::robot_arm;

/// Why samples could not be written or converted.
#[derive(Debug, thiserror::Error)]
pub enum SampleError {
    /// A folder or file could not be written.
    #[error("cannot write {path}: {source}; choose a folder that can be written to", path = path.display())]
    Write {
        /// Folder or file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// Joints that make no skeleton.
    #[error("the model's joints make no skeleton")]
    Skeleton(#[from] sinew::anim::SkeletonError),
    /// Frames that make no track.
    #[error("a clip's frames make no track")]
    Track(#[from] sinew::anim::TrackError),
    /// Tracks that make no clip.
    #[error("a clip's tracks make no clip")]
    Clip(#[from] sinew::anim::ClipError),
}

/// Rig files that come with the characters: file name and text.
pub fn rig_files() -> &'static [(&'static str, &'static str)] {
    &[
        ("look_and_feet.json", include_str!("../rigs/look_and_feet.json")),
        ("robot_reach.json", include_str!("../rigs/robot_reach.json")),
        ("tail_sway.json", include_str!("../rigs/tail_sway.json")),
    ]
}

/// Writes all characters and rigs into a folder, which is made if it is not there. Returns the
/// files' paths.
pub fn write_all(dir: &Path) -> Result<Vec<PathBuf>, SampleError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |source| SampleError::Write { path, source }
    };
    std::fs::create_dir_all(dir).map_err(failed(dir))?;
    let mut out = Vec::new();
    for model in [humanoid(), quadruped(), robot_arm()] {
        let path = dir.join(format!("{}.glb", model.name));
        std::fs::write(&path, to_glb(&model)).map_err(failed(&path))?;
        out.push(path);
    }
    for (name, text) in rig_files() {
        let path = dir.join(name);
        std::fs::write(&path, text).map_err(failed(&path))?;
        out.push(path);
    }
    Ok(out)
}

#[cfg(test)]
mod tests;
