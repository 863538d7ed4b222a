//! What is wrong with a rig, where, why, and what to do about it.

use std::fmt;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// The rig compiles; it probably does not do what was meant.
    Warning,
    /// The rig does not compile.
    Error,
}

/// What kind of problem. The first digit of the code is the layer that found it: 1 links, 2 types,
/// 3 reachability, 4 compilation, 5 storage; lints are W6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Code {
    UnknownUnit,
    UnknownPin,
    UnknownNode,
    UnknownVariable,
    UnknownFunction,
    LinkCycle,
    ExecCycle,
    ExecTarget,
    BadExecPin,
    TypeMismatch,
    BadLiteral,
    UnknownType,
    NoOverload,
    Generic,
    NeedsVariable,
    NotAvailable,
    Recursion,
    MissingBound,
    Nesting,
    MissingInput,
    TooLarge,
    BadElement,
    WrongPlace,
    UnusedNode,
    FullTurn,
    DivisionByZero,
    OverwrittenWrite,
    GrowingArray,
}

impl Code {
    /// All codes with their explanations.
    pub const ALL: &'static [(Code, &'static str, &'static str)] = &[
        (
            Code::UnknownUnit,
            "E0101",
            "A node names a unit that this host has not registered. The rig keeps the node; it compiles once the unit's crate is registered or another unit is named.",
        ),
        (Code::UnknownPin, "E0102", "A node has no pin, or a value has no part, of that name."),
        (Code::UnknownNode, "E0103", "A link or an execution pin names a node that is not in the graph."),
        (Code::UnknownVariable, "E0104", "A node reads or writes a variable that the rig does not declare."),
        (Code::UnknownFunction, "E0105", "A node calls a function that the rig does not have."),
        (
            Code::LinkCycle,
            "E0106",
            "Links run in a circle, so no node of it can be evaluated first. Values are carried from frame to frame by variables.",
        ),
        (
            Code::ExecCycle,
            "E0107",
            "Execution runs in a circle. Use Flow.For, Flow.ForEach or Flow.While, which state a bound.",
        ),
        (
            Code::ExecTarget,
            "E0108",
            "A node is executed from more than one place, or is no node that is executed. Give the shared rest to the branch's `next` pin or make it a function.",
        ),
        (Code::BadExecPin, "E0109", "A node has no execution pin of that name."),
        (
            Code::TypeMismatch,
            "E0201",
            "A link joins two types between which there is no implicit conversion.",
        ),
        (Code::BadLiteral, "E0202", "A constant does not fit the type of its pin."),
        (Code::UnknownType, "E0203", "A declaration names a type that does not exist."),
        (Code::NoOverload, "E0204", "No form of the unit takes what is linked to it."),
        (Code::Generic, "E0205", "A unit that takes any type is linked to nothing that says which one."),
        (
            Code::NeedsVariable,
            "E0206",
            "The unit changes an array in place, so the pin must be linked to a `get` of an array variable.",
        ),
        (
            Code::NotAvailable,
            "E0301",
            "A value is used where the node that makes it has not run, or runs only in a branch or loop. Store it in a variable.",
        ),
        (Code::Recursion, "E0302", "Functions call each other in a circle."),
        (
            Code::MissingBound,
            "E0401",
            "A loop whose count is not a constant must state its bound in `capacity`.",
        ),
        (Code::Nesting, "E0402", "Branches, loops or lazy selections are nested too deep."),
        (Code::MissingInput, "E0403", "A pin that has no default is neither linked nor set."),
        (Code::TooLarge, "E0501", "Registers, constants or code exceed what an operand can name."),
        (Code::BadElement, "E0502", "A declared element cannot be added."),
        (Code::WrongPlace, "E0404", "The unit cannot stand in this graph."),
        (
            Code::UnusedNode,
            "W0601",
            "Nothing uses the node, or execution never reaches it, so it is left out.",
        ),
        (Code::FullTurn, "W0602", "A constant rotation of a whole number of turns is no rotation."),
        (Code::DivisionByZero, "W0603", "A constant divisor is zero."),
        (
            Code::OverwrittenWrite,
            "W0604",
            "A write is overwritten by the next node before anything reads it.",
        ),
        (
            Code::GrowingArray,
            "W0605",
            "An array variable gains elements in a loop or in every frame and is never reset: it will reach its capacity.",
        ),
    ];

    /// The short form, `E0102`.
    pub fn text(self) -> &'static str {
        Self::ALL.iter().find(|(c, ..)| *c == self).map_or("E0000", |(_, t, _)| t)
    }

    /// What it means, in general.
    pub fn explanation(self) -> &'static str {
        Self::ALL.iter().find(|(c, ..)| *c == self).map_or("", |(.., e)| e)
    }
}

/// One problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad.
    pub level: Level,
    /// What kind.
    pub code: Code,
    /// The graph; empty for the rig itself.
    pub graph: String,
    /// The node; empty for the graph itself.
    pub node: String,
    /// The pin; empty for the node itself.
    pub pin: String,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub remedy: String,
}

impl Diagnostic {
    /// `forward/look.weight`.
    pub fn place(&self) -> String {
        let mut place = self.graph.clone();
        for (mark, part) in [("/", &self.node), (".", &self.pin)] {
            if !part.is_empty() {
                if !place.is_empty() {
                    place.push_str(mark);
                }
                place.push_str(part);
            }
        }
        place
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let level = if self.level == Level::Error { "error" } else { "warning" };
        write!(f, "{level}[{}] {}: {}", self.code.text(), self.place(), self.message)?;
        if !self.remedy.is_empty() {
            write!(f, "\n  help: {}", self.remedy)?;
        }
        Ok(())
    }
}

/// A rig that does not compile, with all its problems.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", list(.0))]
pub struct CompileError(pub Vec<Diagnostic>);

fn list(all: &[Diagnostic]) -> String {
    all.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// Problems as they are found.
#[derive(Debug, Default)]
pub(super) struct Problems {
    pub all: Vec<Diagnostic>,
}

impl Problems {
    pub fn error(&mut self, code: Code, at: &At<'_>, message: impl Into<String>, remedy: impl Into<String>) {
        self.push(Level::Error, code, at, message.into(), remedy.into());
    }

    pub fn warn(&mut self, code: Code, at: &At<'_>, message: impl Into<String>, remedy: impl Into<String>) {
        self.push(Level::Warning, code, at, message.into(), remedy.into());
    }

    fn push(&mut self, level: Level, code: Code, at: &At<'_>, message: String, remedy: String) {
        let (graph, node, pin) = (at.graph.to_string(), at.node.to_string(), at.pin.to_string());
        let problem = Diagnostic { level, code, graph, node, pin, message, remedy };
        if !self.all.contains(&problem) {
            self.all.push(problem);
        }
    }

    pub fn any_error(&self) -> bool {
        self.all.iter().any(|d| d.level == Level::Error)
    }
}

/// The place that a problem speaks of.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct At<'a> {
    pub graph: &'a str,
    pub node: &'a str,
    pub pin: &'a str,
}

impl<'a> At<'a> {
    pub fn rig() -> Self {
        Self::default()
    }
    pub fn graph(graph: &'a str) -> Self {
        Self { graph, ..Self::default() }
    }
    pub fn node(graph: &'a str, node: &'a str) -> Self {
        Self { graph, node, pin: "" }
    }
    pub fn pin(self, pin: &'a str) -> Self {
        Self { pin, ..self }
    }
}
