//! Any text as a program's listing; what assembles is printed, read again, verified and run.
#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use sinew::hierarchy::{ElementId, ElementKey, ElementSpec, Hierarchy};
use sinew::vm::{BoundProgram, Instance, NameMap, Program, Registry};

fuzz_target!(|data: &str| {
    let Ok(program) = Program::assemble(data) else { return };
    let text = program.disassemble();
    assert_eq!(Program::assemble(&text).expect("a listing is read back").disassemble(), text);
    let events: Vec<String> = program.events.iter().map(|e| e.name.clone()).collect();
    let spec = ElementSpec::new(ElementKey::bone("a"), ElementId::NONE);
    let skeleton = Hierarchy::new([spec]).expect("one bone");
    let bound = BoundProgram::bind(Arc::new(program), &Registry::standard(), &skeleton, &NameMap::new());
    let Ok(bound) = bound else { return };
    let mut instance = Instance::new(&Arc::new(bound));
    instance.set_budget(10_000);
    for event in events.iter().take(4) {
        let _ = instance.run(event, 0.1);
    }
});
