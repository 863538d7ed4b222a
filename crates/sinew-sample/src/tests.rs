use sinew::math::Vec3;

use super::*;

fn models() -> Vec<SampleModel> {
    vec![humanoid(), quadruped(), robot_arm()]
}

#[test]
fn joints_have_unique_names_and_parents_first() {
    for model in models() {
        let mut names: Vec<&str> = model.joints.iter().map(|j| j.name.as_str()).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|w| w[0] != w[1]), "{}: a name stands twice", model.name);
        for (i, joint) in model.joints.iter().enumerate() {
            assert_eq!(joint.parent.is_none(), i == 0);
            assert!(joint.parent.is_none_or(|p| p < i));
        }
    }
}

#[test]
fn all_rotations_are_unit_and_all_values_finite() {
    for model in models() {
        let rest = [model.rest()];
        for locals in model.clips.iter().flat_map(|c| &c.frames).chain(&rest) {
            assert_eq!(locals.len(), model.joints.len());
            for l in locals {
                assert!(l.is_finite());
                assert!((l.rotation.dot(l.rotation) - 1.0).abs() < 1e-5);
            }
        }
    }
}

#[test]
fn skins_are_whole() {
    for model in models() {
        for mesh in &model.meshes {
            assert!(mesh.vertices.len() < 65536);
            for v in &mesh.vertices {
                assert!((v.weights.iter().sum::<f32>() - 1.0).abs() < 1e-5);
                assert!((v.normal.length() - 1.0).abs() < 1e-4);
                assert!(v.joints.iter().all(|&j| usize::from(j) < model.joints.len()));
            }
            // Every tube is closed: its signed volume is positive when triangles face outward.
            let p = |i: u32| mesh.vertices[i as usize].position;
            let triangles = mesh.parts.iter().flat_map(|p| p.indices.chunks_exact(3));
            let volume: f32 = triangles.map(|t| p(t[0]).dot(p(t[1]).cross(p(t[2]))) / 6.0).sum();
            assert!(volume > 0.0, "{}: {volume}", mesh.name);
        }
    }
}

/// World place of a contact point at a time, sampled between frames as a player does.
fn contact_place(model: &SampleModel, clip: &SampleClip, contact: &Contact, t: f32) -> Vec3 {
    let point = &model.contact_points[contact.point];
    model.globals(&clip.sample(t))[point.joint].transform_point(point.offset)
}

#[test]
fn planted_feet_stay_within_five_millimetres() {
    let mut bad = Vec::new();
    for model in models() {
        for clip in &model.clips {
            for contact in &clip.contacts {
                let at = |u: f32| {
                    contact_place(&model, clip, contact, contact.start + (contact.end - contact.start) * u)
                };
                let middle = at(0.5);
                let far = |p: Vec3| sinew::math::max(p.distance(middle), p.y.abs());
                let worst = (0..=200).map(|i| far(at(i as f32 / 200.0))).fold(0.0, sinew::math::max);
                if worst > 0.005 {
                    let name = model.contact_points[contact.point].name;
                    bad.push(format!("{} {} {name} strays {worst} m in {contact:?}", model.name, clip.name));
                }
            }
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn feet_stay_above_the_ground() {
    for model in models() {
        for clip in &model.clips {
            for locals in &clip.frames {
                let globals = model.globals(locals);
                for point in &model.contact_points {
                    let y = globals[point.joint].transform_point(point.offset).y;
                    assert!(y > -0.006, "{} {} {}: {y}", model.name, clip.name, point.name);
                }
            }
        }
    }
}

#[test]
fn loops_close_apart_from_the_root() {
    for model in models() {
        for clip in model.clips.iter().filter(|c| c.looping) {
            let (first, last) = (&clip.frames[0], &clip.frames[clip.frames.len() - 1]);
            for (j, (a, b)) in first.iter().zip(last).enumerate().skip(1) {
                let name = &model.joints[j].name;
                assert!(a.translation.distance(b.translation) < 1e-4, "{} {name}", clip.name);
                assert!(a.rotation.dot(b.rotation).abs() > 0.999_999, "{} {name}", clip.name);
            }
        }
    }
}

#[test]
fn poses_change_smoothly() {
    let mut bad = Vec::new();
    for model in models() {
        for clip in &model.clips {
            // Take-off, landing and a gallop turn the legs hardest.
            let limit = match (model.name, clip.name) {
                ("quadruped", "run") => 0.5,
                (_, "jump") => 0.35,
                _ => 0.21,
            };
            for pair in clip.frames.windows(3) {
                for (j, joint) in model.joints.iter().enumerate() {
                    // Change of the turn from one frame to the next, and how that changes: no joint
                    // may jump. 0.6 rad in a frame is 36 rad/s.
                    let step = |a: usize, b: usize| pair[a][j].rotation.conjugate() * pair[b][j].rotation;
                    let (one, two) = (step(0, 1), step(1, 2));
                    let angle = 2.0 * Vec3::new(one.x, one.y, one.z).length();
                    let bend = 2.0 * Vec3::new(two.x - one.x, two.y - one.y, two.z - one.z).length();
                    let name = &joint.name;
                    if angle > 0.6 || bend > limit {
                        bad.push(format!("{} {} {name}: {angle} {bend}", model.name, clip.name));
                    }
                }
            }
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn gaits_travel_by_their_stride() {
    let model = humanoid();
    for (name, metres) in [("idle", 0.0), ("walk", 1.3), ("run", 2.52)] {
        let clip = model.clip(name).unwrap();
        let way = clip.displacement();
        assert!((way.translation.z - metres).abs() < 1e-4, "{name}: {way:?}");
        assert!(way.translation.x.abs() < 1e-4);
    }
}

#[test]
fn the_humanoid_is_as_promised() {
    let model = humanoid();
    assert_eq!(model.joints.len(), 67);
    let names: Vec<&str> = model.clips.iter().map(|c| c.name).collect();
    assert_eq!(names, ["idle", "walk", "run", "run_to_stop", "jump", "attack", "hit"]);
    let top = model.meshes[0].vertices.iter().map(|v| v.position.y).fold(0.0f32, f32::max);
    assert!((top - 1.75).abs() < 0.005, "{top}");
    let triangles: usize = model.meshes[0].parts.iter().map(|p| p.indices.len() / 3).sum();
    assert!((3000..=8600).contains(&triangles), "{triangles}");
    for clip in &model.clips {
        for name in ["thigh_l", "calf_r", "upperarm_l", "hand_r"] {
            assert!(model.find(name).is_some(), "{name} in {}", clip.name);
        }
    }
}

#[test]
fn actions_join_idle_and_run() {
    let model = humanoid();
    let frame = |clip: &str, last: bool| {
        let f = &model.clip(clip).unwrap().frames;
        f[if last { f.len() - 1 } else { 0 }].clone()
    };
    let same = |a: &[sinew::math::Transform], b: &[sinew::math::Transform], what: &str| {
        for (j, (a, b)) in a.iter().zip(b).enumerate().skip(1) {
            assert!(a.rotation.dot(b.rotation).abs() > 0.99999, "{what}: {}", model.joints[j].name);
            assert!(a.translation.distance(b.translation) < 1e-3, "{what}: {}", model.joints[j].name);
        }
    };
    let idle = frame("idle", false);
    for clip in ["jump", "attack", "hit"] {
        same(&frame(clip, false), &idle, clip);
        same(&frame(clip, true), &idle, clip);
    }
    same(&frame("run_to_stop", false), &frame("run", false), "run to stop");
    same(&frame("run_to_stop", true), &idle, "stop to idle");
}

#[test]
fn files_are_the_same_bytes_each_time() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (folder.path().join("a"), folder.path().join("b"));
    let (one, two) = (write_all(&a).unwrap(), write_all(&b).unwrap());
    assert_eq!(one.len(), two.len());
    for (x, y) in one.iter().zip(&two) {
        assert_eq!(std::fs::read(x).unwrap(), std::fs::read(y).unwrap());
    }
}

#[test]
fn the_reader_finds_what_was_written() {
    for model in models() {
        let read = sinew::io::gltf::load_bytes(&to_glb(&model), None).unwrap();
        let skeleton = model.skeleton().unwrap();
        assert_eq!(skeleton.len(), model.joints.len());
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
        for (i, joint) in skeleton.joints().iter().enumerate() {
            // The reader may normalize a rotation once more.
            let found = read.skeleton.joint(i).unwrap();
            assert_eq!((&found.name, found.parent), (&joint.name, joint.parent));
            assert_eq!(found.rest.translation, joint.rest.translation);
            assert!(found.rest.rotation.dot(joint.rest.rotation) > 0.999_999);
        }
        assert_eq!(read.clips, model.anim_clips().unwrap());
        for (clip, sample) in read.clips.iter().zip(&model.clips) {
            assert!((clip.duration() - sample.duration()).abs() < 1e-5);
            let mut pose = sinew::anim::Pose::rest(&read.skeleton);
            let t = 0.37 * sample.duration();
            clip.sample(&read.skeleton, t, &mut pose);
            for (a, b) in pose.locals.iter().zip(sample.sample(t)) {
                assert!(a.translation.distance(b.translation) < 1e-4);
                assert!(a.rotation.dot(b.rotation).abs() > 0.999_99);
            }
        }
    }
}
