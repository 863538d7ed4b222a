//! Poses of real files against the matrices that another loader gives, with and without an empty
//! rig in between. Skipped, and said so, where the files are not there.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use sinew::anim::Pose;
use sinew::graph::Rig;
use sinew::io::{Model, gltf, world_matrices};
use sinew::vm::{BoundProgram, Instance, NameMap, Program, Registry};

fn shared() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let found = std::env::var_os("SINEW_ASSETS").map_or(beside, PathBuf::from);
    if found.join("oracle").is_dir() {
        return Some(found);
    }
    println!("skipped: no `oracle` folder in {} (set SINEW_ASSETS)", found.display());
    None
}

fn find(folder: &Path, name: &str) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder).ok()?.flatten();
    let mut below = Vec::new();
    for entry in entries {
        let path = entry.path();
        if path.is_dir() {
            below.push(path);
        } else if entry.file_name() == name {
            return Some(path);
        }
    }
    below.iter().find_map(|b| find(b, name))
}

/// An instance of a rig that does nothing.
fn empty_rig(model: &Model) -> Instance {
    let rig =
        Rig::parse(br#"{"sinew": 1, "name": "empty", "graphs": {"forward": {"event": true, "nodes": {}}}}"#);
    let program = Program::compile(&rig.unwrap(), &Registry::standard()).unwrap();
    let skeleton = model.skeleton.hierarchy().unwrap();
    let bound = BoundProgram::bind(Arc::new(program), &Registry::standard(), &skeleton, &NameMap::new());
    Instance::new(&Arc::new(bound.unwrap()))
}

#[test]
fn every_file_of_the_oracle_is_met_within_its_tolerance() {
    let Some(shared) = shared() else { return };
    let mut files = 0;
    for entry in std::fs::read_dir(shared.join("oracle")).unwrap().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some(file) = name.strip_suffix(".world.json") else { continue };
        let path = find(&shared.join("assets"), file).unwrap_or_else(|| panic!("no {file}"));
        let model = gltf::load(&path).unwrap_or_else(|e| panic!("{e}"));
        let want: serde_json::Value = serde_json::from_slice(&std::fs::read(entry.path()).unwrap()).unwrap();
        let (worst, size) = compare(&model, &want);
        // 1e-5 of the model's size; its size is that of its largest coordinate. The quaternions
        // of SimpleSkin are written with three decimals.
        let tolerance = if file == "SimpleSkin.gltf" { 2e-4 } else { 1e-5 } * size.max(1.0);
        println!("{file}: largest difference {worst:e}, allowed {tolerance:e}");
        assert!(worst <= f64::from(tolerance), "{file}: {worst}");
        files += 1;
    }
    assert_eq!(files, 7);
}

/// Largest difference of any matrix entry, and the size of the model.
fn compare(model: &Model, want: &serde_json::Value) -> (f64, f32) {
    let mut instance = empty_rig(model);
    let (mut worst, mut size, mut matrices) = (0.0f64, 0.0f32, 0);
    for clip in want["clips"].as_array().unwrap() {
        let index = clip["index"].as_u64().unwrap() as usize;
        for sample in clip["samples"].as_array().unwrap() {
            let t = sample["t"].as_f64().unwrap() as f32;
            let mut pose = Pose::rest(&model.skeleton);
            model.clips[index].sample(&model.skeleton, t, &mut pose);
            let direct = world_matrices(model, &pose);
            instance.set_pose(&pose.locals);
            instance.tick(1.0 / 30.0).unwrap();
            pose.locals.copy_from_slice(&instance.pose()[..model.skeleton.len()]);
            assert_eq!(world_matrices(model, &pose), direct, "an empty rig changes nothing");
            let world = sample["world"].as_array().unwrap();
            assert_eq!(world.len(), direct.len());
            for (want, got) in world.iter().zip(&direct) {
                for (want, got) in want.as_array().unwrap().iter().zip(got) {
                    let want = want.as_f64().unwrap();
                    worst = worst.max((want - f64::from(*got)).abs());
                    size = size.max(got.abs());
                }
                matrices += 1;
            }
        }
    }
    assert!(matrices > 0);
    (worst, size)
}
