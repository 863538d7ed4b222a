//! The `sinew` command: check, compile, run and bake rigs without a window.
//!
//! Exit codes: 0 done, 1 the rig has problems that were asked for, 2 the input is wrong or the
//! command could not be carried out.

mod args;
mod character;
mod commands;
mod error;
mod files;
mod report;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let args = args::Args::parse();
    match commands::run(&args.command) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(error::EXIT_CODE)
        }
    }
}
