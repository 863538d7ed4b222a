//! What a crowd refuses.

use crate::vm::isa::Isa;

/// Why a crowd does not do what it was asked for. Nothing has changed when one of these comes back.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CrowdError {
    /// The member was taken away, or is another crowd's.
    #[error("the member has left the crowd, or is of another one")]
    Gone,
    /// The crowd has no such program.
    #[error("the crowd has no such program; `Crowd::add_program` gives the number to ask with")]
    UnknownProgram,
    /// The handle was found in another bound program than the one that the member runs.
    #[error("the handle was found in another bound program than the one that the member runs")]
    OtherProgram,
    /// A slice has the wrong length.
    #[error("{found} values where {want} belong")]
    Length {
        /// How many there are.
        found: usize,
        /// How many there should be.
        want: usize,
    },
    /// The machine lacks the instruction set.
    #[error("this machine does not have {0}; `Isa::available` lists what it has")]
    NoSuchIsa(Isa),
    /// An update rate outside its range.
    #[error("a member runs in every frame, or in every second, to every {most}th, not every {0}th", most = super::Crowd::MAX_RATE)]
    Rate(u32),
}
