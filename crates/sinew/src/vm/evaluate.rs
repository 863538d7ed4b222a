//! Runs a single unit by itself: for constants, tests and tools.

use super::{Cx, Direction, Elements, Frame, Memory, UnitDef};
use crate::hierarchy::Hierarchy;
use crate::value::Type;

/// Gives a unit its inputs, each as words, and takes its outputs of the given sizes. `None` where
/// the inputs do not fit its pins, where it has pins of any type or arrays, or where it fails.
pub fn evaluate(
    unit: &UnitDef,
    inputs: &[Vec<u32>],
    outputs: &[u32],
    rig: &mut Hierarchy,
) -> Option<Vec<Vec<u32>>> {
    let (mut words, mut args) = (Vec::new(), Vec::new());
    let (mut given, mut asked) = (inputs.iter(), outputs.iter());
    let mut results = Vec::new();
    for pin in &unit.pins {
        if matches!(pin.ty, Type::Array(..) | Type::Any) {
            return None;
        }
        args.push(words.len() as u32);
        if pin.direction == Direction::Out {
            let size = *asked.next()?;
            results.push((words.len(), size as usize));
            words.extend((0..size).map(|_| [0u32]));
        } else {
            let input = given.next().filter(|i| i.len() == pin.ty.words() as usize)?;
            words.extend(input.iter().map(|w| [*w]));
        }
        if results.last().is_some_and(|(_, n)| *n < pin.ty.words() as usize) {
            return None;
        }
    }
    let state = words.len();
    if let Some(initial) = &unit.state {
        args.push(0);
        words.extend(initial.iter().map(|w| [*w]));
    }
    let mut frame = Frame::new(1);
    let mut cx = Cx {
        memory: Memory::new(&mut words, state),
        rig: Elements::One(rig),
        frames: core::array::from_mut(&mut frame),
        fault: None,
    };
    (unit.entry)(&mut cx, &args);
    if cx.fault.is_some() {
        return None;
    }
    Some(results.iter().map(|(at, n)| words[*at..at + n].iter().map(|w| w[0]).collect()).collect())
}
