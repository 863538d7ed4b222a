//! The unit library, one file a category.
//!
//! Each file lists its units in `all`; [`standard`](Registry::standard) gathers them.

mod vector;

use crate::vm::{Registry, UnitDef};

/// All units of the library.
pub fn all() -> Vec<UnitDef> {
    [vector::all()].into_iter().flatten().collect()
}

impl Registry {
    /// The library's units.
    pub fn standard() -> Self {
        Self::empty().with(all())
    }
}
