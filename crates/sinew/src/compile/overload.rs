//! Which form of a unit a node means, and how one type becomes another.

use std::collections::BTreeMap;

use super::diagnostic::{At, Code, Problems};
use super::symbols::natural_type;
use crate::graph::{Input, Literal, Node};
use crate::value::Type;
use crate::vm::{Direction, Registry, UnitDef};

/// The implicit conversions: from, to, and the unit that does it. Anything else is an error at the
/// pin. None loses information but `Int` to `Float` beyond 2^24 and `Int` to `Bool`.
pub const CONVERSIONS: &[(&str, &str, &str)] = &[
    ("Bool", "Int", "Convert.BoolToInt"),
    ("Bool", "Float", "Convert.BoolToFloat"),
    ("Int", "Float", "Convert.IntToFloat"),
    ("Int", "Bool", "Convert.IntToBool"),
    ("Float", "Vec3", "Convert.FloatToVec3"),
    ("Vec2", "Vec3", "Convert.Vec2ToVec3"),
    ("Euler", "Quat", "Convert.EulerToQuat"),
    ("Quat", "Euler", "Convert.QuatToEuler"),
    ("Vec3", "Transform", "Convert.Vec3ToTransform"),
    ("Quat", "Transform", "Convert.QuatToTransform"),
];

/// `Some(None)` where the words can be taken as they are, `Some(Some(unit))` where a unit
/// converts, `None` where there is no rule.
pub(super) fn conversion<'r>(from: &Type, to: &Type, registry: &'r Registry) -> Option<Option<&'r UnitDef>> {
    if from.same_shape(to) {
        let fits = match (from, to) {
            (Type::Array(_, a), Type::Array(_, b)) => a == b,
            _ => true,
        };
        return fits.then_some(None);
    }
    // An enum is the number of its variant, a name the index of its text.
    if matches!(
        (from, to),
        (Type::Enum(_), Type::Int) | (Type::Name, Type::String) | (Type::String, Type::Name)
    ) {
        return Some(None);
    }
    let (from, to) = (from.to_string(), to.to_string());
    let rule = CONVERSIONS.iter().find(|(f, t, _)| *f == from && *t == to)?;
    registry.overloads(rule.2).first().map(Some)
}

pub(super) struct Choice<'r> {
    pub unit: &'r UnitDef,
    pub any: Option<Type>,
}

/// The overload that fits best: fewest conversions, then the first one registered.
pub(super) fn choose<'r>(
    overloads: &'r [UnitDef],
    node: &Node,
    linked: &BTreeMap<&str, Type>,
    registry: &'r Registry,
    at: &At<'_>,
    problems: &mut Problems,
) -> Option<Choice<'r>> {
    let mut best: Option<(u32, Choice<'r>)> = None;
    for unit in overloads {
        let any = if unit.is_generic() { any_of(unit, node, linked) } else { None };
        if unit.is_generic() && any.is_none() {
            if overloads.len() == 1 {
                let message = "nothing says of which type its values are";
                problems.error(Code::Generic, at, message, "link a pin that takes any type, or an array");
                return None;
            }
            continue;
        }
        // With a single form every problem is told at its own pin.
        let cost =
            if overloads.len() == 1 { Some(0) } else { cost(unit, any.as_ref(), node, linked, registry) };
        if let Some(cost) = cost
            && best.as_ref().is_none_or(|(c, _)| cost < *c)
        {
            best = Some((cost, Choice { unit, any }));
        }
    }
    if best.is_none() {
        let given: Vec<_> = linked.iter().map(|(p, t)| format!("{p}: {t}")).collect();
        let forms: Vec<_> = overloads.iter().map(UnitDef::signature).collect();
        let message = format!(
            "no form of the unit takes {}",
            if given.is_empty() { "these constants".into() } else { given.join(", ") }
        );
        problems.error(Code::NoOverload, at, message, format!("it has {}", forms.join("; ")));
    }
    best.map(|(_, choice)| choice)
}

/// What `T` is: from the first link to a pin with `T`, else from the looks of a constant.
fn any_of(unit: &UnitDef, node: &Node, linked: &BTreeMap<&str, Type>) -> Option<Type> {
    let pins = || unit.pins.iter().filter(|p| p.direction != Direction::Out && p.ty.is_generic());
    let of_link = pins().find_map(|p| match (&p.ty, linked.get(p.name)?) {
        (Type::Any, ty) => Some(ty.clone()),
        (Type::Array(..), Type::Array(elem, _)) => Some((**elem).clone()),
        _ => None,
    });
    of_link.or_else(|| {
        pins().find_map(|p| {
            let literal = node.inputs.get(p.name)?.as_literal()?;
            match (&p.ty, literal) {
                (Type::Array(..), Literal::Array(items)) => natural_type(items.first()?),
                _ => natural_type(literal),
            }
        })
    })
}

fn cost(
    unit: &UnitDef,
    any: Option<&Type>,
    node: &Node,
    linked: &BTreeMap<&str, Type>,
    registry: &Registry,
) -> Option<u32> {
    let mut sum = 0;
    for (path, input) in &node.inputs {
        let root = path.split('.').next().unwrap_or_default();
        let pin = unit.pin(root).filter(|p| p.direction != Direction::Out)?;
        let ty = any.map_or(pin.ty.clone(), |t| pin.ty.with_any(t));
        if path.contains('.') {
            path.split('.').skip(1).try_fold(ty, |ty, part| ty.part(part).map(|p| p.ty))?;
            continue;
        }
        sum += match input {
            Input::Link(_) => match linked.get(root) {
                Some(from @ Type::Array(..)) => u32::from(!from.same_shape(&ty)) * 1000,
                Some(from) => match conversion(from, &ty, registry)? {
                    None => u32::from(*from != ty),
                    Some(_) => 10,
                },
                None => 0,
            },
            Input::Literal(literal) => literal_cost(literal, &ty)?,
        };
        if sum >= 1000 {
            return None;
        }
    }
    Some(sum)
}

/// How well a constant's looks fit a type, without reading it.
fn literal_cost(literal: &Literal, ty: &Type) -> Option<u32> {
    let numbers = |n: usize| {
        literal.as_array().is_some_and(|a| a.len() == n && a.iter().all(|v| v.as_number().is_some()))
    };
    let fits = match ty {
        Type::Bool => literal.as_bool().is_some(),
        Type::Int => return literal.as_int().map(|_| 1),
        Type::Float => literal.as_number().is_some(),
        Type::Vec2 => numbers(2),
        Type::Vec3 => numbers(3),
        Type::Quat => numbers(4),
        Type::Color => return numbers(4).then_some(1),
        Type::Euler => return (numbers(3) || literal.as_object().is_some()).then_some(1),
        Type::Transform | Type::Struct(_) => literal.as_object().is_some(),
        Type::Element => literal.as_str().is_some(),
        Type::Name | Type::String | Type::Curve => return literal.as_str().map(|_| 1),
        Type::Enum(e) => {
            literal.as_str().is_some_and(|s| e.variants.iter().any(|v| v.eq_ignore_ascii_case(s)))
        }
        Type::Array(..) => literal.as_array().is_some(),
        Type::Any => true,
    };
    fits.then_some(0)
}
