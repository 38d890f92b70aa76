//! The recording as columns: threads, markers, samples and stacks, strings, schemas, counters, payload offsets.
//!
//! An importer builds a [`Profile`] once; afterwards it is immutable and shared by `Arc`. Times are [`Ns`] on the
//! recording's own clock; the displayed clock starts at the start of [`Meta::range`].
//!
//! `recording` has the parts of a profile, `columns` and `persist` how they are stored; `events`, `payload` and `text`
//! read the input and describe it.

mod background;
mod columns;
mod counter;
mod display;
mod events;
mod explicit_flows;
pub mod heap;
mod markers;
pub mod notes;
pub mod payload;
pub mod persist;
mod recording;
pub mod samples;
mod search;
mod stopwatch;
mod strings;
pub mod text;

pub use compact_str::{CompactString, format_compact};

pub use background::{
    Lazy, get_or_build, is_a_core_idle, largest_first, may_block, may_take_long, no_blocking_io, parallel_chunk_size,
    with_random_access,
};
pub use columns::{Column, Dictionary, DictionaryView, SharedBytes};
pub use counter::{Counter, CounterGraph, Sample, Series};
pub use display::{Arrangement, ColorBy, Direction, GroupKind, HiddenTypes, Kind, MarkerColors, MarkerSurface};
pub use events::{stack, trace_events};
pub use explicit_flows::{ExplicitFlow, ExplicitFlows, FlowHints, FlowStep, FlowSteps, Reach};
pub use flowline_format::{AxisUnit, DisplayClock, Ns, TimeRange, Unit, parse_decimal};
pub use flowline_json::Value;
pub use markers::{
    Attributes, Begins, Labels, Marker, MarkerFlags, MarkerTable, MarkerTablesBuilder, StartOrder, Times,
    relabel_tables,
};
pub use payload::{
    AT_BEGIN, Field, Graph, KeyOrder, MESSAGE_ENDS, PayloadRef, PayloadType, PayloadTypes, Schema, SchemaFields,
    Supplement,
};
pub use recording::{
    CPUS_PID, Capabilities, Category, CategoryId, CounterId, EVENT_PLACES, EventTexts, FlowId, FrameId, FuncId,
    LocalMarker, MACHINE_SEPARATOR, MainCluster, MarkerId, Meta, OWN_EVENT, ObjectText, Page, Pages, Process,
    ProcessId, Profile, Source, SourceKind, StackId, StringId, THREAD_STATE_SUFFIX, TabId, Thread, ThreadId, TrackKind,
    TypeId, Warning, WarningKind, Warnings, is_cpus_pid, member_at, split_machine,
};
pub use samples::{
    CallRef, CpuDeltas, CpuUnit, Implementation, SampleTable, SelectedCall, StackTables, StackTablesBuilder,
    ThreadSamples,
};
pub use search::{Escapes, SearchFacts, StringMembers, max_offsets};
pub use stopwatch::{Stopwatch, TimeSpent};
pub use strings::{StringTable, Strings};
