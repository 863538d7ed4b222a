//! Whole numbers of 32 bits. Results beyond the range stay at its ends.

use sinew_macros::unit;

use crate::vm::UnitDef;

/// The units of this file.
pub fn all() -> Vec<UnitDef> {
    crate::units![
        add_int,
        subtract_int,
        multiply_int,
        divide_int,
        modulo_int,
        negate_int,
        absolute_int,
        sign_int,
        minimum_int,
        maximum_int,
        clamp_int,
    ]
}

/// Sum of two whole numbers; stays at the ends of the range.
#[unit("Math.Add")]
pub fn add_int(a: i32, b: i32) -> i32 {
    a.saturating_add(b)
}

/// Difference of two whole numbers; stays at the ends of the range.
#[unit("Math.Subtract")]
pub fn subtract_int(a: i32, b: i32) -> i32 {
    a.saturating_sub(b)
}

/// Product of two whole numbers; stays at the ends of the range.
#[unit("Math.Multiply")]
pub fn multiply_int(a: i32, #[pin(default = 1)] b: i32) -> i32 {
    a.saturating_mul(b)
}

/// Quotient of two whole numbers, toward zero; `fallback` where `b` is 0.
#[unit("Math.Divide")]
pub fn divide_int(
    a: i32,
    #[pin(default = 1)] b: i32,
    /// The result of a division by 0.
    fallback: i32,
) -> i32 {
    if b != 0 { a.saturating_div(b) } else { fallback }
}

/// Floored remainder of `a / b`: it has the sign of `b`, so it counts around for negative `a` too.
/// 0 where `b` is 0.
#[unit("Math.Modulo")]
pub fn modulo_int(a: i32, #[pin(default = 1)] b: i32) -> i32 {
    // The one pair that overflows, the least number by -1, has no remainder.
    let r = a.checked_rem(b).unwrap_or(0);
    if r != 0 && (r < 0) != (b < 0) { r + b } else { r }
}

/// The number with the other sign.
#[unit("Math.Negate")]
pub fn negate_int(value: i32) -> i32 {
    value.saturating_neg()
}

/// Magnitude of a whole number.
#[unit("Math.Absolute")]
pub fn absolute_int(value: i32) -> i32 {
    value.saturating_abs()
}

/// -1, 0 or 1.
#[unit("Math.Sign")]
pub fn sign_int(value: i32) -> i32 {
    value.signum()
}

/// The smaller of two whole numbers.
#[unit("Math.Minimum")]
pub fn minimum_int(a: i32, b: i32) -> i32 {
    if a < b { a } else { b }
}

/// The larger of two whole numbers.
#[unit("Math.Maximum")]
pub fn maximum_int(a: i32, b: i32) -> i32 {
    if a > b { a } else { b }
}

/// A whole number kept within `minimum` and `maximum`; `maximum` where the two are the wrong way
/// round.
#[unit("Math.Clamp")]
pub fn clamp_int(value: i32, minimum: i32, #[pin(default = 1)] maximum: i32) -> i32 {
    minimum_int(maximum_int(value, minimum), maximum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_range_has_ends() {
        assert_eq!(add_int(i32::MAX, 1), i32::MAX);
        assert_eq!(subtract_int(i32::MIN, 1), i32::MIN);
        assert_eq!(multiply_int(i32::MIN, -1), i32::MAX);
        assert_eq!(divide_int(i32::MIN, -1, 0), i32::MAX);
        assert_eq!(negate_int(i32::MIN), i32::MAX);
        assert_eq!(absolute_int(i32::MIN), i32::MAX);
        assert_eq!(modulo_int(i32::MIN, -1), 0);
    }

    #[test]
    fn remainders_agree_with_the_definition() {
        for a in -9..=9 {
            for b in -4..=4 {
                let right = if b == 0 { 0 } else { a - b * (f64::from(a) / f64::from(b)).floor() as i32 };
                assert_eq!(modulo_int(a, b), right, "{a} mod {b}");
            }
        }
        assert_eq!(divide_int(7, 0, -3), -3);
        assert_eq!(divide_int(-7, 2, 0), -3);
    }

    #[test]
    fn clamped() {
        assert_eq!([-5, 3, 9].map(|v| clamp_int(v, 0, 5)), [0, 3, 5]);
        assert_eq!(clamp_int(0, 5, 1), 1);
        assert_eq!([-7, 0, 7].map(sign_int), [-1, 0, 1]);
        assert_eq!((minimum_int(1, 2), maximum_int(1, 2)), (1, 2));
    }
}
