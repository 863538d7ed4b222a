//! The smallest changes to a rig: a place in it, and what belongs there.
//!
//! Doing, undoing and redoing are the same act: the value in the change and the value in the rig trade
//! places. Changes hold values only, so they stay good whatever happens to the rig in between.

use super::*;
use crate::hierarchy::ElementKey;
use std::collections::BTreeMap;

/// What a graph says of itself, apart from what is in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Head {
    pub kind: GraphKind,
    pub doc: String,
    pub start: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
// Edits are few and short-lived; boxing their largest variant would make them worse to write.
#[allow(clippy::large_enum_variant)]
pub(super) enum Change {
    Name(String),
    Doc(String),
    Bone(String, Option<Vec<String>>),
    Element(ElementKey, Option<ElementDecl>),
    Enum(String, Option<Vec<String>>),
    Struct(String, Option<StructDecl>),
    Curve(String, Option<CurveDecl>),
    Variable(String, Option<VariableDecl>),
    Graph(String, Option<Graph>),
    Head(String, Head),
    Node(String, String, Option<Node>),
    Comment(String, String, Option<Comment>),
    Place(String, String, Option<Place>),
}

impl Change {
    /// Trades the value with the rig's. False when they are equal, or when the graph is not there.
    pub fn swap(&mut self, rig: &mut Rig) -> bool {
        match self {
            Self::Name(v) => swap(&mut rig.name, v),
            Self::Doc(v) => swap(&mut rig.doc, v),
            Self::Bone(k, v) => trade(&mut rig.bones, k, v),
            Self::Element(k, v) => trade(&mut rig.elements, k, v),
            Self::Enum(k, v) => trade(&mut rig.enums, k, v),
            Self::Struct(k, v) => trade(&mut rig.structs, k, v),
            Self::Curve(k, v) => trade(&mut rig.curves, k, v),
            Self::Variable(k, v) => trade(&mut rig.variables, k, v),
            Self::Graph(k, v) => trade(&mut rig.graphs, k, v),
            Self::Head(g, v) => rig.graphs.get_mut(g).is_some_and(|g| {
                let kind = swap(&mut g.kind, &mut v.kind);
                let doc = swap(&mut g.doc, &mut v.doc);
                let start = swap(&mut g.start, &mut v.start);
                kind || doc || start
            }),
            Self::Node(g, k, v) => rig.graphs.get_mut(g).is_some_and(|g| trade(&mut g.nodes, k, v)),
            Self::Comment(g, k, v) => rig.graphs.get_mut(g).is_some_and(|g| trade(&mut g.comments, k, v)),
            Self::Place(g, k, v) => {
                let places = rig.layout.entry(g.clone()).or_default();
                let changed = trade(places, k, v);
                if places.is_empty() {
                    rig.layout.remove(g);
                }
                changed
            }
        }
    }
}

fn swap<T: PartialEq>(a: &mut T, b: &mut T) -> bool {
    let changed = a != b;
    std::mem::swap(a, b);
    changed
}

fn trade<K: Ord + Clone, V: PartialEq>(map: &mut BTreeMap<K, V>, key: &K, value: &mut Option<V>) -> bool {
    if map.get(key) == value.as_ref() {
        return false;
    }
    let before = match value.take() {
        Some(new) => map.insert(key.clone(), new),
        None => map.remove(key),
    };
    *value = before;
    true
}

/// Changes a rig and remembers how to go back.
pub(super) struct Recorder<'r> {
    pub rig: &'r mut Rig,
    pub log: Vec<Change>,
}

impl<'r> Recorder<'r> {
    pub fn new(rig: &'r mut Rig) -> Self {
        Self { rig, log: Vec::new() }
    }

    /// Makes a change; one that changes nothing is forgotten.
    pub fn put(&mut self, mut change: Change) {
        if change.swap(self.rig) {
            self.log.push(change);
        }
    }
}

/// Takes changes back, the last one first.
pub(super) fn undo(rig: &mut Rig, log: &mut [Change]) {
    for change in log.iter_mut().rev() {
        change.swap(rig);
    }
}

/// Makes changes again that were taken back.
pub(super) fn redo(rig: &mut Rig, log: &mut [Change]) {
    for change in log {
        change.swap(rig);
    }
}
