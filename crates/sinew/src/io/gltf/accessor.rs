//! Accessors: the typed arrays of a glTF file, checked before a byte is read.
//!
//! The `gltf` crate is not used: it panics on some malformed input, and writing a file back needs
//! the JSON as it was, with all that this library does not know.

use std::{collections::HashMap, sync::Arc};

use serde_json::Value;

use super::{
    document::Document,
    error::{Fault, Place, Report},
};

/// Accessors may decode to this many times the bytes of the file (with its buffers) …
const DECODE_FACTOR: u64 = 6;
/// … and this many bytes more. Accessors without data (all zeros) are what needs it.
const DECODE_EXTRA: u64 = 512 * 1024;

/// What an accessor is used for, hence which types it may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Want {
    /// Key times: float scalars.
    Times,
    /// Translations or scales: three floats.
    Vec3,
    /// Rotations: four floats or normalized integers.
    Rotation,
    /// Morph weights: float or normalized integer scalars.
    Weights,
    /// Inverse bind matrices: 4×4 floats.
    Mat4,
}

impl Want {
    fn describe(self) -> &'static str {
        match self {
            Self::Times => "a SCALAR of FLOAT",
            Self::Vec3 => "a VEC3 of FLOAT",
            Self::Rotation => "a VEC4 of FLOAT or a normalized integer",
            Self::Weights => "a SCALAR of FLOAT or a normalized integer",
            Self::Mat4 => "a MAT4 of FLOAT",
        }
    }

    fn kind(self) -> &'static str {
        match self {
            Self::Times | Self::Weights => "SCALAR",
            Self::Vec3 => "VEC3",
            Self::Rotation => "VEC4",
            Self::Mat4 => "MAT4",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn from_code(code: usize) -> Option<Self> {
        Some(match code {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// One component as a float; integers by glTF 2.0, 3.11 (-128 and -127 are both -1).
    fn float(self, b: &[u8]) -> f32 {
        let signed = |v: f32, max: f32| if v < -max { -1.0 } else { v / max };
        match (self, b) {
            (Self::I8, &[a]) => signed(f32::from(a as i8), 127.0),
            (Self::U8, &[a]) => f32::from(a) / 255.0,
            (Self::I16, &[a, b]) => signed(f32::from(i16::from_le_bytes([a, b])), 32767.0),
            (Self::U16, &[a, b]) => f32::from(u16::from_le_bytes([a, b])) / 65535.0,
            (Self::U32, &[a, b, c, d]) => u32::from_le_bytes([a, b, c, d]) as f32,
            (Self::F32, &[a, b, c, d]) => f32::from_le_bytes([a, b, c, d]),
            _ => 0.0,
        }
    }

    /// An unsigned index; `None` for signed and float components.
    fn index(self, b: &[u8]) -> Option<u64> {
        match (self, b) {
            (Self::U8, &[a]) => Some(u64::from(a)),
            (Self::U16, &[a, b]) => Some(u64::from(u16::from_le_bytes([a, b]))),
            (Self::U32, &[a, b, c, d]) => Some(u64::from(u32::from_le_bytes([a, b, c, d]))),
            _ => None,
        }
    }
}

/// Components of an element by its type name.
pub(super) fn components(kind: &str) -> Option<usize> {
    Some(match kind {
        "SCALAR" => 1,
        "VEC2" => 2,
        "VEC3" => 3,
        "VEC4" | "MAT2" => 4,
        "MAT3" => 9,
        "MAT4" => 16,
        _ => return None,
    })
}

/// Decodes accessors to floats, each once, within a budget of memory.
pub(super) struct Decoder<'d> {
    document: &'d Document,
    accessors: &'d [Value],
    views: &'d [Value],
    limit: u64,
    used: u64,
    cache: HashMap<(usize, Want), Option<Arc<[f32]>>>,
}

impl<'d> Decoder<'d> {
    /// `input` is the length of the file in bytes.
    pub fn new(document: &'d Document, input: u64, report: &mut Report) -> Self {
        let accessors = report.list(&document.json, "accessors", &Place::ROOT);
        let views = report.list(&document.json, "bufferViews", &Place::ROOT);
        let size = input.saturating_add(document.data_len());
        let limit = size.saturating_mul(DECODE_FACTOR).saturating_add(DECODE_EXTRA);
        Self { document, accessors, views, limit, used: 0, cache: HashMap::new() }
    }

    /// Number of accessors.
    pub fn len(&self) -> usize {
        self.accessors.len()
    }

    /// Takes memory from the budget, before it is allocated.
    pub fn charge(&mut self, bytes: u64) -> Result<(), Fault> {
        let total = self.used.saturating_add(bytes);
        if total > self.limit {
            return Err(Fault::TooLarge { bytes: total, limit: self.limit });
        }
        self.used = total;
        Ok(())
    }

    /// The floats of an accessor that must fit its use. `user` is the place that refers to it: a
    /// wrong type is a problem there, wrong data one at the accessor. Problems are noted once.
    pub fn floats(
        &mut self,
        index: usize,
        want: Want,
        user: &Place<'_>,
        report: &mut Report,
    ) -> Option<Arc<[f32]>> {
        if let Some(known) = self.cache.get(&(index, want)) {
            return known.clone();
        }
        let list = Place::ROOT.key("accessors");
        let at = list.index(index);
        let floats = self.decode(index, want, user, &at, report);
        self.cache.insert((index, want), floats.clone());
        floats
    }

    fn decode(
        &mut self,
        index: usize,
        want: Want,
        user: &Place<'_>,
        at: &Place<'_>,
        report: &mut Report,
    ) -> Option<Arc<[f32]>> {
        let of = "accessors";
        let Some(accessor) = self.accessors.get(index) else {
            report.problem(user, Fault::IndexOutOfRange { index, of, count: self.accessors.len() });
            return None;
        };
        if !report.object(accessor, at) {
            return None;
        }
        let count = report.required(accessor, "count", at)?;
        let component = component(accessor, at, report)?;
        let Some(kind) = report.text(accessor, "type", at) else {
            report.problem(&at.key("type"), Fault::Missing);
            return None;
        };
        let normalized = accessor.get("normalized").is_some_and(|v| v.as_bool() == Some(true));
        let float = component == Component::F32;
        let packed = normalized && component.size() < 4;
        let integers_fit = matches!(want, Want::Rotation | Want::Weights);
        if kind != want.kind() || !(float || packed && integers_fit) {
            let code = accessor.get("componentType").map(Value::to_string).unwrap_or_default();
            let normal = if normalized { ", normalized" } else { "" };
            let found = format!("{} of {code}{normal}", super::document::shorten(kind));
            report.problem(user, Fault::AccessorType { expected: want.describe(), found });
            return None;
        }
        let width = components(kind)?;
        if count == 0 {
            report.problem(&at.key("count"), Fault::BadValue { found: "0".into() });
            return None;
        }
        // First of all the memory, then the bounds, then the bytes.
        let total = (count as u64).saturating_mul(width as u64).saturating_mul(4);
        // Twice, because collecting into the shared array copies.
        if let Err(fault) = self.charge(total.saturating_mul(2)) {
            report.problem(&at.key("count"), fault);
            return None;
        }
        let element = component.size() * width;
        let mut out = match report.whole(accessor, "bufferView", at) {
            None if accessor.get("bufferView").is_some() => return None,
            None => vec![0.0; count * width],
            Some(view) => {
                let offset = offset(accessor, component, at, report)?;
                let (bytes, stride) = self.view(view, &at.key("bufferView"), report)?;
                let stride = stride.unwrap_or(element);
                let end = span(offset, stride, element, count);
                if stride < element {
                    let (stride, element) = (stride as u64, element as u64);
                    report.problem(&at.key("bufferView"), Fault::Stride { stride, element });
                    return None;
                }
                if end > bytes.len() as u64 {
                    let length = bytes.len() as u64;
                    report.problem(at, Fault::OutsideData { end, of: "its buffer view", length });
                    return None;
                }
                let elements = bytes.get(offset..)?.chunks(stride).take(count);
                let mut out = Vec::with_capacity(count * width);
                for bytes in elements {
                    out.extend(bytes.chunks_exact(component.size()).take(width).map(|b| component.float(b)));
                }
                out
            }
        };
        if let Some(sparse) = accessor.get("sparse") {
            self.sparse(sparse, component, width, count, &mut out, &at.key("sparse"), report)?;
        }
        if let Some(i) = out.iter().position(|v| !v.is_finite()) {
            report.problem(&at.index(i / width), Fault::NotFinite);
            return None;
        }
        Some(out.into())
    }

    /// Overwrites the elements that a sparse accessor lists.
    #[allow(clippy::too_many_arguments)]
    fn sparse(
        &self,
        sparse: &Value,
        component: Component,
        width: usize,
        elements: usize,
        out: &mut [f32],
        at: &Place<'_>,
        report: &mut Report,
    ) -> Option<()> {
        let count = report.required(sparse, "count", at)?;
        if count == 0 || count > elements {
            report.problem(&at.key("count"), Fault::BadValue { found: count.to_string() });
            return None;
        }
        let at_indices = at.key("indices");
        let at_values = at.key("values");
        let (Some(indices), Some(values)) = (sparse.get("indices"), sparse.get("values")) else {
            report.problem(
                if sparse.get("indices").is_none() { &at_indices } else { &at_values },
                Fault::Missing,
            );
            return None;
        };
        let index_type = self::component(indices, &at_indices, report)?;
        if !matches!(index_type, Component::U8 | Component::U16 | Component::U32) {
            let found = "a signed or float component type".into();
            report.problem(&at_indices.key("componentType"), Fault::BadValue { found });
            return None;
        }
        let index_bytes = self.packed(indices, index_type, index_type.size(), count, &at_indices, report)?;
        let element = component.size() * width;
        let value_bytes = self.packed(values, component, element, count, &at_values, report)?;
        let mut last = None;
        let pairs = index_bytes.chunks_exact(index_type.size()).zip(value_bytes.chunks_exact(element));
        for (position, (index, value)) in pairs.enumerate() {
            let index = index_type.index(index)?;
            if index >= elements as u64 || last.is_some_and(|l| index <= l) {
                report.problem(&at_indices, Fault::SparseIndex { index, position, count: elements });
                return None;
            }
            last = Some(index);
            let start = index as usize * width;
            let to = out.get_mut(start..start + width)?;
            for (to, b) in to.iter_mut().zip(value.chunks_exact(component.size())) {
                *to = component.float(b);
            }
        }
        Some(())
    }

    /// Tightly packed elements of a sparse accessor's part.
    fn packed(
        &self,
        part: &Value,
        component: Component,
        element: usize,
        count: usize,
        at: &Place<'_>,
        report: &mut Report,
    ) -> Option<&'d [u8]> {
        let view = report.required(part, "bufferView", at)?;
        let offset = offset(part, component, at, report)?;
        let (bytes, _) = self.view(view, &at.key("bufferView"), report)?;
        let end = span(offset, element, element, count);
        if end > bytes.len() as u64 {
            let length = bytes.len() as u64;
            report.problem(at, Fault::OutsideData { end, of: "its buffer view", length });
            return None;
        }
        bytes.get(offset..end as usize)
    }

    /// Bytes and stride of a buffer view.
    fn view(&self, index: usize, user: &Place<'_>, report: &mut Report) -> Option<(&'d [u8], Option<usize>)> {
        report.in_range(index, user, "bufferViews", self.views.len())?;
        let list = Place::ROOT.key("bufferViews");
        view_bytes(self.document, self.views.get(index)?, &list.index(index), report)
    }
}

/// Bytes and stride of a buffer view, checked.
pub(super) fn view_bytes<'d>(
    document: &'d Document,
    view: &Value,
    at: &Place<'_>,
    report: &mut Report,
) -> Option<(&'d [u8], Option<usize>)> {
    if !report.object(view, at) {
        return None;
    }
    let buffer = report.required(view, "buffer", at)?;
    let length = report.required(view, "byteLength", at)?;
    let offset = match view.get("byteOffset") {
        None => 0,
        Some(v) => report.whole_value(v, &at.key("byteOffset"))?,
    };
    let stride = match view.get("byteStride") {
        None => None,
        Some(v) => Some(report.whole_value(v, &at.key("byteStride"))?),
    };
    if let Some(stride) = stride.filter(|s| !(4..=252).contains(s) || s % 4 != 0) {
        report.problem(&at.key("byteStride"), Fault::Stride { stride: stride as u64, element: 4 });
        return None;
    }
    let count = document.buffers.len();
    let Some(content) = document.buffers.get(buffer) else {
        report.problem(&at.key("buffer"), Fault::IndexOutOfRange { index: buffer, of: "buffers", count });
        return None;
    };
    let bytes = match content {
        Ok(bytes) => bytes,
        Err(fault) => {
            let list = Place::ROOT.key("buffers");
            report.unreadable(buffer, &list.index(buffer), fault);
            return None;
        }
    };
    let end = (offset as u64).saturating_add(length as u64);
    let Some(bytes) = usize::try_from(end).ok().and_then(|end| bytes.get(offset..end)) else {
        let length = bytes.len() as u64;
        report.problem(at, Fault::OutsideData { end, of: "its buffer", length });
        return None;
    };
    Some((bytes, stride))
}

/// Where the last of `count` elements ends.
fn span(offset: usize, stride: usize, element: usize, count: usize) -> u64 {
    let before_last = (stride as u64).saturating_mul((count as u64).saturating_sub(1));
    (offset as u64).saturating_add(before_last).saturating_add(element as u64)
}

fn component(of: &Value, at: &Place<'_>, report: &mut Report) -> Option<Component> {
    let code = report.required(of, "componentType", at)?;
    let component = Component::from_code(code);
    if component.is_none() {
        report.problem(&at.key("componentType"), Fault::BadValue { found: code.to_string() });
    }
    component
}

fn offset(of: &Value, component: Component, at: &Place<'_>, report: &mut Report) -> Option<usize> {
    let Some(value) = of.get("byteOffset") else { return Some(0) };
    let at = at.key("byteOffset");
    let offset = report.whole_value(value, &at)?;
    if offset % component.size() != 0 {
        let (offset, multiple) = (offset as u64, component.size() as u64);
        report.problem(&at, Fault::Misaligned { offset, multiple });
        return None;
    }
    Some(offset)
}
