//! Runs a pure unit when the rig is compiled.

use crate::hierarchy::Hierarchy;
use crate::value::Type;
use crate::vm::{Direction, UnitDef, evaluate};

/// The words of each output, if every input is a constant. The very code that would run in a
/// frame is run, so the bits are the same.
pub(super) fn fold(unit: &UnitDef, inputs: impl Iterator<Item = Option<Vec<u32>>>) -> Option<Vec<Vec<u32>>> {
    let plain = |ty: &Type| !matches!(ty, Type::Array(..) | Type::Any | Type::Element);
    if unit.fallible || !unit.pins.iter().all(|p| plain(&p.ty)) {
        return None;
    }
    let inputs: Vec<Vec<u32>> = inputs.collect::<Option<_>>()?;
    let outputs: Vec<u32> =
        unit.pins.iter().filter(|p| p.direction == Direction::Out).map(|p| p.ty.words()).collect();
    evaluate(unit, &inputs, &outputs, &mut Hierarchy::default())
}
