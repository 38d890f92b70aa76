//! The interface of a format, and its entry in the table of formats.
//!
//! A new format implements [`Importer`] in a folder of its own and gets a line in `super::FORMATS`.

use super::error::ImportError;
use super::io::source::{Finished, Opened};
use super::io::text::Text;
use super::progress::Progress;
use super::{Options, Timings};
use flowline_json::Cursor;
use flowline_profile::{Profile, Source, Warnings};

/// A piece of evidence about the format of a text (see `super::sniff`).
#[derive(Debug)]
pub(super) enum Clue<'a> {
    /// The first bytes: 64 KiB or more, fewer if the text is shorter.
    Start(&'a [u8]),
    /// The text is a JSON array.
    Array,
    /// A top-level member of a JSON object; the cursor is before its value. The text may end there.
    Member(&'a [u8], Cursor<'a>),
}

/// What a clue says about a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sniff {
    /// The text has this format.
    Yes,
    /// The clue is no evidence for it.
    No,
    /// The text ends too early to tell.
    NeedMore,
}

impl From<bool> for Sniff {
    fn from(is_format: bool) -> Self {
        if is_format { Self::Yes } else { Self::No }
    }
}

/// What an import needs besides the text.
#[derive(Debug)]
pub(super) struct ImportContext<'a> {
    pub(super) options: &'a Options,
    pub(super) progress: &'a Progress,
    /// All warnings so far.
    pub(super) warnings: Warnings,
    pub(super) timings: Timings,
}

/// A format: how to recognize it and how to read it.
pub(super) trait Importer {
    /// Its name in messages.
    const NAME: &'static str;

    /// What [`Importer::read`] passes to [`Importer::finish`]: everything but what needs the complete text.
    type Parsed;

    /// Judges a clue.
    fn sniff(clue: &Clue<'_>) -> Sniff;

    /// Reads the text, as far as possible while it is still being unpacked ([`Text::available_after`] waits for more).
    ///
    /// # Errors
    /// When nothing is usable, memory does not suffice, or the import was cancelled.
    fn read(text: &Text, context: &mut ImportContext<'_>) -> Result<Self::Parsed, ImportError>;

    /// Derives the profile; `source` is the complete text. Warnings stay in the context.
    ///
    /// # Errors
    /// As [`Importer::read`].
    fn finish(parsed: Self::Parsed, source: &Source, context: &mut ImportContext<'_>) -> Result<Profile, ImportError>;
}

/// An entry in the table of formats.
pub(super) struct Format {
    pub(super) name: &'static str,
    pub(super) sniff: fn(&Clue<'_>) -> Sniff,
    pub(super) import: fn(&mut Opened, &mut ImportContext<'_>) -> Result<Profile, ImportError>,
}

impl Format {
    /// The entry of an importer.
    pub(super) const fn new<I: Importer>() -> Self {
        Self { name: I::NAME, sniff: I::sniff, import: import::<I> }
    }
}

fn import<I: Importer>(opened: &mut Opened, context: &mut ImportContext<'_>) -> Result<Profile, ImportError> {
    let before = context.warnings.clone();
    let mut parsed = I::read(&opened.text, context)?;
    let mut unpacking = Warnings::default();
    let source = match opened.finish(context.options, context.progress, &mut unpacking)? {
        Finished::Complete(source) => source,
        Finished::Restarted(source) => {
            context.warnings = before;
            parsed = I::read(&opened.text, context)?;
            source
        }
    };
    context.warnings.merge(unpacking);
    let mut profile = I::finish(parsed, &source, context)?;
    profile.meta.json_bytes = opened.text.available_after(0).0.len() as u64;
    Ok(profile)
}
