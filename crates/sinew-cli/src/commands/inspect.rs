//! `inspect`: what a model file holds.

use std::path::Path;

use serde_json::json;

use crate::character;
use crate::error::Result;

pub fn run(path: &Path, scale: f32, json: bool) -> Result<u8> {
    let model = character::model(path, scale)?;
    let skeleton = &model.skeleton;
    if json {
        let joints: Vec<_> = skeleton
            .joints()
            .iter()
            .map(|j| {
                let (t, r, s) = (j.rest.translation, j.rest.rotation, j.rest.scale);
                json!({"name": j.name, "parent": j.parent, "translation": [t.x, t.y, t.z],
                       "rotation": [r.x, r.y, r.z, r.w], "scale": [s.x, s.y, s.z]})
            })
            .collect();
        let clips: Vec<_> = model
            .clips
            .iter()
            .map(|c| {
                json!({"name": c.name(), "duration": c.duration(), "tracks": c.tracks().len(),
                            "keys": c.tracks().iter().map(|t| t.times().len()).sum::<usize>()})
            })
            .collect();
        let skins: Vec<_> = model.skins.iter().map(|s| json!({"name": s.name, "joints": s.joints})).collect();
        let meshes: Vec<_> = model
            .meshes
            .iter()
            .map(|m| {
                json!({"name": m.name, "morph_targets": m.morph_targets,
                            "vertices": m.primitives.iter().map(|p| p.vertices).sum::<u64>()})
            })
            .collect();
        let all = json!({"joints": joints, "clips": clips, "skins": skins, "meshes": meshes,
                         "warnings": model.warnings});
        println!("{}", serde_json::to_string_pretty(&all).unwrap_or_default());
        return Ok(0);
    }
    println!(
        "{}: {} joints, {} skins, {} meshes, {} clips",
        path.display(),
        skeleton.len(),
        model.skins.len(),
        model.meshes.len(),
        model.clips.len()
    );
    let mut depth = vec![0usize; skeleton.len()];
    for &joint in skeleton.order() {
        if let Some(parent) = skeleton.parent(joint) {
            depth[joint] = depth[parent] + 1;
        }
    }
    println!("\njoints (index, name):");
    for &joint in &tree_order(&model) {
        let name = skeleton.joint(joint).map_or("", |j| j.name.as_str());
        let skinned = model.skins.iter().any(|s| s.joints.contains(&joint));
        println!(
            "  {joint:>4}  {}{name}{}",
            "  ".repeat(depth[joint].min(40)),
            if skinned { "" } else { "  (no skin)" }
        );
    }
    println!("\nclips (index, name, seconds, tracks):");
    for (i, clip) in model.clips.iter().enumerate() {
        println!("  {i:>4}  {:<40} {:>8.3} s  {} tracks", clip.name(), clip.duration(), clip.tracks().len());
    }
    for mesh in &model.meshes {
        let vertices: u64 = mesh.primitives.iter().map(|p| p.vertices).sum();
        println!(
            "\nmesh `{}`: {} parts, {vertices} vertices, {} morph targets",
            mesh.name,
            mesh.primitives.len(),
            mesh.morph_targets
        );
    }
    Ok(0)
}

/// Joints with what hangs on each right below it.
fn tree_order(model: &sinew::io::Model) -> Vec<usize> {
    let skeleton = &model.skeleton;
    let mut children = vec![Vec::new(); skeleton.len()];
    let mut stack = Vec::new();
    for joint in (0..skeleton.len()).rev() {
        match skeleton.parent(joint) {
            Some(parent) => children[parent].push(joint),
            None => stack.push(joint),
        }
    }
    let mut out = Vec::with_capacity(skeleton.len());
    while let Some(joint) = stack.pop() {
        out.push(joint);
        stack.extend(&children[joint]);
    }
    out
}
