//! What a rig does once, when it is bound to a skeleton: elements that it adds, names that it looks
//! up, curves that travel with it.

use std::sync::Arc;

use sinew::compile::compile;
use sinew::graph::Rig;
use sinew::hierarchy::{ElementId, ElementKey, ElementKind, ElementSpec, Hierarchy};
use sinew::math::{Transform, Vec3};
use sinew::vm::{BindError, BoundProgram, FaultKind, Instance, NameMap, Program, Registry};

/// A root and the bones `a_l`, `a_r`, `b` one metre above each other.
fn skeleton() -> Hierarchy {
    let spec = |name: &str, parent| {
        ElementSpec::new(ElementKey::bone(name), parent).at(Transform::from_translation(Vec3::Y))
    };
    let bones = [
        spec("root", ElementId::NONE),
        spec("a_l", ElementId(0)),
        spec("a_r", ElementId(1)),
        spec("b", ElementId(2)),
    ];
    Hierarchy::new(bones).unwrap()
}

fn program(text: &str) -> Program {
    let rig = Rig::parse(text.as_bytes()).unwrap_or_else(|e| panic!("{e}"));
    compile(&rig, &Registry::standard()).unwrap_or_else(|e| panic!("{e}")).program
}

fn bind(text: &str) -> Result<Instance, Vec<BindError>> {
    let bound =
        BoundProgram::bind(Arc::new(program(text)), &Registry::standard(), &skeleton(), &NameMap::new())?;
    Ok(Instance::new(&Arc::new(bound)))
}

fn said(result: Result<Instance, Vec<BindError>>) -> String {
    let errors = result.expect_err("it cannot be bound");
    errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// A rig that hangs a null on `b`, a control on that, and moves the control in every frame.
const ADDS: &str = r#"{"sinew": 1, "name": "t",
    "variables": {"height": {"type": "Float", "role": "output"}, "start": {"type": "Float", "role": "output"}},
    "graphs": {
      "setup": {"event": true, "start": "goal", "nodes": {
        "goal": {"unit": "Hierarchy.AddNull", "in": {"name": "goal", "parent": "bone:b",
                 "transform": {"translation": [0, 1, 0]}}, "exec": {"next": "hand"}},
        "hand": {"unit": "Hierarchy.AddControl", "in": {"name": "hand", "parent": {"from": "goal.item"},
                 "kind": "Position"}, "exec": {"next": "seen"}},
        "at": {"unit": "Hierarchy.GetTranslation", "in": {"item": "null:goal", "space": "Global"}},
        "seen": {"set": "start", "in": {"value": {"from": "at.result.y"}}}}},
      "forward": {"event": true, "start": "move", "nodes": {
        "move": {"unit": "Control.SetPosition", "in": {"item": "control:hand", "value": [0, 0.5, 0]}, "exec": {"next": "out"}},
        "at": {"unit": "Hierarchy.GetTranslation", "in": {"item": "control:hand", "space": "Global"}},
        "out": {"set": "height", "in": {"value": {"from": "at.result.y"}}}}}}}"#;

#[test]
fn what_setup_adds_can_be_named_anywhere_in_the_rig() {
    let mut i = bind(ADDS).unwrap();
    let (height, start) = (i.handle::<f32>("height").unwrap(), i.handle::<f32>("start").unwrap());
    // Four bones and the null are a metre above each other.
    assert_eq!(i.get(start), 5.0);
    i.tick(0.1).unwrap();
    assert_eq!(i.get(height), 5.5);
    assert_eq!(i.bound().hierarchy().len(), 6);
    let key = |n| i.bound().hierarchy().topology().key(ElementId(n)).unwrap().to_string();
    assert_eq!([4, 5].map(key), ["null:goal", "control:hand"]);
}

#[test]
fn a_frame_cannot_add_elements() {
    let text = ADDS
        .replace("\"setup\"", "\"later\"")
        .replace("null:goal", "bone:b")
        .replace("control:hand", "bone:b");
    let mut i = bind(&text).unwrap();
    let fault = i.run("later", 0.1).unwrap_err();
    assert_eq!(fault.node, "later/goal");
    assert!(fault.to_string().contains("in `setup` alone; move the node there"), "{fault}");
    assert_eq!(i.hierarchy().len(), 4);
}

#[test]
fn a_setup_that_fails_names_its_node_and_cause() {
    let twice =
        ADDS.replace(r#""name": "goal", "parent": "bone:b""#, r#""name": "goal", "parent": "null:goal""#);
    // The null would hang on itself: in the run that finds the names there is no `goal` yet.
    let e = said(bind(&twice));
    assert!(e.contains("setup"), "{e}");
    let duplicate = r#"{"sinew": 1, "name": "t", "graphs": {"setup": {"event": true, "start": "b", "nodes": {
        "b": {"unit": "Hierarchy.AddBone", "in": {"name": "root"}}}}}}"#;
    let e = said(bind(duplicate));
    assert!(e.contains("setup/b") && e.contains("`bone:root` already"), "{e}");
}

#[test]
fn a_name_that_nothing_adds_is_missing_all_the_same() {
    let e = said(bind(&ADDS.replace("control:hand", "control:hands")));
    assert!(
        e.contains("control:hands") && e.contains("node forward/") && e.contains("`hand`; declare it"),
        "{e}"
    );
}

#[test]
fn setup_counts_once_though_it_is_tried_before() {
    // What setup leaves in a variable is that of one run.
    let text = r#"{"sinew": 1, "name": "t", "variables": {"n": {"type": "Int", "role": "output"}},
        "graphs": {
          "setup": {"event": true, "start": "add", "nodes": {
            "n": {"get": "n"}, "one": {"unit": "Math.Add", "in": {"a": {"from": "n.value"}, "b": 1}},
            "add": {"unit": "Hierarchy.AddNull", "in": {"name": "goal"}, "exec": {"next": "set"}},
            "set": {"set": "n", "in": {"value": {"from": "one.result"}}}}},
          "forward": {"event": true, "start": "move", "nodes": {
            "move": {"unit": "Hierarchy.SetTranslation", "in": {"item": "null:goal", "translation": [1, 0, 0]}}}}}}"#;
    let mut i = bind(text).unwrap();
    let n = i.handle::<i32>("n").unwrap();
    assert_eq!(i.get(n), 1);
    i.tick(0.1).unwrap();
    let goal = i.hierarchy().topology().find(&ElementKey::new(ElementKind::Null, "goal")).unwrap();
    assert_eq!(i.hierarchy().local(goal).translation, Vec3::X);
}

#[test]
fn bones_found_by_pattern_once_are_moved_in_every_frame() {
    let text = r#"{"sinew": 1, "name": "t", "variables": {"arms": {"type": "Element[4]"}},
        "graphs": {
          "setup": {"event": true, "start": "set", "nodes": {
            "find": {"unit": "Hierarchy.FindPattern", "capacity": 4, "in": {"pattern": "a_?", "kind": "Bone"}},
            "set": {"set": "arms", "in": {"value": {"from": "find.items"}}}}},
          "forward": {"event": true, "start": "each", "nodes": {
            "arms": {"get": "arms"},
            "each": {"unit": "Flow.ForEach", "in": {"array": {"from": "arms.value"}}, "exec": {"body": "move"}},
            "move": {"unit": "Hierarchy.SetTranslation", "in": {"item": {"from": "each.element"},
                     "translation": [1, 0, 0], "space": "Local"}}}}}}"#;
    let mut i = bind(text).unwrap();
    i.tick(0.1).unwrap();
    let moved: Vec<bool> = i.pose().iter().map(|t| t.translation == Vec3::X).collect();
    assert_eq!(moved, [false, true, true, false]);
}

#[test]
fn a_rig_carries_its_curves() {
    let text = r#"{"sinew": 1, "name": "t",
        "variables": {"x": {"type": "Float", "role": "input"}, "y": {"type": "Float", "role": "output"}},
        "curves": {
          "ease": {"after": "ping_pong", "keys": [
            {"time": 0, "value": 0, "leave": 0, "interpolation": "cubic"},
            {"time": 1, "value": 1, "arrive": 0}]},
          "zigzag": {"keys": [{"time": 0, "value": 5, "interpolation": "linear"}, {"time": 2, "value": 9}]}},
        "graphs": {"forward": {"event": true, "start": "out", "nodes": {
            "x": {"get": "x"},
            "ease": {"unit": "Curve.Evaluate", "in": {"curve": "ease", "time": {"from": "x.value"}}},
            "zig": {"unit": "Curve.Evaluate", "in": {"curve": "zigzag", "time": {"from": "x.value"}}},
            "sum": {"unit": "Math.Add", "in": {"a": {"from": "ease.result"}, "b": {"from": "zig.result"}}},
            "out": {"set": "y", "in": {"value": {"from": "sum.result"}}}}}}}"#;
    let compiled = program(text);
    // Through its bytes and its listing, as a host loads it.
    let listed = Program::assemble(&compiled.disassemble()).unwrap();
    assert_eq!(listed, compiled);
    let loaded = Program::from_bytes(&compiled.to_bytes()).unwrap();
    assert_eq!(loaded, compiled);
    let bound =
        BoundProgram::bind(Arc::new(loaded), &Registry::standard(), &skeleton(), &NameMap::new()).unwrap();
    let mut i = Instance::new(&Arc::new(bound));
    let (x, y) = (i.handle::<f32>("x").unwrap(), i.handle::<f32>("y").unwrap());
    // The cubic with flat ends is 3t² − 2t³; beyond its end it runs back.
    let smooth = |t: f32| 3.0 * t * t - 2.0 * t * t * t;
    for (at, ease, zig) in
        [(0.0, 0.0, 5.0), (0.25, smooth(0.25), 5.5), (1.0, 1.0, 7.0), (1.75, smooth(0.25), 8.5)]
    {
        i.set(x, at);
        i.tick(0.1).unwrap();
        assert!((i.get(y) - (ease + zig)).abs() < 1e-6, "at {at}: {}", i.get(y));
    }
}

#[test]
fn a_fault_of_setup_is_typed() {
    let text = r#"{"sinew": 1, "name": "t", "graphs": {"again": {"event": true, "start": "c", "nodes": {
        "c": {"unit": "Hierarchy.AddCurve", "in": {"name": "c"}}}}}}"#;
    let fault = bind(text).unwrap().run("again", 0.0).unwrap_err();
    assert!(matches!(fault.kind, FaultKind::Unit(_)), "{fault:?}");
}
