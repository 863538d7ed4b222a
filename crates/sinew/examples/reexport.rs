//! Writes models again as GLB: `cargo run --example reexport -- OUT FILE…`.
use sinew::io::gltf::{ExportOptions, load};
use std::path::Path;
fn main() {
    let mut args = std::env::args().skip(1);
    let out = args.next().expect("a folder");
    for file in args {
        let model = load(&file).unwrap_or_else(|e| panic!("{file}: {e}"));
        let bytes = model
            .to_glb(&model.clips, ExportOptions { drop_resting: false })
            .unwrap_or_else(|e| panic!("{file}: {e}"));
        let name = Path::new(&file).file_stem().unwrap().to_string_lossy().to_string();
        std::fs::write(format!("{out}/{name}.glb"), bytes).unwrap();
    }
}
