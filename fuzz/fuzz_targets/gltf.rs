//! Any bytes as GLB or glTF; what loads is sampled, posed and written again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew::anim::Pose;
use sinew::io::gltf::{ExportOptions, load_bytes};
use sinew::io::world_matrices;

fuzz_target!(|data: &[u8]| {
    let Ok(model) = load_bytes(data, None) else { return };
    let mut pose = Pose::rest(&model.skeleton);
    for clip in model.clips.iter().take(4) {
        for t in [-1.0, 0.0, clip.duration() * 0.5, clip.duration(), f32::NAN] {
            clip.sample(&model.skeleton, t, &mut pose);
        }
    }
    let _ = world_matrices(&model, &pose);
    let _ = model.skeleton.hierarchy();
    if let Ok(bytes) = model.to_glb(&model.clips, ExportOptions::default()) {
        let _ = load_bytes(&bytes, None);
    }
});
