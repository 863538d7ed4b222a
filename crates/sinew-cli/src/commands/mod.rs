//! One file a command.

mod asm;
mod check;
mod compile;
mod demo;
mod explain;
mod fmt;
mod inspect;
mod pose;
mod run;
mod sample;
mod schema;
mod units;

use clap::CommandFactory;

use crate::args::{Args, Command};
use crate::error::Result;

/// Carries a command out; its exit code.
pub fn run(command: &Command) -> Result<u8> {
    match command {
        Command::Demo { out } => demo::run(out),
        Command::Run(args) => run::run(args),
        Command::Pose(args) => pose::run(args),
        Command::Check { rigs, model, map, json, deny_warnings } => {
            check::run(rigs, model.as_deref(), map, *json, *deny_warnings)
        }
        Command::Compile { rig, out } => compile::run(rig, out.as_deref()),
        Command::Disasm { program, out } => asm::disassemble(program, out.as_deref()),
        Command::Asm { text, out } => asm::assemble(text, out),
        Command::Explain(args) => explain::run(args),
        Command::Units { pattern, json, verbose } => units::run(pattern.as_deref(), *json, *verbose),
        Command::Fmt { rigs, check } => fmt::run(rigs, *check),
        Command::Inspect { model, scale, json } => inspect::run(model, *scale, *json),
        Command::Sample { dir } => sample::run(dir),
        Command::Schema { out } => schema::run(out.as_deref()),
        Command::Completions { shell } => {
            clap_complete::generate(*shell, &mut Args::command(), "sinew", &mut std::io::stdout());
            Ok(0)
        }
    }
}
