//! Nodes that steer evaluation. They are no functions: the compiler makes blocks and loops of them.

/// A node of flow control.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Flow {
    /// Executes one of two sides.
    Branch,
    /// Executes one after another.
    Sequence,
    /// Executes one of several sides by a number or an enum.
    Switch,
    /// Executes its body a number of times.
    For,
    /// Executes its body for each element of an array.
    ForEach,
    /// Executes its body while a condition holds.
    While,
    /// Gives one of two values; only the one taken is evaluated.
    If,
    /// Gives one of several values by a number or an enum; only the one taken is evaluated.
    Select,
}

/// What users are told of a flow node.
#[derive(Clone, Copy, Debug)]
pub struct FlowInfo {
    /// Which.
    pub flow: Flow,
    /// The name that rigs use.
    pub name: &'static str,
    /// Input pins and their types, for listings.
    pub inputs: &'static [(&'static str, &'static str)],
    /// Output pins and their types, for listings.
    pub outputs: &'static [(&'static str, &'static str)],
    /// Execution pins, for listings.
    pub exec: &'static [&'static str],
    /// Help text.
    pub doc: &'static str,
}

impl Flow {
    /// All flow nodes.
    pub const ALL: &'static [FlowInfo] = &[
        FlowInfo {
            flow: Flow::Branch,
            name: "Flow.Branch",
            inputs: &[("condition", "Bool")],
            outputs: &[],
            exec: &["true", "false", "next"],
            doc: "Executes `true` or `false` by the condition, then `next`.",
        },
        FlowInfo {
            flow: Flow::Sequence,
            name: "Flow.Sequence",
            inputs: &[],
            outputs: &[],
            exec: &["a", "b", "…", "next"],
            doc: "Executes its pins in order of their names, then `next`.",
        },
        FlowInfo {
            flow: Flow::Switch,
            name: "Flow.Switch",
            inputs: &[("value", "Int or an enum")],
            outputs: &[],
            exec: &["case_0 or a variant", "…", "default", "next"],
            doc: "Executes the pin of the value's case, or `default`, then `next`.",
        },
        FlowInfo {
            flow: Flow::For,
            name: "Flow.For",
            inputs: &[("count", "Int")],
            outputs: &[("index", "Int"), ("ratio", "Float")],
            exec: &["body", "next"],
            doc: "Executes `body` for index 0, 1, … below the count, then `next`. `ratio` goes from 0 at the first turn to 1 at the last. A count that is no constant needs a bound in `capacity`.",
        },
        FlowInfo {
            flow: Flow::ForEach,
            name: "Flow.ForEach",
            inputs: &[("array", "T[]")],
            outputs: &[("element", "T"), ("index", "Int"), ("ratio", "Float"), ("count", "Int")],
            exec: &["body", "next"],
            doc: "Executes `body` for each element of the array as it was at the start, then `next`.",
        },
        FlowInfo {
            flow: Flow::While,
            name: "Flow.While",
            inputs: &[("condition", "Bool")],
            outputs: &[("index", "Int")],
            exec: &["body", "next"],
            doc: "Executes `body` while the condition, evaluated before each turn, is true, then `next`. States its bound in `capacity`; a loop that reaches it ends the frame with a fault.",
        },
        FlowInfo {
            flow: Flow::If,
            name: "Flow.If",
            inputs: &[("condition", "Bool"), ("true", "T"), ("false", "T")],
            outputs: &[("result", "T")],
            exec: &[],
            doc: "The value of `true` or of `false`; only the side taken is evaluated.",
        },
        FlowInfo {
            flow: Flow::Select,
            name: "Flow.Select",
            inputs: &[("value", "Int or an enum"), ("case_0 or a variant", "T"), ("default", "T")],
            outputs: &[("result", "T")],
            exec: &[],
            doc: "The value of the pin that the number or enum names, or of `default`; only the one taken is evaluated.",
        },
    ];

    /// The flow node of this name.
    pub fn by_name(name: &str) -> Option<Flow> {
        Self::ALL.iter().find(|i| i.name == name).map(|i| i.flow)
    }

    /// True if it stands in the execution order.
    pub const fn is_ordered(self) -> bool {
        !matches!(self, Flow::If | Flow::Select)
    }

    /// True if it may have an execution pin of this name.
    pub fn has_exec(self, pin: &str) -> bool {
        match self {
            Flow::Branch => matches!(pin, "true" | "false" | "next"),
            Flow::Sequence | Flow::Switch => true,
            Flow::For | Flow::ForEach | Flow::While => matches!(pin, "body" | "next"),
            Flow::If | Flow::Select => false,
        }
    }
}
