//! Sines, cosines and angles. Angles are radians unless a name says degrees.

use sinew_macros::unit;

use crate::math;
use crate::vm::UnitDef;

/// The units of this file.
pub fn all() -> Vec<UnitDef> {
    crate::units![
        sine,
        cosine,
        tangent,
        arc_sine,
        arc_cosine,
        arc_tangent,
        arc_tangent2,
        radians,
        degrees,
        wrap_angle,
        angle_difference,
    ]
}

/// Sine of an angle in radians. An angle beyond 4 million or not finite counts as 0.
#[unit("Math.Sine")]
pub fn sine(value: f32) -> f32 {
    math::sin(value)
}

/// Cosine of an angle in radians. An angle beyond 4 million or not finite counts as 0.
#[unit("Math.Cosine")]
pub fn cosine(value: f32) -> f32 {
    math::cos(value)
}

/// Tangent of an angle in radians; finite at the poles too.
#[unit("Math.Tangent")]
pub fn tangent(value: f32) -> f32 {
    math::tan(value)
}

/// Arc sine in radians, in `[-π/2, π/2]`. The value is clamped to `[-1, 1]`.
#[unit("Math.ArcSine")]
pub fn arc_sine(#[pin(min = -1.0, max = 1.0)] value: f32) -> f32 {
    math::asin(value)
}

/// Arc cosine in radians, in `[0, π]`. The value is clamped to `[-1, 1]`.
#[unit("Math.ArcCosine")]
pub fn arc_cosine(#[pin(min = -1.0, max = 1.0)] value: f32) -> f32 {
    math::acos(value)
}

/// Arc tangent in radians, in `[-π/2, π/2]`.
#[unit("Math.ArcTangent")]
pub fn arc_tangent(value: f32) -> f32 {
    math::atan(value)
}

/// Angle of the point `(x, y)` from the x axis in radians, in `[-π, π]`; 0 for the origin.
#[unit("Math.ArcTangent2")]
pub fn arc_tangent2(y: f32, #[pin(default = 1.0)] x: f32) -> f32 {
    math::atan2(y, x)
}

/// Degrees to radians.
#[unit("Math.Radians")]
pub fn radians(
    /// An angle in degrees.
    degrees: f32,
) -> f32 {
    degrees * (core::f32::consts::PI / 180.0)
}

/// Radians to degrees.
#[unit("Math.Degrees")]
pub fn degrees(
    /// An angle in radians.
    radians: f32,
) -> f32 {
    radians * (180.0 / core::f32::consts::PI)
}

/// The same angle in `(-π, π]` radians.
#[unit("Math.WrapAngle")]
pub fn wrap_angle(value: f32) -> f32 {
    math::wrap_angle(value)
}

/// The turn from one angle to another by the shorter way, in `(-π, π]` radians.
#[unit("Math.AngleDifference")]
pub fn angle_difference(from: f32, to: f32) -> f32 {
    math::angle_difference(from, to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agree_with_double_precision() {
        for i in -400..400 {
            let x = i as f32 * 0.0371;
            let d = f64::from(x);
            assert!((f64::from(sine(x)) - d.sin()).abs() < 3e-7);
            assert!((f64::from(cosine(x)) - d.cos()).abs() < 3e-7);
            assert!((f64::from(arc_tangent(x)) - d.atan()).abs() < 1e-6);
            assert!((f64::from(arc_tangent2(x, -0.7)) - d.atan2(f64::from(-0.7f32))).abs() < 1e-6);
            assert!((f64::from(radians(x)) - d.to_radians()).abs() < 1e-6);
            assert!((f64::from(degrees(x)) - d.to_degrees()).abs() < 1e-4);
            let unit = x / 15.0;
            assert!((f64::from(arc_sine(unit)) - f64::from(unit).asin()).abs() < 1e-6);
            assert!((f64::from(arc_cosine(unit)) - f64::from(unit).acos()).abs() < 1e-6);
        }
    }

    #[test]
    fn beyond_the_domain_there_is_an_end_and_no_nan() {
        assert!((arc_cosine(1.000_001)).abs() < 1e-6);
        assert!((arc_sine(-2.0) + core::f32::consts::FRAC_PI_2).abs() < 1e-6);
        assert_eq!(arc_tangent2(0.0, 0.0), 0.0);
        assert!(tangent(core::f32::consts::FRAC_PI_2).is_finite());
        assert_eq!((sine(f32::INFINITY), cosine(f32::NAN)), (0.0, 1.0));
    }

    #[test]
    fn the_shorter_way_crosses_half_a_turn() {
        let difference = angle_difference(radians(175.0), radians(-175.0));
        assert!((difference - radians(10.0)).abs() < 1e-6);
        assert!((wrap_angle(radians(350.0)) - radians(-10.0)).abs() < 1e-6);
    }
}
