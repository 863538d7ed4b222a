//! Instruction sets: which the machine has, and the proof of it that an entry point built for one
//! wants.
#![allow(unsafe_code)]

use core::fmt;

use super::{Cx, LaneEntries, WideEntry};
use crate::hierarchy::{Rows, compose_rows};

/// An instruction set that blocks of characters are built for. It decides how many characters a
/// block has and how fast it runs, never a bit of what comes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Isa {
    /// What every machine of the target has: SSE2 on x86-64, NEON on aarch64. Blocks of 8.
    Baseline,
    /// AVX2. Blocks of 8.
    Avx2,
    /// AVX-512 with F, VL, BW and DQ. Blocks of 16.
    Avx512,
}

impl Isa {
    /// All, from the narrowest.
    pub const ALL: [Self; 3] = [Self::Baseline, Self::Avx2, Self::Avx512];

    /// True if this machine has it.
    pub fn is_available(self) -> bool {
        match self {
            Self::Baseline => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => std::arch::is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                std::arch::is_x86_feature_detected!("avx512f")
                    && std::arch::is_x86_feature_detected!("avx512vl")
                    && std::arch::is_x86_feature_detected!("avx512bw")
                    && std::arch::is_x86_feature_detected!("avx512dq")
            }
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    /// Those that this machine has, from the narrowest.
    pub fn available() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|isa| isa.is_available())
    }

    /// The widest that this machine has.
    pub fn best() -> Self {
        Self::available().last().unwrap_or(Self::Baseline)
    }

    /// Characters in a block. Measured: one row of a block is then one register of the machine's
    /// (two with the baseline, where longer loops hide the latency better than they cost).
    pub const fn lanes(self) -> usize {
        match self {
            Self::Baseline | Self::Avx2 => 8,
            Self::Avx512 => 16,
        }
    }
}

/// `baseline`, `avx2`, `avx512`.
impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Baseline => "baseline",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        })
    }
}

/// Reads what [`Isa`] displays.
impl core::str::FromStr for Isa {
    type Err = UnknownIsa;
    fn from_str(s: &str) -> Result<Self, UnknownIsa> {
        Self::ALL.into_iter().find(|isa| isa.to_string() == s).ok_or_else(|| UnknownIsa(s.into()))
    }
}

/// A word that names no instruction set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no instruction set that blocks are built for; there are baseline, avx2 and avx512")]
pub struct UnknownIsa(String);

/// An entry point whose instruction set this machine has been found to have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<const L: usize>(WideEntry<L>);

impl<const L: usize> Entry<L> {
    /// Runs it.
    #[inline(always)]
    pub fn call(self, cx: &mut Cx<'_, L>, args: &[u32]) {
        // SAFETY: the only condition is that the machine has the instruction set, which was asked
        // when this value was made.
        unsafe { (self.0)(cx, args) }
    }
}

/// A number of lanes that blocks come in.
pub(super) trait Width: Sized {
    /// An entry point of a unit for an instruction set of this width that the machine has.
    fn entry(entries: &LaneEntries, isa: Isa) -> Option<Self>;
}

impl Width for Entry<8> {
    fn entry(entries: &LaneEntries, isa: Isa) -> Option<Self> {
        match isa {
            Isa::Baseline => Some(Self(entries.baseline)),
            Isa::Avx2 if isa.is_available() => entries.avx2.map(Self),
            _ => None,
        }
    }
}

impl Width for Entry<16> {
    fn entry(entries: &LaneEntries, isa: Isa) -> Option<Self> {
        match isa {
            Isa::Avx512 if isa.is_available() => entries.avx512.map(Self),
            _ => None,
        }
    }
}

/// What brings globals up to date with an instruction set.
#[derive(Clone, Copy, Debug)]
pub(super) struct Compose;

impl Compose {
    /// For an instruction set; the baseline's where the machine lacks it.
    pub fn of<const L: usize>(isa: Isa) -> crate::hierarchy::Compose<L> {
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx2")]
            fn avx2<const L: usize>(parent: &Rows<L>, local: &Rows<L>, out: &mut Rows<L>) {
                compose_rows(parent, local, out);
            }
            #[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq")]
            fn avx512<const L: usize>(parent: &Rows<L>, local: &Rows<L>, out: &mut Rows<L>) {
                compose_rows(parent, local, out);
            }
            // SAFETY (both): given out only where the machine has been found to have the set.
            if isa == Isa::Avx2 && isa.is_available() {
                return |parent, local, out| unsafe { avx2(parent, local, out) };
            }
            if isa == Isa::Avx512 && isa.is_available() {
                return |parent, local, out| unsafe { avx512(parent, local, out) };
            }
        }
        let _ = isa;
        compose_rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_and_the_baseline_is_always_there() {
        for isa in Isa::ALL {
            assert_eq!(isa.to_string().parse(), Ok(isa));
        }
        assert!("sse9".parse::<Isa>().is_err());
        assert!(Isa::Baseline.is_available());
        assert!(Isa::available().any(|isa| isa == Isa::best()));
    }
}
