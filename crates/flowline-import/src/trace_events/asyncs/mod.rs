//! Async slices, which belong to an id instead of a thread.

mod build_groups;
mod group_builder;

pub(super) mod async_begins;
pub(super) mod async_bindings;
pub(super) mod async_groups;
pub(super) mod async_key;
pub(super) mod async_tracks;
