//! Functions of one number, drawn by keys.

use sinew_macros::unit;

use crate::value::CurveRef;
use crate::vm::{Frame, UnitDef};

/// The units of this file.
pub fn all() -> Vec<UnitDef> {
    crate::units![evaluate, slope, time_range]
}

/// Value of one of the rig's curves; 0 where no curve is named or it has no keys.
#[unit("Curve.Evaluate")]
pub fn evaluate(
    frame: &Frame,
    curve: CurveRef,
    /// Seconds, or whatever the curve is over. A number that is not finite counts as 0.
    time: f32,
) -> f32 {
    frame.assets.curve(curve).map_or(0.0, |c| c.evaluate(time))
}

/// Slope of one of the rig's curves, value per time: at a key the one after it.
#[unit("Curve.Slope")]
pub fn slope(frame: &Frame, curve: CurveRef, time: f32) -> f32 {
    frame.assets.curve(curve).map_or(0.0, |c| c.derivative(time))
}

/// Times of the first and the last key; 0 and 0 without keys.
#[unit("Curve.TimeRange", outputs(first, last))]
pub fn time_range(frame: &Frame, curve: CurveRef) -> (f32, f32) {
    let keys = frame.assets.curve(curve).map_or(&[][..], |c| c.keys());
    let time = |k: Option<&crate::math::CurveKey>| k.map_or(0.0, |k| k.time);
    (time(keys.first()), time(keys.last()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Curve, CurveKey, Extrapolation};
    use crate::vm::{Assets, testing::Bench, words_of};
    use std::sync::Arc;

    /// A bench with the curve `t³` from 0 to 2, which a Hermite cubic is exactly.
    fn bench() -> Bench {
        let keys = vec![CurveKey::cubic(0.0, 0.0, 0.0), CurveKey::cubic(2.0, 8.0, 12.0)];
        let cube = Curve::new(keys, Extrapolation::Clamp, Extrapolation::Linear).unwrap();
        let mut bench = Bench::new();
        bench.frame.assets = Arc::new(Assets::new(vec![String::new()], vec![Curve::default(), cube]));
        bench
    }

    #[test]
    fn values_and_slopes() {
        let mut bench = bench();
        for t in [-1.0, 0.0, 0.25, 0.5, 1.0, 1.75, 2.0, 3.0f32] {
            let inputs = [("curve", words_of(CurveRef(1))), ("time", words_of(t))];
            let value: f32 = bench.call(&UnitDef::of::<evaluate>(), &inputs);
            let slope: f32 = bench.call(&UnitDef::of::<super::slope>(), &inputs);
            let (want, want_slope) = match t {
                t if t < 0.0 => (0.0, 0.0),
                t if t <= 2.0 => (t * t * t, 3.0 * t * t),
                t => (8.0 + 12.0 * (t - 2.0), 12.0),
            };
            assert!((value - want).abs() < 1e-5, "{t}: {value}");
            assert!((slope - want_slope).abs() < 1e-4, "{t}: {slope}");
        }
        assert_eq!(time_range(&bench.frame, CurveRef(1)), (0.0, 2.0));
    }

    #[test]
    fn no_curve_is_zero() {
        let bench = bench();
        for none in [CurveRef(0), CurveRef(2), CurveRef(u32::MAX)] {
            assert_eq!((evaluate(&bench.frame, none, 1.0), slope(&bench.frame, none, 1.0)), (0.0, 0.0));
            assert_eq!(time_range(&bench.frame, none), (0.0, 0.0));
        }
    }
}
