//! Any bytes as a rig; what parses is printed and read again, compiled, bound and run.
#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use sinew::compile::compile;
use sinew::graph::Rig;
use sinew::hierarchy::{ElementId, ElementKey, ElementSpec, Hierarchy};
use sinew::vm::{BoundProgram, Instance, NameMap, Program, Registry};

fuzz_target!(|data: &[u8]| {
    let Ok(rig) = Rig::parse(data) else { return };
    let text = rig.to_text();
    let again = Rig::parse(text.as_bytes()).expect("canonical text parses");
    assert_eq!(again.to_text(), text);
    let registry = Registry::standard();
    let Ok(compiled) = compile(&rig, &registry) else { return };
    let program = compiled.program;
    assert_eq!(Program::from_bytes(&program.to_bytes()).as_ref(), Ok(&program));
    assert_eq!(Program::assemble(&program.disassemble()).as_ref(), Ok(&program));
    let bones = ["a", "b", "c"].into_iter().enumerate().map(|(i, name)| {
        ElementSpec::new(ElementKey::bone(name), ElementId((i as u32).wrapping_sub(1)))
    });
    let skeleton = Hierarchy::new(bones).expect("three bones");
    let Ok(bound) = BoundProgram::bind(Arc::new(program), &registry, &skeleton, &NameMap::new()) else { return };
    let mut instance = Instance::new(&Arc::new(bound));
    instance.set_budget(10_000);
    for _ in 0..3 {
        let _ = instance.tick(0.1);
    }
});
