//! The virtual machine: bytecode, units, binding, running.
//!
//! A [`Program`] is plain data. [`BoundProgram::bind`] verifies it, resolves its imports against a
//! [`Registry`] and its names against a skeleton, and decodes it; an [`Instance`] is one
//! character's memory for it. A frame allocates nothing.

mod asm;
mod assets;
mod bound;
mod crowd;
mod cx;
mod disasm;
mod elements;
mod encode;
mod evaluate;
mod frame;
mod handle;
mod instance;
mod instr;
mod interp;
mod isa;
mod memory;
mod names;
mod nan;
mod operand;
mod profile;
mod program;
mod registry;
mod snapshot;
mod steps;
#[cfg(test)]
pub(crate) mod testing;
mod unit;
mod verify;

pub use asm::AsmError;
pub use assets::Assets;
pub use bound::{BindError, BoundProgram};
pub use crowd::{Crowd, CrowdError, Member, ProgramId, RestoreError};
pub use cx::{Cx, FaultKind};
pub use elements::Elements;
pub use encode::{DecodeError, FORMAT_VERSION};
pub use evaluate::evaluate;
pub use frame::{DrawItem, DrawList, Frame, Log, LogEntry, LogValue, Severity};
pub use handle::{Handle, VariableError};
pub use instance::{Fault, Instance};
pub use instr::Instr;
pub use interp::{NoProbe, Probe};
pub use isa::{Isa, UnknownIsa};
pub use memory::{Any, ArrayFull, Element, Items, ItemsMut, Memory};
pub use names::NameMap;
pub use nan::{FindNan, FoundNan};
pub use operand::{Container, Operand};
pub use profile::{InstructionCost, Profile};
pub use program::{
    DeclaredElement, ElementWord, Event, Function, KeyRef, NodeNote, Program, RegisterInfo, SourceMap,
    Variable, VariableRole,
};
pub use registry::Registry;
pub use snapshot::SnapshotError;
pub use unit::{
    Direction, Entry, HierarchyUse, LaneEntries, LaneEntry, Pin, Source, Unit, UnitDef, UnitKind, WideEntry,
    words_of,
};
pub use verify::{MAX_CONTAINER_WORDS, VerifyError, verify};
