//! Easing: a part of the way from a part of the time.

use core::f32::consts::{FRAC_PI_2, TAU};

use super::{cos, exp, max, saturate, sin};

/// The shape of a passage from 0 to 1. `In` starts gently, `Out` ends gently, `InOut` does both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ease {
    /// `t`.
    #[default]
    Linear,
    /// `3t² - 2t³`: no speed at the ends.
    SmoothStep,
    /// `6t⁵ - 15t⁴ + 10t³`: no speed and no acceleration at the ends.
    SmootherStep,
    /// `t²`.
    QuadIn,
    /// `t²`, from the end.
    QuadOut,
    /// `t²`, both ways.
    QuadInOut,
    /// `t³`.
    CubicIn,
    /// `t³`, from the end.
    CubicOut,
    /// `t³`, both ways.
    CubicInOut,
    /// `t⁴`.
    QuartIn,
    /// `t⁴`, from the end.
    QuartOut,
    /// `t⁴`, both ways.
    QuartInOut,
    /// `t⁵`.
    QuintIn,
    /// `t⁵`, from the end.
    QuintOut,
    /// `t⁵`, both ways.
    QuintInOut,
    /// A quarter of a cosine.
    SineIn,
    /// A quarter of a cosine, from the end.
    SineOut,
    /// Half a cosine.
    SineInOut,
    /// `2^(10t - 10)`, shifted to start at 0.
    ExpoIn,
    /// Exponential, from the end.
    ExpoOut,
    /// Exponential, both ways.
    ExpoInOut,
    /// A quarter of a circle.
    CircIn,
    /// A quarter of a circle, from the end.
    CircOut,
    /// A quarter of a circle, both ways.
    CircInOut,
    /// Draws back by a tenth first.
    BackIn,
    /// Shoots beyond by a tenth.
    BackOut,
    /// Draws back and shoots beyond.
    BackInOut,
    /// Swings ever wider, then goes.
    ElasticIn,
    /// Arrives and swings out.
    ElasticOut,
    /// Swings at both ends.
    ElasticInOut,
    /// Bounces ever higher, then goes.
    BounceIn,
    /// Falls and bounces.
    BounceOut,
    /// Bounces at both ends.
    BounceInOut,
}

macro_rules! eases {
    ($($v:ident),+ $(,)?) => {
        crate::pin_enum!(Ease { $($v),+ });
        impl Ease {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$v),+];
        }
    };
}

eases!(
    Linear,
    SmoothStep,
    SmootherStep,
    QuadIn,
    QuadOut,
    QuadInOut,
    CubicIn,
    CubicOut,
    CubicInOut,
    QuartIn,
    QuartOut,
    QuartInOut,
    QuintIn,
    QuintOut,
    QuintInOut,
    SineIn,
    SineOut,
    SineInOut,
    ExpoIn,
    ExpoOut,
    ExpoInOut,
    CircIn,
    CircOut,
    CircInOut,
    BackIn,
    BackOut,
    BackInOut,
    ElasticIn,
    ElasticOut,
    ElasticInOut,
    BounceIn,
    BounceOut,
    BounceInOut,
);

impl Ease {
    /// The part of the way at the part `t` of the time. `t` is clamped to `[0, 1]` (NaN counts as
    /// 0); at the ends the result is exactly 0 and 1. Back and elastic shapes leave `[0, 1]` between.
    #[inline]
    pub fn ease(self, t: f32) -> f32 {
        let t = saturate(t);
        if t == 0.0 || t == 1.0 {
            return t;
        }
        match self {
            Self::Linear => t,
            Self::SmoothStep => t * t * (3.0 - 2.0 * t),
            Self::SmootherStep => t * t * t * (t * (t * 6.0 - 15.0) + 10.0),
            Self::QuadIn => quad(t),
            Self::QuadOut => out(quad, t),
            Self::QuadInOut => in_out(quad, t),
            Self::CubicIn => cubic(t),
            Self::CubicOut => out(cubic, t),
            Self::CubicInOut => in_out(cubic, t),
            Self::QuartIn => quart(t),
            Self::QuartOut => out(quart, t),
            Self::QuartInOut => in_out(quart, t),
            Self::QuintIn => quint(t),
            Self::QuintOut => out(quint, t),
            Self::QuintInOut => in_out(quint, t),
            Self::SineIn => sine(t),
            Self::SineOut => out(sine, t),
            Self::SineInOut => in_out_sine(t),
            Self::ExpoIn => expo(t),
            Self::ExpoOut => out(expo, t),
            Self::ExpoInOut => in_out(expo, t),
            Self::CircIn => circ(t),
            Self::CircOut => out(circ, t),
            Self::CircInOut => in_out(circ, t),
            Self::BackIn => back(t),
            Self::BackOut => out(back, t),
            Self::BackInOut => in_out(back, t),
            Self::ElasticIn => elastic(t),
            Self::ElasticOut => out(elastic, t),
            Self::ElasticInOut => in_out(elastic, t),
            Self::BounceIn => bounce(t),
            Self::BounceOut => out(bounce, t),
            Self::BounceInOut => in_out(bounce, t),
        }
    }
}

#[inline(always)]
fn out(shape: impl Fn(f32) -> f32, t: f32) -> f32 {
    1.0 - shape(1.0 - t)
}

#[inline(always)]
fn in_out(shape: impl Fn(f32) -> f32, t: f32) -> f32 {
    if t < 0.5 { 0.5 * shape(2.0 * t) } else { 1.0 - 0.5 * shape(2.0 - 2.0 * t) }
}

#[inline(always)]
fn quad(t: f32) -> f32 {
    t * t
}

#[inline(always)]
fn cubic(t: f32) -> f32 {
    t * t * t
}

#[inline(always)]
fn quart(t: f32) -> f32 {
    quad(quad(t))
}

#[inline(always)]
fn quint(t: f32) -> f32 {
    quart(t) * t
}

/// `1 - cos(πt/2)`, as twice a squared sine so that small times keep their digits.
#[inline(always)]
fn sine(t: f32) -> f32 {
    2.0 * quad(sin(0.5 * FRAC_PI_2 * t))
}

#[inline(always)]
fn in_out_sine(t: f32) -> f32 {
    quad(sin(FRAC_PI_2 * t))
}

/// `(2^10t - 1) / (2^10 - 1)`.
#[inline(always)]
fn expo(t: f32) -> f32 {
    (exp(10.0 * core::f32::consts::LN_2 * t) - 1.0) / 1023.0
}

#[inline(always)]
fn circ(t: f32) -> f32 {
    let s = max(1.0 - t * t, 0.0).sqrt();
    t * t / (1.0 + s)
}

/// `(s + 1)t³ - st²` with the `s` whose least value is -1/10.
#[inline(always)]
fn back(t: f32) -> f32 {
    const S: f32 = 1.701_540_1;
    t * t * ((S + 1.0) * t - S)
}

/// An exponential growth of a wave of three tenths that peaks at 1.
#[inline(always)]
fn elastic(t: f32) -> f32 {
    expo(t) * cos(TAU / 0.3 * (1.0 - t))
}

/// Falls of a ball that keeps a quarter of its height at each bounce, seen backwards: parabolas
/// of widths 4, 4, 2, 1 in elevenths from the end (the first one half).
#[inline(always)]
fn bounce(t: f32) -> f32 {
    let u = (1.0 - t) * 2.75;
    let (middle, base) = if u < 1.0 {
        (0.0, 0.0)
    } else if u < 2.0 {
        (1.5, 0.75)
    } else if u < 2.5 {
        (2.25, 0.937_5)
    } else {
        (2.625, 0.984_375)
    };
    1.0 - (quad(u - middle) + base)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_exact_and_the_way_is_continuous() {
        for &e in Ease::ALL {
            assert_eq!((e.ease(0.0), e.ease(1.0)), (0.0, 1.0), "{e:?}");
            assert_eq!((e.ease(-3.0), e.ease(7.0), e.ease(f32::NAN)), (0.0, 1.0, 0.0));
            let mut last = 0.0f32;
            for i in 0..=10_000 {
                let v = e.ease(i as f32 / 10_000.0);
                // A circle is vertical at its end.
                assert!((v - last).abs() < 0.02, "{e:?} {i}: {last} {v}");
                assert!((-0.5..1.5).contains(&v));
                last = v;
            }
        }
    }

    #[test]
    fn in_and_out_are_each_others_reverse_and_in_out_is_symmetric() {
        for trio in Ease::ALL[3..].chunks(3) {
            for i in 0..=100 {
                let t = i as f32 / 100.0;
                assert!((trio[0].ease(t) - (1.0 - trio[1].ease(1.0 - t))).abs() < 1e-5, "{trio:?}");
                assert!((trio[2].ease(t) - (1.0 - trio[2].ease(1.0 - t))).abs() < 1e-5, "{trio:?}");
            }
        }
    }

    #[test]
    fn known_values() {
        assert_eq!(Ease::QuadIn.ease(0.5), 0.25);
        assert_eq!(Ease::CubicInOut.ease(0.25), 0.0625);
        assert_eq!(Ease::SmootherStep.ease(0.5), 0.5);
        assert!((Ease::SineIn.ease(0.5) - (1.0 - 0.5f32.sqrt())).abs() < 1e-6);
        assert!((Ease::CircIn.ease(0.6) - 0.2).abs() < 1e-6);
        let least = (0..=1000).map(|i| Ease::BackIn.ease(i as f32 / 1000.0)).fold(0.0, f32::min);
        assert!((least + 0.1).abs() < 1e-4);
        assert!((Ease::BounceOut.ease(4.0 / 11.0) - 1.0).abs() < 1e-5);
    }
}
