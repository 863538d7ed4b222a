//! `run`: a rig over a clip, frame by frame.

use std::fmt::Write as _;
use std::io::IsTerminal;
use std::path::Path;

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use sinew::anim::{Clip, Pose};
use sinew::io::gltf::ExportOptions;
use sinew::io::{Model, world_matrices};
use sinew::sequence::{Bake, Baked};
use sinew::vm::{FindNan, Instance, Registry, Severity};

use crate::args::RunArgs;
use crate::character;
use crate::error::{CliError, Result};
use crate::files;

pub fn run(args: &RunArgs) -> Result<u8> {
    let ending = args.out.extension().and_then(|e| e.to_str()).unwrap_or_default().to_lowercase();
    if !matches!(ending.as_str(), "glb" | "csv" | "json") {
        return Err(CliError::file(&args.out, "the result is written as .glb, .csv or .json"));
    }
    let program = files::program(&args.rig, &Registry::standard())?;
    let model = character::model(&args.model, args.scale)?;
    let clip = pick_clip(args, &model)?;
    let names = character::name_map(&args.map)?;
    let bound = character::bind(program, &args.rig, &model, &args.model, &names)?;
    let mut instance = Instance::new(&bound);
    if let Some(budget) = args.budget {
        instance.set_budget(budget);
    }
    for pair in &args.set {
        character::set_input(&mut instance, pair)?;
    }
    let duration = args.duration.or(clip.as_ref().map(Clip::duration)).unwrap_or(1.0);
    let bake = Bake { skeleton: &model.skeleton, clip: clip.as_ref(), fps: args.fps, duration };
    let frames = bake.frames().map_err(|e| CliError::Usage(e.to_string()))?;
    if args.find_nan {
        return find_nan(&mut instance, &bake, frames);
    }
    let bar = progress(frames as u64, args.json);
    let mut said: Vec<String> = Vec::new();
    let baked = bake.run(&mut instance, |frame, instance| {
        bar.inc(1);
        collect_messages(frame, instance, &mut said);
    });
    bar.finish_and_clear();
    let baked = baked.map_err(|e| CliError::file(&args.rig, e))?;
    for line in said.iter().take(20) {
        eprintln!("{line}");
    }
    if said.len() > 20 {
        eprintln!("… and {} more messages", said.len() - 20);
    }
    let bytes = match ending.as_str() {
        "glb" => glb(&model, &baked, clip.as_ref(), &args.out)?,
        "csv" => csv(&model, &baked).into_bytes(),
        _ => poses_json(&model, &baked).into_bytes(),
    };
    files::write(&args.out, &bytes)?;
    if args.json {
        println!(
            "{}",
            json!({"out": args.out, "frames": baked.times.len(), "seconds": duration, "joints": model.skeleton.len(),
            "instructions": instance.executed(), "bytes": bytes.len()})
        );
    } else {
        println!(
            "{}: {} frames ({duration:.2} s) of {} joints, {} instructions a frame, {} bytes",
            args.out.display(),
            baked.times.len(),
            model.skeleton.len(),
            instance.executed(),
            bytes.len()
        );
    }
    Ok(0)
}

fn pick_clip(args: &RunArgs, model: &Model) -> Result<Option<Clip>> {
    let Some(wanted) = &args.clip else { return Ok(None) };
    let Some(path) = &args.clips else {
        return character::clip(model, wanted, &args.model).map(|c| Some(c.clone()));
    };
    let other = character::model(path, args.scale)?;
    let clip = character::clip(&other, wanted, path)?;
    let taken = clip.retargeted(&other.skeleton, &model.skeleton).map_err(|e| CliError::file(path, e))?;
    if taken.clip.tracks().is_empty() {
        return Err(CliError::file(path, "none of its joints is on the model; the names must be the same"));
    }
    if !taken.missing.is_empty() {
        eprintln!("{}: the model has no joint {}", path.display(), taken.missing.join(", "));
    }
    Ok(Some(taken.clip))
}

/// A bar where a person looks on.
pub fn progress(length: u64, quiet: bool) -> ProgressBar {
    if quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} frames {eta}");
    ProgressBar::new(length).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn collect_messages(frame: usize, instance: &Instance, said: &mut Vec<String>) {
    let program = instance.bound().program();
    for entry in instance.frame().log.entries() {
        let level = match entry.severity {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        let node = program.node_of(entry.at as usize).unwrap_or("?");
        let mut line = format!("frame {frame}: {level}: {node}: {}", program.string(entry.text.0));
        let _ = write!(line, "{} {}", entry.note, entry.value);
        said.push(line);
    }
}

fn glb(model: &Model, baked: &Baked, clip: Option<&Clip>, out: &Path) -> Result<Vec<u8>> {
    let name = clip.map_or("baked", Clip::name);
    let clip = baked.to_clip(name).map_err(|e| CliError::file(out, e))?;
    model.to_glb(&[clip], ExportOptions::default()).map_err(|e| CliError::file(out, e))
}

/// A row a frame and joint: locals as the rig left them.
fn csv(model: &Model, baked: &Baked) -> String {
    let mut text = String::from("frame,time,joint,tx,ty,tz,qx,qy,qz,qw,sx,sy,sz\n");
    for (frame, (time, pose)) in baked.times.iter().zip(&baked.poses).enumerate() {
        for (joint, local) in model.skeleton.joints().iter().zip(pose) {
            let (t, r, s) = (local.translation, local.rotation, local.scale);
            let name = joint.name.replace('"', "\"\"");
            let _ = writeln!(
                text,
                "{frame},{time},\"{name}\",{},{},{},{},{},{},{},{},{},{}",
                t.x, t.y, t.z, r.x, r.y, r.z, r.w, s.x, s.y, s.z
            );
        }
    }
    text
}

/// World matrices and locals for every frame.
fn poses_json(model: &Model, baked: &Baked) -> String {
    let mut pose = Pose::rest(&model.skeleton);
    let frames: Vec<_> = baked
        .times
        .iter()
        .zip(&baked.poses)
        .map(|(t, locals)| {
            pose.locals.clone_from(locals);
            let flat = |l: &sinew::math::Transform| {
                let (t, r, s) = (l.translation, l.rotation, l.scale);
                [t.x, t.y, t.z, r.x, r.y, r.z, r.w, s.x, s.y, s.z]
            };
            json!({"t": t, "local": locals.iter().map(flat).collect::<Vec<_>>(), "world": world_matrices(model, &pose)})
        })
        .collect();
    let joints: Vec<_> = model.skeleton.joints().iter().map(|j| &j.name).collect();
    json!({"joints": joints, "frames": frames}).to_string()
}

fn find_nan(instance: &mut Instance, bake: &Bake<'_>, frames: usize) -> Result<u8> {
    let bound = std::sync::Arc::clone(instance.bound());
    let Some(event) = bound.program().event("forward") else {
        println!("the rig has no event `forward`");
        return Ok(0);
    };
    let mut pose = Pose::rest(bake.skeleton);
    let mut last = 0.0;
    for frame in 0..frames {
        let time = bake.time(frame);
        if let Some(clip) = bake.clip {
            clip.sample(bake.skeleton, time, &mut pose);
        }
        instance.set_pose(&pose.locals);
        let mut probe = FindNan::new(&bound);
        instance.run_probed(event, time - last, &mut probe).map_err(|e| CliError::Usage(e.to_string()))?;
        last = time;
        if let Some(found) = probe.found() {
            let node = bound.program().node_of(found.instruction as usize).unwrap_or("?");
            println!(
                "frame {frame} at {time} s: node {node} (instruction {}) is the first to make a NaN, at pin {}",
                found.instruction, found.pin
            );
            return Ok(1);
        }
    }
    println!("no node made a NaN in {frames} frames");
    Ok(0)
}
