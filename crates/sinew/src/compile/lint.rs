//! What compiles and is probably not meant.

use std::collections::BTreeMap;

use super::check::{CheckedGraph, CheckedNode, Op, Scope, Source};
use super::diagnostic::{At, Code, Problems};
use crate::value::Type;
use crate::vm::Direction;

pub(super) fn lint(scope: &Scope<'_>, graphs: &[CheckedGraph<'_>], problems: &mut Problems) {
    for graph in graphs {
        for node in &graph.nodes {
            let at = At::node(graph.name, node.name);
            full_turn(node, &at, problems);
            division(node, &at, problems);
            overwritten(graph, node, problems);
        }
    }
    growing(scope, graphs, problems);
}

/// 360° as a constant rotation is no rotation: a spin is a value that changes over time.
fn full_turn(node: &CheckedNode<'_>, at: &At<'_>, problems: &mut Problems) {
    for pin in node.inputs.iter().filter(|p| p.name.contains("degrees")) {
        let Source::Constant(c) = &pin.source else { continue };
        if !matches!(pin.ty, Type::Float | Type::Vec3) {
            continue;
        }
        let turns = c.words.iter().map(|w| f32::from_bits(*w) / 360.0);
        if turns.into_iter().any(|t| t != 0.0 && t as i32 as f32 == t) {
            let message = "a rotation of a whole number of turns is no rotation";
            problems.warn(
                Code::FullTurn,
                &at.pin(&pin.name),
                message,
                "for a spin, let the angle grow with time",
            );
        }
    }
}

fn division(node: &CheckedNode<'_>, at: &At<'_>, problems: &mut Problems) {
    let Op::Unit { unit, .. } = &node.op else { return };
    if !matches!(unit.name, "Math.Divide" | "Math.Modulo") {
        return;
    }
    for pin in node.inputs.iter().filter(|p| p.name == "b") {
        if let Source::Constant(c) = &pin.source
            && c.words.iter().any(|w| f32::from_bits(*w) == 0.0)
        {
            problems.warn(Code::DivisionByZero, &at.pin("b"), "the divisor is zero", "set or link `b`");
        }
    }
}

/// Two full writes of one thing to one element, one right after the other.
fn overwritten(graph: &CheckedGraph<'_>, node: &CheckedNode<'_>, problems: &mut Problems) {
    let Some(next) = node.exec.get("next").map(|n| &graph.nodes[*n]) else { return };
    let (Op::Unit { unit: a, .. }, Op::Unit { unit: b, .. }) = (&node.op, &next.op) else { return };
    let whole =
        ["Hierarchy.SetTransform", "Hierarchy.SetTranslation", "Hierarchy.SetRotation", "Hierarchy.SetScale"];
    if a.name != b.name || !whole.contains(&a.name) {
        return;
    }
    fn pin<'n>(node: &'n CheckedNode<'_>, name: &str) -> Option<&'n Source<'n>> {
        node.inputs.iter().find(|p| p.name == name).map(|p| &p.source)
    }
    let same = |name| match (pin(node, name), pin(next, name)) {
        (Some(Source::Constant(a)), Some(Source::Constant(b))) => a == b,
        (None, None) => true,
        _ => false,
    };
    let full = match pin(next, "weight") {
        Some(Source::Constant(c)) => c.words.first() == Some(&1.0f32.to_bits()),
        None => true,
        _ => false,
    };
    // The second write may be made from what the first one wrote.
    let reads = next.inputs.iter().any(|p| matches!(p.source, Source::Link { .. }) && p.name != "item");
    if same("item") && same("space") && full && !reads {
        let message = format!("what it writes is overwritten at once by `{}`", next.name);
        problems.warn(
            Code::OverwrittenWrite,
            &At::node(graph.name, node.name),
            message,
            "remove one of the two",
        );
    }
}

/// Variables that only ever gain elements.
fn growing(scope: &Scope<'_>, graphs: &[CheckedGraph<'_>], problems: &mut Problems) {
    let mut gains: BTreeMap<usize, (&str, &str)> = BTreeMap::new();
    let mut resets = Vec::new();
    for graph in graphs {
        for node in &graph.nodes {
            match &node.op {
                Op::Set(v) => resets.push(*v),
                Op::Unit { unit, .. } => {
                    for pin in unit.pins.iter().filter(|p| p.direction == Direction::InOut) {
                        let source = node.inputs.iter().find(|p| p.name == pin.name).map(|p| &p.source);
                        let Some(Source::Link { node: from, .. }) = source else { continue };
                        let Op::Get(v) = graph.nodes[*from].op else { continue };
                        match unit.name {
                            "Array.Add" | "Array.Insert" => {
                                gains.entry(v).or_insert((graph.name, node.name));
                            }
                            _ => resets.push(v),
                        }
                    }
                }
                _ => {}
            }
        }
    }
    for (v, (graph, node)) in gains {
        if !resets.contains(&v) {
            let name = scope.variables.get(v).map_or("", |v| v.name.as_str());
            let message = format!("array `{name}` only ever gains elements: it will reach its capacity");
            let remedy = "reset it at the start of the frame, or remove what is not needed";
            problems.warn(Code::GrowingArray, &At::node(graph, node), message, remedy);
        }
    }
}
