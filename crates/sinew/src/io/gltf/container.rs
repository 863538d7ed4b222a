//! Splits a file into its JSON and the binary chunk of a GLB.

use serde_json::Value;

use super::error::GltfError;

const MAGIC: &[u8; 4] = b"glTF";
const JSON: u32 = 0x4E4F_534A;
const BIN: u32 = 0x004E_4942;

/// Reads a GLB (known by its first four bytes) or plain glTF JSON. A byte order mark before plain
/// JSON, bytes after the length that a GLB states, and unknown chunks are skipped.
pub(super) fn split(bytes: &[u8]) -> Result<(Value, Option<&[u8]>), GltfError> {
    if !bytes.starts_with(MAGIC) {
        let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        if text.iter().find(|b| !b.is_ascii_whitespace()).is_none_or(|b| *b != b'{') {
            return Err(bad("it starts neither with \"glTF\" nor with \"{\"; give a .glb or .gltf file"));
        }
        return Ok((parse(text)?, None));
    }
    let word = |at: usize| {
        let end = at.checked_add(4)?;
        Some(u32::from_le_bytes(bytes.get(at..end)?.try_into().ok()?))
    };
    let (Some(version), Some(length)) = (word(4), word(8)) else {
        return Err(bad("the 12-byte GLB header is cut off; copy the file again"));
    };
    if version != 2 {
        return Err(bad(format!("GLB version {version}; only version 2 is read, convert the file")));
    }
    let length = length as usize;
    if length > bytes.len() || length < 12 {
        let found = bytes.len();
        return Err(bad(format!(
            "the header says {length} bytes, the file has {found}; copy the file again"
        )));
    }
    let mut json = None;
    let mut bin = None;
    let mut at = 12;
    // A trailer shorter than a chunk header is padding.
    while at + 8 <= length {
        let (Some(size), Some(kind)) = (word(at), word(at + 4)) else { break };
        let data = (at + 8).checked_add(size as usize).filter(|end| *end <= length);
        let Some(data) = data.and_then(|end| bytes.get(at + 8..end)) else {
            return Err(bad(format!(
                "the chunk at byte {at} is {size} bytes long and passes the file's end"
            )));
        };
        match kind {
            JSON if json.is_none() => json = Some(data),
            BIN if json.is_some() && bin.is_none() => bin = Some(data),
            _ if json.is_none() => return Err(bad("the first chunk is not JSON; export the file again")),
            _ => {}
        }
        at += 8 + data.len();
    }
    let Some(json) = json else { return Err(bad("the JSON chunk is missing; copy the file again")) };
    Ok((parse(json)?, bin))
}

/// Packs JSON and binary data into a GLB, padded as the format wants it. `None` past 4 GiB.
pub(super) fn join(json: &Value, bin: &[u8]) -> Option<Vec<u8>> {
    let mut text = json.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let padded = bin.len().checked_next_multiple_of(4)?;
    let chunk = if padded > 0 { padded.checked_add(8)? } else { 0 };
    let total = text.len().checked_add(20)?.checked_add(chunk)?;
    let mut out = Vec::with_capacity(total);
    let word = |out: &mut Vec<u8>, v: usize| -> Option<()> {
        out.extend(u32::try_from(v).ok()?.to_le_bytes());
        Some(())
    };
    out.extend(MAGIC);
    word(&mut out, 2)?;
    word(&mut out, total)?;
    word(&mut out, text.len())?;
    out.extend(JSON.to_le_bytes());
    out.extend(&text);
    if padded > 0 {
        word(&mut out, padded)?;
        out.extend(BIN.to_le_bytes());
        out.extend(bin);
        out.resize(total, 0);
    }
    Some(out)
}

fn parse(text: &[u8]) -> Result<Value, GltfError> {
    if let Err(e) = std::str::from_utf8(text) {
        let at = e.valid_up_to();
        return Err(bad(format!("the JSON is not UTF-8 from its byte {at} on; save it as UTF-8")));
    }
    serde_json::from_slice(text).map_err(|e| GltfError::Json {
        line: e.line(),
        column: e.column(),
        message: e.to_string(),
    })
}

fn bad(reason: impl Into<String>) -> GltfError {
    GltfError::Container { reason: reason.into() }
}
