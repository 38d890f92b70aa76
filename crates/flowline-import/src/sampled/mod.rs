//! Shared code of the formats with samples but no markers: `speedscope`, `collapsed`, `perf_script`.
//!
//! Some of them have no times. A sample then begins where the preceding weights end, so that charts have a time axis.
//! Weights in a time unit are durations; a unit of other weights lasts 1 µs ([`WeightClock`]).
//!
//! Chunks of a text are read in parallel. Each chunk numbers its own names and stacks ([`Names`], [`ChunkStacks`]). The
//! chunks are then joined in text order, so the result does not depend on the chunk boundaries.

mod local;

use std::sync::Arc;

use super::error::ImportError;
use super::importer::ImportContext;
use super::io::text::Text;
use super::progress::Phase;
use flowline_json::{JsonError, Problem};
use flowline_profile::samples::WeightUnit;
use flowline_profile::{
    Capabilities, Category, Meta, Ns, Process, ProcessId, Profile, Source, SourceKind, StackTables, Thread,
    ThreadSamples, TimeRange, Unit, WarningKind, Warnings, parse_decimal,
};
pub(super) use local::{ChunkStacks, Names, global};

/// Maximum number of threads; further threads are omitted with a warning. An empty thread takes three bytes in a file
/// but several hundred in memory.
pub(super) const MAX_THREADS: usize = 1 << 18;

/// Upper bound of the memory for deriving and indexing a sample, in bytes.
const BYTES_PER_SAMPLE: u64 = 64;
/// The same for a thread.
const BYTES_PER_THREAD: u64 = 1 << 10;

/// A thread as read.
#[derive(Debug, Default)]
pub(super) struct SampledThread {
    pub(super) process: usize,
    pub(super) tid: String,
    pub(super) name: String,
    pub(super) is_main: bool,
    /// From the first sample to the end of the last one, if that end is known.
    pub(super) range: TimeRange,
    pub(super) samples: ThreadSamples,
}

/// A recording as read.
#[derive(Debug)]
pub(super) struct Sampled {
    pub(super) kind: SourceKind,
    pub(super) product: String,
    pub(super) processes: Vec<Process>,
    pub(super) threads: Vec<SampledThread>,
    pub(super) stacks: StackTables,
    pub(super) categories: Vec<Category>,
    pub(super) interval: Ns,
}

impl Sampled {
    /// An empty recording.
    pub(super) fn new(kind: SourceKind) -> Self {
        Self {
            kind,
            product: String::new(),
            processes: Vec::new(),
            threads: Vec::new(),
            stacks: StackTables::default(),
            categories: vec![category("Other", "grey")],
            interval: Ns(0),
        }
    }

    /// Checks that enough memory is available to derive and index the recording.
    ///
    /// # Errors
    /// If memory is insufficient.
    pub(super) fn check_memory(&self, context: &ImportContext<'_>) -> Result<(), ImportError> {
        let samples: usize = self.threads.iter().map(|thread| thread.samples.cpu.len()).sum();
        let needed = samples as u64 * BYTES_PER_SAMPLE + self.threads.len() as u64 * BYTES_PER_THREAD;
        context.options.budget.check(needed)
    }

    /// The sampling interval of a recording whose weights are durations: the duration of the last sample in the thread
    /// that ends last. Charts draw the last sample one interval long, so they end where the samples end.
    pub(super) fn last_length(&self) -> Ns {
        let sampled = self.threads.iter().map(|thread| &thread.samples.cpu).filter(|table| !table.is_empty());
        let Some(table) = sampled.max_by_key(|table| table.time.last().copied()) else { return Ns(0) };
        let unit = parse_decimal(b"1", time_unit(table.weight_unit)).unwrap_or_default();
        Ns::from_ms(table.weight(table.len() - 1).max(0.0) * unit.as_ms()).unwrap_or_default()
    }

    /// Converts the recording to a profile.
    pub(super) fn into_profile(self, source: &Source) -> Profile {
        let thread = |thread: SampledThread| Thread {
            process: ProcessId::new(thread.process),
            tid: thread.tid.into(),
            name: thread.name.into(),
            is_main: thread.is_main,
            range: thread.range,
            strings: Arc::default(),
            samples: Some(Box::new(thread.samples)),
            ..Thread::default()
        };
        let range = self.threads.iter().map(|thread| thread.range).reduce(TimeRange::union).unwrap_or_default();
        Profile {
            meta: Meta {
                kind: self.kind,
                capabilities: Capabilities::STACKS,
                product: self.product,
                range,
                interval: self.interval,
                ..Meta::default()
            },
            processes: self.processes,
            threads: self.threads.into_iter().map(thread).collect(),
            categories: self.categories,
            stacks: self.stacks,
            source: source.clone(),
            ..Profile::default()
        }
    }
}

/// A category with the single subcategory "Other".
pub(super) fn category(name: &str, color: &str) -> Category {
    Category { name: name.to_owned(), color: color.to_owned(), subcategories: vec!["Other".to_owned()] }
}

/// Accumulates weights as times.
#[derive(Debug)]
pub(super) struct WeightClock {
    unit: Unit,
    pub(super) now: Ns,
}

impl WeightClock {
    /// A clock for weights in this unit that starts at `now`.
    pub(super) const fn new(unit: WeightUnit, now: Ns) -> Self {
        Self { unit: time_unit(unit), now: Ns(now.0) }
    }

    /// The duration of a weight; zero if the weight is negative or not a number.
    pub(super) fn length(&self, weight: &[u8]) -> Ns {
        if weight.first() == Some(&b'-') {
            return Ns(0);
        }
        // A number too large for a time is clamped to the limit.
        let is_number = weight.first().is_some_and(u8::is_ascii_digit);
        parse_decimal(weight, self.unit).unwrap_or(Ns(if is_number { Ns::LIMIT } else { 0 }))
    }

    /// Advances the clock by the duration of a weight and returns the start of the weight.
    pub(super) fn advance(&mut self, length: Ns) -> Ns {
        let start = self.now;
        self.now = Ns((start + length).0.min(Ns::LIMIT));
        start
    }
}

/// The time unit for weights in `unit`, and for other values in the same unit.
pub(super) const fn time_unit(unit: WeightUnit) -> Unit {
    match unit {
        WeightUnit::Nanoseconds => Unit::Nanos,
        WeightUnit::Milliseconds => Unit::Millis,
        WeightUnit::Seconds => Unit::Seconds,
        WeightUnit::Microseconds | WeightUnit::Samples | WeightUnit::Bytes | WeightUnit::Plain => Unit::Micros,
    }
}

/// Parses a finite number.
pub(super) fn number(text: &[u8]) -> Option<f64> {
    std::str::from_utf8(text).ok()?.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Adds a warning about damaged JSON text.
pub(super) fn warn_json(warnings: &mut Warnings, error: JsonError, what: impl FnOnce() -> String) {
    let kind = match error.problem {
        Problem::Truncated => WarningKind::Truncated,
        Problem::Unexpected(_) => WarningKind::BrokenJson,
        Problem::WrongType(_) => WarningKind::WrongType,
    };
    warnings.add(kind, || format!("{}: {error}", what()));
}

/// Waits for the complete text and begins the parse phase. In a partial load, returns only the complete lines: those
/// before the last position that `end` finds.
pub(super) fn whole_lines<'t>(
    text: &'t Text,
    context: &ImportContext<'_>,
    end: impl FnOnce(&[u8]) -> Option<usize>,
) -> &'t [u8] {
    let (bytes, _) = text.available_after(usize::MAX);
    let bytes = if text.beyond_part().is_some() { &bytes[..end(bytes).unwrap_or(bytes.len())] } else { bytes };
    context.progress.begin(Phase::Parse, bytes.len() as u64);
    bytes
}

/// Splits a text into chunks of about `length` bytes; `next` moves each nominal boundary forward to a valid one.
pub(super) fn chunks(text: &[u8], length: usize, next: impl Fn(&[u8], usize) -> usize) -> Vec<std::ops::Range<usize>> {
    let mut chunks = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let nominal = start.saturating_add(length.max(1));
        let end = if nominal < text.len() { next(text, nominal).clamp(start + 1, text.len()) } else { text.len() };
        chunks.push(start..end);
        start = end;
    }
    chunks
}

/// The lines of a text with their offsets, without line endings and without a byte order mark.
pub(super) fn lines(text: &[u8], range: std::ops::Range<usize>) -> impl Iterator<Item = (usize, &[u8])> {
    let bom = b"\xef\xbb\xbf";
    let start = if range.start == 0 && text.starts_with(bom) { bom.len().min(range.end) } else { range.start };
    let ends = memchr::memchr_iter(b'\n', &text[start..range.end]).map(move |at| start + at);
    let mut from = start;
    let last = range.end;
    ends.chain((last > start && text[last - 1] != b'\n').then_some(last)).map(move |end| {
        let place = from;
        from = end + 1;
        (place, text[place..end].strip_suffix(b"\r").unwrap_or(&text[place..end]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_offsets_and_no_endings() {
        let text = b"\xef\xbb\xbfa\r\n\nbc";
        let all: Vec<(usize, &[u8])> = lines(text, 0..text.len()).collect();
        assert_eq!(all, [(3, b"a".as_slice()), (6, b""), (7, b"bc")]);
        assert_eq!(lines(b"", 0..0).count(), 0);
        let after =
            |text: &[u8], from: usize| memchr::memchr(b'\n', &text[from..]).map_or(text.len(), |at| from + at + 1);
        for length in 1..12 {
            let cut = chunks(text, length, after);
            let parts: Vec<(usize, &[u8])> = cut.into_iter().flat_map(|chunk| lines(text, chunk)).collect();
            assert_eq!(parts, all, "{length}");
        }
    }

    #[test]
    fn weights_are_times() {
        let mut clock = WeightClock::new(WeightUnit::Plain, Ns(0));
        let mut starts = Vec::new();
        for weight in [b"2".as_slice(), b"0.5", b"-3", b"x", b"99999999999999999999", b"1"] {
            let length = clock.length(weight);
            starts.push(clock.advance(length).0);
        }
        assert_eq!(starts, [0, 2_000, 2_500, 2_500, 2_500, Ns::LIMIT]);
        assert_eq!(WeightClock::new(WeightUnit::Milliseconds, Ns(0)).length(b"1.5"), Ns(1_500_000));
    }
}
