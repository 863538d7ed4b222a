//! The text form as a whole.

use super::*;
use std::collections::BTreeMap;

/// One of everything, in canonical form.
pub(super) const FULL: &str = include_str!("testdata/full.json");

/// The same rig as somebody might type it.
pub(super) const TYPED: &str = include_str!("testdata/full_typed.json");

pub(super) fn full() -> Rig {
    Rig::parse(FULL.as_bytes()).unwrap_or_else(|e| panic!("{e}"))
}

fn problems(text: &str) -> Vec<Problem> {
    Rig::parse(text.as_bytes()).map(|r| panic!("accepted: {r:?}")).unwrap_or_else(|e| e.problems)
}

/// `line:column path: message`, one a line.
fn report(text: &str) -> String {
    problems(text).iter().map(|p| format!("{p}\n")).collect()
}

#[test]
fn canonical_text_round_trips_to_the_byte() {
    assert_eq!(full().to_text(), FULL);
    assert_eq!(Rig::parse(full().to_text().as_bytes()).unwrap(), full());
    let empty = Rig::default();
    assert_eq!(empty.to_text(), "{\n  \"sinew\": 1\n}\n");
    assert_eq!(Rig::parse(empty.to_text().as_bytes()).unwrap(), empty);
}

#[test]
fn format_is_idempotent() {
    let typed = Rig::parse(TYPED.as_bytes()).unwrap();
    assert_eq!(typed, full());
    assert_eq!(typed.to_text(), FULL);
}

#[test]
fn text_is_json_to_others_too() {
    let value: serde_json::Value = serde_json::from_str(FULL).unwrap();
    assert_eq!(value["graphs"]["forward"]["nodes"]["look"]["in"]["weight"], 0.5);
}

#[test]
fn a_byte_order_mark_and_windows_line_ends_are_no_difference() {
    let text = format!("\u{feff}{}", TYPED.replace('\n', "\r\n"));
    assert_eq!(Rig::parse(text.as_bytes()).unwrap(), full());
}

#[test]
fn all_problems_are_reported_at_their_places() {
    let text = r#"{
  "sinew": 1,
  "nmae": "x",
  "variables": { "2x": { "type": "Float" }, "y": { "role": "inpt" } },
  "graphs": {
    "forward": { "event": true,
      "nodes": {
        "a": { "unit": "A", "call": "b", "untit": 1 },
        "b": { "unit": "B", "in": { "w": { "from": "nopoint" }, "v": null, "u.": 1 }, "exec": { "next": 3 } },
        "c": {}
      } }
  }
}"#;
    assert_eq!(
        report(text),
        "3:3: `nmae` is not known here: did you mean `name`?\n\
         4:18: variables.2x: `2x` is no name: use letters, digits and `_`, and no digit first\n\
         4:50: variables.y: `type` is missing: say what it holds, such as \"Float\" or \"Transform\"\n\
         4:60: variables.y.role: `inpt` is not known here: did you mean `input`?\n\
         8:14: graphs.forward.nodes.a: a node does one thing: keep one of unit, call\n\
         8:42: graphs.forward.nodes.a: `untit` is not known here: did you mean `unit`?\n\
         9:52: graphs.forward.nodes.b.in.w.from: `nopoint` is no pin: write names joined by points, such as transform.translation.x\n\
         9:70: graphs.forward.nodes.b.in.v: expected a value, found null\n\
         9:76: graphs.forward.nodes.b.in[\"u.\"]: `u.` is no pin: write names joined by points, such as transform.translation.x\n\
         9:105: graphs.forward.nodes.b.exec.next: expected a string, found a whole number\n\
         10:14: graphs.forward.nodes.c: `unit` is missing: a node has one of unit, call, get, set, const\n"
    );
}

#[test]
fn duplicate_keys_are_refused_wherever_they_stand() {
    let text = "{\"sinew\": 1,\n\"graphs\": {\"f\": {\"event\": true, \"nodes\": {\n\"a\": {\"unit\": \"A\"},\n\"a\": {\"unit\": \"B\"}}}}}";
    assert_eq!(
        report(text),
        "4:1: graphs.f.nodes: `a` stands here a second time, first in line 3: remove or rename one\n"
    );
    // The same key written with an escape is the same key.
    assert_eq!(problems(r#"{"sinew": 1, "name": "a", "n\u0061me": "b"}"#).len(), 1);
}

#[test]
fn versions_are_told_apart() {
    assert_eq!(report("{}"), "1:1: there is no version: a rig begins with `\"sinew\": 1`\n");
    assert_eq!(
        report("{\"sinew\": 7, \"future\": []}"),
        "1:11: sinew: this text has version 7, and this program reads up to 1: use a newer sinew\n"
    );
    assert!(report("{\"sinew\": -1}").contains("out of range"));
    assert!(report("{\"sinew\": \"1\"}").contains("whole number"));
    assert!(report("[]").contains("expected an object"));
}

#[test]
fn broken_text_gives_one_clear_error() {
    for (text, message) in [
        ("", "1:1: expected a value, but the text ends here"),
        ("{\"sinew\": 1", "1:12: expected `,` or `}`, but the text ends here"),
        ("{\"sinew\": 1,}", "1:13: expected a key in double quotes, found '}'"),
        ("{\"sinew\": 1} x", "1:14: expected the end of the text, found 'x'"),
        ("{\"sinew\": 01}", "1:12: sinew: numbers do not begin with 0: remove it"),
        ("{\"sinew\": 1e999}", "out of range"),
        ("{\"sinew\": NaN}", "1:11: sinew: expected a value, found 'N'"),
        ("{\"name\": \"a\nb\"}", "1:12: name: strings end on their line: write \\n or \\u00XX"),
    ] {
        let report = report(text);
        assert!(report.contains(message) && report.lines().count() == 1, "{text}: {report}");
    }
    // Only the last line end may be missing.
    for cut in 0..FULL.len() - 1 {
        assert!(Rig::parse(&FULL.as_bytes()[..cut]).is_err(), "cut at {cut}");
    }
    let bytes = b"{\"sinew\": 1,\n\"name\": \"\xff\"}";
    let e = Rig::parse(bytes).unwrap_err();
    assert_eq!((e.problems[0].line, e.problems[0].column), (2, 10));
    assert_eq!(e.problems[0].kind, ProblemKind::NotUtf8(22));
}

#[test]
fn deep_text_is_an_error_on_a_small_stack() {
    // Nesting is bounded however it is written, also where stacks are small.
    let run = || {
        for open in ["[", "{\"a\":", "{\"sinew\":1,\"variables\":{\"v\":{\"type\":\"T\",\"default\":["] {
            let text = open.to_owned() + &"[".repeat(100_000);
            assert_eq!(problems(&text)[0].kind, ProblemKind::TooDeep);
        }
        let nested = |n: usize| {
            let value = format!("{}1{}", "[".repeat(n), "]".repeat(n));
            format!("{{\"sinew\":1,\"variables\":{{\"v\":{{\"type\":\"T\",\"default\":{value}}}}}}}")
        };
        let deep = Rig::parse(nested(MAX_LITERAL_DEPTH).as_bytes()).unwrap();
        assert_eq!(Rig::parse(deep.to_text().as_bytes()).unwrap(), deep);
        assert!(report(&nested(MAX_LITERAL_DEPTH + 1)).contains("nests at most"));
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(run).unwrap().join().unwrap();
}

#[test]
fn hostile_sizes_are_errors() {
    assert!(matches!(problems(&" ".repeat(MAX_BYTES + 1))[0].kind, ProblemKind::TooLarge(_)));
    let many = format!("{{\"sinew\": 1, {}\"name\": \"\"}}", "\"x\": 1, ".repeat(10_000));
    let e = Rig::parse(many.as_bytes()).unwrap_err();
    assert!(e.truncated && e.problems.len() <= 100);
    assert!(report(&format!("{{\"sinew\": 1, \"name\": [{}1]}}", "1,".repeat(3 << 20))).contains("values"));
}

#[test]
fn rules_of_the_format_are_checked() {
    let in_rig = |part: &str| format!("{{\"sinew\": 1, {part}}}");
    let in_graph = |part: &str| in_rig(&format!("\"graphs\": {{\"g\": {{{part}}}}}"));
    for (text, message) in [
        (in_graph(""), "say what the graph is"),
        (in_graph("\"event\": true, \"function\": {}"), "an event or a function"),
        (in_graph("\"event\": false"), "expected true"),
        (in_graph("\"event\": true, \"results\": {}"), "only functions have results"),
        (in_graph("\"function\": {\"order\": [\"x\"]}"), "no input or output"),
        (in_graph("\"event\": true, \"nodes\": {\"inputs\": {\"unit\": \"A\"}}"), "reserved"),
        (in_graph("\"event\": true, \"nodes\": {\"a\": {\"unit\": \"\"}}"), "1 to 256 bytes"),
        (
            in_graph("\"event\": true, \"nodes\": {\"a\": {\"unit\": \"A\", \"capacity\": -1}}"),
            "out of range",
        ),
        (
            in_graph(
                "\"event\": true, \"nodes\": {\"a\": {\"unit\": \"A\", \"in\": {\"x\": [{\"from\": \"b.c\"}]}}}",
            ),
            "a link stands alone",
        ),
        (
            in_graph(
                "\"event\": true, \"nodes\": {\"a\": {\"unit\": \"A\"}}, \"comments\": {\"a\": {\"text\": \"\"}}",
            ),
            "rename the comment",
        ),
        (in_rig("\"elements\": {\"head\": {}}"), "no element key"),
        (in_rig("\"elements\": {\"bone:a\": {\"control\": {}}}"), "a bone has no `control`"),
        (in_rig("\"elements\": {\"curve:a\": {\"parent\": \"bone:b\"}}"), "a curve has no `parent`"),
        (
            in_rig("\"elements\": {\"null:a\": {\"transform\": {\"rotation\": [0, 0, 1]}}}"),
            "expected 4 numbers",
        ),
        (in_rig("\"enums\": {\"E\": [\"a\", \"a\"]}"), "a second time"),
        (in_rig("\"enums\": {\"E\": [\"a\"]}, \"structs\": {\"E\": {}}"), "an enum too"),
        (in_rig("\"bones\": {\"head\": []}"), "at least one"),
        (
            in_rig(
                "\"curves\": {\"c\": {\"keys\": [{\"time\": 1, \"value\": 0}, {\"time\": 1, \"value\": 0}]}}",
            ),
            "times of keys rise",
        ),
        (in_rig("\"layout\": {\"g\": {\"a\": [1]}}"), "a place is"),
        (in_rig("\"structs\": {\"S\": {\"from\": {\"type\": \"Float\"}}}"), "reserved"),
    ] {
        let report = report(&text);
        assert!(report.contains(message) && report.lines().count() == 1, "{text}:\n{report}");
    }
}

#[test]
fn unknown_units_and_dangling_links_survive_loading_and_saving() {
    // A rig that names what nobody knows is data all the same: nothing is lost by opening it.
    let rig = full();
    let odd = rig.node("forward", "odd").unwrap();
    assert_eq!(odd.op, NodeOp::Unit("No.Such".into()));
    assert_eq!(odd.inputs["x"], Input::Link(PinRef::new("nowhere", "pin")));
    let text = r#"{"sinew": 1, "graphs": {"f": {"event": true, "start": "gone", "nodes":
        {"a": {"call": "gone", "exec": {"next": "gone"}}, "b": {"get": "gone"}}}}}"#;
    let rig = Rig::parse(text.as_bytes()).unwrap();
    assert_eq!(Rig::parse(rig.to_text().as_bytes()).unwrap(), rig);
}

#[test]
fn places_of_a_rig_are_found_in_its_text() {
    let path = ["graphs", "forward", "nodes", "look"];
    let (line, column) = locate(FULL.as_bytes(), path).unwrap();
    let found = FULL.lines().nth(line as usize - 1).unwrap();
    assert!(found[column as usize - 1..].starts_with("\"look\": {"), "{found}");
    assert_eq!(locate(FULL.as_bytes(), ["no"]), Some((1, 1)));
    assert_eq!(locate(b"{", ["no"]), None);
}

#[test]
fn changes_to_two_nodes_touch_different_lines() {
    let lines = |rig: &Rig| rig.to_text().lines().map(str::to_owned).collect::<Vec<_>>();
    let before = lines(&full());
    let mut rig = full();
    let node = rig.graphs.get_mut("forward").unwrap().nodes.get_mut("look").unwrap();
    node.inputs.insert("weight".into(), Input::Literal(Literal::Float(0.75)));
    let after = lines(&rig);
    assert_eq!(before.len(), after.len());
    assert_eq!(before.iter().zip(&after).filter(|(a, b)| a != b).count(), 1);
}

#[test]
fn pins_of_functions_keep_their_order() {
    let rig = full();
    let function = rig.graph("solve_leg").and_then(Graph::function).unwrap();
    let names: Vec<&str> = function.ordered_inputs().into_iter().map(|(n, _)| n).collect();
    assert_eq!(names, ["hip", "bend"]);
    assert_eq!(function.ordered_outputs().len(), 1);
}

#[test]
fn numbers_that_text_cannot_hold_never_load_as_others() {
    let mut rig = Rig::default();
    let variable =
        VariableDecl { ty: "Float".into(), default: Some(Literal::Float(f64::NAN)), ..Default::default() };
    rig.variables = BTreeMap::from([("x".to_owned(), variable)]);
    assert!(Rig::parse(rig.to_text().as_bytes()).is_err());
}
