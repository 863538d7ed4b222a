//! A model, a rig and a clip brought together.

use std::path::Path;
use std::sync::Arc;

use sinew::anim::Clip;
use sinew::io::{Model, bvh, gltf};
use sinew::vm::{BoundProgram, Instance, NameMap, Program, Registry, VariableRole};

use crate::error::{CliError, Result};

/// Loads a model by its ending.
pub fn model(path: &Path, scale: f32) -> Result<Model> {
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_lowercase();
    let model = match ending.as_str() {
        "glb" | "gltf" => gltf::load(path).map_err(|e| CliError::file(path, e))?,
        "bvh" => {
            let options = bvh::Options { scale, ..bvh::Options::default() };
            bvh::load(path, &options).map_err(|e| CliError::file(path, e))?
        }
        _ => return Err(CliError::file(path, "is no model: the endings are .glb, .gltf and .bvh")),
    };
    for warning in &model.warnings {
        eprintln!("{}: warning: {warning}", path.display());
    }
    Ok(model)
}

/// The clip that a name or an index means.
pub fn clip<'m>(model: &'m Model, wanted: &str, path: &Path) -> Result<&'m Clip> {
    let by_name = model.clips.iter().find(|c| c.name() == wanted);
    // Exporters put the armature's name before the clip's: `Armature|Run` is found as `Run`.
    let by_tail = || {
        let mut fits = model.clips.iter().filter(|c| c.name().rsplit('|').next() == Some(wanted));
        fits.next().filter(|_| fits.next().is_none())
    };
    let by_index = || wanted.parse::<usize>().ok().and_then(|i| model.clips.get(i));
    by_name.or_else(by_tail).or_else(by_index).ok_or_else(|| {
        let names: Vec<_> =
            model.clips.iter().enumerate().map(|(i, c)| format!("{i}: `{}`", c.name())).collect();
        let names =
            if names.is_empty() { "it has none".into() } else { format!("it has {}", names.join(", ")) };
        CliError::file(path, format!("there is no clip `{wanted}`; {names}"))
    })
}

/// `ROLE=NAME` pairs.
pub fn name_map(pairs: &[String]) -> Result<NameMap> {
    let pair = |p: &String| {
        let (role, name) = p.split_once('=').filter(|(r, n)| !r.is_empty() && !n.is_empty())?;
        Some((role.to_string(), name.to_string()))
    };
    pairs
        .iter()
        .map(|p| {
            pair(p).ok_or_else(|| {
                CliError::Usage(format!("--map {p}: write ROLE=NAME, such as head=Bip01_Head"))
            })
        })
        .collect()
}

/// Binds a program to a model's skeleton.
pub fn bind(
    program: Arc<Program>,
    rig_path: &Path,
    model: &Model,
    model_path: &Path,
    names: &NameMap,
) -> Result<Arc<BoundProgram>> {
    let skeleton = model.skeleton.hierarchy().map_err(|e| CliError::file(model_path, e))?;
    let bound = BoundProgram::bind(program, &Registry::standard(), &skeleton, names);
    bound.map(Arc::new).map_err(|errors| {
        let list: Vec<_> = errors.iter().map(ToString::to_string).collect();
        let message = format!("cannot be bound to {}:\n  {}", model_path.display(), list.join("\n  "));
        CliError::file(rig_path, message)
    })
}

/// Sets an input from `NAME=JSON`.
pub fn set_input(instance: &mut Instance, pair: &str) -> Result<()> {
    let usage = |message: String| CliError::Usage(format!("--set {pair}: {message}"));
    let (name, text) = pair.split_once('=').ok_or_else(|| usage("write NAME=VALUE".into()))?;
    let bound = Arc::clone(instance.bound());
    let Some(variable) = bound.variable(name).filter(|v| v.role == VariableRole::Input) else {
        let names: Vec<_> = bound.variables(VariableRole::Input).map(|v| v.name.as_str()).collect();
        return Err(usage(format!("the rig has no input `{name}`; it has {}", names.join(", "))));
    };
    let json: serde_json::Value = serde_json::from_str(text)
        .or_else(|_| Ok::<_, serde_json::Error>(serde_json::Value::String(text.to_string())))
        .map_err(|e| usage(e.to_string()))?;
    let words = words(&json, &variable.ty, &variable.variants, variable.words)
        .ok_or_else(|| usage(format!("`{text}` is no {}", variable.ty)))?;
    let at = variable.offset as usize;
    for (to, from) in instance.external_mut()[at..].iter_mut().zip(words) {
        *to = [from];
    }
    Ok(())
}

/// The words of a JSON value of a type that is made of numbers.
fn words(json: &serde_json::Value, ty: &str, variants: &[String], count: u32) -> Option<Vec<u32>> {
    let float = |v: &serde_json::Value| v.as_f64().map(|f| (f as f32).to_bits());
    let words = match (ty, json) {
        ("Bool", v) => vec![u32::from(v.as_bool()?)],
        ("Int", v) => vec![i32::try_from(v.as_i64()?).ok()? as u32],
        (_, serde_json::Value::String(s)) => vec![variants.iter().position(|v| v == s)? as u32],
        ("Transform", serde_json::Value::Object(o)) => {
            let part = |name: &str, default: &[f32]| match o.get(name) {
                Some(v) => v.as_array()?.iter().map(float).collect::<Option<Vec<_>>>(),
                None => Some(default.iter().map(|f| f.to_bits()).collect()),
            };
            let mut all = part("translation", &[0.0; 3])?;
            all.extend(part("rotation", &[0.0, 0.0, 0.0, 1.0])?);
            all.extend(part("scale", &[1.0; 3])?);
            all
        }
        (_, serde_json::Value::Array(a)) => a.iter().map(float).collect::<Option<Vec<_>>>()?,
        (_, v) => vec![float(v)?],
    };
    (words.len() == count as usize).then_some(words)
}
