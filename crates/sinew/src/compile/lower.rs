//! From a checked graph to ordered operations.
//!
//! Execution links give the order. What a node reads is pulled: a pure node is evaluated where it
//! is first needed, as far out of loops as its inputs allow, and shared wherever its value is
//! still right. A value knows which things that change (the hierarchy, a variable) it was made
//! from and in which epoch of each; after a write it is made anew.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::check::{CheckedGraph, CheckedNode, InPin, Op as NodeKind, Scope, Source, case_value};
use super::diagnostic::{At, Code, Problems};
use super::effects::{Effects, Thing, of_node};
use super::flow::Flow;
use super::fold::fold;
use super::ir::{Arg, Base, Body, Nodes, Op, Place, Pool, Reg};
use super::symbols::Constant;
use crate::value::Type;
use crate::vm::{Direction, HierarchyUse, UnitDef, UnitKind};

/// How deep branches, loops and lazy choices may be nested.
pub const MAX_NESTING: usize = 64;

/// What one function needs to be called.
#[derive(Clone, Debug, Default)]
pub(super) struct Callee {
    pub id: u32,
    pub effects: Effects,
    pub state: Vec<u32>,
}

pub(super) struct Lowering<'l, 'r> {
    pub scope: &'l Scope<'r>,
    pub graph: &'l CheckedGraph<'r>,
    pub callees: &'l BTreeMap<&'r str, Callee>,
    /// Word offset of each variable in External.
    pub variables: &'l [u32],
    pub pool: &'l mut Pool,
    pub nodes: &'l mut Nodes,
    pub problems: &'l mut Problems,
    body: Body<'r>,
    blocks: Vec<Block<'r>>,
    /// By node and output: its value, where it is right.
    values: HashMap<(usize, usize), Value>,
    /// Equal calls of pure units.
    numbered: HashMap<CallKey, Vec<Place>>,
    epochs: BTreeMap<Thing, u32>,
    node_ids: Vec<u32>,
    emitted: Vec<bool>,
    executed: BTreeSet<usize>,
    /// Nodes with an execution link to them: they are evaluated at that place and nowhere else,
    /// even those that change nothing.
    entered: Vec<bool>,
}

/// What makes two calls of pure units equal: the unit, its inputs, the epochs they are from.
type CallKey = (usize, Vec<Arg>, Vec<(Thing, u32)>);

#[derive(Debug)]
struct Block<'r> {
    ops: Vec<Op<'r>>,
    is_loop: bool,
    /// What the block writes, for a loop: known before its body is lowered.
    writes: BTreeSet<Thing>,
    /// Keys to forget when it ends.
    values: Vec<(usize, usize)>,
    numbers: Vec<CallKey>,
}

/// What a node gave.
#[derive(Clone, Debug)]
struct Value {
    place: Place,
    /// The things it was made from, in which epochs.
    made_from: Vec<(Thing, u32)>,
    /// The block that it is defined in.
    level: usize,
}

impl<'l, 'r> Lowering<'l, 'r> {
    #[allow(clippy::too_many_arguments)]
    pub fn new(
        scope: &'l Scope<'r>,
        graph: &'l CheckedGraph<'r>,
        callees: &'l BTreeMap<&'r str, Callee>,
        variables: &'l [u32],
        pool: &'l mut Pool,
        nodes: &'l mut Nodes,
        problems: &'l mut Problems,
    ) -> Self {
        let mut entered = vec![false; graph.nodes.len()];
        for target in graph.nodes.iter().flat_map(|n| n.exec.values()).chain(&graph.start) {
            entered[*target] = true;
        }
        let node_ids = graph.nodes.iter().map(|n| nodes.add(format!("{}/{}", graph.name, n.name))).collect();
        Self {
            scope,
            graph,
            callees,
            variables,
            pool,
            nodes,
            problems,
            body: Body::default(),
            blocks: Vec::new(),
            values: HashMap::new(),
            numbered: HashMap::new(),
            epochs: BTreeMap::new(),
            node_ids,
            emitted: vec![false; graph.nodes.len()],
            executed: BTreeSet::new(),
            entered,
        }
    }

    /// Lowers the whole graph.
    pub fn run(mut self) -> Body<'r> {
        self.open(false, BTreeSet::new());
        if self.graph.is_function {
            let mut offset = 0;
            for (i, (_, ty)) in self.graph.nodes.first().map_or(&[][..], |n| &n.outputs).iter().enumerate() {
                let own = self.callees.get(self.graph.name).map_or(0, |c| c.id);
                let place = Place { base: Base::Frame(own), offset };
                self.values.insert((0, i), Value { place, made_from: Vec::new(), level: 0 });
                offset += ty.words();
            }
        }
        if let Some(start) = self.graph.start {
            self.sequence(start);
        }
        if self.graph.is_function {
            self.function_results();
        }
        self.tell_unused();
        self.body.ops = self.blocks.pop().map(|b| b.ops).unwrap_or_default();
        self.body
    }

    fn function_results(&mut self) {
        let graph = self.graph;
        let own = self.callees.get(graph.name).map_or(0, |c| c.id);
        let mut offset: u32 =
            graph.nodes.first().map_or(0, |n| n.outputs.iter().map(|(_, t)| t.words()).sum());
        for pin in &graph.results {
            let at = At::graph(graph.name).pin(&pin.name);
            let node = self.node_ids.first().copied().unwrap_or(u32::MAX);
            let value = self.input(pin, &at, node);
            let to = Place { base: Base::Frame(own), offset };
            self.emit(Op::Copy { to, from: value.place, words: pin.ty.words(), node });
            offset += pin.ty.words();
        }
    }

    fn tell_unused(&mut self) {
        for (id, node) in self.graph.nodes.iter().enumerate() {
            if self.emitted[id] || matches!(node.op, NodeKind::Inputs | NodeKind::Broken) {
                continue;
            }
            let at = At::node(self.graph.name, node.name);
            if matches!(node.op, NodeKind::Const | NodeKind::Get(_)) && self.is_linked(id) {
                self.nodes.note(self.node_ids[id], "read where it is used: it has no instruction of its own");
                continue;
            }
            let ordered = self.is_ordered(id);
            let (why, remedy) = if ordered {
                ("execution never reaches the node", "link it behind a node that is executed, or remove it")
            } else {
                ("nothing that is executed uses the node", "link its result, or remove it")
            };
            self.nodes.note(self.node_ids[id], format!("left out: {why}"));
            self.problems.warn(Code::UnusedNode, &at, why, remedy);
        }
    }

    fn is_linked(&self, id: usize) -> bool {
        let links = |pin: &InPin<'_>| {
            let parts = pin.parts.iter().map(|(.., s)| s);
            parts.chain([&pin.source]).any(|s| matches!(s, Source::Link { node, .. } if *node == id))
        };
        self.graph.results.iter().any(links)
            || (0..self.graph.nodes.len())
                .any(|n| self.emitted[n] && self.graph.nodes[n].inputs.iter().any(links))
    }

    // Blocks.

    fn open(&mut self, is_loop: bool, writes: BTreeSet<Thing>) {
        let (values, numbers) = (Vec::new(), Vec::new());
        self.blocks.push(Block { ops: Vec::new(), is_loop, writes, values, numbers });
    }

    fn close(&mut self) -> Vec<Op<'r>> {
        let Some(block) = self.blocks.pop() else { return Vec::new() };
        for key in &block.values {
            self.values.remove(key);
        }
        for key in &block.numbers {
            self.numbered.remove(key);
        }
        block.ops
    }

    fn level(&self) -> usize {
        self.blocks.len().saturating_sub(1)
    }

    fn emit(&mut self, op: Op<'r>) {
        let level = self.level();
        self.emit_at(level, op);
    }

    fn emit_at(&mut self, level: usize, op: Op<'r>) {
        if let Some(block) = self.blocks.get_mut(level) {
            block.ops.push(op);
        }
    }

    fn register(&mut self, node: usize, pin: &str, ty: &Type) -> Place {
        let name = format!("{}/{}.{pin}", self.graph.name, self.graph.nodes.get(node).map_or("", |n| n.name));
        self.body.regs.push(Reg { words: ty.words(), name, ty: ty.to_string() });
        Place { base: Base::Reg(self.body.regs.len() as u32 - 1), offset: 0 }
    }

    fn epoch(&self, thing: Thing) -> u32 {
        self.epochs.get(&thing).copied().unwrap_or(0)
    }

    fn wrote(&mut self, things: &BTreeSet<Thing>) {
        for thing in things {
            *self.epochs.entry(*thing).or_default() += 1;
        }
    }

    fn is_right(&self, value: &Value) -> bool {
        value.made_from.iter().all(|(thing, epoch)| self.epoch(*thing) == *epoch)
    }

    // Execution.

    /// Lowers a node and what follows it.
    fn sequence(&mut self, start: usize) {
        let mut next = Some(start);
        while let Some(id) = next {
            // Entered once by construction; the check has refused circles.
            if !self.executed.insert(id) {
                return;
            }
            self.execute(id);
            next = self.graph.nodes[id].exec.get("next").copied();
        }
    }

    /// Lowers what hangs on an execution pin as a block of its own.
    fn side(&mut self, id: usize, pin: &str, is_loop: bool, writes: BTreeSet<Thing>) -> Vec<Op<'r>> {
        self.open(is_loop, writes);
        if let Some(start) = self.graph.nodes[id].exec.get(pin).copied() {
            if self.blocks.len() > MAX_NESTING {
                self.too_deep(id);
            } else {
                self.sequence(start);
            }
        }
        self.close()
    }

    fn too_deep(&mut self, id: usize) {
        let at = At::node(self.graph.name, self.graph.nodes[id].name);
        let message = format!("branches, loops and choices are nested more than {MAX_NESTING} deep");
        self.problems.error(Code::Nesting, &at, message, "move the inner part into a function");
    }

    fn execute(&mut self, id: usize) {
        let graph = self.graph;
        let node = &graph.nodes[id];
        let at = At::node(graph.name, node.name);
        self.emitted[id] = true;
        match &node.op {
            NodeKind::Unit { unit, any } if unit.kind.is_ordered() => {
                self.call_unit(id, node, unit, any.as_ref());
            }
            NodeKind::Unit { .. } => {
                // Evaluated here and kept: what comes later sees this moment.
                self.evaluate(id);
                let level = self.level();
                for output in 0..node.outputs.len() {
                    if let Some(value) = self.values.get(&(id, output)).cloned() {
                        self.put(id, output, Value { made_from: Vec::new(), level, ..value });
                    }
                }
            }
            NodeKind::Set(v) => self.set_variable(id, node, *v),
            NodeKind::Call(f) => self.call_function(id, node, f),
            NodeKind::Flow(flow) if flow.is_ordered() => self.flow(id, node, *flow),
            NodeKind::Broken => {}
            _ => {
                let message = "the node changes nothing, so it is not executed";
                let remedy = "take it out of the execution links; it is evaluated where its result is used";
                self.problems.error(Code::ExecTarget, &at, message, remedy);
            }
        }
    }

    fn set_variable(&mut self, id: usize, node: &'l CheckedNode<'r>, variable: usize) {
        let Some(pin) = node.inputs.first() else { return };
        let at = At::node(self.graph.name, node.name).pin("value");
        let ir_node = self.node_ids[id];
        let base = Place { base: Base::External, offset: self.variables[variable] };
        if matches!(pin.source, Source::Missing) {
            // Parts alone: the rest of the variable stays as it is.
            let parts: Vec<_> =
                pin.parts.iter().map(|(o, t, s)| (*o, t.words(), self.source(s, t, &at))).collect();
            for (offset, words, value) in parts {
                self.emit(Op::Copy { to: base.part(offset), from: value.place, words, node: ir_node });
            }
        } else {
            let value = self.input(pin, &at, ir_node);
            self.emit(Op::Copy { to: base, from: value.place, words: pin.ty.words(), node: ir_node });
        }
        self.wrote(&BTreeSet::from([Thing::Variable(variable)]));
    }

    fn flow(&mut self, id: usize, node: &'l CheckedNode<'r>, flow: Flow) {
        match flow {
            Flow::Branch => {
                let Some(condition) = self.whole_input(id, "condition", &Type::Bool) else { return };
                self.branch(id, condition, "true", "false");
            }
            Flow::Sequence => {
                let pins: Vec<usize> =
                    node.exec.iter().filter(|(p, _)| **p != "next").map(|(_, n)| *n).collect();
                for start in pins {
                    self.sequence(start);
                }
            }
            Flow::Switch => self.switch(id, node),
            Flow::For | Flow::ForEach => self.for_loop(id, node, flow),
            Flow::While => self.while_loop(id, node),
            Flow::If | Flow::Select => {}
        }
    }

    fn branch(&mut self, id: usize, condition: Place, yes: &str, no: &str) {
        let known = self.pool.words(condition, 1).map(|w| w[0] != 0);
        let ir_node = self.node_ids[id];
        for (pin, when) in [(yes, true), (no, false)] {
            if !self.graph.nodes[id].exec.contains_key(pin) {
                continue;
            }
            match known {
                // A constant condition: the side taken needs no block, the other is left out.
                Some(k) if k == when => {
                    let start = self.graph.nodes[id].exec[pin];
                    self.sequence(start);
                }
                Some(_) => {
                    self.nodes.note(ir_node, format!("its condition is a constant: `{pin}` is left out"))
                }
                None => {
                    let body = self.side(id, pin, false, BTreeSet::new());
                    self.emit(Op::Block { condition, when, body, node: ir_node });
                }
            }
        }
    }

    fn switch(&mut self, id: usize, node: &'l CheckedNode<'r>) {
        let ty = node.inputs.first().map_or(Type::Int, |p| p.ty.clone());
        let Some(value) = self.whole_input(id, "value", &ty) else { return };
        let cases: Vec<(&str, i32)> = node
            .exec
            .keys()
            .filter(|p| !matches!(**p, "default" | "next"))
            .filter_map(|p| Some((*p, case_value(&ty, p)?)))
            .collect();
        let ir_node = self.node_ids[id];
        // Each case hangs in the other side of the one before, so that just one is taken.
        let mut conditions = Vec::new();
        for (pin, number) in &cases {
            if self.blocks.len() > MAX_NESTING {
                self.too_deep(id);
                break;
            }
            let Some(condition) = self.equals(id, value, *number) else { break };
            let body = self.side(id, pin, false, BTreeSet::new());
            self.emit(Op::Block { condition, when: true, body, node: ir_node });
            self.open(false, BTreeSet::new());
            conditions.push(condition);
        }
        if let Some(start) = node.exec.get("default").copied() {
            self.sequence(start);
        }
        while let Some(condition) = conditions.pop() {
            let body = self.close();
            if !body.is_empty() {
                self.emit(Op::Block { condition, when: false, body, node: ir_node });
            }
        }
    }

    /// Whether a value is a number.
    fn equals(&mut self, id: usize, value: Place, number: i32) -> Option<Place> {
        let unit = self.helper(id, "Math.Equal", &[Type::Int, Type::Int])?;
        let number = self.pool.int(number);
        let level = self.level();
        let a = Value { place: value, made_from: Vec::new(), level };
        let b = Value { place: number, made_from: Vec::new(), level: 0 };
        self.pure_call(id, unit, None, &[(a, Type::Int), (b, Type::Int)], &[Type::Bool])
            .first()
            .map(|v| v.place)
    }

    fn for_loop(&mut self, id: usize, node: &'l CheckedNode<'r>, flow: Flow) {
        let at = At::node(self.graph.name, node.name);
        let ir_node = self.node_ids[id];
        let writes = self.writes_below(id, "body");
        let Some(pin) = node.inputs.first() else { return };
        let source = self.input(pin, &at.pin(&pin.name), ir_node);
        let (count, bound, items) = match (&pin.ty, flow) {
            (Type::Array(elem, capacity), _) => {
                let source = self.keep_array(id, source, &pin.ty, &writes);
                let Some(length) = self.helper(id, "Array.Length", &[]) else { return };
                let count =
                    self.pure_call(id, length, Some(elem), &[(source.clone(), pin.ty.clone())], &[Type::Int]);
                let Some(count) = count.first().map(|v| v.place) else { return };
                (count, *capacity, Some((source, pin.ty.clone(), (**elem).clone())))
            }
            _ => {
                let known = self.pool.words(source.place, 1).map(|w| w[0] as i32);
                let bound = match (node.capacity, known) {
                    (Some(bound), _) => bound,
                    (None, Some(count)) => count.max(0) as u32,
                    (None, None) => {
                        let remedy = "set the node's `capacity` to the most turns it may take";
                        let message = "the count is no constant, so the loop must state its bound";
                        self.problems.error(Code::MissingBound, &at, message, remedy);
                        return;
                    }
                };
                (source.place, bound, None)
            }
        };
        let bound = self.pool.int(i32::try_from(bound).unwrap_or(i32::MAX));
        // The count may be a variable that the body changes; the loop has as many turns as it
        // had at the start.
        let count = match count.base {
            Base::External => {
                let kept = self.register(id, "count", &Type::Int);
                self.emit(Op::Copy { to: kept, from: count, words: 1, node: ir_node });
                kept
            }
            _ => count,
        };
        let index = self.register(id, "index", &Type::Int);
        let Base::Reg(index_reg) = index.base else { return };
        self.wrote(&writes);
        self.open(true, writes);
        self.loop_outputs(id, node, index, count, items);
        self.loop_body(id);
        let body = self.close();
        self.emit(Op::Loop { index: index_reg, count, bound, until_break: false, body, node: ir_node });
    }

    fn loop_body(&mut self, id: usize) {
        if let Some(start) = self.graph.nodes[id].exec.get("body").copied() {
            if self.blocks.len() > MAX_NESTING {
                self.too_deep(id);
            } else {
                self.sequence(start);
            }
        }
    }

    fn loop_outputs(
        &mut self,
        id: usize,
        node: &'l CheckedNode<'r>,
        index: Place,
        count: Place,
        items: Option<(Value, Type, Type)>,
    ) {
        let level = self.level();
        let value = |place| Value { place, made_from: Vec::new(), level };
        for (output, (name, ty)) in node.outputs.iter().enumerate() {
            if !self.output_is_used(id, output) {
                continue;
            }
            let made = match name.as_str() {
                "index" => Some(value(index)),
                "count" => Some(value(count)),
                "ratio" => {
                    let Some(unit) = self.helper(id, "Loop.Ratio", &[]) else { continue };
                    let args = [(value(index), Type::Int), (value(count), Type::Int)];
                    self.pure_call(id, unit, None, &args, std::slice::from_ref(ty)).pop()
                }
                _ => {
                    let (Some((items, array, elem)), Some(unit)) =
                        (items.clone(), self.helper(id, "Array.Get", &[]))
                    else {
                        continue;
                    };
                    let args = [(items, array), (value(index), Type::Int)];
                    self.pure_call(id, unit, Some(&elem), &args, std::slice::from_ref(ty)).pop()
                }
            };
            if let Some(v) = made {
                self.put(id, output, v);
            }
        }
    }

    /// The array as it is when the loop starts: its register, the variable it stands in, or a copy
    /// of that where the loop's body changes it.
    fn keep_array(&mut self, id: usize, source: Value, ty: &Type, writes: &BTreeSet<Thing>) -> Value {
        if source.place.base != Base::External {
            // A register is not written again, whatever becomes of what it was made from.
            return Value { made_from: Vec::new(), ..source };
        }
        if !source.made_from.iter().any(|(thing, _)| writes.contains(thing)) {
            return source;
        }
        let kept = self.register(id, "array", ty);
        let node = self.node_ids[id];
        self.emit(Op::Copy { to: kept, from: source.place, words: ty.words(), node });
        Value { place: kept, made_from: Vec::new(), level: self.level() }
    }

    fn while_loop(&mut self, id: usize, node: &'l CheckedNode<'r>) {
        let at = At::node(self.graph.name, node.name);
        let Some(bound) = node.capacity else {
            let remedy = "set the node's `capacity` to the most turns it may take";
            return self.problems.error(Code::MissingBound, &at, "the loop must state its bound", remedy);
        };
        let ir_node = self.node_ids[id];
        let bound = self.pool.int(i32::try_from(bound).unwrap_or(i32::MAX));
        let index = self.register(id, "index", &Type::Int);
        let Base::Reg(index_reg) = index.base else { return };
        let writes = self.writes_below(id, "body");
        self.wrote(&writes);
        self.open(true, writes);
        let level = self.level();
        self.put(id, 0, Value { place: index, made_from: Vec::new(), level });
        if let Some(unless) = self.whole_input(id, "condition", &Type::Bool) {
            self.emit(Op::Break { unless, node: ir_node });
        }
        self.loop_body(id);
        let body = self.close();
        self.emit(Op::Loop { index: index_reg, count: bound, bound, until_break: true, body, node: ir_node });
    }

    /// What the nodes that hang on an execution pin write, nested ones too.
    fn writes_below(&self, id: usize, pin: &str) -> BTreeSet<Thing> {
        let mut writes = BTreeSet::new();
        let mut stack: Vec<usize> = self.graph.nodes[id].exec.get(pin).copied().into_iter().collect();
        let mut seen = BTreeSet::new();
        while let Some(n) = stack.pop() {
            if seen.insert(n) {
                writes.extend(self.effects(n).writes);
                stack.extend(self.graph.nodes[n].exec.values());
            }
        }
        writes
    }

    fn effects(&self, id: usize) -> Effects {
        let callee = |f: &str| self.callees.get(f).map(|c| c.effects.clone()).unwrap_or_default();
        of_node(self.graph, &self.graph.nodes[id], &callee)
    }

    // Calls.

    fn call_unit(&mut self, id: usize, node: &'l CheckedNode<'r>, unit: &'r UnitDef, any: Option<&Type>) {
        let mut inputs = Vec::new();
        for pin in &node.inputs {
            let at = At::node(self.graph.name, node.name);
            inputs.push((self.input(pin, &at.pin(&pin.name), self.node_ids[id]), pin.ty.clone()));
        }
        let outputs: Vec<Type> = node.outputs.iter().map(|(_, t)| t.clone()).collect();
        let places = self.emit_call(id, unit, any, &inputs, &outputs, self.level());
        let level = self.level();
        for (output, place) in places.into_iter().enumerate() {
            self.put(id, output, Value { place, made_from: Vec::new(), level });
        }
        let writes = self.effects(id).writes;
        self.wrote(&writes);
    }

    fn emit_call(
        &mut self,
        id: usize,
        unit: &'r UnitDef,
        any: Option<&Type>,
        inputs: &[(Value, Type)],
        outputs: &[Type],
        level: usize,
    ) -> Vec<Place> {
        let mut args = Vec::new();
        if unit.is_generic() {
            args.push(Arg::Number(any.map_or(0, Type::words)));
        }
        let (mut inputs, mut outputs) = (inputs.iter(), outputs.iter());
        let mut places = Vec::new();
        for pin in &unit.pins {
            let ty = match pin.direction {
                Direction::Out => {
                    let Some(ty) = outputs.next() else { continue };
                    let place = self.register(id, pin.name, ty);
                    places.push(place);
                    args.push(Arg::Write(place));
                    ty
                }
                direction => {
                    let Some((value, ty)) = inputs.next() else { continue };
                    args.push(match direction {
                        Direction::InOut => Arg::Change(value.place),
                        _ => Arg::Read(value.place),
                    });
                    ty
                }
            };
            if let Type::Array(_, capacity) = ty {
                args.push(Arg::Number(*capacity));
            }
        }
        if let Some(state) = &unit.state {
            args.push(Arg::State(self.body.state.len() as u32));
            self.body.state.extend(state);
        }
        let node = self.node_ids[id];
        self.emit_at(level, Op::Call { unit, args, node });
        places
    }

    /// Calls a unit that changes nothing: folded, shared and hoisted where that is right.
    fn pure_call(
        &mut self,
        id: usize,
        unit: &'r UnitDef,
        any: Option<&Type>,
        inputs: &[(Value, Type)],
        outputs: &[Type],
    ) -> Vec<Value> {
        if unit.kind == UnitKind::Pure
            && let Some(constants) =
                fold(unit, inputs.iter().map(|(v, t)| self.pool.words(v.place, t.words())))
        {
            let node = self.node_ids[id];
            self.nodes
                .note(node, "folded: its inputs are constants, so it is computed when the rig is compiled");
            let place = |c| Value { place: self.pool.add(Constant::of(c)), made_from: Vec::new(), level: 0 };
            return constants.into_iter().map(place).collect();
        }
        let mut made_from: Vec<(Thing, u32)> =
            inputs.iter().flat_map(|(v, _)| v.made_from.iter().copied()).collect();
        if unit.hierarchy == HierarchyUse::Reads {
            made_from.push((Thing::Hierarchy, self.epoch(Thing::Hierarchy)));
        }
        made_from.sort_unstable();
        made_from.dedup();
        let reads: Vec<Arg> = inputs.iter().map(|(v, _)| Arg::Read(v.place)).collect();
        let key = (std::ptr::from_ref(unit) as usize, reads, made_from.clone());
        let level_of = |value: &Value| value.level;
        let mut needed = inputs.iter().map(|(v, _)| level_of(v)).max().unwrap_or(0);
        for (thing, _) in &made_from {
            let inside = self.blocks.iter().rposition(|b| b.is_loop && b.writes.contains(thing));
            needed = needed.max(inside.unwrap_or(0));
        }
        if let Some(places) = self.numbered.get(&key) {
            let places = places.clone();
            let node = self.node_ids[id];
            self.nodes.note(node, "shared: an equal node gives its value");
            let level = needed;
            return places
                .into_iter()
                .map(|place| Value { place, made_from: made_from.clone(), level })
                .collect();
        }
        let mut level = self.level();
        while !unit.fallible && level > needed && self.blocks[level].is_loop {
            level -= 1;
        }
        if level < self.level() {
            let node = self.node_ids[id];
            self.nodes.note(node, "hoisted: it is evaluated once before the loop");
        }
        let places = self.emit_call(id, unit, any, inputs, outputs, level);
        if !unit.pins.iter().any(|p| matches!(p.ty, Type::Array(..)) && p.direction == Direction::Out) {
            self.numbered.insert(key.clone(), places.clone());
            self.blocks[level].numbers.push(key);
        }
        places.into_iter().map(|place| Value { place, made_from: made_from.clone(), level }).collect()
    }

    fn call_function(&mut self, id: usize, node: &'l CheckedNode<'r>, name: &'r str) {
        let callees = self.callees;
        let Some(callee) = callees.get(name) else { return };
        let ir_node = self.node_ids[id];
        let mut values = Vec::new();
        for pin in &node.inputs {
            let at = At::node(self.graph.name, node.name);
            values.push((self.input(pin, &at.pin(&pin.name), ir_node), pin.ty.words()));
        }
        // All inputs are ready before the first is passed: one of them may have called the same
        // function, whose frame there is only once.
        let frame = Place { base: Base::Frame(callee.id), offset: 0 };
        let mut offset = 0;
        let mut made_from: Vec<_> = callee.effects.reads.iter().map(|t| (*t, self.epoch(*t))).collect();
        for (value, words) in values {
            self.emit(Op::Copy { to: frame.part(offset), from: value.place, words, node: ir_node });
            made_from.extend(value.made_from);
            offset += words;
        }
        let state = self.body.state.len() as u32;
        self.body.state.extend(&callee.state);
        self.body.calls.push(callee.id);
        self.emit(Op::Function { function: callee.id, state, node: ir_node });
        let level = self.level();
        if callee.effects.ordered || self.entered[id] {
            made_from.clear();
            self.wrote(&callee.effects.writes);
        }
        for (output, (pin, ty)) in node.outputs.iter().enumerate() {
            let from = frame.part(offset);
            offset += ty.words();
            if output > 0 && !self.output_is_used(id, output) {
                continue;
            }
            let place = self.register(id, pin, ty);
            self.emit(Op::Copy { to: place, from, words: ty.words(), node: ir_node });
            self.put(id, output, Value { place, made_from: made_from.clone(), level });
        }
    }

    /// A unit that the compiler itself needs.
    fn helper(&mut self, id: usize, name: &str, inputs: &[Type]) -> Option<&'r UnitDef> {
        let overloads = self.scope.registry.overloads(name);
        let fits = |u: &&UnitDef| {
            let ins = u.pins.iter().filter(|p| p.direction != Direction::Out);
            inputs.is_empty() || ins.map(|p| &p.ty).eq(inputs.iter())
        };
        let found = overloads.iter().find(fits);
        if found.is_none() {
            let at = At::node(self.graph.name, self.graph.nodes[id].name);
            let remedy = "register the standard units";
            self.problems.error(Code::UnknownUnit, &at, format!("the node needs the unit `{name}`"), remedy);
        }
        found
    }

    // Values.

    fn put(&mut self, id: usize, output: usize, value: Value) {
        let level = value.level.min(self.level());
        if let Some(block) = self.blocks.get_mut(level) {
            block.values.push((id, output));
        }
        self.values.insert((id, output), value);
    }

    fn constant(&mut self, c: &Constant) -> Value {
        Value { place: self.pool.add(c.clone()), made_from: Vec::new(), level: 0 }
    }

    fn whole_input(&mut self, id: usize, pin: &str, _ty: &Type) -> Option<Place> {
        let graph = self.graph;
        let node = &graph.nodes[id];
        let found = node.inputs.iter().find(|p| p.name == pin)?;
        let at = At::node(graph.name, node.name);
        Some(self.input(found, &at.pin(pin), self.node_ids[id]).place)
    }

    /// The value of an input pin, its parts put into the whole.
    fn input(&mut self, pin: &'l InPin<'r>, at: &At<'_>, ir_node: u32) -> Value {
        let whole = self.source(&pin.source, &pin.ty, at);
        if pin.parts.is_empty() {
            return whole;
        }
        let parts: Vec<_> =
            pin.parts.iter().map(|(o, t, s)| (*o, t.words(), self.source(s, t, at))).collect();
        self.body.regs.push(Reg {
            words: pin.ty.words(),
            name: format!("{}/{}.{}", at.graph, at.node, pin.name),
            ty: pin.ty.to_string(),
        });
        let to = Place { base: Base::Reg(self.body.regs.len() as u32 - 1), offset: 0 };
        let mut made_from = whole.made_from;
        self.emit(Op::Copy { to, from: whole.place, words: pin.ty.words(), node: ir_node });
        for (offset, words, value) in parts {
            self.emit(Op::Copy { to: to.part(offset), from: value.place, words, node: ir_node });
            made_from.extend(value.made_from);
        }
        Value { place: to, made_from, level: self.level() }
    }

    fn source(&mut self, source: &'l Source<'r>, ty: &Type, at: &At<'_>) -> Value {
        match source {
            Source::Missing => self.constant(&Constant::zero(ty.words())),
            Source::Constant(c) => self.constant(c),
            Source::Link { node, output, offset, ty: from, convert } => {
                let mut value = self.demand(*node, *output, at);
                value.place = value.place.part(*offset);
                match convert {
                    None => value,
                    Some(unit) => {
                        let made = self.pure_call(
                            *node,
                            unit,
                            None,
                            &[(value, from.clone())],
                            std::slice::from_ref(ty),
                        );
                        made.into_iter().next().unwrap_or_else(|| self.constant(&Constant::zero(ty.words())))
                    }
                }
            }
        }
    }

    fn ready(&self, id: usize, output: usize) -> Option<Value> {
        self.values.get(&(id, output)).filter(|v| self.is_right(v)).cloned()
    }

    /// The value of an output; what it needs is evaluated first, without recursion along links.
    fn demand(&mut self, id: usize, output: usize, at: &At<'_>) -> Value {
        let graph = self.graph;
        let mut stack = vec![id];
        while let Some(&n) = stack.last() {
            let node = &graph.nodes[n];
            if node.outputs.is_empty() || self.ready(n, 0).is_some() || !self.is_pulled(n) {
                stack.pop();
                continue;
            }
            let waiting = self.needs(n).find(|d| self.is_pulled(*d) && !self.all_ready(*d));
            match waiting {
                Some(d) if !stack.contains(&d) => stack.push(d),
                _ => {
                    self.evaluate(n);
                    stack.pop();
                }
            }
        }
        self.leaf(id, output, at)
    }

    fn all_ready(&self, id: usize) -> bool {
        (0..self.graph.nodes[id].outputs.len())
            .all(|o| self.ready(id, o).is_some() || !self.output_is_used(id, o))
    }

    /// True for nodes that stand in the execution order.
    fn is_ordered(&self, id: usize) -> bool {
        match &self.graph.nodes[id].op {
            NodeKind::Unit { unit, .. } => self.entered[id] || unit.kind.is_ordered(),
            NodeKind::Flow(flow) => flow.is_ordered(),
            NodeKind::Call(f) => self.entered[id] || self.callees.get(f).is_some_and(|c| c.effects.ordered),
            NodeKind::Set(_) => true,
            _ => false,
        }
    }

    /// True for nodes that are evaluated when their value is asked for.
    fn is_pulled(&self, id: usize) -> bool {
        match &self.graph.nodes[id].op {
            NodeKind::Unit { unit, .. } => !self.entered[id] && !unit.kind.is_ordered(),
            NodeKind::Flow(flow) => !flow.is_ordered(),
            NodeKind::Call(f) => !self.entered[id] && self.callees.get(f).is_some_and(|c| !c.effects.ordered),
            NodeKind::Const => false,
            _ => false,
        }
    }

    /// The nodes whose values a node needs whatever side is taken.
    fn needs(&self, id: usize) -> impl Iterator<Item = usize> + use<'l, 'r> {
        let node = &self.graph.nodes[id];
        let lazy = matches!(node.op, NodeKind::Flow(_));
        let pins = node.inputs.iter().take(if lazy { 1 } else { usize::MAX });
        let sources = pins.flat_map(|p| p.parts.iter().map(|(.., s)| s).chain([&p.source]));
        sources.filter_map(|s| match s {
            Source::Link { node, .. } => Some(*node),
            _ => None,
        })
    }

    /// The value of a node that is ready, or needs no evaluation.
    fn leaf(&mut self, id: usize, output: usize, at: &At<'_>) -> Value {
        let graph = self.graph;
        let node = &graph.nodes[id];
        match &node.op {
            NodeKind::Get(v) => {
                self.emitted[id] = true;
                let thing = Thing::Variable(*v);
                let place = Place { base: Base::External, offset: self.variables[*v] };
                Value { place, made_from: vec![(thing, self.epoch(thing))], level: 0 }
            }
            NodeKind::Const => {
                self.emitted[id] = true;
                let own = At::node(graph.name, node.name);
                match node.inputs.first() {
                    Some(pin) => self.input(pin, &own.pin("value"), self.node_ids[id]),
                    None => self.constant(&Constant::zero(1)),
                }
            }
            _ => match self.ready(id, output) {
                Some(value) => value,
                None => {
                    let ordered = self.is_ordered(id);
                    if ordered {
                        let message = format!(
                            "`{}` has not run here: it runs later, in another branch, or not at all",
                            node.name
                        );
                        let remedy = "execute it before this node in the same or an enclosing block, or pass its value through a variable";
                        self.problems.error(Code::NotAvailable, at, message, remedy);
                    }
                    let words = node.outputs.get(output).map_or(1, |(_, t)| t.words());
                    self.constant(&Constant::zero(words))
                }
            },
        }
    }

    fn evaluate(&mut self, id: usize) {
        let graph = self.graph;
        let node = &graph.nodes[id];
        self.emitted[id] = true;
        match &node.op {
            NodeKind::Unit { unit, any } => {
                let mut inputs = Vec::new();
                for pin in &node.inputs {
                    let at = At::node(graph.name, node.name);
                    inputs.push((self.input(pin, &at.pin(&pin.name), self.node_ids[id]), pin.ty.clone()));
                }
                let outputs: Vec<Type> = node.outputs.iter().map(|(_, t)| t.clone()).collect();
                let values = self.pure_call(id, unit, any.as_ref(), &inputs, &outputs);
                for (output, value) in values.into_iter().enumerate() {
                    self.put(id, output, value);
                }
            }
            NodeKind::Call(f) => self.call_function(id, node, f),
            NodeKind::Flow(Flow::If) => self.choose_one(id, node),
            NodeKind::Flow(Flow::Select) => self.choose_many(id, node),
            _ => {}
        }
    }

    /// One of two values; each side is evaluated in a block of its own.
    fn choose_one(&mut self, id: usize, node: &'l CheckedNode<'r>) {
        let Some((_, ty)) = node.outputs.first() else { return };
        let Some(condition) = self.whole_input(id, "condition", &Type::Bool) else { return };
        if let Some(known) = self.pool.words(condition, 1) {
            let pin = if known[0] != 0 { "true" } else { "false" };
            self.nodes.note(self.node_ids[id], format!("its condition is a constant: always `{pin}`"));
            let value = self.side_value(id, node, pin);
            return self.put(id, 0, value);
        }
        let result = self.register(id, "result", ty);
        let mut made_from = Vec::new();
        for (pin, when) in [("true", true), ("false", false)] {
            let body = self.side_block(id, node, pin, result, &mut made_from);
            let node = self.node_ids[id];
            self.emit(Op::Block { condition, when, body, node });
        }
        self.put_choice(id, result, made_from);
    }

    /// A choice may be shared while what its sides and its condition are made from stays.
    fn put_choice(&mut self, id: usize, place: Place, mut made_from: Vec<(Thing, u32)>) {
        let graph = self.graph;
        for pin in graph.nodes[id].inputs.iter().take(1) {
            if let Source::Link { node, output, .. } = &pin.source {
                let at = At::node(graph.name, graph.nodes[id].name);
                made_from.extend(self.leaf(*node, *output, &at).made_from);
            }
        }
        let level = self.level();
        self.put(id, 0, Value { place, made_from, level });
    }

    fn side_value(&mut self, id: usize, node: &'l CheckedNode<'r>, pin: &str) -> Value {
        let at = At::node(self.graph.name, node.name);
        match node.inputs.iter().find(|p| p.name == pin) {
            Some(found) => self.input(found, &at.pin(pin), self.node_ids[id]),
            None => self.constant(&Constant::zero(1)),
        }
    }

    fn side_block(
        &mut self,
        id: usize,
        node: &'l CheckedNode<'r>,
        pin: &str,
        result: Place,
        made_from: &mut Vec<(Thing, u32)>,
    ) -> Vec<Op<'r>> {
        self.open(false, BTreeSet::new());
        if self.blocks.len() > MAX_NESTING {
            self.too_deep(id);
        } else {
            let value = self.side_value(id, node, pin);
            let words = node.outputs.first().map_or(0, |(_, t)| t.words());
            let ir_node = self.node_ids[id];
            self.emit(Op::Copy { to: result, from: value.place, words, node: ir_node });
            made_from.extend(value.made_from);
        }
        self.close()
    }

    /// One of several values, each hanging in the other side of the case before.
    fn choose_many(&mut self, id: usize, node: &'l CheckedNode<'r>) {
        let (Some((_, ty)), Some(selector)) = (node.outputs.first(), node.inputs.first()) else { return };
        let Some(value) = self.whole_input(id, "value", &selector.ty) else { return };
        let cases: Vec<(&str, i32)> = node.inputs[1..]
            .iter()
            .filter_map(|p| Some((p.name.as_str(), case_value(&selector.ty, &p.name)?)))
            .collect();
        if let Some(known) = self.pool.words(value, 1) {
            let taken = cases.iter().find(|(_, n)| *n as u32 == known[0]).map_or("default", |(p, _)| *p);
            self.nodes.note(self.node_ids[id], format!("its value is a constant: always `{taken}`"));
            let value = self.side_value(id, node, taken);
            return self.put(id, 0, value);
        }
        let result = self.register(id, "result", ty);
        let ir_node = self.node_ids[id];
        let mut made_from = Vec::new();
        let mut conditions = Vec::new();
        for (pin, number) in &cases {
            if self.blocks.len() > MAX_NESTING {
                self.too_deep(id);
                break;
            }
            let Some(condition) = self.equals(id, value, *number) else { break };
            let body = self.side_block(id, node, pin, result, &mut made_from);
            self.emit(Op::Block { condition, when: true, body, node: ir_node });
            self.open(false, BTreeSet::new());
            conditions.push(condition);
        }
        let value = self.side_value(id, node, "default");
        self.emit(Op::Copy { to: result, from: value.place, words: ty.words(), node: ir_node });
        made_from.extend(value.made_from);
        while let Some(condition) = conditions.pop() {
            let body = self.close();
            self.emit(Op::Block { condition, when: false, body, node: ir_node });
        }
        self.put_choice(id, result, made_from);
    }

    fn output_is_used(&self, id: usize, output: usize) -> bool {
        let uses = |pin: &InPin<'_>| {
            let parts = pin.parts.iter().map(|(.., s)| s);
            let hits = |s: &Source<'_>| matches!(s, Source::Link { node, output: o, .. } if *node == id && *o == output);
            parts.chain([&pin.source]).any(hits)
        };
        self.graph.results.iter().any(uses) || self.graph.nodes.iter().any(|n| n.inputs.iter().any(uses))
    }
}
