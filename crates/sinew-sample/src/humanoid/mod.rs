//! The humanoid: skeleton, skin and clips.

mod actions;
mod body;
mod gait;
mod mesh;
mod motion;
mod skeleton;

use sinew::math::{Transform, Vec3};

use crate::feet::{FootShape, Swing};
use crate::model::SampleModel;
use body::Body;
use gait::Gait;
use motion::Motion;

/// All motions, in the order of the clips.
fn motions(shapes: [FootShape; 2]) -> Vec<Motion> {
    vec![
        actions::idle(shapes),
        cycle("walk", &gait::WALK, gait::walk_swing(), gait::walk_body, shapes),
        cycle("run", &gait::RUN, gait::run_swing(), gait::run_body, shapes),
        actions::run_to_stop(shapes),
        actions::jump(shapes),
        actions::attack(shapes),
        actions::hit(shapes),
    ]
}

fn cycle(
    name: &'static str,
    gait: &'static Gait,
    swing: Swing,
    body: fn(f32) -> Body,
    shapes: [FootShape; 2],
) -> Motion {
    Motion {
        name,
        duration: gait.period,
        looping: true,
        root: Box::new(|t| Transform::from_translation(Vec3::new(0.0, 0.0, gait.speed * t))),
        body: Box::new(move |t| body(t / gait.period)),
        feet: [gait.path(shapes[0], false, swing.clone()), gait.path(shapes[1], true, swing)],
    }
}

/// The humanoid, all clips baked.
pub fn humanoid() -> SampleModel {
    let (builder, bones) = skeleton::build();
    let shapes = bones.legs.map(|leg| skeleton::foot_shape(&builder, &leg));
    let clips = motions(shapes).iter().map(|m| m.bake(&builder, &bones)).collect();
    SampleModel {
        name: "humanoid",
        meshes: vec![mesh::build(&builder, &bones)],
        contact_points: skeleton::contact_points(&builder, &bones),
        joints: builder.joints,
        clips,
    }
}
