//! What can be wrong with a rig's text.

use super::{MAX_BYTES, MAX_DEPTH, NameError, VERSION};
use std::fmt;

/// Everything that is wrong with a text, in the order of the text.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub struct ParseError {
    /// At least one.
    pub problems: Vec<Problem>,
    /// More were found, but are not listed.
    pub truncated: bool,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.problems.iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            write!(f, "{problem}")?;
        }
        if self.truncated {
            write!(f, "\n… and more: correct these first")?;
        }
        Ok(())
    }
}

/// One thing that is wrong, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// From 1; 0 when there is no text to point into.
    pub line: u32,
    /// In characters from 1; 0 when there is no text to point into.
    pub column: u32,
    /// Which value: `graphs.forward.nodes.look.in.weight`; empty for the whole text.
    pub path: String,
    /// What is wrong.
    pub kind: ProblemKind,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line > 0 {
            write!(f, "{}:{}: ", self.line, self.column)?;
        }
        if !self.path.is_empty() {
            write!(f, "{}: ", self.path)?;
        }
        write!(f, "{}", self.kind)
    }
}

/// What is wrong at a place of the text, and what to do.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ProblemKind {
    /// Bytes that are no text.
    #[error("byte {0} is not UTF-8: save the file as UTF-8 text")]
    NotUtf8(usize),
    /// More bytes than are read.
    #[error("{0} bytes are too many: a rig has at most {MAX_BYTES}")]
    TooLarge(usize),
    /// Text that is no JSON.
    #[error("{0}")]
    Syntax(String),
    /// Deeper than is read.
    #[error("nested too deep: at most {MAX_DEPTH} levels of arrays and objects")]
    TooDeep,
    /// The same key twice in one object.
    #[error("`{key}` stands here a second time, first in line {first_line}: remove or rename one")]
    DuplicateKey {
        /// The key.
        key: String,
        /// Where it stood first.
        first_line: u32,
    },
    /// A key that means nothing here.
    #[error("`{key}` is not known here: {}", remedy(.suggestion, .known))]
    UnknownKey {
        /// The key.
        key: String,
        /// A key that it may have been meant to be.
        suggestion: Option<String>,
        /// The keys that are known, joined.
        known: String,
    },
    /// A key that must be there.
    #[error("`{key}` is missing: {remedy}")]
    MissingKey {
        /// The key.
        key: &'static str,
        /// What to write.
        remedy: &'static str,
    },
    /// A value of another kind.
    #[error("expected {expected}, found {found}")]
    WrongKind {
        /// What belongs here.
        expected: &'static str,
        /// What stands here.
        found: &'static str,
    },
    /// A word that is none of those allowed.
    #[error("`{word}` is not known here: {}", remedy(.suggestion, .known))]
    UnknownWord {
        /// The word.
        word: String,
        /// A word that it may have been meant to be.
        suggestion: Option<String>,
        /// The words that are known, joined.
        known: String,
    },
    /// A text that is no name or pin.
    #[error(transparent)]
    Name(#[from] NameError),
    /// A text that is no element key.
    #[error(transparent)]
    ElementKey(#[from] crate::hierarchy::KeyError),
    /// A node that says twice what it does.
    #[error("a node does one thing: keep one of {0}")]
    SeveralOps(String),
    /// A number that is out of its range.
    #[error("{value} is out of range: {expected}")]
    OutOfRange {
        /// The number.
        value: String,
        /// What is allowed.
        expected: &'static str,
    },
    /// A text that is no rig or has no version.
    #[error("there is no version: a rig begins with `\"sinew\": {VERSION}`")]
    VersionMissing,
    /// A text from a newer program.
    #[error("this text has version {found}, and this program reads up to {VERSION}: use a newer sinew")]
    VersionNewer {
        /// Its version.
        found: i64,
    },
    /// Something that the rules of the format forbid.
    #[error("{0}")]
    Invalid(String),
}

fn remedy(suggestion: &Option<String>, known: &str) -> String {
    match suggestion {
        Some(s) => format!("did you mean `{s}`?"),
        None if known.is_empty() => "remove it".into(),
        None => format!("use one of {known}"),
    }
}
