//! Nodes to a skeleton, skins, and what is worth knowing of the meshes.

use serde_json::Value;

use super::{
    accessor::{Decoder, Want},
    document::{Document, shorten},
    error::{Fault, Place, Report},
};
use crate::{
    anim::{Curve, Joint, Skeleton},
    io::{
        matrix::{self, Matrix},
        model::{MeshInfo, PrimitiveInfo, Skin},
    },
    math::{Quat, Transform, Vec3},
};

/// The skeleton of all nodes, and the matrices of those whose transform no T·R·S can express.
pub(super) fn skeleton(
    document: &Document,
    decoder: &mut Decoder<'_>,
    report: &mut Report,
) -> (Skeleton, Vec<(usize, Matrix)>) {
    let nodes = report.list(&document.json, "nodes", &Place::ROOT);
    let list = Place::ROOT.key("nodes");
    let mut joints = Vec::with_capacity(nodes.len());
    let mut sheared = Vec::new();
    for (i, node) in nodes.iter().enumerate() {
        let at = list.index(i);
        let mut rest = Transform::IDENTITY;
        let mut name = "";
        if report.object(node, &at) {
            name = report.text(node, "name", &at).unwrap_or_default();
            if let Some(m) = report.numbers::<16>(node, "matrix", &at) {
                rest = matrix::decompose(&m);
                if !rest.is_finite() {
                    report.problem(&at.key("matrix"), Fault::NotFinite);
                } else if matrix::is_sheared(&m) {
                    sheared.push((i, m));
                }
            } else {
                rest = trs(node, &at, report);
            }
        }
        joints.push(Joint { name: name.to_owned(), parent: None, rest });
    }
    for (i, node) in nodes.iter().enumerate() {
        let at = list.index(i);
        let at = at.key("children");
        for (c, child) in report.list(node, "children", &list.index(i)).iter().enumerate() {
            let at = at.index(c);
            let Some(child) = report.whole_value(child, &at) else { continue };
            let Some(child) = report.in_range(child, &at, "nodes", nodes.len()) else { continue };
            let Some(joint) = joints.get_mut(child) else { continue };
            match joint.parent {
                None => joint.parent = Some(i),
                Some(first) => {
                    let name = shorten(&joint.name);
                    report.problem(&at, Fault::TwoParents { node: child, name, first, second: i });
                }
            }
        }
    }
    let curves = curves(document, nodes, &joints, decoder, report);
    match Skeleton::with_curves(joints, curves) {
        Ok(skeleton) => (skeleton, sheared),
        Err(error) => {
            if let crate::anim::SkeletonError::Cycle { joint, name } = error {
                report.problem(&list.index(joint), Fault::Cycle { node: joint, name: shorten(&name) });
            } else {
                report.problem(&list, Fault::WrongType { expected: "nodes that form trees" });
            }
            (Skeleton::default(), Vec::new())
        }
    }
}

/// A node's T·R·S properties. Rotations that are a little off unit length are normalized.
fn trs(node: &Value, at: &Place<'_>, report: &mut Report) -> Transform {
    let mut out = Transform::IDENTITY;
    if let Some([x, y, z]) = report.numbers(node, "translation", at) {
        out.translation = Vec3::new(x, y, z);
    }
    if let Some([x, y, z]) = report.numbers(node, "scale", at) {
        out.scale = Vec3::new(x, y, z);
    }
    if let Some(q) = report.numbers::<4>(node, "rotation", at) {
        let length = q.iter().map(|&c| f64::from(c) * f64::from(c)).sum::<f64>().sqrt();
        if length > 0.0 {
            let [x, y, z, w] = q.map(|c| (f64::from(c) / length) as f32);
            out.rotation = Quat::new(x, y, z, w);
        } else {
            report.warn(&at.key("rotation"), Fault::BadValue { found: "a quaternion of length 0".into() });
        }
    }
    out
}

/// One curve for each morph target of each node with a mesh.
fn curves(
    document: &Document,
    nodes: &[Value],
    joints: &[Joint],
    decoder: &mut Decoder<'_>,
    report: &mut Report,
) -> Vec<Curve> {
    let meshes = report.list(&document.json, "meshes", &Place::ROOT);
    let list = Place::ROOT.key("nodes");
    let mut out = Vec::new();
    for (i, (node, joint)) in nodes.iter().zip(joints).enumerate() {
        let at = list.index(i);
        let Some(mesh) = report.reference(node, "mesh", &at, "meshes", meshes.len()) else { continue };
        let Some(mesh) = meshes.get(mesh) else { continue };
        let targets = targets(mesh);
        // A file may hang one mesh with many targets on many nodes.
        let bytes = (targets as u64).saturating_mul(128 + joint.name.len() as u64);
        if let Err(fault) = decoder.charge(bytes) {
            report.problem(&at.key("mesh"), fault);
            return Vec::new();
        }
        let names = mesh.get("extras").and_then(|e| e.get("targetNames")).and_then(Value::as_array);
        let weights = [node, mesh].into_iter().find_map(|v| v.get("weights")?.as_array());
        for target in 0..targets {
            let target_name = names.and_then(|n| n.get(target)?.as_str()).map(shorten);
            let target_name = target_name.unwrap_or_else(|| format!("target_{target}"));
            let rest = weights.and_then(|w| w.get(target)?.as_f64()).unwrap_or(0.0) as f32;
            let rest = if rest.is_finite() { rest } else { 0.0 };
            out.push(Curve { name: format!("{}.{target_name}", joint.name), joint: i, rest });
        }
    }
    out
}

/// Morph targets of a mesh: its first primitive's, as all must have the same.
pub(super) fn targets(mesh: &Value) -> usize {
    let first = mesh.get("primitives").and_then(|p| p.get(0));
    first.and_then(|p| p.get("targets")?.as_array()).map_or(0, Vec::len)
}

/// Skins. Joints may lie outside of the scene; every index is checked.
pub(super) fn skins(
    document: &Document,
    nodes: usize,
    decoder: &mut Decoder<'_>,
    report: &mut Report,
) -> Vec<Skin> {
    let list = Place::ROOT.key("skins");
    let mut out = Vec::new();
    for (i, skin) in report.list(&document.json, "skins", &Place::ROOT).iter().enumerate() {
        let at = list.index(i);
        if !report.object(skin, &at) {
            continue;
        }
        let name = report.text(skin, "name", &at).unwrap_or_default().to_owned();
        let root = report.reference(skin, "skeleton", &at, "nodes", nodes);
        let at_joints = at.key("joints");
        let mut joints = Vec::new();
        for (j, joint) in report.list(skin, "joints", &at).iter().enumerate() {
            let at = at_joints.index(j);
            let index = report.whole_value(joint, &at).and_then(|n| report.in_range(n, &at, "nodes", nodes));
            joints.push(index.unwrap_or(0));
        }
        if joints.is_empty() {
            report.problem(&at_joints, Fault::Count { expected: 1, found: 0 });
            continue;
        }
        let inverse_bind =
            match report.reference(skin, "inverseBindMatrices", &at, "accessors", decoder.len()) {
                None => {
                    if let Err(fault) = decoder.charge(joints.len() as u64 * 64) {
                        report.problem(&at_joints, fault);
                        continue;
                    }
                    vec![matrix::IDENTITY; joints.len()]
                }
                Some(accessor) => {
                    let at = at.key("inverseBindMatrices");
                    let Some(floats) = decoder.floats(accessor, Want::Mat4, &at, report) else { continue };
                    let (matrices, _) = floats.as_chunks::<16>();
                    if matrices.len() < joints.len() {
                        let (expected, found) = (joints.len(), matrices.len());
                        report.problem(&at, Fault::Count { expected, found });
                        continue;
                    }
                    matrices.iter().take(joints.len()).copied().collect()
                }
            };
        out.push(Skin { name, joints, inverse_bind, root });
    }
    out
}

/// Mesh summaries. Nothing here is needed for motion, so what is odd is left out, not refused.
pub(super) fn meshes(document: &Document, report: &mut Report) -> Vec<MeshInfo> {
    let accessors = report.list(&document.json, "accessors", &Place::ROOT);
    let count_of = |index: Option<&Value>| {
        let accessor = accessors.get(usize::try_from(index?.as_u64()?).ok()?)?;
        accessor.get("count")?.as_u64()
    };
    let corner = |accessor: Option<&Value>, key: &str| -> Option<[f32; 3]> {
        let list = accessor?.get(key)?.as_array()?;
        let mut out = [0.0; 3];
        for (out, v) in out.iter_mut().zip(list) {
            *out = v.as_f64()? as f32;
        }
        (list.len() == 3 && out.iter().all(|v| v.is_finite())).then_some(out)
    };
    let primitive = |p: &Value| {
        let attribute = |name: &str| p.get("attributes").and_then(|a| a.get(name));
        let position = attribute("POSITION").and_then(|i| accessors.get(usize::try_from(i.as_u64()?).ok()?));
        PrimitiveInfo {
            vertices: count_of(attribute("POSITION")).unwrap_or(0),
            indices: count_of(p.get("indices")).unwrap_or(0),
            mode: p.get("mode").and_then(Value::as_u64).unwrap_or(4),
            skinned: attribute("JOINTS_0").is_some(),
            bounds: corner(position, "min").zip(corner(position, "max")),
        }
    };
    let meshes = report.list(&document.json, "meshes", &Place::ROOT);
    meshes
        .iter()
        .map(|mesh| MeshInfo {
            name: mesh.get("name").and_then(Value::as_str).unwrap_or_default().to_owned(),
            morph_targets: targets(mesh),
            primitives: match mesh.get("primitives").and_then(Value::as_array) {
                Some(list) => list.iter().map(primitive).collect(),
                None => Vec::new(),
            },
        })
        .collect()
}
