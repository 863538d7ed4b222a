//! Units that the compiler itself puts beside loops.

use sinew_macros::unit;

use crate::vm::UnitDef;

/// The units of this file.
pub fn all() -> Vec<UnitDef> {
    crate::units![loop_ratio]
}

/// How far a loop has come: 0 at the first turn, 1 at the last; 0 where there is just one.
#[unit("Loop.Ratio")]
pub fn loop_ratio(index: i32, count: i32) -> f32 {
    if count > 1 { index as f32 / (count - 1) as f32 } else { 0.0 }
}
