//! The `#[unit]` attribute.
