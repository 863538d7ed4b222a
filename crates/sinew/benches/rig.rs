//! The machine beside straight Rust, in one run: `cargo bench -p sinew --bench rig`.
//!
//! Prints a table and writes `out/bench/rig.json` with rows `{name, ns, native_ns, ratio}`. Both
//! sides do the same work on the same data and are measured in turns, the least of many rounds
//! counts, so that what else the machine does touches both alike. Rows without a native side say
//! what a thing takes.

use std::fmt::Write as _;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use sinew::graph::{Graph, Node, PinRef, Rig, Role, VariableDecl};
use sinew::hierarchy::{Carry, ElementId, ElementKey, ElementSpec, Hierarchy, Needs, Space};
use sinew::math::{Quat, Transform, Vec3};
use sinew::units::{hierarchy_set, ik};
use sinew::vm::{BoundProgram, Instance, NameMap, Program, Registry};

const BONES: u32 = 67;

struct Row {
    name: &'static str,
    ns: f64,
    native_ns: Option<f64>,
}

/// Least time of a call in nanoseconds, of two things in turns.
fn both(calls: u32, mut a: impl FnMut(), mut b: impl FnMut()) -> (f64, f64) {
    let mut best = (f64::MAX, f64::MAX);
    for _ in 0..60 {
        best.0 = best.0.min(once(calls, &mut a));
        best.1 = best.1.min(once(calls, &mut b));
    }
    best
}

fn once(calls: u32, work: &mut impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..calls {
        work();
    }
    start.elapsed().as_nanos() as f64 / f64::from(calls)
}

fn link(node: &str, path: &str) -> PinRef {
    PinRef::new(node, path)
}

fn skeleton(bones: u32) -> Hierarchy {
    let spec = |i: u32| {
        // Chains of seven that hang on the root, as limbs do.
        let parent = match i {
            0 => ElementId::NONE,
            i if i % 7 == 1 => ElementId(0),
            i => ElementId(i - 1),
        };
        let at = Transform::new(
            Vec3::new(0.02 * (i % 5) as f32, 0.2, 0.03 * (i % 3) as f32),
            Quat::from_axis_angle(Vec3::new(0.3, 0.5, 0.8), 0.1 * (i % 4) as f32),
            Vec3::ONE,
        );
        ElementSpec::new(ElementKey::bone(format!("b{i}")), parent).at(at)
    };
    Hierarchy::new((0..bones).map(spec)).unwrap()
}

fn event(rig: &mut Rig, start: &str, nodes: impl IntoIterator<Item = (String, Node)>) {
    let graph = Graph { start: Some(start.into()), nodes: nodes.into_iter().collect(), ..Graph::default() };
    rig.graphs.insert("forward".into(), graph);
}

fn bind(rig: &Rig, skeleton: &Hierarchy) -> Arc<BoundProgram> {
    let program = Program::compile(rig, &Registry::standard()).unwrap_or_else(|e| panic!("{e}"));
    let bound = BoundProgram::bind(Arc::new(program), &Registry::standard(), skeleton, &NameMap::new());
    Arc::new(bound.unwrap_or_else(|e| panic!("{e:?}")))
}

fn variable(ty: &str, role: Role) -> VariableDecl {
    VariableDecl { ty: ty.into(), role, ..VariableDecl::default() }
}

/// A thousand vector adds in a row against the same loop over vectors in memory.
fn vector_add() -> Row {
    const N: usize = 1000;
    let mut rig = Rig::default();
    rig.variables.insert("x".into(), variable("Vec3", Role::Input));
    rig.variables.insert("d".into(), variable("Vec3", Role::Input));
    rig.variables.insert("y".into(), variable("Vec3", Role::Output));
    let mut nodes = vec![
        ("x".to_string(), Node::new(sinew::graph::NodeOp::Get("x".into()))),
        ("d".to_string(), Node::new(sinew::graph::NodeOp::Get("d".into()))),
    ];
    for k in 0..N {
        let from = if k == 0 { link("x", "value") } else { link(&format!("n{}", k - 1), "result") };
        nodes.push((format!("n{k}"), Node::unit("Math.Add").with("a", from).with("b", link("d", "value"))));
    }
    let last = link(&format!("n{}", N - 1), "result");
    nodes.push(("out".into(), Node::new(sinew::graph::NodeOp::Set("y".into())).with("value", last)));
    event(&mut rig, "out", nodes);
    let mut instance = Instance::new(&bind(&rig, &skeleton(1)));
    let mut registers = vec![Vec3::new(0.1, 0.2, 0.3); 4];
    let adds: Vec<[usize; 3]> = (0..N).map(|k| [2, if k == 0 { 0 } else { 2 }, 1]).collect();
    let (ns, native) = both(
        20,
        || instance.tick(0.01).unwrap(),
        || {
            for [to, a, b] in black_box(&adds) {
                registers[*to] = registers[*a] + registers[*b];
            }
            black_box(&mut registers);
        },
    );
    Row { name: "vector add", ns: ns / N as f64, native_ns: Some(native / N as f64) }
}

/// An empty loop's turn.
fn loop_turn() -> Row {
    const N: i64 = 10_000;
    let mut rig = Rig::default();
    event(&mut rig, "for", [("for".to_string(), Node::unit("Flow.For").with("count", N))]);
    let mut instance = Instance::new(&bind(&rig, &skeleton(1)));
    let count = black_box(N);
    let (ns, native) = both(
        5,
        || instance.tick(0.01).unwrap(),
        || {
            for i in 0..count {
                black_box(i);
            }
        },
    );
    Row { name: "loop turn", ns: ns / N as f64, native_ns: Some(native / N as f64) }
}

/// Reads of sixty elements: in the first frame of a fresh instance, in later ones, and after a new
/// pose, where each read brings what it needs up to date.
fn get_transform() -> [Row; 3] {
    const N: u32 = 60;
    let mut rig = Rig::default();
    let nodes = (0..N).map(|k| {
        let node = Node::unit("Hierarchy.GetTransform").with("item", format!("bone:b{k}").as_str());
        (format!("n{k}"), if k + 1 < N { node.then("next", format!("n{}", k + 1)) } else { node })
    });
    event(&mut rig, "n0", nodes.collect::<Vec<_>>());
    let skeleton = skeleton(BONES);
    let bound = bind(&rig, &skeleton);
    let mut native = skeleton.clone();
    let ids: Vec<ElementId> = (0..N).map(ElementId).collect();
    let read_native = |h: &mut Hierarchy| {
        for id in black_box(&ids) {
            h.prepare(*id);
            black_box(h.global(*id));
        }
    };
    let (mut first, mut later) = (f64::MAX, f64::MAX);
    for _ in 0..2000 {
        let mut fresh = Instance::new(&bound);
        // One instance more has warmed the caches for the code, as a running game's are.
        let mut other = Instance::new(&bound);
        other.tick(0.01).unwrap();
        first = first.min(once(1, &mut || fresh.tick(0.01).unwrap()));
        later = later.min(once(1, &mut || fresh.tick(0.01).unwrap()));
    }
    let mut instance = Instance::new(&bound);
    let (_, later_native) = both(100, || instance.tick(0.01).unwrap(), || read_native(&mut native));
    let pose = skeleton.locals().to_vec();
    let (posed, posed_native) = both(
        100,
        || {
            instance.set_pose(&pose);
            instance.tick(0.01).unwrap();
        },
        || {
            native.set_locals(&pose);
            read_native(&mut native);
        },
    );
    let n = f64::from(N);
    [
        Row {
            name: "get transform, first frame of an instance",
            ns: first / n,
            native_ns: Some(later_native / n),
        },
        Row { name: "get transform, later frames", ns: later / n, native_ns: Some(later_native / n) },
        Row { name: "new pose and get transform", ns: posed / n, native_ns: Some(posed_native / n) },
    ]
}

/// Many nodes of one unit on the execution line against the same calls.
fn many(name: &'static str, node: impl Fn(usize) -> Node, native: impl Fn(&mut Hierarchy, ElementId)) -> Row {
    const N: usize = 100;
    let mut rig = Rig::default();
    let nodes = (0..N).map(|k| {
        let node = node(k);
        (format!("n{k}"), if k + 1 < N { node.then("next", format!("n{}", k + 1)) } else { node })
    });
    event(&mut rig, "n0", nodes.collect::<Vec<_>>());
    let skeleton = skeleton(BONES);
    let mut instance = Instance::new(&bind(&rig, &skeleton));
    let mut hierarchy = skeleton.clone();
    let ids: Vec<ElementId> = (0..N).map(|k| ElementId(k as u32 % BONES)).collect();
    let (ns, native_ns) = both(
        50,
        || instance.tick(0.01).unwrap(),
        || {
            for id in black_box(&ids) {
                hierarchy.prepare(*id);
                native(&mut hierarchy, *id);
            }
        },
    );
    Row { name, ns: ns / N as f64, native_ns: Some(native_ns / N as f64) }
}

const READS: usize = 20;
const WRITES: usize = 30;

fn read_bone(i: usize) -> u32 {
    (3 * i + 1) as u32 % BONES
}

fn write_bone(i: usize) -> u32 {
    (2 * i + 2) as u32 % BONES
}

/// Chains for the four limbs.
fn limb(i: usize) -> [u32; 3] {
    let first = 1 + 7 * i as u32;
    [first, first + 1, first + 2]
}

/// 67 bones, 20 reads, 60 maths nodes, 4 two-bone IK, 30 writes.
fn rig_graph() -> Rig {
    let mut rig = Rig::default();
    let mut nodes: Vec<(String, Node)> = Vec::new();
    let bone = |b: u32| format!("bone:b{b}");
    let mut order: Vec<String> = Vec::new();
    for i in 0..READS {
        nodes.push((
            format!("get{i}"),
            Node::unit("Hierarchy.GetTransform").with("item", bone(read_bone(i)).as_str()),
        ));
        order.push(format!("get{i}"));
        let next = format!("get{}", (i + 1) % READS);
        let third = format!("get{}", (i + 7) % READS);
        let add = Node::unit("Math.Add")
            .with("a", link(&format!("get{i}"), "result.translation"))
            .with("b", [0.01, 0.02, 0.03]);
        nodes.push((format!("add{i}"), add));
        let lerp = Node::unit("Math.Lerp")
            .with("a", link(&format!("add{i}"), "result"))
            .with("b", link(&next, "result.translation"))
            .with("t", 0.3);
        nodes.push((format!("lerp{i}"), lerp));
        let slerp = Node::unit("Quat.Slerp")
            .with("a", link(&format!("get{i}"), "result.rotation"))
            .with("b", link(&third, "result.rotation"))
            .with("t", 0.25);
        nodes.push((format!("slerp{i}"), slerp));
    }
    for i in 0..4 {
        let [a, b, c] = limb(i);
        let ik = Node::unit("IK.TwoBone")
            .with("root", bone(a).as_str())
            .with("middle", bone(b).as_str())
            .with("tip", bone(c).as_str())
            .with("target", link(&format!("get{}", 5 * i), "result"));
        nodes.push((format!("ik{i}"), ik));
        order.push(format!("ik{i}"));
    }
    for i in 0..WRITES {
        let item = bone(write_bone(i));
        let write = if i < READS {
            Node::unit("Hierarchy.SetTranslation").with("translation", link(&format!("lerp{i}"), "result"))
        } else {
            Node::unit("Hierarchy.SetRotation")
                .with("rotation", link(&format!("slerp{}", i - READS), "result"))
        };
        nodes.push((format!("set{i}"), write.with("item", item.as_str()).with("space", "Local")));
        order.push(format!("set{i}"));
    }
    // The ten rotations that no write uses are kept alive by outputs.
    for i in 10..READS {
        rig.variables.insert(format!("out{i}"), variable("Quat", Role::Output));
        let set = Node::new(sinew::graph::NodeOp::Set(format!("out{i}")))
            .with("value", link(&format!("slerp{i}"), "result"));
        nodes.push((format!("keep{i}"), set));
        order.push(format!("keep{i}"));
    }
    for pair in order.windows(2) {
        if let Some((_, node)) = nodes.iter_mut().find(|(n, _)| *n == pair[0]) {
            node.exec.insert("next".into(), pair[1].clone());
        }
    }
    event(&mut rig, &order[0], nodes);
    rig
}

/// The same in straight Rust.
fn rig_native(h: &mut Hierarchy, kept: &mut [Quat; 10]) {
    let mut got = [Transform::IDENTITY; READS];
    for (i, t) in got.iter_mut().enumerate() {
        *t = h.global_mut(ElementId(read_bone(i)));
    }
    for i in 0..4 {
        let [a, b, c] = limb(i).map(ElementId);
        let needs = Needs { global: true, parent: true, initial_global: false };
        let [mut first, mut second, mut third] = [a, b, c].map(|id| h.joint(id, needs));
        let joints = (&mut first, &mut second, &mut third);
        let (target, none) = (got[5 * i], Vec3::ZERO);
        black_box(ik::two_bone(joints.0, joints.1, joints.2, target, none, false, false, 0.0, 1.0, 1.0));
        for (id, joint) in [(a, first), (b, second), (c, third)] {
            h.apply(id, &joint);
        }
    }
    // In the order of the graph, one value after another, as a rig is written by hand: a loop over
    // arrays of values would be lanes, which real rigs do not have within one character.
    let slerp = |i: usize| got[i].rotation.slerp(got[(i + 7) % READS].rotation, black_box(0.25));
    for i in 0..WRITES {
        let id = ElementId(write_bone(i));
        let local = h.local(id);
        let new = if i < READS {
            let add = got[i].translation + Vec3::new(0.01, 0.02, 0.03);
            Transform { translation: add.lerp(got[(i + 1) % READS].translation, 0.3), ..local }
        } else {
            Transform { rotation: slerp(i - READS), ..local }
        };
        h.set_local(id, new);
    }
    for (i, q) in kept.iter_mut().enumerate() {
        *q = slerp(10 + i);
    }
}

fn whole_rig() -> Row {
    let skeleton = skeleton(BONES);
    let mut instance = Instance::new(&bind(&rig_graph(), &skeleton));
    let mut hierarchy = skeleton.clone();
    let mut kept = [Quat::IDENTITY; 10];
    let pose = skeleton.locals().to_vec();
    // Both give the same pose, or the comparison means nothing.
    instance.set_pose(&pose);
    instance.tick(0.01).unwrap();
    hierarchy.set_locals(&pose);
    rig_native(&mut hierarchy, &mut kept);
    assert_eq!(instance.pose(), hierarchy.locals(), "the machine and straight Rust differ");
    let (ns, native) = both(
        100,
        || {
            instance.set_pose(&pose);
            instance.tick(0.01).unwrap();
        },
        || {
            hierarchy.set_locals(&pose);
            rig_native(&mut hierarchy, &mut kept);
            black_box(&mut kept);
        },
    );
    Row { name: "rig: 67 bones, 20 reads, 60 maths, 4 IK, 30 writes", ns, native_ns: Some(native) }
}

/// Compiling, loading and starting.
fn once_each() -> Vec<Row> {
    const N: usize = 1000;
    let mut rig = Rig::default();
    rig.variables.insert("y".into(), variable("Vec3", Role::Output));
    rig.variables.insert("x".into(), variable("Vec3", Role::Input));
    let mut nodes = vec![("x".to_string(), Node::new(sinew::graph::NodeOp::Get("x".into())))];
    for k in 0..N - 2 {
        let from = |back: usize| match k.checked_sub(back) {
            Some(before) => link(&format!("n{before}"), "result"),
            None => link("x", "value"),
        };
        let unit = ["Math.Add", "Math.Multiply", "Math.Cross"][k % 3];
        nodes.push((format!("n{k}"), Node::unit(unit).with("a", from(1)).with("b", from(5))));
    }
    let last = link(&format!("n{}", N - 3), "result");
    nodes.push(("out".into(), Node::new(sinew::graph::NodeOp::Set("y".into())).with("value", last)));
    event(&mut rig, "out", nodes);
    let registry = Registry::standard();
    let program = Program::compile(&rig, &registry).unwrap();
    let bytes = program.to_bytes();
    let program = Arc::new(program);
    let large = skeleton(300);
    let started = bind(&rig_graph(), &large);
    let (compile, load) =
        both(1, || drop(Program::compile(&rig, &registry)), || drop(Program::from_bytes(&bytes)));
    let (bound, start) = both(
        1,
        || drop(BoundProgram::bind(Arc::clone(&program), &registry, &large, &NameMap::new())),
        || drop(Instance::new(&started)),
    );
    let row = |name, ns| Row { name, ns, native_ns: None };
    vec![
        row("compile 1,000 nodes", compile),
        row("load the compiled program", load),
        row("bind it to 300 bones", bound),
        row("start an instance of a 300-bone rig", start),
    ]
}

fn main() {
    // `cargo test` builds benches too and asks them for their tests.
    if std::env::args().any(|a| a == "--test" || a == "--list") {
        return;
    }
    let modify = many(
        "Transform.Modify",
        |k| {
            Node::unit("Transform.Modify")
                .with("item", format!("bone:b{}", k as u32 % BONES).as_str())
                .with("translation", [0.001, 0.0, 0.0])
                .with("rotation_degrees", [1.0, 2.0, 3.0])
        },
        |h, id| {
            let turn = Vec3::new(1.0, 2.0, 3.0);
            let by = Vec3::new(0.001, 0.0, 0.0);
            h.change(id, |j| hierarchy_set::modify(j, by, turn, Vec3::ONE, Space::Global, 1.0));
        },
    );
    let set = many(
        "set transform",
        |k| Node::unit("Hierarchy.SetTransform").with("item", format!("bone:b{}", k as u32 % BONES).as_str()),
        |h, id| {
            black_box(h.set_global(id, Transform::IDENTITY, Carry::Children));
        },
    );
    let mut rows = vec![vector_add(), loop_turn()];
    rows.extend(get_transform());
    rows.extend([modify, set, rotation_limit(), whole_rig()]);
    rows.extend(once_each());
    println!("{:<54} {:>12} {:>12} {:>7}", "", "ns", "native ns", "ratio");
    let mut json = String::from("[\n");
    for (i, row) in rows.iter().enumerate() {
        let native = row.native_ns.map_or(String::new(), |n| format!("{n:.2}"));
        let ratio = row.native_ns.map_or(String::new(), |n| format!("{:.2}", row.ns / n));
        println!("{:<54} {:>12.2} {native:>12} {ratio:>7}", row.name, row.ns);
        let native = row.native_ns.map_or("null".into(), |n| n.to_string());
        let ratio = row.native_ns.map_or("null".into(), |n| (row.ns / n).to_string());
        let comma = if i + 1 < rows.len() { "," } else { "" };
        let _ = writeln!(
            json,
            "  {{\"name\": {:?}, \"ns\": {}, \"native_ns\": {native}, \"ratio\": {ratio}}}{comma}",
            row.name, row.ns
        );
    }
    json.push_str("]\n");
    let out = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../out/bench");
    let written = std::fs::create_dir_all(&out).and_then(|()| std::fs::write(out.join("rig.json"), json));
    match written {
        Ok(()) => println!("written to out/bench/rig.json"),
        Err(e) => eprintln!("out/bench/rig.json: {e}"),
    }
}

/// The rotation limit as a pure node, a hundred in a row.
fn rotation_limit() -> Row {
    const N: usize = 100;
    let mut rig = Rig::default();
    rig.variables.insert("x".into(), variable("Quat", Role::Input));
    rig.variables.insert("y".into(), variable("Quat", Role::Output));
    let mut nodes = vec![("x".to_string(), Node::new(sinew::graph::NodeOp::Get("x".into())))];
    for k in 0..N {
        let from = if k == 0 { link("x", "value") } else { link(&format!("n{}", k - 1), "result") };
        nodes.push((format!("n{k}"), Node::unit("IK.RotationLimit").with("value", from)));
    }
    nodes.push((
        "out".into(),
        Node::new(sinew::graph::NodeOp::Set("y".into()))
            .with("value", link(&format!("n{}", N - 1), "result")),
    ));
    event(&mut rig, "out", nodes);
    let mut instance = Instance::new(&bind(&rig, &skeleton(1)));
    let x = instance.handle::<Quat>("x").unwrap();
    let turned = Quat::from_axis_angle(Vec3::new(0.6, 0.5, 0.3), 2.0);
    instance.set(x, turned);
    let mut q = turned;
    let (ns, native) = both(
        50,
        || instance.tick(0.01).unwrap(),
        || {
            q = black_box(turned);
            for _ in 0..N {
                let quarter = core::f32::consts::FRAC_PI_2;
                q = ik::limit_rotation(black_box(q), Vec3::Y, quarter, -quarter, quarter);
            }
            black_box(q);
        },
    );
    Row { name: "rotation limit", ns: ns / N as f64, native_ns: Some(native / N as f64) }
}
