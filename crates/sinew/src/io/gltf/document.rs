//! The kept JSON with its buffers, and how URIs are read.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use base64::{Engine, alphabet, engine};
use serde_json::Value;

use super::{
    container,
    error::{Fault, GltfError, Place, Report},
};

/// A glTF file in memory: its JSON as it was, the buffers, and the folder that relative URIs mean.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// The JSON, unchanged.
    pub json: Value,
    /// Content of each buffer, or why it could not be read.
    pub(super) buffers: Vec<Result<Arc<[u8]>, Fault>>,
    /// Folder of external files.
    pub(super) base: Option<PathBuf>,
}

impl Document {
    /// Reads the container and every buffer. A buffer that cannot be read is no problem yet, only
    /// its use is: a file whose meshes lack their data still gives its skeleton.
    pub(super) fn read(bytes: &[u8], base: Option<&Path>, report: &mut Report) -> Result<Self, GltfError> {
        let (json, mut bin) = container::split(bytes)?;
        let root = Place::ROOT;
        check_version(&json, report);
        // These extensions pack the very data that is read here; all others leave it alone.
        let at = root.key("extensionsRequired");
        for (i, name) in report.list(&json, "extensionsRequired", &root).iter().enumerate() {
            if let Some(n @ ("EXT_meshopt_compression" | "KHR_meshopt_compression")) = name.as_str() {
                report.problem(&at.index(i), Fault::Unsupported { what: format!("extension {n}") });
            }
        }
        let at = root.key("buffers");
        let mut buffers = Vec::new();
        // One file that many buffers name is read once.
        let mut files: HashMap<&str, Result<Arc<[u8]>, Fault>> = HashMap::new();
        for (i, buffer) in report.list(&json, "buffers", &root).iter().enumerate() {
            let at = at.index(i);
            if !report.object(buffer, &at) {
                continue;
            }
            let length = report.required(buffer, "byteLength", &at).unwrap_or(0);
            let content = match report.text(buffer, "uri", &at) {
                Some(uri) => files.entry(uri).or_insert_with(|| read_uri(uri, base).map(Arc::from)).clone(),
                None => match bin.take() {
                    Some(bin) if i == 0 => Ok(Arc::from(bin)),
                    _ => Err(Fault::Unavailable { reason: "the buffer has no URI and no GLB chunk".into() }),
                },
            };
            let content = content.and_then(|data: Arc<[u8]>| {
                if data.len() < length {
                    let (end, length) = (length as u64, data.len() as u64);
                    return Err(Fault::OutsideData { end, of: "the buffer's data", length });
                }
                Ok(data)
            });
            match &content {
                Err(fault @ Fault::OutsideData { .. }) => report.unreadable(i, &at.key("byteLength"), fault),
                Err(fault) => report.warn(&at, fault.clone()),
                Ok(_) => {}
            }
            buffers.push(content);
        }
        Ok(Self { json, buffers, base: base.map(Path::to_owned) })
    }

    /// Bytes of JSON-referenced data that are in memory.
    pub(super) fn data_len(&self) -> u64 {
        self.buffers.iter().flatten().map(|b| b.len() as u64).sum()
    }
}

/// The newest version of the format that is read. Later minor versions only add to it.
const VERSION: (u32, u32) = (2, 0);

/// Refuses files that need a newer reader. A file that says which version it needs at least
/// (`minVersion`) may be of any version; of others the major version counts.
fn check_version(json: &Value, report: &mut Report) {
    let root = Place::ROOT;
    let at = root.key("asset");
    let asset = json.get("asset").unwrap_or(&Value::Null);
    if asset.get("version").is_none() {
        report.problem(&at.key("version"), Fault::Missing);
    }
    let mut read = |key: &str| {
        let text = report.text(asset, key, &at)?;
        let numbers = text.split_once('.').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
        if numbers.is_none() {
            report.problem(&at.key(key), Fault::BadValue { found: format!("{:?}", shorten(text)) });
        }
        numbers.map(|n: (u32, u32)| (n, text))
    };
    let (version, least) = (read("version"), read("minVersion"));
    let unsupported = |text: &str| Fault::Unsupported { what: format!("glTF version {:?}", shorten(text)) };
    match (version, least) {
        (_, Some((least, text))) if least > VERSION || least.0 < VERSION.0 => {
            report.problem(&at.key("minVersion"), unsupported(text));
        }
        (Some((version, text)), None) if version.0 != VERSION.0 => {
            report.problem(&at.key("version"), unsupported(text));
        }
        _ => {}
    }
}

/// Data of a data URI, or of a file in the base folder.
pub(super) fn read_uri(uri: &str, base: Option<&Path>) -> Result<Vec<u8>, Fault> {
    let bad = |reason| Fault::BadUri { uri: shorten(uri), reason };
    if let Some(rest) = uri.strip_prefix("data:") {
        let Some((_, text)) = rest.split_once(";base64,") else {
            return Err(bad("only base64 data URIs are read"));
        };
        // Some writers leave the padding or the last bits as they fall.
        let config = engine::GeneralPurposeConfig::new()
            .with_decode_padding_mode(engine::DecodePaddingMode::Indifferent)
            .with_decode_allow_trailing_bits(true);
        let decoder = engine::GeneralPurpose::new(&alphabet::STANDARD, config);
        return decoder.decode(text.trim_end()).map_err(|_| bad("its base64 is broken"));
    }
    let path = relative_path(uri).map_err(bad)?;
    let unavailable = |reason: String| Fault::Unavailable { reason };
    let Some(base) = base else {
        return Err(unavailable(format!("no folder is known for {}", shorten(uri))));
    };
    let failed = |e: std::io::Error| Fault::Unavailable { reason: format!("{}: {e}", shorten(uri)) };
    // Links are followed before the check, so none leads out of the folder.
    let folder = if base.as_os_str().is_empty() { Path::new(".") } else { base };
    let folder = folder.canonicalize().map_err(failed)?;
    let full = folder.join(path).canonicalize().map_err(failed)?;
    if !full.starts_with(&folder) {
        return Err(bad("it leads out of the glTF's folder"));
    }
    // A pipe or a device might never end.
    if !full.metadata().map_err(failed)?.is_file() {
        return Err(bad("it is not a file"));
    }
    std::fs::read(&full).map_err(failed)
}

/// Decodes `%20` and refuses whatever is not a plain path downwards.
fn relative_path(uri: &str) -> Result<PathBuf, &'static str> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.bytes();
    while let Some(b) = rest.next() {
        if b != b'%' {
            bytes.push(b);
            continue;
        }
        let digit = |d: Option<u8>| d.and_then(|d| char::from(d).to_digit(16));
        let (Some(hi), Some(lo)) = (digit(rest.next()), digit(rest.next())) else {
            return Err("it has a % without two hexadecimal digits");
        };
        bytes.push((hi * 16 + lo) as u8);
    }
    let path = String::from_utf8(bytes).map_err(|_| "it is not UTF-8")?;
    if path.contains(['\\', ':', '\0']) || path.starts_with('/') {
        return Err("it is not a relative path");
    }
    if path.is_empty() || path.split('/').any(|part| part == "..") {
        return Err("it leads out of the glTF's folder");
    }
    Ok(path.into())
}

/// The start of a text that may be a megabyte long.
pub(super) fn shorten(text: &str) -> String {
    let mut out: String = text.chars().take(60).collect();
    if out.len() < text.len() {
        out.push('…');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_leave_the_folder_are_refused() {
        for uri in [
            "../a",
            "a/../../b",
            "/etc/passwd",
            "%2e%2e/a",
            "..%2fa",
            "%2Fetc",
            "c:\\a",
            "file:a",
            "a%",
            "a%0",
            "",
            "a\\..\\b",
        ] {
            assert!(relative_path(uri).is_err(), "{uri}");
        }
        assert_eq!(relative_path("a%20b/c.bin").unwrap(), PathBuf::from("a b/c.bin"));
        assert_eq!(relative_path("..a/b..").unwrap(), PathBuf::from("..a/b.."));
    }

    #[test]
    fn data_uris_are_decoded_with_or_without_padding() {
        assert_eq!(read_uri("data:application/octet-stream;base64,AAEC", None).unwrap(), [0, 1, 2]);
        assert_eq!(read_uri("data:;base64,AAE=", None).unwrap(), [0, 1]);
        assert_eq!(read_uri("data:;base64,AAE", None).unwrap(), [0, 1]);
        assert!(read_uri("data:;base64,A?E=", None).is_err());
        assert!(read_uri("data:text/plain,hi", None).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_out_of_the_folder_are_refused() {
        let outside = tempfile::tempdir().unwrap();
        let inside = tempfile::tempdir().unwrap();
        std::fs::write(outside.path().join("secret"), b"data").unwrap();
        std::os::unix::fs::symlink(outside.path().join("secret"), inside.path().join("link")).unwrap();
        assert!(matches!(read_uri("link", Some(inside.path())), Err(Fault::BadUri { .. })));
        std::fs::write(inside.path().join("a b"), b"data").unwrap();
        assert_eq!(read_uri("a%20b", Some(inside.path())).unwrap(), b"data");
        assert!(matches!(read_uri("missing", Some(inside.path())), Err(Fault::Unavailable { .. })));
    }
}
