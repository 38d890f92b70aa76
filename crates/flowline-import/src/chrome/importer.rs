//! The importer of Chrome trace events: reads them in parallel, then derives the profile.

use std::time::Instant;

use super::derive::{Parsed, derive};
use super::text::top_level;
use super::text::trace::Trace;
use super::tracks::event_tracks::EventTracks;
use crate::error::ImportError;
use crate::importer::{Detection, FormatProbe, ImportContext, Importer};
use crate::io::text::Text;
use crate::progress::Phase;
use crate::text_start::json_start;
use crate::unsupported_formats::unsupported_array;
use flowline_json::{Kind, Problem};
use flowline_profile::{Profile, Source, WarningKind, Warnings};

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
            FormatProbe::Start(_) | FormatProbe::Member(..) => Detection::No,
        }
    }

    fn read(text: &Text, context: &mut ImportContext<'_>) -> Result<Parsed, ImportError> {
        let step = Instant::now();
        let (options, progress) = (context.options, context.progress);
        let total = if let (bytes, true) = text.available_after(0) { bytes.len() as u64 } else { 0 };
        progress.begin(Phase::Parse, total);
        let (mut trace, mut tracks, mut found) = (Trace::default(), EventTracks::default(), Warnings::default());
        let (mut checked, mut refused) = (0, None);
        let parts = top_level::read(text, options.chunk, progress, &mut context.warnings, |batch| {
            trace.merge_batch(batch);
            tracks.add(&trace, batch, &mut found);
            found.merge(std::mem::take(&mut batch.warnings));
            if tracks.count >= checked + (1 << 20) {
                checked = tracks.count;
                refused = options.budget.check(tracks.memory(&trace)).err();
            }
            refused.is_none()
        });
        context.warnings.merge(found);
        if let Some(refused) = refused {
            return Err(refused);
        }
        if progress.is_cancelled() {
            return Err(ImportError::Cancelled);
        }
        let elements = || [WarningKind::WrongType, WarningKind::MissingPart].map(|kind| context.warnings.count(kind));
        let mut start = json_start(text.available_after(0).0);
        if tracks.count == 0 && start.peek() == Ok(Kind::Array) && elements() != [0, 0] {
            return Err(unsupported_array(start));
        }
        context.timings.parse = step.elapsed();
        Ok(Parsed { trace, tracks, parts })
    }

    fn finish(parsed: Parsed, source: &Source, context: &mut ImportContext<'_>) -> Result<Profile, ImportError> {
        let step = Instant::now();
        context.options.budget.check(parsed.tracks.memory(&parsed.trace))?;
        let profile = derive(parsed, source, &mut context.warnings, context.progress)?;
        context.timings.derive = step.elapsed();
        Ok(profile)
    }
}
