//! One element as a unit sees it: plain values that were read before it runs, and what it wants
//! changed, which is written after.
//!
//! A unit over joints does no more than arithmetic, so that it runs for a block of characters at
//! once. [`Hierarchy::joint`] and [`Hierarchy::apply`] do for one character what blocks do for many.

use super::{Carry, ElementId, Hierarchy, Space};
use crate::math::{Quat, Transform, Vec3};

/// An element's transforms at the start of a unit. Which of them are up to date the unit has said
/// (`#[joint(…)]`); the others hold what was last known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint {
    /// Which one.
    pub id: ElementId,
    /// Relative to the parent.
    pub local: Transform,
    /// Relative to the character.
    pub global: Transform,
    /// The transform that the local is relative to; the identity for the world.
    pub parent: Transform,
    /// What the local was at the start.
    pub initial: Transform,
    /// What the global was at the start.
    pub initial_global: Transform,
    /// False for what hangs on the world.
    pub hangs: bool,
    /// The place in the tree, and one past the last place below it; empty for no element.
    pub span: [u32; 2],
    pub(crate) change: Change,
}

/// What a unit wants done with an element besides taking its local.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Change {
    pub changed: bool,
    /// What hangs on it keeps its globals.
    pub leave: bool,
    /// How many times as far from their parents it and all above it come, up to `stretch_below`.
    pub stretch: f32,
    pub stretch_below: u32,
}

impl Default for Joint {
    fn default() -> Self {
        Self {
            id: ElementId::NONE,
            local: Transform::IDENTITY,
            global: Transform::IDENTITY,
            parent: Transform::IDENTITY,
            initial: Transform::IDENTITY,
            initial_global: Transform::IDENTITY,
            hangs: false,
            span: [0, 0],
            change: Change::default(),
        }
    }
}

impl Joint {
    /// The current transform in a space.
    #[inline(always)]
    pub fn current(&self, space: Space) -> Transform {
        if space == Space::Local { self.local } else { self.global }
    }

    /// The transform in a space at the start.
    #[inline(always)]
    pub fn started(&self, space: Space) -> Transform {
        if space == Space::Local { self.initial } else { self.initial_global }
    }

    /// True if this element hangs below another one by first parents, or is it.
    #[inline(always)]
    pub fn is_below(&self, above: &Self) -> bool {
        self.span[0] >= above.span[0] && self.span[0] < above.span[1] && self.span[0] < self.span[1]
    }

    /// Sets the transform relative to the parent; nothing happens where it is not finite.
    #[inline(always)]
    pub fn set_local(&mut self, t: Transform) {
        self.local = t;
        self.change.changed = true;
    }

    /// Sets the transform relative to the character, from `parent`. What hangs on the element keeps
    /// its locals, or, with [`Carry::Leave`], its globals.
    #[inline(always)]
    pub fn set_global(&mut self, t: Transform, carry: Carry) {
        let local = self.parent.to_local(t);
        let local = if self.hangs { local } else { t };
        // A value that is not finite would not show in a local under a scale that is not either.
        self.local = if t.is_finite() { local } else { t };
        self.change.changed = true;
        self.change.leave = carry == Carry::Leave;
    }

    /// Sets the rotation relative to the character; the local translation and scale keep their bits.
    #[inline(always)]
    pub fn set_global_rotation(&mut self, rotation: Quat) {
        let local = self.parent.rotation.conjugate() * rotation;
        self.local.rotation = if self.hangs { local } else { rotation };
        self.change.changed = true;
    }

    /// Sets the transform in a space.
    #[inline(always)]
    pub fn set(&mut self, t: Transform, space: Space, carry: Carry) {
        if space == Space::Global {
            self.set_global(t, carry);
        } else {
            // What is finite here may not be so above: that is told from the local.
            self.set_local(t);
            self.change.leave = carry == Carry::Leave;
        }
    }

    /// Moves this element and all above it, up to `below`, which stays, that many times as far from
    /// their parents.
    #[inline(always)]
    pub fn stretch(&mut self, factor: f32, below: ElementId) {
        self.change.stretch = factor;
        self.change.stretch_below = below.0;
    }
}

/// Which of a joint's transforms a unit reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// [`Joint::global`].
    pub global: bool,
    /// [`Joint::parent`].
    pub parent: bool,
    /// [`Joint::initial_global`].
    pub initial_global: bool,
}

impl Hierarchy {
    /// An element as units see it; what is needed is brought up to date first. No element gives
    /// identities, and changes of it do nothing.
    #[inline(always)]
    pub fn joint(&mut self, id: ElementId, needs: Needs) -> Joint {
        if needs.global {
            self.prepare(id);
        }
        let parent = if needs.parent { self.prepared_parent(id) } else { None };
        let t = &self.topology;
        let span = match (t.position.get(id.index()), t.end.get(id.index())) {
            (Some(start), Some(end)) => [*start, *end],
            _ => [0, 0],
        };
        Joint {
            id,
            local: self.local(id),
            global: self.kept_global(id),
            parent: parent.unwrap_or_default(),
            initial: self.initial_local(id),
            initial_global: if needs.initial_global { self.initial_global(id) } else { Transform::IDENTITY },
            hangs: parent.is_some(),
            span,
            change: Change::default(),
        }
    }

    /// Writes what a unit wants changed.
    #[inline(always)]
    pub fn apply(&mut self, id: ElementId, joint: &Joint) {
        let change = &joint.change;
        if change.changed {
            if change.leave {
                self.set_local_and_leave(id, joint.local);
            } else {
                self.set_local(id, joint.local);
            }
        }
        if change.stretch != 0.0 {
            self.stretch_chain(id, ElementId(change.stretch_below), change.stretch);
        }
    }

    /// Does with an element what a unit over joints does, everything of it being up to date.
    pub fn change<R>(&mut self, id: ElementId, unit: impl FnOnce(&mut Joint) -> R) -> R {
        let mut joint = self.joint(id, Needs { global: true, parent: true, initial_global: true });
        let result = unit(&mut joint);
        self.apply(id, &joint);
        result
    }

    #[cold]
    fn set_local_and_leave(&mut self, id: ElementId, local: Transform) {
        if id.index() >= self.len() || !local.is_finite() {
            return;
        }
        self.each_follower(id, |h, child| h.prepare(child));
        if self.set_local(id, local) {
            self.each_follower(id, Self::put_back);
        }
    }

    #[cold]
    fn stretch_chain(&mut self, id: ElementId, below: ElementId, factor: f32) {
        let mut at = id;
        // A chain is never longer than the hierarchy.
        for _ in 0..self.len() {
            if at == below || !at.is_some() {
                return;
            }
            let translation: Vec3 = self.local(at).translation * factor;
            self.set_local_translation(at, translation);
            at = self.topology.parent(at);
        }
    }
}
