//! Trigonometry in single precision, the same bits everywhere.
//!
//! The standard library's functions differ from platform to platform in their last bits and are
//! calls that no loop vectorizes over. These are polynomials (fitted for the least largest error
//! on the reduced range) with selects in place of branches. Results are always finite: what an
//! argument outside of the domain counts as is said at each function.

use core::f32::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use super::scalar::{ROUND, clamp};

/// 2/π.
const FRAC_2_PI: f32 = core::f32::consts::FRAC_2_PI;

/// Sine and cosine of an angle in radians.
///
/// Absolute error up to 1e-7 for `|x| ≤ 8192`, and up to `|x|·2^-23` beyond, where an `f32`'s own
/// spacing is coarser than that. An angle of a magnitude of 2^22 or more, or not finite, counts as
/// 0: sine 0, cosine 1.
///
/// Range reduction is Cody and Waite's (Software Manual for the Elementary Functions, 1980): whole
/// quarter turns are taken away with π/2 in three parts, the first two short enough for their
/// products to be exact.
#[inline(always)]
pub fn sin_cos(x: f32) -> (f32, f32) {
    let x = if x.abs() < 4_194_304.0 { x } else { 0.0 };
    // The low bits of the sum hold the number of quarter turns.
    let shifted = x * FRAC_2_PI + ROUND;
    let quadrant = shifted.to_bits();
    let k = shifted - ROUND;
    let r = x - k * 1.570_312_5;
    let r = r - k * 4.837_513e-4;
    let r = r - k * 7.549_79e-8;
    let z = r * r;
    let s = r + r * z * (-0.166_666_55 + z * (8.332_159e-3 + z * -1.951_511_7e-4));
    let c = 1.0 - 0.5 * z + z * z * (4.166_664_6e-2 + z * (-1.388_731_4e-3 + z * 2.443_296_6e-5));
    let odd = quadrant & 1 != 0;
    let (sin, cos) = if odd { (c, s) } else { (s, c) };
    // Bit 1 of the quadrant turns the sine's sign, bit 1 of the next one the cosine's.
    let sin = f32::from_bits(sin.to_bits() ^ ((quadrant & 2) << 30));
    let cos = f32::from_bits(cos.to_bits() ^ ((quadrant.wrapping_add(1) & 2) << 30));
    (sin, cos)
}

/// Sine of an angle in radians; see [`sin_cos`] for errors and domain.
#[inline(always)]
pub fn sin(x: f32) -> f32 {
    sin_cos(x).0
}

/// Cosine of an angle in radians; see [`sin_cos`] for errors and domain.
#[inline(always)]
pub fn cos(x: f32) -> f32 {
    sin_cos(x).1
}

/// Tangent of an angle in radians. Relative error up to 4e-7 where `|x| ≤ 8` and the cosine is
/// above 0.1 in magnitude; nearer to a pole the error grows with the tangent. Finite at the poles
/// too (`f32::MAX` where the cosine comes out as 0). Domain as of [`sin_cos`].
#[inline(always)]
pub fn tan(x: f32) -> f32 {
    let (s, c) = sin_cos(x);
    if c != 0.0 { s / c } else { f32::MAX.copysign(s) }
}

/// Arc sine of `|x| ≤ 0.5`, given `z = x²`.
#[inline(always)]
fn asin_core(x: f32, z: f32) -> f32 {
    let p = 4.547_161e-2 + z * (2.417_294_7e-2 + z * 4.217_823_6e-2);
    x + x * z * (0.166_667_52 + z * (7.495_289e-2 + z * p))
}

/// Whether `|x|` is above one half, and the arc sine of the reduced argument: by `asin x = π/2 - 2 asin √((1-x)/2)` beyond one half.
#[inline(always)]
fn asin_parts(x: f32) -> (bool, f32) {
    let a = x.abs();
    let large = a > 0.5;
    let z = if large { 0.5 * (1.0 - a) } else { a * a };
    let y = if large { z.sqrt() } else { a };
    (large, asin_core(y, z))
}

/// Arc sine in radians, in `[-π/2, π/2]`. The argument is clamped to `[-1, 1]`, NaN counts as 0.
/// Relative error up to 3e-7.
#[inline(always)]
pub fn asin(x: f32) -> f32 {
    let x = clamp(if x.is_nan() { 0.0 } else { x }, -1.0, 1.0);
    let (large, p) = asin_parts(x);
    let a = if large { FRAC_PI_2 - 2.0 * p } else { p };
    a.copysign(x)
}

/// Arc cosine in radians, in `[0, π]`. The argument is clamped to `[-1, 1]`, NaN counts as 0.
/// Absolute error up to 3e-7; relative error up to 1.5e-7 for positive arguments, so small angles
/// keep their digits.
#[inline(always)]
pub fn acos(x: f32) -> f32 {
    let x = clamp(if x.is_nan() { 0.0 } else { x }, -1.0, 1.0);
    let (large, p) = asin_parts(x);
    if large { if x > 0.0 { 2.0 * p } else { PI - 2.0 * p } } else { FRAC_PI_2 - p.copysign(x) }
}

/// Angle of the point `(x, y)` from the x axis, in `[-π, π]` radians.
///
/// Relative error up to 3e-7. `atan2(0, 0)` is 0; a zero's sign does not matter, so on the
/// negative x axis the angle is +π. Infinite arguments count as `f32::MAX`, NaN as 0. Arguments
/// need no common scale: they neither overflow nor underflow between 1e-37 and `f32::MAX`.
#[inline(always)]
pub fn atan2(y: f32, x: f32) -> f32 {
    let ay = clamp(if y.is_nan() { 0.0 } else { y.abs() }, 0.0, f32::MAX);
    let ax = clamp(if x.is_nan() { 0.0 } else { x.abs() }, 0.0, f32::MAX);
    let steep = ay > ax;
    let (lo, hi) = if steep { (ax, ay) } else { (ay, ax) };
    // The sum below must not overflow.
    let scale = if hi > 1e38 { 0.25 } else { 1.0 };
    let (lo, hi) = (lo * scale, hi * scale);
    // Beyond tan(π/8) the angle is taken from π/4: tan(a - π/4) = (tan a - 1) / (tan a + 1).
    let upper = lo > hi * 0.414_213_57;
    let num = if upper { lo - hi } else { lo };
    let den = if upper { lo + hi } else { hi };
    let t = if den > 0.0 { num / den } else { 0.0 };
    let z = t * t;
    let p = 0.199_984_67 + z * (-0.142_434_51 + z * (0.105_931_71 + z * -6.076_513e-2));
    let a = t + t * z * (-0.333_333_16 + z * p);
    let a = if upper { FRAC_PI_4 + a } else { a };
    let a = if steep { FRAC_PI_2 - a } else { a };
    let a = if x < 0.0 { PI - a } else { a };
    if y < 0.0 { -a } else { a }
}

/// Arc tangent in radians, in `[-π/2, π/2]`. Relative error up to 3e-7; NaN counts as 0.
#[inline(always)]
pub fn atan(x: f32) -> f32 {
    atan2(x, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{numbers, shared_json};

    fn grid(lo: f32, hi: f32, n: usize) -> impl Iterator<Item = f32> {
        (0..=n).map(move |i| (f64::from(lo) + f64::from(hi - lo) * i as f64 / n as f64) as f32)
    }

    fn relative(got: f32, want: f64) -> f64 {
        let e = (f64::from(got) - want).abs();
        if want == 0.0 { e } else { e / want.abs() }
    }

    const HARD: [f32; 14] = [
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::MAX,
        f32::MIN,
        4_194_304.0,
        4_194_303.8,
        f32::MIN_POSITIVE,
        1e-45,
        0.0,
        -0.0,
        1.0,
        1.000_000_1,
        -1.000_000_1,
    ];

    #[test]
    fn sine_and_cosine_keep_their_bound() {
        let mut worst = 0.0f64;
        let points = grid(-8192.0, 8192.0, 1_000_000).chain(grid(-7.0, 7.0, 1_000_000));
        for x in points {
            let (s, c) = sin_cos(x);
            worst = worst.max((f64::from(s) - f64::from(x).sin()).abs());
            worst = worst.max((f64::from(c) - f64::from(x).cos()).abs());
            assert_eq!((sin(-x), cos(-x)), (-s, c));
        }
        println!("sin_cos: largest absolute error {worst:e}");
        assert!(worst <= 1e-7);
        for x in grid(8192.0, 4_194_303.0, 500_000) {
            let bound = f64::from(x) / 8_388_608.0;
            assert!((f64::from(sin(x)) - f64::from(x).sin()).abs() <= bound, "{x}");
            assert!((f64::from(cos(x)) - f64::from(x).cos()).abs() <= bound, "{x}");
        }
    }

    #[test]
    fn small_angles_keep_relative_precision() {
        for i in 0..1000 {
            let x = 1e-6 * 1.012f32.powi(i);
            if x < 0.7 {
                assert!(relative(sin(x), f64::from(x).sin()) <= 1.2e-7, "{x}");
                assert!(relative(tan(x), f64::from(x).tan()) <= 3e-7, "{x}");
                assert!(relative(asin(x), f64::from(x).asin()) <= 1.2e-7, "{x}");
                assert!(relative(atan(x), f64::from(x).atan()) <= 2e-7, "{x}");
            }
        }
    }

    #[test]
    fn tangent_keeps_its_bound() {
        let mut worst = 0.0f64;
        for x in grid(-8.0, 8.0, 1_000_000) {
            if f64::from(x).cos().abs() > 0.1 && f64::from(x).sin().abs() > 0.1 {
                worst = worst.max(relative(tan(x), f64::from(x).tan()));
            }
        }
        println!("tan: largest relative error {worst:e}");
        assert!(worst <= 4e-7);
    }

    #[test]
    fn inverse_functions_keep_their_bounds() {
        let (mut worst_sin, mut worst_cos, mut worst_cos_rel, mut worst_tan) =
            (0.0f64, 0.0f64, 0.0f64, 0.0f64);
        for x in grid(-1.0, 1.0, 2_000_000) {
            worst_sin = worst_sin.max(relative(asin(x), f64::from(x).asin()));
            let want = f64::from(x).acos();
            worst_cos = worst_cos.max((f64::from(acos(x)) - want).abs());
            if x > 0.0 {
                worst_cos_rel = worst_cos_rel.max(relative(acos(x), want));
            }
        }
        for i in 0..1_000_000 {
            let x = (1e-20 * 1.0001f64.powi(i)) as f32;
            worst_tan = worst_tan.max(relative(atan(x), f64::from(x).atan()));
        }
        println!("asin {worst_sin:e}, acos {worst_cos:e} (relative {worst_cos_rel:e}), atan {worst_tan:e}");
        assert!(worst_sin <= 3e-7 && worst_cos <= 3e-7 && worst_cos_rel <= 1.5e-7 && worst_tan <= 3e-7);
    }

    #[test]
    fn atan2_keeps_its_bound_in_every_direction_and_scale() {
        let mut worst = 0.0f64;
        for radius in [1e-30f64, 1e-3, 1.0, 1e10, 3e38] {
            for i in 0..200_000 {
                let a = (i as f64 / 100_000.0 - 1.0) * std::f64::consts::PI;
                let (y, x) = ((radius * a.sin()) as f32, (radius * a.cos()) as f32);
                let want = f64::from(y).atan2(f64::from(x));
                if y.abs() > 1e-37 && x.abs() > 1e-37 {
                    worst = worst.max(relative(atan2(y, x), want));
                }
            }
        }
        println!("atan2: largest relative error {worst:e}");
        assert!(worst <= 3e-7);
        assert_eq!(atan2(0.0, 0.0), 0.0);
        assert_eq!(atan2(-0.0, -1.0), PI);
        assert_eq!(atan2(0.0, -0.0), 0.0);
        assert_eq!(atan2(f32::INFINITY, f32::INFINITY), FRAC_PI_4);
        assert_eq!(atan2(-1.0, 0.0), -FRAC_PI_2);
        assert_eq!(atan2(f32::NAN, f32::NAN), 0.0);
    }

    #[test]
    fn arguments_outside_of_the_domain_are_clamped_never_nan() {
        assert_eq!(acos(1.000_000_1), 0.0);
        assert_eq!(acos(-1.000_000_1), PI);
        assert_eq!(asin(1.000_000_1), FRAC_PI_2);
        assert_eq!(asin(f32::NEG_INFINITY), -FRAC_PI_2);
        assert_eq!(sin_cos(f32::INFINITY), (0.0, 1.0));
        assert_eq!(sin_cos(f32::NAN), (0.0, 1.0));
        for x in HARD {
            for v in [sin(x), cos(x), tan(x), asin(x), acos(x), atan(x)] {
                assert!(v.is_finite(), "{x}");
            }
            for y in HARD {
                assert!(atan2(y, x).is_finite(), "{y} {x}");
            }
        }
        assert!(tan(FRAC_PI_2).is_finite());
    }

    #[test]
    fn reference_vectors_agree() {
        let Some(file) = shared_json("vectors/transcendental.json") else { return };
        let cases = file["cases"].as_array().expect("cases");
        let column = |i: usize| cases.iter().map(move |c| numbers(c)[i] as f32);
        let close =
            |got: f32, want: f32| assert!((got - want).abs() <= 3e-7 * (1.0 + want.abs()), "{got} {want}");
        for (i, x) in column(0).enumerate() {
            let row = numbers(&cases[i]);
            close(sin(x), row[1] as f32);
            close(cos(x), row[2] as f32);
            close(acos(row[5] as f32), row[6] as f32);
            close(atan2(row[3] as f32, x), row[7] as f32);
        }
    }
}
