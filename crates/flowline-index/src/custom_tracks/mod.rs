//! Custom tracks: entries that page authors add to their own tracks with `performance.measure`, `performance.mark` and
//! `console.timeStamp`.
//!
//! An entry is shown on its track and belongs to the marker that defines it. Search, tables and flows use the marker,
//! which also stays in the rows of its thread. The rules are those of Chrome's DevTools. Entries are read on first use,
//! on all cores; only user timings and time stamps are decoded.

mod entries;
mod entry;
mod of_index;
mod read;
mod rows;
mod stamps;

pub use entries::CustomTracks;
pub use entry::{CustomEntry, EntryKind, Origin, detail_text, property_text};
pub use read::is_browser_timing;
pub use rows::{CustomTrack, RowEntries, TrackSection};
