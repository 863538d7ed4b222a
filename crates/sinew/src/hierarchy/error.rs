//! Why an element could not be added.

use super::ElementKey;

/// Why an element could not be added.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HierarchyError {
    /// There is one of that key.
    #[error("there is an element `{key}` already; give this one another name")]
    Duplicate {
        /// The key.
        key: ElementKey,
    },
    /// A parent has not been added, so a cycle of parents is never made either.
    #[error("a parent of `{key}` is not in the hierarchy; add parents before what hangs on them")]
    UnknownParent {
        /// The element that was to be added.
        key: ElementKey,
    },
    /// A transform or weight is NaN, infinite or a negative weight.
    #[error("`{key}` has a transform, value or weight that is not finite")]
    NotFinite {
        /// The element that was to be added.
        key: ElementKey,
    },
    /// Too many elements.
    #[error("a hierarchy has at most {limit} elements")]
    TooMany {
        /// The limit.
        limit: usize,
    },
}
