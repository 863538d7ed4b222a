//! Colours.

use super::{fract, max, min, modulo, powf, round, saturate};

/// Linear red, green, blue (Rec. 709 primaries) and opacity. 1 is full; more is allowed.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Color {
    /// Red.
    pub r: f32,
    /// Green.
    pub g: f32,
    /// Blue.
    pub b: f32,
    /// Opacity, not multiplied into the others.
    pub a: f32,
}

crate::plain_struct!(Color { r: f32, g: f32, b: f32, a: f32 });

impl Default for Color {
    fn default() -> Self {
        Self::WHITE
    }
}

impl Color {
    /// Opaque white.
    pub const WHITE: Self = Self::new(1.0, 1.0, 1.0, 1.0);
    /// Opaque black.
    pub const BLACK: Self = Self::new(0.0, 0.0, 0.0, 1.0);

    /// From linear components.
    #[inline(always)]
    pub const fn new(r: f32, g: f32, b: f32, a: f32) -> Self {
        Self { r, g, b, a }
    }

    /// Mix of linear components; `t` is not clamped.
    #[inline(always)]
    pub fn lerp(self, to: Self, t: f32) -> Self {
        let mix = |a, b| super::lerp(a, b, t);
        Self::new(mix(self.r, to.r), mix(self.g, to.g), mix(self.b, to.b), mix(self.a, to.a))
    }

    /// From sRGB bytes 0xRRGGBBAA, as colours are written on the web.
    pub fn from_srgb_hex(rgba: u32) -> Self {
        let [r, g, b, a] = rgba.to_be_bytes().map(|v| f32::from(v) / 255.0);
        Self::new(srgb_to_linear(r), srgb_to_linear(g), srgb_to_linear(b), a)
    }

    /// To sRGB bytes 0xRRGGBBAA; components are clamped to `[0, 1]`, NaN counts as 0.
    pub fn to_srgb_hex(self) -> u32 {
        let byte = |v: f32| round(saturate(v) * 255.0) as u8;
        let [r, g, b] = [self.r, self.g, self.b].map(|v| byte(linear_to_srgb(saturate(v))));
        u32::from_be_bytes([r, g, b, byte(self.a)])
    }

    /// From hue in turns (any number), saturation and value in `[0, 1]`, opaque, all linear.
    #[inline]
    pub fn from_hsv(hue: f32, saturation: f32, value: f32) -> Self {
        let h = fract(hue) * 6.0;
        let part = |n: f32| {
            let k = modulo(n + h, 6.0);
            value - value * saturation * saturate(min(k, 4.0 - k))
        };
        Self::new(part(5.0), part(3.0), part(1.0), 1.0)
    }

    /// Hue in turns `[0, 1)` (0 for greys), saturation and value.
    #[inline]
    pub fn to_hsv(self) -> (f32, f32, f32) {
        let value = max(self.r, max(self.g, self.b));
        let spread = value - min(self.r, min(self.g, self.b));
        let hue = if spread <= 0.0 {
            0.0
        } else if value == self.r {
            (self.g - self.b) / spread
        } else if value == self.g {
            2.0 + (self.b - self.r) / spread
        } else {
            4.0 + (self.r - self.g) / spread
        };
        (fract(hue / 6.0), if value > 0.0 { spread / value } else { 0.0 }, value)
    }
}

/// One sRGB component in `[0, 1]` to linear (IEC 61966-2-1).
#[inline]
pub fn srgb_to_linear(v: f32) -> f32 {
    if v <= 0.040_45 { v / 12.92 } else { powf((v + 0.055) / 1.055, 2.4) }
}

/// One linear component in `[0, 1]` to sRGB (IEC 61966-2-1).
#[inline]
pub fn linear_to_srgb(v: f32) -> f32 {
    if v <= 0.003_130_8 { v * 12.92 } else { 1.055 * powf(v, 1.0 / 2.4) - 0.055 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_round_trips_through_linear() {
        for v in 0..=255u32 {
            let hex = v << 24 | (255 - v) << 16 | (v ^ 0x55) << 8 | v;
            assert_eq!(Color::from_srgb_hex(hex).to_srgb_hex(), hex);
        }
        let half = f64::from(Color::from_srgb_hex(0x8080_80ff).r);
        assert!((half - ((128.0 / 255.0 + 0.055) / 1.055f64).powf(2.4)).abs() < 1e-6);
        assert_eq!(Color::new(f32::NAN, -1.0, 2.0, 9.0).to_srgb_hex(), 0x0000_ffff);
    }

    #[test]
    fn hue_saturation_value_round_trips() {
        let near = |c: Color, r: f32, g: f32, b: f32| {
            assert!((c.r - r).abs() < 1e-6 && (c.g - g).abs() < 1e-6 && (c.b - b).abs() < 1e-6, "{c:?}");
        };
        near(Color::from_hsv(0.0, 1.0, 1.0), 1.0, 0.0, 0.0);
        near(Color::from_hsv(1.0 / 6.0, 1.0, 1.0), 1.0, 1.0, 0.0);
        near(Color::from_hsv(1.0 / 3.0, 1.0, 1.0), 0.0, 1.0, 0.0);
        near(Color::from_hsv(2.0 / 3.0, 1.0, 1.0), 0.0, 0.0, 1.0);
        for i in 0..100 {
            let hue = i as f32 / 100.0;
            let (h, s, v) = Color::from_hsv(hue, 0.7, 0.8).to_hsv();
            let off = (h - hue).abs();
            assert!(off.min(1.0 - off) < 1e-5 && (s - 0.7).abs() < 1e-5 && (v - 0.8).abs() < 1e-5);
        }
        assert_eq!(Color::BLACK.to_hsv(), (0.0, 0.0, 0.0));
    }
}
