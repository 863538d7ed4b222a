//! `explain`: from a node to its unit, its Rust line, its instructions, registers, values, cost.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use sinew::anim::{Clip, Pose};
use sinew::compile::{Code, Flow};
use sinew::graph::{Graph, Node, NodeOp};
use sinew::sequence::Bake;
use sinew::vm::{Instance, Instr, Operand, Profile, Program, RegisterInfo, Registry, UnitDef};

use crate::args::ExplainArgs;
use crate::character;
use crate::error::{CliError, Result};
use crate::files;

pub fn run(args: &ExplainArgs) -> Result<u8> {
    if let Some((_, text, explanation)) = Code::ALL.iter().find(|(_, text, _)| *text == args.rig) {
        println!("{text}\n{explanation}");
        return Ok(0);
    }
    let path = Path::new(&args.rig);
    let registry = Registry::standard();
    let program = files::program(path, &registry)?;
    let measured = measure(args, path, &program)?;
    let nodes = nodes(&program, args.node.as_deref(), path)?;
    // The rig itself, where it is one: its links say more than the program's registers.
    let rig = sinew::graph::Rig::parse(&files::read(path)?).ok();
    let mut all = Vec::new();
    for node in nodes {
        let authored = rig.as_ref().and_then(|r| node.split_once('/').and_then(|(g, n)| r.node(g, n)));
        let graph = rig.as_ref().and_then(|r| r.graph(node.split('/').next()?));
        let explained = Explained::of(&node, &program, &registry, measured.as_ref(), authored);
        if args.json {
            all.push(explained.json());
        } else {
            print!("{}", explained.text(authored, graph));
        }
    }
    if args.json {
        println!("{}", serde_json::to_string_pretty(&all).unwrap_or_default());
    }
    Ok(0)
}

/// The nodes that are asked for, as `graph/node`.
fn nodes(program: &Program, wanted: Option<&str>, path: &Path) -> Result<Vec<String>> {
    let notes = program.map.notes.iter().map(|n| &n.node);
    let mut known: Vec<String> = program.map.nodes.iter().chain(notes).cloned().collect();
    known.sort();
    known.dedup();
    let Some(wanted) = wanted else { return Ok(known) };
    let fits = |n: &&String| *n == wanted || n.split_once('/').is_some_and(|(_, node)| node == wanted);
    let found: Vec<String> = known.iter().filter(fits).cloned().collect();
    if found.is_empty() {
        let near = sinew::graph::suggest(wanted, known.iter().map(|n| n.rsplit('/').next().unwrap_or(n)));
        let hint =
            near.map_or_else(|| format!("it has {}", known.join(", ")), |n| format!("did you mean `{n}`?"));
        return Err(CliError::file(path, format!("there is no node `{wanted}`; {hint}")));
    }
    Ok(found)
}

/// An instance after a run, with what each instruction took.
struct Measured {
    instance: Instance,
    profile: Profile,
    frames: u64,
}

fn measure(args: &ExplainArgs, rig: &Path, program: &Arc<Program>) -> Result<Option<Measured>> {
    let Some(path) = &args.model else { return Ok(None) };
    let model = character::model(path, args.scale)?;
    let clip = match &args.clip {
        Some(wanted) => Some(character::clip(&model, wanted, path)?),
        None => None,
    };
    let names = character::name_map(&args.map)?;
    let bound = character::bind(Arc::clone(program), rig, &model, path, &names)?;
    let mut instance = Instance::new(&bound);
    let mut profile = Profile::new(program.code.len());
    let Some(event) = program.event("forward") else { return Ok(None) };
    let duration = clip.map_or(1.0, Clip::duration);
    let bake = Bake { skeleton: &model.skeleton, clip, fps: 60.0, duration };
    let frames = bake.frames().map_err(|e| CliError::Usage(e.to_string()))?;
    let mut pose = Pose::rest(&model.skeleton);
    for frame in 0..frames {
        if let Some(clip) = clip {
            clip.sample(&model.skeleton, bake.time(frame), &mut pose);
        }
        instance.set_pose(&pose.locals);
        let dt = if frame == 0 { 0.0 } else { 1.0 / 60.0 };
        instance.run_probed(event, dt, &mut profile).map_err(|e| CliError::file(rig, e))?;
    }
    Ok(Some(Measured { instance, profile, frames: frames as u64 }))
}

struct Explained<'p> {
    node: &'p str,
    program: &'p Program,
    unit: Option<&'p UnitDef>,
    instructions: Vec<usize>,
    notes: Vec<&'p str>,
    registers: Vec<(&'p RegisterInfo, Option<String>)>,
    count: u64,
    nanoseconds: Option<f64>,
}

impl<'p> Explained<'p> {
    fn of(
        node: &'p str,
        program: &'p Program,
        registry: &'p Registry,
        measured: Option<&Measured>,
        authored: Option<&Node>,
    ) -> Self {
        let instructions: Vec<usize> =
            (0..program.code.len()).filter(|i| program.node_of(*i) == Some(node)).collect();
        // The unit of the node itself, not of a conversion that was put before it.
        let name = authored.and_then(|n| match &n.op {
            NodeOp::Unit(name) => Some(name.as_str()),
            _ => None,
        });
        let units = instructions.iter().filter_map(|i| match program.code.get(*i)? {
            Instr::Call { import, .. } => registry.by_signature(program.imports.get(*import as usize)?),
            _ => None,
        });
        let units: Vec<&UnitDef> = units.collect();
        let unit = units.iter().find(|u| Some(u.name) == name).or(units.last()).copied();
        let unit = unit.or_else(|| registry.overloads(name?).first());
        let notes = program.map.notes.iter().filter(|n| n.node == node).map(|n| n.fate.as_str()).collect();
        let prefix = format!("{node}.");
        let registers = program.map.registers.iter().filter(|r| r.name.starts_with(&prefix));
        let registers = registers.map(|r| (r, measured.and_then(|m| value(&m.instance, r)))).collect();
        let cost = |i: &usize| measured.and_then(|m| m.profile.cost().get(*i).copied()).unwrap_or_default();
        let count = instructions.iter().map(|i| cost(i).count).max().unwrap_or(0);
        let nanoseconds = measured.map(|m| {
            let all: f64 = instructions.iter().map(|i| cost(i).time.as_nanos() as f64).sum();
            all / m.frames.max(1) as f64
        });
        Self { node, program, unit, instructions, notes, registers, count, nanoseconds }
    }

    fn text(&self, authored: Option<&Node>, graph: Option<&Graph>) -> String {
        let mut out = format!("{}\n", self.node);
        if let Some(node) = authored {
            let _ = writeln!(out, "  node          {} {}", node.op.word(), node.op.name());
            for (pin, input) in &node.inputs {
                let input = match input {
                    sinew::graph::Input::Link(link) => format!("from {link}"),
                    sinew::graph::Input::Literal(literal) => format!("{literal:?}"),
                };
                let _ = writeln!(out, "    {pin} = {input}");
            }
            for (pin, next) in &node.exec {
                let _ = writeln!(out, "    {pin} → {next}");
            }
            if graph.is_some_and(|g| g.start.as_deref() == self.node.rsplit('/').next()) {
                let _ = writeln!(out, "    executed first");
            }
        }
        if let Some(unit) = self.unit {
            let _ = writeln!(out, "  unit          {}", unit.signature());
            let _ = writeln!(
                out,
                "  does          {} ({})",
                unit.doc.lines().next().unwrap_or_default(),
                unit.kind.word()
            );
            let _ = writeln!(
                out,
                "  Rust          {} at {}:{}",
                unit.source.function, unit.source.file, unit.source.line
            );
        } else if let Some(flow) = authored.and_then(|n| Flow::ALL.iter().find(|f| f.name == n.op.name())) {
            let _ = writeln!(out, "  does          {}", flow.doc);
        }
        for note in &self.notes {
            let _ = writeln!(out, "  note          {note}");
        }
        for i in &self.instructions {
            let _ = writeln!(out, "  instruction   {i}: {}", self.program.instruction_text(*i));
        }
        if self.instructions.is_empty() {
            let _ = writeln!(out, "  instruction   none of its own");
        }
        for (register, value) in &self.registers {
            let pin = &register.name[self.node.len() + 1..];
            let value = value.as_ref().map_or(String::new(), |v| format!(" = {v}"));
            let (from, to) = register.live;
            let _ = writeln!(
                out,
                "  register      {} {pin}: {}{value}  (live {from} to {to})",
                register.operand, register.ty
            );
        }
        if let Some(ns) = self.nanoseconds {
            let _ = writeln!(out, "  cost          {ns:.0} ns a frame, ran {} times", self.count);
        }
        out.push('\n');
        out
    }

    fn json(&self) -> Value {
        let instructions: Vec<Value> = self
            .instructions
            .iter()
            .map(|i| json!({"index": i, "text": self.program.instruction_text(*i)}))
            .collect();
        let registers: Vec<Value> = self
            .registers
            .iter()
            .map(|(r, v)| json!({"register": r.operand.to_string(), "name": r.name, "type": r.ty, "value": v, "live": r.live}))
            .collect();
        json!({"node": self.node, "notes": self.notes, "instructions": instructions, "registers": registers,
               "unit": self.unit.map(|u| json!({"name": u.name, "signature": u.signature(), "doc": u.doc, "file": u.source.file,
                                                "line": u.source.line, "function": u.source.function})),
               "runs": self.count, "ns_per_frame": self.nanoseconds})
    }
}

/// What a register holds after the last frame. Shared words may hold a later register's value.
fn value(instance: &Instance, register: &RegisterInfo) -> Option<String> {
    let float = |w: &[u32; 1]| f32::from_bits(w[0]);
    let words = |n: u32| instance.register(Operand(register.operand.0), n);
    let list = |n: u32| {
        let all: Vec<_> = words(n).iter().map(|w| format!("{}", float(w))).collect();
        format!("[{}]", all.join(", "))
    };
    Some(match register.ty.as_str() {
        "Bool" => (words(1).first()?[0] != 0).to_string(),
        "Int" => (words(1).first()?[0] as i32).to_string(),
        "Float" => float(words(1).first()?).to_string(),
        "Vec2" => list(2),
        "Vec3" => list(3),
        "Quat" | "Color" | "Euler" => list(4),
        "Transform" => list(10),
        "Element" => {
            let id = sinew::hierarchy::ElementId(words(1).first()?[0]);
            instance.hierarchy().topology().key(id).map_or("none".into(), ToString::to_string)
        }
        _ => return None,
    })
}
