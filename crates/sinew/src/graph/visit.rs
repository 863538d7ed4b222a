//! Going through all values of a rig.

use super::{ElementDecl, Graph, GraphKind, Input, Literal, Rig};

// The same walk by shared and by exclusive reference.
macro_rules! walk {
    ($rig:expr, $f:expr, $values:ident, $iter:ident $(, $m:tt)?) => {{
        let mut f = $f;
        for ElementDecl { control, .. } in $rig.elements.$values() {
            if let Some(c) = control {
                for l in [&$($m)? c.value, &$($m)? c.min, &$($m)? c.max] {
                    l.$iter().for_each(&mut f);
                }
            }
        }
        for s in $rig.structs.$values() {
            s.fields.$values().for_each(|d| d.default.$iter().for_each(&mut f));
        }
        $rig.variables.$values().for_each(|v| v.default.$iter().for_each(&mut f));
        for Graph { kind, nodes, .. } in $rig.graphs.$values() {
            let mut input = |i: &$($m)? Input| if let Input::Literal(l) = i { f(l) };
            nodes.$values().for_each(|n| n.inputs.$values().for_each(&mut input));
            if let GraphKind::Function(d) = kind {
                d.results.$values().for_each(&mut input);
                d.inputs.$values().for_each(|p| p.default.$iter().for_each(&mut f));
                d.outputs.$values().for_each(|p| p.default.$iter().for_each(&mut f));
            }
        }
    }};
}

impl Rig {
    /// Calls `f` on every value: at pins, as results and as defaults.
    pub fn visit_literals(&self, f: impl FnMut(&Literal)) {
        walk!(self, f, values, iter);
    }

    /// Calls `f` on every value: at pins, as results and as defaults.
    pub fn visit_literals_mut(&mut self, f: impl FnMut(&mut Literal)) {
        walk!(self, f, values_mut, iter_mut, mut);
    }
}
