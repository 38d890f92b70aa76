//! Copies of Chrome traces that contain notes.

use std::io::Write;
use std::path::Path;

use super::guard::OutputGuard;
use flowline_import::{Progress, as_text, write_annotated};
use flowline_index::Index;
use flowline_index::hidden::expanded;
use flowline_index::modifications::written;
use flowline_profile::Source;
use flowline_profile::notes::Note;
use flowline_ui::ARRANGEMENT;

/// A JSON object with a further member, whose value is JSON, too.
fn with_member(object: String, name: &str, value: Option<&str>) -> String {
    let (Some(value), Some(members)) = (value, object.strip_suffix('}')) else { return object };
    let comma = if members.ends_with('{') { "" } else { "," };
    format!("{members}{comma}\"{name}\":{value}}}")
}

/// A copy of a trace with notes, ready to be written.
#[derive(Debug)]
pub struct AnnotatedTrace<'a> {
    index: &'a Index,
    /// The text of the trace.
    text: Source,
    /// The notes as JSON.
    notes: String,
    /// Number of notes that the trace format cannot represent.
    pub omitted: usize,
}

impl<'a> AnnotatedTrace<'a> {
    /// Prepares a copy of a recording with these notes, and with an arrangement of its tracks as JSON.
    ///
    /// # Errors
    /// If the recording is not a Chrome trace.
    pub fn new(index: &'a Index, notes: &[Note], arrangement: Option<&str>) -> anyhow::Result<Self> {
        let profile = index.profile();
        anyhow::ensure!(profile.source.holds_events(), "only Chrome traces can contain notes");
        let text = as_text(profile, &Progress::default())?;
        let of_text = text.as_ref().unwrap_or(profile);
        let made = written(of_text, &expanded(profile, notes));
        let notes = with_member(made.text, ARRANGEMENT, arrangement);
        Ok(Self { index, text: of_text.source.clone(), notes, omitted: made.omitted })
    }

    /// Writes the copy.
    ///
    /// # Errors
    /// Errors of `out`, or if this variant of the trace format cannot contain notes.
    pub fn write(&self, out: &mut dyn Write) -> std::io::Result<()> {
        write_annotated(self.text.bytes(), self.notes.as_bytes(), out)
    }

    /// Writes the copy to a file atomically; the file is compressed if its name ends in `.gz`.
    ///
    /// # Errors
    /// Errors of [`AnnotatedTrace::write`] and of the file.
    pub fn write_file(&self, guard: &OutputGuard, path: &Path) -> std::io::Result<()> {
        let guard = guard.clone().reading(&self.index.profile().source);
        let is_packed = path.extension().is_some_and(|extension| extension == "gz");
        let written = guard.write_file(path, |mut out| {
            if is_packed {
                let mut encoder = flate2::write::GzEncoder::new(&mut out, flate2::Compression::default());
                self.write(&mut encoder)?;
                encoder.finish()?;
            } else {
                self.write(out)?;
            }
            Ok::<_, std::io::Error>(Some(()))
        });
        written.map(|_| ())
    }
}
