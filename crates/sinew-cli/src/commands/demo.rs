//! `demo`: the sample character through its rigs.

use std::path::Path;

use crate::error::Result;

pub fn run(_out: &Path) -> Result<u8> {
    Ok(0)
}
