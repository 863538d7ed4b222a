//! The elements that a rig declares, for the program.

use std::collections::BTreeMap;

use super::diagnostic::{At, Code, Problems};
use super::symbols::Symbols;
use crate::graph::{self, ElementDecl, Literal, Rig, TransformDecl};
use crate::hierarchy::{
    ControlKind, ControlSettings, ElementId, ElementKey, ElementKind, ElementSpec, Parent,
};
use crate::math::{Quat, Transform, Vec3};
use crate::vm::DeclaredElement;

/// Declared elements, parents before what hangs on them.
pub(super) fn declare<'r>(
    rig: &'r Rig,
    symbols: &mut Symbols<'r>,
    problems: &mut Problems,
) -> Vec<DeclaredElement> {
    let mut out = Vec::new();
    for key in order(rig, problems) {
        let decl = &rig.elements[key];
        let text = key.to_string();
        let at = At { node: &text, ..At::rig() };
        let mut parents: Vec<(Option<&ElementKey>, f32)> = Vec::new();
        if decl.parent.is_some() || !decl.spaces.is_empty() {
            parents.push((decl.parent.as_ref(), 1.0));
        }
        for space in &decl.spaces {
            parents.push((space.parent.as_ref(), space.weight.unwrap_or(0.0) as f32));
        }
        if key.kind == ElementKind::Bone {
            let remedy = "declare a null, control, socket or curve";
            problems.error(Code::BadElement, &at, "bones come from the skeleton", remedy);
            continue;
        }
        let mut spec = ElementSpec::new(key.clone(), ElementId::NONE);
        spec.initial = transform(decl.transform.as_ref());
        spec.value = decl.value.unwrap_or(0.0) as f32;
        spec.parents =
            parents.iter().map(|(_, weight)| Parent { id: ElementId::NONE, weight: *weight }).collect();
        if let Some(control) = &decl.control {
            spec.initial = spec.initial * transform(control.offset.as_ref());
            spec.control = Some(settings(control, &at, problems));
        } else if key.kind == ElementKind::Control {
            spec.control = Some(ControlSettings::default());
        }
        if !spec.initial.is_finite() || !spec.value.is_finite() {
            problems.error(Code::BadElement, &at, "its transform or value is beyond single precision", "");
            continue;
        }
        let keys = parents.iter().map(|(k, _)| k.map(|k| symbols.key(k, &text))).collect();
        out.push(DeclaredElement { spec, parents: keys });
    }
    out
}

/// Keys with parents first; circles are told and left out.
fn order<'r>(rig: &'r Rig, problems: &mut Problems) -> Vec<&'r ElementKey> {
    let mut done: BTreeMap<&ElementKey, ()> = BTreeMap::new();
    let mut waiting: Vec<&ElementKey> = rig.elements.keys().collect();
    let mut out = Vec::new();
    let declared = |k: &&ElementKey| rig.elements.contains_key(*k);
    loop {
        let before = waiting.len();
        waiting.retain(|key| {
            let ready = parents(&rig.elements[*key]).filter(declared).all(|p| done.contains_key(p));
            if ready {
                done.insert(key, ());
                out.push(*key);
            }
            !ready
        });
        if waiting.len() == before {
            break;
        }
    }
    if let Some(first) = waiting.first() {
        let names: Vec<_> = waiting.iter().map(ToString::to_string).collect();
        let text = first.to_string();
        let at = At { node: &text, ..At::rig() };
        let message = format!("elements hang on each other in a circle: {}", names.join(", "));
        problems.error(Code::BadElement, &at, message, "give one of them another parent");
    }
    out
}

fn parents(decl: &ElementDecl) -> impl Iterator<Item = &ElementKey> {
    decl.parent.iter().chain(decl.spaces.iter().filter_map(|s| s.parent.as_ref()))
}

fn vec3(v: [f64; 3]) -> Vec3 {
    Vec3::new(v[0] as f32, v[1] as f32, v[2] as f32)
}

fn transform(decl: Option<&TransformDecl>) -> Transform {
    let Some(d) = decl else { return Transform::IDENTITY };
    let rotation = d.rotation.map_or(Quat::IDENTITY, |q| {
        Quat::new(q[0] as f32, q[1] as f32, q[2] as f32, q[3] as f32).normalize()
    });
    Transform::new(d.translation.map_or(Vec3::ZERO, vec3), rotation, d.scale.map_or(Vec3::ONE, vec3))
}

fn settings(c: &graph::ControlDecl, at: &At<'_>, problems: &mut Problems) -> ControlSettings {
    let kind = match c.kind {
        graph::ControlKind::Bool => ControlKind::Bool,
        graph::ControlKind::Float => ControlKind::Float,
        graph::ControlKind::Int => ControlKind::Int,
        graph::ControlKind::Vec2 => ControlKind::Vec2,
        graph::ControlKind::Position => ControlKind::Position,
        graph::ControlKind::Rotation => ControlKind::Rotation,
        graph::ControlKind::Scale => ControlKind::Scale,
        graph::ControlKind::Transform => ControlKind::Transform,
    };
    let mut value = Transform::IDENTITY;
    if let Some(literal) = &c.value {
        match control_value(kind, literal) {
            Some(v) => value = v,
            None => problems.error(
                Code::BadLiteral,
                &at.pin("value"),
                "the value is not of the control's kind",
                "",
            ),
        }
    }
    let mut limit = |literal: &Option<Literal>, free: f32, pin: &'static str| {
        let literal = literal.as_ref()?;
        let found = limits(literal, free);
        if found.is_none() {
            problems.error(Code::BadLiteral, &at.pin(pin), "a limit is a number or a list of numbers", "");
        }
        found
    };
    let min = limit(&c.min, f32::NEG_INFINITY, "min");
    let max = limit(&c.max, f32::INFINITY, "max");
    let color = c.color.map_or([1.0, 0.8, 0.1, 1.0], |c| c.map(|v| v as f32));
    let shape_transform = transform(c.shape_transform.as_ref());
    ControlSettings { kind, value, min, max, shape: c.shape.clone(), shape_transform, color }
}

fn control_value(kind: ControlKind, l: &Literal) -> Option<Transform> {
    let at = Transform::from_translation;
    Some(match kind {
        ControlKind::Float | ControlKind::Int => at(Vec3::new(l.as_number()? as f32, 0.0, 0.0)),
        ControlKind::Bool => at(Vec3::new(if l.as_bool()? { 1.0 } else { 0.0 }, 0.0, 0.0)),
        ControlKind::Vec2 => {
            let [x, y] = l.as_numbers::<2>()?;
            at(Vec3::new(x as f32, y as f32, 0.0))
        }
        ControlKind::Position => at(vec3(l.as_numbers::<3>()?)),
        ControlKind::Rotation => Transform::from_rotation(quat(l)?),
        ControlKind::Scale => Transform { scale: vec3(l.as_numbers::<3>()?), ..Transform::IDENTITY },
        ControlKind::Transform => {
            let o = l.as_object()?;
            let part = |name: &str| o.get(name);
            Transform::new(
                part("translation").map_or(Some(Vec3::ZERO), |l| l.as_numbers::<3>().map(vec3))?,
                part("rotation").map_or(Some(Quat::IDENTITY), quat)?,
                part("scale").map_or(Some(Vec3::ONE), |l| l.as_numbers::<3>().map(vec3))?,
            )
        }
    })
}

fn quat(l: &Literal) -> Option<Quat> {
    let [x, y, z, w] = l.as_numbers::<4>()?;
    Some(Quat::new(x as f32, y as f32, z as f32, w as f32).normalize())
}

fn limits(l: &Literal, free: f32) -> Option<Vec3> {
    if let Some(v) = l.as_number() {
        return Some(Vec3::new(v as f32, free, free));
    }
    if let Some([x, y]) = l.as_numbers::<2>() {
        return Some(Vec3::new(x as f32, y as f32, free));
    }
    if let Some(v) = l.as_numbers::<3>() {
        return Some(vec3(v));
    }
    l.as_object()?.get("translation")?.as_numbers::<3>().map(vec3)
}
