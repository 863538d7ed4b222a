//! How each edit is made.

use super::change::{Change, Head, Recorder};
use super::*;
use crate::hierarchy::ElementKey;
use std::collections::{BTreeMap, BTreeSet};

/// Accepts exactly what the reader accepts, by writing and reading: a rig with only the part in
/// question. Gives the part as it will be read.
fn checked(part: Rig) -> Result<Rig, EditError> {
    // The writer recurses into values, so their depth comes first.
    let mut result = Ok(());
    part.visit_literals(|l| {
        if let Err(why) = l.check() {
            result = Err(EditError::Value(why));
        }
    });
    result?;
    // A node named `a.b` would be read back as the pin `b` of a node `a`.
    for graph in part.graphs.values() {
        let results = match &graph.kind {
            GraphKind::Function(declared) => Some(&declared.results),
            GraphKind::Event => None,
        };
        let inputs = graph.nodes.values().flat_map(|n| n.inputs.values());
        for input in inputs.chain(results.into_iter().flat_map(BTreeMap::values)) {
            if let Input::Link(link) = input
                && link.to_string().parse::<PinRef>()? != *link
            {
                return Err(NameError::NotPin(link.to_string()).into());
            }
        }
    }
    let read = Rig::parse(part.to_text().as_bytes()).map_err(|mut e| {
        // Places in a text that nobody sees.
        for problem in &mut e.problems {
            (problem.line, problem.column) = (0, 0);
        }
        EditError::Invalid(e)
    })?;
    Ok(read)
}

fn missing<'a>(what: &'static str, name: &str, known: impl IntoIterator<Item = &'a String>) -> EditError {
    EditError::missing(what, name, known)
}

fn one<K: Ord, V>(key: K, value: V) -> BTreeMap<K, V> {
    BTreeMap::from([(key, value)])
}

fn only<K: Ord, V>(map: BTreeMap<K, V>) -> Option<V> {
    map.into_values().next()
}

impl Recorder<'_> {
    /// Makes one edit that is no group. What was done before an error is in the log.
    pub fn make(&mut self, edit: Edit) -> Result<(), EditError> {
        match edit {
            Edit::All(_) => Ok(()),
            Edit::SetName(name) => self.make_simple(Change::Name(name)),
            Edit::SetDoc(doc) => self.make_simple(Change::Doc(doc)),
            Edit::SetBone { role, names } => {
                if let Some(names) = &names {
                    checked(Rig { bones: one(role.clone(), names.clone()), ..Rig::default() })?;
                } else if !self.rig.bones.contains_key(&role) {
                    return Err(missing("bone role", &role, self.rig.bones.keys()));
                }
                self.make_simple(Change::Bone(role, names))
            }
            Edit::SetElement { key, element } => self.set_element(key, element),
            Edit::RenameElement { from, to } => self.rename_element(&from, &to),
            Edit::SetEnum { name, values } => {
                match &values {
                    Some(v) => {
                        checked(Rig { enums: one(name.clone(), v.clone()), ..Rig::default() })?;
                        self.free_of(&name, "struct", |r, n| r.structs.contains_key(n))?;
                    }
                    None if !self.rig.enums.contains_key(&name) => {
                        return Err(missing("enum", &name, self.rig.enums.keys()));
                    }
                    None => {}
                }
                self.make_simple(Change::Enum(name, values))
            }
            Edit::SetStruct { name, decl } => {
                match &decl {
                    Some(d) => {
                        checked(Rig { structs: one(name.clone(), d.clone()), ..Rig::default() })?;
                        self.free_of(&name, "enum", |r, n| r.enums.contains_key(n))?;
                    }
                    None if !self.rig.structs.contains_key(&name) => {
                        return Err(missing("struct", &name, self.rig.structs.keys()));
                    }
                    None => {}
                }
                self.make_simple(Change::Struct(name, decl))
            }
            Edit::SetCurve { name, curve } => {
                if let Some(c) = &curve {
                    checked(Rig { curves: one(name.clone(), c.clone()), ..Rig::default() })?;
                } else if !self.rig.curves.contains_key(&name) {
                    return Err(missing("curve", &name, self.rig.curves.keys()));
                }
                self.make_simple(Change::Curve(name, curve))
            }
            Edit::AddVariable { name, variable } => {
                self.free_of(&name, "variable", |r, n| r.variables.contains_key(n))?;
                self.set_variable(name, variable)
            }
            Edit::SetVariable { name, variable } => {
                self.variable(&name)?;
                self.set_variable(name, variable)
            }
            Edit::RemoveVariable { name, with_nodes } => {
                self.variable(&name)?;
                self.remove_users("variable", &name, with_nodes, |op| match op {
                    NodeOp::Get(v) | NodeOp::Set(v) => *v == name,
                    _ => false,
                })?;
                self.make_simple(Change::Variable(name, None))
            }
            Edit::RenameVariable { from, to } => self.rename_variable(&from, &to),
            Edit::AddGraph { name, graph, places } => {
                self.free_of(&name, "graph", |r, n| r.graphs.contains_key(n))?;
                let mut layout = BTreeMap::new();
                if !places.is_empty() {
                    layout.insert(name.clone(), places);
                }
                let part = checked(Rig { graphs: one(name.clone(), graph), layout, ..Rig::default() })?;
                self.put(Change::Graph(name.clone(), only(part.graphs)));
                for (id, place) in only(part.layout).unwrap_or_default() {
                    self.put(Change::Place(name.clone(), id, Some(place)));
                }
                Ok(())
            }
            Edit::RemoveGraph { name, with_nodes } => self.remove_graph(&name, with_nodes),
            Edit::RenameGraph { from, to } => self.rename_graph(&from, &to),
            Edit::SetGraphDoc { graph, doc } => self.set_head(&graph, |h| h.doc = doc),
            Edit::SetStart { graph, start } => {
                if let Some(start) = &start {
                    self.node(&graph, start)?;
                }
                self.set_head(&graph, |h| h.start = start)
            }
            Edit::SetGraphKind { graph, kind } => {
                let part = Graph { kind, ..Graph::default() };
                let part = checked(Rig { graphs: one(graph.clone(), part), ..Rig::default() })?;
                let kind = only(part.graphs).unwrap_or_default().kind;
                self.set_head(&graph, |h| h.kind = kind)
            }
            Edit::SetResult { graph, pin, input } => {
                check_pin_path(&pin)?;
                let Some(mut function) = self.graph(&graph)?.function().cloned() else {
                    return Err(EditError::NotFunction(graph));
                };
                match input {
                    Some(input) => function.results.insert(pin, input),
                    None => function.results.remove(&pin),
                };
                self.make(Edit::SetGraphKind { graph, kind: GraphKind::Function(function) })
            }
            Edit::AddNode { graph, id, node, place } => {
                self.free_in(&graph, &id)?;
                self.set_node(&graph, &id, node)?;
                self.set_place(&graph, &id, place)
            }
            Edit::SetNode { graph, id, node } => {
                self.node(&graph, &id)?;
                self.set_node(&graph, &id, node)
            }
            Edit::Remove { graph, ids } => self.remove(&graph, &ids),
            Edit::RenameNode { graph, from, to } => self.rename_node(&graph, &from, &to),
            Edit::SetInput { graph, node, pin, input } => {
                check_pin_path(&pin)?;
                self.edit_node(&graph, &node, |n| match input {
                    Some(input) => {
                        n.inputs.insert(pin, input);
                    }
                    None => {
                        n.inputs.remove(&pin);
                    }
                })
            }
            Edit::Connect { graph, from, to } => {
                if !from.is_function_input() {
                    self.node(&graph, &from.node)?;
                } else if self.graph(&graph)?.function().is_none() {
                    return Err(EditError::NotFunction(graph));
                }
                check_pin_path(&to.path)?;
                self.edit_node(&graph, &to.node, |n| {
                    n.inputs.insert(to.path, Input::Link(from));
                })
            }
            Edit::Disconnect { graph, to } => {
                if !matches!(self.node(&graph, &to.node)?.inputs.get(&to.path), Some(Input::Link(_))) {
                    return Err(EditError::NoLink(to));
                }
                self.edit_node(&graph, &to.node, |n| {
                    n.inputs.remove(&to.path);
                })
            }
            Edit::DisconnectAll { graph, node } => {
                self.node(&graph, &node)?;
                self.edit_node(&graph, &node, |n| {
                    n.inputs.retain(|_, i| i.as_link().is_none());
                    n.exec.clear();
                })?;
                self.cut_links_to(&graph, &BTreeSet::from([node]))
            }
            Edit::SetExec { graph, node, pin, target } => {
                check_pin_path(&pin)?;
                if let Some(target) = &target {
                    self.node(&graph, target)?;
                }
                self.edit_node(&graph, &node, |n| match target {
                    Some(target) => {
                        n.exec.insert(pin, target);
                    }
                    None => {
                        n.exec.remove(&pin);
                    }
                })
            }
            Edit::SetNote { graph, node, note } => self.edit_node(&graph, &node, |n| n.note = note),
            Edit::SetCapacity { graph, node, capacity } => {
                self.edit_node(&graph, &node, |n| n.capacity = capacity)
            }
            Edit::Move { graph, places } => {
                for (id, place) in places {
                    if !self.graph(&graph)?.has(&id) {
                        return Err(self.no_such(&graph, &id));
                    }
                    self.set_place(&graph, &id, place)?;
                }
                Ok(())
            }
            Edit::AddComment { graph, id, comment, place } => {
                self.free_in(&graph, &id)?;
                self.set_comment(&graph, &id, comment)?;
                self.set_place(&graph, &id, place)
            }
            Edit::SetComment { graph, id, comment } => {
                if !self.graph(&graph)?.comments.contains_key(&id) {
                    return Err(missing("comment", &id, self.graph(&graph)?.comments.keys()));
                }
                self.set_comment(&graph, &id, comment)
            }
        }
    }

    // --- looking up ---

    fn graph(&self, name: &str) -> Result<&Graph, EditError> {
        self.rig.graphs.get(name).ok_or_else(|| missing("graph", name, self.rig.graphs.keys()))
    }

    fn node(&self, graph: &str, id: &str) -> Result<&Node, EditError> {
        let g = self.graph(graph)?;
        g.nodes.get(id).ok_or_else(|| missing("node", id, g.nodes.keys()))
    }

    fn no_such(&self, graph: &str, id: &str) -> EditError {
        match self.graph(graph) {
            Ok(g) => missing("node or comment", id, g.nodes.keys().chain(g.comments.keys())),
            Err(e) => e,
        }
    }

    fn variable(&self, name: &str) -> Result<&VariableDecl, EditError> {
        self.rig.variables.get(name).ok_or_else(|| missing("variable", name, self.rig.variables.keys()))
    }

    fn free_of(
        &self,
        name: &str,
        what: &'static str,
        taken: impl FnOnce(&Rig, &str) -> bool,
    ) -> Result<(), EditError> {
        check_name(name)?;
        if taken(self.rig, name) { Err(EditError::Taken { what, name: name.into() }) } else { Ok(()) }
    }

    fn free_in(&self, graph: &str, id: &str) -> Result<(), EditError> {
        check_name(id)?;
        let g = self.graph(graph)?;
        let what = if g.comments.contains_key(id) { "comment" } else { "node" };
        if g.has(id) { Err(EditError::Taken { what, name: id.into() }) } else { Ok(()) }
    }

    // --- setting parts ---

    fn make_simple(&mut self, change: Change) -> Result<(), EditError> {
        self.put(change);
        Ok(())
    }

    fn set_variable(&mut self, name: String, variable: VariableDecl) -> Result<(), EditError> {
        checked(Rig { variables: one(name.clone(), variable.clone()), ..Rig::default() })?;
        self.make_simple(Change::Variable(name, Some(variable)))
    }

    fn set_head(&mut self, graph: &str, f: impl FnOnce(&mut Head)) -> Result<(), EditError> {
        let g = self.graph(graph)?;
        let mut head = Head { kind: g.kind.clone(), doc: g.doc.clone(), start: g.start.clone() };
        f(&mut head);
        self.make_simple(Change::Head(graph.into(), head))
    }

    fn set_node(&mut self, graph: &str, id: &str, node: Node) -> Result<(), EditError> {
        let part = Graph { nodes: one(id.into(), node), ..Graph::default() };
        let part = checked(Rig { graphs: one(graph.into(), part), ..Rig::default() })?;
        let node = only(part.graphs).and_then(|g| only(g.nodes));
        self.make_simple(Change::Node(graph.into(), id.into(), node))
    }

    fn edit_node(&mut self, graph: &str, id: &str, f: impl FnOnce(&mut Node)) -> Result<(), EditError> {
        let mut node = self.node(graph, id)?.clone();
        f(&mut node);
        self.set_node(graph, id, node)
    }

    fn set_comment(&mut self, graph: &str, id: &str, comment: Comment) -> Result<(), EditError> {
        let part = Graph { comments: one(id.into(), comment), ..Graph::default() };
        let part = checked(Rig { graphs: one(graph.into(), part), ..Rig::default() })?;
        let comment = only(part.graphs).and_then(|g| only(g.comments));
        self.make_simple(Change::Comment(graph.into(), id.into(), comment))
    }

    fn set_place(&mut self, graph: &str, id: &str, place: Option<Place>) -> Result<(), EditError> {
        if let Some(p) = place
            && !p.at.iter().chain(p.size.iter().flatten()).all(|x| x.is_finite())
        {
            return Err(EditError::Value("numbers must be finite"));
        }
        self.make_simple(Change::Place(graph.into(), id.into(), place))
    }

    fn set_element(&mut self, key: ElementKey, element: Option<ElementDecl>) -> Result<(), EditError> {
        if let Some(element) = element {
            let part = checked(Rig { elements: one(key.clone(), element), ..Rig::default() })?;
            return self.make_simple(Change::Element(key, only(part.elements)));
        }
        if !self.rig.elements.contains_key(&key) {
            let known: Vec<String> = self.rig.elements.keys().map(ToString::to_string).collect();
            return Err(missing("element", &key.to_string(), &known));
        }
        for (other, decl) in self.rig.elements.clone() {
            let mut decl = decl;
            decl.parent = decl.parent.filter(|p| *p != key);
            decl.spaces.retain(|s| s.parent.as_ref() != Some(&key));
            self.put(Change::Element(other, Some(decl)));
        }
        self.make_simple(Change::Element(key, None))
    }

    // --- removing ---

    fn remove_users(
        &mut self,
        what: &'static str,
        name: &str,
        with_nodes: bool,
        uses: impl Fn(&NodeOp) -> bool,
    ) -> Result<(), EditError> {
        let mut users: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (graph, g) in &self.rig.graphs {
            for (id, _) in g.nodes.iter().filter(|(_, n)| uses(&n.op)) {
                users.entry(graph.clone()).or_default().insert(id.clone());
            }
        }
        if !with_nodes && !users.is_empty() {
            let uses =
                users.iter().flat_map(|(g, ids)| ids.iter().map(move |id| format!("{g}.{id}"))).collect();
            return Err(EditError::InUse { what, name: name.into(), uses });
        }
        users.iter().try_for_each(|(graph, ids)| self.remove(graph, ids))
    }

    fn remove(&mut self, graph: &str, ids: &BTreeSet<String>) -> Result<(), EditError> {
        let g = self.graph(graph)?;
        if let Some(id) = ids.iter().find(|id| !g.has(id)) {
            return Err(self.no_such(graph, id));
        }
        self.cut_links_to(graph, ids)?;
        for id in ids {
            self.put(Change::Node(graph.into(), id.clone(), None));
            self.put(Change::Comment(graph.into(), id.clone(), None));
            self.put(Change::Place(graph.into(), id.clone(), None));
        }
        let comments = self.graph(graph)?.comments.clone();
        for (id, mut comment) in comments {
            comment.nodes.retain(|n| !ids.contains(n));
            self.put(Change::Comment(graph.into(), id, Some(comment)));
        }
        Ok(())
    }

    /// Removes links that read from these nodes, and executions that go on to them.
    fn cut_links_to(&mut self, graph: &str, ids: &BTreeSet<String>) -> Result<(), EditError> {
        let reads = |input: &Input| input.as_link().is_some_and(|l| ids.contains(&l.node));
        let nodes = self.graph(graph)?.nodes.iter().filter(|(_, n)| {
            n.inputs.values().any(reads) || n.exec.values().any(|target| ids.contains(target))
        });
        let nodes: Vec<(String, Node)> = nodes.map(|(id, n)| (id.clone(), n.clone())).collect();
        for (id, mut node) in nodes {
            node.inputs.retain(|_, i| !reads(i));
            node.exec.retain(|_, target| !ids.contains(target));
            self.put(Change::Node(graph.into(), id, Some(node)));
        }
        self.set_head(graph, |head| {
            head.start = head.start.take().filter(|s| !ids.contains(s));
            if let GraphKind::Function(f) = &mut head.kind {
                f.results.retain(|_, i| !reads(i));
            }
        })
    }

    fn remove_graph(&mut self, name: &str, with_nodes: bool) -> Result<(), EditError> {
        if self.graph(name)?.function().is_some() {
            let calls = |op: &NodeOp| matches!(op, NodeOp::Call(f) if f == name);
            // A call of itself goes with it.
            if with_nodes {
                self.remove_users("function", name, true, calls)?;
            } else if self
                .rig
                .graphs
                .iter()
                .any(|(g, graph)| g != name && graph.nodes.values().any(|n| calls(&n.op)))
            {
                self.remove_users("function", name, false, calls)?;
            }
        }
        self.move_places(name, None);
        self.make_simple(Change::Graph(name.into(), None))
    }

    fn move_places(&mut self, from: &str, to: Option<&str>) {
        for (id, place) in self.rig.layout.get(from).cloned().unwrap_or_default() {
            self.put(Change::Place(from.into(), id.clone(), None));
            if let Some(to) = to {
                self.put(Change::Place(to.into(), id, Some(place)));
            }
        }
    }

    // --- renaming ---

    fn rename_node(&mut self, graph: &str, from: &str, to: &str) -> Result<(), EditError> {
        let g = self.graph(graph)?.clone();
        if !g.has(from) {
            return Err(self.no_such(graph, from));
        }
        if from == to {
            return Ok(());
        }
        self.free_in(graph, to)?;
        let follow = |name: &mut String| {
            if name == from {
                *name = to.to_owned();
            }
        };
        let follow_input = |input: &mut Input| {
            if let Input::Link(link) = input {
                follow(&mut link.node);
            }
        };
        for (id, mut node) in g.nodes {
            node.inputs.values_mut().for_each(follow_input);
            node.exec.values_mut().for_each(follow);
            let new = if id == from { to } else { &id };
            if id == from {
                self.put(Change::Node(graph.into(), id.clone(), None));
            }
            self.put(Change::Node(graph.into(), new.into(), Some(node)));
        }
        for (id, mut comment) in g.comments {
            comment.nodes.iter_mut().for_each(follow);
            comment.nodes.sort();
            let new = if id == from { to } else { &id };
            if id == from {
                self.put(Change::Comment(graph.into(), id.clone(), None));
            }
            self.put(Change::Comment(graph.into(), new.into(), Some(comment)));
        }
        if let Some(place) = self.rig.place(graph, from) {
            self.put(Change::Place(graph.into(), from.into(), None));
            self.put(Change::Place(graph.into(), to.into(), Some(place)));
        }
        self.set_head(graph, |head| {
            head.start.iter_mut().for_each(follow);
            if let GraphKind::Function(f) = &mut head.kind {
                f.results.values_mut().for_each(follow_input);
            }
        })
    }

    fn rename_op(&mut self, f: impl Fn(&NodeOp) -> Option<NodeOp>) {
        let mut renamed = Vec::new();
        for (graph, g) in &self.rig.graphs {
            for (id, node) in &g.nodes {
                if let Some(op) = f(&node.op) {
                    renamed.push(Change::Node(graph.clone(), id.clone(), Some(Node { op, ..node.clone() })));
                }
            }
        }
        renamed.into_iter().for_each(|c| self.put(c));
    }

    fn rename_variable(&mut self, from: &str, to: &str) -> Result<(), EditError> {
        let variable = self.variable(from)?.clone();
        if from == to {
            return Ok(());
        }
        self.free_of(to, "variable", |r, n| r.variables.contains_key(n))?;
        self.put(Change::Variable(from.into(), None));
        self.put(Change::Variable(to.into(), Some(variable)));
        self.rename_op(|op| match op {
            NodeOp::Get(v) if v == from => Some(NodeOp::Get(to.into())),
            NodeOp::Set(v) if v == from => Some(NodeOp::Set(to.into())),
            _ => None,
        });
        Ok(())
    }

    fn rename_graph(&mut self, from: &str, to: &str) -> Result<(), EditError> {
        let graph = self.graph(from)?.clone();
        if from == to {
            return Ok(());
        }
        self.free_of(to, "graph", |r, n| r.graphs.contains_key(n))?;
        let is_function = graph.function().is_some();
        self.put(Change::Graph(from.into(), None));
        self.put(Change::Graph(to.into(), Some(graph)));
        self.move_places(from, Some(to));
        if is_function {
            self.rename_op(|op| match op {
                NodeOp::Call(f) if f == from => Some(NodeOp::Call(to.into())),
                _ => None,
            });
        }
        Ok(())
    }

    fn rename_element(&mut self, from: &ElementKey, to: &ElementKey) -> Result<(), EditError> {
        if from.kind != to.kind {
            return Err(EditError::OtherKind(from.clone(), to.clone()));
        }
        if !self.rig.elements.contains_key(from) {
            let known: Vec<String> = self.rig.elements.keys().map(ToString::to_string).collect();
            return Err(missing("element", &from.to_string(), &known));
        }
        if from == to {
            return Ok(());
        }
        if self.rig.elements.contains_key(to) {
            return Err(EditError::Taken { what: "element", name: to.to_string() });
        }
        checked(Rig { elements: one(to.clone(), ElementDecl::default()), ..Rig::default() })?;
        let (from_text, to_text) = (from.to_string(), to.to_string());
        let mut new = self.rig.clone();
        new.visit_literals_mut(|l| {
            l.visit_strings_mut(|s| {
                if *s == from_text {
                    s.clone_from(&to_text);
                }
            });
        });
        for (key, mut decl) in new.elements {
            let parents =
                decl.parent.iter_mut().chain(decl.spaces.iter_mut().filter_map(|s| s.parent.as_mut()));
            for parent in parents.filter(|p| *p == from) {
                parent.clone_from(to);
            }
            if key == *from {
                self.put(Change::Element(key, None));
                self.put(Change::Element(to.clone(), Some(decl)));
            } else {
                self.put(Change::Element(key, Some(decl)));
            }
        }
        new.structs.into_iter().for_each(|(n, d)| self.put(Change::Struct(n, Some(d))));
        new.variables.into_iter().for_each(|(n, d)| self.put(Change::Variable(n, Some(d))));
        for (name, graph) in new.graphs {
            let Graph { kind, doc, start, nodes, .. } = graph;
            self.put(Change::Head(name.clone(), Head { kind, doc, start }));
            nodes.into_iter().for_each(|(id, n)| self.put(Change::Node(name.clone(), id, Some(n))));
        }
        Ok(())
    }
}
