//! The authoring model of a rig: what people and editors read, write, edit and merge.
//!
//! A [`Rig`] is plain data: graphs of nodes, variables, elements, types and curves, in sorted maps.
//! [`Rig::parse`] reads its text form and reports every problem with line, column and path;
//! [`Rig::to_text`] writes the one canonical text. Changes are [`Edit`] values, applied through a
//! [`History`] that undoes and redoes them; [`copy`] and [`paste`] move nodes between graphs and
//! rigs. [`schema`] describes the text to editors.
//!
//! Nothing here knows which units exist or what a pin's type is: a rig that names an unknown unit or
//! links to a missing pin loads, is kept as it stands and saves again. The compiler says what is
//! wrong with it.
//!
//! # Names
//!
//! Graphs, nodes, comments, variables, bone roles, enums and their values, structs, fields, curves
//! and pins are identifiers: `[A-Za-z_][A-Za-z0-9_]*`, at most [`MAX_NAME`] bytes. `inputs` is
//! reserved (links of a function read its inputs through it), and so is `from` for fields and pins.
//! Names of elements are free text after their kind: `bone:b_Head 05`.

mod apply;
mod change;
mod clipboard;
mod decode;
mod edit;
mod history;
mod json;
mod keys;
mod literal;
mod migrate;
mod model;
mod name;
mod parse;
mod print;
mod problem;
mod schema;
mod visit;

pub use clipboard::{Clip, ClipError, PasteOptions, PasteReport, PasteVariables, Renamed, copy, paste};
pub use edit::{Edit, EditError};
pub use history::History;
pub use literal::{Literal, MAX_LITERAL_DEPTH};
pub use migrate::VERSION;
pub use model::{
    Comment, ControlDecl, ControlKind, CurveDecl, CurveKey, ElementDecl, Extrapolation, FieldDecl,
    FunctionDecl, Graph, GraphKind, Input, Interpolation, Node, NodeOp, PinDecl, PinRef, Place, Rig, Role,
    SpaceDecl, StructDecl, TransformDecl, VariableDecl,
};
pub use name::{MAX_NAME, NameError, check_name, check_pin_path, is_identifier, suggest, unique_name};
pub use parse::{MAX_BYTES, MAX_DEPTH, locate};
pub use problem::{ParseError, Problem, ProblemKind};
pub use schema::{schema, schema_with};

#[cfg(test)]
mod edit_tests;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;
