//! Loads the beginning of a large recording to show it while the rest is loading.

use std::path::Path;
use std::time::Instant;

use flowline_import::{Imported, Options, Progress};
use flowline_load::{Loaded, Origin, UserRules, index_imported};
use flowline_profile::Strings;

/// Minimum size in bytes of files whose beginning is shown first; a tenth of that for compressed files.
const LARGE: u64 = 192 << 20;
const LARGE_PACKED: u64 = LARGE / 10;
/// Minimum number of bytes of text in the beginning.
const MIN_BEGINNING: usize = 32 << 20;
/// Maximum size in bytes of the beginning, which grows while it has no markers.
const MAX_BEGINNING: usize = 512 << 20;

/// Loads the beginning of a large file; `None` if the file is small or its beginning has no markers.
pub(super) fn load_partial(
    origin: &Origin,
    options: &Options,
    rules: &UserRules,
    progress: &Progress,
) -> Option<Loaded> {
    let Origin::File(path) = origin else { return None };
    let bytes = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?.len();
    let is_large = bytes >= LARGE
        || (bytes >= LARGE_PACKED
            && std::fs::File::open(path).is_ok_and(|file| flowline_import::is_compressed_file(&file)));
    if !is_large {
        return None;
    }
    let began = Instant::now();
    let mut imported = open_beginning(path, [MIN_BEGINNING, MAX_BEGINNING], options, progress)?;
    imported.profile.strings = with_name_placeholders(&imported.profile.strings);
    // The warning about truncated text is expected here.
    imported.profile.warnings = flowline_profile::Warnings::default();
    index_imported(imported, began, rules, progress, &mut |_| ()).ok()
}

/// Opens the shortest beginning that has markers, between `shortest` and `longest` bytes. In a compressed processed
/// profile, names and times follow all payloads of a thread, so a short beginning may have none.
fn open_beginning(
    path: &Path,
    [shortest, longest]: [usize; 2],
    options: &Options,
    progress: &Progress,
) -> Option<Imported> {
    let mut bytes = shortest;
    while bytes <= longest {
        let imported = flowline_import::open_partial(path, bytes, options, progress).ok()?;
        if imported.profile.marker_count() > 0 {
            return Some(imported);
        }
        if imported.profile.meta.json_bytes < bytes as u64 {
            break;
        }
        bytes = bytes.saturating_mul(2);
    }
    None
}

/// In raw Firefox profiles, the names of a thread's markers follow the markers, so they are missing in the beginning.
const NAME_PLACEHOLDER: &str = "(name not loaded yet)";

/// Returns the same strings under the same numbers, with placeholders for missing names.
fn with_name_placeholders(strings: &Strings) -> Strings {
    let mut renamed = Strings::default();
    for (_, text) in strings.iter() {
        renamed.intern(if text == flowline_import::UNKNOWN_NAME { NAME_PLACEHOLDER } else { text });
    }
    // The recording may contain the placeholder itself; numbers must not change.
    if renamed.len() == strings.len() { renamed } else { strings.clone() }
}

#[cfg(test)]
mod tests;
