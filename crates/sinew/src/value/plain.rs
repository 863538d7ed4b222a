//! Fixed-size values as words.

use crate::hierarchy::ElementId;
use crate::math::{Quat, Transform, Vec2, Vec3};

/// A value that is a fixed number of 32-bit words, in declaration order of its fields.
///
/// Reading and writing go through closures so that the caller decides where a word lives: one
/// word after another at one lane, or `L` apart in a block of lanes.
pub trait Plain: Copy + 'static {
    /// How many words.
    const WORDS: usize;
    /// Reads word `i` by `word(i)`.
    fn read(word: impl Fn(usize) -> u32) -> Self;
    /// Writes word `i` by `put(i, w)`.
    fn write(self, put: impl FnMut(usize, u32));
}

impl Plain for f32 {
    const WORDS: usize = 1;
    #[inline(always)]
    fn read(word: impl Fn(usize) -> u32) -> Self {
        f32::from_bits(word(0))
    }
    #[inline(always)]
    fn write(self, mut put: impl FnMut(usize, u32)) {
        put(0, self.to_bits());
    }
}

impl Plain for u32 {
    const WORDS: usize = 1;
    #[inline(always)]
    fn read(word: impl Fn(usize) -> u32) -> Self {
        word(0)
    }
    #[inline(always)]
    fn write(self, mut put: impl FnMut(usize, u32)) {
        put(0, self);
    }
}

impl Plain for i32 {
    const WORDS: usize = 1;
    #[inline(always)]
    fn read(word: impl Fn(usize) -> u32) -> Self {
        word(0) as i32
    }
    #[inline(always)]
    fn write(self, mut put: impl FnMut(usize, u32)) {
        put(0, self as u32);
    }
}

/// Any non-zero word is true; true is written as 1.
impl Plain for bool {
    const WORDS: usize = 1;
    #[inline(always)]
    fn read(word: impl Fn(usize) -> u32) -> Self {
        word(0) != 0
    }
    #[inline(always)]
    fn write(self, mut put: impl FnMut(usize, u32)) {
        put(0, self as u32);
    }
}

/// The index; `u32::MAX` is no element.
impl Plain for ElementId {
    const WORDS: usize = 1;
    #[inline(always)]
    fn read(word: impl Fn(usize) -> u32) -> Self {
        ElementId(word(0))
    }
    #[inline(always)]
    fn write(self, mut put: impl FnMut(usize, u32)) {
        put(0, self.0);
    }
}

/// Lays a struct out as its fields, one after another.
#[macro_export]
macro_rules! plain_struct {
    ($t:ty { $($f:ident : $ft:ty),+ $(,)? }) => {
        impl $crate::value::Plain for $t {
            const WORDS: usize = 0 $(+ <$ft as $crate::value::Plain>::WORDS)+;
            #[inline(always)]
            fn read(word: impl Fn(usize) -> u32) -> Self {
                let mut _at = 0;
                $(
                    let at = _at;
                    let $f = <$ft as $crate::value::Plain>::read(|i| word(at + i));
                    _at += <$ft as $crate::value::Plain>::WORDS;
                )+
                Self { $($f),+ }
            }
            #[inline(always)]
            fn write(self, mut put: impl FnMut(usize, u32)) {
                let mut _at = 0;
                $(
                    let at = _at;
                    <$ft as $crate::value::Plain>::write(self.$f, |i, w| put(at + i, w));
                    _at += <$ft as $crate::value::Plain>::WORDS;
                )+
            }
        }
    };
}

plain_struct!(Vec2 { x: f32, y: f32 });
plain_struct!(Vec3 { x: f32, y: f32, z: f32 });
plain_struct!(Quat { x: f32, y: f32, z: f32, w: f32 });
plain_struct!(Transform { translation: Vec3, rotation: Quat, scale: Vec3 });

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transform_round_trips_through_ten_words() {
        let t = Transform::new(
            Vec3::new(1.0, 2.0, 3.0),
            Quat::new(4.0, 5.0, 6.0, 7.0),
            Vec3::new(8.0, 9.0, 10.0),
        );
        assert_eq!(Transform::WORDS, 10);
        let mut words = [0u32; 10];
        t.write(|i, w| words[i] = w);
        assert_eq!(f32::from_bits(words[3]), 4.0);
        assert_eq!(Transform::read(|i| words[i]), t);
    }
}
