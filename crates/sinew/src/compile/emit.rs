//! From operations to bytecode, with the source map.

use super::ir::{Arg, Base, Body, Nodes, Op, Place, Pool};
use super::layout::{Flat, Registers, allocate, flatten};
use crate::vm::{Container, ElementWord, Instr, NodeNote, Operand, Program, RegisterInfo};

/// A body with its registers laid out.
pub(super) struct Laid<'r> {
    pub body: Body<'r>,
    /// Words of the function's inputs and outputs, at the start of its frame.
    pub frame: u32,
    /// Where its frame begins in Work.
    pub base: u32,
    /// Words of the frame in all.
    pub size: u32,
    pub unshared: u32,
}

impl<'r> Laid<'r> {
    pub fn new(body: Body<'r>, frame: u32) -> Self {
        let registers = allocate(&body, &flatten(&body.ops));
        Self {
            frame,
            base: 0,
            size: frame.saturating_add(registers.words),
            unshared: registers.unshared,
            body,
        }
    }
}

/// Too much of something for an operand to name.
#[derive(Debug)]
pub(super) struct TooLarge(pub &'static str);

pub(super) struct Emitter<'p> {
    pub program: &'p mut Program,
    /// Word offset of each constant of the pool.
    pub literals: Vec<u32>,
    /// Where each function's frame begins in Work.
    pub frames: Vec<u32>,
    pub imports: std::collections::HashMap<String, u32>,
    /// Node ids of the lowering to those of the source map.
    pub map_nodes: std::collections::HashMap<u32, u32>,
    pub names: &'p [String],
}

impl<'p> Emitter<'p> {
    /// Lays the constants out and makes an emitter for the bodies.
    pub fn new(program: &'p mut Program, pool: &Pool, frames: Vec<u32>, nodes: &'p Nodes) -> Self {
        let mut literals = Vec::with_capacity(pool.all.len());
        for c in &pool.all {
            let at = program.literals.len() as u32;
            literals.push(at);
            program.literals.extend(&c.words);
            for (word, key) in &c.elements {
                if let Some(word) = Operand::new(Container::Literal, at + word) {
                    program.element_words.push(ElementWord { word, key: *key });
                }
            }
        }
        let (imports, map_nodes) = Default::default();
        Self { program, literals, frames, imports, map_nodes, names: &nodes.names }
    }

    /// Appends a body's code; first and one past the last instruction.
    pub fn body(&mut self, laid: &Laid<'_>, last: Instr) -> Result<(u32, u32), TooLarge> {
        let flat = flatten(&laid.body.ops);
        let registers = allocate(&laid.body, &flat);
        let start = self.program.code.len();
        let mut ends = vec![0; flat.len()];
        for (i, f) in flat.iter().enumerate() {
            if let Flat::EndBlock(begin) | Flat::EndLoop(begin) = f {
                ends[*begin] = i;
            }
        }
        for (i, f) in flat.iter().enumerate() {
            let (instr, node) = match f {
                Flat::EndBlock(begin) => (Instr::EndBlock, node_of(&flat, *begin)),
                Flat::EndLoop(begin) => (Instr::EndLoop, node_of(&flat, *begin)),
                Flat::Op(op) => {
                    let end = (start + ends[i]) as u32;
                    (self.op(op, end, laid, &registers)?, op_node(op))
                }
            };
            self.push(instr, node);
        }
        self.push(last, None);
        self.describe(laid, &registers, start);
        Ok((start as u32, self.program.code.len() as u32))
    }

    fn push(&mut self, instr: Instr, node: Option<u32>) {
        self.program.code.push(instr);
        let node = node.map_or(u32::MAX, |n| self.map_node(n));
        self.program.map.instructions.push(node);
    }

    fn map_node(&mut self, node: u32) -> u32 {
        let Some(name) = self.names.get(node as usize) else { return u32::MAX };
        let nodes = &mut self.program.map.nodes;
        *self.map_nodes.entry(node).or_insert_with(|| {
            nodes.push(name.clone());
            nodes.len() as u32 - 1
        })
    }

    fn op(&mut self, op: &Op<'_>, end: u32, laid: &Laid<'_>, r: &Registers) -> Result<Instr, TooLarge> {
        let at = |e: &Self, p: Place| e.operand(p, laid, r);
        Ok(match op {
            Op::Call { unit, args, .. } => {
                let signature = unit.signature();
                let next = self.program.imports.len() as u32;
                let import = match self.imports.get(&signature) {
                    Some(i) => *i,
                    None => {
                        self.program.imports.push(signature.clone());
                        self.imports.insert(signature, next);
                        next
                    }
                };
                let first = u32::try_from(self.program.operands.len()).map_err(|_| TooLarge("operands"))?;
                for a in args {
                    let word = match a {
                        Arg::Read(p) | Arg::Write(p) | Arg::Change(p) => at(self, *p)?.0,
                        Arg::Number(n) => *n,
                        Arg::State(offset) => {
                            Operand::new(Container::State, *offset).ok_or(TooLarge("state"))?.0
                        }
                    };
                    self.program.operands.push(word);
                }
                Instr::Call { import, args: first, count: args.len() as u32 }
            }
            Op::Copy { to, from, words, .. } => {
                Instr::Copy { to: at(self, *to)?, from: at(self, *from)?, words: *words }
            }
            Op::Block { condition, when, .. } => {
                Instr::BeginBlock { condition: at(self, *condition)?, when: *when, end }
            }
            Op::Loop { index, count, bound, until_break, .. } => {
                let index = at(self, Place { base: Base::Reg(*index), offset: 0 })?;
                let args = u32::try_from(self.program.operands.len()).map_err(|_| TooLarge("operands"))?;
                let (count, bound) = (at(self, *count)?.0, at(self, *bound)?.0);
                self.program.operands.extend([count, bound]);
                Instr::BeginLoop { index, args, end, until_break: *until_break }
            }
            Op::Break { unless, .. } => Instr::Break { unless: at(self, *unless)? },
            Op::Function { function, state, .. } => {
                Instr::CallFunction { function: *function, state: *state }
            }
        })
    }

    fn operand(&self, p: Place, laid: &Laid<'_>, r: &Registers) -> Result<Operand, TooLarge> {
        let (container, base) = match p.base {
            Base::Literal(id) => (Container::Literal, self.literals.get(id as usize).copied()),
            Base::External => (Container::External, Some(0)),
            Base::Frame(function) => (Container::Work, self.frames.get(function as usize).copied()),
            Base::Reg(reg) => {
                let offset = r.offsets.get(reg as usize).copied();
                (Container::Work, offset.and_then(|o| o.checked_add(laid.base)?.checked_add(laid.frame)))
            }
        };
        let offset = base.and_then(|b| b.checked_add(p.offset));
        offset.and_then(|o| Operand::new(container, o)).ok_or(TooLarge("registers"))
    }

    /// Tells the source map what the registers hold and when.
    fn describe(&mut self, laid: &Laid<'_>, r: &Registers, start: usize) {
        for (i, reg) in laid.body.regs.iter().enumerate() {
            let live = r.live[i];
            if live.start == usize::MAX {
                continue;
            }
            let Ok(operand) = self.operand(Place { base: Base::Reg(i as u32), offset: 0 }, laid, r) else {
                continue;
            };
            self.program.map.registers.push(RegisterInfo {
                operand,
                name: reg.name.clone(),
                ty: reg.ty.clone(),
                live: ((start + live.start / 2) as u32, (start + live.end / 2) as u32),
            });
        }
    }

    /// Tells the source map what became of nodes without an instruction.
    pub fn notes(&mut self, nodes: &Nodes) {
        for (node, fate) in &nodes.notes {
            let Some(name) = nodes.names.get(*node as usize) else { continue };
            let note = NodeNote { node: name.clone(), fate: fate.clone() };
            if !self.program.map.notes.contains(&note) {
                self.program.map.notes.push(note);
            }
        }
    }
}

fn op_node(op: &Op<'_>) -> Option<u32> {
    match op {
        Op::Call { node, .. }
        | Op::Copy { node, .. }
        | Op::Block { node, .. }
        | Op::Loop { node, .. }
        | Op::Break { node, .. }
        | Op::Function { node, .. } => Some(*node),
    }
}

fn node_of(flat: &[Flat<'_, '_>], begin: usize) -> Option<u32> {
    match flat.get(begin) {
        Some(Flat::Op(op)) => op_node(op),
        _ => None,
    }
}
