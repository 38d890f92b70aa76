//! The importer of Perfetto traces.

use std::sync::Arc;

use super::batch_output::BatchOutput;
use super::detection::is_trace;
use super::divided_trace::divide;
use super::first_pass::Facts;
use super::packet::{self, ReadOutcome};
use super::reader::{TraceState, read_trace};
use super::skipped_data::SkippedData;
use super::trace_texts::TraceTexts;
use super::wire::varint_bytes;
use crate::error::ImportError;
use crate::importer::{Detection, FormatProbe, ImportContext, Importer};
use crate::io::text::Text;
use crate::progress::Phase;
use crate::trace_events::{self, Chrome, Collector};
use flowline_profile::{Profile, Source, Stopwatch, WarningKind};

/// The importer of Perfetto traces.
pub(crate) struct Perfetto;

/// A trace whose events are read.
pub(crate) struct Parsed {
    events: trace_events::Parsed,
    /// The ids of events, followed by the document with names and samples.
    document: Arc<Vec<u8>>,
    state: TraceState,
    /// The trace with its compressed packets unpacked, if it has any.
    unpacked: Option<Vec<u8>>,
}

/// The end of a shared text from a byte on.
struct Document {
    all: Arc<Vec<u8>>,
    start: usize,
}

impl AsRef<[u8]> for Document {
    fn as_ref(&self) -> &[u8] {
        &self.all[self.start..]
    }
}

/// Returns a trace with its compressed packets unpacked, and what was damaged.
fn unpacked(trace: &[u8], context: &ImportContext<'_>) -> Result<(Vec<u8>, ReadOutcome), ImportError> {
    let mut unpacked = Vec::new();
    let mut refused = None;
    let ended = packet::each(trace, &mut |packet, _| {
        let message = packet.message;
        if (unpacked.len() + message.len()) as u64 > context.options.max_unpacked {
            refused = Some(ImportError::TooLarge { limit: context.options.max_unpacked });
            return false;
        }
        unpacked.push(0x0a);
        varint_bytes(message.len() as u64, &mut unpacked);
        let grows = unpacked.capacity() < unpacked.len() + message.len();
        if grows {
            refused = context.options.budget.check(2 * (unpacked.len() + message.len()) as u64).err();
        }
        unpacked.extend_from_slice(message);
        refused.is_none() && !context.progress.is_cancelled()
    });
    match refused {
        Some(refused) => Err(refused),
        None if context.progress.is_cancelled() => Err(ImportError::Cancelled),
        None => Ok((unpacked, ended)),
    }
}

impl Importer for Perfetto {
    type Parsed = Parsed;

    fn detect(probe: &FormatProbe<'_>) -> Detection {
        match probe {
            FormatProbe::Start(bytes) => is_trace(bytes).into(),
            FormatProbe::Array | FormatProbe::Member(..) => Detection::No,
        }
    }

    fn read(text: &Text, context: &mut ImportContext<'_>) -> Result<Parsed, ImportError> {
        let step = Stopwatch::start();
        let bytes = text.available_after(usize::MAX).0;
        let (options, progress) = (context.options, context.progress);
        progress.begin(Phase::Parse, bytes.len() as u64);
        let goes_on = || !progress.is_cancelled();
        let mut divided = divide(bytes, options.chunk, &goes_on);
        let is_packed = divided.as_ref().is_some_and(|divided| divided.ended.unpacked > 0);
        let unpacked = if is_packed { Some(unpacked(bytes, context)?) } else { None };
        if let Some((trace, _)) = &unpacked {
            divided = divide(trace, options.chunk, &goes_on);
        }
        let Some(divided) = divided else { return Err(ImportError::Cancelled) };
        // The unpacked trace lacks the damage, and offsets are those of the file.
        let ended = unpacked.as_ref().map_or(divided.ended, |(_, ended)| *ended);
        let unpacked = unpacked.map(|(trace, _)| trace);
        let trace = unpacked.as_deref().unwrap_or(bytes);
        let facts = Facts::of_parts(trace, &divided, &mut || goes_on());
        let (mut events, mut ids) = (Collector::default(), String::new());
        let (mut omitted, mut has_cpu_times) = (SkippedData::default(), false);
        let consume = |output: &mut BatchOutput, skipped: &SkippedData| {
            output.move_ids(ids.len() as u64);
            ids.push_str(&output.ids);
            omitted.merge(skipped);
            has_cpu_times |= output.has_cpu_times;
            events.add(&mut output.batch, &options.budget)
        };
        let read = read_trace(facts, trace, &divided, progress, &goes_on, consume);
        if let Some(refused) = events.take_refusal() {
            return Err(refused);
        }
        let Some((state, names)) = read else { return Err(ImportError::Cancelled) };
        if let Some(place) = ended.damage {
            let skipped = ended.skipped;
            context.warnings.add(WarningKind::Truncated, || format!("packet at byte {place}; {skipped} bytes skipped"));
        }
        // Ids come first, because their offsets are known before the document ends.
        let document = names.finish(&state.facts, &omitted, has_cpu_times);
        let start = ids.len();
        let mut all = ids.into_bytes();
        all.extend_from_slice(document.as_bytes());
        drop(document);
        let all = Arc::new(all);
        let text = Text::Complete(Source::new(Document { all: Arc::clone(&all), start }));
        let mut parts = trace_events::read_document(&text, context, |batch| {
            batch.move_by(start as u64);
            events.add(batch, &options.budget)
        });
        parts.iter_mut().for_each(|(_, place)| *place += start as u64);
        let events = events.finish(parts, context)?;
        context.timings.parse = step.elapsed();
        Ok(Parsed { events, document: all, state, unpacked })
    }

    fn finish(parsed: Parsed, source: &Source, context: &mut ImportContext<'_>) -> Result<Profile, ImportError> {
        let Parsed { events, document, state, unpacked } = parsed;
        let trace = unpacked.map_or_else(|| source.clone(), Source::new);
        let texts = TraceTexts::new(trace, state);
        let source = Source::new(Document { all: document, start: 0 }).with_events(Arc::new(texts));
        Chrome::finish(events, &source, context)
    }
}
