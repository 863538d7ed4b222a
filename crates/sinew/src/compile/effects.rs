//! What a node reads and writes, so that values are shared only while they stay right.

use std::collections::BTreeSet;

use super::check::{CheckedGraph, CheckedNode, Op};
use super::flow::Flow;
use crate::vm::{Direction, HierarchyUse};

/// Something that changes during a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Thing {
    Hierarchy,
    Variable(usize),
}

/// What a node, or all of a function, reads and writes.
#[derive(Clone, Debug, Default)]
pub(super) struct Effects {
    pub reads: BTreeSet<Thing>,
    pub writes: BTreeSet<Thing>,
    /// True if it stands in the execution order.
    pub ordered: bool,
}

impl Effects {
    pub fn add(&mut self, other: &Self) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.ordered |= other.ordered;
    }
}

/// The effects of one node by itself. `functions` are the effects of those called.
pub(super) fn of_node(
    graph: &CheckedGraph<'_>,
    node: &CheckedNode<'_>,
    functions: &dyn Fn(&str) -> Effects,
) -> Effects {
    let mut e = Effects::default();
    match &node.op {
        Op::Unit { unit, .. } => {
            e.ordered = unit.kind.is_ordered();
            match unit.hierarchy {
                HierarchyUse::None => {}
                HierarchyUse::Reads => {
                    e.reads.insert(Thing::Hierarchy);
                }
                HierarchyUse::Writes => {
                    e.writes.insert(Thing::Hierarchy);
                }
            }
            for pin in unit.pins.iter().filter(|p| p.direction == Direction::InOut) {
                let input = node.inputs.iter().find(|i| i.name == pin.name);
                if let Some(super::check::Source::Link { node, .. }) = input.map(|i| &i.source)
                    && let Op::Get(v) = graph.nodes[*node].op
                {
                    e.writes.insert(Thing::Variable(v));
                }
            }
        }
        Op::Call(f) => e = functions(f),
        Op::Get(v) => {
            e.reads.insert(Thing::Variable(*v));
        }
        Op::Set(v) => {
            e.writes.insert(Thing::Variable(*v));
            e.ordered = true;
        }
        Op::Flow(flow) => e.ordered = flow.is_ordered() && *flow != Flow::If,
        Op::Const | Op::Inputs | Op::Broken => {}
    }
    e
}
