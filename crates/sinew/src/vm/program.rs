//! The compiled rig: bytecode and all that binding needs, with no pointers and no host types.

use crate::hierarchy::{ElementKind, ElementSpec};
use crate::math::Curve;

use super::{Instr, Operand};

/// A compiled rig. Made by the compiler, the assembler or [`Program::from_bytes`]; only what
/// passes [`verify`](super::verify) is ever run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    /// The rig's name.
    pub name: String,
    /// Names and texts; index 0 is the empty one.
    pub strings: Vec<String>,
    /// Functions of one number, by keys; index 0 is the empty one.
    pub curves: Vec<Curve>,
    /// Elements that the rig names.
    pub keys: Vec<KeyRef>,
    /// Elements that the rig declares.
    pub elements: Vec<DeclaredElement>,
    /// Units by signature.
    pub imports: Vec<String>,
    /// The Literal container.
    pub literals: Vec<u32>,
    /// Literal and External words that hold an element, to be filled when bound: word and key.
    pub element_words: Vec<ElementWord>,
    /// Size of the Work container.
    pub work_words: u32,
    /// The External container as it starts.
    pub external: Vec<u32>,
    /// The State container as it starts.
    pub state: Vec<u32>,
    /// The parts of External, by name.
    pub variables: Vec<Variable>,
    /// Code that is called.
    pub functions: Vec<Function>,
    /// Entry points.
    pub events: Vec<Event>,
    /// Instructions of all events and functions.
    pub code: Vec<Instr>,
    /// Operands of unit calls and loops.
    pub operands: Vec<u32>,
    /// What came from where.
    pub map: SourceMap,
}

/// An element by name, with other names that it may have on a skeleton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyRef {
    /// What kind of element.
    pub kind: ElementKind,
    /// The name that the rig uses.
    pub name: String,
    /// Names to look for, in order; empty means the name itself.
    pub candidates: Vec<String>,
    /// A node that uses it, for messages.
    pub used_by: String,
}

/// An element that the rig adds to a skeleton.
#[derive(Clone, Debug, PartialEq)]
pub struct DeclaredElement {
    /// All but the ids of its parents, which are found when bound.
    pub spec: ElementSpec,
    /// For each parent of `spec` its key; `None` is the world.
    pub parents: Vec<Option<u32>>,
}

/// A word that holds the index of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementWord {
    /// In Literal or External.
    pub word: Operand,
    /// Which key.
    pub key: u32,
}

/// Which side writes a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableRole {
    /// The host writes, the rig reads.
    Input,
    /// The rig writes, the host reads.
    Output,
    /// The rig's own, kept from frame to frame.
    Internal,
}

/// A named part of External.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Unique.
    pub name: String,
    /// The text of its type.
    pub ty: String,
    /// Which side writes it.
    pub role: VariableRole,
    /// Its first word.
    pub offset: u32,
    /// Its size.
    pub words: u32,
    /// Variants, where the type is an enum.
    pub variants: Vec<String>,
}

/// An entry point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// `setup`, `forward`, …
    pub name: String,
    /// First instruction.
    pub start: u32,
    /// One past the last.
    pub end: u32,
}

/// Code that events and functions call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// The graph's name.
    pub name: String,
    /// First instruction.
    pub start: u32,
    /// One past the last.
    pub end: u32,
    /// Words of state that each call of it owns.
    pub state_words: u32,
}

/// For every instruction the node it came from, for every register its name and type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceMap {
    /// `graph/node`, sorted by first use.
    pub nodes: Vec<String>,
    /// For each instruction, its node; `u32::MAX` for none.
    pub instructions: Vec<u32>,
    /// Registers and what they hold.
    pub registers: Vec<RegisterInfo>,
    /// Nodes that have no instruction of their own, and why.
    pub notes: Vec<NodeNote>,
    /// Work words before registers were shared.
    pub work_unshared: u32,
}

/// A register as a reader knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterInfo {
    /// Where.
    pub operand: Operand,
    /// `graph/node.pin`.
    pub name: String,
    /// The text of its type.
    pub ty: String,
    /// First and last instruction between which the register holds this; both 0 for always.
    pub live: (u32, u32),
}

/// What became of a node that the compiler took away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeNote {
    /// `graph/node`.
    pub node: String,
    /// In plain words.
    pub fate: String,
}

impl Program {
    /// The event of this name.
    pub fn event(&self, name: &str) -> Option<usize> {
        self.events.iter().position(|e| e.name == name)
    }

    /// The variable of this name.
    pub fn variable(&self, name: &str) -> Option<&Variable> {
        self.variables.iter().find(|v| v.name == name)
    }

    /// The node that an instruction came from.
    pub fn node_of(&self, instruction: usize) -> Option<&str> {
        let node = *self.map.instructions.get(instruction)?;
        self.map.nodes.get(node as usize).map(String::as_str)
    }

    /// A text by its index; the empty one where there is none.
    pub fn string(&self, index: u32) -> &str {
        self.strings.get(index as usize).map_or("", String::as_str)
    }
}
