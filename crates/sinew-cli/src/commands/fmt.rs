//! `fmt`: rigs in their canonical form.

use std::path::PathBuf;

use sinew::graph::Rig;

use crate::error::{CliError, Result};
use crate::files;

pub fn run(rigs: &[PathBuf], check: bool) -> Result<u8> {
    let mut changed = 0;
    for path in rigs {
        let bytes = files::read(path)?;
        let rig = Rig::parse(&bytes).map_err(|e| CliError::Places(files::places(path, &e)))?;
        let text = rig.to_text();
        if text.as_bytes() == bytes {
            continue;
        }
        changed += 1;
        if check {
            println!("{}: not in canonical form; run `sinew fmt` on it", path.display());
        } else {
            files::write(path, text)?;
            println!("{}: rewritten", path.display());
        }
    }
    Ok(u8::from(check && changed > 0))
}
