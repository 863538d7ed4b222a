//! From rig to its one canonical text.
//!
//! Keys of a kind stand in a fixed order, names are sorted, each node, pin, variable and element has
//! its own lines, and values stand on one line where they fit: two people's changes to different
//! things touch different lines.

use super::*;
use crate::hierarchy::ElementKey;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Values up to this many bytes stand on one line.
const LINE: usize = 88;

impl Rig {
    /// The canonical text: the same bytes for equal rigs. [`Rig::parse`] of it gives an equal rig.
    pub fn to_text(&self) -> String {
        let mut out = rig_tree(self).print();
        out.push('\n');
        out
    }
}

/// A text as it will be laid out.
enum Tree {
    /// A finished scalar.
    Scalar(String),
    /// On one line if it fits.
    Array(Vec<Tree>),
    /// On one line if it fits.
    Object(Vec<(String, Tree)>),
    /// On one line always.
    Line(Vec<(String, Tree)>),
    /// A member to a line.
    Block(Vec<(String, Tree)>),
    /// An item to a line.
    List(Vec<Tree>),
}

impl Tree {
    fn print(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, 0);
        out
    }

    // Recursion: blocks nest a fixed number of levels, literals at most MAX_LITERAL_DEPTH.
    fn write(&self, out: &mut String, indent: usize) {
        if let Some(line) = self.one_line(LINE.saturating_sub(2 * indent)) {
            out.push_str(&line);
            return;
        }
        let pad = |out: &mut String, n: usize| {
            out.push('\n');
            out.extend(std::iter::repeat_n("  ", n));
        };
        match self {
            Self::Scalar(s) => out.push_str(s),
            Self::Array(items) if items.iter().all(|i| matches!(i, Self::Scalar(_))) => {
                // Many numbers fill lines, as words do.
                let room = LINE.saturating_sub(2 * indent).max(24);
                out.push('[');
                let mut used = usize::MAX;
                for (i, item) in items.iter().enumerate() {
                    out.push_str(if i > 0 { "," } else { "" });
                    let Self::Scalar(text) = item else { continue };
                    if used.saturating_add(text.len() + 2) > room {
                        pad(out, indent + 1);
                        used = 0;
                    } else {
                        out.push(' ');
                    }
                    out.push_str(text);
                    used += text.len() + 2;
                }
                pad(out, indent);
                out.push(']');
            }
            Self::Array(items) | Self::List(items) => {
                out.push('[');
                for (i, item) in items.iter().enumerate() {
                    out.push_str(if i > 0 { "," } else { "" });
                    pad(out, indent + 1);
                    item.write(out, indent + 1);
                }
                pad(out, indent);
                out.push(']');
            }
            Self::Line(_) => {
                self.write_line(out, usize::MAX);
            }
            Self::Object(members) | Self::Block(members) => {
                out.push('{');
                for (i, (key, item)) in members.iter().enumerate() {
                    out.push_str(if i > 0 { "," } else { "" });
                    pad(out, indent + 1);
                    quote(out, key);
                    out.push_str(": ");
                    item.write(out, indent + 1);
                }
                pad(out, indent);
                out.push('}');
            }
        }
    }

    fn one_line(&self, room: usize) -> Option<String> {
        let mut out = String::new();
        self.write_line(&mut out, room).then_some(out)
    }

    /// False once the text is longer than `room`, or something in it wants lines of its own.
    fn write_line(&self, out: &mut String, room: usize) -> bool {
        match self {
            Self::Scalar(s) => out.push_str(s),
            Self::Array(items) => {
                out.push('[');
                for (i, item) in items.iter().enumerate() {
                    out.push_str(if i > 0 { ", " } else { "" });
                    if !item.write_line(out, room) || out.len() > room {
                        return false;
                    }
                }
                out.push(']');
            }
            Self::Object(members) | Self::Line(members) => {
                out.push('{');
                for (i, (key, item)) in members.iter().enumerate() {
                    out.push_str(if i > 0 { ", " } else { " " });
                    quote(out, key);
                    out.push_str(": ");
                    if !item.write_line(out, room) || out.len() > room {
                        return false;
                    }
                }
                out.push_str(if members.is_empty() { "}" } else { " }" });
            }
            Self::Block(members) if members.is_empty() => out.push_str("{}"),
            Self::List(items) if items.is_empty() => out.push_str("[]"),
            Self::Block(_) | Self::List(_) => return false,
        }
        // A scalar has no better place than its line, however long.
        out.len() <= room || matches!(self, Self::Scalar(_))
    }
}

fn quote(out: &mut String, s: &str) {
    out.push('"');
    for c in s.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if (c as u32) < 0x20 || c == '\u{7f}' => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

fn string(s: &str) -> Tree {
    let mut out = String::new();
    quote(&mut out, s);
    Tree::Scalar(out)
}

fn strings<'a>(items: impl IntoIterator<Item = &'a String>) -> Tree {
    Tree::Array(items.into_iter().map(|s| string(s)).collect())
}

/// The shortest digits that read back as the same number, with a point or exponent.
fn float(f: f64) -> String {
    // Not a number in JSON either, and refused by the reader.
    if f.is_finite() { format!("{f:?}") } else { "null".into() }
}

/// As [`float`], and whole numbers without `.0`: for places where only numbers can stand.
fn number(f: f64) -> Tree {
    let text = float(f);
    Tree::Scalar(text.strip_suffix(".0").map_or(text.clone(), str::to_owned))
}

fn numbers(f: &[f64]) -> Tree {
    Tree::Array(f.iter().map(|f| number(*f)).collect())
}

fn literal(value: &Literal) -> Tree {
    match value {
        Literal::Bool(b) => Tree::Scalar(b.to_string()),
        Literal::Int(i) => Tree::Scalar(i.to_string()),
        Literal::Float(f) => Tree::Scalar(float(*f)),
        Literal::String(s) => string(s),
        Literal::Array(items) => Tree::Array(items.iter().map(literal).collect()),
        Literal::Object(members) => {
            Tree::Object(members.iter().map(|(k, v)| (k.clone(), literal(v))).collect())
        }
    }
}

fn input(value: &Input) -> Tree {
    match value {
        Input::Literal(value) => literal(value),
        Input::Link(link) => Tree::Object(vec![("from".into(), string(&link.to_string()))]),
    }
}

/// Members in the order in which they are put, those that say nothing left out.
#[derive(Default)]
struct Members(Vec<(String, Tree)>);

impl Members {
    fn put(&mut self, key: &str, value: Tree) -> &mut Self {
        self.0.push((key.into(), value));
        self
    }
    fn some<T>(&mut self, key: &str, value: &Option<T>, tree: impl FnOnce(&T) -> Tree) -> &mut Self {
        if let Some(value) = value {
            self.put(key, tree(value));
        }
        self
    }
    fn text(&mut self, key: &str, value: &str) -> &mut Self {
        if !value.is_empty() {
            self.put(key, string(value));
        }
        self
    }
    fn map<T>(&mut self, key: &str, map: &BTreeMap<String, T>, tree: impl Fn(&T) -> Tree) -> &mut Self {
        if !map.is_empty() {
            self.put(key, block(map, tree));
        }
        self
    }
    fn object(&mut self) -> Tree {
        Tree::Object(std::mem::take(&mut self.0))
    }
    fn line(&mut self) -> Tree {
        Tree::Line(std::mem::take(&mut self.0))
    }
    fn block(&mut self) -> Tree {
        Tree::Block(std::mem::take(&mut self.0))
    }
}

fn block<T>(map: &BTreeMap<String, T>, tree: impl Fn(&T) -> Tree) -> Tree {
    Tree::Block(map.iter().map(|(k, v)| (k.clone(), tree(v))).collect())
}

fn rig_tree(rig: &Rig) -> Tree {
    let mut m = Members::default();
    m.put("sinew", Tree::Scalar(VERSION.to_string())).text("name", &rig.name).text("doc", &rig.doc);
    m.map("bones", &rig.bones, |names| strings(names));
    if !rig.elements.is_empty() {
        // Sorted by their text, as everything else is.
        let by_text: BTreeMap<String, &ElementDecl> =
            rig.elements.iter().map(|(k, e)| (k.to_string(), e)).collect();
        m.map("elements", &by_text, |e| element(e));
    }
    m.map("enums", &rig.enums, |values| strings(values));
    m.map("structs", &rig.structs, struct_tree);
    m.map("curves", &rig.curves, curve_tree);
    m.map("variables", &rig.variables, variable_tree);
    m.map("graphs", &rig.graphs, graph_tree);
    m.map("layout", &rig.layout, |places| block(places, place));
    m.block()
}

fn place(p: &Place) -> Tree {
    match p.size {
        None => numbers(&p.at),
        Some([w, h]) => numbers(&[p.at[0], p.at[1], w, h]),
    }
}

fn key(key: &ElementKey) -> Tree {
    string(&key.to_string())
}

fn transform(t: &TransformDecl) -> Tree {
    Members::default()
        .some("translation", &t.translation, |v| numbers(v))
        .some("rotation", &t.rotation, |v| numbers(v))
        .some("scale", &t.scale, |v| numbers(v))
        .object()
}

fn element(e: &ElementDecl) -> Tree {
    let mut m = Members::default();
    m.some("parent", &e.parent, key)
        .some("transform", &e.transform, transform)
        .some("control", &e.control, control);
    if !e.spaces.is_empty() {
        m.put("spaces", Tree::List(e.spaces.iter().map(space).collect()));
    }
    m.some("value", &e.value, |v| number(*v)).text("doc", &e.doc).block()
}

fn control(c: &ControlDecl) -> Tree {
    Members::default()
        .put("kind", string(c.kind.word()))
        .some("value", &c.value, literal)
        .some("min", &c.min, literal)
        .some("max", &c.max, literal)
        .some("offset", &c.offset, transform)
        .text("shape", &c.shape)
        .some("shape_transform", &c.shape_transform, transform)
        .some("color", &c.color, |v| numbers(v))
        .block()
}

fn space(s: &SpaceDecl) -> Tree {
    Members::default()
        .some("name", &s.name, |n| string(n))
        .some("parent", &s.parent, key)
        .some("weight", &s.weight, |w| number(*w))
        .object()
}

fn struct_tree(s: &StructDecl) -> Tree {
    block(&s.fields, |f| typed(&f.ty, &f.default, &f.doc))
}

fn typed(ty: &str, default: &Option<Literal>, doc: &str) -> Tree {
    Members::default().put("type", string(ty)).some("default", default, literal).text("doc", doc).object()
}

fn curve_tree(c: &CurveDecl) -> Tree {
    let mut m = Members::default();
    m.put("keys", Tree::List(c.keys.iter().map(curve_key).collect()));
    if c.before != Extrapolation::default() {
        m.put("before", string(c.before.word()));
    }
    if c.after != Extrapolation::default() {
        m.put("after", string(c.after.word()));
    }
    m.text("doc", &c.doc).block()
}

fn curve_key(k: &CurveKey) -> Tree {
    let mut m = Members::default();
    m.put("time", number(k.time)).put("value", number(k.value));
    if k.interpolation != Interpolation::default() {
        m.put("interpolation", string(k.interpolation.word()));
    }
    m.some("arrive", &k.arrive, |v| number(*v)).some("leave", &k.leave, |v| number(*v)).line()
}

fn variable_tree(v: &VariableDecl) -> Tree {
    Members::default()
        .put("type", string(&v.ty))
        .put("role", string(v.role.word()))
        .some("default", &v.default, literal)
        .some("min", &v.min, |v| number(*v))
        .some("max", &v.max, |v| number(*v))
        .some("capacity", &v.capacity, |c| Tree::Scalar(c.to_string()))
        .text("doc", &v.doc)
        .block()
}

fn graph_tree(g: &Graph) -> Tree {
    let mut m = Members::default();
    match &g.kind {
        GraphKind::Event => m.put("event", Tree::Scalar("true".into())),
        GraphKind::Function(f) => m.put("function", function(f)),
    };
    m.text("doc", &g.doc).some("start", &g.start, |s| string(s));
    if let Some(f) = g.function() {
        m.map("results", &f.results, input);
    }
    m.map("nodes", &g.nodes, node_tree).map("comments", &g.comments, comment_tree).block()
}

fn function(f: &FunctionDecl) -> Tree {
    let pin = |p: &PinDecl| typed(&p.ty, &p.default, &p.doc);
    let mut m = Members::default();
    m.map("inputs", &f.inputs, pin).map("outputs", &f.outputs, pin);
    if !f.order.is_empty() {
        m.put("order", strings(&f.order));
    }
    m.block()
}

fn node_tree(n: &Node) -> Tree {
    Members::default()
        .put(n.op.word(), string(n.op.name()))
        .some("capacity", &n.capacity, |c| Tree::Scalar(c.to_string()))
        .map("in", &n.inputs, input)
        .map("exec", &n.exec, |target| string(target))
        .text("note", &n.note)
        .block()
}

fn comment_tree(c: &Comment) -> Tree {
    let mut m = Members::default();
    m.put("text", string(&c.text));
    if !c.nodes.is_empty() {
        m.put("nodes", strings(&c.nodes));
    }
    m.some("color", &c.color, |v| numbers(v)).block()
}
