//! Functions of single numbers.
//!
//! They compile to a few compares, selects and additions, so loops over them vectorize, and they
//! give the same bits on every platform. What a NaN gives is said at each.

use core::f32::consts::{PI, TAU};

/// Adding and taking away 1.5·2^23 rounds a number below 2^22 to the nearest integer.
pub(super) const ROUND: f32 = 12_582_912.0;
/// From 2^23 on every `f32` is an integer.
const INTEGERS_FROM: f32 = 8_388_608.0;

/// The smaller; `b` where either is NaN.
#[inline(always)]
pub fn min(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// The larger; `b` where either is NaN.
#[inline(always)]
pub fn max(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// `x` kept within `[lo, hi]`. `lo` where `x` is NaN, `hi` where `lo > hi`.
#[inline(always)]
pub fn clamp(x: f32, lo: f32, hi: f32) -> f32 {
    min(max(x, lo), hi)
}

/// `x` kept within `[0, 1]`; 0 where it is NaN.
#[inline(always)]
pub fn saturate(x: f32) -> f32 {
    clamp(x, 0.0, 1.0)
}

/// Magnitude; NaN stays NaN.
#[inline(always)]
pub fn abs(x: f32) -> f32 {
    x.abs()
}

/// -1, 0 or 1; 0 for either zero and for NaN.
#[inline(always)]
pub fn sign(x: f32) -> f32 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        0.0
    }
}

/// Nearest integer of a magnitude below 2^23, ties to even.
#[inline(always)]
fn round_magnitude(a: f32) -> f32 {
    (a + INTEGERS_FROM) - INTEGERS_FROM
}

/// Toward zero; NaN and infinities stay.
#[inline(always)]
pub fn trunc(x: f32) -> f32 {
    let a = x.abs();
    let r = round_magnitude(a);
    let t = if r > a { r - 1.0 } else { r };
    if a < INTEGERS_FROM { t.copysign(x) } else { x }
}

/// Largest integer not above `x`; NaN and infinities stay.
#[inline(always)]
pub fn floor(x: f32) -> f32 {
    let t = trunc(x);
    if t > x { t - 1.0 } else { t }
}

/// Smallest integer not below `x`; NaN and infinities stay.
#[inline(always)]
pub fn ceil(x: f32) -> f32 {
    -floor(-x)
}

/// Nearest integer, halves away from zero; NaN and infinities stay.
#[inline(always)]
pub fn round(x: f32) -> f32 {
    let t = trunc(x);
    if (x - t).abs() >= 0.5 { t + 1.0f32.copysign(x) } else { t }
}

/// `x - floor(x)`, in `[0, 1)`; 0 where `x` is not finite.
#[inline(always)]
pub fn fract(x: f32) -> f32 {
    let f = x - floor(x);
    // A tiny negative number is so close to the integer above that the difference rounds to 1.
    if f < 1.0 { f } else { 0.0 }
}

/// Floored remainder: in `[0, y)` for a positive `y`, in `(y, 0]` for a negative one. 0 where `y`
/// is 0 or either is not finite. Good to about an ulp of `x`.
#[inline(always)]
pub fn modulo(x: f32, y: f32) -> f32 {
    let m = x - y * floor(x / y);
    // The quotient is rounded, so the remainder can fall a little outside.
    let m = if m * sign(y) < 0.0 { m + y } else { m };
    if m.abs() < y.abs() { m } else { 0.0 }
}

/// `a` at `t = 0`, `b` at `t = 1`, both exactly; `t` is not clamped.
#[inline(always)]
pub fn lerp(a: f32, b: f32, t: f32) -> f32 {
    a * (1.0 - t) + b * t
}

/// The `t` at which [`lerp`] gives `x`; 0 where `a = b`.
#[inline(always)]
pub fn inverse_lerp(a: f32, b: f32, x: f32) -> f32 {
    if a != b { (x - a) / (b - a) } else { 0.0 }
}

/// Takes the range `from` to the range `to`, going on beyond the ends. `to.0` where `from` is
/// empty.
#[inline(always)]
pub fn remap(x: f32, from: (f32, f32), to: (f32, f32)) -> f32 {
    lerp(to.0, to.1, inverse_lerp(from.0, from.1, x))
}

/// [`remap`] held at the ends.
#[inline(always)]
pub fn remap_clamped(x: f32, from: (f32, f32), to: (f32, f32)) -> f32 {
    lerp(to.0, to.1, saturate(inverse_lerp(from.0, from.1, x)))
}

/// 0 up to `lo`, 1 from `hi`, and `3t² - 2t³` between. Where `lo = hi` a step: 1 from `hi`.
#[inline(always)]
pub fn smoothstep(lo: f32, hi: f32, x: f32) -> f32 {
    let step = if x >= hi { 1.0 } else { 0.0 };
    let t = if lo != hi { saturate((x - lo) / (hi - lo)) } else { step };
    t * t * (3.0 - 2.0 * t)
}

/// The same angle in `(-π, π]`, radians. An angle already there is returned as it is; one of a
/// magnitude of 2^22 or more (where neighbouring numbers are half a radian apart), or not finite,
/// counts as 0.
#[inline(always)]
pub fn wrap_angle(x: f32) -> f32 {
    let bounded = if x.abs() < 4_194_304.0 { x } else { 0.0 };
    let turns = (bounded * (1.0 / TAU) + ROUND) - ROUND;
    // 2π in three parts; the first two have so few bits that their products are exact.
    let r = bounded - turns * 6.281_25;
    let r = r - turns * 0.001_935_005_2;
    let r = r - turns * 3.019_916e-7;
    let r = if r > PI { r - TAU } else { r };
    let r = if r <= -PI { r + TAU } else { r };
    if x > -PI && x <= PI { x } else { r }
}

/// The turn from angle `from` to angle `to` by the shorter way, in `(-π, π]`, radians.
#[inline(always)]
pub fn angle_difference(from: f32, to: f32) -> f32 {
    wrap_angle(to - from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples() -> Vec<f32> {
        let mut v = vec![0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 0.49999997, -0.49999997, 1e-30, -1e-30];
        v.extend([8388607.5, -8388607.5, 8388608.0, 4194303.5, 1e20, -1e20, f32::MAX, f32::MIN]);
        v.extend([f32::INFINITY, f32::NEG_INFINITY, f32::MIN_POSITIVE, f32::EPSILON]);
        let mut x = -1000.0f32;
        while x < 1000.0 {
            v.push(x);
            x += 0.37;
        }
        v
    }

    #[test]
    fn rounding_agrees_with_the_standard_library() {
        for x in samples() {
            assert_eq!(floor(x), x.floor(), "{x}");
            assert_eq!(ceil(x), x.ceil(), "{x}");
            assert_eq!(round(x), x.round(), "{x}");
            assert_eq!(trunc(x), x.trunc(), "{x}");
        }
        assert!(floor(f32::NAN).is_nan() && round(f32::NAN).is_nan() && ceil(f32::NAN).is_nan());
    }

    #[test]
    fn nan_is_handled_as_documented() {
        assert_eq!(min(f32::NAN, 1.0), 1.0);
        assert_eq!(max(f32::NAN, 1.0), 1.0);
        assert_eq!(clamp(f32::NAN, -2.0, 3.0), -2.0);
        assert_eq!(sign(f32::NAN), 0.0);
        assert_eq!(fract(f32::NAN), 0.0);
        assert_eq!(fract(f32::INFINITY), 0.0);
        assert_eq!(wrap_angle(f32::NAN), 0.0);
        assert_eq!(wrap_angle(f32::INFINITY), 0.0);
        assert_eq!(modulo(f32::NAN, 1.0), 0.0);
        assert_eq!(modulo(1.0, f32::NAN), 0.0);
    }

    #[test]
    fn remainder_stays_in_its_range() {
        for x in samples() {
            let f = fract(x);
            assert!((0.0..1.0).contains(&f), "fract {x} = {f}");
            for y in [1.0f32, 0.3, 7.0, 1e-3] {
                let m = modulo(x, y);
                assert!((0.0..y).contains(&m), "{x} mod {y} = {m}");
                let n = modulo(x, -y);
                assert!(n <= 0.0 && n > -y, "{x} mod -{y} = {n}");
                if x.abs() < 1000.0 {
                    let right = f64::from(x).rem_euclid(f64::from(y));
                    let off = (f64::from(m) - right).abs();
                    let off = off.min(f64::from(y) - off);
                    assert!(off <= 1e-4, "{x} mod {y} = {m}, {right}");
                }
            }
            assert_eq!(modulo(x, 0.0), 0.0);
        }
        assert_eq!(modulo(-1.0, 3.0), 2.0);
        assert_eq!(modulo(7.0, -3.0), -2.0);
    }

    #[test]
    fn interpolation_meets_its_ends() {
        assert_eq!(lerp(0.1, 0.7, 1.0), 0.7);
        assert_eq!(lerp(0.1, 0.7, 0.0), 0.1);
        assert_eq!(inverse_lerp(2.0, 2.0, 5.0), 0.0);
        assert_eq!(remap(5.0, (0.0, 10.0), (20.0, 40.0)), 30.0);
        assert_eq!(remap(20.0, (0.0, 10.0), (0.0, 1.0)), 2.0);
        assert_eq!(remap_clamped(20.0, (0.0, 10.0), (0.0, 1.0)), 1.0);
        assert_eq!(remap_clamped(5.0, (10.0, 0.0), (0.0, 1.0)), 0.5);
        assert_eq!(smoothstep(1.0, 1.0, 1.0), 1.0);
        assert_eq!(smoothstep(1.0, 1.0, 0.9), 0.0);
        assert_eq!(smoothstep(0.0, 2.0, 1.0), 0.5);
    }

    #[test]
    fn wrapped_angles_are_the_same_angle_and_in_range() {
        for x in samples().into_iter().filter(|x| x.abs() < 1e4) {
            let w = wrap_angle(x);
            assert!(w > -PI && w <= PI, "{x} -> {w}");
            let d = (f64::from(x) - f64::from(w)) / std::f64::consts::TAU;
            assert!((d - d.round()).abs() < 2e-7, "{x} -> {w}");
            assert_eq!(wrap_angle(w), w);
        }
        assert_eq!(wrap_angle(-PI), PI);
        assert_eq!(wrap_angle(PI), PI);
        assert!((angle_difference(3.0, -3.0) - (TAU - 6.0)).abs() < 1e-6);
    }
}
