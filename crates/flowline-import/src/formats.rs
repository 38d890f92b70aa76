//! The table of formats.

use std::io::Write;

use crate::collapsed::Collapsed;
use crate::cpuprofile::V8Profile;
use crate::cut::{CutError, CutScope};
use crate::error::ImportError;
use crate::firefox::{self, Firefox};
use crate::heapprofile::HeapProfile;
use crate::importer::{Detection, FormatProbe, ImportContext, Importer};
use crate::io::source::{Finished, Opened};
use crate::perf_script::PerfScript;
use crate::perfetto::{self, Perfetto};
use crate::progress::Progress;
use crate::speedscope::Speedscope;
use crate::trace_events::{self, Chrome};
use flowline_profile::{Profile, SourceKind, Warnings};

/// Writes a part of a recording.
pub(super) type Cut = fn(&CutScope<'_>, &mut dyn Write, &Progress) -> Result<(), CutError>;

/// MIME type of files that only Flowline and similar programs open.
const RECORDING: &str = "application/x-flowline-recording";

/// A format that Flowline reads.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// Name in messages, in the plural.
    pub name: &'static str,
    /// Kinds of recordings in this format.
    pub kinds: &'static [SourceKind],
    /// Endings of file names that only recordings have. The desktop opens such files with Flowline.
    pub endings: &'static [&'static str],
    /// Endings that other files have, too. File dialogs list such files.
    pub shared_endings: &'static [&'static str],
    /// MIME type of files with one of [`Format::endings`].
    pub mime_type: &'static str,
    /// Evaluates a format probe.
    pub(super) detect: fn(&FormatProbe<'_>) -> Detection,
    /// Imports an opened file.
    pub(super) import: fn(&mut Opened, &mut ImportContext<'_>) -> Result<Profile, ImportError>,
    /// `None` if recordings cannot be cut.
    pub(super) cut: Option<Cut>,
}

/// The formats that Flowline reads. The first one that matches a text imports it (see `format_detection`).
pub static FORMATS: [Format; 8] = [
    Format {
        name: "Firefox Profiler profiles",
        kinds: &[SourceKind::FirefoxRaw, SourceKind::FirefoxProcessed, SourceKind::FirefoxJslb],
        endings: &[".profile.json", ".profile.json.gz", ".jslb"],
        shared_endings: &[".json", ".profile"],
        mime_type: RECORDING,
        detect: Firefox::detect,
        import: import::<Firefox>,
        cut: Some(firefox::cut),
    },
    Format {
        name: "Chrome trace events",
        kinds: &[SourceKind::ChromeTrace],
        endings: &[".trace.json", ".trace.json.gz"],
        shared_endings: &[".json", ".trace"],
        mime_type: RECORDING,
        detect: Chrome::detect,
        import: import::<Chrome>,
        cut: Some(trace_events::cut),
    },
    Format {
        name: "Perfetto traces",
        kinds: &[SourceKind::PerfettoTrace],
        endings: &perfetto::ENDINGS,
        shared_endings: &[".pb", ".proto"],
        mime_type: RECORDING,
        detect: Perfetto::detect,
        import: import::<Perfetto>,
        cut: Some(perfetto::cut),
    },
    Format {
        name: "V8 CPU profiles",
        kinds: &[SourceKind::CpuProfile],
        endings: &[".cpuprofile"],
        shared_endings: &[],
        mime_type: RECORDING,
        detect: V8Profile::detect,
        import: import::<V8Profile>,
        cut: None,
    },
    Format {
        name: "V8 heap profiles",
        kinds: &[SourceKind::HeapProfile],
        endings: &[".heapprofile"],
        shared_endings: &[],
        mime_type: RECORDING,
        detect: HeapProfile::detect,
        import: import::<HeapProfile>,
        cut: None,
    },
    Format {
        name: "speedscope profiles",
        kinds: &[SourceKind::Speedscope],
        endings: &[".speedscope.json"],
        shared_endings: &[".json", ".speedscope"],
        mime_type: RECORDING,
        detect: Speedscope::detect,
        import: import::<Speedscope>,
        cut: None,
    },
    Format {
        name: "perf script output",
        kinds: &[SourceKind::PerfScript],
        endings: &[],
        shared_endings: &[".perf", ".perf.txt"],
        mime_type: RECORDING,
        detect: PerfScript::detect,
        import: import::<PerfScript>,
        cut: None,
    },
    Format {
        name: "collapsed stacks",
        kinds: &[SourceKind::Collapsed],
        endings: &[],
        shared_endings: &[".collapsed", ".collapsed.txt", ".folded"],
        mime_type: RECORDING,
        detect: Collapsed::detect,
        import: import::<Collapsed>,
        cut: None,
    },
];

/// Endings of compressed files, which may contain any format.
pub const CONTAINERS: [&str; 3] = [".gz", ".zst", ".zip"];

impl Format {
    /// True if `flowline cut` supports the format.
    #[must_use]
    pub const fn can_cut(&self) -> bool {
        self.cut.is_some()
    }
}

/// Reads the text of an opened file and derives the profile.
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
    crate::event_functions::add(&mut profile);
    profile.meta.json_bytes = opened.text.available_after(0).0.len() as u64;
    Ok(profile)
}

/// Words separated by commas, with "and" before the last one.
fn list(words: impl Iterator<Item = &'static str>) -> String {
    let words: Vec<&str> = words.collect();
    match words.split_last() {
        Some((end, [])) => (*end).to_owned(),
        Some((end, others)) => format!("{} and {end}", others.join(", ")),
        None => String::new(),
    }
}

/// The names of all formats, for messages.
#[must_use]
pub fn format_names() -> String {
    list(FORMATS.iter().map(|format| format.name))
}

/// The names of the formats that can be cut, for messages.
#[must_use]
pub fn cut_format_names() -> String {
    list(FORMATS.iter().filter(|format| format.can_cut()).map(|format| format.name))
}

/// The file endings that recordings have, including those of compressed files.
pub fn file_endings() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().flat_map(|format| format.endings.iter().chain(format.shared_endings)).copied().chain(CONTAINERS)
}

#[cfg(test)]
mod tests;
