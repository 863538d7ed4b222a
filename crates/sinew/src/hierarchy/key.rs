//! Names of elements, and the indices they are bound to.

use core::fmt;
use core::str::FromStr;

/// What an element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ElementKind {
    /// A joint of the skeleton.
    Bone,
    /// A helper transform.
    Null,
    /// What an animator or a game moves: a value with a shape.
    Control,
    /// A named float.
    Curve,
    /// A place to attach things, under a bone.
    Socket,
}

impl ElementKind {
    /// All kinds.
    pub const ALL: [Self; 5] = [Self::Bone, Self::Null, Self::Control, Self::Curve, Self::Socket];

    /// The word before the colon in a key's text.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Bone => "bone",
            Self::Null => "null",
            Self::Control => "control",
            Self::Curve => "curve",
            Self::Socket => "socket",
        }
    }
}

/// Kind and name: `bone:Head`. Bound to an [`ElementId`] once, never looked up in a frame.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ElementKey {
    /// What it is.
    pub kind: ElementKind,
    /// Unique within its kind.
    pub name: String,
}

impl ElementKey {
    /// From parts.
    pub fn new(kind: ElementKind, name: impl Into<String>) -> Self {
        Self { kind, name: name.into() }
    }
    /// A bone of this name.
    pub fn bone(name: impl Into<String>) -> Self {
        Self::new(ElementKind::Bone, name)
    }
}

impl fmt::Display for ElementKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.kind.word(), self.name)
    }
}

/// Why a text is no element key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no element key: write kind:name, with kind one of bone, null, control, curve, socket")]
pub struct KeyError(pub String);

impl FromStr for ElementKey {
    type Err = KeyError;
    fn from_str(s: &str) -> Result<Self, KeyError> {
        let (kind, name) = s.split_once(':').ok_or_else(|| KeyError(s.into()))?;
        let kind = ElementKind::ALL.into_iter().find(|k| k.word() == kind);
        match kind {
            Some(kind) if !name.is_empty() => Ok(Self::new(kind, name)),
            _ => Err(KeyError(s.into())),
        }
    }
}

/// Index of an element in its hierarchy; stable for the hierarchy's life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct ElementId(pub u32);

impl ElementId {
    /// No element.
    pub const NONE: Self = Self(u32::MAX);

    /// As an index; [`ElementId::NONE`] is far beyond any array.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// False for [`ElementId::NONE`].
    #[inline(always)]
    pub const fn is_some(self) -> bool {
        self.0 != u32::MAX
    }
}
