//! What can be wrong with a glTF file, where, and what helps.

use std::{collections::HashSet, fmt, path::PathBuf};

use thiserror::Error;

use crate::anim::TrackError;

/// One thing wrong with a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Where, as a JSON pointer into the file: `/animations/0/samplers/2/output`.
    pub place: String,
    /// What.
    pub fault: Fault,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.place.is_empty() { "/" } else { &self.place };
        write!(f, "{place}: {}; {}", self.fault, self.fault.remedy())
    }
}

/// Kinds of problems.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum Fault {
    /// A required property is not there.
    #[error("missing")]
    Missing,
    /// A JSON value of the wrong kind.
    #[error("expected {expected}")]
    WrongType {
        /// What belongs here.
        expected: &'static str,
    },
    /// An index past the end of the list it points into.
    #[error("index {index} into {of}, of which there are {count}")]
    IndexOutOfRange {
        /// The index.
        index: usize,
        /// The list.
        of: &'static str,
        /// Its length.
        count: usize,
    },
    /// A number that a float cannot hold.
    #[error("number is not finite as a 32-bit float")]
    NotFinite,
    /// A node that two nodes, or one node twice, name as child.
    #[error("node {node} ({name}) is a child of both node {first} and node {second}")]
    TwoParents {
        /// The node.
        node: usize,
        /// Its name.
        name: String,
        /// One parent.
        first: usize,
        /// The other.
        second: usize,
    },
    /// A node that is its own ancestor.
    #[error("node {node} ({name}) is its own ancestor")]
    Cycle {
        /// The node.
        node: usize,
        /// Its name.
        name: String,
    },
    /// An accessor of the wrong element or component type for its use.
    #[error("accessor must be {expected}, found {found}")]
    AccessorType {
        /// What its use needs.
        expected: &'static str,
        /// What it is.
        found: String,
    },
    /// A number of elements that does not fit.
    #[error("needs {expected} elements, found {found}")]
    Count {
        /// Elements needed.
        expected: usize,
        /// Elements there are.
        found: usize,
    },
    /// Data that ends past the end of what holds it.
    #[error("data ends at byte {end} of {of}, which has {length}")]
    OutsideData {
        /// Where it would end.
        end: u64,
        /// What it points into.
        of: &'static str,
        /// Length of that.
        length: u64,
    },
    /// An offset that is not a multiple of the component size.
    #[error("offset {offset} is not a multiple of {multiple}")]
    Misaligned {
        /// The offset in bytes.
        offset: u64,
        /// Component size in bytes.
        multiple: u64,
    },
    /// A stride smaller than an element or not allowed.
    #[error("byte stride {stride} for elements of {element} bytes")]
    Stride {
        /// The stride.
        stride: u64,
        /// Size of an element.
        element: u64,
    },
    /// Sparse indices that do not increase or are past the end.
    #[error("sparse index {index} at position {position} of an accessor of {count} elements")]
    SparseIndex {
        /// The index.
        index: u64,
        /// Position among the sparse indices.
        position: usize,
        /// Elements of the accessor.
        count: usize,
    },
    /// A value that is not one of the allowed ones.
    #[error("value {found} is not allowed")]
    BadValue {
        /// The value.
        found: String,
    },
    /// More data than a file of this size may ask for.
    #[error("asks for {bytes} bytes of memory, the limit for this file is {limit}")]
    TooLarge {
        /// Bytes asked for.
        bytes: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// A buffer or image that could not be read.
    #[error("data is not available: {reason}")]
    Unavailable {
        /// Why.
        reason: String,
    },
    /// A URI that is not read.
    #[error("URI {uri} is not read: {reason}")]
    BadUri {
        /// The URI, shortened.
        uri: String,
        /// Why.
        reason: &'static str,
    },
    /// Something that this reader does not know.
    #[error("{what} is not supported")]
    Unsupported {
        /// What.
        what: String,
    },
    /// Two channels of one animation that move the same property.
    #[error("the channel's target is moved by another channel of the same animation")]
    DuplicateTarget,
    /// Keys that make no track.
    #[error(transparent)]
    Track(#[from] TrackError),
}

impl Fault {
    /// What to do about it.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::Missing => "add it, or export the file again",
            Self::WrongType { .. } => "correct the value's type",
            Self::IndexOutOfRange { .. } => "use an index below that count",
            Self::NotFinite => "use a number below 3.4e38",
            Self::TwoParents { .. } => "list it as child of one node alone",
            Self::Cycle { .. } => "remove it from the children of one of its descendants",
            Self::AccessorType { .. } => "point to an accessor of that type, or export the file again",
            Self::Count { .. } => "point to an accessor with that count, or export the file again",
            Self::OutsideData { .. } => "correct offset, count or length; the file may be cut off",
            Self::Misaligned { .. } => "align the data, or export the file again",
            Self::Stride { .. } => "use a stride of at least the element's size, a multiple of 4, up to 252",
            Self::SparseIndex { .. } => "use strictly increasing indices below that count",
            Self::BadValue { .. } => "use a value that glTF 2.0 allows here",
            Self::TooLarge { .. } => "correct the count, or split the file",
            Self::Unavailable { .. } => "put the file beside the glTF, or embed it",
            Self::BadUri { .. } => "use a data URI or a relative path inside the glTF's folder",
            Self::Unsupported { .. } => "export the file without it",
            Self::DuplicateTarget => "keep one of the channels; the last one is used",
            Self::Track(_) => "correct the keys, or export the file again",
        }
    }
}

/// Why a glTF file was not loaded.
#[derive(Debug, Error)]
pub enum GltfError {
    /// The file could not be read.
    #[error("cannot read {}: {source}; check the path and its permissions", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// The bytes are not a GLB container or glTF JSON.
    #[error("not a readable glTF file: {reason}")]
    Container {
        /// What is wrong and what helps.
        reason: String,
    },
    /// The JSON text does not parse.
    #[error("glTF JSON, line {line} column {column}: {message}; check that the file is complete")]
    Json {
        /// Line from 1.
        line: usize,
        /// Column from 1.
        column: usize,
        /// The parser's message.
        message: String,
    },
    /// The content is wrong; all problems that were found, up to [`MAX_PROBLEMS`].
    #[error("{}", list(problems, *more))]
    Invalid {
        /// The problems, in the order of the file's reading.
        problems: Vec<Problem>,
        /// How many more there are.
        more: usize,
    },
}

impl GltfError {
    /// The problems inside the file; empty if it could not be read at all.
    pub fn problems(&self) -> &[Problem] {
        if let Self::Invalid { problems, .. } = self { problems } else { &[] }
    }
}

fn list(problems: &[Problem], more: usize) -> String {
    let mut text = problems.iter().map(Problem::to_string).collect::<Vec<_>>().join("\n");
    if more > 0 {
        text += &format!("\nand {more} more");
    }
    text
}

/// Problems that are kept of one file; more are counted.
pub const MAX_PROBLEMS: usize = 64;

/// Collects problems (which fail the load) and warnings (which do not).
#[derive(Debug, Default)]
pub(super) struct Report {
    pub problems: Vec<Problem>,
    pub more: usize,
    pub warnings: Vec<Problem>,
    /// Buffers of which it is noted that they cannot be read.
    unreadable: HashSet<usize>,
}

impl Report {
    pub fn problem(&mut self, at: &Place<'_>, fault: Fault) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(Problem { place: at.to_string(), fault });
        } else {
            self.more += 1;
        }
    }

    pub fn warn(&mut self, at: &Place<'_>, fault: Fault) {
        if self.warnings.len() < MAX_PROBLEMS {
            self.warnings.push(Problem { place: at.to_string(), fault });
        }
    }

    /// A buffer that is needed and cannot be read: a problem once, however many views need it.
    pub fn unreadable(&mut self, buffer: usize, at: &Place<'_>, fault: &Fault) {
        if self.unreadable.insert(buffer) {
            self.problem(at, fault.clone());
        }
    }

    /// Ok with the warnings, or the error with all problems.
    pub fn finish(self) -> Result<Vec<Problem>, GltfError> {
        if self.problems.is_empty() {
            Ok(self.warnings)
        } else {
            Err(GltfError::Invalid { problems: self.problems, more: self.more })
        }
    }
}

/// A place in the JSON, cheap to build and only spelled out for a problem.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'a> {
    up: Option<&'a Place<'a>>,
    step: Step<'a>,
}

#[derive(Clone, Copy, Debug)]
enum Step<'a> {
    Root,
    Key(&'a str),
    Index(usize),
}

impl<'a> Place<'a> {
    pub const ROOT: Place<'static> = Place { up: None, step: Step::Root };

    pub fn key(&'a self, key: &'a str) -> Place<'a> {
        Place { up: Some(self), step: Step::Key(key) }
    }

    pub fn index(&'a self, index: usize) -> Place<'a> {
        Place { up: Some(self), step: Step::Index(index) }
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(up) = self.up {
            write!(f, "{up}")?;
        }
        match self.step {
            Step::Root => Ok(()),
            Step::Key(key) => write!(f, "/{}", key.replace('~', "~0").replace('/', "~1")),
            Step::Index(index) => write!(f, "/{index}"),
        }
    }
}
