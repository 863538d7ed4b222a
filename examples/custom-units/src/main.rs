//! Registers this crate's units beside the library's and prints what a rig sees of them.

use sinew::vm::Registry;

fn main() {
    let registry = Registry::standard().with(custom_units::all());
    for unit in registry.iter().filter(|unit| unit.name.starts_with("Example.")) {
        println!("{}", unit.signature());
        println!("    {} ({}:{})", unit.kind.word(), unit.source.file, unit.source.line);
        for line in unit.doc.lines() {
            println!("    {line}");
        }
    }
    println!("{} units in all", registry.iter().count());
}
