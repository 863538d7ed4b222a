//! Where registers lie in Work: registers that are never needed at the same time share words.

use super::ir::{Arg, Base, Body, Op, Place};

/// One body as a straight list, blocks and loops closed by their ends.
#[derive(Clone, Debug)]
pub(super) enum Flat<'b, 'r> {
    Op(&'b Op<'r>),
    /// Index of the begin.
    EndBlock(usize),
    EndLoop(usize),
}

/// Lays the nested operations out one after another.
pub(super) fn flatten<'b, 'r>(ops: &'b [Op<'r>]) -> Vec<Flat<'b, 'r>> {
    let mut out = Vec::new();
    // Nesting is limited by the lowering, so recursion is too.
    fn walk<'b, 'r>(ops: &'b [Op<'r>], out: &mut Vec<Flat<'b, 'r>>) {
        for op in ops {
            let begin = out.len();
            out.push(Flat::Op(op));
            match op {
                Op::Block { body, .. } => {
                    walk(body, out);
                    out.push(Flat::EndBlock(begin));
                }
                Op::Loop { body, .. } => {
                    walk(body, out);
                    out.push(Flat::EndLoop(begin));
                }
                _ => {}
            }
        }
    }
    walk(ops, &mut out);
    out
}

/// First write and last read of a register, in half steps: instruction `i` reads at `2i` and
/// writes at `2i + 1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Live {
    pub start: usize,
    pub end: usize,
}

pub(super) struct Registers {
    /// Word offset of each register from the body's first.
    pub offsets: Vec<u32>,
    pub live: Vec<Live>,
    pub words: u32,
    /// What it would be without sharing.
    pub unshared: u32,
}

pub(super) fn allocate(body: &Body<'_>, flat: &[Flat<'_, '_>]) -> Registers {
    let live = lifetimes(body.regs.len(), flat);
    let mut order: Vec<usize> = (0..body.regs.len()).filter(|r| live[*r].start != usize::MAX).collect();
    order.sort_by_key(|r| (live[*r].start, *r));
    let mut offsets = vec![0u32; body.regs.len()];
    // Those alive, by offset.
    let mut active: Vec<(u32, u32, usize)> = Vec::new();
    let (mut words, mut unshared) = (0u32, 0u32);
    for r in order {
        let size = body.regs[r].words;
        unshared = unshared.saturating_add(size);
        active.retain(|(.., end)| *end >= live[r].start);
        let mut at = 0u32;
        let mut place = active.len();
        for (i, (offset, taken, _)) in active.iter().enumerate() {
            if *offset >= at.saturating_add(size) {
                place = i;
                break;
            }
            at = offset.saturating_add(*taken);
        }
        active.insert(place, (at, size, live[r].end));
        offsets[r] = at;
        words = words.max(at.saturating_add(size));
    }
    Registers { offsets, live, words, unshared }
}

fn lifetimes(count: usize, flat: &[Flat<'_, '_>]) -> Vec<Live> {
    let mut l = Lifetimes { live: vec![Live { start: usize::MAX, end: 0 }; count], loops: Vec::new() };
    let ends: Vec<usize> = {
        let mut ends = vec![0; flat.len()];
        for (i, f) in flat.iter().enumerate() {
            if let Flat::EndLoop(begin) = f {
                ends[*begin] = i;
            }
        }
        ends
    };
    for (i, f) in flat.iter().enumerate() {
        match f {
            Flat::Op(Op::Call { unit, args, .. }) => {
                // Plain units read all before they write any; array units may not.
                let arrays = unit.pins.iter().any(|p| matches!(p.ty, crate::value::Type::Array(..)));
                for a in args {
                    match a {
                        Arg::Read(p) | Arg::Change(p) => l.read(*p, 2 * i + usize::from(arrays)),
                        Arg::Write(p) => l.write(*p, 2 * i + 1),
                        Arg::Number(_) | Arg::State(_) => {}
                    }
                }
            }
            Flat::Op(Op::Copy { to, from, .. }) => {
                l.read(*from, 2 * i);
                l.write(*to, 2 * i + 1);
            }
            Flat::Op(Op::Block { condition, .. }) => l.read(*condition, 2 * i),
            Flat::Op(Op::Break { unless, .. }) => l.read(*unless, 2 * i),
            Flat::Op(Op::Loop { index, count, bound, .. }) => {
                let index = Place { base: Base::Reg(*index), offset: 0 };
                l.read(*count, 2 * i + 1);
                l.read(*bound, 2 * i + 1);
                l.write(index, 2 * i);
                l.loops.push((2 * i, 2 * ends[i] + 1));
            }
            Flat::EndLoop(begin) => {
                if let Some(Flat::Op(Op::Loop { index, count, .. })) = flat.get(*begin) {
                    let index = Place { base: Base::Reg(*index), offset: 0 };
                    l.read(*count, 2 * i + 1);
                    l.read(index, 2 * i + 1);
                }
                l.loops.pop();
            }
            Flat::Op(Op::Function { .. }) | Flat::EndBlock(_) => {}
        }
    }
    l.live
}

struct Lifetimes {
    live: Vec<Live>,
    /// Begin and end of the loops around, in half steps.
    loops: Vec<(usize, usize)>,
}

impl Lifetimes {
    fn write(&mut self, place: Place, at: usize) {
        if let Base::Reg(r) = place.base
            && let Some(live) = self.live.get_mut(r as usize)
        {
            live.start = live.start.min(at);
            live.end = live.end.max(at);
        }
    }

    /// What was made before a loop and is read in it is needed in every turn.
    fn read(&mut self, place: Place, at: usize) {
        if let Base::Reg(r) = place.base
            && let Some(live) = self.live.get_mut(r as usize)
        {
            let around = self.loops.iter().find(|(begin, _)| live.start < *begin);
            live.end = live.end.max(around.map_or(at, |(_, end)| *end));
        }
    }
}
