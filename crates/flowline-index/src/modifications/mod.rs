//! The notes that Chrome DevTools saves in a trace, under `metadata.modifications`: labels, labeled ranges, links, zoom
//! ranges (breadcrumbs), and hidden entries.
//!
//! DevTools drops everything after a key that it cannot resolve; here such notes are kept and counted. Times in the
//! file are in microseconds on the trace's clock.

mod events;
mod frames;
mod keys;
mod metadata;
mod notes;
mod write;

pub use keys::entry_of_marker;
pub use keys::{entry_of_call, key_of};
pub use metadata::metadata_member;
pub use notes::Modifications;
pub use write::{Written, breadcrumbs, with_breadcrumbs, written};
