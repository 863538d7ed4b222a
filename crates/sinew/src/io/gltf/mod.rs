//! glTF 2.0 in and out: GLB and `.gltf` with data URIs or files beside it.
//!
//! Limits: a node, accessor or buffer view may be anywhere in the file and the node tree as deep as
//! memory holds. Decoded accessors may take 6 times the bytes of the file with its buffers plus
//! half a mebibyte; counts are checked before memory is taken. JSON may nest 128 deep and costs
//! memory as `serde_json` values do. Mesh-compression extensions pass through unread;
//! compression of animation data (`EXT_meshopt_compression` when required) is refused.

use std::path::Path;

mod accessor;
mod bones;
mod clips;
mod container;
mod document;
mod embed;
mod error;
mod export;
mod json;
mod keys;
mod nodes;
mod tidy;

pub use document::Document;
pub use error::{Fault, GltfError, MAX_PROBLEMS, Problem};
pub use export::{ExportError, ExportOptions};

use super::model::Model;
use error::Report;

/// Loads a `.glb` or `.gltf` file; buffers and images beside it are read from its folder alone.
pub fn load(path: impl AsRef<Path>) -> Result<Model, GltfError> {
    let path = path.as_ref();
    let bytes = std::fs::read(path).map_err(|source| GltfError::Read { path: path.to_owned(), source })?;
    load_bytes(&bytes, path.parent())
}

/// Loads GLB or glTF JSON from memory. `base` is the folder of external files; without one they
/// are not available.
pub fn load_bytes(bytes: &[u8], base: Option<&Path>) -> Result<Model, GltfError> {
    let mut report = Report::default();
    let document = Document::read(bytes, base, &mut report)?;
    let mut decoder = accessor::Decoder::new(&document, bytes.len() as u64, &mut report);
    let (skeleton, sheared) = nodes::skeleton(&document, &mut decoder, &mut report);
    let nodes = report.list(&document.json, "nodes", &error::Place::ROOT).len();
    let skins = nodes::skins(&document, nodes, &mut decoder, &mut report);
    let meshes = nodes::meshes(&document, &mut report);
    let clips = clips::clips(&document, &skeleton, &mut decoder, &mut report);
    let warnings = report.finish()?.iter().map(Problem::to_string).collect();
    Ok(Model { skeleton, clips, skins, meshes, warnings, source: Some(document), sheared })
}
