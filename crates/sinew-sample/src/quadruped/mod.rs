//! The quadruped: a fox's skeleton, skin and clips.

mod mesh;
mod motion;
mod skeleton;

use crate::model::SampleModel;

/// The quadruped, all clips baked.
pub fn quadruped() -> SampleModel {
    let (builder, bones) = skeleton::build();
    let shapes = bones.legs.map(|leg| skeleton::foot_shape(&builder, &leg));
    let clips = motion::motions(shapes).iter().map(|m| m.bake(&builder, &bones)).collect();
    SampleModel {
        name: "quadruped",
        meshes: vec![mesh::build(&builder, &bones)],
        contact_points: skeleton::contact_points(&builder, &bones),
        joints: builder.joints,
        clips,
    }
}
