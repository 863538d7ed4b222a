//! Names: what is allowed, how a fresh one is made, and what a misspelt one may have meant.

use std::collections::BTreeSet;

/// The longest identifier, in bytes.
pub const MAX_NAME: usize = 128;

/// Names that no node, graph, comment or variable may have.
const RESERVED: &[&str] = &["inputs"];

/// Why a text is no name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// Empty, or with a character that identifiers do not have.
    #[error("`{0}` is no name: use letters, digits and `_`, and no digit first")]
    NotIdentifier(String),
    /// Longer than [`MAX_NAME`].
    #[error("a name of {0} bytes is too long: at most {MAX_NAME}")]
    TooLong(usize),
    /// Means something else in a rig.
    #[error("`{0}` is reserved: choose another name")]
    Reserved(String),
    /// Not pins joined by points.
    #[error("`{0}` is no pin: write names joined by points, such as transform.translation.x")]
    NotPin(String),
}

/// Whether `s` reads `[A-Za-z_][A-Za-z0-9_]*`.
pub fn is_identifier(s: &str) -> bool {
    let mut bytes = s.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// Accepts the name of a graph, node, comment, variable, type, field, curve or bone role.
///
/// # Errors
/// When it is no identifier, too long, or reserved (`inputs`).
pub fn check_name(s: &str) -> Result<(), NameError> {
    if s.len() > MAX_NAME {
        Err(NameError::TooLong(s.len()))
    } else if !is_identifier(s) {
        Err(NameError::NotIdentifier(s.into()))
    } else if RESERVED.contains(&s) {
        Err(NameError::Reserved(s.into()))
    } else {
        Ok(())
    }
}

/// Accepts a pin or sub-pin: identifiers or indices joined by points, `transform.translation.x`,
/// `items.3`. The first part is an identifier.
///
/// # Errors
/// When it is not of that form, or longer than four names.
pub fn check_pin_path(s: &str) -> Result<(), NameError> {
    if s.len() > 4 * MAX_NAME {
        return Err(NameError::TooLong(s.len()));
    }
    let well_formed = s.split('.').enumerate().all(|(i, part)| {
        is_identifier(part) || (i > 0 && !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
    });
    if well_formed { Ok(()) } else { Err(NameError::NotPin(s.into())) }
}

/// `base` if it is free, else `base_2`, `base_3`, …; digits that `base` already ends in after a `_` are
/// counted on. Text that is no name is made one.
pub fn unique_name(base: &str, taken: impl Fn(&str) -> bool) -> String {
    let mut base: String = base
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' })
        .take(MAX_NAME - 24)
        .collect();
    if !base.bytes().next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_') {
        base.insert(0, '_');
    }
    if check_name(&base).is_ok() && !taken(&base) {
        return base;
    }
    let (stem, mut n) = match base.rsplit_once('_') {
        Some((stem, digits)) if !stem.is_empty() && digits.len() < 10 && !digits.starts_with('0') => {
            match digits.parse::<u64>() {
                Ok(n) => (stem.to_owned(), n.saturating_add(1).max(2)),
                Err(_) => (base, 2),
            }
        }
        _ => (base, 2),
    };
    loop {
        let name = format!("{stem}_{n}");
        if !taken(&name) {
            return name;
        }
        n = n.saturating_add(1);
    }
}

/// The candidate that `word` may have been meant to be: the same but for case, or at most a third of
/// its letters mistyped (Damerau-Levenshtein distance, restricted to neighbours swapped).
pub fn suggest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > 64 {
        return None;
    }
    let seen: BTreeSet<&str> = candidates.into_iter().filter(|c| c.len() <= 64).collect();
    seen.into_iter()
        .map(|c| (distance(&word.to_ascii_lowercase(), &c.to_ascii_lowercase()), c))
        .filter(|(d, c)| *d <= 1 + word.len().max(c.len()) / 4 && *d < c.len())
        .min()
        .map(|(_, c)| c)
}

/// Optimal string alignment distance, by bytes.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut before: Vec<usize> = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.iter().enumerate() {
        let mut row = vec![i + 1; b.len() + 1];
        for (j, cb) in b.iter().enumerate() {
            let mut d = (last[j] + usize::from(ca != cb)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                d = d.min(before[j - 1] + 1);
            }
            row[j + 1] = d;
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_identifiers() {
        for good in ["a", "_", "foot_l", "Gait2", "from"] {
            assert!(check_name(good).is_ok(), "{good}");
        }
        for bad in ["", "2a", "a b", "a.b", "é", "inputs", &"x".repeat(129)] {
            assert!(check_name(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn pins_are_names_and_indices_joined_by_points() {
        for good in ["a", "from", "transform.translation.x", "items.3", "items.3.x"] {
            assert!(check_pin_path(good).is_ok(), "{good}");
        }
        for bad in ["", ".", "a.", ".a", "3.a", "a..b", "a b"] {
            assert!(check_pin_path(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn fresh_names_count_on() {
        let taken = ["a", "a_2", "a_9", "inputs"];
        let is_taken = |n: &str| taken.contains(&n);
        assert_eq!(unique_name("b", is_taken), "b");
        assert_eq!(unique_name("a", is_taken), "a_3");
        assert_eq!(unique_name("a_9", is_taken), "a_10");
        assert_eq!(unique_name("inputs", is_taken), "inputs_2");
        assert_eq!(unique_name("3 legs", is_taken), "_3_legs");
        assert_eq!(unique_name("", is_taken), "_");
        assert!(check_name(&unique_name(&"x".repeat(1000), |n| n.len() < 105)).is_ok());
    }

    #[test]
    fn misspelt_words_are_recognized() {
        let known = ["unit", "call", "get", "set", "const", "exec"];
        assert_eq!(suggest("untit", known), Some("unit"));
        assert_eq!(suggest("Exec", known), Some("exec"));
        assert_eq!(suggest("exce", known), Some("exec"));
        assert_eq!(suggest("banana", known), None);
        assert_eq!(suggest("", known), None);
    }
}
