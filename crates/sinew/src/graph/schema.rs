//! A description of the text form for editors that complete and check JSON as it is typed.

use super::{ControlKind, Extrapolation, Interpolation, MAX_NAME, Role, VERSION};
use serde_json::{Map, Value, json};

/// The JSON Schema (draft 2020-12) of a rig's text.
pub fn schema() -> String {
    schema_with(std::iter::empty::<(&str, [&str; 0])>())
}

/// As [`schema`], with the names of the units and of the input pins of each, so that editors complete
/// them. Other names stay allowed, for units of other crates.
pub fn schema_with<'a, P>(units: impl IntoIterator<Item = (&'a str, P)>) -> String
where
    P: IntoIterator<Item = &'a str>,
{
    let mut unit_names = Vec::new();
    let mut unit_pins = Vec::new();
    for (name, pins) in units {
        let pins: Map<String, Value> = pins.into_iter().map(|p| (p.to_owned(), reference("input"))).collect();
        unit_names.push(json!(name));
        if !pins.is_empty() {
            unit_pins.push(json!({
                "if": { "properties": { "unit": { "const": name } }, "required": ["unit"] },
                "then": { "properties": { "in": { "properties": pins } } }
            }));
        }
    }
    let mut root = rig();
    let mut definitions = definitions();
    if !unit_names.is_empty() {
        definitions["unitName"]["anyOf"] = json!([{ "enum": unit_names }, { "type": "string" }]);
    }
    if !unit_pins.is_empty() {
        definitions["node"]["allOf"] = Value::Array(unit_pins);
    }
    root["$defs"] = definitions;
    // Writing a value to a string has no way to fail.
    let mut text = serde_json::to_string_pretty(&root).unwrap_or_default();
    text.push('\n');
    text
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{name}") })
}

fn text(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}

/// An object with these members and no others.
fn object(description: &str, required: &[&str], properties: Value) -> Value {
    let mut out = json!({ "type": "object", "description": description, "properties": properties, "additionalProperties": false });
    if !required.is_empty() {
        out["required"] = json!(required);
    }
    out
}

/// An object whose members have names and are alike.
fn named(description: &str, of: &str) -> Value {
    json!({
        "type": "object",
        "description": description,
        "propertyNames": reference("name"),
        "additionalProperties": reference(of)
    })
}

fn numbers(n: usize, description: &str) -> Value {
    json!({
        "type": "array", "items": { "type": "number" }, "minItems": n, "maxItems": n, "description": description
    })
}

fn names(description: &str) -> Value {
    json!({ "type": "array", "items": reference("name"), "uniqueItems": true, "description": description })
}

fn rig() -> Value {
    let mut root = object(
        "A rig of Sinew.",
        &["sinew"],
        json!({
            "sinew": { "const": VERSION, "description": "The version of the format." },
            "name": text("What the rig is called, in any words."),
            "doc": text("What the rig is for."),
            "bones": {
                "type": "object",
                "description": "Roles: a logical bone name, and the names that bone may have on a skeleton, tried in order.",
                "propertyNames": reference("name"),
                "additionalProperties": { "type": "array", "items": { "type": "string" }, "minItems": 1 }
            },
            "elements": {
                "type": "object",
                "description": "Elements that the rig adds to the skeleton.",
                "propertyNames": reference("elementKey"),
                "additionalProperties": reference("element")
            },
            "enums": {
                "type": "object",
                "description": "Enums: the names of their values in order.",
                "propertyNames": reference("name"),
                "additionalProperties": names("Values in order.")
            },
            "structs": named("Structs: fields by name.", "struct"),
            "curves": named("Curves that pins refer to by name.", "curve"),
            "variables": named("Variables.", "variable"),
            "graphs": named("Events and functions.", "graph"),
            "layout": {
                "type": "object",
                "description": "Where nodes and comments stand, by graph and name.",
                "propertyNames": reference("name"),
                "additionalProperties": {
                    "type": "object", "propertyNames": reference("name"), "additionalProperties": reference("place")
                }
            }
        }),
    );
    let mut head = Map::new();
    head.insert("$schema".into(), json!("https://json-schema.org/draft/2020-12/schema"));
    head.insert("title".into(), json!("Sinew rig"));
    if let Value::Object(members) = root.take() {
        head.extend(members);
    }
    Value::Object(head)
}

fn definitions() -> Value {
    let link = json!({
        "type": "string",
        "pattern": r"^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z0-9_]+)+$",
        "description": "An output: node.pin, or a part of it: node.pin.part. A function's inputs are inputs.pin."
    });
    let typed = |description: &str| {
        object(
            description,
            &["type"],
            json!({
                "type": reference("typeName"),
                "default": reference("literal"),
                "doc": text("What it means.")
            }),
        )
    };
    let mut defs = Map::new();
    let mut put = |name: &str, value: Value| defs.insert(name.into(), value);
    put(
        "name",
        json!({ "type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$", "maxLength": MAX_NAME, "not": { "const": "inputs" } }),
    );
    put(
        "pin",
        json!({ "type": "string", "pattern": r"^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z0-9_]+)*$", "description": "A pin, or a part of it: transform.translation.x" }),
    );
    put(
        "elementKey",
        json!({ "type": "string", "pattern": "^(bone|null|control|curve|socket):.+$", "description": "kind:name" }),
    );
    put(
        "typeName",
        json!({ "type": "string", "minLength": 1, "description": "Float, Int, Bool, Vec2, Vec3, Quat, Transform, Element, Name, an enum, a struct, Array<…>" }),
    );
    put("unitName", json!({ "type": "string", "minLength": 1, "description": "A unit, such as Math.Add." }));
    put(
        "literal",
        json!({
            "description": "A value: vectors are arrays, transforms and structs are objects, element keys, names and enum values are strings.",
            "type": ["boolean", "number", "string", "array", "object"],
            "items": reference("literal"),
            "additionalProperties": reference("literal"),
            "not": { "type": "object", "required": ["from"] }
        }),
    );
    put("link", object("A link.", &["from"], json!({ "from": link })));
    put("input", json!({ "anyOf": [reference("link"), reference("literal")] }));
    put(
        "inputs",
        json!({ "type": "object", "propertyNames": reference("pin"), "additionalProperties": reference("input"), "description": "By pin: a value or a link." }),
    );
    put(
        "transform",
        object(
            "A transform; parts left out are identity.",
            &[],
            json!({
                "translation": numbers(3, "Metres."),
                "rotation": numbers(4, "Quaternion x y z w."),
                "scale": numbers(3, "Factors.")
            }),
        ),
    );
    put(
        "element",
        object(
            "An element that the rig adds.",
            &[],
            json!({
                "parent": reference("elementKey"),
                "transform": reference("transform"),
                "control": reference("control"),
                "spaces": { "type": "array", "items": reference("space"), "description": "Other parents that it can follow." },
                "value": { "type": "number", "description": "For curves, the value at the start." },
                "doc": text("What it is for.")
            }),
        ),
    );
    put(
        "control",
        object(
            "What a control holds and how it looks.",
            &[],
            json!({
                "kind": { "enum": ControlKind::WORDS, "default": ControlKind::default().word() },
                "value": reference("literal"),
                "min": reference("literal"),
                "max": reference("literal"),
                "offset": reference("transform"),
                "shape": text("The name of its shape."),
                "shape_transform": reference("transform"),
                "color": reference("color")
            }),
        ),
    );
    put(
        "space",
        object(
            "A parent that an element can follow.",
            &[],
            json!({
                "name": text("What the space is called; the parent's name if not given."),
                "parent": reference("elementKey"),
                "weight": { "type": "number", "minimum": 0 }
            }),
        ),
    );
    put("color", numbers(4, "Red, green, blue, alpha from 0 to 1."));
    put("field", typed("A field of a struct."));
    put(
        "struct",
        json!({ "type": "object", "propertyNames": reference("name"), "additionalProperties": reference("field"), "description": "Fields by name." }),
    );
    let extrapolation = json!({ "enum": Extrapolation::WORDS, "default": Extrapolation::default().word() });
    put(
        "curve",
        object(
            "A function of one number, by keys.",
            &[],
            json!({
                "keys": { "type": "array", "items": reference("curveKey") },
                "before": extrapolation,
                "after": extrapolation,
                "doc": text("What it is for.")
            }),
        ),
    );
    put(
        "curveKey",
        object(
            "A key; times rise.",
            &["time", "value"],
            json!({
                "time": { "type": "number" },
                "value": { "type": "number" },
                "interpolation": { "enum": Interpolation::WORDS, "default": Interpolation::default().word() },
                "arrive": { "type": "number", "description": "Slope on arrival." },
                "leave": { "type": "number", "description": "Slope on leaving." }
            }),
        ),
    );
    let capacity = json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX, "description": "The most elements of its arrays, or turns of its loop." });
    put(
        "variable",
        object(
            "A variable.",
            &["type"],
            json!({
                "type": reference("typeName"),
                "role": { "enum": Role::WORDS, "default": Role::default().word() },
                "default": reference("literal"),
                "min": { "type": "number" },
                "max": { "type": "number" },
                "capacity": capacity,
                "doc": text("What it means.")
            }),
        ),
    );
    let mut graph = object(
        "An event or a function.",
        &[],
        json!({
            "event": { "const": true },
            "function": reference("function"),
            "doc": text("What it does."),
            "start": reference("name"),
            "results": reference("inputs"),
            "nodes": named("Nodes.", "node"),
            "comments": named("Comments.", "comment")
        }),
    );
    graph["oneOf"] = json!([{ "required": ["event"] }, { "required": ["function"] }]);
    put("graph", graph);
    put("functionPin", typed("A pin of a function."));
    put(
        "function",
        object(
            "The signature of a function.",
            &[],
            json!({
                "inputs": named("Inputs.", "functionPin"),
                "outputs": named("Outputs.", "functionPin"),
                "order": names("The order in which editors show the pins.")
            }),
        ),
    );
    let mut node = object(
        "A node: one of unit, call, get, set, const.",
        &[],
        json!({
            "unit": reference("unitName"),
            "call": { "$ref": "#/$defs/name", "description": "A function of the rig." },
            "get": { "$ref": "#/$defs/name", "description": "A variable; read it at the pin `value`." },
            "set": { "$ref": "#/$defs/name", "description": "A variable; it is set to the pin `value`." },
            "const": { "$ref": "#/$defs/typeName", "description": "A constant of that type, at the pin `value`." },
            "capacity": capacity,
            "in": reference("inputs"),
            "exec": {
                "type": "object",
                "description": "By execution pin: the node that is executed next.",
                "propertyNames": reference("pin"),
                "additionalProperties": reference("name")
            },
            "note": text("A remark for readers.")
        }),
    );
    let ops = ["unit", "call", "get", "set", "const"];
    node["oneOf"] = ops.iter().map(|op| json!({ "required": [op] })).collect();
    put("node", node);
    put(
        "comment",
        object(
            "A frame with words around nodes.",
            &[],
            json!({
                "text": text("What it says."),
                "nodes": names("The nodes it speaks of."),
                "color": reference("color")
            }),
        ),
    );
    put(
        "place",
        json!({
            "type": "array",
            "items": { "type": "number" },
            "anyOf": [{ "minItems": 2, "maxItems": 2 }, { "minItems": 4, "maxItems": 4 }],
            "description": "[x, y], or [x, y, width, height]"
        }),
    );
    Value::Object(defs)
}

#[cfg(test)]
mod tests {
    use super::super::keys;
    use super::*;
    use std::collections::BTreeSet;

    fn parsed() -> Value {
        serde_json::from_str(&schema()).unwrap()
    }

    /// The parts of JSON Schema that this schema uses, after the specification; patterns are checked by
    /// hand below.
    fn valid(root: &Value, schema: &Value, v: &Value) -> Result<(), String> {
        if let Some(r) = schema["$ref"].as_str() {
            let target = root.pointer(r.trim_start_matches('#')).ok_or(format!("no {r}"))?;
            valid(root, target, v)?;
        }
        let kind = match v {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        };
        let is = |t: &Value| t == kind || (t == "integer" && v.is_i64());
        match &schema["type"] {
            Value::Null => {}
            Value::Array(kinds) if kinds.iter().any(is) => {}
            t if is(t) => {}
            t => return Err(format!("{v} is no {t}")),
        }
        if let Some(c) = schema.get("const").filter(|c| *c != v) {
            return Err(format!("{v} is not {c}"));
        }
        if schema["enum"].as_array().is_some_and(|e| !e.contains(v)) {
            return Err(format!("{v} is none of {}", schema["enum"]));
        }
        for (key, wanted) in [("anyOf", 1..=usize::MAX), ("oneOf", 1..=1)] {
            if let Some(options) = schema[key].as_array() {
                let n = options.iter().filter(|s| valid(root, s, v).is_ok()).count();
                if !wanted.contains(&n) {
                    return Err(format!("{v}: {n} of {key}"));
                }
            }
        }
        if schema.get("not").is_some_and(|s| valid(root, s, v).is_ok()) {
            return Err(format!("{v} is forbidden"));
        }
        if let Value::Array(items) = v {
            let bound = |k: &str, d| schema[k].as_u64().unwrap_or(d);
            if !(bound("minItems", 0)..=bound("maxItems", u64::MAX)).contains(&(items.len() as u64)) {
                return Err(format!("{v}: length"));
            }
            for item in items {
                schema.get("items").map_or(Ok(()), |s| valid(root, s, item))?;
            }
        }
        if let Value::Object(members) = v {
            for r in schema["required"].as_array().into_iter().flatten() {
                r.as_str().and_then(|r| members.get(r)).ok_or(format!("{v}: no {r}"))?;
            }
            for (key, member) in members {
                schema.get("propertyNames").map_or(Ok(()), |s| valid(root, s, &json!(key)))?;
                let property = schema["properties"].get(key).or_else(|| schema.get("additionalProperties"));
                match property {
                    Some(Value::Bool(false)) => return Err(format!("unknown {key}")),
                    Some(s) => valid(root, s, member).map_err(|e| format!("{key}: {e}"))?,
                    None => {}
                }
            }
        }
        Ok(())
    }

    #[test]
    fn a_rig_with_everything_is_valid() {
        let root = parsed();
        for text in [super::super::tests::FULL, super::super::tests::TYPED] {
            valid(&root, &root, &serde_json::from_str(text).unwrap()).unwrap();
        }
    }

    #[test]
    fn mistakes_are_invalid() {
        let root = parsed();
        for text in [
            r#"{}"#,
            r#"{"sinew": 2}"#,
            r#"{"sinew": 1, "nodes": {}}"#,
            r#"{"sinew": 1, "graphs": {"f": {}}}"#,
            r#"{"sinew": 1, "graphs": {"f": {"event": true, "nodes": {"n": {"unit": "A", "call": "b"}}}}}"#,
            r#"{"sinew": 1, "graphs": {"f": {"event": true, "nodes": {"n": {"unit": "A", "in": {"x": {"from": "a.b", "y": 1}}}}}}}"#,
            r#"{"sinew": 1, "variables": {"v": {"role": "input"}}}"#,
            r#"{"sinew": 1, "layout": {"f": {"n": [1, 2, 3]}}}"#,
        ] {
            assert!(valid(&root, &root, &serde_json::from_str(text).unwrap()).is_err(), "{text}");
        }
    }

    #[test]
    fn the_schema_has_the_keys_that_the_reader_accepts_and_no_others() {
        let root = parsed();
        let keys_at = |path: &str| -> BTreeSet<String> {
            let properties = root.pointer(&format!("{path}/properties")).and_then(Value::as_object);
            properties.unwrap_or_else(|| panic!("{path}")).keys().cloned().collect()
        };
        for (path, keys) in [
            ("", keys::RIG),
            ("/$defs/element", keys::ELEMENT),
            ("/$defs/transform", keys::TRANSFORM),
            ("/$defs/control", keys::CONTROL),
            ("/$defs/space", keys::SPACE),
            ("/$defs/curve", keys::CURVE),
            ("/$defs/curveKey", keys::CURVE_KEY),
            ("/$defs/variable", keys::VARIABLE),
            ("/$defs/field", keys::TYPED),
            ("/$defs/functionPin", keys::TYPED),
            ("/$defs/graph", keys::GRAPH),
            ("/$defs/function", keys::FUNCTION),
            ("/$defs/node", keys::NODE),
            ("/$defs/link", keys::LINK),
            ("/$defs/comment", keys::COMMENT),
        ] {
            assert_eq!(keys_at(path), keys.iter().map(|k| (*k).to_owned()).collect(), "{path}");
        }
    }

    #[test]
    fn units_and_their_pins_are_listed() {
        let text = schema_with([("Math.Add", vec!["a", "b"]), ("Time", vec![])]);
        let root: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(root.pointer("/$defs/unitName/anyOf/0/enum/1"), Some(&json!("Time")));
        assert!(root.pointer("/$defs/node/allOf/0/then/properties/in/properties/b").is_some());
        valid(&root, &root, &serde_json::from_str(super::super::tests::FULL).unwrap()).unwrap();
    }
}
