//! Changes to a rig, as values.

use super::change::{self, Change, Recorder};
use super::*;
use crate::hierarchy::ElementKey;
use std::collections::{BTreeMap, BTreeSet};

/// One change to a rig. References follow renames, and what points at a removed thing goes with it.
///
/// Apply it through a [`History`] to be able to undo it, or with [`Edit::apply`] to leave no trace. An
/// edit that cannot be made changes nothing.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
// Edits are few and short-lived; boxing their largest variant would make them worse to write.
#[allow(clippy::large_enum_variant)]
pub enum Edit {
    /// Several edits in order, as one: all of them or none.
    All(Vec<Edit>),
    /// Names the rig.
    SetName(String),
    /// Says what the rig is for.
    SetDoc(String),
    /// Sets the candidates of a bone role, or removes the role.
    SetBone {
        /// The role.
        role: String,
        /// Names to try in order; none removes the role.
        names: Option<Vec<String>>,
    },
    /// Adds, replaces or removes an element. Elements under a removed one lose their parent.
    SetElement {
        /// Which.
        key: ElementKey,
        /// What it is; none removes it.
        element: Option<ElementDecl>,
    },
    /// Renames an element; parents, spaces and constants follow.
    RenameElement {
        /// What it is called.
        from: ElementKey,
        /// What it shall be called; of the same kind.
        to: ElementKey,
    },
    /// Adds, replaces or removes an enum.
    SetEnum {
        /// Its name.
        name: String,
        /// Its values in order; none removes it.
        values: Option<Vec<String>>,
    },
    /// Adds, replaces or removes a struct.
    SetStruct {
        /// Its name.
        name: String,
        /// Its fields; none removes it.
        decl: Option<StructDecl>,
    },
    /// Adds, replaces or removes a curve.
    SetCurve {
        /// Its name.
        name: String,
        /// Its keys; none removes it.
        curve: Option<CurveDecl>,
    },
    /// Adds a variable.
    AddVariable {
        /// Its name, which no other variable has.
        name: String,
        /// What it is.
        variable: VariableDecl,
    },
    /// Replaces what a variable is.
    SetVariable {
        /// Its name.
        name: String,
        /// What it shall be.
        variable: VariableDecl,
    },
    /// Removes a variable.
    RemoveVariable {
        /// Its name.
        name: String,
        /// Removes the nodes that get and set it too; else it is an error if there are any.
        with_nodes: bool,
    },
    /// Renames a variable; nodes that get and set it follow.
    RenameVariable {
        /// What it is called.
        from: String,
        /// What it shall be called.
        to: String,
    },
    /// Adds a graph.
    AddGraph {
        /// Its name, which no other graph has.
        name: String,
        /// What is in it.
        graph: Graph,
        /// Where its nodes and comments stand.
        places: BTreeMap<String, Place>,
    },
    /// Removes a graph and its layout.
    RemoveGraph {
        /// Its name.
        name: String,
        /// Removes the nodes that call it too; else it is an error if there are any.
        with_nodes: bool,
    },
    /// Renames a graph; calls of it and its layout follow.
    RenameGraph {
        /// What it is called.
        from: String,
        /// What it shall be called.
        to: String,
    },
    /// Says what a graph does.
    SetGraphDoc {
        /// Which graph.
        graph: String,
        /// What it does.
        doc: String,
    },
    /// Sets where a graph's execution starts.
    SetStart {
        /// Which graph.
        graph: String,
        /// A node of it, or none.
        start: Option<String>,
    },
    /// Makes a graph an event, or a function with that signature and those results.
    SetGraphKind {
        /// Which graph.
        graph: String,
        /// What it shall be.
        kind: GraphKind,
    },
    /// Sets or removes a result of a function.
    SetResult {
        /// Which function.
        graph: String,
        /// The output, or a part of it.
        pin: String,
        /// What it is; none removes it.
        input: Option<Input>,
    },
    /// Adds a node.
    AddNode {
        /// Where.
        graph: String,
        /// Its name, which no other node or comment there has.
        id: String,
        /// What it does.
        node: Node,
        /// Where it stands.
        place: Option<Place>,
    },
    /// Replaces what a node does; links to it stay.
    SetNode {
        /// Where.
        graph: String,
        /// Which node.
        id: String,
        /// What it shall do.
        node: Node,
    },
    /// Removes nodes and comments, with all links from and to them.
    Remove {
        /// Where.
        graph: String,
        /// Which nodes and comments.
        ids: BTreeSet<String>,
    },
    /// Renames a node or comment; links to it, comments on it and its place follow.
    RenameNode {
        /// Where.
        graph: String,
        /// What it is called.
        from: String,
        /// What it shall be called.
        to: String,
    },
    /// Sets an input pin, or gives it back to its default.
    SetInput {
        /// Where.
        graph: String,
        /// Which node.
        node: String,
        /// The pin, or a part of it.
        pin: String,
        /// A constant or a link; none for the default.
        input: Option<Input>,
    },
    /// Links an output to an input, which loses what stood there.
    Connect {
        /// Where.
        graph: String,
        /// The output that is read.
        from: PinRef,
        /// The input that reads it.
        to: PinRef,
    },
    /// Removes the link at an input.
    Disconnect {
        /// Where.
        graph: String,
        /// The input.
        to: PinRef,
    },
    /// Removes all links from and to a node, executions among them.
    DisconnectAll {
        /// Where.
        graph: String,
        /// Which node.
        node: String,
    },
    /// Sets which node an execution pin goes on to.
    SetExec {
        /// Where.
        graph: String,
        /// Which node.
        node: String,
        /// Its execution pin.
        pin: String,
        /// A node of the graph, or none.
        target: Option<String>,
    },
    /// Sets a node's remark.
    SetNote {
        /// Where.
        graph: String,
        /// Which node.
        node: String,
        /// The remark; empty for none.
        note: String,
    },
    /// Sets a node's bound.
    SetCapacity {
        /// Where.
        graph: String,
        /// Which node.
        node: String,
        /// The bound, or none.
        capacity: Option<u32>,
    },
    /// Moves nodes and comments.
    Move {
        /// Where.
        graph: String,
        /// New places; none lets the editor choose.
        places: BTreeMap<String, Option<Place>>,
    },
    /// Adds a comment.
    AddComment {
        /// Where.
        graph: String,
        /// Its name, which no other node or comment there has.
        id: String,
        /// What it says of which nodes.
        comment: Comment,
        /// Where it stands.
        place: Option<Place>,
    },
    /// Replaces what a comment says.
    SetComment {
        /// Where.
        graph: String,
        /// Which comment.
        id: String,
        /// What it shall say of which nodes.
        comment: Comment,
    },
}

/// Why an edit cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// Nothing of that name is there.
    #[error("there is no {what} `{name}`{}", .suggestion.as_ref().map(|s| format!(": did you mean `{s}`?")).unwrap_or_default())]
    Missing {
        /// Graph, node, variable, …
        what: &'static str,
        /// The name.
        name: String,
        /// A name that it may have been meant to be.
        suggestion: Option<String>,
    },
    /// Something else has the name.
    #[error("there is a {what} `{name}` already: choose another name")]
    Taken {
        /// Graph, node, variable, …
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A text that is no name or pin.
    #[error(transparent)]
    Name(#[from] NameError),
    /// A value that a rig's text cannot hold.
    #[error("{0}")]
    Value(&'static str),
    /// The thing breaks a rule of the format.
    #[error(transparent)]
    Invalid(#[from] ParseError),
    /// Nodes use what should be removed.
    #[error("{what} `{name}` is used by {}: remove those nodes too", .uses.join(", "))]
    InUse {
        /// Graph or variable.
        what: &'static str,
        /// Its name.
        name: String,
        /// The nodes, as `graph.node`.
        uses: Vec<String>,
    },
    /// A result of an event.
    #[error("`{0}` is an event and has no inputs and results: make it a function first")]
    NotFunction(String),
    /// There is no link to remove.
    #[error("there is no link at `{0}`")]
    NoLink(PinRef),
    /// An element renamed to another kind.
    #[error("`{0}` and `{1}` are of different kinds: remove one and add the other")]
    OtherKind(ElementKey, ElementKey),
}

impl Edit {
    /// Makes the change, leaving no trace in any [`History`].
    ///
    /// # Errors
    /// When it cannot be made; the rig is then as it was.
    pub fn apply(self, rig: &mut Rig) -> Result<(), EditError> {
        self.record(rig).map(|_| ())
    }

    /// Makes the change and gives what is needed to take it back.
    pub(super) fn record(self, rig: &mut Rig) -> Result<Vec<Change>, EditError> {
        let mut recorder = Recorder::new(rig);
        // Nested groups are unrolled on a stack of their own.
        let mut todo = vec![self];
        while let Some(edit) = todo.pop() {
            let result = match edit {
                Edit::All(edits) => {
                    todo.extend(edits.into_iter().rev());
                    Ok(())
                }
                edit => recorder.make(edit),
            };
            if let Err(e) = result {
                change::undo(recorder.rig, &mut recorder.log);
                return Err(e);
            }
        }
        Ok(recorder.log)
    }

    /// What the edit does, in two or three words, for the undo menu.
    pub fn label(&self) -> &'static str {
        match self {
            Self::All(edits) => match edits.as_slice() {
                [] => "Nothing",
                [one] if !matches!(one, Self::All(_)) => one.label(),
                _ => "Several changes",
            },
            Self::SetName(_) => "Rename rig",
            Self::SetDoc(_) | Self::SetGraphDoc { .. } => "Change description",
            Self::SetBone { .. } => "Change bone role",
            Self::SetElement { element: None, .. } => "Remove element",
            Self::SetElement { .. } => "Change element",
            Self::RenameElement { .. } => "Rename element",
            Self::SetEnum { .. } => "Change enum",
            Self::SetStruct { .. } => "Change struct",
            Self::SetCurve { .. } => "Change curve",
            Self::AddVariable { .. } => "Add variable",
            Self::SetVariable { .. } => "Change variable",
            Self::RemoveVariable { .. } => "Remove variable",
            Self::RenameVariable { .. } => "Rename variable",
            Self::AddGraph { .. } => "Add graph",
            Self::RemoveGraph { .. } => "Remove graph",
            Self::RenameGraph { .. } => "Rename graph",
            Self::SetStart { .. } => "Set start",
            Self::SetGraphKind { .. } => "Change signature",
            Self::SetResult { .. } => "Set result",
            Self::AddNode { .. } => "Add node",
            Self::SetNode { .. } => "Change node",
            Self::Remove { .. } => "Remove",
            Self::RenameNode { .. } => "Rename node",
            Self::SetInput { .. } => "Set pin",
            Self::Connect { .. } | Self::SetExec { target: Some(_), .. } => "Connect",
            Self::Disconnect { .. } | Self::DisconnectAll { .. } | Self::SetExec { .. } => "Disconnect",
            Self::SetNote { .. } => "Change note",
            Self::SetCapacity { .. } => "Set capacity",
            Self::Move { .. } => "Move",
            Self::AddComment { .. } => "Add comment",
            Self::SetComment { .. } => "Change comment",
        }
    }
}

impl EditError {
    pub(super) fn missing<'a>(
        what: &'static str,
        name: &str,
        known: impl IntoIterator<Item = &'a String>,
    ) -> Self {
        let suggestion = suggest(name, known.into_iter().map(String::as_str)).map(Into::into);
        Self::Missing { what, name: name.into(), suggestion }
    }
}
