//! Samples in the formats of trace events: sample events (phase P, with a frame, a list of frames, or only a name), and
//! the list `samples` beside the events (Trace Event Format, "Sample Events" and "Global Samples").
//!
//! A sample event with `allocation` (`bytes` or `count`), `weight` and `address` is an allocation or, with a negative
//! weight, a release of memory.
//!
//! Listed samples often name a thread without its process. They are assigned to the first thread with that id.

use foldhash::HashMap;
use rayon::prelude::*;

use super::frame_table::FrameStacks;
use crate::scalar::scalar;
use crate::trace_events::text::event::Event;
use crate::trace_events::text::ids::{NO_TIME, NONE, TextId};
use crate::trace_events::text::trace::Trace;
use crate::trace_events::tracks::event_tracks::EventTrack;
use crate::trace_events::tracks::track_events::TrackEvents;
use flowline_json::{Cursor, JsonError, Kind, Problem, RawString};
use flowline_profile::samples::{SampleTable, StackTablesBuilder, WeightUnit};
use flowline_profile::{Ns, Source, StackId, ThreadSamples, TrackKind, Unit, WarningKind, Warnings, parse_decimal};

/// Number of sample events whose texts are read at once.
const AT_ONCE: usize = 1 << 16;

/// The samples of a thread.
#[derive(Debug, Default)]
struct Columns {
    time: Vec<Ns>,
    stack: Vec<u32>,
    /// Weights; empty while all are 1.
    weight: Vec<f64>,
}

impl Columns {
    fn push(&mut self, time: Ns, stack: Option<StackId>, weight: f64) {
        #[expect(clippy::float_cmp, reason = "one is exact")]
        if weight != 1.0 || !self.weight.is_empty() {
            self.weight.resize(self.time.len(), 1.0);
            self.weight.push(weight);
        }
        self.time.push(time);
        self.stack.push(stack.map_or(NONE, |stack| stack.0));
    }

    fn finish(self) -> SampleTable {
        self.with_unit(WeightUnit::Plain)
    }

    /// Ends the columns. `unit` is that of the weights, if there are any.
    fn with_unit(self, unit: WeightUnit) -> SampleTable {
        let unit = if self.weight.is_empty() { WeightUnit::Samples } else { unit };
        SampleTable::with_columns(self.time, self.stack, Vec::new(), self.weight, unit)
    }
}

/// The allocations of a thread.
#[derive(Debug, Default)]
struct Allocations {
    unit: WeightUnit,
    /// Time, stack, weight and address of each.
    list: Vec<(Ns, Option<StackId>, f64, u64)>,
}

impl Allocations {
    fn finish(mut self) -> (SampleTable, Vec<u64>) {
        self.list.sort_by_key(|allocation| allocation.0);
        let mut columns = Columns::default();
        for (time, stack, weight, _) in &self.list {
            columns.push(*time, *stack, *weight);
        }
        let addresses = self.list.iter().map(|allocation| allocation.3).collect();
        (columns.with_unit(self.unit), addresses)
    }
}

/// The stack of a sample in the text.
enum StackText<'a> {
    /// A frame of the table.
    Frame(&'a [u8]),
    /// Frames, root first.
    List(Vec<&'a [u8]>),
    /// Only a name.
    Name(&'a [u8]),
}

/// Reads samples.
pub(in crate::trace_events) struct TraceEventSamples<'a, 't> {
    source: &'a Source,
    tables: &'t mut StackTablesBuilder,
    frames: FrameStacks<'a>,
    by_owner: HashMap<(TextId, TextId), Columns>,
    allocations: HashMap<(TextId, TextId), Allocations>,
}

impl<'a, 't> TraceEventSamples<'a, 't> {
    /// Creates a reader. `frames` is at the frame table of the trace. Stacks are added to `tables`.
    pub(in crate::trace_events) fn new(
        source: &'a Source,
        frames: Option<Cursor<'a>>,
        tables: &'t mut StackTablesBuilder,
        warnings: &mut Warnings,
    ) -> Self {
        let frames = FrameStacks::read(frames, tables, warnings);
        Self { source, tables, frames, by_owner: HashMap::default(), allocations: HashMap::default() }
    }

    fn stack(&mut self, text: StackText<'a>) -> Option<StackId> {
        match text {
            StackText::Frame(id) => self.frames.of(id),
            StackText::List(list) => self.frames.of_list(&list, self.tables),
            StackText::Name(name) => Some(self.frames.of_name(name, self.tables)),
        }
    }

    /// Reads sample events.
    pub(in crate::trace_events) fn add_events(&mut self, trace: &Trace, events: &[Event], warnings: &mut Warnings) {
        let mut unknown = 0;
        for events in events.chunks(AT_ONCE) {
            let samples: Vec<Listed<'a>> = events.par_iter().map(|event| event_sample(self.source, event)).collect();
            for (event, sample) in events.iter().zip(samples) {
                let stack = self.stack(sample.stack);
                unknown += u64::from(stack.is_none());
                let owner = trace.pairs.get(event.pair);
                if let Some(unit) = sample.allocation {
                    let of_thread = self.allocations.entry(owner).or_default();
                    of_thread.unit = unit;
                    of_thread.list.push((event.ts, stack, sample.weight, sample.address));
                } else {
                    self.by_owner.entry(owner).or_default().push(event.ts, stack, 1.0);
                }
            }
        }
        warnings.add_many(WarningKind::IndexOutOfRange, unknown, || "frames of sample events".into());
    }

    /// Reads the list at the cursor. Unknown threads are added to `tracks`.
    pub(in crate::trace_events) fn add_list(
        &mut self,
        mut cursor: Cursor<'a>,
        trace: &mut Trace,
        tracks: &mut Vec<EventTrack>,
        warnings: &mut Warnings,
    ) {
        let mut owners = Owners::new(trace, tracks);
        let mut counts = [0; 2];
        let mut last: ([&[u8]; 2], (TextId, TextId)) = ([&[]; 2], (NONE, NONE));
        let mut read = || -> Result<(), JsonError> {
            cursor.enter_array()?;
            while cursor.next_element()? {
                let sample = match listed(&mut cursor) {
                    Err(error) if error.is_wrong_type() => {
                        warnings.add(WarningKind::WrongType, || format!("the sample at byte {}", error.offset));
                        continue;
                    }
                    sample => sample?,
                };
                let Some(time) = sample.time else {
                    counts[0] += 1;
                    continue;
                };
                if last.0 != sample.thread || last.1 == (NONE, NONE) {
                    last = (sample.thread, owners.find(sample.thread, trace, tracks));
                }
                let stack = self.stack(sample.stack);
                counts[1] += u64::from(stack.is_none());
                self.by_owner.entry(last.1).or_default().push(time, stack, sample.weight);
            }
            Ok(())
        };
        // Truncation is reported for the whole text.
        if let Err(error) = read()
            && error.problem != Problem::Truncated
        {
            warnings.add(WarningKind::BrokenJson, || format!("in samples: {error}"));
        }
        warnings.add_many(WarningKind::BadTime, counts[0], || "no ts in samples".into());
        warnings.add_many(WarningKind::IndexOutOfRange, counts[1], || "frames of samples".into());
    }

    /// Returns the samples by process and thread.
    pub(in crate::trace_events) fn finish(self) -> HashMap<(TextId, TextId), ThreadSamples> {
        let cpu = |columns: Columns| ThreadSamples { cpu: columns.finish(), ..ThreadSamples::default() };
        let mut all: HashMap<_, _> = self.by_owner.into_iter().map(|(owner, columns)| (owner, cpu(columns))).collect();
        #[expect(clippy::iter_over_hash_type, reason = "each thread is filled separately")]
        for (owner, allocations) in self.allocations {
            let (table, addresses) = allocations.finish();
            let of_thread: &mut ThreadSamples = all.entry(owner).or_default();
            of_thread.native_allocations = table;
            of_thread.native_addresses = addresses.into();
        }
        all
    }
}

/// Finds the threads of samples.
struct Owners {
    /// The first thread with each id.
    by_tid: HashMap<TextId, (TextId, TextId)>,
    known: foldhash::HashSet<(TextId, TextId)>,
}

impl Owners {
    fn new(trace: &Trace, tracks: &[EventTrack]) -> Self {
        let mut owners = Self { by_tid: HashMap::default(), known: foldhash::HashSet::default() };
        let threads = tracks.iter().filter(|track| track.kind == TrackKind::Thread).map(|track| (track.pid, track.tid));
        for owner in threads {
            owners.by_tid.entry(owner.1).or_insert(owner);
            owners.known.insert(owner);
        }
        // Threads without events.
        for owner in &trace.pairs.list {
            owners.by_tid.entry(owner.1).or_insert(*owner);
        }
        owners
    }

    fn find(&mut self, thread: [&[u8]; 2], trace: &mut Trace, tracks: &mut Vec<EventTrack>) -> (TextId, TextId) {
        let [pid, tid] = thread.map(|bytes| match bytes {
            [] => NONE,
            bytes => trace.texts.intern(&RawString { bytes, offset: 0 }.decode()),
        });
        let owner = match (pid, self.by_tid.get(&tid)) {
            (NONE, Some(owner)) => *owner,
            _ => (pid, tid),
        };
        if self.known.insert(owner) {
            self.by_tid.entry(owner.1).or_insert(owner);
            let (pid, tid) = owner;
            let events = TrackEvents::default();
            tracks.push(EventTrack { kind: TrackKind::Thread, pid, tid, events, flows: Vec::new() });
        }
        owner
    }
}

/// Returns true if the value at the cursor is a list, because a member of this name may be anything.
pub(in crate::trace_events) fn is_list(mut cursor: Cursor<'_>) -> bool {
    cursor.peek() == Ok(Kind::Array)
}

/// A sample of the list.
struct Listed<'a> {
    time: Option<Ns>,
    /// Process and thread in the text; empty if missing.
    thread: [&'a [u8]; 2],
    stack: StackText<'a>,
    weight: f64,
    /// The unit of a sample of allocations.
    allocation: Option<WeightUnit>,
    /// Number shared by an allocation and its release; `u64::MAX` if unknown.
    address: u64,
}

impl Listed<'_> {
    const EMPTY: Self = Self {
        time: None,
        thread: [&[]; 2],
        stack: StackText::Name(&[]),
        weight: 1.0,
        allocation: None,
        address: u64::MAX,
    };
}

fn listed<'a>(cursor: &mut Cursor<'a>) -> Result<Listed<'a>, JsonError> {
    let mut sample = Listed::EMPTY;
    let (mut name, mut has_stack): (&[u8], _) = (&[], false);
    cursor.enter_object()?;
    while let Some(key) = cursor.next_key()? {
        if key.bytes == b"stack" && cursor.peek()? == Kind::Array {
            (sample.stack, has_stack) = (list(cursor)?, true);
            continue;
        }
        let Some(value) = scalar(cursor)?.map(|raw| raw.bytes) else { continue };
        match key.bytes {
            b"ts" => sample.time = parse_decimal(value.trim_ascii(), Unit::Micros),
            b"pid" => sample.thread[0] = value,
            b"tid" => sample.thread[1] = value,
            b"sf" => (sample.stack, has_stack) = (StackText::Frame(value), true),
            b"name" => name = value,
            b"allocation" if value == b"bytes" => sample.allocation = Some(WeightUnit::Bytes),
            b"allocation" if value == b"count" => sample.allocation = Some(WeightUnit::Plain),
            b"address" => {
                let number = std::str::from_utf8(value).ok().and_then(|text| text.parse().ok());
                sample.address = number.unwrap_or(u64::MAX);
            }
            b"weight" => {
                let number = std::str::from_utf8(value).ok().and_then(|text| text.parse::<f64>().ok());
                sample.weight = number.filter(|weight| weight.is_finite()).unwrap_or(1.0);
            }
            _ => {}
        }
    }
    if !has_stack {
        sample.stack = StackText::Name(name);
    }
    Ok(sample)
}

fn list<'a>(cursor: &mut Cursor<'a>) -> Result<StackText<'a>, JsonError> {
    let mut list = Vec::new();
    cursor.enter_array()?;
    while cursor.next_element()? {
        list.extend(scalar(cursor)?.map(|raw| raw.bytes));
    }
    Ok(StackText::List(list))
}

/// Reads a sample event.
fn event_sample<'a>(source: &'a Source, event: &Event) -> Listed<'a> {
    debug_assert_ne!(event.ts, NO_TIME);
    let mut cursor = Cursor::at(source.bytes(), usize::try_from(event.offset()).unwrap_or(usize::MAX));
    listed(&mut cursor).unwrap_or(Listed::EMPTY)
}
