//! What stops a command.

use std::path::{Path, PathBuf};

/// The exit code for wrong input.
pub const EXIT_CODE: u8 = 2;

/// What stops a command. Each message names the file and says what to do.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// A file cannot be read.
    #[error("{}: cannot be read: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file cannot be written.
    #[error("{}: cannot be written: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file says something that is not right.
    #[error("{}: {message}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// A file says several things that are not right, each with its place.
    #[error("{}", .0.join("\n"))]
    Places(Vec<String>),
    /// The command line asks for something that is not there.
    #[error("{0}")]
    Usage(String),
}

impl CliError {
    /// Something is wrong with what a file says.
    pub fn file(path: &Path, message: impl ToString) -> Self {
        Self::File { path: path.to_owned(), message: message.to_string() }
    }
}

/// What commands give.
pub type Result<T> = std::result::Result<T, CliError>;
