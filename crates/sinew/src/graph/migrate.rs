//! Older versions of the text form, brought forward one version at a time.

use super::json::{Data, Member, Value};

/// The version that this program writes.
pub const VERSION: i64 = 1;

/// `MIGRATIONS[v]` turns a text of version `v` into one of version `v + 1`.
const MIGRATIONS: &[fn(&mut Value)] = &[links_were_strings];

/// Brings a value of version `from` to [`VERSION`].
pub(super) fn migrate(value: &mut Value, from: i64) {
    let first = usize::try_from(from).unwrap_or(usize::MAX);
    for step in MIGRATIONS.iter().skip(first) {
        step(value);
    }
}

/// Version 0 wrote a link as `"=node.pin"`, and a string that begins with `=` with two of them.
fn links_were_strings(rig: &mut Value) {
    let Some(graphs) = rig.get_mut("graphs") else { return };
    for graph in graphs.members_mut() {
        if let Some(results) = graph.value.get_mut("results") {
            link_strings_to_objects(results);
        }
        let Some(nodes) = graph.value.get_mut("nodes") else { continue };
        for node in nodes.members_mut() {
            if let Some(inputs) = node.value.get_mut("in") {
                link_strings_to_objects(inputs);
            }
        }
    }
}

fn link_strings_to_objects(inputs: &mut Value) {
    for member in inputs.members_mut() {
        let value = &mut member.value;
        let Data::String(text) = &value.data else { continue };
        let Some(rest) = text.strip_prefix('=') else { continue };
        let string = Data::String(rest.to_owned());
        value.data = if rest.starts_with('=') {
            string
        } else {
            let link = Value { at: value.at, data: string };
            Data::Object(vec![Member { key: "from".into(), key_at: value.at, value: link }])
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Input, Literal, PinRef, Rig};

    #[test]
    fn there_is_a_migration_from_each_older_version() {
        assert_eq!(MIGRATIONS.len() as i64, VERSION);
    }

    #[test]
    fn version_0_links_become_objects() {
        let old = r#"{"sinew": 0, "graphs": {"forward": {"event": true, "nodes": {
            "n": {"unit": "Math.Add", "in": {"a": "=m.result", "b": "==x", "c": "bone:head"}}}}}}"#;
        let rig = Rig::parse(old.as_bytes()).unwrap();
        let node = rig.node("forward", "n").unwrap();
        assert_eq!(node.inputs["a"], Input::Link(PinRef::new("m", "result")));
        assert_eq!(node.inputs["b"], Input::Literal(Literal::from("=x")));
        assert_eq!(node.inputs["c"], Input::Literal(Literal::from("bone:head")));
        assert!(rig.to_text().contains("\"sinew\": 1"));
    }
}
