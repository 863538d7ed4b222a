//! Copying nodes, within a rig and to others.

use super::*;
use crate::hierarchy::{ElementKey, ElementKind};
use std::collections::{BTreeMap, BTreeSet};

/// Copied nodes with everything that they need: the variables, functions, types, curves and bone roles
/// that they use, directly or through functions.
///
/// As text it is a rig of its own, with one event that holds the nodes. Links to nodes that were not
/// copied are kept in it, for [`PasteOptions::keep_outside_links`].
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    rig: Rig,
    graph: String,
}

/// Why a text is no clip.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ClipError {
    /// It is no rig.
    #[error(transparent)]
    Text(#[from] ParseError),
    /// It is a rig, but not copied nodes.
    #[error("these are no copied nodes: they have one event, this has {0}")]
    NotClip(usize),
}

impl Clip {
    /// As text, for the system's clipboard.
    pub fn to_text(&self) -> String {
        self.rig.to_text()
    }

    /// From text; any rig with one event will do, and its nodes are what is pasted.
    ///
    /// # Errors
    /// When it is no rig, or has no event or several.
    pub fn parse(bytes: &[u8]) -> Result<Self, ClipError> {
        let rig = Rig::parse(bytes)?;
        let events: Vec<String> = rig.events().map(|(n, _)| n.to_owned()).collect();
        match <[String; 1]>::try_from(events) {
            Ok([graph]) => Ok(Self { rig, graph }),
            Err(events) => Err(ClipError::NotClip(events.len())),
        }
    }

    /// The copied nodes and comments.
    pub fn nodes(&self) -> impl Iterator<Item = (&str, &Node)> {
        self.rig
            .graphs
            .get(&self.graph)
            .into_iter()
            .flat_map(|g| g.nodes.iter().map(|(n, d)| (n.as_str(), d)))
    }

    /// The nodes with all that they need, as a rig.
    pub const fn as_rig(&self) -> &Rig {
        &self.rig
    }
}

/// Whose variables pasted nodes use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PasteVariables {
    /// The same variable when the clip comes from a rig of this name and the variable is declared alike;
    /// else a new one under a free name.
    #[default]
    Auto,
    /// As [`PasteVariables::Auto`], but internal variables are always new ones: the pasted nodes share no
    /// storage with those that were copied.
    Duplicate,
}

/// How to paste.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PasteOptions {
    /// Whose variables the nodes use.
    pub variables: PasteVariables,
    /// Keeps links that read from nodes that were not copied, where the graph has a node of that name.
    /// Executions to outside are never kept: a node is executed from one place.
    pub keep_outside_links: bool,
    /// Added to all places, in points.
    pub offset: [f64; 2],
}

/// What a paste does, to be shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PasteReport {
    /// Every pasted node and comment: name in the clip, name in the graph.
    pub nodes: BTreeMap<String, String>,
    /// What had to take another name, nodes aside.
    pub renamed: Vec<Renamed>,
    /// What is new in the rig, nodes aside: kind and name.
    pub added: Vec<(&'static str, String)>,
    /// Variables of the rig that pasted nodes use.
    pub shared_variables: Vec<String>,
    /// Links and executions that were dropped since their other end was not copied: where they stood
    /// among the pasted nodes (`node.pin`).
    pub dropped_links: Vec<String>,
    /// Elements that the nodes name and the rig does not add; bones are looked for on the skeleton.
    pub missing_elements: Vec<ElementKey>,
}

/// Something that had to take another name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renamed {
    /// `variable`, `function`, `struct`, `enum` or `curve`.
    pub kind: &'static str,
    /// Its name in the clip.
    pub from: String,
    /// Its name in the rig.
    pub to: String,
}

/// Copies nodes and comments of a graph.
///
/// # Errors
/// When the graph, or one of the nodes or comments, is not there.
pub fn copy<'a>(rig: &Rig, graph: &str, ids: impl IntoIterator<Item = &'a str>) -> Result<Clip, EditError> {
    let source =
        rig.graphs.get(graph).ok_or_else(|| EditError::missing("graph", graph, rig.graphs.keys()))?;
    let mut copied = Graph::default();
    let mut places = BTreeMap::new();
    for id in ids {
        if let Some(node) = source.nodes.get(id) {
            copied.nodes.insert(id.to_owned(), node.clone());
        } else if let Some(comment) = source.comments.get(id) {
            copied.comments.insert(id.to_owned(), comment.clone());
        } else {
            let known = source.nodes.keys().chain(source.comments.keys());
            return Err(EditError::missing("node or comment", id, known));
        }
        if let Some(place) = rig.place(graph, id) {
            places.insert(id.to_owned(), place);
        }
    }
    for comment in copied.comments.values_mut() {
        comment.nodes.retain(|n| copied.nodes.contains_key(n));
    }

    let mut clip = Rig { name: rig.name.clone(), ..Rig::default() };
    collect(rig, &copied, &mut clip);
    let name = unique_name("copied", |n| clip.graphs.contains_key(n));
    clip.graphs.insert(name.clone(), copied);
    if !places.is_empty() {
        clip.layout.insert(name.clone(), places);
    }
    Ok(Clip { rig: clip, graph: name })
}

/// Puts into `clip` everything that the graph uses.
fn collect(rig: &Rig, graph: &Graph, clip: &mut Rig) {
    // Whatever is found is looked through in turn; each thing is found once.
    let mut words: Vec<String> = graph_words(graph);
    let mut calls: Vec<String> = called(graph);
    let mut variables: Vec<String> = used_variables(graph);
    loop {
        if let Some(name) = calls.pop() {
            let Some(function) = rig.graphs.get(&name).filter(|g| g.function().is_some()) else { continue };
            if clip.graphs.insert(name.clone(), function.clone()).is_none() {
                words.extend(graph_words(function));
                calls.extend(called(function));
                variables.extend(used_variables(function));
                if let Some(places) = rig.layout.get(&name) {
                    clip.layout.insert(name, places.clone());
                }
            }
        } else if let Some(name) = variables.pop() {
            let Some(variable) = rig.variables.get(&name) else { continue };
            if clip.variables.insert(name, variable.clone()).is_none() {
                words.extend(type_names(&variable.ty).map(Into::into));
                variable.default.iter().for_each(|l| words.extend(strings(l)));
            }
        } else if let Some(word) = words.pop() {
            let base = word.split('.').next().unwrap_or_default();
            if let Some(values) = rig.enums.get(base) {
                clip.enums.insert(base.into(), values.clone());
            }
            if let Some(curve) = rig.curves.get(&word) {
                clip.curves.insert(word.clone(), curve.clone());
            }
            if let Some(names) = word.strip_prefix("bone:").and_then(|role| rig.bones.get_key_value(role)) {
                clip.bones.insert(names.0.clone(), names.1.clone());
            }
            if let Some(decl) = rig.structs.get(&word)
                && clip.structs.insert(word.clone(), decl.clone()).is_none()
            {
                for field in decl.fields.values() {
                    words.extend(type_names(&field.ty).map(Into::into));
                    field.default.iter().for_each(|l| words.extend(strings(l)));
                }
            }
        } else {
            break;
        }
    }
}

fn called(graph: &Graph) -> Vec<String> {
    let calls =
        graph.nodes.values().filter_map(|n| if let NodeOp::Call(f) = &n.op { Some(f.clone()) } else { None });
    calls.collect()
}

fn used_variables(graph: &Graph) -> Vec<String> {
    let used = graph.nodes.values().filter_map(|n| match &n.op {
        NodeOp::Get(v) | NodeOp::Set(v) => Some(v.clone()),
        _ => None,
    });
    used.collect()
}

/// The words of a graph that may name a type, a curve or an element.
fn graph_words(graph: &Graph) -> Vec<String> {
    let mut words = Vec::new();
    let mut pins = |decls: &BTreeMap<String, PinDecl>| {
        for pin in decls.values() {
            words.extend(type_names(&pin.ty).map(Into::into));
            pin.default.iter().for_each(|l| words.extend(strings(l)));
        }
    };
    if let Some(f) = graph.function() {
        pins(&f.inputs);
        pins(&f.outputs);
        f.results.values().filter_map(Input::as_literal).for_each(|l| words.extend(strings(l)));
    }
    for node in graph.nodes.values() {
        if let NodeOp::Const(ty) = &node.op {
            words.extend(type_names(ty).map(Into::into));
        }
        node.inputs.values().filter_map(Input::as_literal).for_each(|l| words.extend(strings(l)));
    }
    words
}

fn strings(literal: &Literal) -> Vec<String> {
    let mut out = Vec::new();
    literal.visit(|l, _| out.extend(l.as_str().map(str::to_owned)));
    out
}

/// The identifiers in the text of a type: `Array<Foot>` has `Array` and `Foot`.
fn type_names(ty: &str) -> impl Iterator<Item = &str> {
    ty.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).filter(|s| !s.is_empty())
}

/// New names for what a clip brings along.
#[derive(Default)]
struct Names {
    types: BTreeMap<String, String>,
    curves: BTreeMap<String, String>,
    variables: BTreeMap<String, String>,
    functions: BTreeMap<String, String>,
}

fn renamed(map: &BTreeMap<String, String>, name: &str) -> String {
    map.get(name).map_or(name, String::as_str).to_owned()
}

impl Names {
    fn ty(&self, ty: &str) -> String {
        let mut out = String::with_capacity(ty.len());
        let mut rest = ty;
        while !rest.is_empty() {
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let (word, tail) = rest.split_at(rest.find(|c| !is_word(c)).unwrap_or(rest.len()));
            out.push_str(&renamed(&self.types, word));
            let (gap, tail) = tail.split_at(tail.find(is_word).unwrap_or(tail.len()));
            out.push_str(gap);
            rest = tail;
        }
        out
    }

    fn literal(&self, literal: &mut Literal) {
        literal.visit_strings_mut(|s| {
            if let Some(new) = self.curves.get(s.as_str()).or_else(|| self.types.get(s.as_str())) {
                s.clone_from(new);
            } else if let Some((new, value)) =
                s.split_once('.').and_then(|(ty, value)| self.types.get(ty).map(|new| (new, value)))
            {
                *s = format!("{new}.{value}");
            }
        });
    }

    fn in_default(&self, default: &mut Option<Literal>) {
        default.iter_mut().for_each(|l| self.literal(l));
    }

    fn variable(&self, mut v: VariableDecl) -> VariableDecl {
        v.ty = self.ty(&v.ty);
        self.in_default(&mut v.default);
        v
    }

    fn structure(&self, mut s: StructDecl) -> StructDecl {
        for field in s.fields.values_mut() {
            field.ty = self.ty(&field.ty);
            self.in_default(&mut field.default);
        }
        s
    }

    fn node(&self, node: &mut Node) {
        node.op = match &node.op {
            NodeOp::Unit(unit) => NodeOp::Unit(unit.clone()),
            NodeOp::Call(f) => NodeOp::Call(renamed(&self.functions, f)),
            NodeOp::Get(v) => NodeOp::Get(renamed(&self.variables, v)),
            NodeOp::Set(v) => NodeOp::Set(renamed(&self.variables, v)),
            NodeOp::Const(ty) => NodeOp::Const(self.ty(ty)),
        };
        for input in node.inputs.values_mut() {
            if let Input::Literal(l) = input {
                self.literal(l);
            }
        }
    }

    fn graph(&self, mut graph: Graph) -> Graph {
        if let GraphKind::Function(f) = &mut graph.kind {
            for pin in f.inputs.values_mut().chain(f.outputs.values_mut()) {
                pin.ty = self.ty(&pin.ty);
                self.in_default(&mut pin.default);
            }
            for result in f.results.values_mut() {
                if let Input::Literal(l) = result {
                    self.literal(l);
                }
            }
        }
        graph.nodes.values_mut().for_each(|n| self.node(n));
        graph
    }
}

/// The edit that pastes a clip into a graph, and what it does. Names are made unique, links among the
/// copied nodes are kept, and nothing that is in the rig already is changed. Apply the edit to the rig as
/// it is, as one step.
///
/// # Errors
/// When the rig has no such graph.
pub fn paste(
    rig: &Rig,
    graph: &str,
    clip: &Clip,
    options: &PasteOptions,
) -> Result<(Edit, PasteReport), EditError> {
    let target =
        rig.graphs.get(graph).ok_or_else(|| EditError::missing("graph", graph, rig.graphs.keys()))?;
    let mut report = PasteReport::default();
    let mut edits = Vec::new();
    let mut names = Names::default();
    paste_types(rig, &clip.rig, &mut names);
    paste_variables(rig, clip, options, &mut names, &mut report);
    paste_functions(rig, clip, &mut names);
    bring_along(rig, clip, &names, &mut edits, &mut report);

    let empty = Graph::default();
    let source = clip.rig.graphs.get(&clip.graph).unwrap_or(&empty);
    let mut taken: BTreeSet<String> = BTreeSet::new();
    for id in source.nodes.keys().chain(source.comments.keys()) {
        let new = unique_name(id, |n| target.has(n) || taken.contains(n));
        taken.insert(new.clone());
        report.nodes.insert(id.clone(), new);
    }
    let place = |id: &str| {
        clip.rig.place(&clip.graph, id).map(|p| {
            let at = [p.at[0] + options.offset[0], p.at[1] + options.offset[1]];
            Place { at, ..p }
        })
    };
    for (id, node) in &source.nodes {
        let new = renamed(&report.nodes, id);
        let mut node = node.clone();
        names.node(&mut node);
        let mut dropped = Vec::new();
        node.inputs.retain(|pin, input| {
            let Input::Link(link) = input else { return true };
            let outside = match &target.kind {
                GraphKind::Function(f) if link.is_function_input() => f.inputs.contains_key(link.pin()),
                _ => target.nodes.contains_key(&link.node),
            };
            if let Some(inside) =
                report.nodes.get(&link.node).filter(|_| source.nodes.contains_key(&link.node))
            {
                link.node.clone_from(inside);
                true
            } else if options.keep_outside_links && outside {
                true
            } else {
                dropped.push(format!("{new}.{pin}"));
                false
            }
        });
        node.exec.retain(|pin, next| {
            let inside = report.nodes.get(next.as_str()).filter(|_| source.nodes.contains_key(next.as_str()));
            match inside {
                Some(inside) => next.clone_from(inside),
                None => dropped.push(format!("{new}.{pin}")),
            }
            inside.is_some()
        });
        report.dropped_links.extend(dropped);
        edits.push(Edit::AddNode { graph: graph.into(), id: new, node, place: place(id) });
    }
    for (id, comment) in &source.comments {
        let mut comment = comment.clone();
        comment.nodes = comment.nodes.iter().filter_map(|n| report.nodes.get(n).cloned()).collect();
        comment.nodes.sort();
        let new = renamed(&report.nodes, id);
        edits.push(Edit::AddComment { graph: graph.into(), id: new, comment, place: place(id) });
    }
    report.missing_elements = missing_elements(rig, &clip.rig);
    Ok((Edit::All(edits), report))
}

/// Types and curves: alike ones are used, others get free names.
fn paste_types(rig: &Rig, clip: &Rig, names: &mut Names) {
    for (name, curve) in &clip.curves {
        if rig.curves.get(name).is_some_and(|c| c != curve) {
            let new = unique_name(name, |n| rig.curves.contains_key(n) || clip.curves.contains_key(n));
            names.curves.insert(name.clone(), new);
        }
    }
    let is_type = |rig: &Rig, n: &str| rig.enums.contains_key(n) || rig.structs.contains_key(n);
    // Every round renames one more type, since that changes those that use it.
    loop {
        let unlike_enum = clip.enums.iter().filter(|(n, v)| is_type(rig, n) && rig.enums.get(*n) != Some(v));
        let unlike_struct = clip
            .structs
            .iter()
            .filter(|(n, s)| is_type(rig, n) && rig.structs.get(*n) != Some(&names.structure((*s).clone())));
        let unlike = unlike_enum.map(|(n, _)| n).chain(unlike_struct.map(|(n, _)| n));
        let Some(name) = unlike.into_iter().find(|n| !names.types.contains_key(*n)).cloned() else { return };
        let new = unique_name(&name, |n| {
            is_type(rig, n) || is_type(clip, n) || names.types.values().any(|other| other == n)
        });
        names.types.insert(name, new);
    }
}

fn paste_variables(
    rig: &Rig,
    clip: &Clip,
    options: &PasteOptions,
    names: &mut Names,
    report: &mut PasteReport,
) {
    for (name, variable) in &clip.rig.variables {
        let alike = rig.variables.get(name) == Some(&names.variable(variable.clone()));
        let share = match options.variables {
            PasteVariables::Auto => true,
            PasteVariables::Duplicate => variable.role != Role::Internal,
        };
        if share && alike && clip.rig.name == rig.name {
            report.shared_variables.push(name.clone());
            continue;
        }
        let own = |n: &str| n != name && clip.rig.variables.contains_key(n);
        let new = unique_name(name, |n| {
            rig.variables.contains_key(n) || own(n) || names.variables.values().any(|other| other == n)
        });
        names.variables.insert(name.clone(), new);
    }
}

fn paste_functions(rig: &Rig, clip: &Clip, names: &mut Names) {
    let functions = || clip.rig.graphs.iter().filter(|(n, _)| **n != clip.graph);
    loop {
        let unlike = functions().find(|(n, g)| {
            !names.functions.contains_key(*n)
                && rig.graphs.get(*n).is_some_and(|other| *other != names.graph((*g).clone()))
        });
        let Some((name, _)) = unlike else { return };
        let new = unique_name(name, |n| {
            rig.graphs.contains_key(n)
                || clip.rig.graphs.contains_key(n)
                || names.functions.values().any(|other| other == n)
        });
        names.functions.insert(name.clone(), new);
    }
}

/// Adds what the rig does not have yet, under its new names.
fn bring_along(rig: &Rig, clip: &Clip, names: &Names, edits: &mut Vec<Edit>, report: &mut PasteReport) {
    let PasteReport { added, renamed: report, .. } = report;
    let mut add = |kind: &'static str, name: &str, map: &BTreeMap<String, String>| {
        let new = renamed(map, name);
        if new != name {
            report.push(Renamed { kind, from: name.into(), to: new.clone() });
        }
        added.push((kind, new.clone()));
        new
    };
    let none = BTreeMap::new();
    for (role, candidates) in clip.rig.bones.iter().filter(|(n, _)| !rig.bones.contains_key(*n)) {
        add("bone role", role, &none);
        edits.push(Edit::SetBone { role: role.clone(), names: Some(candidates.clone()) });
    }
    for (name, values) in &clip.rig.enums {
        if names.types.contains_key(name) || !rig.enums.contains_key(name) {
            edits.push(Edit::SetEnum { name: add("enum", name, &names.types), values: Some(values.clone()) });
        }
    }
    for (name, decl) in &clip.rig.structs {
        if names.types.contains_key(name) || !rig.structs.contains_key(name) {
            let decl = Some(names.structure(decl.clone()));
            edits.push(Edit::SetStruct { name: add("struct", name, &names.types), decl });
        }
    }
    for (name, curve) in &clip.rig.curves {
        if names.curves.contains_key(name) || !rig.curves.contains_key(name) {
            edits
                .push(Edit::SetCurve { name: add("curve", name, &names.curves), curve: Some(curve.clone()) });
        }
    }
    for (name, variable) in &clip.rig.variables {
        if names.variables.contains_key(name) {
            let variable = names.variable(variable.clone());
            edits.push(Edit::AddVariable { name: add("variable", name, &names.variables), variable });
        }
    }
    for (name, graph) in clip.rig.graphs.iter().filter(|(n, _)| **n != clip.graph) {
        if names.functions.contains_key(name) || !rig.graphs.contains_key(name) {
            let places = clip.rig.layout.get(name).cloned().unwrap_or_default();
            let graph = names.graph(graph.clone());
            edits.push(Edit::AddGraph { name: add("function", name, &names.functions), graph, places });
        }
    }
}

fn missing_elements(rig: &Rig, clip: &Rig) -> Vec<ElementKey> {
    let mut missing = BTreeSet::new();
    clip.visit_literals(|l| {
        for key in strings(l).iter().filter_map(|s| s.parse::<ElementKey>().ok()) {
            if key.kind != ElementKind::Bone && !rig.elements.contains_key(&key) {
                missing.insert(key);
            }
        }
    });
    missing.into_iter().collect()
}
