//! `check`: all that is wrong or doubtful with a rig.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::json;
use sinew::compile::{Diagnostic, Level, compile};
use sinew::graph::locate;
use sinew::vm::{BoundProgram, Registry};

use crate::character;
use crate::error::{CliError, EXIT_CODE, Result};
use crate::files;

pub fn run(rigs: &[PathBuf], model: Option<&Path>, map: &[String], json: bool, deny: bool) -> Result<u8> {
    let registry = Registry::standard();
    let names = character::name_map(map)?;
    let skeleton = match model {
        None => None,
        Some(path) => {
            let model = character::model(path, 1.0)?;
            Some(model.skeleton.hierarchy().map_err(|e| CliError::file(path, e))?)
        }
    };
    let (mut errors, mut warnings) = (0, 0);
    let mut all = Vec::new();
    for path in rigs {
        let bytes = files::read(path)?;
        let rig = match sinew::graph::Rig::parse(&bytes) {
            Ok(rig) => rig,
            Err(e) => {
                errors += e.problems.len();
                if json {
                    all.extend(e.problems.iter().map(|p| {
                        json!({"file": path, "level": "error", "line": p.line, "column": p.column,
                            "path": p.path, "message": p.kind.to_string()})
                    }));
                } else {
                    println!("{}", files::places(path, &e).join("\n"));
                }
                continue;
            }
        };
        let (found, program) = match compile(&rig, &registry) {
            Ok(compiled) => (compiled.warnings, Some(compiled.program)),
            Err(e) => (e.0, None),
        };
        for d in &found {
            match d.level {
                Level::Error => errors += 1,
                Level::Warning => warnings += 1,
            }
            let at = line_of(&bytes, d);
            if json {
                all.push(
                    json!({"file": path, "level": if d.level == Level::Error { "error" } else { "warning" },
                    "code": d.code.text(), "graph": d.graph, "node": d.node, "pin": d.pin,
                    "line": at.map(|p| p.0), "column": at.map(|p| p.1),
                    "message": d.message, "remedy": d.remedy}),
                );
            } else {
                let place = at.map_or(String::new(), |(line, column)| format!(":{line}:{column}"));
                println!("{}{place}: {d}", path.display());
            }
        }
        if let (Some(program), Some(skeleton)) = (program, &skeleton) {
            for e in
                BoundProgram::bind(Arc::new(program), &registry, skeleton, &names).err().unwrap_or_default()
            {
                errors += 1;
                if json {
                    all.push(
                        json!({"file": path, "level": "error", "code": "E0503", "message": e.to_string()}),
                    );
                } else {
                    println!("{}: error[E0503] {e}", path.display());
                }
            }
        }
    }
    if json {
        println!("{}", serde_json::to_string_pretty(&all).unwrap_or_default());
    } else {
        let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        let (errors, warnings) = (count(errors, "error"), count(warnings, "warning"));
        println!("{}, {errors}, {warnings}", count(rigs.len(), "rig"));
    }
    Ok(match (errors, warnings) {
        (0, 0) => 0,
        (0, _) => u8::from(deny),
        _ => EXIT_CODE,
    })
}

/// Line and column of the node or pin that a problem speaks of.
fn line_of(bytes: &[u8], d: &Diagnostic) -> Option<(u32, u32)> {
    let node = ["graphs", &d.graph, "nodes", &d.node];
    if d.graph.is_empty() {
        return None;
    }
    if d.node.is_empty() {
        return locate(bytes, ["graphs", &d.graph]);
    }
    let pin = node.iter().copied().chain(["in", &d.pin]);
    locate(bytes, pin).or_else(|| locate(bytes, node))
}
