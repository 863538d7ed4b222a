//! Sinew: an engine-agnostic character runtime.
//!
//! A rig is a typed node graph ([`graph`]) that is compiled once ([`compile`]) to register
//! bytecode and run by a small virtual machine ([`vm`]) that allocates nothing per frame. The
//! native operations behind the nodes are [`mod@units`]; the modules they wrap ([`math`],
//! [`hierarchy`], [`anim`], [`ik`]) are a plain Rust library of their own and know nothing of the
//! machine. [`io`] reads and writes glTF and BVH.
//!
//! Conventions are glTF's: right-handed, +Y up, characters face +Z, metres, seconds, radians,
//! quaternions as x y z w, column vectors.

pub mod anim;
pub mod compile;
pub mod graph;
pub mod hierarchy;
pub mod ik;
pub mod io;
pub mod math;
pub mod sequence;
#[cfg(test)]
mod testing;
pub mod units;
pub mod value;
pub mod vm;

// The code that `#[unit]` writes names this crate as `sinew`, inside and outside of it.
extern crate self as sinew;

/// The README's Rust examples, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
pub struct Readme;
