//! Floats: arithmetic, rounding, powers.
//!
//! Where the mathematical result does not exist the units give a documented number instead of NaN,
//! so that one odd frame does not spread through a rig.

use sinew_macros::unit;

use crate::math;
use crate::vm::UnitDef;

/// The units of this file.
pub fn all() -> Vec<UnitDef> {
    crate::units![
        add_float,
        subtract_float,
        multiply_float,
        divide_float,
        modulo_float,
        negate_float,
        absolute_float,
        sign_float,
        minimum_float,
        maximum_float,
        clamp_float,
        floor,
        ceil,
        round,
        truncate,
        fraction,
        power,
        square_root,
        exp,
        log,
        is_finite_float,
    ]
}

/// Sum of two numbers.
#[unit("Math.Add")]
pub fn add_float(a: f32, b: f32) -> f32 {
    a + b
}

/// Difference of two numbers.
#[unit("Math.Subtract")]
pub fn subtract_float(a: f32, b: f32) -> f32 {
    a - b
}

/// Product of two numbers.
#[unit("Math.Multiply")]
pub fn multiply_float(a: f32, #[pin(default = 1.0)] b: f32) -> f32 {
    a * b
}

/// Quotient of two numbers; `fallback` where `b` is 0.
#[unit("Math.Divide")]
pub fn divide_float(
    a: f32,
    #[pin(default = 1.0)] b: f32,
    /// The result of a division by 0.
    fallback: f32,
) -> f32 {
    if b != 0.0 { a / b } else { fallback }
}

/// Floored remainder of `a / b`: it has the sign of `b`. 0 where `b` is 0 or either is not finite.
#[unit("Math.Modulo")]
pub fn modulo_float(a: f32, #[pin(default = 1.0)] b: f32) -> f32 {
    math::modulo(a, b)
}

/// The number with the other sign.
#[unit("Math.Negate")]
pub fn negate_float(value: f32) -> f32 {
    -value
}

/// Magnitude of a number.
#[unit("Math.Absolute")]
pub fn absolute_float(value: f32) -> f32 {
    math::abs(value)
}

/// -1, 0 or 1; 0 for NaN.
#[unit("Math.Sign")]
pub fn sign_float(value: f32) -> f32 {
    math::sign(value)
}

/// The smaller of two numbers; `b` where either is NaN.
#[unit("Math.Minimum")]
pub fn minimum_float(a: f32, b: f32) -> f32 {
    math::min(a, b)
}

/// The larger of two numbers; `b` where either is NaN.
#[unit("Math.Maximum")]
pub fn maximum_float(a: f32, b: f32) -> f32 {
    math::max(a, b)
}

/// A number kept within `minimum` and `maximum`. `minimum` where it is NaN, `maximum` where the
/// two are the wrong way round.
#[unit("Math.Clamp")]
pub fn clamp_float(value: f32, minimum: f32, #[pin(default = 1.0)] maximum: f32) -> f32 {
    math::clamp(value, minimum, maximum)
}

/// Largest whole number not above the value.
#[unit("Math.Floor")]
pub fn floor(value: f32) -> f32 {
    math::floor(value)
}

/// Smallest whole number not below the value.
#[unit("Math.Ceil")]
pub fn ceil(value: f32) -> f32 {
    math::ceil(value)
}

/// Nearest whole number, halves away from zero.
#[unit("Math.Round")]
pub fn round(value: f32) -> f32 {
    math::round(value)
}

/// The whole part, toward zero.
#[unit("Math.Truncate")]
pub fn truncate(value: f32) -> f32 {
    math::trunc(value)
}

/// The value less its floor, in `[0, 1)`; 0 where it is not finite.
#[unit("Math.Fraction")]
pub fn fraction(value: f32) -> f32 {
    math::fract(value)
}

/// `base` to the power `exponent`. A negative base counts as 0; anything to the power 0 is 1; 0 to
/// a negative power is the greatest float.
#[unit("Math.Power")]
pub fn power(base: f32, #[pin(default = 2.0)] exponent: f32) -> f32 {
    math::powf(base, exponent)
}

/// Square root; 0 below 0 and for NaN.
#[unit("Math.SquareRoot")]
pub fn square_root(#[pin(min = 0.0)] value: f32) -> f32 {
    math::max(value, 0.0).sqrt()
}

/// `e` to the power of the value; the greatest float where that is too large.
#[unit("Math.Exp")]
pub fn exp(value: f32) -> f32 {
    math::exp(value)
}

/// Natural logarithm; the least float for 0 and below.
#[unit("Math.Log")]
pub fn log(#[pin(default = 1.0, min = 0.0)] value: f32) -> f32 {
    math::ln(value)
}

/// True if a number is neither NaN nor infinite.
#[unit("Math.IsFinite")]
pub fn is_finite_float(value: f32) -> bool {
    value.is_finite()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_exist_is_a_number() {
        assert_eq!(divide_float(1.0, 0.0, 7.0), 7.0);
        assert_eq!(divide_float(1.0, -0.0, 7.0), 7.0);
        assert_eq!(divide_float(1.0, 4.0, 7.0), 0.25);
        assert_eq!(square_root(-4.0), 0.0);
        assert_eq!(square_root(f32::NAN), 0.0);
        assert_eq!(modulo_float(5.0, 0.0), 0.0);
        assert_eq!(power(-2.0, 0.5), 0.0);
        assert_eq!(log(0.0), f32::MIN);
        assert_eq!(log(-1.0), f32::MIN);
        assert_eq!(clamp_float(f32::NAN, -1.0, 1.0), -1.0);
        assert!(!is_finite_float(f32::NAN) && !is_finite_float(f32::INFINITY) && is_finite_float(0.0));
    }

    #[test]
    fn powers_agree_with_double_precision() {
        for i in 1..200 {
            let x = i as f32 * 0.173;
            for y in [-2.5f32, -1.0, 0.0, 0.5, 1.0, 3.25] {
                let right = f64::from(x).powf(f64::from(y));
                let error = (f64::from(power(x, y)) / right - 1.0).abs();
                assert!(error < 1e-5, "{x}^{y}: {error}");
            }
            assert!((f64::from(log(x)) - f64::from(x).ln()).abs() < 1e-6);
            assert_eq!(square_root(x), f64::from(x).sqrt() as f32);
        }
    }

    #[test]
    fn remainders_have_the_sign_of_the_divisor() {
        assert_eq!(modulo_float(-1.0, 3.0), 2.0);
        assert_eq!(modulo_float(1.0, -3.0), -2.0);
        assert_eq!(fraction(-0.25), 0.75);
        assert_eq!(truncate(-1.75), -1.0);
        assert_eq!(floor(-1.75), -2.0);
        assert_eq!(ceil(-1.75), -1.0);
        assert_eq!(round(-2.5), -3.0);
    }
}
