//! A reference to a register, packed into 32 bits.

use core::fmt;

/// Where a register lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Container {
    /// Frozen at compile time.
    Literal,
    /// Scratch of one run, shared by lifetimes.
    Work,
    /// Kept from frame to frame; inside a function, counted from the call's own block of state.
    State,
    /// Variables that the host sees.
    External,
}

impl Container {
    /// All containers, in the order of their numbers.
    pub const ALL: [Self; 4] = [Self::Literal, Self::Work, Self::State, Self::External];

    /// The letter in a listing: `L`, `W`, `S`, `X`.
    pub const fn letter(self) -> char {
        match self {
            Self::Literal => 'L',
            Self::Work => 'W',
            Self::State => 'S',
            Self::External => 'X',
        }
    }
}

/// Container in the upper 2 bits, word offset in the lower 30.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Operand(pub u32);

impl Operand {
    /// The largest word offset.
    pub const MAX_OFFSET: u32 = (1 << 30) - 1;

    /// `None` where the offset does not fit.
    pub const fn new(container: Container, offset: u32) -> Option<Self> {
        if offset > Self::MAX_OFFSET {
            return None;
        }
        Some(Self(((container as u32) << 30) | offset))
    }

    /// Which container.
    pub const fn container(self) -> Container {
        Container::ALL[(self.0 >> 30) as usize]
    }

    /// Words from the container's start.
    pub const fn offset(self) -> u32 {
        self.0 & Self::MAX_OFFSET
    }
}

/// `W12`: the letter of the container and the offset.
impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.container().letter(), self.offset())
    }
}

impl fmt::Debug for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Reads what [`Operand`] displays.
impl core::str::FromStr for Operand {
    type Err = ();
    fn from_str(s: &str) -> Result<Self, ()> {
        let mut letters = s.chars();
        let letter = letters.next().ok_or(())?;
        let container = Container::ALL.into_iter().find(|c| c.letter() == letter).ok_or(())?;
        let digits = letters.as_str();
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(());
        }
        Self::new(container, digits.parse().map_err(|_| ())?).ok_or(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packs_up_to_the_limit_and_no_further() {
        for container in Container::ALL {
            for offset in [0, 1, 65_535, 65_536, Operand::MAX_OFFSET] {
                let o = Operand::new(container, offset).unwrap();
                assert_eq!((o.container(), o.offset()), (container, offset));
                assert_eq!(o.to_string().parse(), Ok(o));
            }
            assert_eq!(Operand::new(container, Operand::MAX_OFFSET + 1), None);
        }
        for bad in ["", "W", "Q1", "W-1", "W+1", "W1x", "W1073741824"] {
            assert!(bad.parse::<Operand>().is_err(), "{bad}");
        }
    }
}
