//! The humanoid: skeleton, skin and clips.

mod actions;
mod body;
mod gait;
mod mesh;
mod motion;
mod skeleton;

use sinew::math::{Transform, Vec3};

use crate::model::SampleModel;
use motion::Motion;

/// The humanoid, all clips baked.
pub fn humanoid() -> SampleModel {
    let (builder, bones) = skeleton::build();
    let shapes = [0, 1].map(|i| skeleton::foot_shape(&builder, &bones.legs[i]));
    let gait = |name: &'static str,
                g: &'static gait::Gait,
                swing: fn() -> crate::feet::Swing,
                body: fn(f32) -> body::Body| Motion {
        name,
        duration: g.period,
        looping: true,
        root: Box::new(|t| Transform::from_translation(Vec3::new(0.0, 0.0, g.speed * t))),
        body: Box::new(move |t| body(t / g.period)),
        feet: [g.path(shapes[0], false, swing()), g.path(shapes[1], true, swing())],
    };
    let motions = [
        actions::idle(shapes),
        gait("walk", &gait::WALK, gait::walk_swing, gait::walk_body),
        gait("run", &gait::RUN, gait::run_swing, gait::run_body),
        actions::run_to_stop(shapes),
        actions::jump(shapes),
        actions::attack(shapes),
        actions::hit(shapes),
    ];
    let clips = motions.iter().map(|m| m.bake(&builder, &bones).0).collect();
    SampleModel {
        name: "humanoid",
        meshes: vec![mesh::build(&builder, &bones)],
        contact_points: skeleton::contact_points(&builder, &bones),
        joints: builder.joints,
        clips,
    }
}
