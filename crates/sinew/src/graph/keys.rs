//! The keys of each object of the text form: one list for the reader and for the schema.

pub(super) const RIG: &[&str] = &[
    "sinew",
    "name",
    "doc",
    "bones",
    "elements",
    "enums",
    "structs",
    "curves",
    "variables",
    "graphs",
    "layout",
];
pub(super) const ELEMENT: &[&str] = &["parent", "transform", "control", "spaces", "value", "doc"];
pub(super) const TRANSFORM: &[&str] = &["translation", "rotation", "scale"];
pub(super) const CONTROL: &[&str] =
    &["kind", "value", "min", "max", "offset", "shape", "shape_transform", "color"];
pub(super) const SPACE: &[&str] = &["name", "parent", "weight"];
pub(super) const CURVE: &[&str] = &["keys", "before", "after", "doc"];
pub(super) const CURVE_KEY: &[&str] = &["time", "value", "interpolation", "arrive", "leave"];
pub(super) const VARIABLE: &[&str] = &["type", "role", "default", "min", "max", "capacity", "doc"];
/// Fields of structs and pins of functions.
pub(super) const TYPED: &[&str] = &["type", "default", "doc"];
pub(super) const GRAPH: &[&str] = &["event", "function", "doc", "start", "results", "nodes", "comments"];
pub(super) const FUNCTION: &[&str] = &["inputs", "outputs", "order"];
pub(super) const NODE: &[&str] = &["unit", "call", "get", "set", "const", "capacity", "in", "exec", "note"];
pub(super) const LINK: &[&str] = &["from"];
pub(super) const COMMENT: &[&str] = &["text", "nodes", "color"];
