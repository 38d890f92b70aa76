//! Synthetic recordings of any size, and the bundled example.
//!
//! Recordings are streamed: memory use does not depend on the number of markers, except for eight bytes per flow id of
//! the thread that is being written. The same options always produce the same bytes. The output resembles real
//! recordings: nested tasks in bursts, idle gaps, thousands of instants, overlapping requests, messages between
//! processes, short and very long flows, reused ids, and tasks that run thousands of other tasks while they wait.
//!
//! `plan` determines processes, threads and time; `flows` places flows; `hubs` places nested event loops; `walk` lays
//! out the markers of a thread; `firefox`, `chrome` and `perfetto` write them with names from their catalogs.
//! `call_tree` generates the stacks of samples. `example` is a handwritten page load, implemented as a small
//! simulation.

mod call_tree;
mod catalog;
mod chrome;
mod chrome_catalog;
mod chrome_samples;
mod example;
mod firefox;
mod firefox_payload;
mod firefox_rows;
mod firefox_samples;
mod firefox_strings;
mod flows;
mod framed;
mod hubs;
mod json;
mod perfetto;
mod plan;
mod protobuf;
mod random;
mod schema;
mod share;
#[cfg(test)]
mod tests;
mod walk;

pub use example::write_example;

use std::io::{self, Write};

/// Options of a synthetic recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Exact number of markers that a reader must find. A pair (start and end of an interval, a slice, an asynchronous
    /// operation or a network request) counts once; so does a half without its other half, and each end of a message
    /// between processes. Flow events, counters and metadata do not count.
    pub markers: u64,
    /// Output format.
    pub format: Format,
    /// Number of threads, at least one. `None`: 4 to 64, depending on the number of markers.
    pub threads: Option<u32>,
    /// Number of short flows, at most a sixth of the markers. `None`: a tenth of the markers. Long-lived flows are
    /// added, a few dozen per million markers; 0 disables all flows.
    pub flows: Option<u64>,
    /// Exact number of samples of all threads; in traces, only threads that run scripts have samples. 0: only the few
    /// samples that mark the range of a Firefox recording.
    pub samples: u64,
    /// Seed of everything that is random.
    pub seed: u64,
}

/// The format of a synthetic recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A raw Gecko profile, as written by Firefox.
    Firefox,
    /// Chrome trace events in an object.
    Chrome,
    /// A Perfetto trace: protocol buffer packets, without samples.
    Perfetto,
}

/// Writes a recording to `out` as uncompressed JSON or packets. The writer does not need to be buffered.
///
/// # Errors
/// The first error of the writer, or an error if samples are requested in a format without samples.
pub fn write<W: Write>(options: &Options, out: W) -> io::Result<()> {
    let plan = plan::Plan::new(options);
    match options.format {
        Format::Firefox => firefox::write(&plan, out),
        Format::Chrome => chrome::write(&plan, out),
        Format::Perfetto => perfetto::write(&plan, out),
    }
}
