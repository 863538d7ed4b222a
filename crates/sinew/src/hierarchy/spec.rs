//! An element to add.

use super::{ControlSettings, ElementId, ElementKey};
use crate::math::Transform;

/// An element to add.
#[derive(Clone, Debug, PartialEq)]
pub struct ElementSpec {
    /// Its key; unique.
    pub key: ElementKey,
    /// What it follows. The first with weight 1 is the usual parent; others are spaces that it may
    /// be switched to, or parents that share it by weight. Empty means the world.
    pub parents: Vec<Parent>,
    /// Initial transform relative to the parent; for controls the offset, where its zero is.
    /// Curves have none.
    pub initial: Transform,
    /// For controls, what it holds and how it looks; a transform without limits if not given.
    pub control: Option<ControlSettings>,
    /// For curves, the value it starts with.
    pub value: f32,
}

/// One of the things that an element follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parent {
    /// The element, or [`ElementId::NONE`] for the world.
    pub id: ElementId,
    /// Its weight at the start, 0 or more; weights are divided by their sum.
    pub weight: f32,
}

impl ElementSpec {
    /// An element with one parent (or [`ElementId::NONE`]) and no offset.
    pub fn new(key: ElementKey, parent: ElementId) -> Self {
        let parents = if parent.is_some() { vec![Parent { id: parent, weight: 1.0 }] } else { Vec::new() };
        Self { key, parents, initial: Transform::IDENTITY, control: None, value: 0.0 }
    }

    /// The same with an initial transform.
    #[must_use]
    pub fn at(mut self, initial: Transform) -> Self {
        self.initial = initial;
        self
    }

    /// The same with one more parent or space.
    #[must_use]
    pub fn follow(mut self, id: ElementId, weight: f32) -> Self {
        self.parents.push(Parent { id, weight });
        self
    }

    /// The same with a control's settings.
    #[must_use]
    pub fn with_control(mut self, settings: ControlSettings) -> Self {
        self.control = Some(settings);
        self
    }
}
