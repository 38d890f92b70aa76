//! The recording as columns: threads, markers, strings, schemas, counters, payload places.
//!
//! Built once by an importer, immutable afterwards and shared by `Arc`. Times are [`Ns`] on the recording's own clock;
//! the displayed clock starts at [`Meta::range`]'s start.

mod arrangement;
mod column;
mod counter;
mod decimal;
pub mod describe;
mod direction;
mod event;
pub mod format;
mod hue;
mod ids;
pub mod json;
pub mod label;
mod markers;
mod own_colors;
pub mod payload;
pub mod persist;
mod preview;
pub mod quantity;
mod schema;
pub mod stack;
mod stated_flows;
mod strings;
mod time;
mod track;
pub mod value;
mod warning;

use std::sync::Arc;

use persist::persist;

pub use arrangement::Arrangement;
pub use column::{Column, SharedBytes};
pub use counter::{Counter, CounterGraph, Sample, Series};
pub use direction::Direction;
pub use hue::{HUES, hue_of};
pub use ids::{CategoryId, CounterId, FlowId, LocalMarker, MarkerId, ProcessId, StringId, ThreadId, TypeId};
pub use markers::{Marker, MarkerFlags, MarkerTable, StartOrder};
pub use own_colors::OwnColors;
pub use payload::{PayloadRef, Source, Supplement};
pub use schema::{Field, PayloadType, PayloadTypes, Schema};
pub use stated_flows::{FlowStep, StatedFlow, StatedFlows};
pub use strings::{StringTable, Strings};
pub use time::{Ns, TimeRange, Unit, parse_decimal};
pub use track::TrackKind;
pub use value::Value;
pub use warning::{Warning, WarningKind, Warnings};

/// Facts of the recording as a whole.
#[derive(Clone, Debug, Default)]
pub struct Meta {
    /// Name of the input format, for example `firefox-raw`.
    pub format: &'static str,
    /// The format's version number.
    pub version: u32,
    /// The recorded program, if the recording says.
    pub product: String,
    /// Wall clock at the recording's time zero, in milliseconds since 1970; 0 if unknown.
    pub start_epoch_ms: f64,
    /// The recording's time range.
    pub range: TimeRange,
    /// Sampling interval.
    pub interval: Ns,
    /// Bytes of the file.
    pub file_bytes: u64,
    /// Bytes of JSON read, after unpacking.
    pub json_bytes: u64,
    /// Whether nesting is what people look for first: rows are arranged as stacks unless told otherwise.
    pub stacks_first: bool,
    /// Whether markers are told apart by the colour of their name instead of their category.
    pub colors_by_name: bool,
    /// Events that are kept in the input but not drawn: phase and count.
    pub not_drawn: Vec<(char, u64)>,
}
persist!(Meta {
    format,
    version,
    product,
    start_epoch_ms,
    range,
    interval,
    file_bytes,
    json_bytes,
    stacks_first,
    colors_by_name,
    not_drawn
});

impl Meta {
    /// The input format in words, with its version where it has one.
    #[must_use]
    pub fn format_name(&self) -> String {
        let name = match self.format {
            "firefox-raw" => "Firefox (raw)",
            "firefox-processed" => "Firefox Profiler",
            "firefox-processed-jslb" => "Firefox Profiler (JSLB)",
            "chrome" => "Chrome trace events",
            other => other,
        };
        if self.version == 0 { name.to_owned() } else { format!("{name}, version {}", self.version) }
    }

    /// The arrangement to begin with.
    #[must_use]
    pub const fn arrangement(&self) -> Arrangement {
        if self.stacks_first { Arrangement::Stack } else { Arrangement::ByName }
    }
}

/// A process of the recording.
#[derive(Clone, Debug, Default)]
pub struct Process {
    /// Process id as written; synthetic ids occur.
    pub pid: String,
    /// What it is called.
    pub name: String,
}
persist!(Process { pid, name });

/// A marker category.
#[derive(Clone, Debug)]
pub struct Category {
    /// Its name.
    pub name: String,
    /// The recording's colour word for it (`blue`, `lightblue`, `grey`, ...).
    pub color: String,
}
persist!(Category { name, color });

/// A thread and its markers; or a line of markers that belong to no single thread (see [`TrackKind`]).
#[derive(Clone, Debug, Default)]
pub struct Thread {
    /// Owner.
    pub process: ProcessId,
    /// Thread id as written.
    pub tid: String,
    /// Name as written; names repeat.
    pub name: String,
    /// What its markers belong to: a thread, or something wider.
    pub kind: TrackKind,
    /// Whether it is its process's main thread.
    pub is_main: bool,
    /// When it was alive, as far as known.
    pub range: TimeRange,
    /// What its process's clock lacks to the recording's; marker times have it already, times in payloads get it when
    /// decoded.
    pub shift: Ns,
    /// Number of raw markers that its markers were derived from.
    pub raw_markers: u64,
    /// Its markers in start order.
    pub markers: MarkerTable,
    /// The table its payloads' string indexes point into.
    pub strings: Arc<StringTable>,
    /// Id of its first marker in the whole recording.
    pub first_marker: MarkerId,
    /// For [`TrackKind::Async`], the group of each marker: what one id holds together. Otherwise empty.
    pub groups: Column<u32>,
}
persist!(Thread {
    process,
    tid,
    name,
    kind,
    is_main,
    range,
    shift,
    raw_markers,
    markers,
    strings,
    first_marker,
    groups
});

impl Thread {
    /// The id of one of its markers in the whole recording.
    #[must_use]
    pub const fn global(&self, marker: LocalMarker) -> MarkerId {
        MarkerId(self.first_marker.0 + marker.0)
    }
}

/// A recording.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    /// Facts of the whole.
    pub meta: Meta,
    /// Processes in file order.
    pub processes: Vec<Process>,
    /// Threads in file order.
    pub threads: Vec<Thread>,
    /// Marker categories.
    pub categories: Vec<Category>,
    /// Payload types and their schemas.
    pub types: PayloadTypes,
    /// Interned names.
    pub strings: Strings,
    /// Counters.
    pub counters: Vec<Counter>,
    /// Markers that state a colour of their own.
    pub own_colors: OwnColors,
    /// Flows that the recording states step by step; empty where flows are found from payloads.
    pub flows: StatedFlows,
    /// Members of the input's top level, and metadata, that no reader used: name, and place of the value.
    pub parts: Vec<(String, u64)>,
    /// The input's bytes.
    pub source: Source,
    /// What was wrong with the input.
    pub warnings: Warnings,
}
persist!(Profile {
    meta, processes, threads, categories, types, strings, counters, own_colors, flows, parts, warnings;
    source
});

impl Profile {
    /// The thread of an id. Ids come from this profile, so they are in range.
    #[must_use]
    pub fn thread(&self, id: ThreadId) -> &Thread {
        &self.threads[id.index()]
    }

    /// All threads with their ids.
    pub fn threads_with_ids(&self) -> impl Iterator<Item = (ThreadId, &Thread)> {
        self.threads.iter().enumerate().map(|(index, thread)| (ThreadId::new(index), thread))
    }

    /// The process a thread belongs to.
    #[must_use]
    pub fn process_of(&self, id: ThreadId) -> &Process {
        &self.processes[self.thread(id).process.index()]
    }

    /// Number of markers.
    #[must_use]
    pub fn marker_count(&self) -> usize {
        self.threads.iter().map(|thread| thread.markers.len()).sum()
    }

    /// Number of markers of which one end was made up.
    #[must_use]
    pub fn incomplete_count(&self) -> usize {
        let incomplete =
            |thread: &Thread| thread.markers.flags.iter().filter(|flags| flags.has(MarkerFlags::INCOMPLETE)).count();
        self.threads.iter().map(incomplete).sum()
    }

    /// Where a marker lives; `None` for an id beyond the last marker.
    #[must_use]
    pub fn locate(&self, id: MarkerId) -> Option<(ThreadId, LocalMarker)> {
        let after = self.threads.partition_point(|thread| thread.first_marker <= id);
        // Threads without markers share their first id with the next one: step back over them.
        let index = (0..after).rev().find(|&index| !self.threads[index].markers.is_empty())?;
        let local = id.0 - self.threads[index].first_marker.0;
        let inside = (local as usize) < self.threads[index].markers.len();
        inside.then_some((ThreadId::new(index), LocalMarker(local)))
    }

    /// Name of a category; empty for an unknown one.
    #[must_use]
    pub fn category_name(&self, id: CategoryId) -> &str {
        self.categories.get(id.index()).map_or("", |category| &category.name)
    }

    /// A point in time on the displayed clock.
    #[must_use]
    pub fn displayed(&self, time: Ns) -> Ns {
        time - self.meta.range.start
    }

    /// Whether columns and numbers fit together: what is read back is looked at before it is used.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        let mut next = 0;
        self.threads.iter().all(|thread| {
            let (first, count) = (thread.first_marker.index(), thread.markers.len());
            let in_order = std::mem::replace(&mut next, first + count) == first;
            let groups = thread.groups.is_empty() || thread.groups.len() == count;
            in_order && groups && thread.markers.is_whole() && thread.process.index() < self.processes.len()
        })
    }

    /// Heap bytes of markers, strings and tables, without the input's bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let mut tables = std::collections::HashSet::new();
        let mut total = self.strings.bytes();
        for thread in &self.threads {
            total += thread.markers.bytes() + thread.groups.heap_bytes() + size_of::<Thread>();
            if tables.insert(Arc::as_ptr(&thread.strings)) {
                total += thread.strings.bytes();
            }
        }
        total += self.flows.bytes() + self.own_colors.bytes();
        total + self.counters.iter().map(Counter::bytes).sum::<usize>()
    }
}
