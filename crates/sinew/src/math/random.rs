//! Random numbers that replay.

use super::{Vec3, max, sin_cos};

/// A stream of random numbers: number `counter` of stream `seed` is a hash of the two, so any
/// number can be had without the ones before, and a saved state goes on where it was.
///
/// The hash is `pcg2d` of Jarzynski and Olano (Hash Functions for GPU Rendering, 2020). Good for
/// motion, not for secrets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Random {
    /// Which stream.
    pub seed: u32,
    /// How many words were taken.
    pub counter: u32,
}

crate::plain_struct!(Random { seed: u32, counter: u32 });

impl Random {
    /// Stream `seed` from word `counter` on.
    #[inline(always)]
    pub const fn new(seed: u32, counter: u32) -> Self {
        Self { seed, counter }
    }

    /// The next word, evenly distributed.
    #[inline(always)]
    pub fn word(&mut self) -> u32 {
        const M: u32 = 1_664_525;
        const A: u32 = 1_013_904_223;
        let mut x = self.counter.wrapping_mul(M).wrapping_add(A);
        let mut y = self.seed.wrapping_mul(M).wrapping_add(A);
        self.counter = self.counter.wrapping_add(1);
        for _ in 0..2 {
            x = x.wrapping_add(y.wrapping_mul(M));
            y = y.wrapping_add(x.wrapping_mul(M));
            x ^= x >> 16;
            y ^= y >> 16;
        }
        x
    }

    /// In `[0, 1)`, a multiple of 2^-24.
    #[inline(always)]
    pub fn unit(&mut self) -> f32 {
        (self.word() >> 8) as f32 * (1.0 / 16_777_216.0)
    }

    /// In `[lo, hi]`.
    #[inline(always)]
    pub fn range(&mut self, lo: f32, hi: f32) -> f32 {
        super::lerp(lo, hi, self.unit())
    }

    /// A unit vector, evenly over the sphere (its height is evenly distributed: Archimedes).
    #[inline(always)]
    pub fn unit_vec3(&mut self) -> Vec3 {
        let z = 2.0 * self.unit() - 1.0;
        let (s, c) = sin_cos(core::f32::consts::TAU * self.unit());
        let r = max(1.0 - z * z, 0.0).sqrt();
        Vec3::new(r * c, r * s, z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_replay_and_differ() {
        let mut a = Random::new(7, 0);
        let first: Vec<u32> = (0..8).map(|_| a.word()).collect();
        let mut again = Random::new(7, 3);
        assert_eq!(again.word(), first[3]);
        assert_ne!(Random::new(8, 0).word(), first[0]);
    }

    #[test]
    fn numbers_are_evenly_distributed() {
        for seed in [0, 1, 12345] {
            let mut r = Random::new(seed, 0);
            let mut bins = [0u32; 64];
            let mut sum = Vec3::ZERO;
            for _ in 0..64_000 {
                let u = r.unit();
                assert!((0.0..1.0).contains(&u));
                bins[(u * 64.0) as usize] += 1;
                let v = r.unit_vec3();
                assert!((v.length() - 1.0).abs() < 1e-6);
                sum += v;
            }
            // Chi squared of 63 degrees of freedom: 63 ± 11.2; six deviations either way.
            let chi: f64 = bins.iter().map(|&n| (f64::from(n) - 1000.0).powi(2) / 1000.0).sum();
            assert!(chi < 130.0, "{chi}");
            assert!((sum / 64_000.0).length() < 0.02);
        }
    }
}
