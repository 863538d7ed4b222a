//! Vectors of two and three components.

use core::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

/// Two components.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Vec2 {
    /// First component.
    pub x: f32,
    /// Second component.
    pub y: f32,
}

/// Three components; as a position, metres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Vec3 {
    /// First component.
    pub x: f32,
    /// Second component; up in the world.
    pub y: f32,
    /// Third component; forward of a character.
    pub z: f32,
}

macro_rules! operators {
    ($t:ident { $($c:ident),+ }) => {
        impl Add for $t {
            type Output = Self;
            #[inline(always)]
            fn add(self, o: Self) -> Self { Self { $($c: self.$c + o.$c),+ } }
        }
        impl Sub for $t {
            type Output = Self;
            #[inline(always)]
            fn sub(self, o: Self) -> Self { Self { $($c: self.$c - o.$c),+ } }
        }
        /// Component by component.
        impl Mul for $t {
            type Output = Self;
            #[inline(always)]
            fn mul(self, o: Self) -> Self { Self { $($c: self.$c * o.$c),+ } }
        }
        impl Mul<f32> for $t {
            type Output = Self;
            #[inline(always)]
            fn mul(self, s: f32) -> Self { Self { $($c: self.$c * s),+ } }
        }
        impl Mul<$t> for f32 {
            type Output = $t;
            #[inline(always)]
            fn mul(self, v: $t) -> $t { v * self }
        }
        /// Component by component; IEEE division, so by zero it is infinite or NaN.
        impl Div for $t {
            type Output = Self;
            #[inline(always)]
            fn div(self, o: Self) -> Self { Self { $($c: self.$c / o.$c),+ } }
        }
        impl Div<f32> for $t {
            type Output = Self;
            #[inline(always)]
            fn div(self, s: f32) -> Self { Self { $($c: self.$c / s),+ } }
        }
        impl Neg for $t {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self { Self { $($c: -self.$c),+ } }
        }
        impl AddAssign for $t {
            #[inline(always)]
            fn add_assign(&mut self, o: Self) { *self = *self + o }
        }
        impl SubAssign for $t {
            #[inline(always)]
            fn sub_assign(&mut self, o: Self) { *self = *self - o }
        }
        impl MulAssign<f32> for $t {
            #[inline(always)]
            fn mul_assign(&mut self, s: f32) { *self = *self * s }
        }
        impl $t {
            /// All components zero.
            pub const ZERO: Self = Self { $($c: 0.0),+ };
            /// All components one.
            pub const ONE: Self = Self { $($c: 1.0),+ };

            /// From components.
            #[inline(always)]
            pub const fn new($($c: f32),+) -> Self { Self { $($c),+ } }
            /// All components `v`.
            #[inline(always)]
            pub const fn splat(v: f32) -> Self { Self { $($c: v),+ } }
            /// Squared length.
            #[inline(always)]
            pub fn length_squared(self) -> f32 { self.dot(self) }
            /// Length. Overflows to infinity above about 1.8e19.
            #[inline(always)]
            pub fn length(self) -> f32 { self.dot(self).sqrt() }
            /// Distance between two points.
            #[inline(always)]
            pub fn distance(self, o: Self) -> f32 { (self - o).length() }
            /// Straight line from `self` at `t = 0` to `o` at `t = 1`; `t` is not clamped.
            #[inline(always)]
            pub fn lerp(self, o: Self, t: f32) -> Self { self + (o - self) * t }
            /// Unit vector, or `fallback` where the length is below 1e-12 or not finite.
            #[inline(always)]
            pub fn normalize_or(self, fallback: Self) -> Self {
                let l = self.length();
                if l > 1e-12 && l < f32::INFINITY { self / l } else { fallback }
            }
            /// True if no component is NaN or infinite.
            #[inline(always)]
            pub fn is_finite(self) -> bool { true $(&& self.$c.is_finite())+ }
        }
    };
}

operators!(Vec2 { x, y });
operators!(Vec3 { x, y, z });

impl Vec2 {
    /// Scalar product.
    #[inline(always)]
    pub fn dot(self, o: Self) -> f32 {
        self.x * o.x + self.y * o.y
    }
}

impl Vec3 {
    /// +X.
    pub const X: Self = Self::new(1.0, 0.0, 0.0);
    /// +Y, up.
    pub const Y: Self = Self::new(0.0, 1.0, 0.0);
    /// +Z, forward.
    pub const Z: Self = Self::new(0.0, 0.0, 1.0);

    /// Scalar product.
    #[inline(always)]
    pub fn dot(self, o: Self) -> f32 {
        self.x * o.x + self.y * o.y + self.z * o.z
    }

    /// Vector product, right-handed.
    #[inline(always)]
    pub fn cross(self, o: Self) -> Self {
        Self::new(self.y * o.z - self.z * o.y, self.z * o.x - self.x * o.z, self.x * o.y - self.y * o.x)
    }
}
