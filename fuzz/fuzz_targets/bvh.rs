//! Any bytes as BVH; what loads is sampled and written as glTF.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew::anim::Pose;
use sinew::io::bvh::{Options, load_bytes};
use sinew::io::gltf::ExportOptions;

fuzz_target!(|data: &[u8]| {
    let Ok(model) = load_bytes(data, "fuzz", &Options::default()) else { return };
    let mut pose = Pose::rest(&model.skeleton);
    if let Some(clip) = model.clips.first() {
        clip.sample(&model.skeleton, clip.duration() * 0.3, &mut pose);
    }
    if let Ok(bytes) = model.to_glb(&model.clips, ExportOptions::default()) {
        sinew::io::gltf::load_bytes(&bytes, None).expect("what was written can be read");
    }
});
