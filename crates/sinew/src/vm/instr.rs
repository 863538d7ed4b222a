//! The instruction set.
//!
//! Instructions are fixed-width: an opcode and three words. Operands of unit calls stand in the
//! program's operand list, so a call may have any number of them. Blocks and loops are
//! structured (each begin names its end), which is what lane masks need and what makes the
//! verifier's proof of bounded run time a single pass.

use super::Operand;

/// One instruction. Targets are indices into the program's code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instr {
    /// Runs an imported unit on `count` words of the operand list from `args`.
    Call {
        /// Index into the imports.
        import: u32,
        /// First word in the operand list.
        args: u32,
        /// How many words.
        count: u32,
    },
    /// Moves words; the ranges may overlap.
    Copy {
        /// Where to.
        to: Operand,
        /// Where from.
        from: Operand,
        /// How many.
        words: u32,
    },
    /// Continues at a later instruction of the same block.
    Jump {
        /// The instruction.
        target: u32,
    },
    /// As [`Instr::Jump`], if the condition is true.
    JumpIf {
        /// One word; non-zero is true.
        condition: Operand,
        /// The instruction.
        target: u32,
    },
    /// Enters the block if the condition is as `when` says, else continues after its end.
    BeginBlock {
        /// One word; must not change inside the block.
        condition: Operand,
        /// The value for which the block runs.
        when: bool,
        /// Its [`Instr::EndBlock`].
        end: u32,
    },
    /// Closes the innermost block.
    EndBlock,
    /// Runs the loop's body for index 0, 1, … below the count.
    BeginLoop {
        /// Int register that holds the turn's index.
        index: Operand,
        /// First of two words in the operand list: the count and the bound, both Int registers.
        args: u32,
        /// Its [`Instr::EndLoop`].
        end: u32,
        /// With true the count is only a bound: [`Instr::Break`] is to end the loop, and running
        /// out of turns is a fault.
        until_break: bool,
    },
    /// Next turn, or on after the loop.
    EndLoop,
    /// Leaves the innermost loop if the condition is false.
    Break {
        /// One word.
        unless: Operand,
    },
    /// Runs a function's code; its State operands count from `state` on.
    CallFunction {
        /// Index into the functions.
        function: u32,
        /// Words from the caller's own state block.
        state: u32,
    },
    /// Back to the caller.
    Return,
    /// Ends the event.
    Exit,
}

impl Instr {
    /// The word in a listing.
    pub const fn mnemonic(&self) -> &'static str {
        match self {
            Self::Call { .. } => "call",
            Self::Copy { .. } => "copy",
            Self::Jump { .. } => "jump",
            Self::JumpIf { .. } => "jump_if",
            Self::BeginBlock { .. } => "block",
            Self::EndBlock => "end_block",
            Self::BeginLoop { .. } => "loop",
            Self::EndLoop => "end_loop",
            Self::Break { .. } => "break_unless",
            Self::CallFunction { .. } => "call_function",
            Self::Return => "return",
            Self::Exit => "exit",
        }
    }

    /// As an opcode word and three more.
    pub const fn encode(&self) -> [u32; 4] {
        match *self {
            Self::Call { import, args, count } => [0, import, args, count],
            Self::Copy { to, from, words } => [1, to.0, from.0, words],
            Self::Jump { target } => [2, target, 0, 0],
            Self::JumpIf { condition, target } => [3, condition.0, target, 0],
            Self::BeginBlock { condition, when, end } => [4, condition.0, when as u32, end],
            Self::EndBlock => [5, 0, 0, 0],
            Self::BeginLoop { index, args, end, until_break } => {
                [if until_break { 7 } else { 6 }, index.0, args, end]
            }
            Self::EndLoop => [8, 0, 0, 0],
            Self::Break { unless } => [9, unless.0, 0, 0],
            Self::CallFunction { function, state } => [10, function, state, 0],
            Self::Return => [11, 0, 0, 0],
            Self::Exit => [12, 0, 0, 0],
        }
    }

    /// The instruction of four words; `None` for an unknown opcode or a word that should be 0.
    pub const fn decode(w: [u32; 4]) -> Option<Self> {
        Some(match w {
            [0, import, args, count] => Self::Call { import, args, count },
            [1, to, from, words] => Self::Copy { to: Operand(to), from: Operand(from), words },
            [2, target, 0, 0] => Self::Jump { target },
            [3, condition, target, 0] => Self::JumpIf { condition: Operand(condition), target },
            [4, condition, when @ (0 | 1), end] => {
                Self::BeginBlock { condition: Operand(condition), when: when == 1, end }
            }
            [5, 0, 0, 0] => Self::EndBlock,
            [op @ (6 | 7), index, args, end] => {
                Self::BeginLoop { index: Operand(index), args, end, until_break: op == 7 }
            }
            [8, 0, 0, 0] => Self::EndLoop,
            [9, unless, 0, 0] => Self::Break { unless: Operand(unless) },
            [10, function, state, 0] => Self::CallFunction { function, state },
            [11, 0, 0, 0] => Self::Return,
            [12, 0, 0, 0] => Self::Exit,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_opcode_round_trips() {
        for op in 0..=12u32 {
            let decoded = [[op, 5, 1, 7], [op, 5, 1, 0], [op, 5, 0, 0], [op, 0, 0, 0]];
            let instr = decoded.into_iter().find_map(Instr::decode);
            let instr = instr.expect("an instruction for every opcode");
            assert_eq!(Instr::decode(instr.encode()), Some(instr));
        }
        assert_eq!(Instr::decode([13, 0, 0, 0]), None);
        assert_eq!(Instr::decode([12, 1, 0, 0]), None);
    }
}
