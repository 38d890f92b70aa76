//! Tracks: slices and instants of threads, counters, and the profile that consists of them.

pub(super) mod assemble;
pub(super) mod build_tracks;
pub(super) mod clusters;
pub(super) mod colors;
pub(super) mod counter_values;
pub(super) mod counters;
pub(super) mod end_label;
pub(super) mod event_links;
pub(super) mod event_tracks;
pub(super) mod implicit_ends;
pub(super) mod marker_tracks;
pub(super) mod slice;
pub(super) mod slice_order;
pub(super) mod slices;
pub(super) mod track_events;
pub(super) mod track_tree;
