//! True and false.

use sinew_macros::unit;

use crate::vm::UnitDef;

/// The units of this file.
pub fn all() -> Vec<UnitDef> {
    crate::units![and, or, not, xor]
}

/// True if both are.
#[unit("Math.And")]
pub fn and(a: bool, b: bool) -> bool {
    a & b
}

/// True if either is, or both.
#[unit("Math.Or")]
pub fn or(a: bool, b: bool) -> bool {
    a | b
}

/// True if the value is false.
#[unit("Math.Not")]
pub fn not(value: bool) -> bool {
    !value
}

/// True if one is and the other is not.
#[unit("Math.Xor")]
pub fn xor(a: bool, b: bool) -> bool {
    a != b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truth_tables() {
        for (a, b) in [(false, false), (false, true), (true, false), (true, true)] {
            let count = u8::from(a) + u8::from(b);
            assert_eq!(and(a, b), count == 2);
            assert_eq!(or(a, b), count > 0);
            assert_eq!(xor(a, b), count == 1);
            assert_eq!(not(a), count == u8::from(b));
        }
    }
}
