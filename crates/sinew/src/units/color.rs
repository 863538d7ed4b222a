//! Colours, linear red, green, blue and opacity.

use sinew_macros::unit;

use crate::math::Color;
use crate::vm::UnitDef;

/// The units of this file.
pub fn all() -> Vec<UnitDef> {
    crate::units![make_color, lerp_color, from_hsv, to_hsv]
}

/// A colour of linear components.
#[unit("Color.Make")]
pub fn make_color(r: f32, g: f32, b: f32, #[pin(default = 1.0)] a: f32) -> Color {
    Color::new(r, g, b, a)
}

/// Mix of two colours: `a` at `t` = 0, `b` at `t` = 1.
#[unit("Color.Lerp")]
pub fn lerp_color(a: Color, b: Color, #[pin(min = 0.0, max = 1.0)] t: f32) -> Color {
    a.lerp(b, t)
}

/// An opaque colour from hue, saturation and value, all linear.
#[unit("Color.FromHsv")]
pub fn from_hsv(
    /// Turns around the circle of colours: 0 is red, 1/3 green, 2/3 blue.
    hue: f32,
    #[pin(default = 1.0, min = 0.0, max = 1.0)] saturation: f32,
    #[pin(default = 1.0, min = 0.0)] value: f32,
) -> Color {
    Color::from_hsv(hue, saturation, value)
}

/// Hue in turns (0 for greys), saturation and value of a colour.
#[unit("Color.ToHsv", outputs(hue, saturation, brightness))]
pub fn to_hsv(value: Color) -> (f32, f32, f32) {
    value.to_hsv()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hues_are_turns() {
        assert_eq!(from_hsv(0.0, 1.0, 1.0), Color::new(1.0, 0.0, 0.0, 1.0));
        let green = from_hsv(1.0 / 3.0, 1.0, 0.5);
        assert!(green.r.abs() < 1e-6 && (green.g - 0.5).abs() < 1e-6 && green.b.abs() < 1e-6);
        let (hue, saturation, value) = to_hsv(make_color(0.2, 0.3, 0.8, 1.0));
        let back = from_hsv(hue, saturation, value);
        assert!((back.r - 0.2).abs() + (back.g - 0.3).abs() + (back.b - 0.8).abs() < 1e-5);
    }

    #[test]
    fn mixing_is_linear() {
        assert_eq!(lerp_color(Color::BLACK, Color::WHITE, 0.5), Color::new(0.5, 0.5, 0.5, 1.0));
    }
}
