//! The text form as a whole.

use super::*;

/// One of everything, in canonical form.
pub(super) const FULL: &str = include_str!("testdata/full.json");

fn full() -> Rig {
    Rig::parse(FULL.as_bytes()).unwrap_or_else(|e| panic!("{e}"))
}

/// The same rig as somebody might type it.
pub(super) const TYPED: &str = include_str!("testdata/full_typed.json");

#[test]
fn canonical_text_round_trips_to_the_byte() {
    assert_eq!(full().to_text(), FULL);
    assert_eq!(Rig::parse(full().to_text().as_bytes()).unwrap(), full());
}

#[test]
fn format_is_idempotent() {
    let typed = Rig::parse(TYPED.as_bytes()).unwrap();
    assert_eq!(typed, full());
    assert_eq!(typed.to_text(), FULL);
}
