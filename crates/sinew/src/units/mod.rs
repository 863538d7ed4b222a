//! The unit library, one file a category.
//!
//! Each file lists its units in `all`; [`standard`](Registry::standard) gathers them.

pub mod compare;
pub mod convert;
pub mod flow;
pub mod hierarchy_get;
pub mod int;
pub mod interpolate;
pub mod logic;
pub mod scalar;
pub mod trigonometry;
pub mod vec2;
pub mod vector;

use crate::vm::{Registry, UnitDef};

/// All units of the library.
pub fn all() -> Vec<UnitDef> {
    [
        compare::all(),
        convert::all(),
        flow::all(),
        hierarchy_get::all(),
        int::all(),
        interpolate::all(),
        logic::all(),
        scalar::all(),
        trigonometry::all(),
        vec2::all(),
        vector::all(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

impl Registry {
    /// The library's units.
    pub fn standard() -> Self {
        Self::empty().with(all())
    }
}
