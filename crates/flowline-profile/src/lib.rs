//! The recording as columns: threads, markers, samples and stacks, strings, schemas, counters, payload offsets.
//!
//! An importer builds a [`Profile`] once; afterwards it is immutable and shared by `Arc`. Times are [`Ns`] on the
//! recording's own clock; the displayed clock starts at the start of [`Meta::range`].

mod arrangement;
mod clusters;
mod column;
mod counter;
mod direction;
mod display;
mod escapes;
mod event;
mod explicit_flows;
mod ids;
mod lazy;
mod marker_colors;
mod markers;
mod name_color;
pub mod notes;
mod parallel_chunks;
pub mod payload;
mod payload_ref;
mod payload_strings;
pub mod persist;

mod io_policy;
pub mod samples;
mod schema;
mod searched;
mod source;
mod source_kind;
pub mod stack;
mod strings;
pub mod text;
pub mod trace_events;
mod track;
mod warning;

use std::sync::Arc;

pub use compact_str::{CompactString, format_compact};

pub use arrangement::{Arrangement, GroupKind};
pub use clusters::MainCluster;
pub use column::{Column, Dictionary, DictionaryView, SharedBytes};
pub use counter::{Counter, CounterGraph, Sample, Series};
pub use direction::Direction;
pub use display::{HiddenTypes, MarkerSurface};
pub use escapes::{Escapes, max_offsets};
pub use explicit_flows::{ExplicitFlow, ExplicitFlows, FlowHints, FlowStep, FlowSteps, Reach};
pub use flowline_format::{DisplayClock, Ns, TimeRange, Unit, parse_decimal};
pub use flowline_json::Value;
pub use ids::{
    CategoryId, CounterId, FlowId, FrameId, FuncId, LocalMarker, MarkerId, ProcessId, StackId, StringId, ThreadId,
    TypeId,
};
pub use io_policy::{may_block, may_take_long, no_blocking_io, with_random_access};
pub use lazy::{Lazy, get_or_build};
pub use marker_colors::MarkerColors;
pub use markers::{
    Attributes, Begins, Labels, Marker, MarkerFlags, MarkerTable, MarkerTablesBuilder, StartOrder, Times,
    relabel_tables,
};
pub use name_color::{NAME_COLORS, name_color};
pub use parallel_chunks::{is_a_core_idle, largest_first, parallel_chunk_size};
pub use payload::{PayloadRef, Supplement};
pub use payload_strings::StringMembers;
pub use samples::{
    CallColors, CallDisplay, CallRef, CpuDeltas, CpuUnit, Implementation, SampleTable, SelectedCall, StackTables,
    StackTablesBuilder, ThreadSamples,
};
pub use schema::{Field, Graph, PayloadType, PayloadTypes, Schema};
pub use searched::SearchFacts;
pub use source::{Pages, Source, member_at};
pub use source_kind::{Capabilities, SourceKind};
pub use strings::{StringTable, Strings};
pub use track::TrackKind;
pub use warning::{Warning, WarningKind, Warnings};

/// Global facts about the recording.
#[derive(Clone, Debug, Default)]
pub struct Meta {
    /// Format of the input.
    pub kind: SourceKind,
    /// Conventions of the data.
    pub capabilities: Capabilities,
    /// Version number of the format.
    pub version: u32,
    /// The recorded program; empty if unknown.
    pub product: String,
    /// Wall-clock time at the recording's time zero, in milliseconds since 1970; 0 if unknown.
    pub start_epoch_ms: f64,
    /// Time range of the recording.
    pub range: TimeRange,
    /// The cluster with the most markers. If the recording is a single cluster, no markers are outside it.
    pub main_cluster: MainCluster,
    /// Sampling interval.
    pub interval: Ns,
    /// File size in bytes.
    pub file_bytes: u64,
    /// Size of the JSON text in bytes, after unpacking.
    pub json_bytes: u64,
    /// Events that are not drawn, as phase and count.
    pub not_drawn: Vec<(char, u64)>,
    /// Unit of the CPU deltas of samples; `None` if samples have none.
    pub cpu_unit: Option<CpuUnit>,
}
persist!(Meta {
    kind,
    capabilities,
    version,
    product,
    start_epoch_ms,
    range,
    main_cluster,
    interval,
    file_bytes,
    json_bytes,
    not_drawn,
    cpu_unit
});

impl Meta {
    /// Display name of the input format, with its version if it has one.
    #[must_use]
    pub fn format_name(&self) -> String {
        let label = self.kind.label();
        if self.version == 0 { label.to_owned() } else { format!("{label}, version {}", self.version) }
    }

    /// The initial arrangement.
    #[must_use]
    pub const fn arrangement(&self) -> Arrangement {
        if self.capabilities.nests_slices { Arrangement::Stack } else { Arrangement::ByName }
    }
}

/// A process in the recording.
#[derive(Clone, Debug, Default)]
pub struct Process {
    /// Process id as written in the file; it may be synthetic.
    pub pid: CompactString,
    /// Name.
    pub name: CompactString,
}
persist!(Process { pid, name });

/// A web page that the recorded program showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Id of the page's window; payloads refer to it as `innerWindowID`.
    pub window: i64,
    /// Address.
    pub url: String,
}
persist!(Page { window, url });

/// A marker category.
#[derive(Clone, Debug)]
pub struct Category {
    /// Name.
    pub name: String,
    /// Color word from the recording (`blue`, `lightblue`, `grey`, ...).
    pub color: String,
    /// Names of its subcategories, which stacks refer to.
    pub subcategories: Vec<String>,
}
persist!(Category { name, color, subcategories });

/// A thread and its markers, or a track of markers that do not belong to a single thread (see [`TrackKind`]).
#[derive(Clone, Debug, Default)]
pub struct Thread {
    /// Process of the thread.
    pub process: ProcessId,
    /// Thread id as written in the file. Short texts are stored inline.
    pub tid: CompactString,
    /// Name as written in the file; not unique.
    pub name: CompactString,
    /// Kind of the track.
    pub kind: TrackKind,
    /// True if this is the main thread of its process.
    pub is_main: bool,
    /// Lifetime of the thread, as far as known.
    pub range: TimeRange,
    /// Offset from its process's clock to the recording's clock. Marker times already include it; it is added to times
    /// in payloads when they are decoded.
    pub shift: Ns,
    /// Number of raw markers from which its markers were derived.
    pub raw_markers: u64,
    /// Markers in start order.
    pub markers: MarkerTable,
    /// The string table that indexes in its payloads refer to.
    pub strings: Arc<StringTable>,
    /// Recording-wide id of its first marker.
    pub first_marker: MarkerId,
    /// For [`TrackKind::Async`], the group of each marker: markers with the same id share a group. Otherwise empty.
    pub groups: Column<u32>,
    /// Samples of the thread; boxed because there may be many threads and few samples.
    pub samples: Option<Box<ThreadSamples>>,
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
    groups,
    samples
});

impl Thread {
    /// The recording-wide id of one of its markers.
    #[must_use]
    pub const fn global(&self, marker: LocalMarker) -> MarkerId {
        MarkerId(self.first_marker.0 + marker.0)
    }
}

/// A recording.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    /// Global facts about the recording.
    pub meta: Meta,
    /// Processes in file order.
    pub processes: Vec<Process>,
    /// Threads in file order.
    pub threads: Vec<Thread>,
    /// Pages, unique by window id.
    pub pages: Vec<Page>,
    /// Marker categories.
    pub categories: Vec<Category>,
    /// Payload types and their schemas.
    pub types: PayloadTypes,
    /// Interned names.
    pub strings: Strings,
    /// The stacks of samples and markers.
    pub stacks: StackTables,
    /// Counters.
    pub counters: Vec<Counter>,
    /// Markers with an individual color.
    pub marker_colors: MarkerColors,
    /// Flows that the recording lists step by step; empty if flows are derived from payloads. The index requests them
    /// after the first frame is shown.
    pub explicit_flows: Lazy<ExplicitFlows>,
    /// Top-level members and metadata of the input that no importer interprets: name, and byte offset of the value.
    pub parts: Vec<(String, u64)>,
    /// Bytes of the input.
    pub source: Source,
    /// Problems found in the input.
    pub warnings: Warnings,
    /// Facts about the text that searches have collected.
    pub searched: SearchFacts,
}
persist!(Profile {
    meta, processes, threads, pages, categories, types, strings, stacks, counters, marker_colors, explicit_flows, parts, warnings;
    source, searched
});

impl Profile {
    /// The thread with an id of this profile.
    #[must_use]
    pub fn thread(&self, id: ThreadId) -> &Thread {
        &self.threads[id.index()]
    }

    /// All threads with their ids.
    pub fn threads_with_ids(&self) -> impl Iterator<Item = (ThreadId, &Thread)> {
        self.threads.iter().enumerate().map(|(index, thread)| (ThreadId::new(index), thread))
    }

    /// The process of a thread.
    #[must_use]
    pub fn process_of(&self, id: ThreadId) -> &Process {
        &self.processes[self.thread(id).process.index()]
    }

    /// Number of markers.
    #[must_use]
    pub fn marker_count(&self) -> usize {
        self.threads.iter().map(|thread| thread.markers.len()).sum()
    }

    /// Number of markers whose start or end is not in the recording.
    #[must_use]
    pub fn incomplete_count(&self) -> usize {
        let incomplete = |thread: &Thread| {
            thread.markers.attributes().iter().filter(|own| own.flags.has(MarkerFlags::INCOMPLETE)).count()
        };
        self.threads.iter().map(incomplete).sum()
    }

    /// Thread and row of a marker; `None` if the id is out of range.
    #[must_use]
    pub fn locate(&self, id: MarkerId) -> Option<(ThreadId, LocalMarker)> {
        let after = self.threads.partition_point(|thread| thread.first_marker <= id);
        // A thread without markers has the same first id as the next thread.
        let index = (0..after).rev().find(|&index| !self.threads[index].markers.is_empty())?;
        let local = id.0 - self.threads[index].first_marker.0;
        let inside = (local as usize) < self.threads[index].markers.len();
        inside.then_some((ThreadId::new(index), LocalMarker(local)))
    }

    /// Name of a category; empty if unknown.
    #[must_use]
    pub fn category_name(&self, id: CategoryId) -> &str {
        self.categories.get(id.index()).map_or("", |category| &category.name)
    }

    /// Address of the page that a window showed.
    #[must_use]
    pub fn page(&self, window: i64) -> Option<&str> {
        let found = self.pages.binary_search_by_key(&window, |page| page.window).ok()?;
        Some(&self.pages[found].url)
    }

    /// True if lengths and ids are consistent; checked when a profile is restored from a file.
    #[must_use]
    pub fn is_consistent(&self) -> bool {
        let mut next = 0;
        self.threads.iter().all(|thread| {
            let (first, count) = (thread.first_marker.index(), thread.markers.len());
            let in_order = std::mem::replace(&mut next, first + count) == first;
            let groups = thread.groups.is_empty() || thread.groups.len() == count;
            let samples = thread.samples.as_ref();
            let samples = samples.is_none_or(|samples| samples.is_consistent(count, self.stacks.len()));
            let process = thread.process.index() < self.processes.len();
            in_order && groups && samples && process && thread.markers.is_consistent()
        }) && self.stacks.is_consistent()
    }

    /// Heap size of markers, strings and tables in bytes, without the input text.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let mut tables = std::collections::HashSet::new();
        let mut total = self.strings.bytes() + self.stacks.bytes();
        for thread in &self.threads {
            total += thread.markers.bytes() + thread.groups.heap_bytes() + size_of::<Thread>();
            total += thread.samples.as_ref().map_or(0, |samples| samples.bytes() + size_of::<ThreadSamples>());
            if tables.insert(Arc::as_ptr(&thread.strings)) {
                total += thread.strings.bytes();
            }
        }
        total += self.explicit_flows.get_if_built().map_or(0, ExplicitFlows::bytes) + self.marker_colors.bytes();
        total + self.counters.iter().map(Counter::bytes).sum::<usize>()
    }
}
