//! The coordinate axes.

use super::Vec3;

/// A coordinate axis; as a plane, the one it stands on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Axis {
    /// +X, to a character's left.
    #[default]
    X,
    /// +Y, up.
    Y,
    /// +Z, forward.
    Z,
}

crate::pin_enum!(Axis { X, Y, Z });

impl Axis {
    /// Its unit vector.
    #[inline(always)]
    pub const fn vector(self) -> Vec3 {
        match self {
            Self::X => Vec3::X,
            Self::Y => Vec3::Y,
            Self::Z => Vec3::Z,
        }
    }

    /// Factors that mirror a vector across the plane this axis stands on: -1 on it, 1 on the others.
    #[inline(always)]
    pub const fn mirror_factors(self) -> Vec3 {
        match self {
            Self::X => Vec3::new(-1.0, 1.0, 1.0),
            Self::Y => Vec3::new(1.0, -1.0, 1.0),
            Self::Z => Vec3::new(1.0, 1.0, -1.0),
        }
    }
}
