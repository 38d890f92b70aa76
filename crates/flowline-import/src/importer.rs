//! The interface that every format implements.
//!
//! A new format implements [`Importer`] in its own folder and adds an entry to `super::formats::FORMATS`.

use crate::error::ImportError;
use crate::io::text::Text;
use crate::options::Options;
use crate::progress::Progress;
use crate::timings::Timings;
use flowline_json::Cursor;
use flowline_profile::{Profile, Source, Warnings};

/// A format probe: a piece of the text for format detection (see `super::detect`).
#[derive(Debug)]
pub(super) enum FormatProbe<'a> {
    /// The first bytes: 64 KiB or more, fewer if the text is shorter.
    Start(&'a [u8]),
    /// The text is a JSON array.
    Array,
    /// A top-level member of a JSON object; the cursor is at its value. The text may end there.
    Member(&'a [u8], Cursor<'a>),
}

/// Result of a format probe for one format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detection {
    /// The text has this format.
    Yes,
    /// The probe does not indicate this format.
    No,
    /// The text ends too early to decide.
    NeedMore,
}

impl From<bool> for Detection {
    fn from(is_format: bool) -> Self {
        if is_format { Self::Yes } else { Self::No }
    }
}

/// Inputs and state of an import, apart from the text.
#[derive(Debug)]
pub(super) struct ImportContext<'a> {
    pub(super) options: &'a Options,
    pub(super) progress: &'a Progress,
    /// All warnings so far.
    pub(super) warnings: Warnings,
    pub(super) timings: Timings,
}

/// A format: its detection and its reader.
pub(super) trait Importer {
    /// Result of [`Importer::read`] for [`Importer::finish`], which does the work that needs the complete text.
    type Parsed;

    /// Evaluates a format probe.
    fn detect(probe: &FormatProbe<'_>) -> Detection;

    /// Reads the text, as far as possible while it is still being unpacked ([`Text::available_after`] waits for more).
    ///
    /// # Errors
    /// If nothing is usable, memory is insufficient, or the import was canceled.
    fn read(text: &Text, context: &mut ImportContext<'_>) -> Result<Self::Parsed, ImportError>;

    /// Derives the profile; `source` is the complete text. Warnings stay in the context.
    ///
    /// # Errors
    /// Same as [`Importer::read`].
    fn finish(parsed: Self::Parsed, source: &Source, context: &mut ImportContext<'_>) -> Result<Profile, ImportError>;
}
