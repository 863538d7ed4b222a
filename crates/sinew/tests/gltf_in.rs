//! glTF in: what the format allows is read right, what it does not is one located error, and no
//! bytes at all make the reader panic or take memory without bounds.

#[path = "common/gltf.rs"]
mod gltf;

use gltf::{File, pose};
use serde_json::{Value, json};
use sinew::anim::Pose;
use sinew::io::gltf::{Fault, GltfError, MAX_PROBLEMS, load, load_bytes};
use sinew::io::{matrix, world_matrices};
use sinew::math::{Random, Vec3};

fn named(count: usize) -> Value {
    (0..count).map(|i| json!({"name": format!("n{i}")})).collect()
}

fn le<const N: usize, T: Copy>(values: &[T], bytes: fn(T) -> [u8; N]) -> Vec<u8> {
    values.iter().flat_map(|v| bytes(*v)).collect()
}

#[test]
fn outputs_of_the_wrong_type_are_located_errors() {
    let types = [("SCALAR", "weights"), ("VEC3", "translation"), ("VEC3", "scale"), ("VEC4", "rotation")];
    for kind in ["SCALAR", "VEC2", "VEC3", "VEC4", "MAT4"] {
        for (right, path) in types {
            let mut file = File::of_nodes(json!([{"mesh": 0}]));
            file.mesh(1);
            let input = file.floats("SCALAR", &[0.0, 1.0]);
            // Of equal count; a quaternion of (0.5, 0.5, 0.5, 0.5) is unit.
            let output = file.packed(&le(&[0.5f32; 32], f32::to_le_bytes), 5126, kind, 2);
            file.channel(0, path, "LINEAR", input, output);
            if kind == right {
                assert_eq!(file.model().clips[0].tracks().len(), 1, "{path}");
                continue;
            }
            let (place, text) = file.problem();
            assert_eq!(place, "/animations/0/samplers/0/output", "{path} from {kind}");
            assert!(text.contains(right) && text.contains(kind), "{text}");
        }
    }
    // Times must be floats; integers that are not normalized are no rotations.
    let mut file = File::of_nodes(json!([{}]));
    let times = file.packed(&[0, 1], 5121, "SCALAR", 2);
    let turns = file.packed(&[0, 0, 0, 127, 0, 0, 0, 127], 5120, "VEC4", 2);
    file.channel(0, "rotation", "LINEAR", times, turns);
    let places: Vec<_> = file.problems().into_iter().map(|p| p.place).collect();
    assert_eq!(places, ["/animations/0/samplers/0/input", "/animations/0/samplers/0/output"]);
}

#[test]
fn counts_of_keys_and_values_must_fit() {
    for (interpolation, times, values) in
        [("LINEAR", 3, 2), ("STEP", 2, 3), ("CUBICSPLINE", 2, 2), ("LINEAR", 2, 6), ("CUBICSPLINE", 2, 7)]
    {
        let mut file = File::of_nodes(json!([{}]));
        let times: Vec<f32> = (0..times).map(|t| t as f32).collect();
        file.animate(0, "scale", interpolation, &times, &vec![1.0; values * 3]);
        let problem = &file.problems()[0];
        assert!(matches!(problem.fault, Fault::Count { found, .. } if found == values), "{problem}");
    }
    // Weights count once for each target of the mesh.
    for (values, good) in [(4, true), (2, false), (6, false)] {
        let mut file = File::of_nodes(json!([{"mesh": 0}]));
        file.mesh(2);
        file.animate(0, "weights", "LINEAR", &[0.0, 1.0], &[0.0, 0.25, 0.5, 1.0, 0.0, 0.0][..values]);
        assert_eq!(file.load().is_ok(), good, "{values}");
        if good {
            assert_eq!(pose(&file.model(), 0, 0.5).curves, [0.25, 0.625]);
        }
    }
}

#[test]
fn normalized_integers_are_read_as_the_format_says() {
    // glTF 2.0, 3.11: f = max(c / 127, -1), c / 255, max(c / 32767, -1), c / 65535.
    let cases: [(u32, Vec<u8>, [f64; 4]); 4] = [
        (5120, vec![127, 0x80, 0x81, 64], [1.0, -1.0, -1.0, 64.0 / 127.0]),
        (5121, vec![255, 0, 128, 1], [1.0, 0.0, 128.0 / 255.0, 1.0 / 255.0]),
        (5122, le(&[32767i16, -32768, -32767, 100], i16::to_le_bytes), [1.0, -1.0, -1.0, 100.0 / 32767.0]),
        (5123, le(&[65535u16, 0, 32768, 1], u16::to_le_bytes), [1.0, 0.0, 32768.0 / 65535.0, 1.0 / 65535.0]),
    ];
    for (component, bytes, want) in cases {
        let mut file = File::of_nodes(json!([{"mesh": 0}]));
        file.mesh(1);
        let input = file.floats("SCALAR", &[0.0, 1.0, 2.0, 3.0]);
        let output = file.packed(&bytes, component, "SCALAR", 4);
        file.json["accessors"][output]["normalized"] = json!(true);
        file.channel(0, "weights", "STEP", input, output);
        let model = file.model();
        for (key, want) in want.into_iter().enumerate() {
            let got = f64::from(pose(&model, 0, key as f32).curves[0]);
            assert!((got - want).abs() < 1e-7, "{component}: {got} {want}");
        }
    }
    // A quarter turn about y in 16 bits.
    let mut file = File::of_nodes(json!([{}]));
    let input = file.floats("SCALAR", &[0.0]);
    let output = file.packed(&le(&[0i16, 23170, 0, 23170], i16::to_le_bytes), 5122, "VEC4", 1);
    file.json["accessors"][output]["normalized"] = json!(true);
    file.channel(0, "rotation", "LINEAR", input, output);
    let x = pose(&file.model(), 0, 0.0).locals[0].rotation * Vec3::X;
    assert!(x.x.abs() < 1e-4 && (x.z + 1.0).abs() < 1e-4, "{x:?}");
}

#[test]
fn strides_and_offsets_are_kept_to() {
    let mut file = File::of_nodes(json!([{}]));
    // Three elements of 12 bytes, 20 bytes apart, from byte 8 of the view on.
    let mut bytes = vec![0xEE; 8];
    for i in 0..3 {
        bytes.extend(le(&[i as f32, 10.0 + i as f32, 20.0], f32::to_le_bytes));
        bytes.extend([0xEE; 8]);
    }
    bytes.truncate(8 + 2 * 20 + 12);
    let input = file.floats("SCALAR", &[0.0, 1.0, 2.0]);
    let output = file.packed(&bytes, 5126, "VEC3", 3);
    file.json["accessors"][output]["byteOffset"] = json!(8);
    let view = file.json["accessors"][output]["bufferView"].as_u64().unwrap() as usize;
    file.json["bufferViews"][view]["byteStride"] = json!(20);
    file.channel(0, "translation", "STEP", input, output);
    let model = file.model();
    for i in 0..3 {
        let t = pose(&model, 0, i as f32).locals[0].translation;
        assert_eq!((t.x, t.y, t.z), (i as f32, 10.0 + i as f32, 20.0));
    }
    for (key, value, at) in [
        ("byteOffset", json!(12), "/accessors/1"),
        ("byteOffset", json!(6), "/accessors/1/byteOffset"),
        ("count", json!(4), "/accessors/1"),
        ("byteOffset", json!(-8), "/accessors/1/byteOffset"),
        ("count", json!(0), "/accessors/1/count"),
        ("count", json!(u64::MAX), "/accessors/1/count"),
        ("componentType", json!(5124), "/accessors/1/componentType"),
        ("bufferView", json!(9), "/accessors/1/bufferView"),
    ] {
        let mut bad = file.clone();
        bad.json["accessors"][output][key] = value.clone();
        assert!(bad.problems().iter().any(|p| p.place == at), "{key} {value}: {:?}", bad.problems());
    }
    for stride in [8, 0, 3, 256, 18] {
        let mut bad = file.clone();
        bad.json["bufferViews"][view]["byteStride"] = json!(stride);
        assert!(matches!(bad.problems()[0].fault, Fault::Stride { .. }), "{stride}");
    }
}

#[test]
fn accessors_without_data_are_zeros_and_sparse_ones_change_some() {
    let mut file = File::of_nodes(json!([{"translation": [9.0, 9.0, 9.0]}]));
    let input = file.floats("SCALAR", &[0.0, 1.0, 2.0]);
    let output = file.push("accessors", json!({"componentType": 5126, "count": 3, "type": "VEC3"}));
    file.channel(0, "translation", "LINEAR", input, output);
    let model = file.model();
    for t in [0.0, 0.5, 1.0, 2.0, 9.0] {
        assert_eq!(pose(&model, 0, t).locals[0].translation, Vec3::ZERO);
    }
    let indices = [(5121, vec![2u8]), (5123, vec![2, 0]), (5125, vec![2, 0, 0, 0])];
    for (component, bytes) in indices {
        let mut sparse = file.clone();
        let at = sparse.view(&bytes);
        let values = sparse.view(&le(&[4.0f32, 5.0, 6.0], f32::to_le_bytes));
        sparse.json["accessors"][output]["sparse"] = json!({"count": 1,
            "indices": {"bufferView": at, "componentType": component}, "values": {"bufferView": values}});
        let model = sparse.model();
        assert_eq!(pose(&model, 0, 1.0).locals[0].translation, Vec3::ZERO);
        assert_eq!(pose(&model, 0, 2.0).locals[0].translation, Vec3::new(4.0, 5.0, 6.0));
        // The same over data.
        let mut over = sparse.clone();
        let base = over.view(&le(&[7.0f32; 9], f32::to_le_bytes));
        over.json["accessors"][output]["bufferView"] = json!(base);
        let model = over.model();
        assert_eq!(pose(&model, 0, 1.0).locals[0].translation, Vec3::new(7.0, 7.0, 7.0));
        assert_eq!(pose(&model, 0, 2.0).locals[0].translation, Vec3::new(4.0, 5.0, 6.0));
        for (key, value) in [
            ("count", json!(2)),
            ("count", json!(0)),
            ("count", json!(4_000_000_000u64)),
            ("indices", Value::Null),
            ("values", json!({"bufferView": 99})),
            ("indices", json!({"bufferView": at, "componentType": 5126})),
            ("indices", json!({"bufferView": input, "componentType": 5125, "byteOffset": 4})),
        ] {
            let mut bad = sparse.clone();
            bad.json["accessors"][output]["sparse"][key] = value.clone();
            let problems = bad.problems();
            assert!(problems[0].place.starts_with("/accessors/1/sparse"), "{key} {value}: {problems:?}");
        }
    }
    // Indices rise strictly.
    for pair in [[1, 1], [2, 0], [0, 3]] {
        let mut bad = file.clone();
        let at = bad.view(&pair);
        let values = bad.view(&[0; 24]);
        bad.json["accessors"][output]["sparse"] = json!({"count": 2,
            "indices": {"bufferView": at, "componentType": 5121}, "values": {"bufferView": values}});
        assert!(matches!(bad.problems()[0].fault, Fault::SparseIndex { position: 1, .. }), "{pair:?}");
    }
}

#[test]
fn keys_out_of_order_and_values_that_are_no_numbers_are_refused() {
    let file = |times: &[f32], values: &[f32]| {
        let mut file = File::of_nodes(json!([{}]));
        file.animate(0, "translation", "LINEAR", times, values);
        file
    };
    for times in [[0.0, 2.0, 1.0], [-1.0, 0.0, 1.0]] {
        let (place, text) = file(&times, &[0.0; 9]).problem();
        assert_eq!(place, "/animations/0/samplers/0/input");
        assert!(text.contains("key"), "{text}");
    }
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let (place, _) = file(&[0.0, 1.0, bad], &[0.0; 9]).problem();
        assert_eq!(place, "/accessors/0/2");
        let mut values = [0.0; 9];
        values[5] = bad;
        assert_eq!(file(&[0.0, 1.0, 2.0], &values).problem().0, "/accessors/1/1");
    }
    // Equal times are odd but clear: the later key counts.
    let equal = file(&[0.0, 1.0, 1.0], &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 5.0, 0.0, 0.0]).model();
    assert_eq!(pose(&equal, 0, 0.5).locals[0].translation.x, 0.5);
    assert_eq!(pose(&equal, 0, 1.0).locals[0].translation.x, 5.0);
    // A first key after 0 is held before it, and the clip still begins at 0.
    let late = file(&[1.5, 2.0, 2.5], &[3.0, 0.0, 0.0, 4.0, 0.0, 0.0, 5.0, 0.0, 0.0]).model();
    assert_eq!((late.clips[0].duration(), pose(&late, 0, 0.0).locals[0].translation.x), (2.5, 3.0));
}

#[test]
fn node_cycles_and_two_parents_name_the_node() {
    let cycle = json!([{"name": "a", "children": [1]}, {"name": "b", "children": [2]}, {"name": "c", "children": [0]}]);
    let (place, text) = File::of_nodes(cycle).problem();
    assert!(place.starts_with("/nodes/") && text.contains("its own ancestor"), "{place}: {text}");
    let own = json!([{}, {}, {}, {"name": "self", "children": [3]}]);
    let (place, text) = File::of_nodes(own).problem();
    assert!(place == "/nodes/3" && text.contains("self"), "{place}: {text}");
    let two = json!([{"children": [2]}, {"children": [2]}, {"name": "shared"}]);
    let (place, text) = File::of_nodes(two).problem();
    assert!(place == "/nodes/1/children/0" && text.contains("shared"), "{place}: {text}");
    let twice = json!([{"children": [1, 1]}, {}]);
    assert!(matches!(
        File::of_nodes(twice).problems()[0].fault,
        Fault::TwoParents { node: 1, first: 0, second: 0, .. }
    ));
    let out = json!([{"children": [7]}]);
    assert_eq!(File::of_nodes(out).problem().0, "/nodes/0/children/0");
}

#[test]
fn a_chain_of_100_000_nodes_loads_on_a_small_stack() {
    let count = 100_000usize;
    let nodes = (0..count).map(|i| match i + 1 < count {
        true => json!({"translation": [0.0, 1.0, 0.0], "children": [i + 1]}),
        false => json!({"translation": [0.0, 1.0, 0.0]}),
    });
    let text = File::of_nodes(nodes.collect()).text();
    let run = move || {
        let model = load_bytes(&text, None).unwrap();
        let world = world_matrices(&model, &Pose::rest(&model.skeleton));
        (model.skeleton.len(), world[99_999][13])
    };
    let thread = std::thread::Builder::new().stack_size(512 * 1024).spawn(run).unwrap();
    assert_eq!(thread.join().unwrap(), (count, 100_000.0));
}

#[test]
fn json_nested_without_end_is_an_error() {
    for open in ["[", "{\"a\":"] {
        let text = format!("{{\"asset\":{{\"version\":\"2.0\"}},\"extras\":{}", open.repeat(100_000));
        assert!(matches!(load_bytes(text.as_bytes(), None), Err(GltfError::Json { .. })));
    }
}

#[test]
fn joints_outside_of_the_scene_are_loaded() {
    let mut file =
        File::of_nodes(json!([{"name": "shown"}, {"name": "apart", "children": [2]}, {"name": "hand"}]));
    file.json["scenes"] = json!([{"nodes": [0]}]);
    file.json["scene"] = json!(0);
    file.push("skins", json!({"joints": [2, 1]}));
    file.animate(2, "translation", "LINEAR", &[0.0], &[1.0, 2.0, 3.0]);
    let model = file.model();
    assert_eq!(model.skins[0].joints, [2, 1]);
    assert_eq!(model.skins[0].inverse_bind, [matrix::IDENTITY; 2]);
    assert_eq!(pose(&model, 0, 0.0).locals[2].translation, Vec3::new(1.0, 2.0, 3.0));
    file.json["skins"][0]["joints"] = json!([2, 3]);
    let (place, text) = file.problem();
    assert!(place == "/skins/0/joints/1" && text.contains('3'), "{place}: {text}");
    file.json["skins"][0]["joints"] = json!([]);
    assert_eq!(file.problem().0, "/skins/0/joints");
}

#[test]
fn nodes_may_be_unnamed_and_share_names() {
    let model = File::of_nodes(json!([{"name": "arm"}, {}, {"name": "arm"}, {"name": "node_1"}])).model();
    let names: Vec<_> = model.skeleton.joints().iter().map(|j| j.name.as_str()).collect();
    assert_eq!((names[0], names[3]), ("arm", "node_1"));
    let distinct: std::collections::HashSet<_> = names.iter().collect();
    assert_eq!(distinct.len(), 4);
    assert_eq!(model.skeleton.source_name(2), "arm");
}

#[test]
fn mirrored_flat_and_plain_matrices_are_taken_apart_and_put_together() {
    // 40° about (1, 2, 3), in double precision.
    let l = 14f64.sqrt();
    let [x, y, z] = [1.0 / l, 2.0 / l, 3.0 / l];
    let (s, c) = 40f64.to_radians().sin_cos();
    let k = 1.0 - c;
    let columns = [
        [c + x * x * k, y * x * k + z * s, z * x * k - y * s],
        [x * y * k - z * s, c + y * y * k, z * y * k + x * s],
        [x * z * k + y * s, y * z * k - x * s, c + z * z * k],
    ];
    for scale in
        [[1.0, 1.0, -1.0], [-1.0, 1.0, 1.0], [-2.0, -3.0, -0.5], [0.0, 1.0, 1.0], [0.0; 3], [2.0, 3.0, 4.0]]
    {
        let mut m = [0.0; 16];
        for (c, column) in columns.iter().enumerate() {
            for (r, v) in column.iter().enumerate() {
                m[c * 4 + r] = v * scale[c];
            }
        }
        (m[12], m[13], m[14], m[15]) = (1.0, -2.0, 3.0, 1.0);
        let model = File::of_nodes(json!([{ "matrix": m }])).model();
        let q = model.skeleton.joints()[0].rest.rotation;
        assert!(((q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w) - 1.0).abs() < 1e-6);
        for (got, want) in world_matrices(&model, &Pose::rest(&model.skeleton))[0].iter().zip(m) {
            assert!((f64::from(*got) - want).abs() < 1e-5, "{scale:?}");
        }
    }
}

#[test]
fn matrices_whose_scale_no_float_holds_are_refused() {
    let mut m: [f64; 16] = [0.0; 16];
    (m[0], m[5], m[10], m[15]) = (3e38, 1.0, 1.0, 1.0);
    let model = File::of_nodes(json!([{ "matrix": m }])).model();
    assert!(model.skeleton.joints()[0].rest.is_finite(), "one huge number is a huge scale");
    // Each number fits, the length of the column does not.
    (m[1], m[2]) = (3e38, 3e38);
    let (place, text) = File::of_nodes(json!([{}, { "matrix": m }])).problem();
    assert!(place == "/nodes/1/matrix" && text.contains("finite"), "{place}: {text}");
    for (key, value, at) in [
        ("translation", json!([0.0, 1e39, 0.0]), "/nodes/0/translation/1"),
        ("scale", json!([1.0, 1.0]), "/nodes/0/scale"),
        ("rotation", json!([0, 0, "x", 1]), "/nodes/0/rotation/2"),
        ("matrix", json!([1.0]), "/nodes/0/matrix"),
    ] {
        assert_eq!(File::of_nodes(json!([{ key: value }])).problem().0, at);
    }
}

#[test]
fn an_unreadable_buffer_is_told_once_however_many_views_need_it() {
    let file = |buffer: Value| {
        let mut file = File::of_nodes(named(20));
        for node in 0..20 {
            file.animate(node, "scale", "LINEAR", &[0.0, 1.0], &[1.0; 6]);
        }
        file.json["buffers"] = json!([buffer]);
        file
    };
    let (place, text) = file(json!({"byteLength": 10_000, "uri": "gone.bin"})).problem();
    assert!(place == "/buffers/0" && text.contains("gone.bin"), "{place}: {text}");
    let (place, text) = file(json!({"byteLength": 10_000, "uri": "data:;base64,????"})).problem();
    assert!(place == "/buffers/0" && text.contains("base64"), "{place}: {text}");
    // One that is too short, likewise.
    let (place, text) = file(json!({"byteLength": 10_000, "uri": "data:;base64,AAAA"})).problem();
    assert!(place == "/buffers/0/byteLength" && text.contains("10000"), "{place}: {text}");
    // Two of them are two problems.
    let mut two = file(json!({"byteLength": 10_000, "uri": "gone.bin"}));
    two.push("buffers", json!({"byteLength": 10_000, "uri": "lost.bin"}));
    two.json["bufferViews"][3]["buffer"] = json!(1);
    two.json["bufferViews"][7]["buffer"] = json!(1);
    let places: Vec<_> = two.problems().into_iter().map(|p| p.place).collect();
    assert_eq!(places, ["/buffers/0", "/buffers/1"]);
    // What nothing for motion needs is a warning.
    let mut unused = File::of_nodes(named(1));
    unused.json["buffers"] = json!([{"byteLength": 4, "uri": "gone.bin"}]);
    assert_eq!(unused.model().warnings.len(), 1);
}

#[test]
fn the_version_that_a_file_needs_decides() {
    for (asset, good) in [
        (json!({"version": "2.0"}), true),
        (json!({"version": "2.1"}), true),
        (json!({"version": "2.0", "minVersion": "2.0"}), true),
        (json!({"version": "2.7", "minVersion": "2.0"}), true),
        (json!({"version": "3.0", "minVersion": "2.0"}), true),
        (json!({"version": "2.1", "minVersion": "2.1"}), false),
        (json!({"version": "2.0", "minVersion": "3.0"}), false),
        (json!({"version": "2.0", "minVersion": "two"}), false),
        (json!({"version": "2.0", "minVersion": 2.0}), false),
        (json!({"version": "1.0"}), false),
        (json!({"version": "3.0"}), false),
        (json!({"version": 2.0}), false),
        (json!({"version": ""}), false),
        (json!({}), false),
        (json!([]), false),
    ] {
        let mut file = File::of_nodes(named(1));
        file.json["asset"] = asset.clone();
        assert_eq!(file.load().is_ok(), good, "{asset}");
        if !good {
            let (place, text) = file.problem();
            let at = if asset.get("minVersion").is_some() { "/asset/minVersion" } else { "/asset/version" };
            assert_eq!(place, at, "{asset}: {text}");
        }
    }
}

#[test]
fn channels_without_a_target_here_are_passed_over_and_doubles_are_told() {
    let mut file = File::of_nodes(named(1));
    file.animate(0, "translation", "STEP", &[0.0], &[1.0, 0.0, 0.0]);
    file.animate(0, "translation", "STEP", &[0.0], &[2.0, 0.0, 0.0]);
    file.animate(0, "pointer", "STEP", &[0.0], &[3.0, 0.0, 0.0]);
    file.animate(0, "weights", "STEP", &[0.0], &[1.0]);
    file.animate(0, "scale", "STEP", &[0.0], &[4.0, 4.0, 4.0]);
    let target = &mut file.json["animations"][0]["channels"][4]["target"];
    target.as_object_mut().unwrap().remove("node");
    let model = file.model();
    assert_eq!(model.clips[0].tracks().len(), 1);
    assert_eq!(pose(&model, 0, 0.0).locals[0].translation.x, 2.0, "the last of two channels counts");
    assert_eq!(model.warnings.len(), 3, "{:?}", model.warnings);
    // Broken references are errors with their place.
    for (pointer, value, at) in [
        ("/animations/0/channels/0/sampler", json!(9), "/animations/0/channels/0/sampler"),
        ("/animations/0/channels/0/target/node", json!(9), "/animations/0/channels/0/target/node"),
        ("/animations/0/samplers/0/input", json!(99), "/animations/0/samplers/0/input"),
        (
            "/animations/0/samplers/0/interpolation",
            json!("CATMULL"),
            "/animations/0/samplers/0/interpolation",
        ),
        ("/animations/0/channels", json!(3), "/animations/0/channels"),
        ("/animations/0/samplers/0", json!(null), "/animations/0/samplers/0"),
    ] {
        let mut bad = file.clone();
        *bad.json.pointer_mut(pointer).unwrap() = value;
        assert!(bad.problems().iter().any(|p| p.place == at), "{pointer}: {:?}", bad.problems());
    }
}

#[test]
fn problems_are_told_all_at_once_up_to_a_bound() {
    let nodes: Value = (0..1000).map(|_| json!({"translation": [1.0]})).collect();
    let Err(GltfError::Invalid { problems, more }) = File::of_nodes(nodes).load() else { panic!() };
    assert_eq!((problems.len(), more), (MAX_PROBLEMS, 1000 - MAX_PROBLEMS));
}

#[test]
fn huge_counts_ask_for_no_memory() {
    for count in [1u64 << 28, 1 << 32, 1 << 53, u64::MAX] {
        let mut file = File::of_nodes(json!([{}]));
        let input = file.push("accessors", json!({"componentType": 5126, "count": count, "type": "SCALAR"}));
        let output = file.push("accessors", json!({"componentType": 5126, "count": count, "type": "VEC3"}));
        file.channel(0, "translation", "LINEAR", input, output);
        let problems = file.problems();
        assert!(matches!(problems[0].fault, Fault::TooLarge { .. }), "{count}: {problems:?}");
    }
    // Many small accessors without data add up.
    let mut file = File::of_nodes(named(1));
    for _ in 0..200 {
        let input = file.push("accessors", json!({"componentType": 5126, "count": 10_000, "type": "SCALAR"}));
        file.channel(0, "scale", "STEP", input, input);
    }
    assert!(file.problems().iter().any(|p| matches!(p.fault, Fault::TooLarge { .. })));
    // Buffers and views past the end of what there is.
    for (pointer, value) in [
        ("/bufferViews/0/byteLength", json!(u64::MAX)),
        ("/bufferViews/0/byteOffset", json!(u64::MAX)),
        ("/bufferViews/0/byteOffset", json!(1u64 << 40)),
        ("/bufferViews/0/buffer", json!(1)),
    ] {
        let mut file = File::of_nodes(json!([{}]));
        file.animate(0, "scale", "LINEAR", &[0.0, 1.0], &[1.0; 6]);
        *file.json.pointer_mut(pointer).unwrap() = value;
        assert!(file.problem().0.starts_with("/bufferViews/0"), "{pointer}");
    }
}

/// A small file with something of everything.
fn all_kinds() -> File {
    let mut file = File::of_nodes(json!([{"name": "root", "children": [1], "mesh": 0},
        {"name": "tip", "matrix": [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 2.0, 3.0, 1.0]}]));
    file.mesh(1);
    file.push("skins", json!({"joints": [0, 1]}));
    file.animate(0, "translation", "LINEAR", &[0.0, 1.0], &[0.0, 0.0, 0.0, 1.0, 2.0, 3.0]);
    file.animate(
        1,
        "rotation",
        "CUBICSPLINE",
        &[0.5],
        &[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0],
    );
    file.animate(0, "weights", "STEP", &[0.0], &[0.5]);
    file
}

/// What any loaded file must hold to.
fn check(bytes: &[u8]) {
    let Ok(model) = load_bytes(bytes, None) else { return };
    for (i, clip) in model.clips.iter().enumerate() {
        assert!(clip.duration().is_finite());
        for t in [0.0, clip.duration() * 0.5, clip.duration()] {
            let pose = pose(&model, i, t);
            assert!(pose.locals.iter().all(|l| l.is_finite()) && pose.curves.iter().all(|c| c.is_finite()));
        }
    }
    // What is written from it is read again.
    if let Ok(glb) = model.to_glb(&model.clips, Default::default()) {
        let again =
            load_bytes(&glb, None).unwrap_or_else(|e| panic!("{e}\n{}", String::from_utf8_lossy(bytes)));
        assert_eq!(again.clips.len(), model.clips.len());
    }
}

#[test]
fn no_cut_and_no_changed_byte_makes_it_panic() {
    let file = all_kinds();
    assert_eq!(load_bytes(&file.glb(), None).unwrap().clips[0].tracks().len(), 3);
    assert_eq!(load_bytes(&file.glb(), None).unwrap().clips, file.model().clips);
    let mut random = Random::new(3, 0);
    for bytes in [file.glb(), file.text()] {
        for end in 0..bytes.len() {
            check(&bytes[..end]);
        }
        for i in 0..bytes.len() {
            let mut changed = bytes.clone();
            let replacements = [b'0', b'9', b'-', b'"', 0x00, 0x7F, 0xFF];
            changed[i] = replacements[(random.unit() * 7.0) as usize % 7];
            check(&changed);
            changed[i] = bytes[i] ^ (1 << ((random.unit() * 8.0) as u32 % 8));
            check(&changed);
        }
    }
}

#[test]
fn text_that_is_not_utf_8_is_an_error_with_its_place() {
    let glb = all_kinds().glb();
    let at = glb.windows(4).position(|w| w == b"root").unwrap();
    let mut bad = glb.clone();
    bad[at] = 0xFF;
    let error = load_bytes(&bad, None).unwrap_err().to_string();
    assert!(error.contains("UTF-8") && error.contains(&(at - 20).to_string()), "{error}");
}

#[test]
fn broken_containers_say_what_is_wrong() {
    let glb = all_kinds().glb();
    let with = |at: usize, bytes: &[u8]| {
        let mut glb = glb.clone();
        glb[at..at + bytes.len()].copy_from_slice(bytes);
        glb
    };
    let longer = (glb.len() as u32 + 1).to_le_bytes();
    for (bytes, what) in [
        (Vec::new(), "glTF"),
        (b"PK\x03\x04".to_vec(), "glTF"),
        (glb[..11].to_vec(), "header"),
        (with(4, &[1]), "version 1"),
        (with(8, &longer), "copy the file"),
        (with(8, &[0, 0, 0, 0]), "copy the file"),
        (with(12, &[0xFF, 0xFF, 0xFF, 0xFF]), "passes the file's end"),
        (with(16, b"BIN\0"), "not JSON"),
        (glb[..12].iter().copied().take(8).chain(12u32.to_le_bytes()).collect(), "JSON chunk is missing"),
        (with(20, b"[["), "line 1"),
    ] {
        let error = load_bytes(&bytes, None).unwrap_err().to_string();
        assert!(error.contains(what), "{what}: {error}");
    }
    // Bytes behind the end that the header states are not the file's.
    let mut trailing = glb.clone();
    trailing.extend([0xEE; 7]);
    assert_eq!(load_bytes(&trailing, None).unwrap().clips, load_bytes(&glb, None).unwrap().clips);
    // A byte order mark before text.
    let mut marked = b"\xEF\xBB\xBF".to_vec();
    marked.extend(all_kinds().text());
    assert!(load_bytes(&marked, None).is_ok());
}

#[test]
fn buffers_beside_the_file_are_read_from_its_folder_alone() {
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("in side");
    std::fs::create_dir(&inside).unwrap();
    let mut file = File::of_nodes(json!([{}]));
    file.animate(0, "translation", "LINEAR", &[0.0, 1.0], &[0.0, 0.0, 0.0, 1.0, 2.0, 3.0]);
    std::fs::write(inside.join("a b.bin"), &file.bin).unwrap();
    std::fs::write(folder.path().join("out.bin"), &file.bin).unwrap();
    let path = inside.join("m.gltf");
    for (uri, good) in [
        ("a%20b.bin", true),
        ("./a b.bin", true),
        ("../out.bin", false),
        ("%2e%2e/out.bin", false),
        ("x/../../out.bin", false),
        ("/etc/hostname", false),
        ("file:///etc/hostname", false),
        ("http://x/y", false),
        (".", false),
    ] {
        file.json["buffers"] = json!([{"byteLength": file.bin.len(), "uri": uri}]);
        std::fs::write(&path, file.text()).unwrap();
        let loaded = load(&path);
        assert_eq!(loaded.is_ok(), good, "{uri}");
        match loaded {
            Ok(model) => assert_eq!(pose(&model, 0, 0.5).locals[0].translation, Vec3::new(0.5, 1.0, 1.5)),
            Err(error) => assert!(error.to_string().starts_with("/buffers/0"), "{uri}: {error}"),
        }
    }
    assert!(matches!(load(inside.join("none.glb")), Err(GltfError::Read { .. })));
}
