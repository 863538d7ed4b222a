//! The command line.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

/// Rig graphs compiled to register bytecode: check, compile, run and bake them.
#[derive(Debug, Parser)]
#[command(name = "sinew", version, about, propagate_version = true)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the sample character through its rigs; write a GLB and a report.
    Demo {
        /// Folder for the results.
        #[arg(short, long, default_value = "out/demo")]
        out: PathBuf,
    },
    /// Run a rig over a clip of a model; write a GLB, CSV or JSON of the result.
    Run(RunArgs),
    /// Print world matrices of a model's nodes at given times.
    Pose(PoseArgs),
    /// Tell all that is wrong or doubtful with a rig.
    Check {
        /// Rig files.
        #[arg(required = true)]
        rigs: Vec<PathBuf>,
        /// A model whose skeleton must have the rig's bones.
        #[arg(short, long)]
        model: Option<PathBuf>,
        /// Bones by another name on this skeleton, as ROLE=NAME.
        #[arg(long = "map", value_name = "ROLE=NAME")]
        map: Vec<String>,
        /// Print problems as JSON.
        #[arg(long)]
        json: bool,
        /// Fail on warnings too.
        #[arg(long)]
        deny_warnings: bool,
    },
    /// Compile a rig to a program file.
    Compile {
        /// The rig.
        rig: PathBuf,
        /// The program; next to the rig with the ending `.sinewprg` if not given.
        #[arg(short, long)]
        out: Option<PathBuf>,
    },
    /// Print a program as text that `asm` reads back.
    Disasm {
        /// A rig or a compiled program.
        program: PathBuf,
        /// Where to write; the console if not given.
        #[arg(short, long)]
        out: Option<PathBuf>,
    },
    /// Make a program file of the text that `disasm` prints.
    Asm {
        /// The text.
        text: PathBuf,
        /// The program.
        #[arg(short, long)]
        out: PathBuf,
    },
    /// Show what a node became: unit, Rust line, instructions, registers, values, cost. Or explain
    /// a problem's code, such as E0106.
    Explain(ExplainArgs),
    /// List the units, or those whose name or text has the pattern in it.
    Units {
        /// Part of a name, or a name with * and ?.
        pattern: Option<String>,
        /// Print as JSON.
        #[arg(long)]
        json: bool,
        /// Print full texts and pins even for many units.
        #[arg(short, long)]
        verbose: bool,
    },
    /// Rewrite rigs in their one canonical form.
    Fmt {
        /// Rig files.
        #[arg(required = true)]
        rigs: Vec<PathBuf>,
        /// Change nothing; fail if a file is not in canonical form.
        #[arg(long)]
        check: bool,
    },
    /// Tell what a model file holds.
    Inspect {
        /// A .glb, .gltf or .bvh file.
        model: PathBuf,
        /// Metres a unit of a BVH file.
        #[arg(long, default_value_t = 1.0)]
        scale: f32,
        /// Print as JSON.
        #[arg(long)]
        json: bool,
    },
    /// Write the generated sample characters and their rigs.
    Sample {
        /// Folder for the files.
        dir: PathBuf,
    },
    /// Print the JSON schema of rig files, for editors.
    Schema {
        /// Where to write; the console if not given.
        #[arg(short, long)]
        out: Option<PathBuf>,
    },
    /// Print a completion script for a shell.
    Completions {
        /// Which shell.
        shell: Shell,
    },
}

/// Arguments of `run`.
#[derive(Debug, clap::Args)]
pub struct RunArgs {
    /// A rig or a compiled program.
    pub rig: PathBuf,
    /// A .glb, .gltf or .bvh file with the skeleton.
    #[arg(short, long)]
    pub model: PathBuf,
    /// Name or index of a clip; the bind pose is held if not given.
    #[arg(short, long)]
    pub clip: Option<String>,
    /// Another file of the same joint names to take the clip from.
    #[arg(long)]
    pub clips: Option<PathBuf>,
    /// The result: .glb, .csv or .json.
    #[arg(short, long)]
    pub out: PathBuf,
    /// Frames a second.
    #[arg(long, default_value_t = 30.0)]
    pub fps: f32,
    /// Seconds to run; the clip's length if not given.
    #[arg(long)]
    pub duration: Option<f32>,
    /// Inputs of the rig, as NAME=VALUE with a JSON value.
    #[arg(long = "set", value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Bones by another name on this skeleton, as ROLE=NAME.
    #[arg(long = "map", value_name = "ROLE=NAME")]
    pub map: Vec<String>,
    /// Metres a unit of a BVH file.
    #[arg(long, default_value_t = 1.0)]
    pub scale: f32,
    /// Name the first node that makes a NaN, and stop there.
    #[arg(long)]
    pub find_nan: bool,
    /// Instructions that one frame may run.
    #[arg(long)]
    pub budget: Option<u64>,
    /// Print a summary as JSON.
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `pose`.
#[derive(Debug, clap::Args)]
pub struct PoseArgs {
    /// A .glb, .gltf or .bvh file.
    pub model: PathBuf,
    /// Name or index of a clip; the bind pose if not given.
    #[arg(short, long)]
    pub clip: Option<String>,
    /// Seconds, separated by commas.
    #[arg(long, value_delimiter = ',', required = true, allow_negative_numbers = true)]
    pub at: Vec<f32>,
    /// A rig or a compiled program to run at each time.
    #[arg(long)]
    pub rig: Option<PathBuf>,
    /// Bones by another name on this skeleton, as ROLE=NAME.
    #[arg(long = "map", value_name = "ROLE=NAME")]
    pub map: Vec<String>,
    /// Metres a unit of a BVH file.
    #[arg(long, default_value_t = 1.0)]
    pub scale: f32,
    /// Print as JSON: {"samples":[{"t":T,"world":[[16 numbers],…]}]}.
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `explain`.
#[derive(Debug, clap::Args)]
pub struct ExplainArgs {
    /// A rig or a compiled program; or the code of a problem.
    pub rig: String,
    /// The node, as NAME or GRAPH/NAME; all nodes if not given.
    pub node: Option<String>,
    /// A model, to run the rig on and so show values and costs.
    #[arg(short, long)]
    pub model: Option<PathBuf>,
    /// Name or index of a clip to run it over.
    #[arg(short, long)]
    pub clip: Option<String>,
    /// Bones by another name on this skeleton, as ROLE=NAME.
    #[arg(long = "map", value_name = "ROLE=NAME")]
    pub map: Vec<String>,
    /// Metres a unit of a BVH file.
    #[arg(long, default_value_t = 1.0)]
    pub scale: f32,
    /// Print as JSON.
    #[arg(long)]
    pub json: bool,
}

/// What a result is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Binary glTF.
    Glb,
    /// A row a frame and joint.
    Csv,
    /// Poses as JSON.
    Json,
}
