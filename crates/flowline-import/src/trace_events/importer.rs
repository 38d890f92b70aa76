//! The importer of Chrome trace events: reads them in parallel, then derives the profile.

use super::derive::{Parsed, derive};
use super::text::batch::Batch;
use super::text::messages;
use super::text::top_level;
use super::text::trace::Trace;
use super::tracks::event_tracks::EventTracks;
use crate::error::ImportError;
use crate::importer::{Detection, FormatProbe, ImportContext, Importer};
use crate::io::memory::Budget;
use crate::io::text::Text;
use crate::progress::{Phase, Progress};
use crate::text_start::json_start;
use crate::unsupported_formats::unsupported_array;
use flowline_json::{Kind, Problem};
use flowline_profile::{Profile, Source, Stopwatch, WarningKind, Warnings};

/// Collects the events of batches.
#[derive(Default)]
pub(crate) struct Collector {
    trace: Trace,
    tracks: EventTracks,
    warnings: Warnings,
    /// Number of events at the last check of the memory.
    checked: u64,
    refused: Option<ImportError>,
}

impl Collector {
    /// Adds a batch; returns `false` if the memory does not suffice.
    pub(crate) fn add(&mut self, batch: &mut Batch<'_>, budget: &Budget) -> bool {
        self.trace.merge_batch(batch);
        self.tracks.add(&self.trace, batch, &mut self.warnings);
        self.warnings.merge(std::mem::take(&mut batch.warnings));
        if self.tracks.count >= self.checked + (1 << 20) {
            self.checked = self.tracks.count;
            self.refused = budget.check(self.tracks.memory(&self.trace)).err();
        }
        self.refused.is_none()
    }

    /// The reason why a batch was refused, once.
    pub(crate) const fn take_refusal(&mut self) -> Option<ImportError> {
        self.refused.take()
    }

    /// Ends the events. `parts` are the other top-level members of the text.
    ///
    /// # Errors
    /// If the memory did not suffice, or the import was canceled.
    pub(crate) fn finish(
        self,
        parts: Vec<(String, u64)>,
        context: &mut ImportContext<'_>,
    ) -> Result<Parsed, ImportError> {
        context.warnings.merge(self.warnings);
        if let Some(refused) = self.refused {
            return Err(refused);
        }
        if context.progress.is_cancelled() {
            return Err(ImportError::Cancelled);
        }
        Ok(Parsed { trace: self.trace, tracks: self.tracks, parts })
    }
}

/// Reads the events of a text that is not a file of its own.
pub(crate) fn read_document<'a>(
    text: &'a Text,
    context: &mut ImportContext<'_>,
    consume: impl FnMut(&mut Batch<'a>) -> bool + Send,
) -> Vec<(String, u64)> {
    top_level::read(text, context.options.chunk, &Progress::default(), &mut context.warnings, consume)
}

/// The importer of Chrome trace events.
pub(crate) struct Chrome;

impl Importer for Chrome {
    type Parsed = Parsed;

    fn detect(probe: &FormatProbe<'_>) -> Detection {
        match probe {
            FormatProbe::Array => Detection::Yes,
            FormatProbe::Member(b"traceEvents", value) => match { *value }.peek() {
                Ok(kind) => (kind == Kind::Array).into(),
                Err(error) if error.problem == Problem::Truncated => Detection::NeedMore,
                Err(_) => Detection::No,
            },
            // JSON Lines: the first object is an event.
            FormatProbe::Member(b"ph", value) => match { *value }.peek() {
                Ok(kind) => (kind == Kind::String).into(),
                Err(error) if error.problem == Problem::Truncated => Detection::NeedMore,
                Err(_) => Detection::No,
            },
            FormatProbe::Member(b"method", value) => match messages::is_of_tracing(*value) {
                Ok(is_message) => is_message.into(),
                Err(error) if error.problem == Problem::Truncated => Detection::NeedMore,
                Err(_) => Detection::No,
            },
            FormatProbe::Start(_) | FormatProbe::Member(..) => Detection::No,
        }
    }

    fn read(text: &Text, context: &mut ImportContext<'_>) -> Result<Parsed, ImportError> {
        let step = Stopwatch::start();
        let (options, progress) = (context.options, context.progress);
        let total = if let (bytes, true) = text.available_after(0) { bytes.len() as u64 } else { 0 };
        progress.begin(Phase::Parse, total);
        let mut events = Collector::default();
        let consume = |batch: &mut Batch<'_>| events.add(batch, &options.budget);
        let parts = top_level::read(text, options.chunk, progress, &mut context.warnings, consume);
        let Parsed { trace, tracks, parts } = events.finish(parts, context)?;
        let elements = || [WarningKind::WrongType, WarningKind::MissingPart].map(|kind| context.warnings.count(kind));
        let mut start = json_start(text.available_after(0).0);
        if tracks.count == 0 && start.peek() == Ok(Kind::Array) && elements() != [0, 0] {
            return Err(unsupported_array(start));
        }
        context.timings.parse = step.elapsed();
        Ok(Parsed { trace, tracks, parts })
    }

    fn finish(parsed: Parsed, source: &Source, context: &mut ImportContext<'_>) -> Result<Profile, ImportError> {
        let step = Stopwatch::start();
        context.options.budget.check(parsed.tracks.memory(&parsed.trace))?;
        let profile = derive(parsed, source, &mut context.warnings, context.progress)?;
        context.timings.derive = step.elapsed();
        Ok(profile)
    }
}
