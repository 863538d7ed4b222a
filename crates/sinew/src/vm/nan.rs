//! Finds the node that first made a NaN.

use super::interp::Probe;
use super::{BoundProgram, Cx, Direction, Instr, Operand};
use crate::value::Type;

/// A probe that looks at what every unit writes. The first output with a NaN or infinity in it,
/// none of whose inputs had one, is kept.
#[derive(Debug)]
pub struct FindNan<'b> {
    bound: &'b BoundProgram,
    found: Option<FoundNan>,
    inputs_were_bad: bool,
}

/// Where a NaN came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoundNan {
    /// The instruction; the source map names its node.
    pub instruction: u32,
    /// The output.
    pub pin: &'static str,
}

impl<'b> FindNan<'b> {
    /// For one run.
    pub fn new(bound: &'b BoundProgram) -> Self {
        Self { bound, found: None, inputs_were_bad: false }
    }

    /// The first one, if there was any.
    pub fn found(&self) -> Option<FoundNan> {
        self.found
    }

    /// The first pin of a direction with a NaN in it.
    fn bad_pin(&self, instruction: u32, out: bool, cx: &Cx<'_, 1>) -> Option<&'static str> {
        let program = self.bound.program();
        let Some(Instr::Call { import, args, .. }) = program.code.get(instruction as usize) else {
            return None;
        };
        let unit = self.bound.units().get(*import as usize)?;
        let (starts, _) = unit.operand_layout();
        let pins = unit.pins.iter().zip(starts).filter(|(p, _)| (p.direction == Direction::Out) == out);
        for (pin, start) in pins {
            let Some(word) = program.operands.get(*args as usize + start) else { continue };
            let at = self.bound.layout.position(Operand(*word));
            let floats = float_words(&pin.ty);
            let words = cx.memory().words(at, pin.ty.words());
            let bad = |i: &usize| words.get(*i).is_some_and(|w| !f32::from_bits(w[0]).is_finite());
            if floats.clone().any(|i| bad(&i)) {
                return Some(pin.name);
            }
        }
        None
    }
}

/// Which words of a type are numbers.
fn float_words(ty: &Type) -> core::ops::Range<usize> {
    match ty {
        Type::Float => 0..1,
        Type::Vec2 => 0..2,
        Type::Vec3 | Type::Euler => 0..3,
        Type::Quat | Type::Color => 0..4,
        Type::Transform => 0..10,
        _ => 0..0,
    }
}

impl Probe for FindNan<'_> {
    fn before(&mut self, instruction: u32, cx: &Cx<'_, 1>) {
        if self.found.is_none() {
            self.inputs_were_bad = self.bad_pin(instruction, false, cx).is_some();
        }
    }

    fn after(&mut self, instruction: u32, cx: &Cx<'_, 1>) {
        if self.found.is_none() && !self.inputs_were_bad {
            let pin = self.bad_pin(instruction, true, cx);
            self.found = pin.map(|pin| FoundNan { instruction, pin });
        }
    }
}
