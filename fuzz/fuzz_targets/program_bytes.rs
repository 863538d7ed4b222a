//! Any bytes as a program's payload, with the header set right; what verifies is run.
#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use sinew::hierarchy::{ElementId, ElementKey, ElementSpec, Hierarchy};
use sinew::vm::{BoundProgram, Instance, NameMap, Program, Registry};

fuzz_target!(|data: &[u8]| {
    let _ = Program::from_bytes(data);
    let Ok(program) = Program::from_payload(data) else { return };
    let bones = ["a", "b", "c"].into_iter().enumerate().map(|(i, name)| {
        ElementSpec::new(ElementKey::bone(name), ElementId((i as u32).wrapping_sub(1)))
    });
    let skeleton = Hierarchy::new(bones).expect("three bones");
    let events: Vec<String> = program.events.iter().map(|e| e.name.clone()).collect();
    let bound = BoundProgram::bind(Arc::new(program), &Registry::standard(), &skeleton, &NameMap::new());
    let Ok(bound) = bound else { return };
    let mut instance = Instance::new(&Arc::new(bound));
    instance.set_budget(10_000);
    for event in events.iter().take(4) {
        let _ = instance.run(event, 0.1);
    }
});
