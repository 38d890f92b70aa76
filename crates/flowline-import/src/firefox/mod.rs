//! Firefox profiles: raw (written by Firefox), processed (saved by the Firefox Profiler), and processed in a JSLB
//! container.
//!
//! `document` walks the text once on one core and finds the threads. Meanwhile the other cores read the threads found
//! so far into columns (`threads`). `derive` derives markers from raw markers, and `joined` assigns recording-wide ids to
//! names, types and categories. `stacks` does the same for functions, frames and stacks. `cut` writes a part of a
//! profile.

mod cut;
mod derive;
mod dialect;
mod document;
mod importer;
mod joined;
mod stacks;
mod threads;

pub(super) use cut::cut;
pub use derive::UNKNOWN_NAME;
pub(super) use importer::Firefox;
