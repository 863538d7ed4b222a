//! `sample`: the generated characters.

use std::path::Path;

use crate::error::{CliError, Result};

pub fn run(dir: &Path) -> Result<u8> {
    let files = sinew_sample::write_all(dir).map_err(|e| CliError::Usage(e.to_string()))?;
    for file in files {
        println!("{}", file.display());
    }
    Ok(0)
}
