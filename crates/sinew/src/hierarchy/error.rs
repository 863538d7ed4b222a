//! Why an element or a parent could not be added.

use super::ElementKey;

/// Why an element or a parent could not be added. Nothing has changed where one is returned.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HierarchyError {
    /// There is one of that key.
    #[error("there is an element `{key}` already; give this one another name")]
    Duplicate {
        /// The key.
        key: ElementKey,
    },
    /// A parent is not in the hierarchy.
    #[error("a parent of `{key}` is not in the hierarchy; add it before, or in the same call")]
    UnknownParent {
        /// The element that was to hang on it.
        key: ElementKey,
    },
    /// There is no element of this index.
    #[error("there is no element {index} in this hierarchy; take ids from its own topology")]
    UnknownElement {
        /// The index.
        index: u32,
    },
    /// Elements would follow each other in a circle, now or after a switch of spaces.
    #[error("these would follow each other in a circle: {}; take one of them out", arrows(path))]
    Cycle {
        /// Each follows the next; the last is the first again.
        path: Vec<ElementKey>,
    },
    /// A parent has no place of its own.
    #[error(
        "`{key}` cannot hang on `{parent}`: a curve has no transform; name a bone, null, control or socket"
    )]
    CurveAsParent {
        /// The element that was to hang on it.
        key: ElementKey,
        /// The curve.
        parent: ElementKey,
    },
    /// Control settings on something else.
    #[error("`{key}` is no control but has a control's settings; make it a control or leave them out")]
    NotAControl {
        /// The element that was to be added.
        key: ElementKey,
    },
    /// A transform, value, limit or weight is NaN or infinite, or a weight is negative.
    #[error("`{key}` has a transform, value, limit or weight that is not finite, or a negative weight")]
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
    /// Too many parents of one element.
    #[error("`{key}` has more than {limit} parents and spaces; take some out")]
    TooManyParents {
        /// The element.
        key: ElementKey,
        /// The limit.
        limit: usize,
    },
}

/// `bone:a → bone:b → bone:a`, the middle left out where it is long.
fn arrows(path: &[ElementKey]) -> String {
    const SHOWN: usize = 8;
    let text = |part: &[ElementKey]| part.iter().map(ToString::to_string).collect::<Vec<_>>().join(" → ");
    match path.split_at_checked(SHOWN) {
        Some((head, rest @ [.., last])) if rest.len() > SHOWN => {
            format!("{} → … ({} more) → {last}", text(head), rest.len() - 1)
        }
        _ => text(path),
    }
}
