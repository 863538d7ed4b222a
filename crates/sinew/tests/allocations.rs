//! A frame allocates nothing: counted by an allocator that stands in for the system's.

// Counting needs an allocator, and an allocator needs `unsafe`; it only passes calls on.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;

use sinew::graph::Rig;
use sinew::hierarchy::{ElementId, ElementKey, ElementSpec, Hierarchy};
use sinew::math::{Transform, Vec3};
use sinew::vm::{BoundProgram, Instance, NameMap, Program, Registry};

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every call is passed to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|c| c.set(c.get() + 1));
        // SAFETY: the caller's promises are those of `System`.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(ptr, layout) }
    }
    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNT.with(|c| c.set(c.get() + 1));
        // SAFETY: as above.
        unsafe { System.realloc(ptr, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn counted(work: impl FnOnce()) -> u64 {
    let before = COUNT.with(Cell::get);
    work();
    COUNT.with(Cell::get) - before
}

/// Every kind of thing that a frame does: reads, writes, IK, state, loops, arrays, functions,
/// messages, drawings, a choice, and a fault with its way back.
const RIG: &str = r#"{"sinew": 1, "name": "everything",
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

#[test]
fn a_frame_allocates_nothing() {
    let rig = Rig::parse(RIG.as_bytes()).unwrap_or_else(|e| panic!("{e}"));
    let program = Program::compile(&rig, &Registry::standard()).unwrap_or_else(|e| panic!("{e}"));
    let spec = |i: u32| {
        let at = Transform::from_translation(Vec3::new(0.0, 0.3, 0.02 * i as f32));
        ElementSpec::new(ElementKey::bone(format!("b{i}")), ElementId(i.wrapping_sub(1))).at(at)
    };
    let skeleton = Hierarchy::new((0..6).map(spec)).unwrap();
    let bound = BoundProgram::bind(Arc::new(program), &Registry::standard(), &skeleton, &NameMap::new());
    let bound = Arc::new(bound.unwrap_or_else(|e| panic!("{e:?}")));
    let mut instance = Instance::new(&bound);
    let pose = skeleton.locals().to_vec();
    let x = instance.handle::<f32>("x").unwrap();
    // From the very first frame on.
    let frames = counted(|| {
        for frame in 0..100 {
            instance.set(x, frame as f32 - 50.0);
            instance.set_pose(&pose);
            instance.tick(1.0 / 60.0).unwrap();
        }
    });
    assert_eq!(frames, 0);
    assert!(instance.executed() > 50);
    let mut snapshot = vec![0; instance.snapshot_words()];
    assert_eq!(counted(|| assert!(instance.snapshot_into(&mut snapshot) && instance.restore(&snapshot))), 0);
    // A frame that ends with a fault allocates for its message, and the next one nothing again.
    instance.set(x, 1000.0);
    assert!(instance.tick(1.0 / 60.0).is_err());
    instance.set(x, 1.0);
    assert_eq!(counted(|| instance.tick(1.0 / 60.0).unwrap()), 0);
}

#[test]
fn the_counter_counts() {
    assert_eq!(counted(|| drop(vec![1u8])), 1);
}
