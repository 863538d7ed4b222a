//! Names by pattern.

/// True if the whole name fits: `*` is any run of characters, `?` any one. Allocates nothing;
/// at worst the product of the lengths.
pub fn fits_pattern(pattern: &str, name: &str) -> bool {
    let (mut p, mut n) = (pattern.chars(), name.chars());
    // What follows the last star, and what of the name that has still to fit.
    let mut retry = None;
    loop {
        let before = n.clone();
        let next = p.next();
        if next == Some('*') {
            retry = Some((p.clone(), before));
            continue;
        }
        match (next, n.next()) {
            (None, None) => return true,
            (Some('?'), Some(_)) => continue,
            (Some(a), Some(b)) if a == b => continue,
            _ => {}
        }
        // The star takes one character more.
        let Some((after_star, mut rest)) = retry.take() else { return false };
        if rest.next().is_none() {
            return false;
        }
        (p, n) = (after_star.clone(), rest.clone());
        retry = Some((after_star, rest));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn patterns() {
        for (p, n, want) in [
            ("*", "", true),
            ("spine_*", "spine_01", true),
            ("spine_*", "spin", false),
            ("*_l", "hand_l", true),
            ("*_l", "hand_l_l", true),
            ("?and_*", "hand_l", true),
            ("a*b*c", "a__b_bc", true),
            ("a*b*c", "a__b_b", false),
            ("", "x", false),
            ("", "", true),
            ("?", "", false),
            ("骨*", "骨盤", true),
            ("?", "骨", true),
        ] {
            assert_eq!(fits_pattern(p, n), want, "{p} {n}");
        }
    }

    /// By the definition: a star is nothing, or one character and a star.
    fn by_definition(p: &[char], n: &[char]) -> bool {
        match (p, n) {
            ([], _) => n.is_empty(),
            (['*', rest @ ..], _) => by_definition(rest, n) || (!n.is_empty() && by_definition(p, &n[1..])),
            (_, []) => false,
            ([a, p @ ..], [b, n @ ..]) => (*a == '?' || a == b) && by_definition(p, n),
        }
    }

    proptest! {
        #[test]
        fn patterns_follow_their_definition(p in "[ab*?]{0,8}", n in "[ab]{0,8}") {
            let chars = |s: &str| s.chars().collect::<Vec<_>>();
            prop_assert_eq!(fits_pattern(&p, &n), by_definition(&chars(&p), &chars(&n)));
        }
    }
}
