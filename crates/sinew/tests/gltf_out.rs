//! glTF out: what is written means what was given, checked by reading the bytes without the
//! library and by loading them again.

#[path = "common/gltf.rs"]
mod gltf;

use gltf::{File, difference, keys, open, pose};
use serde_json::{Value, json};
use sinew::anim::{Channel, Clip, Interpolation, Joint, Pose, Skeleton, Track};
use sinew::io::gltf::{ExportError, ExportOptions, load, load_bytes};
use sinew::io::{Model, bvh};
use sinew::math::{Random, Transform, Vec3};

const ALL: ExportOptions = ExportOptions { drop_resting: false };

fn nodes(count: usize) -> Model {
    File::of_nodes((0..count).map(|i| json!({"name": format!("n{i}")})).collect()).model()
}

/// A turn by degrees about y.
fn about_y(degrees: f64) -> [f32; 4] {
    let (s, c) = (degrees.to_radians() / 2.0).sin_cos();
    [0.0, s as f32, 0.0, c as f32]
}

fn write(model: &Model, clips: &[Clip]) -> (Value, Vec<u8>, Model) {
    let glb = model.to_glb(clips, ExportOptions::default()).unwrap();
    let (json, bin) = open(&glb);
    (json, bin, load_bytes(&glb, None).unwrap())
}

fn track(channel: Channel, interpolation: Interpolation, times: &[f32], values: &[f32]) -> Track {
    Track::new(0, channel, interpolation, times, values).unwrap()
}

fn clip(tracks: Vec<Track>) -> Clip {
    Clip::new("c", tracks).unwrap()
}

/// Both models' clip 0 give the same poses at many times, keys included.
fn assert_same(a: &Model, b: &Model, tolerance: f32) {
    let clip = &a.clips[0];
    let mut times: Vec<f32> = (0..=200).map(|i| clip.duration() * i as f32 / 200.0).collect();
    times.extend(clip.tracks().iter().flat_map(|t| t.times()).filter(|t| **t <= clip.duration()));
    for t in times {
        let off = difference(a, b, 0, t);
        assert!(off <= tolerance, "{off} at {t}");
    }
}

fn with_clip(model: &Model, clip: &Clip) -> Model {
    let mut model = model.clone();
    model.clips = vec![clip.clone()];
    model
}

#[test]
fn splines_keep_their_signs_and_tangents() {
    // The second key is on the other side, which for a spline is another curve.
    let q: Vec<[f32; 4]> = [0.0, 100.0, 30.0].map(about_y).to_vec();
    let negated = q[1].map(|v| -v);
    let tangent = |k: f32| [0.1 * k, -0.2 * k, 0.3 * k, 0.05 * k];
    let values = [
        tangent(1.0),
        q[0],
        tangent(2.0),
        tangent(3.0),
        negated,
        tangent(4.0),
        tangent(5.0),
        q[2],
        tangent(6.0),
    ]
    .concat();
    let spline = track(Channel::Rotation, Interpolation::CubicSpline, &[0.0, 0.5, 2.0], &values);
    let moves: Vec<f32> = (0..18).map(|i| i as f32 * 0.37 - 2.0).collect();
    let moved = track(Channel::Translation, Interpolation::CubicSpline, &[0.0, 2.0], &moves);
    let (model, clip) = (nodes(1), clip(vec![spline, moved]));
    let (json, bin, again) = write(&model, std::slice::from_ref(&clip));
    assert_eq!(keys(&json, &bin, 0, 0), (vec![0.0, 2.0], moves, "CUBICSPLINE".into()));
    assert_eq!(keys(&json, &bin, 0, 1), (vec![0.0, 0.5, 2.0], values, "CUBICSPLINE".into()));
    assert_same(&with_clip(&model, &clip), &again, 0.0);
}

#[test]
fn spline_rotations_off_unit_length_are_written_unit_and_turn_alike() {
    let keys_of = |factor: f32| {
        [about_y(0.0), about_y(120.0), about_y(200.0)]
            .concat()
            .iter()
            .map(|v| v * factor)
            .collect::<Vec<f32>>()
    };
    let with_tangents = |values: Vec<f32>| -> Vec<f32> {
        values.chunks(4).flat_map(|q| [[0.3; 4].to_vec(), q.to_vec(), [0.6; 4].to_vec()].concat()).collect()
    };
    let spline =
        track(Channel::Rotation, Interpolation::CubicSpline, &[0.0, 1.0, 2.0], &with_tangents(keys_of(3.0)));
    let (model, clip) = (nodes(1), clip(vec![spline]));
    let (json, bin, again) = write(&model, std::slice::from_ref(&clip));
    for key in keys(&json, &bin, 0, 0).1.chunks(12) {
        let length = key[4..8].iter().map(|v| v * v).sum::<f32>().sqrt();
        assert!((length - 1.0).abs() < 1e-5);
    }
    assert_same(&with_clip(&model, &clip), &again, 1e-5);
}

#[test]
fn a_spline_of_one_key_is_written_as_its_value() {
    let values = [[9.0; 4], about_y(70.0), [9.0; 4]].concat();
    let spline = track(Channel::Rotation, Interpolation::CubicSpline, &[0.5], &values);
    let both = track(
        Channel::Scale,
        Interpolation::CubicSpline,
        &[0.25, 0.25],
        &[7.0, 7.0, 7.0, 2.0, 2.0, 2.0, 7.0, 7.0, 7.0].repeat(2),
    );
    let (model, clip) = (nodes(1), clip(vec![spline, both]));
    let (json, bin, again) = write(&model, std::slice::from_ref(&clip));
    assert_eq!(keys(&json, &bin, 0, 0), (vec![0.5], about_y(70.0).to_vec(), "LINEAR".into()));
    assert_eq!(keys(&json, &bin, 0, 1), (vec![0.25], vec![2.0; 3], "LINEAR".into()));
    assert_same(&with_clip(&model, &clip), &again, 1e-6);
}

#[test]
fn clips_longer_than_their_keys_keep_their_duration() {
    let model = nodes(1);
    let spline: Vec<f32> = (0..18).map(|i| i as f32).collect();
    let one = [[0.0; 4], about_y(30.0), [0.0; 4]].concat();
    for tracks in [
        vec![track(
            Channel::Translation,
            Interpolation::Linear,
            &[0.0, 1.0],
            &[0.0, 0.0, 0.0, 5.0, 6.0, 7.0],
        )],
        vec![track(Channel::Translation, Interpolation::Step, &[0.0, 1.0], &[0.0, 0.0, 0.0, 5.0, 6.0, 7.0])],
        vec![track(Channel::Translation, Interpolation::CubicSpline, &[0.0, 1.0], &spline)],
        vec![track(Channel::Rotation, Interpolation::CubicSpline, &[0.5], &one)],
        // A clip that moves nothing, by a key or by no track at all.
        vec![track(Channel::Translation, Interpolation::Linear, &[0.5], &[0.0; 3])],
        vec![],
    ] {
        let clip = Clip::with_duration("held", 3.5, tracks).unwrap();
        let (_, _, again) = write(&model, std::slice::from_ref(&clip));
        assert_eq!(again.clips[0].duration(), 3.5, "{clip:?}");
        assert_eq!(again.clips[0].name(), "held");
        assert_same(&with_clip(&model, &clip), &again, 1e-5);
    }
    // Durations do not leak from one clip into the next, and the order stays.
    let short = clip(vec![track(Channel::Scale, Interpolation::Step, &[1.0], &[2.0; 3])]);
    let long = Clip::with_duration("long", 9.0, short.tracks().to_vec()).unwrap();
    let (_, _, again) = write(&model, &[short.clone(), long, short]);
    assert_eq!(again.clips.iter().map(Clip::duration).collect::<Vec<_>>(), [1.0, 9.0, 1.0]);
}

#[test]
fn clips_shorter_than_their_keys_keep_their_duration() {
    let model = nodes(1);
    let spline: Vec<f32> = (0..27).map(|i| ((i * 7) % 11) as f32).collect();
    let rotations = [about_y(0.0), about_y(90.0), about_y(250.0)].concat();
    let turning = [about_y(0.0), about_y(20.0), [0.0; 4], [0.0; 4], about_y(90.0), [0.0; 4]].concat();
    for tracks in [
        vec![track(Channel::Translation, Interpolation::Linear, &[0.0, 1.0, 4.0], &spline[..9])],
        vec![track(Channel::Translation, Interpolation::Step, &[0.0, 1.0, 4.0], &spline[..9])],
        vec![track(Channel::Translation, Interpolation::CubicSpline, &[0.0, 1.0, 4.0], &spline)],
        vec![track(Channel::Rotation, Interpolation::Linear, &[0.0, 1.0, 4.0], &rotations)],
        vec![track(Channel::Rotation, Interpolation::Step, &[2.6, 3.0, 4.0], &rotations)],
        vec![track(Channel::Translation, Interpolation::Linear, &[2.5, 3.0, 4.0], &spline[..9])],
        vec![track(Channel::Scale, Interpolation::Linear, &[2.0, 3.0], &spline[..6])],
    ] {
        let clip = Clip::with_duration("cut", 2.5, tracks).unwrap();
        let (_, _, again) = write(&model, std::slice::from_ref(&clip));
        assert_eq!(again.clips[0].duration(), 2.5, "{clip:?}");
        assert_same(&with_clip(&model, &clip), &again, 1e-5);
    }
    // A rotation spline is cut at a key that is made unit, so only its ends are exact.
    let clip = Clip::with_duration(
        "cut",
        2.5,
        vec![track(Channel::Rotation, Interpolation::CubicSpline, &[0.0, 4.0], &turning)],
    );
    let clip = clip.unwrap();
    let (_, _, again) = write(&model, std::slice::from_ref(&clip));
    assert_eq!(again.clips[0].duration(), 2.5);
    for t in [0.0, 2.5] {
        assert!(difference(&with_clip(&model, &clip), &again, 0, t) < 1e-5);
    }
}

#[test]
fn keys_at_one_time_are_spread_and_mean_the_same() {
    let model = nodes(1);
    let x = |values: &[f32]| values.iter().flat_map(|v| [*v, 0.0, 0.0]).collect::<Vec<f32>>();
    for interpolation in [Interpolation::Linear, Interpolation::Step] {
        for (times, values) in [
            (vec![0.0, 0.5, 0.5, 1.0], vec![0.0, 2.0, 7.0, 1.0]),
            (vec![0.0, 0.5, 0.5, 0.5, 1.0], vec![0.0, 2.0, 99.0, 2.0, 1.0]),
            (vec![0.0, 0.0, 1.0, 1.0], vec![3.0, 2.0, 7.0, 1.0]),
            (vec![0.25, 0.25, 0.5], vec![3.0, 2.0, 7.0]),
        ] {
            let one = clip(vec![track(Channel::Translation, interpolation, &times, &x(&values))]);
            let (json, bin, again) = write(&model, std::slice::from_ref(&one));
            let written = keys(&json, &bin, 0, 0).0;
            assert!(written.windows(2).all(|w| w[0] < w[1]), "{written:?}");
            // A jump is at its time; within one float of it the two may differ.
            for i in 0..=997 {
                let t = i as f32 / 997.0;
                let off = difference(&with_clip(&model, &one), &again, 0, t);
                assert!(off < 1e-5, "{times:?} at {t}: {off}");
            }
            for t in times {
                assert_eq!(difference(&with_clip(&model, &one), &again, 0, t), 0.0);
            }
        }
    }
    // No room before the time: the last key counts.
    let tight = [0.5f32.next_down(), 0.5, 0.5];
    let one = clip(vec![track(Channel::Translation, Interpolation::Linear, &tight, &x(&[1.0, 2.0, 3.0]))]);
    let (json, bin, _) = write(&model, &[one]);
    assert_eq!(keys(&json, &bin, 0, 0).0, [0.5f32.next_down(), 0.5]);
    assert_eq!(keys(&json, &bin, 0, 0).1, x(&[1.0, 3.0]));
}

#[test]
fn random_clips_are_valid_and_come_back_the_same() {
    let model = nodes(3);
    let mut random = Random::new(11, 0);
    for round in 0..300 {
        let mut tracks = Vec::new();
        for joint in 0..3 {
            let channel = [Channel::Translation, Channel::Rotation, Channel::Scale][joint];
            let interpolation = [Interpolation::Step, Interpolation::Linear, Interpolation::CubicSpline]
                [(random.unit() * 3.0) as usize % 3];
            let count = 1 + (random.unit() * 6.0) as usize;
            let mut t = 0.0;
            let times: Vec<f32> = (0..count)
                .map(|_| {
                    t += (random.unit() * 4.0).floor() * 0.125;
                    t
                })
                .collect();
            let width = if channel == Channel::Rotation { 4 } else { 3 };
            let per_key = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
            let mut values: Vec<f32> =
                (0..count * width * per_key).map(|_| random.unit() * 2.0 - 1.0).collect();
            if channel == Channel::Rotation && per_key == 3 {
                for key in values.as_chunks_mut::<12>().0 {
                    let l = key[4..8].iter().map(|v| v * v).sum::<f32>().sqrt();
                    key[4..8].iter_mut().for_each(|v| *v /= l);
                }
            }
            tracks.push(Track::new(joint, channel, interpolation, times, values).unwrap());
        }
        let one = clip(tracks);
        let glb = model.to_glb(std::slice::from_ref(&one), ALL).unwrap();
        let (json, bin) = open(&glb);
        for channel in 0..3 {
            let (times, values, interpolation) = keys(&json, &bin, 0, channel);
            assert!(times.windows(2).all(|w| w[0] < w[1]), "round {round}: {times:?}");
            let input = &json["accessors"]
                [json["animations"][0]["samplers"][channel]["input"].as_u64().unwrap() as usize];
            assert_eq!(input["min"][0].as_f64(), Some(f64::from(times[0])));
            assert_eq!(input["max"][0].as_f64(), Some(f64::from(times[times.len() - 1])));
            assert!(interpolation != "CUBICSPLINE" || times.len() > 1);
            if json["animations"][0]["channels"][channel]["target"]["path"] == "rotation"
                && interpolation != "CUBICSPLINE"
            {
                for pair in values.as_chunks::<4>().0.windows(2) {
                    let dot: f32 = pair[0].iter().zip(pair[1]).map(|(a, b)| a * b).sum();
                    assert!(dot >= 0.0, "neighbours lie on one side");
                }
            }
        }
        let again = load_bytes(&glb, None).unwrap();
        assert_eq!(again.clips[0].duration(), one.duration());
        // Off the times of keys, which are multiples of 1/8: a jump there takes one float of time.
        for i in 0..=100 {
            let t = i as f32 * 0.0377;
            let off = difference(&with_clip(&model, &one), &again, 0, t);
            assert!(off < 2e-4, "round {round} at {t}: {off}");
        }
    }
}

#[test]
fn weights_need_a_mesh_with_as_many_targets() {
    let mut file = File::of_nodes(json!([{"name": "plain"}, {"name": "face", "mesh": 0}]));
    file.mesh(2);
    let model = file.model();
    let weights = |joint, first, width: usize| {
        let values: Vec<f32> = (0..2 * width).map(|i| i as f32 * 0.125).collect();
        Track::curves(joint, first, width, Interpolation::Linear, [0.0, 1.0], values).unwrap()
    };
    let good = clip(vec![weights(1, 0, 2)]);
    let (_, _, again) = write(&model, std::slice::from_ref(&good));
    assert_same(&with_clip(&model, &good), &again, 0.0);
    assert_eq!(pose(&again, 0, 1.0).curves, [0.25, 0.375]);
    for (track, targets) in
        [(weights(0, 0, 2), 0), (weights(1, 0, 1), 2), (weights(1, 1, 2), 2), (weights(1, 0, 3), 2)]
    {
        let error = model.to_glb(&[clip(vec![track])], ALL).unwrap_err();
        assert!(matches!(error, ExportError::Weights { targets: t, .. } if t == targets), "{error:?}");
    }
    // A model that came without meshes.
    let text = "HIERARCHY ROOT r\n{ OFFSET 0 0 0 CHANNELS 0 } MOTION Frames: 0 Frame Time: 1";
    let bones = bvh::load_bytes(text.as_bytes(), "t", &bvh::Options::default()).unwrap();
    let error = bones.to_glb(&[clip(vec![weights(0, 0, 1)])], ALL).unwrap_err();
    assert!(matches!(&error, ExportError::Weights { joint: 0, name, .. } if name == "r"), "{error:?}");
    assert!(error.to_string().contains("`c`") && error.to_string().contains("`r`"));
}

#[test]
fn clips_of_other_skeletons_are_refused() {
    let far = Track::new(5, Channel::Scale, Interpolation::Step, [0.0], [1.0; 3]).unwrap();
    let error = nodes(2).to_glb(&[clip(vec![far])], ALL).unwrap_err();
    assert_eq!(error, ExportError::Joint { clip: "c".into(), joint: 5, count: 2 });
}

/// Values of the properties of those names, wherever they stand.
fn find<'v>(json: &'v Value, names: &[&str], found: &mut Vec<&'v Value>) {
    match json {
        Value::Object(of) => {
            for (key, value) in of {
                if names.contains(&key.as_str()) {
                    found.push(value);
                }
                find(value, names, found);
            }
        }
        Value::Array(list) => list.iter().for_each(|v| find(v, names, found)),
        _ => {}
    }
}

#[test]
fn indices_spelled_as_floats_are_read_and_written_as_integers() {
    let mut file = File::of_nodes(json!([{"mesh": 0, "children": [1], "extras": {"mine": 1.0}}, {}]));
    file.animate(1, "translation", "LINEAR", &[0.0, 1.0], &[0.0, 0.0, 0.0, 1.0, 2.0, 3.0]);
    // The mesh's accessor comes after the animation's, so its index must change.
    file.mesh(0);
    let inverse = file.floats("MAT4", &[2.0; 16]);
    file.push("skins", json!({"joints": [0, 1], "inverseBindMatrices": inverse}));
    file.json["accessors"][3]["count"] = json!(1);
    file.json["skins"][0]["joints"] = json!([1]);
    let plain = file.model();
    let text = String::from_utf8(file.text()).unwrap();
    let mut spelled: Value = serde_json::from_str(&text).unwrap();
    fn spell(v: &mut Value) {
        match v {
            Value::Number(n) => *v = json!(n.as_f64().unwrap()),
            Value::Array(list) => list.iter_mut().for_each(spell),
            Value::Object(of) => of.iter_mut().for_each(|(_, v)| spell(v)),
            _ => {}
        }
    }
    spell(&mut spelled);
    assert!(spelled.to_string().contains("\"bufferView\":1.0"));
    let model = load_bytes(spelled.to_string().as_bytes(), None).unwrap();
    let (json, bin, again) = write(&model, &model.clips);
    let mut numbers = Vec::new();
    let names = [
        "bufferView",
        "buffer",
        "byteOffset",
        "byteLength",
        "count",
        "componentType",
        "mesh",
        "POSITION",
        "inverseBindMatrices",
        "input",
        "output",
        "sampler",
        "node",
    ];
    find(&json, &names, &mut numbers);
    assert!(numbers.len() > 20 && numbers.iter().all(|n| n.is_u64()), "{numbers:?}");
    assert_eq!((&json["nodes"][0]["children"], &json["skins"][0]["joints"]), (&json!([1]), &json!([1])));
    assert!(json["nodes"][0]["extras"]["mine"].is_f64(), "the user's own data stays as it was");
    let position = json["meshes"][0]["primitives"][0]["attributes"]["POSITION"].as_u64().unwrap() as usize;
    assert_eq!(gltf::floats(&json, &bin, position), [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    assert_eq!(again.skins, plain.skins);
    assert_same(&plain, &again, 0.0);
}

#[test]
fn files_that_are_named_twice_are_embedded_once() {
    let folder = tempfile::tempdir().unwrap();
    let floats: Vec<f32> = (0..16 * 1024).map(|i| i as f32).collect();
    let bytes: Vec<u8> = floats.iter().flat_map(|v| v.to_le_bytes()).collect();
    std::fs::write(folder.path().join("data.bin"), &bytes).unwrap();
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    png.resize(50_000, 7);
    std::fs::write(folder.path().join("a.png"), &png).unwrap();
    let length = bytes.len();
    let buffer = json!({"uri": "data.bin", "byteLength": length});
    // Two buffers of one file, with views of the whole of both, and one animation to take away.
    let json = json!({"asset": {"version": "2.0"}, "nodes": [{"name": "a"}],
        "buffers": [buffer, buffer, buffer],
        "bufferViews": [{"buffer": 0, "byteLength": length}, {"buffer": 1, "byteLength": length},
            {"buffer": 2, "byteOffset": 64, "byteLength": 64}, {"buffer": 2, "byteOffset": 96, "byteLength": 64}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 1024, "type": "MAT4"},
            {"bufferView": 1, "componentType": 5126, "count": 1024, "type": "MAT4"},
            {"bufferView": 2, "componentType": 5126, "count": 1, "type": "MAT4"},
            {"bufferView": 3, "componentType": 5126, "count": 1, "type": "MAT4"},
            {"bufferView": 2, "componentType": 5126, "count": 2, "type": "SCALAR"}],
        "skins": [{"joints": [0], "inverseBindMatrices": 0}, {"joints": [0], "inverseBindMatrices": 1},
            {"joints": [0], "inverseBindMatrices": 2}, {"joints": [0], "inverseBindMatrices": 3}],
        "images": [{"uri": "a.png"}, {"uri": "./a.png"}, {"uri": "a.png"}],
        "animations": [{"samplers": [{"input": 4, "output": 4}], "channels": []}]});
    let path = folder.path().join("twice.gltf");
    std::fs::write(&path, json.to_string()).unwrap();
    let model = load(&path).unwrap();
    let glb = model.to_glb(&[], ALL).unwrap();
    assert!(glb.len() < length + png.len() + 4096, "{} bytes", glb.len());
    let again = load_bytes(&glb, None).unwrap();
    assert_eq!(again.skins, model.skins);
    assert_eq!(again.skins[3].inverse_bind[0][0], 24.0);
    let (json, bin) = open(&glb);
    for image in json["images"].as_array().unwrap() {
        let view = &json["bufferViews"][image["bufferView"].as_u64().unwrap() as usize];
        let start = view["byteOffset"].as_u64().unwrap() as usize;
        assert_eq!(&bin[start..start + view["byteLength"].as_u64().unwrap() as usize], png);
        assert_eq!((&image["mimeType"], image.get("uri")), (&json!("image/png"), None));
    }
}

#[test]
fn data_between_and_under_views_survives_the_packing() {
    // Views that overlap, start off the word, or come in any order, around data of an animation.
    let mut file = File::of_nodes(json!([{}, {}]));
    let noise: Vec<u8> = (0..=255).cycle().take(4096).collect();
    file.bin.extend(&noise);
    for (start, length) in [(2048, 64), (0, 64), (32, 64), (1001, 10), (2048, 64), (3000, 0)] {
        file.push("bufferViews", json!({"buffer": 0, "byteOffset": start, "byteLength": length}));
    }
    file.push("images", json!({"bufferView": 3, "mimeType": "image/png"}));
    for view in [0, 1, 2, 4] {
        let accessor = file.push(
            "accessors",
            json!({"bufferView": view, "componentType": 5126, "count": 1, "type": "MAT4"}),
        );
        file.push("skins", json!({"joints": [0], "inverseBindMatrices": accessor}));
    }
    file.animate(0, "scale", "LINEAR", &[0.0, 1.0], &[1.0, 1.0, 1.0, 2.0, 2.0, 2.0]);
    let model = file.model();
    let glb = model.to_glb(&model.clips, ALL).unwrap();
    let again = load_bytes(&glb, None).unwrap();
    assert_eq!(again.skins, model.skins);
    assert_same(&model, &again, 0.0);
    let (json, bin) = open(&glb);
    let view = &json["bufferViews"][json["images"][0]["bufferView"].as_u64().unwrap() as usize];
    let start = view["byteOffset"].as_u64().unwrap() as usize;
    assert_eq!(&bin[start..start + 10], &noise[1001..1011]);
    assert!(bin.len() < 600, "what nothing shows is gone: {} bytes", bin.len());
}

#[test]
fn animated_nodes_have_no_matrix_and_still_ones_keep_theirs() {
    let matrix = json!([0.0, 2.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0, 0.0, 5.0, 6.0, 7.0, 1.0]);
    let sheared = json!([1.0, 0.0, 0.0, 0.0, 0.5, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    let mut file =
        File::of_nodes(json!([{"matrix": sheared, "children": [1]}, {"matrix": matrix}, {"matrix": matrix}]));
    file.animate(1, "translation", "LINEAR", &[0.0, 1.0], &[0.0, 0.0, 0.0, 1.0, 2.0, 3.0]);
    let model = file.model();
    let (json, _, again) = write(&model, &model.clips);
    assert!(json["nodes"][1].get("matrix").is_none());
    assert_eq!(
        (json["nodes"][0]["matrix"][4].as_f64(), json["nodes"][2]["matrix"][1].as_f64()),
        (Some(0.5), Some(2.0))
    );
    assert_same(&model, &again, 1e-6);
    // A clip that moves nothing does not cost the sheared node its matrix.
    let still = Clip::with_duration("still", 2.0, vec![]).unwrap();
    let (json, _, again) = write(&model, std::slice::from_ref(&still));
    assert!(json["nodes"][0].get("matrix").is_some());
    assert_eq!(again.clips[0].duration(), 2.0);
    assert_same(&with_clip(&model, &still), &again, 1e-6);
}

#[test]
fn a_buffer_that_is_not_there_is_named() {
    let mut file = File::of_nodes(json!([{}]));
    file.json["buffers"] =
        json!([{"byteLength": 4, "uri": "data:;base64,AAAAAA=="}, {"byteLength": 4, "uri": "gone.bin"}]);
    let model = file.model();
    assert_eq!(model.warnings.len(), 1);
    assert_eq!(model.to_glb(&[], ALL).unwrap_err(), ExportError::MissingBuffer(1));
}

#[test]
fn skeletons_without_a_mesh_get_one_and_keep_their_pose() {
    let joint = |name: &str, parent, y| Joint {
        name: name.into(),
        parent,
        rest: Transform::from_translation(Vec3::new(0.0, y, 0.0)),
    };
    let skeleton = Skeleton::new(vec![
        joint("tip", Some(2), 0.5),
        joint("zero", Some(0), 0.0),
        joint("root", None, 1.0),
    ])
    .unwrap();
    let turn = Track::new(
        2,
        Channel::Rotation,
        Interpolation::Linear,
        [0.0, 1.0],
        [about_y(0.0), about_y(90.0)].concat(),
    )
    .unwrap();
    let mut model = Model::default();
    (model.skeleton, model.clips) = (skeleton, vec![clip(vec![turn])]);
    let (_, _, again) = write(&model, &model.clips);
    assert_same(&model, &again, 1e-6);
    assert_eq!(again.meshes.len(), 1);
    assert_eq!(again.skins[0].joints, [0, 1, 2]);
    // No joint at all is still a file.
    let (json, _, again) = write(&Model::default(), &[Clip::with_duration("c", 1.0, vec![]).unwrap()]);
    assert!(again.skeleton.is_empty() && json.get("animations").is_none());
    assert_eq!(Pose::rest(&again.skeleton).locals.len(), 0);
}

/// Files of the shared folder's glTF assets; empty, and said so, where it is not there.
fn assets() -> Vec<std::path::PathBuf> {
    let beside = std::path::PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared"));
    let root = std::env::var_os("SINEW_ASSETS").map_or(beside, Into::into).join("assets");
    let mut files = Vec::new();
    for folder in ["khronos", "kaykit"] {
        let Ok(entries) = std::fs::read_dir(root.join(folder)) else {
            println!("skipped: no {folder} in {} (set SINEW_ASSETS)", root.display());
            continue;
        };
        let paths = entries.flatten().map(|e| e.path());
        files.extend(paths.filter(|p| p.extension().is_some_and(|e| e == "glb" || e == "gltf")));
    }
    files
}

#[test]
fn real_files_come_back_the_same() {
    for path in assets() {
        let name = path.display();
        let model = load(&path).unwrap_or_else(|e| panic!("{name}: {e}"));
        for options in [ALL, ExportOptions::default()] {
            let glb = match model.to_glb(&model.clips, options) {
                // Its buffer is not in the folder, which was said when it was loaded.
                Err(ExportError::MissingBuffer(0)) if path.ends_with("khronos/triangle.gltf") => {
                    assert!(model.warnings.len() == 1 && model.warnings[0].contains("/buffers/0"));
                    continue;
                }
                other => other.unwrap_or_else(|e| panic!("{name}: {e}")),
            };
            let again = load_bytes(&glb, None).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!((&again.skins, &again.meshes), (&model.skins, &model.meshes), "{name}");
            assert_eq!(again.skeleton, model.skeleton, "{name}");
            assert_eq!(again.clips.len(), model.clips.len(), "{name}");
            for (i, (clip, read)) in model.clips.iter().zip(&again.clips).enumerate() {
                assert_eq!((clip.name(), clip.duration()), (read.name(), read.duration()), "{name}");
                let mut times: Vec<f32> = (0..=20).map(|k| clip.duration() * k as f32 / 20.0).collect();
                times.extend(clip.tracks().first().iter().flat_map(|t| t.times()).take(8));
                for t in times {
                    // Signs of quaternions may differ, and so the last bits between two keys.
                    let size = world_size(&model, i, t);
                    let off = difference(&model, &again, i, t);
                    assert!(off <= 2e-6 * size, "{name}, {} at {t}: {off} of {size}", clip.name());
                }
            }
            // Again from the written file: the same keys, to the bit.
            let twice = load_bytes(&again.to_glb(&again.clips, options).unwrap(), None).unwrap();
            assert_eq!(twice.clips, again.clips, "{name}");
        }
    }
}

fn world_size(model: &Model, clip: usize, t: f32) -> f32 {
    let world = sinew::io::world_matrices(model, &pose(model, clip, t));
    world.iter().flatten().fold(1.0, |a, v| v.abs().max(a))
}
