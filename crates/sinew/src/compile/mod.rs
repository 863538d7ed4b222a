//! From a rig to a program: check, lower, lay out, emit.
//!
//! ```text
//! Rig ─ symbols, check ─► checked graphs ─ lower, fold ─► operations ─ layout ─► emit ─► Program
//! ```
//!
//! [`compile`] reports every problem of a rig at once, each with its code, node, pin and remedy,
//! and gives no program if any is an error.

mod check;
mod curves;
mod diagnostic;
mod effects;
mod elements;
mod emit;
mod flow;
mod fold;
mod ir;
mod layout;
mod lint;
mod lower;
mod overload;
mod symbols;

use std::collections::BTreeMap;

use crate::graph::{Graph, NodeOp, Rig, Role};
use crate::value::Type;
use crate::vm::{
    Container, ElementWord, Event, Function, Instr, MAX_CONTAINER_WORDS, Operand, Program, Registry,
    Variable, VariableRole,
};

use check::{CheckedGraph, FunctionPins, Scope};
use diagnostic::{At, Problems};
use effects::{Effects, of_node};
use emit::{Emitter, Laid};
use ir::{Nodes, Pool};
use lower::{Callee, Lowering};
use symbols::{Constant, Symbols};

pub use diagnostic::{Code, CompileError, Diagnostic, Level};
pub use flow::{Flow, FlowInfo};
pub use lower::MAX_NESTING;
pub use overload::CONVERSIONS;

/// A program and what is doubtful about its rig.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// Ready to be bound.
    pub program: Program,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
}

/// Compiles a rig against the units that a host has.
///
/// Takes about 5 µs a node. The same rig and units give the same program, byte for byte.
pub fn compile(rig: &Rig, registry: &Registry) -> Result<Compiled, CompileError> {
    let mut problems = Problems::default();
    let program = build(rig, registry, &mut problems);
    problems.all.sort_by(|a, b| b.level.cmp(&a.level).then_with(|| a.place().cmp(&b.place())));
    match program {
        Some(program) if !problems.any_error() => Ok(Compiled { program, warnings: problems.all }),
        _ => Err(CompileError(problems.all)),
    }
}

/// All that is wrong or doubtful with a rig, whether it compiles or not.
pub fn diagnose(rig: &Rig, registry: &Registry) -> Vec<Diagnostic> {
    match compile(rig, registry) {
        Ok(compiled) => compiled.warnings,
        Err(error) => error.0,
    }
}

impl Program {
    /// Compiles a rig; see [`compile`].
    pub fn compile(rig: &Rig, registry: &Registry) -> Result<Self, CompileError> {
        compile(rig, registry).map(|c| c.program)
    }
}

fn build<'r>(rig: &'r Rig, registry: &'r Registry, problems: &mut Problems) -> Option<Program> {
    let mut symbols = Symbols::new(rig, problems);
    let mut program = Program { name: rig.name.clone(), ..Program::default() };
    program.elements = elements::declare(rig, &mut symbols, problems);
    let curves = curves::curves(rig, problems);
    let variables = declare_variables(rig, &mut symbols, problems);
    let functions = declare_functions(rig, &mut symbols, problems);
    let scope = Scope { registry, variables, functions };
    let checked: Vec<CheckedGraph<'r>> = rig
        .graphs
        .iter()
        .map(|(name, graph)| check::check(&scope, name, graph, &mut symbols, problems))
        .collect();
    let order = function_order(rig, problems)?;
    lint::lint(&scope, &checked, problems);
    if problems.any_error() {
        return None;
    }
    let external = lay_out_variables(&scope, &mut program, problems);
    let (mut pool, mut nodes) = (Pool::default(), Nodes::default());
    let graph = |name: &str| checked.iter().find(|g| g.name == name);
    // Callees are lowered before their callers, and numbered after them.
    let mut callees: BTreeMap<&str, Callee> = BTreeMap::new();
    let mut laid: Vec<Option<Laid<'r>>> = order.iter().map(|_| None).collect();
    for (id, name) in order.iter().enumerate().rev() {
        let Some(checked) = graph(name) else { continue };
        let effects = function_effects(checked, &callees);
        callees.insert(name, Callee { id: id as u32, effects, state: Vec::new() });
        let lowering = Lowering::new(&scope, checked, &callees, &external, &mut pool, &mut nodes, problems);
        let body = lowering.run();
        if let Some(callee) = callees.get_mut(name) {
            callee.state = body.state.clone();
        }
        let pins = scope.functions.get(name);
        let frame = pins.map_or(0, |p| {
            let inputs: u32 = p.inputs.iter().map(|(_, t, _)| t.words()).sum();
            let outputs: u32 = p.outputs.iter().map(|(_, t)| t.words()).sum();
            inputs.saturating_add(outputs)
        });
        laid[id] = Some(Laid::new(body, frame));
    }
    let mut events = Vec::new();
    for checked in checked.iter().filter(|g| !g.is_function) {
        let lowering = Lowering::new(&scope, checked, &callees, &external, &mut pool, &mut nodes, problems);
        let mut body = lowering.run();
        shift_state(&mut body, program.state.len() as u32);
        program.state.extend(&body.state);
        events.push((checked.name, Laid::new(body, 0)));
    }
    if problems.any_error() {
        return None;
    }
    program.strings = std::mem::take(&mut symbols.strings);
    program.curves = curves;
    program.keys = std::mem::take(&mut symbols.keys);
    let mut functions: Vec<Laid<'r>> = laid.into_iter().flatten().collect();
    place_frames(&mut functions, &events);
    emit_all(&mut program, &pool, &nodes, &functions, &events, &order, problems);
    let sizes =
        [program.literals.len(), program.work_words as usize, program.state.len(), program.external.len()];
    if sizes.iter().any(|s| *s > MAX_CONTAINER_WORDS as usize) {
        let message = format!("registers, constants or variables exceed {MAX_CONTAINER_WORDS} words");
        problems.error(Code::TooLarge, &At::rig(), message, "lower the capacity of arrays");
    }
    Some(program)
}

/// Units count their state from the body's own block; an event's block begins behind those of the
/// events before it.
fn shift_state(body: &mut ir::Body<'_>, by: u32) {
    fn shift(ops: &mut [ir::Op<'_>], by: u32) {
        for op in ops {
            match op {
                ir::Op::Call { args, .. } => args.iter_mut().for_each(|a| {
                    if let ir::Arg::State(s) = a {
                        *s += by;
                    }
                }),
                ir::Op::Function { state, .. } => *state += by,
                ir::Op::Block { body, .. } | ir::Op::Loop { body, .. } => shift(body, by),
                _ => {}
            }
        }
    }
    shift(&mut body.ops, by);
}

/// A function's frame lies behind those of all that may call it, so no call overwrites a register
/// that its caller still needs.
fn place_frames(functions: &mut [Laid<'_>], events: &[(&str, Laid<'_>)]) {
    for (_, event) in events {
        for callee in &event.body.calls {
            let base = event.base.saturating_add(event.size);
            if let Some(f) = functions.get_mut(*callee as usize) {
                f.base = f.base.max(base);
            }
        }
    }
    // Callers come first in the list.
    for i in 0..functions.len() {
        let base = functions[i].base.saturating_add(functions[i].size);
        for callee in functions[i].body.calls.clone() {
            if let Some(f) = functions.get_mut(callee as usize) {
                f.base = f.base.max(base);
            }
        }
    }
}

fn emit_all(
    program: &mut Program,
    pool: &Pool,
    nodes: &Nodes,
    functions: &[Laid<'_>],
    events: &[(&str, Laid<'_>)],
    order: &[&str],
    problems: &mut Problems,
) {
    let all = || functions.iter().chain(events.iter().map(|(_, e)| e));
    program.work_words = all().map(|l| l.base.saturating_add(l.size)).max().unwrap_or(0);
    program.map.work_unshared =
        all().fold(0, |sum, l| sum.saturating_add(l.unshared).saturating_add(l.frame));
    let frames = functions.iter().map(|f| f.base).collect();
    let mut emitter = Emitter::new(program, pool, frames, nodes);
    let (mut made_events, mut made_functions) = (Vec::new(), Vec::new());
    for (name, laid) in events {
        match emitter.body(laid, Instr::Exit) {
            Ok((start, end)) => made_events.push(Event { name: (*name).to_string(), start, end }),
            Err(e) => {
                problems.error(Code::TooLarge, &At::graph(name), format!("too many {}", e.0), "split the rig")
            }
        }
    }
    for (name, laid) in order.iter().zip(functions) {
        match emitter.body(laid, Instr::Return) {
            Ok((start, end)) => made_functions.push(Function {
                name: (*name).to_string(),
                start,
                end,
                state_words: laid.body.state.len() as u32,
            }),
            Err(e) => {
                problems.error(Code::TooLarge, &At::graph(name), format!("too many {}", e.0), "split it")
            }
        }
    }
    emitter.notes(nodes);
    program.events = made_events;
    program.functions = made_functions;
}

fn declare_variables<'r>(
    rig: &'r Rig,
    symbols: &mut Symbols<'r>,
    problems: &mut Problems,
) -> Vec<check::Variable> {
    let mut out = Vec::new();
    for (name, decl) in &rig.variables {
        let at = At { node: name, ..At::rig() };
        let ty = match symbols.ty(&decl.ty, decl.capacity) {
            Ok(ty) => ty,
            Err(e) => {
                problems.error(Code::UnknownType, &at, e, "");
                Type::Float
            }
        };
        let initial = match &decl.default {
            None => symbols.zero(&ty),
            Some(literal) => symbols.constant(literal, &ty, name).unwrap_or_else(|e| {
                problems.error(Code::BadLiteral, &at.pin("default"), e, "");
                Constant::zero(ty.words())
            }),
        };
        out.push(check::Variable { name: name.clone(), ty, role: decl.role, initial });
    }
    out
}

fn declare_functions<'r>(
    rig: &'r Rig,
    symbols: &mut Symbols<'r>,
    problems: &mut Problems,
) -> BTreeMap<&'r str, FunctionPins> {
    let mut out = BTreeMap::new();
    for (name, graph) in &rig.graphs {
        let Some(decl) = graph.function() else { continue };
        let at = At::graph(name);
        let mut pins = FunctionPins::default();
        for (pin, d) in decl.ordered_inputs() {
            match symbols.ty(&d.ty, None) {
                Ok(ty) => {
                    let default = match &d.default {
                        None => symbols.zero(&ty),
                        Some(l) => symbols.constant(l, &ty, name).unwrap_or_else(|e| {
                            problems.error(Code::BadLiteral, &at.pin(pin), e, "");
                            Constant::zero(ty.words())
                        }),
                    };
                    pins.inputs.push((pin.to_string(), ty, default));
                }
                Err(e) => problems.error(Code::UnknownType, &at.pin(pin), e, ""),
            }
        }
        for (pin, d) in decl.ordered_outputs() {
            match symbols.ty(&d.ty, None) {
                Ok(ty) => pins.outputs.push((pin.to_string(), ty)),
                Err(e) => problems.error(Code::UnknownType, &at.pin(pin), e, ""),
            }
        }
        out.insert(name.as_str(), pins);
    }
    out
}

/// Gives every variable its words of External; the offset of each.
fn lay_out_variables(scope: &Scope<'_>, program: &mut Program, problems: &mut Problems) -> Vec<u32> {
    let mut offsets = Vec::new();
    for v in &scope.variables {
        let offset = program.external.len() as u32;
        if offset.saturating_add(v.ty.words()) > MAX_CONTAINER_WORDS {
            let at = At { node: &v.name, ..At::rig() };
            problems.error(
                Code::TooLarge,
                &at,
                "variables take too much memory",
                "lower the capacity of arrays",
            );
            return vec![0; scope.variables.len()];
        }
        offsets.push(offset);
        program.external.extend(&v.initial.words);
        for (word, key) in &v.initial.elements {
            if let Some(word) = Operand::new(Container::External, offset + word) {
                program.element_words.push(ElementWord { word, key: *key });
            }
        }
        let variants = match &v.ty {
            Type::Enum(e) => e.variants.clone(),
            _ => Vec::new(),
        };
        program.variables.push(Variable {
            name: v.name.clone(),
            ty: v.ty.to_string(),
            role: match v.role {
                Role::Input => VariableRole::Input,
                Role::Output => VariableRole::Output,
                Role::Internal => VariableRole::Internal,
            },
            offset,
            words: v.ty.words(),
            variants,
        });
    }
    offsets
}

/// What calling a function reads and writes. Nodes that nothing executes or uses count too, which
/// errs on the side of evaluating anew.
fn function_effects(graph: &CheckedGraph<'_>, callees: &BTreeMap<&str, Callee>) -> Effects {
    let mut all = Effects::default();
    let callee = |f: &str| callees.get(f).map(|c| c.effects.clone()).unwrap_or_default();
    for node in &graph.nodes {
        all.add(&of_node(graph, node, &callee));
    }
    all.ordered = graph.start.is_some();
    all
}

/// Functions with callers before what they call. Recursion is told by the names in the circle.
fn function_order<'r>(rig: &'r Rig, problems: &mut Problems) -> Option<Vec<&'r str>> {
    let functions: Vec<(&str, &Graph)> = rig.functions().collect();
    let index = |name: &str| functions.binary_search_by(|(n, _)| (*n).cmp(name)).ok();
    let calls: Vec<Vec<usize>> = functions
        .iter()
        .map(|(_, g)| {
            let mut to: Vec<usize> = g
                .nodes
                .values()
                .filter_map(|n| match &n.op {
                    NodeOp::Call(f) => index(f),
                    _ => None,
                })
                .collect();
            to.sort_unstable();
            to.dedup();
            to
        })
        .collect();
    let mut callers = vec![0usize; functions.len()];
    calls.iter().flatten().for_each(|c| callers[*c] += 1);
    let mut order: Vec<usize> = (0..functions.len()).filter(|i| callers[*i] == 0).collect();
    let mut at = 0;
    while let Some(&f) = order.get(at) {
        at += 1;
        for &c in &calls[f] {
            callers[c] -= 1;
            if callers[c] == 0 {
                order.push(c);
            }
        }
    }
    if order.len() == functions.len() {
        return Some(order.into_iter().map(|i| functions[i].0).collect());
    }
    // Following callees that wait for each other must come round.
    let first = (0..functions.len()).find(|i| callers[*i] > 0)?;
    let mut path = vec![first];
    let waits_on = |f: usize| (0..functions.len()).find(|c| callers[*c] > 0 && calls[*c].contains(&f));
    while let Some(next) = waits_on(path[path.len() - 1]) {
        if let Some(start) = path.iter().position(|p| *p == next) {
            let circle = path[start..].iter().rev().chain([&path[path.len() - 1]]);
            let names: Vec<_> = circle.map(|i| functions[*i].0).collect();
            let message = format!("functions call each other in a circle: {}", names.join(" → "));
            problems.error(Code::Recursion, &At::graph(functions[next].0), message, "use a loop instead");
            break;
        }
        path.push(next);
    }
    None
}
