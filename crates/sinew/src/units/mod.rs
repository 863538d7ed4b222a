//! The unit library, one file a category.
//!
//! Each file lists its units in `all`; [`standard`](Registry::standard) gathers them. A unit is a
//! plain Rust function too, so other units call it.
//!
//! Given finite numbers that are not so large that they overflow, no unit gives NaN: where a result
//! does not exist (a division by 0, the direction of no vector) a documented one stands in. Given
//! NaN, arithmetic passes it on, and setting an element to it changes nothing.

pub mod array;
pub mod color;
pub mod compare;
pub mod convert;
pub mod debug;
pub mod euler;
pub mod hierarchy_get;
pub mod hierarchy_set;
pub mod int;
pub mod interpolate;
pub mod logic;
pub mod quaternion;
pub mod scalar;
pub mod transform;
pub mod trigonometry;
pub mod vec2;
pub mod vector;

use crate::vm::{Registry, UnitDef};

/// All units of the library. The first overload of a name is the one a node of constants means.
pub fn all() -> Vec<UnitDef> {
    [
        scalar::all(),
        int::all(),
        trigonometry::all(),
        interpolate::all(),
        logic::all(),
        compare::all(),
        vector::all(),
        vec2::all(),
        quaternion::all(),
        transform::all(),
        euler::all(),
        color::all(),
        convert::all(),
        hierarchy_get::all(),
        hierarchy_set::all(),
        array::all(),
        debug::all(),
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
