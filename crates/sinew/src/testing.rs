//! Helpers of the tests.

use std::path::PathBuf;

/// A shared test file by its path inside the assets folder, such as `vectors/euler.json`.
///
/// The folder is the environment variable `SINEW_ASSETS`, else `../shared` seen from the
/// workspace's root. `None`, with a line that says so, where there is no such file: the test then
/// returns without checking anything.
pub fn shared(rel: &str) -> Option<PathBuf> {
    let root = match std::env::var_os("SINEW_ASSETS") {
        Some(folder) => PathBuf::from(folder),
        None => PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")),
    };
    let path = root.join(rel);
    if path.exists() {
        Some(path)
    } else {
        println!("skipped: {rel} not found (set SINEW_ASSETS to the folder of shared test files)");
        None
    }
}

/// A shared JSON file, parsed; `None` as for [`shared`].
pub fn shared_json(rel: &str) -> Option<serde_json::Value> {
    let text = std::fs::read_to_string(shared(rel)?).expect("a readable file");
    Some(serde_json::from_str(&text).expect("valid JSON"))
}

/// Numbers of a JSON array; empty where `v` is not an array.
pub fn numbers(v: &serde_json::Value) -> Vec<f64> {
    v.as_array().map(|a| a.iter().filter_map(serde_json::Value::as_f64).collect()).unwrap_or_default()
}
