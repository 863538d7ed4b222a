//! A document's files, all in one piece: buffers joined, images inside.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

use super::document::{Document, read_uri};
use super::export::{ExportError, items, push};
use super::tidy::remove_animation_data;

/// The document without its animations, all its buffers as one, its images in it.
pub(super) fn embedded(document: &Document) -> Result<(Value, Vec<u8>), ExportError> {
    let mut json = document.json.clone();
    spell_whole_numbers(&mut json);
    let mut bin = Vec::new();
    let mut starts = Vec::new();
    // Buffers that name one file share its data, here as in memory.
    let mut known = HashMap::new();
    for (i, buffer) in document.buffers.iter().enumerate() {
        let data = buffer.as_ref().map_err(|_| ExportError::MissingBuffer(i))?;
        let start = *known.entry(data.as_ptr()).or_insert_with(|| {
            bin.resize(bin.len().next_multiple_of(4), 0);
            let start = bin.len();
            bin.extend_from_slice(data);
            start
        });
        starts.push(start as u64);
    }
    for view in items(&mut json, "bufferViews") {
        rebase(view, &starts);
        // Compressed data has a place of its own in a buffer.
        let extensions = view.get_mut("extensions").and_then(Value::as_object_mut);
        for extension in extensions.into_iter().flatten().filter_map(|(_, e)| e.as_object_mut()) {
            if extension.contains_key("buffer") {
                rebase(extension, &starts);
            }
        }
    }
    embed_images(document, &mut json, &mut bin);
    remove_animation_data(&mut json, &mut bin);
    Ok((json, bin))
}

/// Points to the one buffer instead of one of many.
fn rebase(view: &mut Map<String, Value>, starts: &[u64]) {
    let buffer = view.get("buffer").and_then(Value::as_u64).unwrap_or(0) as usize;
    let offset = view.get("byteOffset").and_then(Value::as_u64).unwrap_or(0);
    let start = starts.get(buffer).copied().unwrap_or(0);
    view.insert("buffer".into(), json!(0));
    view.insert("byteOffset".into(), json!(offset.saturating_add(start)));
}

/// Spells whole numbers without a point: some writers give indices as `1.0`, which are read but
/// are no integers to JSON. Extras are the user's own and stay.
fn spell_whole_numbers(json: &mut Value) {
    match json {
        Value::Number(number) if number.is_f64() => {
            // Exact below 2^53.
            let whole = number.as_f64().filter(|f| f.trunc() == *f && f.abs() < 9e15);
            if let Some(whole) = whole {
                *json = (whole as i64).into();
            }
        }
        Value::Array(list) => list.iter_mut().for_each(spell_whole_numbers),
        Value::Object(of) => {
            of.iter_mut().filter(|(key, _)| *key != "extras").for_each(|(_, v)| spell_whole_numbers(v));
        }
        _ => {}
    }
}

/// Images of other files become part of this one, each content once. One that cannot be read keeps
/// its URI.
fn embed_images(document: &Document, json: &mut Value, bin: &mut Vec<u8>) {
    let first = json.get("bufferViews").and_then(Value::as_array).map_or(0, Vec::len);
    // Where in the buffer each of the new views is.
    let mut added: Vec<(usize, usize)> = Vec::new();
    let mut known: HashMap<String, Option<(usize, &str)>> = HashMap::new();
    for image in items(json, "images") {
        let Some(uri) = image.get("uri").and_then(Value::as_str) else { continue };
        let found = match known.get(uri) {
            Some(found) => *found,
            None => {
                let found = read_uri(uri, document.base.as_deref()).ok().and_then(|data| {
                    let mime = mime_type(&data)?;
                    let same = |at: &(usize, usize)| bin.get(at.0..at.0 + at.1) == Some(data.as_slice());
                    let view = added.iter().position(same).unwrap_or_else(|| {
                        bin.resize(bin.len().next_multiple_of(4), 0);
                        added.push((bin.len(), data.len()));
                        bin.extend(&data);
                        added.len() - 1
                    });
                    Some((first + view, mime))
                });
                known.insert(uri.to_owned(), found);
                found
            }
        };
        let Some((view, mime)) = found else { continue };
        image.remove("uri");
        image.insert("bufferView".into(), json!(view));
        image.insert("mimeType".into(), json!(mime));
    }
    for (start, length) in added {
        push(json, "bufferViews", json!({"buffer": 0, "byteOffset": start, "byteLength": length}));
    }
}

fn mime_type(data: &[u8]) -> Option<&'static str> {
    match data {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [0xFF, 0xD8, 0xFF, ..] => Some("image/jpeg"),
        _ => None,
    }
}
