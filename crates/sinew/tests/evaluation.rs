//! What a rig computes, from its text to its variables: order, laziness, sharing, loops, functions.

use std::sync::Arc;

use sinew::compile::{Code, Compiled, compile, diagnose};
use sinew::graph::Rig;
use sinew::hierarchy::{ElementId, ElementKey, ElementSpec, Hierarchy};
use sinew::math::{Transform, Vec3};
use sinew::vm::{ArrayFull, Frame, LogValue};
use sinew::vm::{BoundProgram, FaultKind, Instance, NameMap, Registry, Severity, UnitDef};
use sinew_macros::unit;

/// Counts how often it runs, by a message each.
#[unit("Test.Count")]
fn count(frame: &mut Frame, value: f32) -> f32 {
    frame.log.note(Severity::Info, "count", LogValue::Float(value));
    value
}

/// Moves a bone along x.
#[unit("Test.MoveX")]
fn move_x(rig: &mut Hierarchy, item: ElementId, x: f32) {
    rig.set_local(item, Transform::from_translation(Vec3::new(x, 0.0, 0.0)));
}

/// Sums what it is given, frame after frame.
#[unit("Test.Sum")]
fn sum(state: &mut SumState, value: f32) -> f32 {
    state.sum += value;
    state.sum
}

#[derive(Clone, Copy, Default)]
struct SumState {
    sum: f32,
}
sinew::plain_struct!(SumState { sum: f32 });

fn registry() -> Registry {
    let own: Vec<UnitDef> = sinew::units![count, move_x, sum];
    Registry::standard().with(own)
}

fn skeleton() -> Hierarchy {
    let spec = |name: &str, parent| ElementSpec::new(ElementKey::bone(name), parent);
    Hierarchy::new([
        spec("root", ElementId::NONE),
        spec("a", ElementId(0)).at(Transform::from_translation(Vec3::Y)),
        spec("b", ElementId(1)).at(Transform::from_translation(Vec3::Y)),
    ])
    .unwrap()
}

fn compiled(text: &str) -> Compiled {
    let rig = Rig::parse(text.as_bytes()).unwrap_or_else(|e| panic!("{e}"));
    compile(&rig, &registry()).unwrap_or_else(|e| panic!("{e}"))
}

fn instance(text: &str) -> Instance {
    let program = Arc::new(compiled(text).program);
    let bound = BoundProgram::bind(program, &registry(), &skeleton(), &NameMap::new());
    Instance::new(&Arc::new(bound.unwrap_or_else(|e| panic!("{e:?}"))))
}

fn rig(variables: &str, nodes: &str, start: &str) -> String {
    format!(
        r#"{{"sinew": 1, "name": "t", "variables": {{{variables}}},
            "graphs": {{"forward": {{"event": true, "start": "{start}", "nodes": {{{nodes}}}}}}}}}"#
    )
}

const IO: &str = r#""x": {"type": "Float", "role": "input"}, "y": {"type": "Float", "role": "output"}"#;

fn y_of(i: &mut Instance, x: f32) -> f32 {
    let (hx, hy) = (i.handle::<f32>("x").unwrap(), i.handle::<f32>("y").unwrap());
    i.set(hx, x);
    i.tick(0.1).unwrap();
    i.get(hy)
}

#[test]
fn values_flow_through_links_parts_and_conversions() {
    let text = rig(
        IO,
        r#""x": {"get": "x"},
           "v": {"unit": "Math.Add", "in": {"a": {"from": "x.value"}, "b": [1, 2, 3]}},
           "s": {"unit": "Math.Multiply", "in": {"a": {"from": "v.result.y"}, "b": {"from": "v.result.z"}}},
           "out": {"set": "y", "in": {"value": {"from": "s.result"}}}"#,
        "out",
    );
    // x goes into all of a Vec3 (Float to Vec3), then (x+2)(x+3).
    let mut i = instance(&text);
    assert_eq!(y_of(&mut i, 1.0), 12.0);
    assert_eq!(y_of(&mut i, -2.0), 0.0);
}

#[test]
fn a_part_set_on_its_own_keeps_the_rest() {
    let text = rig(
        IO,
        r#""x": {"get": "x"},
           "c": {"const": "Vec3", "in": {"value": [10, 20, 30]}},
           "d": {"unit": "Math.Dot", "in": {"a": {"from": "c.value"}, "a.y": {"from": "x.value"}, "b": [1, 1, 1]}},
           "out": {"set": "y", "in": {"value": {"from": "d.result"}}}"#,
        "out",
    );
    assert_eq!(y_of(&mut instance(&text), 2.0), 42.0);
}

#[test]
fn only_the_side_taken_is_evaluated() {
    let text = rig(
        IO,
        r#""x": {"get": "x"},
           "neg": {"unit": "Math.Less", "in": {"a": {"from": "x.value"}, "b": 0}},
           "b": {"unit": "Flow.Branch", "in": {"condition": {"from": "neg.result"}},
                 "exec": {"true": "yes", "false": "no", "next": "after"}},
           "yes": {"unit": "Test.Count", "in": {"value": 1}, "exec": {"next": "set1"}},
           "set1": {"set": "y", "in": {"value": 1}},
           "no": {"unit": "Test.Count", "in": {"value": 2}, "exec": {"next": "set2"}},
           "set2": {"set": "y", "in": {"value": 2}},
           "after": {"unit": "Test.Count", "in": {"value": 3}}"#,
        "b",
    );
    let mut i = instance(&text);
    assert_eq!(y_of(&mut i, -1.0), 1.0);
    let said = |i: &Instance| i.frame().log.entries().iter().map(|e| e.value).collect::<Vec<_>>();
    assert_eq!(said(&i), [LogValue::Float(1.0), LogValue::Float(3.0)]);
    assert_eq!(y_of(&mut i, 1.0), 2.0);
    assert_eq!(said(&i), [LogValue::Float(2.0), LogValue::Float(3.0)]);
}

#[test]
fn a_lazy_choice_runs_fewer_instructions_than_both_sides() {
    let chain = |name: &str, n: usize| {
        (0..n)
            .map(|k| {
                let from = if k == 0 { "x.value".to_string() } else { format!("{name}{}.result", k - 1) };
                format!(r#""{name}{k}": {{"unit": "Math.Sine", "in": {{"value": {{"from": "{from}"}}}}}},"#)
            })
            .collect::<String>()
    };
    let nodes = |a: usize, b: usize| {
        format!(
            r#""x": {{"get": "x"}}, {} {}
               "c": {{"unit": "Math.Less", "in": {{"a": {{"from": "x.value"}}, "b": 0}}}},
               "if": {{"unit": "Flow.If", "in": {{"condition": {{"from": "c.result"}},
                    "true": {{"from": "p{}.result"}}, "false": {{"from": "q{}.result"}}}}}},
               "out": {{"set": "y", "in": {{"value": {{"from": "if.result"}}}}}}"#,
            chain("p", a),
            chain("q", b),
            a - 1,
            b - 1
        )
    };
    let mut i = instance(&rig(IO, &nodes(50, 2), "out"));
    y_of(&mut i, 1.0);
    assert!(i.executed() < 20, "{} instructions", i.executed());
    y_of(&mut i, -1.0);
    assert!(i.executed() > 50, "{} instructions", i.executed());
}

#[test]
fn switch_and_select_take_the_named_case() {
    let variables = r#""x": {"type": "Float", "role": "input"}, "y": {"type": "Float", "role": "output"},
        "k": {"type": "Int", "role": "input"}"#;
    let text = rig(
        variables,
        r#""k": {"get": "k"},
           "sel": {"unit": "Flow.Select", "in": {"value": {"from": "k.value"}, "case_0": 10.5, "case_2": 30, "default": -1}},
           "sw": {"unit": "Flow.Switch", "in": {"value": {"from": "k.value"}},
                  "exec": {"case_0": "c0", "case_1": "c1", "default": "d", "next": "out"}},
           "c0": {"unit": "Test.Count", "in": {"value": 0}},
           "c1": {"unit": "Test.Count", "in": {"value": 1}},
           "d": {"unit": "Test.Count", "in": {"value": 9}},
           "out": {"set": "y", "in": {"value": {"from": "sel.result"}}}"#,
        "sw",
    );
    let mut i = instance(&text);
    let k = i.handle::<i32>("k").unwrap();
    for (case, y, said) in [(0, 10.5, 0.0), (1, -1.0, 1.0), (2, 30.0, 9.0), (7, -1.0, 9.0)] {
        i.set(k, case);
        assert_eq!(y_of(&mut i, 0.0), y);
        let log: Vec<_> = i.frame().log.entries().iter().map(|e| e.value).collect();
        assert_eq!(log, [LogValue::Float(said)], "case {case}");
    }
}

#[test]
fn a_reading_node_sees_the_hierarchy_as_it_stands_at_its_place() {
    let variables =
        r#""before": {"type": "Float", "role": "output"}, "after": {"type": "Float", "role": "output"}"#;
    let text = rig(
        variables,
        r#""pos": {"unit": "Hierarchy.GetTranslation", "in": {"item": "bone:b"}},
           "s1": {"set": "before", "in": {"value": {"from": "pos.result.x"}}, "exec": {"next": "move"}},
           "move": {"unit": "Test.MoveX", "in": {"item": "bone:a", "x": 5}, "exec": {"next": "s2"}},
           "s2": {"set": "after", "in": {"value": {"from": "pos.result.x"}}}"#,
        "s1",
    );
    let mut i = instance(&text);
    i.tick(0.1).unwrap();
    let (before, after) = (i.handle::<f32>("before").unwrap(), i.handle::<f32>("after").unwrap());
    assert_eq!((i.get(before), i.get(after)), (0.0, 5.0));
}

#[test]
fn a_call_in_the_execution_order_keeps_what_it_saw_there() {
    let text = r#"{"sinew": 1, "name": "t",
        "variables": {"y": {"type": "Float", "role": "output"}, "z": {"type": "Float", "role": "output"}},
        "graphs": {
          "forward": {"event": true, "start": "seen", "nodes": {
            "seen": {"call": "height", "exec": {"next": "move"}},
            "now": {"call": "height"},
            "move": {"unit": "Test.MoveX", "in": {"item": "bone:a", "x": 5}, "exec": {"next": "y"}},
            "y": {"set": "y", "in": {"value": {"from": "seen.x"}}, "exec": {"next": "z"}},
            "z": {"set": "z", "in": {"value": {"from": "now.x"}}}}},
          "height": {"function": {"inputs": {}, "outputs": {"x": {"type": "Float"}}},
            "results": {"x": {"from": "g.result.x"}},
            "nodes": {"g": {"unit": "Hierarchy.GetTranslation", "in": {"item": "bone:b"}}}}}}"#;
    let mut i = instance(text);
    i.tick(0.1).unwrap();
    let (y, z) = (i.handle::<f32>("y").unwrap(), i.handle::<f32>("z").unwrap());
    assert_eq!((i.get(y), i.get(z)), (0.0, 5.0));
}

#[test]
fn a_loop_over_an_array_that_its_body_makes_stale_runs_over_the_old_one() {
    let text = rig(
        r#""y": {"type": "Float", "role": "output"}"#,
        r#""chain": {"unit": "Hierarchy.GetChain", "capacity": 4, "in": {"from": "bone:root", "to": "bone:b"}},
           "y": {"get": "y"},
           "each": {"unit": "Flow.ForEach", "in": {"array": {"from": "chain.chain"}}, "exec": {"body": "move"}},
           "move": {"unit": "Test.MoveX", "in": {"item": {"from": "each.element"}, "x": 1}, "exec": {"next": "more"}},
           "p": {"unit": "Hierarchy.GetTranslation", "in": {"item": {"from": "each.element"}}},
           "sum": {"unit": "Math.Add", "in": {"a": {"from": "y.value"}, "b": {"from": "p.result.x"}}},
           "more": {"set": "y", "in": {"value": {"from": "sum.result"}}}"#,
        "each",
    );
    let mut i = instance(&text);
    i.tick(0.1).unwrap();
    let y = i.handle::<f32>("y").unwrap();
    assert_eq!(i.get(y), 6.0);
}

#[test]
fn loops_carry_variables_and_share_what_does_not_change() {
    let variables = r#""x": {"type": "Float", "role": "input"}, "y": {"type": "Float", "role": "output"},
        "sum": {"type": "Float"}"#;
    let text = rig(
        variables,
        r#""x": {"get": "x"}, "sum": {"get": "sum"},
           "zero": {"set": "sum", "in": {"value": 0}, "exec": {"next": "loop"}},
           "loop": {"unit": "Flow.For", "in": {"count": 5}, "exec": {"body": "step", "next": "out"}},
           "sq": {"unit": "Math.Multiply", "in": {"a": {"from": "x.value"}, "b": {"from": "x.value"}}},
           "term": {"unit": "Math.Multiply", "in": {"a": {"from": "sq.result"}, "b": {"from": "loop.index"}}},
           "add": {"unit": "Math.Add", "in": {"a": {"from": "sum.value"}, "b": {"from": "term.result"}}},
           "step": {"set": "sum", "in": {"value": {"from": "add.result"}}},
           "out": {"set": "y", "in": {"value": {"from": "sum.value"}}}"#,
        "zero",
    );
    let c = compiled(&text);
    assert!(c.program.map.notes.iter().any(|n| n.node == "forward/sq" && n.fate.starts_with("hoisted")));
    let mut i = instance(&text);
    assert_eq!(y_of(&mut i, 2.0), 40.0);
    assert_eq!(y_of(&mut i, 3.0), 90.0);
}

#[test]
fn nested_loops_and_while_end_where_they_should() {
    let variables = r#""y": {"type": "Float", "role": "output"}, "x": {"type": "Float", "role": "input"},
        "n": {"type": "Float"}"#;
    let text = rig(
        variables,
        r#""n": {"get": "n"}, "x": {"get": "x"},
           "zero": {"set": "n", "in": {"value": 0}, "exec": {"next": "outer"}},
           "outer": {"unit": "Flow.For", "in": {"count": 3}, "exec": {"body": "inner", "next": "while"}},
           "inner": {"unit": "Flow.For", "in": {"count": {"from": "outer.index"}}, "capacity": 10, "exec": {"body": "inc"}},
           "plus": {"unit": "Math.Add", "in": {"a": {"from": "n.value"}, "b": {"from": "inner.ratio"}}},
           "inc": {"set": "n", "in": {"value": {"from": "plus.result"}}},
           "less": {"unit": "Math.Less", "in": {"a": {"from": "n.value"}, "b": {"from": "x.value"}}},
           "while": {"unit": "Flow.While", "in": {"condition": {"from": "less.result"}}, "capacity": 100,
                     "exec": {"body": "grow", "next": "out"}},
           "one": {"unit": "Math.Add", "in": {"a": {"from": "n.value"}, "b": 1}},
           "grow": {"set": "n", "in": {"value": {"from": "one.result"}}},
           "out": {"set": "y", "in": {"value": {"from": "n.value"}}}"#,
        "zero",
    );
    let mut i = instance(&text);
    // Inner ratios: none, (0), (0, 1): 1; then up to x.
    assert_eq!(y_of(&mut i, 4.5), 5.0);
    assert_eq!(y_of(&mut i, 0.0), 1.0);
    // A while loop that does not end within its bound ends the frame and leaves the last result.
    let x = i.handle::<f32>("x").unwrap();
    i.set(x, 1000.0);
    let fault = i.tick(0.1).unwrap_err();
    assert_eq!(fault.kind, FaultKind::LoopEndless { bound: 100 });
    assert_eq!(fault.node, "forward/while");
    let y = i.handle::<f32>("y").unwrap();
    assert_eq!(i.get(y), 1.0);
    assert_eq!(y_of(&mut i, 4.5), 5.0);
}

#[test]
fn functions_are_shared_code_with_state_of_their_own_for_each_call() {
    let text = r#"{"sinew": 1, "name": "t",
        "variables": {"x": {"type": "Float", "role": "input"}, "y": {"type": "Float", "role": "output"},
                      "z": {"type": "Float", "role": "output"}},
        "graphs": {
          "forward": {"event": true, "start": "a", "nodes": {
            "x": {"get": "x"},
            "a": {"call": "total", "in": {"value": {"from": "x.value"}}, "exec": {"next": "sa"}},
            "sa": {"set": "y", "in": {"value": {"from": "a.total"}}, "exec": {"next": "b"}},
            "b": {"call": "total", "in": {"value": 100}, "exec": {"next": "sb"}},
            "nest": {"call": "twice", "in": {"v": {"from": "in.r"}}},
            "in": {"call": "twice", "in": {"v": {"from": "b.total"}}},
            "sb": {"set": "z", "in": {"value": {"from": "nest.r"}}}}},
          "total": {"function": {"inputs": {"value": {"type": "Float"}}, "outputs": {"total": {"type": "Float"}}},
                    "results": {"total": {"from": "twice.r"}}, "start": "s",
            "nodes": {"s": {"unit": "Test.Sum", "in": {"value": {"from": "inputs.value"}}},
                      "twice": {"call": "twice", "in": {"v": {"from": "s.result"}}}}},
          "twice": {"function": {"inputs": {"v": {"type": "Float"}}, "outputs": {"r": {"type": "Float"}}},
                    "results": {"r": {"from": "m.result"}},
            "nodes": {"m": {"unit": "Math.Multiply", "in": {"a": {"from": "inputs.v"}, "b": 2}}}}}}"#;
    let mut i = instance(text);
    assert_eq!(y_of(&mut i, 1.0), 2.0);
    let z = i.handle::<f32>("z").unwrap();
    assert_eq!(i.get(z), 800.0);
    assert_eq!(y_of(&mut i, 1.0), 4.0);
    assert_eq!(i.get(z), 1600.0);
}

#[test]
fn arrays_grow_in_place_and_an_overflow_names_the_node() {
    let variables = r#""list": {"type": "Float[3]"}, "y": {"type": "Float", "role": "output"},
        "x": {"type": "Float", "role": "input"}"#;
    let text = rig(
        variables,
        r#""x": {"get": "x"}, "list": {"get": "list"}, "y": {"get": "y"},
           "add": {"unit": "Array.Add", "in": {"array": {"from": "list.value"}, "value": {"from": "x.value"}}, "exec": {"next": "zero"}},
           "zero": {"set": "y", "in": {"value": 0}, "exec": {"next": "each"}},
           "each": {"unit": "Flow.ForEach", "in": {"array": {"from": "list.value"}}, "exec": {"body": "acc"}},
           "sum": {"unit": "Math.Add", "in": {"a": {"from": "y.value"}, "b": {"from": "each.element"}}},
           "acc": {"set": "y", "in": {"value": {"from": "sum.result"}}}"#,
        "add",
    );
    let mut i = instance(&text);
    assert_eq!(y_of(&mut i, 1.0), 1.0);
    assert_eq!(y_of(&mut i, 2.0), 3.0);
    assert_eq!(y_of(&mut i, 3.0), 6.0);
    let fault = i.tick(0.1).unwrap_err();
    assert_eq!(
        (fault.node.as_str(), fault.kind),
        ("forward/add", FaultKind::ArrayFull(ArrayFull { capacity: 3 }))
    );
    assert!(compiled(&text).warnings.iter().any(|w| w.code == Code::GrowingArray));
}

#[test]
fn constants_are_folded_and_equal_nodes_shared() {
    let text = rig(
        IO,
        r#""x": {"get": "x"},
           "two": {"unit": "Math.Add", "in": {"a": 1.0, "b": 1.0}},
           "p": {"unit": "Math.Multiply", "in": {"a": {"from": "x.value"}, "b": {"from": "two.result"}}},
           "q": {"unit": "Math.Multiply", "in": {"a": {"from": "x.value"}, "b": 2.0}},
           "s": {"unit": "Math.Add", "in": {"a": {"from": "p.result"}, "b": {"from": "q.result"}}},
           "out": {"set": "y", "in": {"value": {"from": "s.result"}}}"#,
        "out",
    );
    let c = compiled(&text);
    // multiply, add, copy, exit.
    assert_eq!(c.program.code.len(), 4, "{:?}", c.program.code);
    assert_eq!(y_of(&mut instance(&text), 3.0), 12.0);
}

#[test]
fn all_problems_are_told_at_once_with_their_place() {
    let text = rig(
        IO,
        r#""a": {"unit": "Math.Ad", "in": {"a": 1}, "exec": {"next": "b"}},
           "b": {"unit": "Math.Sine", "in": {"valu": 1, "value": "word"}},
           "c": {"get": "nothing"},
           "d": {"set": "y", "in": {"value": {"from": "e.result"}}, "exec": {"next": "f"}},
           "e": {"unit": "Math.Add", "in": {"a": {"from": "g.result"}, "b": 1}},
           "g": {"unit": "Math.Add", "in": {"a": {"from": "e.result"}, "b": 1}},
           "f": {"call": "nowhere"}"#,
        "d",
    );
    let rig = Rig::parse(text.as_bytes()).unwrap();
    let all = diagnose(&rig, &registry());
    let has = |code: Code, place: &str| {
        assert!(all.iter().any(|d| d.code == code && d.place() == place), "{code:?} at {place} in\n{all:#?}");
    };
    has(Code::UnknownUnit, "forward/a");
    has(Code::UnknownPin, "forward/b.valu");
    has(Code::BadLiteral, "forward/b.value");
    has(Code::UnknownVariable, "forward/c");
    has(Code::UnknownFunction, "forward/f");
    assert!(all.iter().any(|d| d.code == Code::LinkCycle && d.message.contains('→')));
    assert!(all.iter().find(|d| d.code == Code::UnknownUnit).unwrap().remedy.contains("Math.Add"));
}

#[test]
fn a_missing_bone_is_named_with_what_there_is() {
    let text = rig("", r#""m": {"unit": "Test.MoveX", "in": {"item": "bone:rooty", "x": 1}}"#, "m");
    let program = Arc::new(compiled(&text).program);
    let errors = BoundProgram::bind(program.clone(), &registry(), &skeleton(), &NameMap::new()).unwrap_err();
    let said = errors[0].to_string();
    assert!(said.contains("bone:rooty") && said.contains("`root`") && said.contains("forward/m"), "{said}");
    let names = NameMap::from([("rooty".to_string(), "root".to_string())]);
    assert!(BoundProgram::bind(program, &registry(), &skeleton(), &names).is_ok());
}

#[test]
fn work_is_shared_by_lifetimes() {
    let chain: String = (0..200)
        .map(|k| {
            let from = if k == 0 { "x.value".to_string() } else { format!("n{}.result", k - 1) };
            format!(r#""n{k}": {{"unit": "Math.Sine", "in": {{"value": {{"from": "{from}"}}}}}},"#)
        })
        .collect();
    let nodes = format!(
        r#""x": {{"get": "x"}}, {chain} "out": {{"set": "y", "in": {{"value": {{"from": "n199.result"}}}}}}"#
    );
    let p = compiled(&rig(IO, &nodes, "out")).program;
    assert_eq!(p.map.work_unshared, 200);
    assert!(p.work_words <= 2, "{}", p.work_words);
}
