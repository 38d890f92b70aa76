//! A trace as trace events in JSON, for copies that contain notes or a part of the trace.

use std::io::Write;

use super::convert::{End, write_events};
use crate::cut::{CutError, CutScope};
use crate::error::ImportError;
use crate::importer::{ImportContext, Importer as _};
use crate::io::text::Text;
use crate::options::Options;
use crate::progress::Progress;
use crate::timings::Timings;
use crate::trace_events::{self, Chrome};
use flowline_profile::{Profile, Source, Warnings};

/// The same recording with its events as JSON text in memory; `None` if they are text already. Threads and markers have
/// the same numbers.
///
/// # Errors
/// If memory is insufficient, or the import was canceled.
pub fn as_text(profile: &Profile, progress: &Progress) -> Result<Option<Profile>, ImportError> {
    let Some(events) = profile.source.events() else { return Ok(None) };
    let options = Options::default();
    let (mut text, mut refused) = (String::new(), None);
    let end = write_events(events.recording().bytes(), &mut |block, _| {
        if text.capacity() < text.len() + block.len() {
            refused = options.budget.check(2 * text.len() as u64).err();
        }
        text.push_str(block);
        refused.is_none() && !progress.is_cancelled()
    });
    if let Some(refused) = refused {
        return Err(refused);
    }
    if end == End::Stopped {
        return Err(ImportError::Cancelled);
    }
    read_text(text, &options, progress).map(Some)
}

/// Reads a trace from its text.
///
/// # Errors
/// If memory is insufficient, or the import was canceled.
pub(super) fn read_text(text: String, options: &Options, progress: &Progress) -> Result<Profile, ImportError> {
    let source = Source::new(text);
    let (warnings, timings) = (Warnings::default(), Timings::default());
    let mut context = ImportContext { options, progress, warnings, timings };
    let parsed = Chrome::read(&Text::Complete(source.clone()), &mut context)?;
    Chrome::finish(parsed, &source, &mut context)
}

/// Writes a part of a trace as trace events in JSON.
pub(crate) fn cut_as_json(scope: &CutScope<'_>, out: &mut dyn Write, progress: &Progress) -> Result<(), CutError> {
    let Some(text) = as_text(scope.profile, progress)? else { return trace_events::cut(scope, out, progress) };
    let (threads, markers) = (scope.threads.clone(), scope.markers.clone());
    trace_events::cut(&CutScope { profile: &text, threads, markers, ..*scope }, out, progress)
}
