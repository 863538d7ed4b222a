//! What units look up by index: the program's texts and curves.

use crate::math::Curve;
use crate::value::{CurveRef, Name, Text};

/// The texts and curves of a program, shared by all that runs it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Assets {
    pub(super) strings: Vec<String>,
    pub(super) curves: Vec<Curve>,
}

impl Assets {
    /// Texts and curves; the first of each should be the empty one.
    pub fn new(strings: Vec<String>, curves: Vec<Curve>) -> Self {
        Self { strings, curves }
    }

    /// A text; empty where there is none of this index.
    pub fn text(&self, text: Text) -> &str {
        self.strings.get(text.0 as usize).map_or("", String::as_str)
    }

    /// A name; empty where there is none of this index.
    pub fn name(&self, name: Name) -> &str {
        self.text(Text(name.0))
    }

    /// A curve; none where there is none of this index.
    pub fn curve(&self, curve: CurveRef) -> Option<&Curve> {
        self.curves.get(curve.0 as usize)
    }
}
