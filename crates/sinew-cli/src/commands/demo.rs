//! `demo`: the sample humanoid walks up a slope and looks at a point.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use sinew::anim::{Clip, Pose};
use sinew::graph::Rig;
use sinew::io::gltf::ExportOptions;
use sinew::io::{Model, world_matrices};
use sinew::sequence::{Bake, Baked};
use sinew::vm::{BoundProgram, Instance, NameMap, Profile, Program, Registry};

use crate::error::{CliError, Result};
use crate::files;
use crate::report::{Moving, Plot, Report, Series};

const RIG: &str = "look_and_feet.json";
const CLIP: &str = "walk";
const FPS: f32 = 60.0;

pub fn run(out: &Path) -> Result<u8> {
    let sample = out.join("sample");
    println!("writing the sample characters to {}", sample.display());
    sinew_sample::write_all(&sample).map_err(|e| CliError::Usage(e.to_string()))?;
    let model_path = sample.join("humanoid.glb");
    let model = crate::character::model(&model_path, 1.0)?;
    let clip = crate::character::clip(&model, CLIP, &model_path)?.clone();
    let rig_path = sample.join(RIG);
    let registry = Registry::standard();
    let rig = files::rig(&rig_path)?;
    let timed = Timed::of(&rig, &model, &registry, &rig_path)?;
    let bake = Bake { skeleton: &model.skeleton, clip: Some(&clip), fps: FPS, duration: clip.duration() };
    let mut instance = Instance::new(&timed.bound);
    let look_at = instance.handle::<sinew::math::Vec3>("look_at").map(|h| instance.get(h)).ok();
    let slope = instance.handle::<sinew::math::Vec2>("slope").map(|h| instance.get(h)).ok();
    let bar = super::run::progress(bake.frames().unwrap_or(0) as u64, false);
    let mut instructions = 0;
    let baked = bake.run(&mut instance, |_, i| {
        bar.inc(1);
        instructions = i.executed();
    });
    bar.finish_and_clear();
    let baked = baked.map_err(|e| CliError::file(&rig_path, e))?;
    let plain = plain(&bake);
    let glb_path = out.join("walk_on_slope.glb");
    let written = baked.to_clip("walk_on_slope").map_err(|e| CliError::file(&glb_path, e))?;
    let glb = model.to_glb(&[written], ExportOptions::default()).map_err(|e| CliError::file(&glb_path, e))?;
    files::write(&glb_path, &glb)?;
    files::write(&out.join("look_and_feet.sinewprg"), timed.program.to_bytes())?;
    let report = report(&model, &clip, &baked, &plain, &timed, instructions, look_at, slope);
    let report_path = out.join("report.html");
    files::write(&report_path, report.html())?;
    println!("{}: {} frames of {} joints", glb_path.display(), baked.times.len(), model.skeleton.len());
    println!(
        "rig `{}`: {} nodes, {} instructions, {} words of registers ({} before sharing)",
        rig.name,
        rig.graphs.values().map(|g| g.nodes.len()).sum::<usize>(),
        timed.program.code.len(),
        timed.program.work_words,
        timed.program.map.work_unshared
    );
    println!(
        "compiled in {:.0} µs, loaded in {:.0} µs, instance started in {:.1} µs, a tick takes {:.2} µs ({instructions} instructions)",
        micros(timed.compile),
        micros(timed.load),
        micros(timed.start),
        micros(timed.tick)
    );
    println!("{}: open it in a browser", report_path.display());
    Ok(0)
}

fn micros(d: Duration) -> f64 {
    d.as_nanos() as f64 / 1000.0
}

/// The program, and how long things took: the least of several tries, as a machine does other
/// things too.
struct Timed {
    program: Arc<Program>,
    bound: Arc<BoundProgram>,
    compile: Duration,
    load: Duration,
    start: Duration,
    tick: Duration,
    profile: Profile,
}

impl Timed {
    fn of(rig: &Rig, model: &Model, registry: &Registry, path: &Path) -> Result<Self> {
        let compile = || Program::compile(rig, registry).map_err(|e| CliError::file(path, e));
        let program = Arc::new(compile()?);
        let bytes = program.to_bytes();
        let skeleton = model.skeleton.hierarchy().map_err(|e| CliError::file(path, e))?;
        let bound = BoundProgram::bind(Arc::clone(&program), registry, &skeleton, &NameMap::new());
        let bound = Arc::new(bound.map_err(|errors| {
            let list: Vec<_> = errors.iter().map(ToString::to_string).collect();
            CliError::file(path, list.join("\n"))
        })?);
        let mut instance = Instance::new(&bound);
        let rest = Pose::rest(&model.skeleton);
        let tick = least(200, || {
            instance.set_pose(&rest.locals);
            let _ = instance.tick(1.0 / FPS);
        });
        let mut profile = Profile::new(program.code.len());
        if let Some(event) = program.event("forward") {
            for _ in 0..200 {
                instance.set_pose(&rest.locals);
                let _ = instance.run_probed(event, 1.0 / FPS, &mut profile);
            }
        }
        Ok(Self {
            compile: least(20, || drop(compile())),
            load: least(20, || drop(Program::from_bytes(&bytes))),
            start: least(50, || drop(Instance::new(&bound))),
            tick,
            program,
            bound,
            profile,
        })
    }
}

fn least(tries: usize, mut work: impl FnMut()) -> Duration {
    let one = |_| {
        let start = Instant::now();
        work();
        start.elapsed()
    };
    (0..tries).map(one).min().unwrap_or_default()
}

/// The clip without the rig.
fn plain(bake: &Bake<'_>) -> Vec<Pose> {
    let mut pose = Pose::rest(bake.skeleton);
    let frames = bake.frames().unwrap_or(0);
    let sample = |frame| {
        if let Some(clip) = bake.clip {
            let t = bake.time(frame);
            let t = if t <= clip.duration() { t } else { sinew::anim::wrap_time(t, clip.duration()) };
            clip.sample(bake.skeleton, t, &mut pose);
        }
        pose.clone()
    };
    (0..frames).map(sample).collect()
}

/// Positions of all joints in every frame.
fn positions(model: &Model, poses: impl Iterator<Item = Pose>) -> Vec<Vec<[f32; 3]>> {
    poses.map(|p| world_matrices(model, &p).iter().map(|m| [m[12], m[13], m[14]]).collect()).collect()
}

#[allow(clippy::too_many_arguments)]
fn report(
    model: &Model,
    clip: &Clip,
    baked: &Baked,
    plain: &[Pose],
    timed: &Timed,
    instructions: u64,
    look_at: Option<sinew::math::Vec3>,
    slope: Option<sinew::math::Vec2>,
) -> Report {
    let mut report = Report::new("Sinew demo: a walk, a slope, a point to look at");
    report.text(&format!(
        "The clip `{}` of the generated humanoid ({} joints) runs through the rig `look_and_feet`: the spine bends, the hips go down, two-bone IK puts the feet on the slope, the head turns to the red point, a forearm swings after.",
        clip.name(),
        model.skeleton.len()
    ));
    let before = positions(model, plain.iter().cloned());
    let mut pose = Pose::rest(&model.skeleton);
    let after = positions(
        model,
        baked.poses.iter().map(|locals| {
            pose.locals.clone_from(locals);
            pose.clone()
        }),
    );
    let slope = slope.map_or([0.0, 0.0], |s| [s.x, s.y]);
    report.moving(&Moving {
        id: "walk",
        fps: FPS,
        parents: (0..model.skeleton.len())
            .map(|j| model.skeleton.parent(j).map_or(-1, |p| p as i32))
            .collect(),
        layers: vec![
            ("the clip".into(), "#c9c4b8", before.clone()),
            ("with the rig".into(), "#2b6cb0", after.clone()),
        ],
        slope,
        mark: look_at.map(|v| [v.x, v.y, v.z]),
    });
    report.heading("Feet and ground");
    let series = |name: &str, color, f: &dyn Fn(usize) -> f32| Series {
        name: name.to_string(),
        color,
        points: (0..baked.times.len()).map(|i| (baked.times[i], f(i))).collect(),
    };
    for (title, joint) in [("left foot", "foot_l"), ("right foot", "foot_r")] {
        let Some(j) = model.skeleton.find(joint) else { continue };
        let ground = |p: [f32; 3]| slope[0] * p[0] + slope[1] * p[2];
        report.plot(&Plot {
            title: format!("Height of the {title}"),
            unit: "m",
            series: vec![
                series("clip, over the plane", "#a09880", &|i| before[i][j][1]),
                series("rig, over the slope", "#2b6cb0", &|i| after[i][j][1] - ground(after[i][j])),
                series("the slope under it", "#c05621", &|i| ground(after[i][j])),
            ],
        });
    }
    if let Some(j) = model.skeleton.find("head") {
        report.heading("Head");
        report.plot(&Plot {
            title: "Height of the head".into(),
            unit: "m",
            series: vec![
                series("clip", "#a09880", &|i| before[i][j][1]),
                series("rig", "#2b6cb0", &|i| after[i][j][1]),
            ],
        });
    }
    report.heading("What it costs");
    report.table(
        &["", "µs"],
        &[
            vec!["compile the rig".into(), format!("{:.1}", micros(timed.compile))],
            vec!["load the compiled program".into(), format!("{:.1}", micros(timed.load))],
            vec!["start an instance".into(), format!("{:.2}", micros(timed.start))],
            vec![format!("one tick ({instructions} instructions)"), format!("{:.2}", micros(timed.tick))],
        ],
    );
    report.text("Measured while this report was made, the least of several tries. By node, with the clock's own cost taken off:");
    report.table(&["node", "ns a tick", "runs a tick"], &costs(timed));
    report.heading("The program");
    report.listing(&timed.program.disassemble());
    report
}

/// The dearest nodes.
fn costs(timed: &Timed) -> Vec<Vec<String>> {
    let program = &timed.program;
    let mut by_node = std::collections::BTreeMap::new();
    for (i, cost) in timed.profile.cost().iter().enumerate() {
        if let Some(node) = program.node_of(i) {
            let entry: &mut (u128, u64) = by_node.entry(node).or_default();
            entry.0 += cost.time.as_nanos();
            entry.1 = entry.1.max(cost.count);
        }
    }
    let mut rows: Vec<_> = by_node.into_iter().collect();
    rows.sort_by_key(|(_, (time, _))| std::cmp::Reverse(*time));
    let row = |(node, (time, count)): (&str, (u128, u64))| {
        vec![node.to_string(), format!("{:.0}", time as f64 / 200.0), format!("{:.1}", count as f64 / 200.0)]
    };
    rows.into_iter().take(15).map(row).collect()
}
