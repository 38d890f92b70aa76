//! The chart's tracks: one file or folder per kind.
//!
//! A kind defines the height, the label, the commands and the hit test of its items ([`TrackItem`]), and it draws the
//! items on screen ([`TrackPainter`]). A new kind is a new file here, with its items in the list below and its painter
//! in [`Painters`].

mod columns;
pub(super) mod counter;
pub(super) mod custom;
mod duplicate_names;
mod empty_threads;
mod flow_lane;
pub(super) mod flow_track;
mod item_kinds;
mod list;
pub(super) mod network;
mod painter;
mod painters;
mod process;
mod row_spans;
pub(super) mod samples;
pub(super) mod thread;
pub(crate) mod track_item;
mod visible_span_cache;

pub use flow_lane::{FLOW_LANE_HEIGHT, title as lane_title};
pub(crate) use painter::TrackPainter;
pub(crate) use painters::Painters;
pub use samples::SAMPLES_HEIGHT;
pub(crate) use track_item::background;
pub use track_item::{Background, LabelStyle, TrackItem, TrackLabel};
