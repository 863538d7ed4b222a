//! The rig's names looked up on a skeleton, and what is told where one is not there.

use super::bound::BindError;
use super::program::KeyRef;
use crate::hierarchy::{ElementId, ElementKey, ElementKind, Hierarchy};

/// Names that stand for others on one skeleton: `head` is to be `Bip01_Head`.
pub type NameMap = std::collections::BTreeMap<String, String>;

/// The element of a key: under the name it is mapped to, its candidates in order, its own name.
pub(super) fn find(hierarchy: &Hierarchy, key: &KeyRef, names: &NameMap) -> Option<ElementId> {
    let mapped = names.get(&key.name);
    let tried = mapped.into_iter().chain(&key.candidates).chain(core::iter::once(&key.name));
    tried.into_iter().find_map(|n| hierarchy.topology().find(&ElementKey::new(key.kind, n.clone())))
}

/// The error for a key that is not there.
pub(super) fn missing(hierarchy: &Hierarchy, key: &KeyRef, names: &NameMap) -> BindError {
    let mapped = names.get(&key.name);
    BindError::MissingElement {
        key: ElementKey::new(key.kind, key.name.clone()),
        tried: mapped.into_iter().chain(&key.candidates).cloned().collect(),
        near: near(hierarchy, key.kind, &key.name),
        used_by: key.used_by.clone(),
    }
}

/// What was tried, what there is instead, and what to do, behind the name that is missing.
pub(super) fn hints(key: &ElementKey, tried: &[String], near: &[String]) -> String {
    let mut out = String::new();
    if !tried.is_empty() {
        out += &format!(" (tried {})", tried.join(", "));
    }
    if !near.is_empty() {
        let near: Vec<_> = near.iter().map(|n| format!("`{n}`")).collect();
        out += &format!("; it has {}", near.join(", "));
    }
    out += match key.kind {
        ElementKind::Bone => "; map it to one it has, or add the name to the rig's `bones`",
        _ => "; declare it among the rig's `elements`, or add it in `setup`",
    };
    out
}

/// True if the elements of both have the same keys in the same order.
pub(super) fn same_keys(a: &Hierarchy, b: &Hierarchy) -> bool {
    let keys = |h: &Hierarchy| h.topology().ids().map(|id| h.topology().key(id).cloned()).collect::<Vec<_>>();
    keys(a) == keys(b)
}

/// Names on the skeleton that share the most letters with the wanted one.
fn near(h: &Hierarchy, kind: ElementKind, name: &str) -> Vec<String> {
    let plain = |s: &str| s.to_lowercase().replace(|c: char| !c.is_alphanumeric(), "");
    let want = plain(name);
    let score = |other: &str| {
        let other = plain(other);
        let common = want.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
        let within = if other.contains(&want) || want.contains(&other) { 8 } else { 0 };
        common + within
    };
    let keys = h.topology().ids().filter_map(|id| h.topology().key(id)).filter(|k| k.kind == kind);
    let mut scored: Vec<_> = keys.map(|k| (score(&k.name), &k.name)).filter(|(s, _)| *s >= 3).collect();
    scored.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
    scored.into_iter().take(3).map(|(_, n)| n.clone()).collect()
}
