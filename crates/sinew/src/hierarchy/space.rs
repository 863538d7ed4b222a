//! What a transform is relative to.

/// What a transform is relative to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Space {
    /// The character.
    #[default]
    Global,
    /// The element's parent.
    Local,
}

crate::pin_enum!(Space { Global, Local });
