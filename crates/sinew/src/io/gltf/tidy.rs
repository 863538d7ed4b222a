//! Takes a file's animations away, with the data that nothing else uses.

use std::collections::BTreeSet;

use serde_json::Value;

use super::export::items;

/// Removes `animations`, and the accessors, views and bytes that only they used. Files with
/// extensions that may refer to accessors in ways unknown here keep the data.
pub(super) fn remove_animation_data(json: &mut Value, bin: &mut Vec<u8>) {
    let animations = match json.as_object_mut() {
        Some(root) => root.remove("animations"),
        None => None,
    };
    let Some(animations) = animations else { return };
    let harmless = |e: &Value| {
        e.as_str().is_some_and(|e| e.starts_with("KHR_materials_") || e.starts_with("KHR_texture_"))
    };
    let extensions = json.get("extensionsUsed").and_then(Value::as_array);
    if !extensions.is_none_or(|e| e.iter().all(harmless)) {
        return;
    }
    let mut gone = BTreeSet::new();
    for sampler in
        animations.as_array().into_iter().flatten().filter_map(|a| a.get("samplers")?.as_array()).flatten()
    {
        gone.extend(["input", "output"].iter().filter_map(|k| sampler.get(k)?.as_u64()));
    }
    for used in used_accessors(json) {
        gone.remove(&used);
    }
    let kept = renumber(json, "accessors", &gone);
    rewrite_accessors(json, &kept);
    let gone = unused_views(json);
    let kept = renumber(json, "bufferViews", &gone);
    rewrite_views(json, &kept);
    pack(json, bin);
}

/// Removes the items of a list; the new index of each old one.
fn renumber(json: &mut Value, key: &str, gone: &BTreeSet<u64>) -> Vec<Option<u64>> {
    let Some(list) = json.get_mut(key).and_then(Value::as_array_mut) else { return Vec::new() };
    let mut next = 0;
    let kept = (0..list.len() as u64).map(|i| {
        let keep = !gone.contains(&i);
        next += u64::from(keep);
        keep.then(|| next - 1)
    });
    let kept: Vec<_> = kept.collect();
    let mut i = 0;
    list.retain(|_| {
        i += 1;
        !gone.contains(&(i - 1))
    });
    if list.is_empty()
        && let Some(root) = json.as_object_mut()
    {
        root.remove(key);
    }
    kept
}

/// Every number that stands for an accessor, outside of animations.
fn visit_accessors(json: &mut Value, mut visit: impl FnMut(&mut Value)) {
    for mesh in items(json, "meshes") {
        for primitive in mesh.get_mut("primitives").and_then(Value::as_array_mut).into_iter().flatten() {
            if let Some(indices) = primitive.get_mut("indices") {
                visit(indices);
            }
            let attributes = primitive.get_mut("attributes").and_then(Value::as_object_mut);
            attributes.into_iter().flatten().for_each(|(_, v)| visit(v));
            let targets = primitive.get_mut("targets").and_then(Value::as_array_mut);
            for target in targets.into_iter().flatten().filter_map(Value::as_object_mut) {
                target.iter_mut().for_each(|(_, v)| visit(v));
            }
        }
    }
    for skin in items(json, "skins") {
        if let Some(matrices) = skin.get_mut("inverseBindMatrices") {
            visit(matrices);
        }
    }
}

fn used_accessors(json: &mut Value) -> BTreeSet<u64> {
    let mut used = BTreeSet::new();
    visit_accessors(json, |v| used.extend(v.as_u64()));
    used
}

fn rewrite_accessors(json: &mut Value, kept: &[Option<u64>]) {
    visit_accessors(json, |v| rewrite(v, kept));
}

fn rewrite(v: &mut Value, kept: &[Option<u64>]) {
    if let Some(new) = v.as_u64().and_then(|i| kept.get(i as usize).copied().flatten()) {
        *v = new.into();
    }
}

/// Every number that stands for a buffer view.
fn visit_views(json: &mut Value, mut visit: impl FnMut(&mut Value)) {
    for key in ["accessors", "images"] {
        for item in items(json, key) {
            if let Some(view) = item.get_mut("bufferView") {
                visit(view);
            }
            let sparse = item.get_mut("sparse").and_then(Value::as_object_mut);
            for (_, part) in sparse.into_iter().flatten() {
                if let Some(view) = part.get_mut("bufferView") {
                    visit(view);
                }
            }
        }
    }
}

fn unused_views(json: &mut Value) -> BTreeSet<u64> {
    let mut used = BTreeSet::new();
    visit_views(json, |v| used.extend(v.as_u64()));
    let count = json.get("bufferViews").and_then(Value::as_array).map_or(0, Vec::len) as u64;
    (0..count).filter(|i| !used.contains(i)).collect()
}

fn rewrite_views(json: &mut Value, kept: &[Option<u64>]) {
    visit_views(json, |v| rewrite(v, kept));
}

/// Keeps what the views show and drops the bytes between. Views that overlap go on sharing.
fn pack(json: &mut Value, bin: &mut Vec<u8>) {
    let number =
        |v: &serde_json::Map<String, Value>, k: &str| v.get(k).and_then(Value::as_u64).unwrap_or(0) as usize;
    let mut shown: Vec<(usize, usize)> = Vec::new();
    for view in items(json, "bufferViews") {
        let (start, length) = (number(view, "byteOffset"), number(view, "byteLength"));
        let Some(end) = start.checked_add(length).filter(|end| *end <= bin.len()) else { return };
        shown.push((start, end));
    }
    shown.sort_unstable();
    shown.dedup_by(|next, before| {
        let joins = next.0 <= before.1;
        if joins {
            before.1 = before.1.max(next.1);
        }
        joins
    });
    let mut packed = Vec::with_capacity(bin.len());
    // Old start and new start of each piece.
    let mut moved: Vec<(usize, usize)> = Vec::new();
    for (start, end) in shown {
        // The same place in a word as before, so that all that was aligned still is.
        packed.resize(packed.len().next_multiple_of(4) + start % 4, 0u8);
        moved.push((start, packed.len()));
        packed.extend_from_slice(bin.get(start..end).unwrap_or(&[]));
    }
    for view in items(json, "bufferViews") {
        let start = number(view, "byteOffset");
        let piece = moved.partition_point(|(old, _)| *old <= start).checked_sub(1);
        if let Some((old, new)) = piece.and_then(|piece| moved.get(piece)) {
            view.insert("byteOffset".into(), (new + (start - old)).into());
        }
    }
    *bin = packed;
}
