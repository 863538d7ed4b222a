//! Exponential, logarithm and powers in single precision, the same bits everywhere.
//!
//! Like [`trig`](super::trig): polynomials and selects, and results that are always finite.

use super::scalar::{ROUND, clamp};

/// ln 2 in two parts; the first is short enough for its product with an exponent to be exact.
const LN2_HI: f32 = 0.693_145_75;
const LN2_LO: f32 = 1.428_606_8e-6;

/// `e^x`. Relative error up to 1.5e-7 where the result is a normal number. Above 88.72 the result
/// stays at `f32::MAX`, below about -103.9 it is 0; NaN counts as 0 and gives 1.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    let b = clamp(if x.is_nan() { 0.0 } else { x }, -104.0, 88.722_83);
    let shifted = b * core::f32::consts::LOG2_E + ROUND;
    let k = shifted - ROUND;
    let n = shifted.to_bits() as i32 - ROUND.to_bits() as i32;
    let r = b - k * LN2_HI - k * LN2_LO;
    let p = 0.166_665_21 + r * (4.166_839e-2 + r * (8.368_735e-3 + r * 1.381_456e-3));
    let e = 1.0 + r + r * r * (0.499_999_94 + r * p);
    // 2^n in two halves, so that the largest results and the subnormal ones are reached.
    let half = n >> 1;
    let y = e * exp2_integer(half) * exp2_integer(n - half);
    if b < 88.722_83 && y < f32::MAX { y } else { f32::MAX }
}

/// `2^n` for `-126 ≤ n ≤ 127`.
#[inline(always)]
fn exp2_integer(n: i32) -> f32 {
    f32::from_bits(((n + 127) as u32) << 23)
}

/// Natural logarithm. Absolute error up to 1e-7 near 1 and relative error up to 1.5e-7 elsewhere.
/// Zero, negative numbers and NaN give `f32::MIN`; infinity counts as `f32::MAX`.
#[inline(always)]
pub fn ln(x: f32) -> f32 {
    let b = clamp(x, 0.0, f32::MAX);
    // Subnormal numbers are scaled up first.
    let tiny = b < f32::MIN_POSITIVE;
    let bits = (if tiny { b * 8_388_608.0 } else { b }).to_bits();
    let bias = if tiny { 127 + 23 } else { 127 };
    // The mantissa in [√½, √2): an exponent one higher from √2 on.
    let up = (bits & 0x007f_ffff) >= 0x0035_04f3;
    let e = (bits >> 23) as i32 - bias + i32::from(up);
    let m = f32::from_bits((bits & 0x007f_ffff) | if up { 0x3f00_0000 } else { 0x3f80_0000 });
    let f = m - 1.0;
    let e = e as f32;
    let p = ln_tail(f);
    let y = (f - 0.5 * f * f + f * f * f * p + e * LN2_LO) + e * LN2_HI;
    if b > 0.0 { y } else { f32::MIN }
}

/// `(ln(1 + f) - f + f²/2) / f³`.
#[inline(always)]
fn ln_tail(f: f32) -> f32 {
    let p = 0.142_194_52 + f * (-0.124_053_4 + f * (0.118_886_96 + f * (-0.116_775_14 + f * 6.747_729e-2)));
    0.333_333_13 + f * (-0.250_000_1 + f * (0.200_021_24 + f * (-0.166_680_05 + f * p)))
}

/// `base^exponent` for `base ≥ 0`, as `exp(exponent · ln base)`.
///
/// Relative error up to `(1 + |exponent · ln base|) · 2.5e-7`. A negative or NaN base counts as 0;
/// `x^0` is 1 for every `x`, `0^y` is 0 for `y > 0` and `f32::MAX` for `y < 0`, and results beyond
/// `f32::MAX` stay there.
#[inline(always)]
pub fn powf(base: f32, exponent: f32) -> f32 {
    // The product may overflow to an infinity, which `exp` clamps; 0·∞ is NaN, which gives 1.
    exp(exponent * ln(base))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{numbers, shared_json};

    #[test]
    fn exponential_keeps_its_bound() {
        let mut worst = 0.0f64;
        for i in 0..2_000_000 {
            let x = (-87.3 + 176.0 * f64::from(i) / 2e6) as f32;
            let want = f64::from(x).exp();
            worst = worst.max((f64::from(exp(x)) / want - 1.0).abs());
        }
        println!("exp: largest relative error {worst:e}");
        assert!(worst <= 1.5e-7);
        for i in 0..200_000 {
            let x = (-104.0 + 17.0 * f64::from(i) / 2e5) as f32;
            assert!((f64::from(exp(x)) - f64::from(x).exp()).abs() <= 2.8e-45 + 1.5e-7 * f64::from(x).exp());
        }
        assert_eq!(exp(0.0), 1.0);
    }

    #[test]
    fn logarithm_keeps_its_bound() {
        let (mut near, mut far) = (0.0f64, 0.0f64);
        for i in 0..2_000_000 {
            let x = (1e-44f64.ln() + (f64::from(f32::MAX).ln() - 1e-44f64.ln()) * f64::from(i) / 2e6).exp()
                as f32;
            let want = f64::from(x).ln();
            let e = (f64::from(ln(x)) - want).abs();
            if want.abs() < 1.0 { near = near.max(e) } else { far = far.max(e / want.abs()) }
        }
        for i in 0..1_000_000 {
            let x = (0.4 + 2.3 * f64::from(i) / 1e6) as f32;
            near = near.max((f64::from(ln(x)) - f64::from(x).ln()).abs());
        }
        println!("ln: largest absolute error near 1 {near:e}, relative elsewhere {far:e}");
        assert!(near <= 1e-7 && far <= 1.5e-7);
        assert_eq!(ln(1.0), 0.0);
    }

    #[test]
    fn powers_keep_their_bound() {
        let mut worst = 0.0f64;
        for i in 0..1000 {
            for j in 0..1000 {
                let base = (1e-6f64 * 1.03f64.powi(i)) as f32;
                let exponent = (f64::from(j) / 100.0 - 5.0) as f32;
                let power = f64::from(exponent) * f64::from(base).ln();
                if power.abs() < 87.0 {
                    let e = (f64::from(powf(base, exponent)) / power.exp() - 1.0).abs();
                    worst = worst.max(e / (1.0 + power.abs()));
                }
            }
        }
        println!("powf: largest relative error per 1 + |exponent ln base| {worst:e}");
        assert!(worst <= 2.5e-7);
    }

    #[test]
    fn results_are_finite_for_every_argument() {
        let hard =
            [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN, 0.0, -0.0, 1e-45, -1.0, 1.0];
        for x in hard {
            assert!(exp(x).is_finite() && ln(x).is_finite(), "{x}");
            for y in hard {
                assert!(powf(x, y).is_finite(), "{x} ^ {y}");
            }
        }
        assert_eq!(exp(f32::INFINITY), f32::MAX);
        assert_eq!(exp(f32::NEG_INFINITY), 0.0);
        assert_eq!(exp(f32::NAN), 1.0);
        assert_eq!(ln(0.0), f32::MIN);
        assert_eq!(ln(-1.0), f32::MIN);
        assert_eq!(powf(0.0, 0.0), 1.0);
        assert_eq!(powf(0.0, 2.0), 0.0);
        assert_eq!(powf(-3.0, 2.0), 0.0);
        assert_eq!(powf(0.0, -1.0), f32::MAX);
        assert_eq!(powf(1e30, 9.0), f32::MAX);
    }

    #[test]
    fn reference_vectors_agree() {
        let Some(file) = shared_json("vectors/transcendental.json") else { return };
        for row in file["cases"].as_array().expect("cases").iter().map(numbers) {
            let got = f64::from(exp(row[3] as f32));
            assert!((got / row[4] - 1.0).abs() <= 2e-7, "exp {}: {got} {}", row[3], row[4]);
        }
    }
}
