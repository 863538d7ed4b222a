//! `pose`: world matrices of a model's nodes at given times.

use serde_json::json;
use sinew::anim::{Clip, Pose};
use sinew::io::{Model, world_matrices};
use sinew::vm::{Instance, Registry};

use crate::args::PoseArgs;
use crate::character;
use crate::error::{CliError, Result};
use crate::files;

pub fn run(args: &PoseArgs) -> Result<u8> {
    let model = character::model(&args.model, args.scale)?;
    let clip = match &args.clip {
        Some(wanted) => Some(character::clip(&model, wanted, &args.model)?),
        None => None,
    };
    if let Some(bad) = args.at.iter().find(|t| !t.is_finite()) {
        return Err(CliError::Usage(format!("--at {bad}: a time is a finite number of seconds")));
    }
    let mut instance = match &args.rig {
        None => None,
        Some(rig) => {
            let program = files::program(rig, &Registry::standard())?;
            let names = character::name_map(&args.map)?;
            Some((Instance::new(&character::bind(program, rig, &model, &args.model, &names)?), rig))
        }
    };
    let mut samples = Vec::new();
    let mut last = args.at.first().copied().unwrap_or(0.0);
    for &t in &args.at {
        let mut pose = sample(&model, clip, t);
        if let Some((instance, rig)) = &mut instance {
            instance.set_pose(&pose.locals);
            instance.tick(t - last).map_err(|e| CliError::file(rig, e))?;
            last = t;
            let n = pose.locals.len();
            pose.locals.copy_from_slice(&instance.pose()[..n]);
        }
        samples.push((t, world_matrices(&model, &pose)));
    }
    if args.json {
        let samples: Vec<_> = samples.iter().map(|(t, world)| json!({"t": t, "world": world})).collect();
        println!("{}", json!({ "samples": samples }));
    } else {
        for (t, world) in &samples {
            println!("t = {t} s");
            for (joint, m) in model.skeleton.joints().iter().zip(world) {
                println!("  {:<32} {:>10.5} {:>10.5} {:>10.5}", joint.name, m[12], m[13], m[14]);
            }
        }
    }
    Ok(0)
}

fn sample(model: &Model, clip: Option<&Clip>, t: f32) -> Pose {
    let mut pose = Pose::rest(&model.skeleton);
    if let Some(clip) = clip {
        clip.sample(&model.skeleton, t, &mut pose);
    }
    pose
}
