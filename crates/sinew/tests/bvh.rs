//! BVH in: rotation orders against matrices in double precision, odd and hostile files, and real
//! takes through glTF and back.

#[path = "common/gltf.rs"]
mod gltf;

use std::path::PathBuf;

use gltf::{difference, pose};
use sinew::io::bvh::{BvhError, Options, load, load_bytes};
use sinew::io::gltf::ExportOptions;
use sinew::io::{Model, world_matrices};

fn read(text: &str) -> Result<Model, BvhError> {
    load_bytes(text.as_bytes(), "take", &Options::default())
}

fn model(text: &str) -> Model {
    read(text).unwrap_or_else(|e| panic!("{e}"))
}

/// Line and message of a file that must be refused.
fn refusal(text: &str, options: &Options) -> (usize, String) {
    match load_bytes(text.as_bytes(), "take", options) {
        Err(BvhError::Line { line, what }) => (line, what),
        other => panic!("{other:?}"),
    }
}

/// One joint with these channels and rows, one a second.
fn one_joint(channels: &str, rows: &[&str]) -> String {
    format!(
        "HIERARCHY\nROOT r\n{{\nOFFSET 1 2 3\nCHANNELS {channels}\n}}\nMOTION\nFrames: {}\nFrame Time: 1\n{}\n",
        rows.len(),
        rows.join("\n")
    )
}

type M = [[f64; 3]; 3];

fn turn(axis: char, degrees: f64) -> M {
    let (s, c) = degrees.to_radians().sin_cos();
    match axis {
        'X' => [[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]],
        'Y' => [[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]],
        _ => [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]],
    }
}

fn mul(a: M, b: M) -> M {
    std::array::from_fn(|r| std::array::from_fn(|c| (0..3).map(|k| a[r][k] * b[k][c]).sum()))
}

#[test]
fn every_order_of_channels_turns_as_listed() {
    let angles = [30.0, 40.0, 50.0];
    // All orders of three axes, the same axis twice, and single axes.
    for order in ["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", "ZXZ", "YXY", "X", "ZY"] {
        let names: Vec<String> = order.chars().map(|a| format!("{a}rotation")).collect();
        let row: Vec<String> = angles.iter().take(order.len()).map(f64::to_string).collect();
        let text = one_joint(&format!("{} {}", order.len(), names.join(" ")), &[&row.join(" ")]);
        let model = model(&text);
        let world = world_matrices(&model, &pose(&model, 0, 0.0))[0];
        let unit = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let want = order.chars().zip(angles).fold(unit, |m, (axis, angle)| mul(m, turn(axis, angle)));
        for (r, row) in want.iter().enumerate() {
            for (c, want) in row.iter().enumerate() {
                // 0.01° is 1.7e-4 of a unit vector.
                assert!((f64::from(world[c * 4 + r]) - want).abs() < 1e-6, "{order}");
            }
        }
        assert_eq!(world[12..15], [1.0, 2.0, 3.0], "{order}");
    }
}

#[test]
fn a_position_channel_replaces_the_offset_on_its_axis_in_any_order() {
    let text = one_joint("4 Zposition Yrotation Xposition Zrotation", &["30 0 10 0", "31 0 11 0"]);
    let model = model(&text);
    let at = |t| pose(&model, 0, t).locals[0].translation;
    assert_eq!((at(0.0).x, at(0.0).y, at(0.0).z), (10.0, 2.0, 30.0));
    assert_eq!((at(0.5).x, at(0.5).y, at(0.5).z), (10.5, 2.0, 30.5));
    // The scale is of lengths, not of angles.
    let small = Options { scale: 0.01, ..Options::default() };
    let scaled = load_bytes(text.as_bytes(), "take", &small).unwrap();
    let local = pose(&scaled, 0, 1.0).locals[0];
    assert!((local.translation.x - 0.11).abs() < 1e-8 && (local.translation.y - 0.02).abs() < 1e-8);
    assert_eq!(local.rotation, pose(&model, 0, 1.0).locals[0].rotation);
    // A channel that says what the offset says is the rest position, to the bit.
    let odd =
        "HIERARCHY ROOT r\n{ OFFSET 0.1 0.7 1.3 CHANNELS 1 Xposition } MOTION Frames: 1 Frame Time: 1 0.1";
    let odd = load_bytes(odd.as_bytes(), "take", &small).unwrap();
    assert_eq!(pose(&odd, 0, 0.0).locals[0], odd.skeleton.joints()[0].rest);
}

#[test]
fn every_spelling_of_a_number_is_read() {
    let text = one_joint(
        "6 Xposition Yposition Zposition Xrotation Yrotation Zrotation",
        &["1e-5 -1.25E+02 .5 5. +3 9.1e-06"],
    );
    let t = pose(&model(&text), 0, 0.0).locals[0].translation;
    assert_eq!((t.x, t.y, t.z), (1e-5, -125.0, 0.5));
    for bad in ["nan", "inf", "-Infinity", "1e39", "1,5", "0x1", "1e", "--1", "1.2.3"] {
        let (line, what) = refusal(&one_joint("1 Xposition", &["0", bad]), &Options::default());
        assert!(line == 11 && what.contains(bad), "{line}: {what}");
    }
}

#[test]
fn any_white_space_line_break_and_case_reads_the_same() {
    let text = one_joint("3 Zrotation Xrotation Yrotation", &["30 40 50", "31 41 51"]);
    let plain = model(&text);
    for spelled in [
        text.replace('\n', "\r\n"),
        text.replace('\n', "\r"),
        text.replace('\n', " \n\n\t "),
        text.trim_end().to_string(),
        format!("\u{feff}{text}"),
        text.replace("CHANNELS", "Channels").replace("Zrotation", "ZROTATION").replace("MOTION", "motion"),
        text.replace("30 40 50\n31", "30 40\n50 31"),
    ] {
        assert_eq!(model(&spelled), plain, "{spelled:?}");
    }
}

#[test]
fn rows_and_their_count_may_differ() {
    let rows = ["1", "2", "3"];
    let text = |frames: usize, rows: &[&str]| {
        one_joint("1 Xposition", rows)
            .replace(&format!("Frames: {}", rows.len()), &format!("Frames: {frames}"))
    };
    let more = model(&text(2, &rows));
    assert_eq!((more.clips[0].duration(), more.warnings.len()), (1.0, 1));
    assert_eq!(pose(&more, 0, 9.0).locals[0].translation.x, 2.0);
    let fewer = model(&text(3, &rows[..2]));
    assert_eq!((fewer.clips[0].duration(), fewer.warnings.len()), (1.0, 1));
    assert!(fewer.warnings[0].contains('3') && fewer.warnings[0].contains('2'), "both numbers are named");
    let none = model(&text(0, &[]));
    assert!(none.clips.is_empty() && none.warnings.len() == 1 && none.skeleton.len() == 1);
    // A count that no memory holds costs none.
    let huge = model(&text(usize::MAX, &rows));
    assert_eq!(huge.clips[0].duration(), 2.0);
    // The last row is cut off in the middle.
    let cut = model(&one_joint("2 Xposition Yposition", &["1 2", "3"]));
    assert_eq!((cut.clips[0].duration(), cut.warnings.is_empty()), (0.0, false));
}

#[test]
fn each_joint_has_its_own_number_of_channels() {
    let joint = |name: &str, channels: &str| format!("JOINT {name}\n{{ OFFSET 0 1 0 CHANNELS {channels}\n");
    let text = format!(
        "HIERARCHY ROOT a\n{{ OFFSET 0 0 0 CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation {} {} {} {} }} }} }} }} }} MOTION Frames: 1 Frame Time: 1 {}",
        joint("b", "3 Zrotation Xrotation Yrotation"),
        joint("c", "1 Zposition"),
        joint("d", "0"),
        joint("e", "6 Xposition Yposition Zposition Zrotation Xrotation Yrotation"),
        "1 2 3 0 0 0  0 0 0  10  4 5 6 90 0 0"
    );
    let model = model(&text);
    let pose = pose(&model, 0, 0.0);
    let position = |j: usize| {
        let t = pose.locals[j].translation;
        [t.x, t.y, t.z]
    };
    assert_eq!(position(0), [1.0, 2.0, 3.0]);
    assert_eq!(position(2), [0.0, 1.0, 10.0]);
    assert_eq!(position(3), [0.0, 1.0, 0.0]);
    assert_eq!(position(4), [4.0, 5.0, 6.0]);
    assert!((pose.locals[4].rotation.z - 0.5f32.sqrt()).abs() < 1e-6);
}

#[test]
fn spins_between_frames_keep_their_way_and_wrapped_angles_do_not_spin() {
    let sum = |rows: &[&str]| {
        let model = model(&one_joint("1 Zrotation", rows));
        let end = (rows.len() - 1) as f32;
        let angle = |t: f32| {
            let q = pose(&model, 0, t).locals[0].rotation;
            2.0 * f64::from(q.z).atan2(f64::from(q.w))
        };
        let mut sum = 0.0;
        for i in 0..500 {
            let step = angle(end * (i + 1) as f32 / 500.0) - angle(end * i as f32 / 500.0);
            let turn = std::f64::consts::TAU;
            sum += (step - (step / turn).round() * turn).to_degrees();
        }
        sum
    };
    assert!((sum(&["0", "200"]) - 200.0).abs() < 0.1);
    assert!((sum(&["0", "-250"]) + 250.0).abs() < 0.1);
    assert!((sum(&["170", "-170"]) - 20.0).abs() < 0.1, "from 170° to -170° are 20°");
    assert!((sum(&["0", "100", "200", "300", "400"]) - 400.0).abs() < 0.1);
}

#[test]
fn nothing_hangs_below_an_end_site() {
    let text = |inner: &str| {
        format!(
            "HIERARCHY\nROOT r\n{{\nOFFSET 0 0 0\nCHANNELS 0\nEnd Site\n{{\nOFFSET 0 1 0\n{inner}\n}}\n}}\nMOTION\nFrames: 0\nFrame Time: 1\n"
        )
    };
    assert_eq!(model(&text("")).skeleton.len(), 2);
    // Whether end sites become joints or not.
    for end_sites in [true, false] {
        let options = Options { end_sites, ..Options::default() };
        for inner in ["JOINT x\n{\nOFFSET 0 1 0\n}", "End Site\n{\nOFFSET 0 1 0\n}"] {
            let (line, what) = refusal(&text(inner), &options);
            assert!(line == 9 && what.contains("End Site") && what.contains("close it"), "{line}: {what}");
        }
    }
    let off = Options { end_sites: false, ..Options::default() };
    assert_eq!(load_bytes(text("").as_bytes(), "take", &off).unwrap().skeleton.len(), 1);
    // An end site may close in the middle of a joint: what follows hangs on the joint.
    let two = "HIERARCHY ROOT r\n{ OFFSET 0 0 0 End Site\n{ OFFSET 0 1 0 } JOINT x\n{ OFFSET 0 2 0 } } MOTION Frames: 0 Frame Time: 1";
    for (options, parent) in [(Options::default(), 2), (off, 1)] {
        let skeleton = load_bytes(two.as_bytes(), "take", &options).unwrap().skeleton;
        assert_eq!(skeleton.find("x"), Some(parent));
        assert_eq!(skeleton.parent(parent), Some(0));
    }
}

#[test]
fn hostile_names_and_end_sites_take_no_more_than_their_share() {
    // Every name that is made costs little, however long the one it is made from.
    let long = "n".repeat(200_000);
    let ends = "End Site\n{ OFFSET 0 1 0 }\n".repeat(5_000);
    let text = format!("HIERARCHY ROOT {long}\n{{ OFFSET 0 0 0\n{ends} }} MOTION Frames: 0 Frame Time: 1");
    let skeleton = model(&text).skeleton;
    assert_eq!(skeleton.len(), 5_001);
    assert_eq!(skeleton.joints()[0].name, long);
    let made: usize = skeleton.joints().iter().skip(1).map(|j| j.name.len()).sum();
    assert!(made < 2 * text.len(), "{made}");
    assert!(skeleton.joints()[1].name.starts_with("nnn") && skeleton.joints()[1].name.ends_with("_end"));
    // Short names are whole, also beyond ASCII.
    let text = "HIERARCHY ROOT Hüfte links\n{ OFFSET 0 0 0 End Site\n{ OFFSET 0 1 0 } } MOTION Frames: 0 Frame Time: 1";
    assert_eq!(model(text).skeleton.joints()[1].name, "Hüfte links_end");
    // Messages stay readable.
    let (_, what) = refusal(&format!("HIERARCHY ROOT {long}\n{{ OFFSET 0 0 0 MOTION"), &Options::default());
    assert!(what.len() < 200, "{} bytes", what.len());
    // Rows that jump by many turns each do not make a small file a huge clip.
    let rows: Vec<&str> = ["0", "9e9"].into_iter().cycle().take(10_000).collect();
    let model = model(&one_joint("1 Zrotation", &rows));
    let keys: usize = model.clips[0].tracks().iter().map(|t| t.times().len()).sum();
    assert!((10_000..=60_200).contains(&keys), "{keys}");
}

#[test]
fn lengths_beyond_single_precision_are_refused_where_they_stand() {
    let big = Options { scale: 1e30, ..Options::default() };
    let text = one_joint("2 Xrotation Yposition", &["1e30 1", "0 2e9"]);
    let (line, what) = refusal(&text, &big);
    assert!(line == 11 && what.contains("2e9") && what.contains("scale"), "{line}: {what}");
    let (line, what) = refusal(&text.replace("OFFSET 1 2 3", "OFFSET 1\n2\n-7e20"), &big);
    assert!(line == 6 && what.contains("-7e20"), "{line}: {what}");
    // The largest that fits; and angles are no lengths.
    let fits =
        load_bytes(one_joint("2 Xrotation Yposition", &["3e38 3.4e8"]).as_bytes(), "take", &big).unwrap();
    let local = pose(&fits, 0, 0.0).locals[0];
    assert!(local.is_finite() && local.translation.y > 3.3e38);
    for scale in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let options = Options { scale, ..Options::default() };
        assert!(matches!(load_bytes(text.as_bytes(), "take", &options), Err(BvhError::Scale(_))));
    }
    // Extreme angles from frame to frame stay finite too.
    let spun =
        model(&one_joint("3 Zrotation Xrotation Yrotation", &["3e38 -3e38 1", "-3e38 3e38 2", "0 0 3e38"]));
    for i in 0..=100 {
        assert!(pose(&spun, 0, i as f32 * 0.02).locals[0].is_finite());
    }
    // A frame time that is 0 in single precision would put every frame at one time.
    let (line, _) = refusal(&text.replace("Frame Time: 1", "Frame Time: 1e-60"), &Options::default());
    assert_eq!(line, 9);
}

#[test]
fn no_cut_and_no_changed_byte_makes_it_panic() {
    let text = one_joint(
        "6 Xposition Yposition Zposition Zrotation Xrotation Yrotation",
        &["1 2 3 4 5 6", "6 5 4 3 2 200"],
    )
    .replace("}\nMOTION", "End Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION");
    let mut bytes = text.into_bytes();
    for end in 0..bytes.len() {
        let _ = load_bytes(&bytes[..end], "take", &Options::default());
    }
    for i in 0..bytes.len() {
        let was = bytes[i];
        for b in [0, b' ', b'\n', b'9', b'e', b'-', b'{', b'}', 0x80, 0xFF] {
            bytes[i] = b;
            if let Ok(model) = load_bytes(&bytes, "take", &Options::default()) {
                assert!(model.clips.iter().all(|c| c.duration().is_finite()));
            }
        }
        bytes[i] = was;
    }
}

fn takes() -> Vec<PathBuf> {
    let beside = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared"));
    let folder = std::env::var_os("SINEW_ASSETS").map_or(beside, PathBuf::from).join("assets/bandai_bvh");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        println!("skipped: no {} (set SINEW_ASSETS)", folder.display());
        return Vec::new();
    };
    entries.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "bvh")).collect()
}

#[test]
fn captured_takes_go_through_gltf_and_come_back_the_same() {
    let takes = takes();
    for path in &takes {
        let model = load(path, &Options { scale: 0.01, ..Options::default() }).unwrap();
        let glb = model.to_glb(&model.clips, ExportOptions::default()).unwrap();
        let again = sinew::io::gltf::load_bytes(&glb, None).unwrap();
        assert!(again.warnings.is_empty(), "{:?}", again.warnings);
        assert_eq!(again.clips[0].duration(), model.clips[0].duration());
        for i in 0..=40 {
            let t = model.clips[0].duration() * i as f32 / 40.0;
            let off = difference(&model, &again, 0, t);
            assert!(off < 1e-5, "{} at {t}: {off}", path.display());
        }
    }
}

#[test]
fn captured_takes_are_what_their_rows_say() {
    // The rows read anew by hand, and the chain of matrices down to each joint in double precision.
    for path in &takes() {
        let text = std::fs::read_to_string(path).unwrap();
        let model = load(path, &Options { end_sites: false, ..Options::default() }).unwrap();
        let (_, motion) = text.split_once("Frame Time:").unwrap();
        let mut lines = motion.lines();
        let time: f64 = lines.next().unwrap().trim().parse().unwrap();
        let rows: Vec<Vec<f64>> = lines
            .map(|l| l.split_whitespace().map(|w| w.parse().unwrap()).collect())
            .filter(|r: &Vec<f64>| !r.is_empty())
            .collect();
        for frame in [0, rows.len() / 3, rows.len() - 1] {
            let world = world_matrices(&model, &pose(&model, 0, (frame as f64 * time) as f32));
            let mut chain: Vec<(M, [f64; 3])> = Vec::new();
            for joint in 0..model.skeleton.len() {
                // All joints of these files have position and then rotation in the order Z X Y.
                let v = &rows[frame][joint * 6..joint * 6 + 6];
                let turned = mul(mul(turn('Z', v[3]), turn('X', v[4])), turn('Y', v[5]));
                let here = match model.skeleton.parent(joint) {
                    None => (turned, [v[0], v[1], v[2]]),
                    Some(parent) => {
                        let (m, t) = chain[parent];
                        (
                            mul(m, turned),
                            std::array::from_fn(|r| t[r] + (0..3).map(|k| m[r][k] * v[k]).sum::<f64>()),
                        )
                    }
                };
                chain.push(here);
                for (axis, want) in here.1.iter().enumerate() {
                    let got = f64::from(world[joint][12 + axis]);
                    // Centimetres, bodies of some 170.
                    assert!(
                        (got - want).abs() < 5e-3,
                        "{} frame {frame} joint {joint}: {got} {want}",
                        path.display()
                    );
                }
            }
        }
    }
}
