//! The rig between graph and bytecode: ordered operations on typed registers, in nested blocks.

use super::symbols::Constant;
use crate::vm::UnitDef;

/// Where a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Base {
    /// A register of the body: written once, but for the two sides of a choice.
    Reg(u32),
    /// A constant of the program's pool.
    Literal(u32),
    /// A word of External.
    External,
    /// A word of a function's own frame: its inputs, then its outputs.
    Frame(u32),
}

/// A value or a part of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Place {
    pub base: Base,
    pub offset: u32,
}

impl Place {
    pub fn part(self, offset: u32) -> Self {
        Self { offset: self.offset + offset, ..self }
    }
}

/// An operand of a unit call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Arg {
    /// A register that the unit reads.
    Read(Place),
    /// A register that it writes.
    Write(Place),
    /// An array variable that it changes.
    Change(Place),
    /// A number: the size of `T`, the capacity of an array.
    Number(u32),
    /// Its state, by words from the body's own block.
    State(u32),
}

#[derive(Clone, Debug)]
pub(super) enum Op<'r> {
    Call { unit: &'r UnitDef, args: Vec<Arg>, node: u32 },
    Copy { to: Place, from: Place, words: u32, node: u32 },
    Block { condition: Place, when: bool, body: Vec<Op<'r>>, node: u32 },
    Loop { index: u32, count: Place, bound: Place, until_break: bool, body: Vec<Op<'r>>, node: u32 },
    Break { unless: Place, node: u32 },
    Function { function: u32, state: u32, node: u32 },
}

/// A register of a body.
#[derive(Clone, Debug)]
pub(super) struct Reg {
    pub words: u32,
    /// `graph/node.pin`.
    pub name: String,
    pub ty: String,
}

/// An event or function as operations.
#[derive(Debug, Default)]
pub(super) struct Body<'r> {
    pub ops: Vec<Op<'r>>,
    pub regs: Vec<Reg>,
    /// The state of its units and calls as it starts.
    pub state: Vec<u32>,
    /// Functions that it calls.
    pub calls: Vec<u32>,
}

/// The program's constants, equal ones once.
#[derive(Debug, Default)]
pub(super) struct Pool {
    ids: std::collections::HashMap<Constant, u32>,
    pub all: Vec<Constant>,
}

impl Pool {
    pub fn add(&mut self, constant: Constant) -> Place {
        let next = self.all.len() as u32;
        let id = *self.ids.entry(constant).or_insert_with_key(|c| {
            self.all.push(c.clone());
            next
        });
        Place { base: Base::Literal(id), offset: 0 }
    }

    /// The words of a constant place, if it has no element in them.
    pub fn words(&self, place: Place, words: u32) -> Option<Vec<u32>> {
        let Base::Literal(id) = place.base else { return None };
        let part = self.all.get(id as usize)?.part(place.offset, words);
        (part.elements.is_empty() && part.words.len() == words as usize).then_some(part.words)
    }

    pub fn int(&mut self, value: i32) -> Place {
        self.add(Constant::of(vec![value as u32]))
    }
}

/// What became of nodes that have no instruction of their own.
#[derive(Debug, Default)]
pub(super) struct Nodes {
    /// `graph/node`.
    pub names: Vec<String>,
    pub notes: Vec<(u32, String)>,
}

impl Nodes {
    pub fn add(&mut self, name: String) -> u32 {
        self.names.push(name);
        self.names.len() as u32 - 1
    }
    pub fn note(&mut self, node: u32, fate: impl Into<String>) {
        self.notes.push((node, fate.into()));
    }
}
