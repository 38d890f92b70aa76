//! The chart's tracks: one file or folder per kind.
//!
//! A registered kind implements [`TrackKind`] in a folder of its own: its data, rows, labels, hits, painter, menu, saved
//! state, card lines and dump. A new kind is such a folder, its `mod` line, and an entry in the list of `kinds`. The other kinds
//! have items of their own ([`TrackItem`]), which `layout` lists.

mod bars;
mod columns;
pub(super) mod counter;
mod counts;
mod custom;
mod duplicate_names;
mod entry_rows;
mod entry_title;
mod figure;
mod flow_lane;
pub(super) mod flow_track;
mod frames;
mod idle_threads;
mod interactions;
mod item_kinds;
mod jank;
mod kind;
mod kinds;
mod layout_shifts;
mod list;
mod list_input;
mod list_items;
mod list_parts;
mod marker_items;
mod nested_threads;
pub(crate) mod network;
mod painter;
mod painters;
mod process;
mod query;
mod range_contents;
mod registered;
mod row_spans;
pub(super) mod samples;
mod surfaces;
pub(super) mod thread;
mod thread_group;
mod timed_row;
pub(crate) mod track_item;
mod visible_span_cache;

pub use entry_title::{entry_name, entry_title};
pub use flow_lane::FLOW_LANE_HEIGHT;
pub use kind::{DumpLine, EntryCard, EntryTitle, TrackEntry, TrackKind, TrackPlace};
pub use kinds::TRACK_KINDS;
pub use painter::TrackPainter;
pub(crate) use painters::Painters;
pub use range_contents::{NearestMarkers, has_contents};
pub use registered::{derived_kinds, next_by_times, next_on_track, track_kind};
pub(crate) use registered::{entry_on_track, markers_on_rows, row_beyond, times_on_rows};
pub use samples::SAMPLES_HEIGHT;
pub(crate) use track_item::background;
pub use track_item::{ActivityGraph, Background, LabelStyle, TrackItem, TrackLabel};
