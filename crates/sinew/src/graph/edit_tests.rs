//! Edits, undo and the clipboard.

use super::tests::{FULL, full};
use super::*;
use crate::hierarchy::{ElementKey, ElementKind};
use std::collections::{BTreeMap, BTreeSet};

fn event(nodes: impl IntoIterator<Item = (&'static str, Node)>) -> Rig {
    let nodes = nodes.into_iter().map(|(id, n)| (id.to_owned(), n)).collect();
    let graph = Graph { nodes, ..Graph::default() };
    Rig { name: "r".into(), graphs: [("g".to_owned(), graph)].into(), ..Rig::default() }
}

fn link(text: &str) -> Input {
    Input::Link(text.parse().unwrap())
}

fn ids<const N: usize>(ids: [&str; N]) -> BTreeSet<String> {
    ids.into_iter().map(Into::into).collect()
}

fn chain() -> Rig {
    let mut rig = event([
        ("a", Node::unit("A").then("next", "b")),
        ("b", Node::unit("B").with("x", link("a.r")).with("y", 2.5).then("next", "c")),
        ("c", Node::unit("C").with("x.z", link("b.r.w"))),
    ]);
    rig.layout.insert("g".into(), [("b".to_owned(), Place::at(1.0, 2.0))].into());
    rig
}

fn remove<const N: usize>(which: [&str; N]) -> Edit {
    Edit::Remove { graph: "g".into(), ids: ids(which) }
}

fn add(id: &str) -> Edit {
    Edit::AddNode {
        graph: "g".into(),
        id: id.into(),
        node: Node::unit("U"),
        place: Some(Place::at(0.0, 0.0)),
    }
}

#[test]
fn undoing_a_removal_brings_back_every_link() {
    // Deleting the middle of a chain takes its links along; undo restores nodes, values, places and links
    // to the byte.
    let mut rig = chain();
    let before = rig.to_text();
    let mut history = History::new();
    history.apply(&mut rig, remove(["b"])).unwrap();
    assert!(rig.node("g", "c").unwrap().inputs.is_empty());
    assert!(rig.node("g", "a").unwrap().exec.is_empty());
    assert!(rig.layout.is_empty());
    let after = rig.to_text();
    assert_eq!(history.undo(&mut rig), Some("Remove"));
    assert_eq!(rig.to_text(), before);
    assert_eq!(history.redo(&mut rig), Some("Remove"));
    assert_eq!(rig.to_text(), after);
}

#[test]
fn removal_reaches_starts_results_and_comments() {
    let mut rig = full();
    let mut history = History::new();
    let everything = |rig: &Rig, g: &str| rig.graphs[g].nodes.keys().cloned().collect::<BTreeSet<_>>();
    for g in ["forward", "solve_leg"] {
        let ids = everything(&rig, g);
        history.apply(&mut rig, Edit::Remove { graph: g.into(), ids }).unwrap();
    }
    let text = rig.to_text();
    assert!(!text.contains("from") && !text.contains("\"start\""), "{text}");
    assert!(rig.graphs["forward"].comments["c1"].nodes.is_empty());
    history.undo(&mut rig);
    history.undo(&mut rig);
    assert_eq!(rig.to_text(), FULL);
}

#[test]
fn one_action_is_one_step() {
    // A paste of twelve nodes is undone at once, and so is a drag of many moves.
    let mut rig = event(
        (0..12).map(|i| (["a", "b", "c", "d", "e", "f", "h", "i", "j", "k", "l", "m"][i], Node::unit("U"))),
    );
    let before = rig.to_text();
    let all: Vec<String> = rig.graphs["g"].nodes.keys().cloned().collect();
    let clip = copy(&rig, "g", all.iter().map(String::as_str)).unwrap();
    let (edit, report) = paste(&rig, "g", &clip, &PasteOptions::default()).unwrap();
    assert_eq!(report.nodes.len(), 12);
    let mut history = History::new();
    history.apply_as(&mut rig, "Paste", edit).unwrap();
    assert_eq!(rig.graphs["g"].nodes.len(), 24);
    assert_eq!(history.undo_labels().collect::<Vec<_>>(), ["Paste"]);
    assert_eq!(history.undo(&mut rig), Some("Paste"));
    assert_eq!(rig.to_text(), before);

    history.begin("Drag");
    for i in 0..5 {
        let places = [("a".to_owned(), Some(Place::at(f64::from(i), 0.0)))].into();
        history.apply(&mut rig, Edit::Move { graph: "g".into(), places }).unwrap();
    }
    history.commit();
    assert_eq!(history.undo_labels().len(), 1);
    history.undo(&mut rig);
    assert_eq!(rig.to_text(), before);
}

#[test]
fn a_cancelled_action_leaves_nothing() {
    let mut rig = chain();
    let before = rig.clone();
    let mut history = History::new();
    history.begin("Outer");
    history.apply(&mut rig, add("n")).unwrap();
    history.begin("Inner");
    history.apply(&mut rig, remove(["a"])).unwrap();
    history.commit();
    history.cancel(&mut rig);
    assert_eq!(rig, before);
    assert_eq!(history.undo_labels().len(), 0);
}

#[test]
fn undo_is_safe_across_graphs_that_are_gone() {
    // A function that calls another; both are removed, inner first, and brought back; the rig can be
    // saved and loaded at every point.
    let function = |nodes: Vec<(&str, Node)>| Graph {
        kind: GraphKind::Function(FunctionDecl::default()),
        nodes: nodes.into_iter().map(|(n, d)| (n.to_owned(), d)).collect(),
        ..Graph::default()
    };
    let mut rig = event([("call", Node::new(NodeOp::Call("outer".into())))]);
    rig.graphs.insert("outer".into(), function(vec![("call", Node::new(NodeOp::Call("inner".into())))]));
    rig.graphs.insert("inner".into(), function(vec![("n", Node::unit("U"))]));
    rig.layout.insert("inner".into(), [("n".to_owned(), Place::at(3.0, 4.0))].into());
    let mut history = History::new();
    let mut texts = vec![rig.to_text()];
    let in_inner =
        Edit::SetInput { graph: "inner".into(), node: "n".into(), pin: "x".into(), input: Some(1.0.into()) };
    for edit in [
        in_inner,
        Edit::RemoveGraph { name: "inner".into(), with_nodes: true },
        Edit::RemoveGraph { name: "outer".into(), with_nodes: true },
    ] {
        history.apply(&mut rig, edit).unwrap();
        texts.push(rig.to_text());
    }
    assert_eq!(rig.graphs.len(), 1);
    let loads = |rig: &Rig| assert_eq!(Rig::parse(rig.to_text().as_bytes()).as_ref(), Ok(rig));
    for text in texts.iter().rev().skip(1) {
        history.undo(&mut rig).unwrap();
        assert_eq!(rig.to_text(), *text);
        loads(&rig);
    }
    for text in texts.iter().skip(1) {
        history.redo(&mut rig).unwrap();
        assert_eq!(rig.to_text(), *text);
    }
    // A graph that was taken away behind the history's back is no reason to fail.
    history.undo(&mut rig);
    history.undo(&mut rig);
    Edit::RemoveGraph { name: "inner".into(), with_nodes: true }.apply(&mut rig).unwrap();
    history.undo(&mut rig);
    history.redo(&mut rig);
    loads(&rig);
}

#[test]
fn redo_keeps_names() {
    // Create, move, create; three times back and three times forth gives the same text.
    let mut rig = event([]);
    let mut history = History::new();
    let start = rig.to_text();
    history.apply(&mut rig, add("s")).unwrap();
    let places = [("s".to_owned(), Some(Place::at(5.0, 6.0)))].into();
    history.apply(&mut rig, Edit::Move { graph: "g".into(), places }).unwrap();
    history.apply(&mut rig, add("s_2")).unwrap();
    let end = rig.to_text();
    for _ in 0..3 {
        history.undo(&mut rig).unwrap();
    }
    assert_eq!(rig.to_text(), start);
    assert!(history.undo(&mut rig).is_none());
    for _ in 0..3 {
        history.redo(&mut rig).unwrap();
    }
    assert_eq!(rig.to_text(), end);
    assert!(history.redo(&mut rig).is_none());
}

#[test]
fn edits_without_undo_leave_the_history_alone() {
    let mut rig = chain();
    let mut history = History::new();
    history.apply(&mut rig, add("n")).unwrap();
    let labels = |h: &History| (h.undo_labels().len(), h.redo_labels().len());
    let before = labels(&history);
    // Has three links.
    remove(["b"]).apply(&mut rig).unwrap();
    assert_eq!(labels(&history), before);
}

#[test]
fn an_edit_that_fails_changes_nothing() {
    let mut rig = full();
    let before = rig.clone();
    let mut history = History::new();
    let g = || "forward".to_owned();
    let pin = |s: &str| s.parse::<PinRef>().unwrap();
    let node = |n: Node| Edit::AddNode { graph: g(), id: "new".into(), node: n, place: None };
    let failing = vec![
        Edit::All(vec![Edit::SetName("x".into()), Edit::All(vec![add("n")])]),
        Edit::Remove { graph: g(), ids: ids(["look", "nope"]) },
        Edit::AddNode { graph: g(), id: "c1".into(), node: Node::unit("A"), place: None },
        Edit::AddNode { graph: g(), id: "a b".into(), node: Node::unit("A"), place: None },
        Edit::AddNode {
            graph: g(),
            id: "n".into(),
            node: Node::unit("A"),
            place: Some(Place::at(f64::NAN, 0.0)),
        },
        node(Node::unit("A").with("x", f64::INFINITY)),
        node(Node::unit("A").with("bad pin", 1.0)),
        node(Node::unit("A").with("x", PinRef::new("a.b", "c"))),
        node(Node::unit("A").with("x", Literal::Object([("from".into(), Literal::Int(1))].into()))),
        node(Node::unit("")),
        node(Node::new(NodeOp::Get("a b".into()))),
        Edit::SetInput { graph: g(), node: "lok".into(), pin: "x".into(), input: None },
        Edit::Connect { graph: g(), from: pin("nope.x"), to: pin("look.x") },
        Edit::Connect { graph: g(), from: pin("inputs.x"), to: pin("look.x") },
        Edit::Disconnect { graph: g(), to: pin("look.weight") },
        Edit::SetExec { graph: g(), node: "look".into(), pin: "next".into(), target: Some("nope".into()) },
        Edit::SetStart { graph: g(), start: Some("nope".into()) },
        Edit::SetResult { graph: g(), pin: "ok".into(), input: None },
        Edit::RenameNode { graph: g(), from: "look".into(), to: "goal".into() },
        Edit::RenameVariable { from: "speed".into(), to: "feet".into() },
        Edit::RenameGraph { from: "forward".into(), to: "inputs".into() },
        Edit::RemoveVariable { name: "speed".into(), with_nodes: false },
        Edit::RemoveGraph { name: "solve_leg".into(), with_nodes: false },
        Edit::SetEnum { name: "Foot".into(), values: Some(vec![]) },
        Edit::SetVariable { name: "nope".into(), variable: VariableDecl::default() },
        Edit::SetVariable { name: "speed".into(), variable: VariableDecl::default() },
        Edit::RenameElement { from: "null:aim".parse().unwrap(), to: "control:open".parse().unwrap() },
    ];
    for edit in failing {
        let shown = format!("{edit:?}");
        let e = history.apply(&mut rig, edit).map(|()| panic!("{shown}")).unwrap_err();
        assert!(!e.to_string().is_empty());
        assert_eq!(rig, before, "{shown}");
        assert_eq!(history.undo_labels().len(), 0);
    }
    let e = history.apply(&mut rig, Edit::SetStart { graph: "foward".into(), start: None }).unwrap_err();
    assert_eq!(e.to_string(), "there is no graph `foward`: did you mean `forward`?");
    let edit = Edit::SetInput {
        graph: g(),
        node: "look".into(),
        pin: "x".into(),
        input: Some(Input::Literal(Literal::Array(vec![nested(70)]))),
    };
    assert!(matches!(history.apply(&mut rig, edit), Err(EditError::Value(_))));
}

fn nested(n: usize) -> Literal {
    (0..n).fold(Literal::Int(0), |l, _| Literal::Array(vec![l]))
}

#[test]
fn renames_are_followed_everywhere() {
    let mut rig = full();
    let mut history = History::new();
    for edit in [
        Edit::RenameNode { graph: "forward".into(), from: "goal".into(), to: "target".into() },
        Edit::RenameNode { graph: "forward".into(), from: "look".into(), to: "aim".into() },
        Edit::RenameNode { graph: "forward".into(), from: "c1".into(), to: "about_head".into() },
        Edit::RenameNode { graph: "solve_leg".into(), from: "n".into(), to: "exists".into() },
        Edit::RenameVariable { from: "speed".into(), to: "pace".into() },
        Edit::RenameGraph { from: "solve_leg".into(), to: "leg".into() },
        Edit::RenameGraph { from: "forward".into(), to: "solve".into() },
        Edit::RenameElement { from: "control:foot_l".parse().unwrap(), to: "control:left".parse().unwrap() },
        Edit::RenameElement { from: "null:aim".parse().unwrap(), to: "null:far".parse().unwrap() },
    ] {
        history.apply(&mut rig, edit).unwrap();
    }
    // Nodes named after the variable keep their names; what refers to it follows.
    let text = rig.to_text();
    for gone in [
        "goal",
        "\"look\"",
        "\"c1\"",
        "solve_leg",
        "\"forward\"",
        "control:foot_l",
        "null:aim",
        "\"get\": \"speed\"",
    ] {
        assert!(!text.contains(gone), "{gone} in {text}");
    }
    let solve = &rig.graphs["solve"];
    assert_eq!(solve.start.as_deref(), Some("aim"));
    assert_eq!(solve.nodes["aim"].inputs["target"], link("target.result.translation"));
    assert_eq!(solve.nodes["solve"].op, NodeOp::Call("leg".into()));
    assert_eq!(solve.comments["about_head"].nodes, ["aim", "target"]);
    assert_eq!(rig.graphs["leg"].function().unwrap().results["ok"], link("exists.result"));
    assert_eq!(rig.place("solve", "aim"), Some(Place::at(120.0, 40.5)));
    let left = &rig.elements[&ElementKey::new(ElementKind::Control, "left")];
    assert_eq!(left.spaces[1].parent, Some(ElementKey::new(ElementKind::Null, "far")));
    while history.undo(&mut rig).is_some() {}
    assert_eq!(rig.to_text(), FULL);
    while history.redo(&mut rig).is_some() {}
    assert_eq!(rig.to_text(), text);
}

#[test]
fn links_are_made_and_cut() {
    let mut rig = chain();
    let mut history = History::new();
    let pin = |s: &str| s.parse::<PinRef>().unwrap();
    history.apply(&mut rig, Edit::Connect { graph: "g".into(), from: pin("a.r.x"), to: pin("b.y") }).unwrap();
    assert_eq!(rig.node("g", "b").unwrap().inputs["y"], link("a.r.x"));
    history.apply(&mut rig, Edit::Disconnect { graph: "g".into(), to: pin("b.y") }).unwrap();
    assert!(!rig.node("g", "b").unwrap().inputs.contains_key("y"));
    history.apply(&mut rig, Edit::DisconnectAll { graph: "g".into(), node: "b".into() }).unwrap();
    assert!(!rig.to_text().contains("from") && !rig.to_text().contains("exec"));
    for _ in 0..3 {
        history.undo(&mut rig);
    }
    assert_eq!(rig, chain());
}

#[test]
fn the_history_knows_what_is_saved() {
    let mut rig = chain();
    let mut history = History::with_limit(3);
    assert!(history.is_saved());
    history.apply(&mut rig, add("n")).unwrap();
    assert!(!history.is_saved());
    history.undo(&mut rig);
    assert!(history.is_saved());
    history.redo(&mut rig);
    history.mark_saved();
    for i in 0..5 {
        history.apply(&mut rig, add(&format!("m{i}"))).unwrap();
    }
    assert_eq!(history.undo_labels().len(), 3);
    while history.undo(&mut rig).is_some() {
        assert!(!history.is_saved());
    }
    // What changes nothing is no step, and does not take the redo steps away.
    history.apply(&mut rig, Edit::SetName("r".into())).unwrap();
    assert_eq!((history.undo_labels().len(), history.redo_labels().len()), (0, 3));
}

#[test]
fn pasted_nodes_get_fresh_names_and_keep_their_own_links() {
    // Links among the copied are copied, links to outside are dropped, the originals stay as they were.
    let mut rig = event([
        ("a1", Node::unit("A").with("x", link("x.r")).then("next", "a2")),
        ("a2", Node::unit("A").with("y", link("a1.r")).then("next", "x")),
        ("x", Node::unit("X")),
    ]);
    let before = rig.clone();
    let clip = copy(&rig, "g", ["a1", "a2"]).unwrap();
    for round in 0..2 {
        let (edit, report) = paste(&rig, "g", &clip, &PasteOptions::default()).unwrap();
        edit.apply(&mut rig).unwrap();
        let new = ["a1_2", "a2_2", "a1_3", "a2_3"];
        assert_eq!(report.nodes.values().collect::<Vec<_>>(), &new[2 * round..2 * round + 2]);
        assert_eq!(report.dropped_links.len(), 2);
    }
    let nodes = &rig.graphs["g"].nodes;
    assert_eq!(nodes.len(), 7);
    for n in ["2", "3"] {
        assert_eq!(nodes[&format!("a2_{n}")].inputs["y"], link(&format!("a1_{n}.r")));
        assert_eq!(nodes[&format!("a1_{n}")].exec["next"], format!("a2_{n}"));
        assert!(nodes[&format!("a1_{n}")].inputs.is_empty() && nodes[&format!("a2_{n}")].exec.is_empty());
    }
    for id in ["a1", "a2", "x"] {
        assert_eq!(nodes[id], before.graphs["g"].nodes[id]);
    }
    let options = PasteOptions { keep_outside_links: true, offset: [10.0, 0.0], ..PasteOptions::default() };
    let (edit, report) = paste(&rig, "g", &clip, &options).unwrap();
    edit.apply(&mut rig).unwrap();
    assert_eq!(rig.graphs["g"].nodes["a1_4"].inputs["x"], link("x.r"));
    assert_eq!(report.dropped_links, ["a2_4.next"]);
}

fn with_variables() -> Rig {
    let text = r#"{"sinew": 1, "name": "source",
      "bones": {"head": ["Head"]},
      "enums": {"Gait": ["walk", "run"]},
      "structs": {"Foot": {"gait": {"type": "Gait"}}, "Feet": {"all": {"type": "Array<Foot>"}}},
      "curves": {"ease": {"keys": [{"time": 0, "value": 0}]}},
      "variables": {
        "speed": {"type": "Float", "role": "input", "default": 1.0},
        "state": {"type": "Feet"}, "deep": {"type": "Gait", "default": "Gait.run"}, "unused": {"type": "Int"}},
      "graphs": {
        "forward": {"event": true, "nodes": {
          "get": {"get": "speed"}, "store": {"set": "state"},
          "call": {"call": "f", "in": {"bone": "bone:head", "at": "control:hand"}},
          "curve": {"unit": "Curve.Sample", "in": {"curve": "ease"}}}},
        "f": {"function": {}, "nodes": {"g": {"call": "deeper"}}},
        "deeper": {"function": {}, "nodes": {"s": {"set": "deep"}}}},
      "layout": {"deeper": {"s": [1, 2]}}}"#;
    Rig::parse(text.as_bytes()).unwrap()
}

const COPIED: [&str; 4] = ["get", "store", "call", "curve"];

#[test]
fn a_paste_into_an_empty_rig_brings_all_that_the_nodes_need() {
    let source = with_variables();
    let clip = copy(&source, "forward", COPIED).unwrap();
    assert_eq!(Clip::parse(clip.to_text().as_bytes()).unwrap(), clip);
    let mut rig = event([]);
    let (edit, report) = paste(&rig, "g", &clip, &PasteOptions::default()).unwrap();
    edit.apply(&mut rig).unwrap();
    assert!(report.renamed.is_empty() && report.shared_variables.is_empty());
    assert_eq!(report.missing_elements, ["control:hand".parse().unwrap()]);
    let mut expected = source.clone();
    expected.variables.remove("unused");
    expected.name = "r".into();
    let graph = expected.graphs.remove("forward").unwrap();
    expected.graphs.insert("g".into(), graph);
    assert_eq!(rig, expected);
}

#[test]
fn a_paste_into_another_rig_shares_no_storage_with_what_is_there() {
    let source = with_variables();
    let clip = copy(&source, "forward", COPIED).unwrap();
    // The same names, and all but one with another meaning.
    let mut rig = source.clone();
    rig.name = "other".into();
    rig.enums.insert("Gait".into(), vec!["trot".into()]);
    rig.curves.get_mut("ease").unwrap().keys[0].value = 1.0;
    let before = rig.clone();
    let mut history = History::new();
    let (edit, report) = paste(&rig, "forward", &clip, &PasteOptions::default()).unwrap();
    history.apply_as(&mut rig, "Paste", edit).unwrap();
    let nodes = &rig.graphs["forward"].nodes;
    assert_eq!(nodes["get_2"].op, NodeOp::Get("speed_2".into()));
    assert_eq!(nodes["store_2"].op, NodeOp::Set("state_2".into()));
    assert_eq!(nodes["curve_2"].inputs["curve"], Input::from("ease_2"));
    assert_eq!(nodes["call_2"].op, NodeOp::Call("f_2".into()));
    assert_eq!(rig.graphs["f_2"].nodes["g"].op, NodeOp::Call("deeper_2".into()));
    assert_eq!(rig.graphs["deeper_2"].nodes["s"].op, NodeOp::Set("deep_2".into()));
    assert_eq!(rig.variables["state_2"].ty, "Feet_2");
    assert_eq!(rig.structs["Feet_2"].fields["all"].ty, "Array<Foot_2>");
    assert_eq!(rig.structs["Foot_2"].fields["gait"].ty, "Gait_2");
    assert_eq!(rig.variables["deep_2"].default, Some(Literal::from("Gait_2.run")));
    assert_eq!(report.renamed.len(), 9);
    // All that was there is as it was.
    for (name, variable) in &before.variables {
        assert_eq!(&rig.variables[name], variable);
    }
    assert_eq!(Rig::parse(rig.to_text().as_bytes()).unwrap(), rig);
    history.undo(&mut rig);
    assert_eq!(rig, before);
}

#[test]
fn a_paste_into_the_same_rig_uses_the_same_variables_unless_asked() {
    let source = with_variables();
    let clip = copy(&source, "forward", COPIED).unwrap();
    let mut rig = source.clone();
    let (edit, report) = paste(&rig, "forward", &clip, &PasteOptions::default()).unwrap();
    edit.apply(&mut rig).unwrap();
    assert_eq!(rig.variables, source.variables);
    assert_eq!(rig.graphs.len(), source.graphs.len());
    assert_eq!(rig.graphs["forward"].nodes["store_2"].op, NodeOp::Set("state".into()));
    assert_eq!(report.shared_variables, ["deep", "speed", "state"]);

    let mut rig = source.clone();
    let options = PasteOptions { variables: PasteVariables::Duplicate, ..PasteOptions::default() };
    let (edit, report) = paste(&rig, "forward", &clip, &options).unwrap();
    edit.apply(&mut rig).unwrap();
    // Inputs belong to the host and stay; whatever is internal, through functions too, is new.
    assert_eq!(report.shared_variables, ["speed"]);
    assert_eq!(rig.graphs["forward"].nodes["store_2"].op, NodeOp::Set("state_2".into()));
    assert_eq!(rig.graphs["forward"].nodes["call_2"].op, NodeOp::Call("f_2".into()));
    assert_eq!(rig.graphs["deeper_2"].nodes["s"].op, NodeOp::Set("deep_2".into()));
    assert_eq!(rig.place("deeper_2", "s"), Some(Place::at(1.0, 2.0)));
}

#[test]
fn what_is_no_clip_is_refused() {
    assert!(matches!(Clip::parse(b"{\"sinew\": 1}"), Err(ClipError::NotClip(0))));
    assert!(matches!(Clip::parse(b"hello"), Err(ClipError::Text(_))));
    assert!(copy(&chain(), "g", ["nope"]).is_err());
    assert!(copy(&chain(), "nope", []).is_err());
    let clip = copy(&chain(), "g", ["a"]).unwrap();
    assert!(paste(&chain(), "nope", &clip, &PasteOptions::default()).is_err());
}

#[test]
fn removing_with_users_takes_the_nodes_along() {
    let mut rig = full();
    let mut history = History::new();
    history.apply(&mut rig, Edit::RemoveVariable { name: "speed".into(), with_nodes: true }).unwrap();
    history.apply(&mut rig, Edit::RemoveGraph { name: "solve_leg".into(), with_nodes: true }).unwrap();
    history.apply(&mut rig, Edit::SetElement { key: "null:aim".parse().unwrap(), element: None }).unwrap();
    let text = rig.to_text();
    for gone in ["speed", "solve", "null:aim"] {
        assert!(!text.contains(gone), "{gone} in {text}");
    }
    while history.undo(&mut rig).is_some() {}
    assert_eq!(rig.to_text(), FULL);
    let e = history
        .apply(&mut rig, Edit::RemoveVariable { name: "speed".into(), with_nodes: false })
        .unwrap_err();
    assert!(e.to_string().contains("forward.speed, forward.store"), "{e}");
}

#[test]
fn places_can_be_given_back_to_the_editor() {
    let mut rig = chain();
    let places: BTreeMap<_, _> = [("b".to_owned(), None)].into();
    Edit::Move { graph: "g".into(), places }.apply(&mut rig).unwrap();
    assert!(rig.layout.is_empty());
}
