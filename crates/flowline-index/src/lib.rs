//! The index of a [`Profile`](flowline_profile::Profile): rows, level-of-detail pyramids, summaries, activity, counters, flows, and search.
//!
//! The index is built once, is immutable afterwards, and is shared by `Arc`. Rows of the second arrangement are built
//! on first use.

mod activity;
mod base_index;
mod build_timings;
mod colors;
pub mod counters;
pub mod custom_tracks;
mod derived_data;
pub mod entities;
mod events_part;
pub mod flows;
pub mod hidden;
mod index;
mod long_intervals;
mod marker_surfaces;
pub mod modifications;
pub mod nesting;
pub mod network;
pub mod query_tracks;
mod relations;
mod rows;
pub mod samples;
pub mod search;
pub mod statistics;
pub mod waits;
mod work;

pub use activity::{Activity, SLICES};
pub use build_timings::BuildTimings;
pub use colors::{
    COLOR_WORDS, EntryColors, HARM_ENTRY, IDLE_ENTRY, KindRules, KindShare, PALETTE_ENTRIES, SYSTEM_DEEP_ENTRY,
    SYSTEM_HIGH_ENTRY, Styles, WARN_ENTRY, category_entry, color_index, color_of_name, kind_of_event,
};
pub use counters::{CounterTrack, Counters};
pub use custom_tracks::CustomTracks;
pub use flowline_profile::{Arrangement, GroupKind};
pub use flows::FlowGraph;
pub use index::{Derived, Index, IndexId};
pub use marker_surfaces::{LanePlace, MarkerSurfaces, SurfaceLane};
pub use nesting::Nesting;
pub use network::Network;
pub use relations::{StackTarget, initiators, marker_dependencies, messages, references};
pub use rows::{
    Clock, Group, MAX_TICK, Overlap, Packed, Pyramid, RowItems, RowMarkers, RowSource, Rows, Span, Style, TICK_BITS,
    ThreadLayout, ThreadRows, depths, row_depths, touching,
};
pub use work::{
    ACTUAL_FRAMES, CpuTime, Measure, ProcessPages, ProcessTime, RENDER_THREAD, Tab, Tabs, ThreadTime, ThreadTimes,
    TimeOrder, TimedKind, WorkRank, WorkSlices, cpu_time_of_table, gpu_busy, sampled_busy,
};
