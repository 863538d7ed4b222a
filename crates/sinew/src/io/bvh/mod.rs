//! BVH motion capture in.
//!
//! Words are separated by any white space, so line breaks of any kind, tabs, blank lines, a byte
//! order mark and a missing last newline make no difference; keywords may be in any case.
//!
//! A joint's rotation is `R(c1)·R(c2)·R(c3)` in the order in which its CHANNELS line lists them,
//! degrees, for column vectors. A position channel replaces the OFFSET on its axis. A joint may
//! have any number of channels from 0 to 6. End sites become joints named after their parent with
//! `_end` (of a long name its first 64 characters); nothing may hang below one.
//!
//! More rows than `Frames:` says are left out with a warning; with fewer, what is there is kept
//! with a warning. Nothing is read past the end.

mod motion;
mod tree;
mod words;

use std::path::{Path, PathBuf};

use super::model::Model;

/// How a file is meant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Metres a unit of the file: 0.01 for centimetres. Files do not say.
    pub scale: f32,
    /// Make joints of end sites.
    pub end_sites: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { scale: 1.0, end_sites: true }
    }
}

/// Why a file is no BVH.
#[derive(Debug, thiserror::Error)]
pub enum BvhError {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The scale makes no sense.
    #[error("the scale {0} is no positive number of metres a unit")]
    Scale(f32),
    /// Something on a line.
    #[error("line {line}: {what}")]
    Line {
        /// From 1.
        line: usize,
        /// What is wrong and what was expected.
        what: String,
    },
}

/// Loads a file.
pub fn load(path: impl AsRef<Path>, options: &Options) -> Result<Model, BvhError> {
    let path = path.as_ref();
    let bytes = std::fs::read(path).map_err(|source| BvhError::Read { path: path.to_owned(), source })?;
    let name = path.file_stem().map_or(String::new(), |s| s.to_string_lossy().into_owned());
    load_bytes(&bytes, &name, options)
}

/// Loads from memory; `name` is what the clip is called.
pub fn load_bytes(bytes: &[u8], name: &str, options: &Options) -> Result<Model, BvhError> {
    if !(options.scale > 0.0 && options.scale.is_finite()) {
        return Err(BvhError::Scale(options.scale));
    }
    let mut words = words::Words::new(bytes);
    let mut warnings = Vec::new();
    let tree = tree::read(&mut words, options.scale)?;
    let frames = motion::read(&mut words, &tree, options.scale, &mut warnings)?;
    motion::model(&tree, &frames, name, options, warnings)
}

#[cfg(test)]
mod tests;
