use super::*;
use crate::anim::Pose;
use crate::io::world_matrices;

const SMALL: &str = "HIERARCHY\nROOT Hips\n{\n  OFFSET 0 1 0\n  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n  JOINT Leg\n  {\n    OFFSET 0 -0.5 0\n    CHANNELS 3 Yrotation Xrotation Zrotation\n    End Site\n    {\n      OFFSET 0 -0.4 0.1\n    }\n  }\n}\nMOTION\nFrames: 2\nFrame Time: 0.5\n1 2 3 30 40 50 10 20 30\n1 2 3 30 40 50 10 20 30\n";

fn load_text(text: &str) -> Result<Model, BvhError> {
    load_bytes(text.as_bytes(), "t", &Options::default())
}

/// Rotation matrix about an axis in double precision, rows first.
fn turn(axis: usize, degrees: f64) -> [[f64; 3]; 3] {
    let (s, c) = degrees.to_radians().sin_cos();
    match axis {
        0 => [[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]],
        1 => [[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]],
        _ => [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]],
    }
}

fn mul(a: [[f64; 3]; 3], b: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    core::array::from_fn(|r| core::array::from_fn(|c| (0..3).map(|k| a[r][k] * b[k][c]).sum()))
}

fn apply(m: [[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
    core::array::from_fn(|r| (0..3).map(|k| m[r][k] * v[k]).sum())
}

#[test]
fn rotations_apply_in_the_order_that_the_channels_line_lists() {
    let model = load_text(SMALL).unwrap();
    let mut pose = Pose::rest(&model.skeleton);
    model.clips[0].sample(&model.skeleton, 0.25, &mut pose);
    let world = world_matrices(&model, &pose);
    let hips = mul(mul(turn(2, 30.0), turn(0, 40.0)), turn(1, 50.0));
    let leg = mul(hips, mul(mul(turn(1, 10.0), turn(0, 20.0)), turn(2, 30.0)));
    let knee = apply(hips, [0.0, -0.5, 0.0]);
    let foot = apply(leg, [0.0, -0.4, 0.1]);
    for (axis, root) in [1.0, 2.0, 3.0].into_iter().enumerate() {
        let want = root + knee[axis] + foot[axis];
        assert!((f64::from(world[2][12 + axis]) - want).abs() < 1e-5, "axis {axis}");
    }
}

#[test]
fn white_space_of_any_kind_reads_the_same() {
    let model = load_text(SMALL).unwrap();
    let spellings = [
        SMALL.replace('\n', "\r\n"),
        SMALL.replace('\n', "\n\n\t"),
        format!("\u{feff}{}", SMALL.trim_end()),
        SMALL.replace("HIERARCHY", "hierarchy").replace("JOINT", "Joint"),
    ];
    for text in spellings {
        assert_eq!(load_text(&text).unwrap(), model);
    }
}

#[test]
fn numbers_in_every_spelling() {
    for (word, value) in
        [("1e-5", 1e-5), ("-1.25E+02", -125.0), (".5", 0.5), ("5.", 5.0), ("+3", 3.0), ("9.1e-06", 9.1e-6)]
    {
        assert_eq!(words::number(word.as_bytes()), Some(value), "{word}");
    }
    for word in ["nan", "inf", "-inf", "1e99", "0x10", "1,5", "", "--1", "infinity"] {
        assert_eq!(words::number(word.as_bytes()), None, "{word}");
    }
    let error = load_text(&SMALL.replacen("1 2 3 30", "1 nan 3 30", 1)).unwrap_err().to_string();
    assert!(error.starts_with("line 19:") && error.contains("nan"), "{error}");
}

#[test]
fn frames_that_do_not_match_their_count_are_told() {
    let more = load_text(&SMALL.replace("Frames: 2", "Frames: 1")).unwrap();
    assert!(more.warnings.iter().any(|w| w.contains("left out")), "{:?}", more.warnings);
    let fewer = load_text(&SMALL.replace("Frames: 2", "Frames: 3")).unwrap();
    assert!(fewer.warnings.iter().any(|w| w.contains("says 3") && w.contains("are 2")));
    assert_eq!(fewer.clips[0].duration(), 0.5);
    let none = load_text(&SMALL.replace("Frames: 2", "Frames: 0")).unwrap();
    assert!(none.clips.is_empty());
    let huge = load_text(&SMALL.replace("Frames: 2", "Frames: 18446744073709551615")).unwrap();
    assert_eq!(huge.clips[0].duration(), 0.5);
}

#[test]
fn joints_have_each_their_own_number_of_channels() {
    let joint = |n: usize, channels: &str| format!("JOINT j{n} {{ OFFSET 1 0 0 CHANNELS {channels}\n");
    let text = format!(
        "HIERARCHY ROOT r\n{{ OFFSET 0 0 0 CHANNELS 6 Xposition Yposition Zposition Xrotation Yrotation Zrotation {} {} {} {} }} }} }} }} }} MOTION Frames: 1 Frame Time: 0.1 {}",
        joint(1, "3 Zrotation Yrotation Xrotation"),
        joint(2, "1 Yrotation"),
        joint(3, "0"),
        joint(4, "6 Zposition Yposition Xposition Xrotation Yrotation Zrotation"),
        (1..=16).map(|i| i.to_string()).collect::<Vec<_>>().join(" ")
    );
    let model = load_text(&text).unwrap();
    let mut pose = Pose::rest(&model.skeleton);
    model.clips[0].sample(&model.skeleton, 0.0, &mut pose);
    let t = pose.locals[4].translation;
    // Columns 11, 12, 13 are z, y, x of the last joint.
    assert_eq!((t.x, t.y, t.z), (13.0, 12.0, 11.0));
    assert_eq!(pose.locals[3].translation.x, 1.0);
}

#[test]
fn a_spin_of_more_than_half_a_turn_between_frames_keeps_its_way() {
    let text = "HIERARCHY ROOT r\n{ OFFSET 0 0 0 CHANNELS 1 Zrotation } MOTION Frames: 2 Frame Time: 1 0 720";
    let model = load_text(text).unwrap();
    // 720° and 0° are the same turn: with nothing between they cannot be told apart.
    let text = text.replace("720", "200");
    let spun = load_text(&text).unwrap();
    let mut pose = Pose::rest(&spun.skeleton);
    let mut sum = 0.0;
    let mut before = crate::math::Quat::IDENTITY;
    for i in 1..=100 {
        spun.clips[0].sample(&spun.skeleton, i as f32 / 100.0, &mut pose);
        sum += crate::math::Quat::angle_between(before, pose.locals[0].rotation).to_degrees();
        before = pose.locals[0].rotation;
    }
    assert!((sum - 200.0).abs() < 1.0, "{sum}");
    drop(model);
}

#[test]
fn broken_files_say_where() {
    for (text, line, what) in [
        ("", 1, "HIERARCHY"),
        ("HIERARCHY\nMOTION", 2, "no ROOT"),
        ("HIERARCHY\nROOT a\n{\nMOTION", 4, "not closed"),
        ("HIERARCHY\nJOINT a\n{", 2, "outside"),
        ("HIERARCHY\n}\n", 2, "closes nothing"),
        ("HIERARCHY\nROOT a\n{\nOFFSET 1 2", 4, "file ends"),
        ("HIERARCHY\nROOT a\n{\nCHANNELS 7 X", 4, "at most 6"),
        ("HIERARCHY\nROOT a\n{\nCHANNELS 1 Wrotation", 4, "Wrotation"),
        ("HIERARCHY\nROOT a\n{\n}\nMOTION\nFrames: -1", 6, "whole number"),
        ("HIERARCHY\nROOT a\n{\n}\nMOTION\nFrames: 1\nFrame Time: 0", 7, "above 0"),
    ] {
        let error = load_text(text).unwrap_err().to_string();
        assert!(error.starts_with(&format!("line {line}:")) && error.contains(what), "{text:?}: {error}");
    }
}

#[test]
fn no_cut_and_no_changed_byte_makes_it_panic() {
    for end in 0..SMALL.len() {
        let _ = load_bytes(&SMALL.as_bytes()[..end], "t", &Options::default());
    }
    for i in 0..SMALL.len() {
        for b in [0u8, b' ', b'9', b'{', b'}', b'-', 0xFF] {
            let mut bytes = SMALL.as_bytes().to_vec();
            bytes[i] = b;
            let _ = load_bytes(&bytes, "t", &Options::default());
        }
    }
}

#[test]
fn a_hundred_thousand_nested_joints_are_no_recursion() {
    let n = 100_000;
    let text = format!(
        "HIERARCHY ROOT r\n{{ {} {} }} MOTION Frames: 0 Frame Time: 1",
        "JOINT j\n{ ".repeat(n),
        "} ".repeat(n)
    );
    assert_eq!(load_text(&text).unwrap().skeleton.len(), n + 1);
}

#[test]
fn captured_takes_load_and_feet_stay_where_capture_put_them() {
    let Some(folder) = crate::testing::shared("assets/bandai_bvh") else { return };
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|e| e == "bvh") {
            let model = load(&path, &Options { scale: 0.01, ..Options::default() }).unwrap();
            assert!(model.warnings.is_empty(), "{}: {:?}", path.display(), model.warnings);
            assert_eq!(model.skeleton.joints().iter().filter(|j| !j.name.ends_with("_end")).count(), 22);
            // Somebody of human size stands on the ground.
            let mut pose = Pose::rest(&model.skeleton);
            model.clips[0].sample(&model.skeleton, 0.0, &mut pose);
            let world = world_matrices(&model, &pose);
            let lowest = world.iter().map(|m| m[13]).fold(f32::INFINITY, f32::min);
            let highest = world.iter().map(|m| m[13]).fold(0.0, f32::max);
            assert!(lowest > -0.15 && lowest < 0.15 && (1.0..2.0).contains(&highest), "{lowest} {highest}");
            count += 1;
        }
    }
    assert_eq!(count, 10);
}
