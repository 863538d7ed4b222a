//! Reading and writing files, with errors that name them.

use std::path::Path;
use std::sync::Arc;

use sinew::compile::{Compiled, compile};
use sinew::graph::{ParseError, Problem, Rig};
use sinew::vm::{Program, Registry};

use crate::error::{CliError, Result};

pub fn read(path: &Path) -> Result<Vec<u8>> {
    std::fs::read(path).map_err(|source| CliError::Read { path: path.to_owned(), source })
}

/// Writes a file and makes the folders above it.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<()> {
    let failed = |source| CliError::Write { path: path.to_owned(), source };
    if let Some(folder) = path.parent().filter(|p| !p.as_os_str().is_empty()) {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    std::fs::write(path, bytes).map_err(failed)
}

/// Writes to a file, or to the console where none is named.
pub fn write_or_print(path: Option<&Path>, text: &str) -> Result<()> {
    match path {
        Some(path) => write(path, text),
        None => {
            print!("{text}");
            Ok(())
        }
    }
}

pub fn rig(path: &Path) -> Result<Rig> {
    Rig::parse(&read(path)?).map_err(|e| CliError::Places(places(path, &e)))
}

/// What is wrong with a rig's text, a line for each, with file, line and column as editors read them.
pub fn places(path: &Path, e: &ParseError) -> Vec<String> {
    let file = path.display();
    let place = |p: &Problem| if p.line > 0 { format!("{file}:{p}") } else { format!("{file}: {p}") };
    let mut lines: Vec<_> = e.problems.iter().map(place).collect();
    if e.truncated {
        lines.push(format!("{file}: there are more problems than these"));
    }
    lines
}

pub fn compiled(path: &Path, registry: &Registry) -> Result<Compiled> {
    compile(&rig(path)?, registry).map_err(|e| CliError::file(path, format!("the rig does not compile\n{e}")))
}

/// A program from a compiled file, or from a rig that is compiled now; by what the file is.
pub fn program(path: &Path, registry: &Registry) -> Result<Arc<Program>> {
    let bytes = read(path)?;
    if bytes.starts_with(Program::MAGIC) {
        return Program::from_bytes(&bytes).map(Arc::new).map_err(|e| CliError::file(path, e));
    }
    let compiled = compiled(path, registry)?;
    for warning in &compiled.warnings {
        eprintln!("{}: {warning}", path.display());
    }
    Ok(Arc::new(compiled.program))
}
