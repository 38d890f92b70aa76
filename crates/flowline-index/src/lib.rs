//! The index of a [`Profile`](flowline_profile::Profile): rows, level-of-detail pyramids, summaries, activity, counters, flows, and search.
//!
//! The index is built once, is immutable afterwards, and is shared by `Arc`. Rows of the second arrangement are built
//! on first use.

mod activity;
mod async_stacks;
mod base_index;
mod build_timings;
mod clock;
pub mod counters;
pub mod custom_tracks;
mod first_fit;
pub mod flows;
pub mod hidden;
mod index;
pub mod initiators;
mod layout;
pub mod marker_dependencies;
pub mod messages;
pub mod modifications;
pub mod nesting;
pub mod network;
mod pyramid;
mod rows;
pub mod samples;
pub mod search;
mod span;
pub mod statistics;
mod style;
pub mod waits;

pub use activity::{Activity, SLICES};
pub use async_stacks::StackTarget;
pub use build_timings::BuildTimings;
pub use clock::{Clock, MAX_TICK, TICK_BITS};
pub use counters::{CounterTrack, Counters};
pub use custom_tracks::CustomTracks;
pub use flowline_profile::{Arrangement, GroupKind};
pub use flows::FlowGraph;
pub use index::{Index, IndexId};
pub use layout::{Overlap, RowMarkers, RowSource, Rows, ThreadLayout};
pub use nesting::Nesting;
pub use network::Network;
pub use pyramid::{Pyramid, RowItems, touching};
pub use rows::{Group, ThreadRows, depths};
pub use span::{Packed, Span, Style};
pub use style::{COLOR_WORDS, Styles, color_index, color_of_name};
