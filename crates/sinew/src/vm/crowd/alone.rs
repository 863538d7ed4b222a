//! Units that are written for one lane, run in a block: lane by lane, their registers copied to a
//! memory of one lane and back.

use crate::hierarchy::LaneHierarchy;
use crate::value::Type;
use crate::vm::{Cx, Direction, Elements, Entry, FaultKind, HierarchyUse, Memory, UnitDef};

/// One lane's memory: as large as a block's, so that positions are the same in both.
pub(super) type OneLane = Vec<[u32; 1]>;

/// Words of a pin in memory.
#[derive(Clone, Copy, Debug)]
struct Span {
    at: u32,
    words: u32,
    written: bool,
}

/// A call that is run lane by lane.
#[derive(Debug)]
pub(super) struct Alone {
    entry: Entry,
    pins: Box<[Span]>,
    /// Words of state, at the last operand from the running function's own block.
    state: u32,
    hierarchy: HierarchyUse,
    fallible: bool,
}

impl Alone {
    /// Of a unit at its operands.
    pub fn new(unit: &UnitDef, args: &[u32]) -> Self {
        let words = |ty: &Type, at: usize| match ty {
            Type::Any => args[0],
            Type::Array(elem, _) => {
                1 + args[at + 1] * if **elem == Type::Any { args[0] } else { elem.words() }
            }
            ty => ty.words(),
        };
        let (starts, _) = unit.operand_layout();
        let pins = unit.pins.iter().zip(starts).map(|(pin, start)| Span {
            at: args[start],
            words: words(&pin.ty, start),
            written: pin.direction != Direction::In,
        });
        Self {
            entry: unit.entry,
            pins: pins.collect(),
            state: unit.state.as_ref().map_or(0, |s| s.len() as u32),
            hierarchy: unit.hierarchy,
            fallible: unit.fallible,
        }
    }

    /// Runs it for one lane; the fault that it ended with.
    pub fn run<const L: usize>(
        &self,
        args: &[u32],
        cx: &mut Cx<'_, L>,
        one: &mut OneLane,
        lane: usize,
    ) -> Option<FaultKind> {
        let base = cx.memory.state;
        // The last operand is the state's place only where there is state.
        let place = if self.state == 0 { 0 } else { base as u32 + args.last().copied().unwrap_or(0) };
        let state = Span { at: place, words: self.state, written: true };
        for span in self.pins.iter().chain([&state]) {
            cx.memory.take_lane(span.at, span.words, lane, one);
        }
        let (entry, fallible) = (self.entry, self.fallible);
        let Cx { memory, rig, frames, .. } = cx;
        let Elements::Lanes(rig) = rig else { return None };
        let frame = &mut frames[lane];
        let mut fault = None;
        look(self.hierarchy, rig, lane, |hierarchy| {
            let mut cx = Cx {
                memory: Memory::new(one, base),
                rig: Elements::One(hierarchy),
                frames: core::array::from_mut(frame),
                fault: None,
            };
            entry(&mut cx, args);
            fault = if fallible { cx.fault.take() } else { None };
        });
        for span in self.pins.iter().chain([&state]).filter(|s| s.written) {
            memory.put_lane(span.at, span.words, lane, one);
        }
        fault
    }
}

fn look<const L: usize>(
    how: HierarchyUse,
    rig: &mut LaneHierarchy<L>,
    lane: usize,
    work: impl FnOnce(&mut crate::hierarchy::Hierarchy),
) {
    match how {
        HierarchyUse::None => rig.aside(work),
        HierarchyUse::Reads => rig.read_alone(lane, work),
        HierarchyUse::Writes => rig.alone(lane, work),
    }
}
