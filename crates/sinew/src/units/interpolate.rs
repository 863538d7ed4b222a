//! From one number to another.

use sinew_macros::unit;

use crate::math::{self, Ease};
use crate::vm::UnitDef;

/// The units of this file.
pub fn all() -> Vec<UnitDef> {
    crate::units![lerp_float, inverse_lerp, remap, smooth_step, ease]
}

/// `a` at `t` = 0, `b` at `t` = 1, both exactly; `t` may go beyond.
#[unit("Math.Lerp")]
pub fn lerp_float(a: f32, #[pin(default = 1.0)] b: f32, #[pin(min = 0.0, max = 1.0)] t: f32) -> f32 {
    math::lerp(a, b, t)
}

/// How far `value` is on the way from `a` to `b`: 0 at `a`, 1 at `b`. 0 where the two are equal.
#[unit("Math.InverseLerp")]
pub fn inverse_lerp(a: f32, #[pin(default = 1.0)] b: f32, value: f32) -> f32 {
    math::inverse_lerp(a, b, value)
}

/// Takes a number from one range to another. `target_minimum` where the source range is empty.
#[unit("Math.Remap")]
pub fn remap(
    value: f32,
    source_minimum: f32,
    #[pin(default = 1.0)] source_maximum: f32,
    target_minimum: f32,
    #[pin(default = 1.0)] target_maximum: f32,
    /// Hold the result at the ends of the target range.
    clamp: bool,
) -> f32 {
    let (from, to) = ((source_minimum, source_maximum), (target_minimum, target_maximum));
    if clamp { math::remap_clamped(value, from, to) } else { math::remap(value, from, to) }
}

/// 0 up to `minimum`, 1 from `maximum`, a smooth rise between. A step where the two are equal.
#[unit("Math.SmoothStep")]
pub fn smooth_step(value: f32, minimum: f32, #[pin(default = 1.0)] maximum: f32) -> f32 {
    math::smoothstep(minimum, maximum, value)
}

/// A part of the way from a part of the time: 0 at `t` = 0, 1 at `t` = 1, by a shape between. `t` is
/// held to `[0, 1]`; back and elastic shapes leave that range on the way.
#[unit("Math.Ease")]
pub fn ease(
    #[pin(min = 0.0, max = 1.0)] t: f32,
    /// The shape.
    #[pin(default = Ease::SmoothStep)]
    kind: Ease,
) -> f32 {
    kind.ease(t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_met_exactly() {
        assert_eq!((lerp_float(0.1, 0.7, 0.0), lerp_float(0.1, 0.7, 1.0)), (0.1, 0.7));
        assert_eq!(lerp_float(2.0, 4.0, 1.5), 5.0);
        assert_eq!(inverse_lerp(2.0, 4.0, 3.0), 0.5);
        assert_eq!(inverse_lerp(3.0, 3.0, 9.0), 0.0);
    }

    #[test]
    fn ranges() {
        assert_eq!(remap(2.0, 0.0, 1.0, 10.0, 20.0, false), 30.0);
        assert_eq!(remap(2.0, 0.0, 1.0, 10.0, 20.0, true), 20.0);
        assert_eq!(remap(0.25, 1.0, 0.0, 0.0, 4.0, true), 3.0);
        assert_eq!(remap(0.25, 1.0, 1.0, 5.0, 6.0, true), 5.0);
        assert_eq!(smooth_step(0.25, 0.0, 1.0), 0.15625);
        assert_eq!((smooth_step(1.0, 1.0, 1.0), smooth_step(0.0, 1.0, 1.0)), (1.0, 0.0));
    }

    #[test]
    fn every_ease_goes_from_0_to_1() {
        for kind in Ease::ALL {
            assert_eq!((ease(-1.0, *kind), ease(0.0, *kind)), (0.0, 0.0));
            assert_eq!((ease(1.0, *kind), ease(2.0, *kind)), (1.0, 1.0));
        }
        assert_eq!(ease(0.25, Ease::QuadIn), 0.0625);
        assert_eq!(ease(0.5, Ease::CubicInOut), 0.5);
    }
}
