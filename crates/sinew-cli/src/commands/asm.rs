//! `disasm` and `asm`: programs as text and back.

use std::path::Path;

use sinew::vm::{Program, Registry};

use crate::error::{CliError, Result};
use crate::files;

pub fn disassemble(path: &Path, out: Option<&Path>) -> Result<u8> {
    let program = files::program(path, &Registry::standard())?;
    files::write_or_print(out, &program.disassemble())?;
    Ok(0)
}

pub fn assemble(path: &Path, out: &Path) -> Result<u8> {
    let bytes = files::read(path)?;
    let text = std::str::from_utf8(&bytes).map_err(|e| CliError::file(path, format!("is no text: {e}")))?;
    let program = Program::assemble(text).map_err(|errors| {
        let list: Vec<_> = errors.iter().map(ToString::to_string).collect();
        CliError::file(path, list.join("\n"))
    })?;
    files::write(out, program.to_bytes())?;
    println!("{}: {} instructions", out.display(), program.code.len());
    Ok(0)
}
