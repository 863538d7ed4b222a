//! Transforms of a block, word by word: a row of lanes for each.

use crate::math::Transform;
use crate::value::Plain;

/// The words of a transform in `L` lanes.
pub type Rows<const L: usize> = [[u32; L]; Transform::WORDS];

/// `parent * local` in every lane: built for an instruction set, called by what holds the proof that
/// the machine has it.
pub type Compose<const L: usize> = fn(&Rows<L>, &Rows<L>, &mut Rows<L>);

/// The body of [`Compose`].
#[inline(always)]
pub fn compose_rows<const L: usize>(parent: &Rows<L>, local: &Rows<L>, out: &mut Rows<L>) {
    for lane in 0..L {
        let t = Transform::read(|i| parent[i][lane]) * Transform::read(|i| local[i][lane]);
        t.write(|i, w| out[i][lane] = w);
    }
}

#[inline(always)]
pub(super) fn splat<const L: usize>(t: Transform) -> Rows<L> {
    let mut rows = [[0; L]; Transform::WORDS];
    t.write(|i, w| rows[i] = [w; L]);
    rows
}

/// A transform for each lane, put together.
#[inline(always)]
pub fn rows_of<const L: usize>(of: impl Fn(usize) -> Transform) -> Rows<L> {
    let mut rows = [[0; L]; Transform::WORDS];
    for (lane, t) in (0..L).map(|lane| (lane, of(lane))) {
        t.write(|i, w| rows[i][lane] = w);
    }
    rows
}

/// The transform of one lane.
#[inline(always)]
pub fn lane_of<const L: usize>(rows: &Rows<L>, lane: usize) -> Transform {
    Transform::read(|i| rows[i][lane])
}

/// `new` in the lanes of the mask, `old` in the others.
#[inline(always)]
pub(super) fn blend<const L: usize, const W: usize>(
    old: &mut [[u32; L]; W],
    new: &[[u32; L]; W],
    mask: &[u32; L],
) {
    for (to, from) in old.iter_mut().zip(new) {
        *to = core::array::from_fn(|i| (from[i] & mask[i]) | (to[i] & !mask[i]));
    }
}
