//! What names in a rig stand for: types, strings, elements, constants.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::diagnostic::{At, Code, Problems};
use crate::graph::{Literal, Rig};
use crate::hierarchy::ElementKey;
use crate::value::{EnumType, MAX_ARRAY_CAPACITY, StructType, Type, parse_type};
use crate::vm::KeyRef;

/// Tables that fill while a rig is compiled.
#[derive(Debug)]
pub(super) struct Symbols<'r> {
    rig: &'r Rig,
    types: BTreeMap<String, Type>,
    struct_defaults: HashMap<String, Vec<u32>>,
    pub strings: Vec<String>,
    string_ids: HashMap<String, u32>,
    pub keys: Vec<KeyRef>,
    key_ids: HashMap<ElementKey, u32>,
    curve_ids: HashMap<&'r str, u32>,
}

/// A constant: its words, and which of them hold elements.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Constant {
    pub words: Vec<u32>,
    /// Word and key.
    pub elements: Vec<(u32, u32)>,
}

impl Constant {
    pub fn zero(words: u32) -> Self {
        Self { words: vec![0; words as usize], elements: Vec::new() }
    }

    pub fn of(words: Vec<u32>) -> Self {
        Self { words, elements: Vec::new() }
    }

    /// The words of a part.
    pub fn part(&self, offset: u32, words: u32) -> Self {
        let range = offset as usize..(offset + words) as usize;
        let elements = self.elements.iter().filter(|(w, _)| (offset..offset + words).contains(w));
        Self {
            words: self.words.get(range).unwrap_or(&[]).to_vec(),
            elements: elements.map(|(w, k)| (w - offset, *k)).collect(),
        }
    }

    /// Replaces a part.
    pub fn set_part(&mut self, offset: u32, part: &Self) {
        let range = offset as usize..offset as usize + part.words.len();
        if let Some(words) = self.words.get_mut(range.clone()) {
            words.copy_from_slice(&part.words);
            self.elements.retain(|(w, _)| !range.contains(&(*w as usize)));
            self.elements.extend(part.elements.iter().map(|(w, k)| (w + offset, *k)));
        }
    }
}

/// No element, as a word.
const NO_ELEMENT: u32 = u32::MAX;

impl<'r> Symbols<'r> {
    pub fn new(rig: &'r Rig, problems: &mut Problems) -> Self {
        let curve_ids = rig.curves.keys().enumerate().map(|(i, n)| (n.as_str(), i as u32 + 1)).collect();
        let mut s = Self {
            rig,
            types: BTreeMap::new(),
            struct_defaults: HashMap::new(),
            strings: vec![String::new()],
            string_ids: HashMap::from([(String::new(), 0)]),
            keys: Vec::new(),
            key_ids: HashMap::new(),
            curve_ids,
        };
        s.declare_types(problems);
        s
    }

    fn declare_types(&mut self, problems: &mut Problems) {
        for (name, variants) in &self.rig.enums {
            let ty = EnumType { name: name.clone(), variants: variants.clone() };
            self.types.insert(name.clone(), Type::Enum(Arc::new(ty)));
        }
        // A struct may hold structs: declared in rounds until no more can be.
        let mut waiting: Vec<_> = self.rig.structs.iter().collect();
        loop {
            let before = waiting.len();
            waiting.retain(|(name, decl)| {
                let fields: Option<Vec<_>> = decl
                    .fields
                    .iter()
                    .map(|(f, d)| self.parse(&d.ty).ok().map(|ty| (f.clone(), ty)))
                    .collect();
                let Some(fields) = fields else { return true };
                let ty = Type::Struct(Arc::new(StructType { name: (*name).clone(), fields }));
                if ty.words() > MAX_ARRAY_CAPACITY {
                    return true;
                }
                self.types.insert((*name).clone(), ty);
                false
            });
            if waiting.len() == before {
                break;
            }
        }
        for (name, decl) in waiting {
            let bad = decl.fields.iter().find_map(|(f, d)| self.parse(&d.ty).err().map(|e| (f, e)));
            let at = At { node: name, ..At::rig() };
            let remedy = "a struct's fields are known types, and no struct holds itself";
            match bad {
                Some((field, e)) => problems.error(Code::UnknownType, &at.pin(field), e.to_string(), remedy),
                None => problems.error(Code::TooLarge, &at, format!("struct `{name}` is too large"), remedy),
            }
        }
        let names: Vec<String> = self.rig.structs.keys().cloned().collect();
        for name in names {
            let Some(Type::Struct(s)) = self.types.get(&name).cloned() else { continue };
            let ty = Type::Struct(s.clone());
            let mut whole = self.zero(&ty);
            for (field, decl) in &self.rig.structs[&name].fields {
                let (Some(part), Some(literal)) = (ty.part(field), &decl.default) else { continue };
                match self.constant(literal, &part.ty, "") {
                    Ok(c) => whole.set_part(part.offset, &c),
                    Err(e) => {
                        let at = At { node: &name, pin: field, ..At::rig() };
                        problems.error(Code::BadLiteral, &at, e, "");
                    }
                }
            }
            self.struct_defaults.insert(name, whole.words);
        }
    }

    fn parse(&self, text: &str) -> Result<Type, crate::value::TypeError> {
        parse_type(text, &|name| self.types.get(name).cloned())
    }

    /// The type that a declaration names; `capacity` makes `T[]` of `T`.
    pub fn ty(&self, text: &str, capacity: Option<u32>) -> Result<Type, String> {
        let text = text.trim();
        match (text.strip_suffix("[]"), capacity) {
            (Some(elem), Some(n)) => self.parse(&format!("{elem}[{n}]")).map_err(|e| e.to_string()),
            _ => self.parse(text).map_err(|e| e.to_string()),
        }
    }

    pub fn string(&mut self, text: &str) -> u32 {
        if let Some(id) = self.string_ids.get(text) {
            return *id;
        }
        let id = self.strings.len() as u32;
        self.strings.push(text.to_string());
        self.string_ids.insert(text.to_string(), id);
        id
    }

    /// The key's place in the program; roles bring their candidates.
    pub fn key(&mut self, key: &ElementKey, used_by: &str) -> u32 {
        if let Some(id) = self.key_ids.get(key) {
            return *id;
        }
        let id = self.keys.len() as u32;
        let is_bone = key.kind == crate::hierarchy::ElementKind::Bone;
        let candidates = self.rig.bones.get(&key.name).filter(|_| is_bone).cloned().unwrap_or_default();
        let (kind, name, used_by) = (key.kind, key.name.clone(), used_by.to_string());
        self.keys.push(KeyRef { kind, name, candidates, used_by });
        self.key_ids.insert(key.clone(), id);
        id
    }

    /// What a value of the type is before anyone sets it.
    pub fn zero(&self, ty: &Type) -> Constant {
        let mut c = Constant::zero(ty.words());
        let one = 1.0f32.to_bits();
        match ty {
            Type::Quat => c.words[3] = one,
            Type::Transform => {
                for i in [6, 7, 8, 9] {
                    c.words[i] = one;
                }
            }
            Type::Color => c.words.fill(one),
            Type::Element => c.words[0] = NO_ELEMENT,
            Type::Struct(s) => match self.struct_defaults.get(&s.name) {
                Some(words) => c.words.clone_from(words),
                None => {
                    let mut at = 0;
                    for (_, field) in &s.fields {
                        c.set_part(at, &self.zero(field));
                        at += field.words();
                    }
                }
            },
            _ => {}
        }
        c
    }

    /// The words of a constant of a type, or what does not fit.
    pub fn constant(&mut self, literal: &Literal, ty: &Type, used_by: &str) -> Result<Constant, String> {
        let misfit = || format!("expected {}, found {}", describe(ty), literal.kind());
        let float = |l: &Literal| {
            let v = l.as_number().ok_or_else(|| format!("expected a number, found {}", l.kind()))?;
            let v = v as f32;
            if v.is_finite() {
                Ok(v.to_bits())
            } else {
                Err("the number is beyond single precision".to_string())
            }
        };
        let floats = |l: &Literal, n: usize| -> Result<Constant, String> {
            let items = l.as_array().filter(|a| a.len() == n).ok_or_else(misfit)?;
            Ok(Constant::of(items.iter().map(float).collect::<Result<_, _>>()?))
        };
        match ty {
            Type::Bool => literal.as_bool().map(|b| Constant::of(vec![u32::from(b)])).ok_or_else(misfit),
            Type::Int => {
                let v = literal.as_int().ok_or_else(misfit)?;
                let v = i32::try_from(v).map_err(|_| "the number does not fit 32 bits".to_string())?;
                Ok(Constant::of(vec![v as u32]))
            }
            Type::Float => Ok(Constant::of(vec![float(literal)?])),
            Type::Vec2 => floats(literal, 2),
            Type::Vec3 => floats(literal, 3),
            Type::Color => floats(literal, 4),
            Type::Quat => {
                let c = floats(literal, 4)?;
                let q: Vec<f64> = c.words.iter().map(|w| f64::from(f32::from_bits(*w))).collect();
                let length = q.iter().map(|v| v * v).sum::<f64>().sqrt();
                if length < 1e-6 {
                    return Err("a rotation cannot be the zero quaternion; identity is [0, 0, 0, 1]".into());
                }
                // Written with a few decimals, as people do; what is unit already stays as it is.
                if (length - 1.0).abs() < 1e-6 {
                    return Ok(c);
                }
                Ok(Constant::of(q.iter().map(|v| ((v / length) as f32).to_bits()).collect()))
            }
            Type::Euler => self.euler(literal),
            Type::Transform | Type::Struct(_) => {
                let members = literal.as_object().ok_or_else(misfit)?;
                let mut whole = self.zero(ty);
                for (name, member) in members {
                    let part = ty.part(name).ok_or_else(|| {
                        format!("{ty} has no part `{name}`; it has {}", ty.part_names().join(", "))
                    })?;
                    let c = self.constant(member, &part.ty, used_by).map_err(|e| format!("{name}: {e}"))?;
                    whole.set_part(part.offset, &c);
                }
                Ok(whole)
            }
            Type::Element => {
                let text = literal.as_str().ok_or_else(misfit)?;
                if text.is_empty() {
                    return Ok(Constant::of(vec![NO_ELEMENT]));
                }
                let key: ElementKey = text.parse().map_err(|e: crate::hierarchy::KeyError| e.to_string())?;
                let id = self.key(&key, used_by);
                Ok(Constant { words: vec![NO_ELEMENT], elements: vec![(0, id)] })
            }
            Type::Name | Type::String => {
                let text = literal.as_str().ok_or_else(misfit)?;
                Ok(Constant::of(vec![self.string(text)]))
            }
            Type::Curve => {
                let text = literal.as_str().ok_or_else(misfit)?;
                if text.is_empty() {
                    return Ok(Constant::of(vec![0]));
                }
                let id = self.curve_ids.get(text).ok_or_else(|| format!("the rig has no curve `{text}`"))?;
                Ok(Constant::of(vec![*id]))
            }
            Type::Enum(e) => {
                let text = literal.as_str().ok_or_else(misfit)?;
                let at = e.variants.iter().position(|v| v.eq_ignore_ascii_case(text));
                at.map(|i| Constant::of(vec![i as u32]))
                    .ok_or_else(|| format!("{} has no `{text}`; it has {}", e.name, e.variants.join(", ")))
            }
            Type::Array(elem, capacity) => {
                let items = literal.as_array().ok_or_else(misfit)?;
                if items.len() > *capacity as usize {
                    return Err(format!("{} elements, but the capacity is {capacity}", items.len()));
                }
                let mut whole = Constant::zero(ty.words());
                whole.words[0] = items.len() as u32;
                for (i, item) in items.iter().enumerate() {
                    let c = self.constant(item, elem, used_by).map_err(|e| format!("[{i}]: {e}"))?;
                    whole.set_part(1 + i as u32 * elem.words(), &c);
                }
                Ok(whole)
            }
            Type::Any => Err("the type is not known here".into()),
        }
    }

    /// `{"degrees": [x, y, z], "order": "XYZ"}` or `{"radians": …}`; an array is degrees in XYZ.
    fn euler(&mut self, literal: &Literal) -> Result<Constant, String> {
        let wrong = || {
            "expected {\"degrees\": [x, y, z], \"order\": \"XYZ\"}, with the order one of XYZ XZY YXZ YZX ZXY ZYX"
                .to_string()
        };
        let (angles, scale, order) = match literal {
            Literal::Array(_) => (literal.as_numbers::<3>(), f64::to_radians(1.0), 0),
            _ => {
                let o = literal.as_object().ok_or_else(wrong)?;
                let order = match o.get("order") {
                    None => 0,
                    Some(l) => {
                        let text = l.as_str().ok_or_else(wrong)?;
                        let orders = ["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"];
                        orders.iter().position(|w| *w == text).ok_or_else(wrong)? as u32
                    }
                };
                match (o.get("degrees"), o.get("radians")) {
                    (Some(d), None) => (d.as_numbers::<3>(), f64::to_radians(1.0), order),
                    (None, Some(r)) => (r.as_numbers::<3>(), 1.0, order),
                    _ => return Err(wrong()),
                }
            }
        };
        let angles = angles.ok_or_else(wrong)?;
        let mut words: Vec<u32> = angles.iter().map(|a| ((a * scale) as f32).to_bits()).collect();
        words.push(order);
        Ok(Constant::of(words))
    }
}

/// A type in words that help to write a constant of it.
fn describe(ty: &Type) -> String {
    let how = match ty {
        Type::Bool => "true or false",
        Type::Int => "a whole number",
        Type::Float => "a number",
        Type::Vec2 => "[x, y]",
        Type::Vec3 => "[x, y, z]",
        Type::Quat => "[x, y, z, w]",
        Type::Color => "[r, g, b, a]",
        Type::Transform => "{\"translation\": …, \"rotation\": …, \"scale\": …}",
        Type::Element => "an element such as \"bone:Head\"",
        Type::Name | Type::String => "a text",
        Type::Curve => "the name of a curve",
        Type::Array(..) => "[…]",
        _ => "its value",
    };
    format!("{ty} ({how})")
}

/// The type that a constant has by its looks, for units of any type.
pub(super) fn natural_type(literal: &Literal) -> Option<Type> {
    match literal {
        Literal::Bool(_) => Some(Type::Bool),
        Literal::Int(_) | Literal::Float(_) => Some(Type::Float),
        Literal::String(s) if s.parse::<ElementKey>().is_ok() => Some(Type::Element),
        Literal::String(_) => Some(Type::Name),
        Literal::Array(a) if a.iter().all(|v| v.as_number().is_some()) => match a.len() {
            2 => Some(Type::Vec2),
            3 => Some(Type::Vec3),
            4 => Some(Type::Quat),
            _ => None,
        },
        Literal::Array(_) => None,
        Literal::Object(o) => {
            let parts = ["translation", "rotation", "scale"];
            o.keys().all(|k| parts.contains(&k.as_str())).then_some(Type::Transform)
        }
    }
}
