//! A joint in every lane of a block.

use super::super::joint::{Change, Joint};
use super::super::topology::NONE;
use super::rows::{Rows, lane_of, splat};
use crate::hierarchy::ElementId;
use crate::value::Plain;

/// A joint in `L` lanes: what [`Joint`] is at one.
#[derive(Clone, Copy, Debug)]
pub struct JointRows<const L: usize> {
    pub(super) ids: [u32; L],
    pub(super) local: Rows<L>,
    pub(super) global: Rows<L>,
    pub(super) parent: Rows<L>,
    pub(super) initial: Rows<L>,
    pub(super) initial_global: Rows<L>,
    pub(super) hangs: [u32; L],
    pub(super) span: [[u32; L]; 2],
    pub(super) changed: [u32; L],
    pub(super) leave: [u32; L],
    pub(super) stretch: [f32; L],
    pub(super) stretch_below: [u32; L],
}

impl<const L: usize> JointRows<L> {
    /// A joint at one lane, spread over all.
    #[inline(always)]
    pub fn splat(j: &Joint) -> Self {
        Self {
            ids: [j.id.0; L],
            local: splat(j.local),
            global: splat(j.global),
            parent: splat(j.parent),
            initial: splat(j.initial),
            initial_global: splat(j.initial_global),
            hangs: [u32::from(j.hangs); L],
            span: j.span.map(|s| [s; L]),
            changed: [0; L],
            leave: [0; L],
            stretch: [0.0; L],
            stretch_below: [NONE; L],
        }
    }

    /// One lane of it.
    #[inline(always)]
    pub fn lane(&self, lane: usize) -> Joint {
        Joint {
            id: ElementId(self.ids[lane]),
            local: lane_of(&self.local, lane),
            global: lane_of(&self.global, lane),
            parent: lane_of(&self.parent, lane),
            initial: lane_of(&self.initial, lane),
            initial_global: lane_of(&self.initial_global, lane),
            hangs: self.hangs[lane] != 0,
            span: [self.span[0][lane], self.span[1][lane]],
            change: Change::default(),
        }
    }

    /// One lane of it with what is to be changed.
    #[inline(always)]
    pub fn whole_lane(&self, lane: usize) -> Joint {
        let change = Change {
            changed: self.changed[lane] != 0,
            leave: self.leave[lane] != 0,
            stretch: self.stretch[lane],
            stretch_below: self.stretch_below[lane],
        };
        Joint { change, ..self.lane(lane) }
    }

    /// Takes over what a unit did with one lane.
    #[inline(always)]
    pub fn set_lane(&mut self, lane: usize, j: &Joint) {
        j.local.write(|i, w| self.local[i][lane] = w);
        self.changed[lane] = u32::from(j.change.changed);
        self.leave[lane] = u32::from(j.change.leave);
        self.stretch[lane] = j.change.stretch;
        self.stretch_below[lane] = j.change.stretch_below;
    }
}
