//! Copies of traces with notes in them.

use std::io::Write;
use std::path::Path;

use super::whole_file::write_whole;
use crate::import::write_annotated;
use crate::index::Index;
use crate::index::hidden::expanded;
use crate::index::modifications::written;
use crate::profile::notes::Note;

/// Writes a copy of a trace with notes to a file, which appears once it is complete; a name that ends in `.gz` is packed.
/// Returns how many notes cannot be said in a trace.
///
/// # Errors
/// When the recording is no trace, and errors of the file.
pub fn write_annotated_trace(path: &Path, index: &Index, notes: &[Note]) -> anyhow::Result<usize> {
    let profile = index.profile();
    anyhow::ensure!(profile.source.member().is_some(), "only Chrome traces can hold notes");
    anyhow::ensure!(path.file_name().is_some(), "names no file");
    let made = written(profile, &expanded(profile, notes));
    let (text, value) = (profile.source.bytes(), made.text.as_bytes());
    let is_packed = path.extension().is_some_and(|extension| extension == "gz");
    write_whole(path, |file| -> anyhow::Result<Option<()>> {
        if is_packed {
            let mut encoder = flate2::write::GzEncoder::new(file, flate2::Compression::default());
            write_annotated(text, value, &mut encoder)?;
            encoder.finish()?.flush()?;
        } else {
            write_annotated(text, value, file)?;
        }
        Ok(Some(()))
    })?;
    Ok(made.left_out)
}
