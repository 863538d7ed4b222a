//! `units`: what a rig can be made of.

use serde_json::{Value, json};
use sinew::compile::{CONVERSIONS, Flow};
use sinew::value::Type;
use sinew::vm::{Direction, Pin, Registry, UnitDef};

use crate::error::{CliError, Result};

pub fn run(pattern: Option<&str>, json: bool, verbose: bool) -> Result<u8> {
    let registry = Registry::standard();
    let wanted = |name: &str, doc: &str| pattern.is_none_or(|p| matches(p, name, doc));
    let units: Vec<&UnitDef> = registry.iter().filter(|u| wanted(u.name, u.doc)).collect();
    let flows: Vec<_> = Flow::ALL.iter().filter(|f| wanted(f.name, f.doc)).collect();
    if units.is_empty() && flows.is_empty() {
        let pattern = pattern.unwrap_or_default();
        return Err(CliError::Usage(format!("no unit fits `{pattern}`; `sinew units` lists them all")));
    }
    if json {
        let mut all: Vec<Value> = units.iter().map(|u| unit_json(u)).collect();
        all.extend(flows.iter().map(|f| {
            json!({"name": f.name, "kind": "flow", "doc": f.doc, "exec": f.exec,
                   "inputs": f.inputs.iter().map(|(n, t)| json!({"name": n, "type": t})).collect::<Vec<_>>(),
                   "outputs": f.outputs.iter().map(|(n, t)| json!({"name": n, "type": t})).collect::<Vec<_>>()})
        }));
        println!("{}", serde_json::to_string_pretty(&Value::Array(all)).unwrap_or_default());
        return Ok(0);
    }
    let full = verbose || units.len() + flows.len() <= 8;
    for flow in &flows {
        println!("{:<28} flow      {}", flow.name, first_line(flow.doc));
        if full {
            for (name, ty) in flow.inputs {
                println!("    in   {name}: {ty}");
            }
            for (name, ty) in flow.outputs {
                println!("    out  {name}: {ty}");
            }
            println!("    exec {}\n", flow.exec.join(", "));
        }
    }
    for unit in &units {
        println!("{:<28} {:<9} {}", unit.name, unit.kind.word(), first_line(unit.doc));
        if full {
            print_full(unit);
        } else {
            println!("    {}", short_signature(unit));
        }
    }
    println!("\n{} units, {} flow nodes", units.len(), flows.len());
    if pattern.is_none() {
        println!("implicit conversions:");
        for (from, to, unit) in CONVERSIONS {
            println!("    {from} to {to} by {unit}");
        }
    }
    Ok(0)
}

fn first_line(doc: &str) -> &str {
    doc.lines().next().unwrap_or_default()
}

fn short_signature(unit: &UnitDef) -> String {
    let list = |out: bool| {
        let pins = unit.pins.iter().filter(|p| (p.direction == Direction::Out) == out);
        pins.map(|p| format!("{}: {}", p.name, p.ty)).collect::<Vec<_>>().join(", ")
    };
    format!("({}) -> ({})", list(false), list(true))
}

fn print_full(unit: &UnitDef) {
    for line in unit.doc.lines().skip(1) {
        println!("    {line}");
    }
    for pin in &unit.pins {
        let direction = match pin.direction {
            Direction::In => "in  ",
            Direction::Out => "out ",
            Direction::InOut => "in/out",
        };
        let mut line = format!("    {direction} {}: {}", pin.name, pin.ty);
        if pin.direction == Direction::In
            && let Some(default) = default_text(pin)
        {
            line += &format!(" = {default}");
        }
        if let (Some(min), Some(max)) = (pin.min, pin.max) {
            line += &format!("  [{min} to {max}]");
        } else if let Some(min) = pin.min {
            line += &format!("  [{min} or more]");
        } else if let Some(max) = pin.max {
            line += &format!("  [{max} or less]");
        }
        if !pin.doc.is_empty() {
            line += &format!("  — {}", pin.doc.replace('\n', " "));
        }
        println!("{line}");
    }
    println!("    {} ({}:{})\n", unit.source.function, unit.source.file, unit.source.line);
}

/// The default as a rig would write it.
fn default_text(pin: &Pin) -> Option<String> {
    let floats = || pin.default.iter().map(|w| f32::from_bits(*w).to_string()).collect::<Vec<_>>();
    let first = *pin.default.first()?;
    Some(match &pin.ty {
        Type::Bool => (first != 0).to_string(),
        Type::Int => (first as i32).to_string(),
        Type::Float => f32::from_bits(first).to_string(),
        Type::Vec2 | Type::Vec3 | Type::Quat | Type::Color => format!("[{}]", floats().join(", ")),
        Type::Enum(e) => e.variants.get(first as usize)?.clone(),
        _ => return None,
    })
}

fn unit_json(unit: &UnitDef) -> Value {
    let pins: Vec<Value> = unit
        .pins
        .iter()
        .map(|p| {
            let direction = match p.direction {
                Direction::In => "in",
                Direction::Out => "out",
                Direction::InOut => "inout",
            };
            json!({"name": p.name, "direction": direction, "type": p.ty.to_string(), "default": default_text(p),
                   "min": p.min, "max": p.max, "doc": p.doc})
        })
        .collect();
    json!({"name": unit.name, "kind": unit.kind.word(), "doc": unit.doc, "pins": pins,
           "signature": unit.signature(), "file": unit.source.file, "line": unit.source.line,
           "function": unit.source.function})
}

fn matches(pattern: &str, name: &str, doc: &str) -> bool {
    let (pattern, name) = (pattern.to_lowercase(), name.to_lowercase());
    if pattern.contains(['*', '?']) {
        return sinew::hierarchy::fits_pattern(&pattern, &name);
    }
    name.contains(&pattern) || doc.to_lowercase().contains(&pattern)
}
