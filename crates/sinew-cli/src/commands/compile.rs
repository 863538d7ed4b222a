//! `compile`: a rig to a program file.

use std::path::Path;

use sinew::vm::Registry;

use crate::error::Result;
use crate::files;

pub fn run(rig: &Path, out: Option<&Path>) -> Result<u8> {
    let compiled = files::compiled(rig, &Registry::standard())?;
    for warning in &compiled.warnings {
        eprintln!("{}: {warning}", rig.display());
    }
    let out = out.map_or_else(|| rig.with_extension("sinewprg"), Path::to_owned);
    let program = compiled.program;
    let bytes = program.to_bytes();
    files::write(&out, &bytes)?;
    println!(
        "{}: {} instructions, {} words of registers ({} before sharing), {} units, {} bytes",
        out.display(),
        program.code.len(),
        program.work_words,
        program.map.work_unshared,
        program.imports.len(),
        bytes.len()
    );
    Ok(0)
}
