//! A rig that does every kind of thing, on a chain of six bones.
#![allow(dead_code, reason = "each test program uses a part of it")]

use std::sync::Arc;

use sinew::graph::Rig;
use sinew::hierarchy::{ElementId, ElementKey, ElementSpec, Hierarchy};
use sinew::math::{Transform, Vec3};
use sinew::vm::{BoundProgram, NameMap, Program, Registry};

/// Every kind of thing that a frame does: reads, writes, IK, state, loops, arrays, functions,
/// messages, drawings, a choice, and a fault with its way back.
pub const RIG: &str = r#"{"sinew": 1, "name": "everything",
  "variables": {"x": {"type": "Float", "role": "input"}, "list": {"type": "Float[4]"}, "sum": {"type": "Float", "role": "output"}},
  "elements": {"control:c": {"parent": "bone:b0", "control": {"kind": "float"}}},
  "graphs": {
    "forward": {"event": true, "start": "print", "nodes": {
      "x": {"get": "x"}, "list": {"get": "list"}, "sum": {"get": "sum"},
      "print": {"unit": "Debug.Print", "in": {"label": "x is", "value": {"from": "x.value"}}, "exec": {"next": "draw"}},
      "draw": {"unit": "Debug.DrawLine", "in": {"to": [1, 1, 1]}, "exec": {"next": "reset"}},
      "reset": {"unit": "Array.Reset", "in": {"array": {"from": "list.value"}}, "exec": {"next": "for"}},
      "for": {"unit": "Flow.For", "in": {"count": 4}, "exec": {"body": "push", "next": "each"}},
      "push": {"unit": "Array.Add", "in": {"array": {"from": "list.value"}, "value": {"from": "for.ratio"}}},
      "each": {"unit": "Flow.ForEach", "in": {"array": {"from": "chain.chain"}}, "exec": {"body": "turn", "next": "ik"}},
      "chain": {"unit": "Hierarchy.GetChain", "capacity": 8, "in": {"from": "bone:b0", "to": "bone:b5"}},
      "turn": {"unit": "Transform.Modify", "in": {"item": {"from": "each.element"}, "rotation_degrees": [1, 2, 3]}},
      "ik": {"unit": "IK.TwoBone", "in": {"root": "bone:b1", "middle": "bone:b2", "tip": "bone:b3", "target": {"translation": [0.2, 1.0, 0.3]}}, "exec": {"next": "fabrik"}},
      "fabrik": {"unit": "IK.Fabrik", "in": {"root": "bone:b0", "tip": "bone:b5", "target": [0.5, 1.0, 0.0]}, "exec": {"next": "f"}},
      "f": {"call": "follow", "in": {"v": {"from": "pick.result"}}, "exec": {"next": "set"}},
      "neg": {"unit": "Math.Less", "in": {"a": {"from": "x.value"}, "b": 0}},
      "pick": {"unit": "Flow.If", "in": {"condition": {"from": "neg.result"}, "true": 1.5, "false": {"from": "x.value"}}},
      "set": {"set": "sum", "in": {"value": {"from": "f.r"}}, "exec": {"next": "control"}},
      "control": {"unit": "Control.SetFloat", "in": {"item": "control:c", "value": {"from": "sum.value"}}, "exec": {"next": "loop"}},
      "loop": {"unit": "Flow.While", "in": {"condition": {"from": "big.result"}}, "capacity": 10, "exec": {}},
      "big": {"unit": "Math.Greater", "in": {"a": {"from": "x.value"}, "b": 100}}}},
    "follow": {"function": {"inputs": {"v": {"type": "Float"}}, "outputs": {"r": {"type": "Float"}}},
      "results": {"r": {"from": "s.result"}}, "start": "s",
      "nodes": {"s": {"unit": "Simulation.Spring", "in": {"target": {"from": "inputs.v"}}}}}}}"#;

/// Six bones in a line, 0.3 m each.
pub fn chain() -> Hierarchy {
    let spec = |i: u32| {
        let at = Transform::from_translation(Vec3::new(0.0, 0.3, 0.02 * i as f32));
        ElementSpec::new(ElementKey::bone(format!("b{i}")), ElementId(i.wrapping_sub(1))).at(at)
    };
    Hierarchy::new((0..6).map(spec)).expect("six bones")
}

/// A rig's text, compiled and bound to the chain.
pub fn bind(text: &str) -> Arc<BoundProgram> {
    let rig = Rig::parse(text.as_bytes()).unwrap_or_else(|e| panic!("{e}"));
    let program = Program::compile(&rig, &Registry::standard()).unwrap_or_else(|e| panic!("{e}"));
    let bound = BoundProgram::bind(Arc::new(program), &Registry::standard(), &chain(), &NameMap::new());
    Arc::new(bound.unwrap_or_else(|e| panic!("{e:?}")))
}
