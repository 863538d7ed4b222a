//! `schema`: what a rig file may say, for editors.

use std::path::Path;

use crate::error::Result;
use crate::files;

pub fn run(out: Option<&Path>) -> Result<u8> {
    files::write_or_print(out, &sinew::graph::schema())?;
    Ok(0)
}
