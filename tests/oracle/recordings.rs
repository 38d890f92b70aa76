//! The recordings whose figures are compared.

use std::io::Read as _;
use std::path::{Path, PathBuf};

/// The folder of the project.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files below a folder, in the order of their paths.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for path in entries.map(|entry| entry.expect("readable").path()) {
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The fixtures that are recordings.
pub(crate) fn fixtures() -> Vec<PathBuf> {
    let is_recording = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let in_cases = path.components().any(|part| part.as_os_str() == "cases");
        let is_json = name.ends_with(".json") || name.ends_with(".json.gz");
        // The other cases are lists of inputs and expected values.
        is_json && !name.contains("facts") && (!in_cases || name == "page.json" || name.starts_with("numbers-"))
    };
    files_below(&root().join("fixtures")).into_iter().filter(is_recording).collect()
}

/// The recordings of a folder beside the project, if it exists.
#[expect(clippy::print_stdout, reason = "reports missing files")]
pub(crate) fn beside(folder: &str) -> Vec<PathBuf> {
    let found = files_below(&root().join("../shared").join(folder));
    if found.is_empty() {
        println!("{folder} was not found beside the project; the fixtures are compared in tests of their own");
    }
    found
}

/// The path of a fixture.
pub(crate) fn fixture(name: &str) -> PathBuf {
    root().join("fixtures/cases").join(name)
}

/// The text of a file, decompressed.
pub(crate) fn contents(path: &Path) -> Vec<u8> {
    let bytes = std::fs::read(path).expect("readable");
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return bytes;
    }
    let mut text = Vec::new();
    // A damaged end leaves the text before it, which then is no complete JSON.
    let _end = flate2::read::MultiGzDecoder::new(bytes.as_slice()).read_to_end(&mut text);
    text
}
