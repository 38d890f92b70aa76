//! Synthetic recordings of any size, and the bundled example.
//!
//! A recording is streamed: memory stays the same whatever the number of markers, except for eight bytes for each flow
//! id that the thread being written mentions. The same options always give the same bytes. What is written has the
//! shape of real recordings: nested tasks in bursts, idle gaps, thousands of instants, overlapping requests, messages
//! between processes, short and very long flows, ids that are used again, tasks that run thousands of others while they
//! wait.
//!
//! `plan` decides processes, threads and time; `flows` which flow is where; `hubs` when a thread waits in a nested
//! event loop; `walk` lays out the markers of a thread; `firefox`, `chrome` and `perfetto` write them, with names from
//! their catalogs. `call_tree` is what samples see. `example` is a page load, written by hand as a small simulation.

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

/// What to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Markers that a reader must find, exactly. A pair (start and end of an interval, of a slice, of an asynchronous
    /// operation or of a network request) counts once; so does a half whose other half is missing, and each end of a
    /// message between processes. Flow events, counters and metadata do not count.
    pub markers: u64,
    /// In which format.
    pub format: Format,
    /// Threads, at least one. `None`: more for larger recordings, from 4 to 64.
    pub threads: Option<u32>,
    /// Short flows, at most a sixth of the markers. `None`: a tenth. Long-lived flows come on top, a few dozen for
    /// each million markers; 0 means that there are no flows at all.
    pub flows: Option<u64>,
    /// Samples of all threads together, exactly; a trace has them of its threads that run scripts. 0: none beyond the few
    /// that tell the range of a Firefox recording.
    pub samples: u64,
    /// Recordings with different seeds differ in everything that is random.
    pub seed: u64,
}

/// The format of a synthetic recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A raw Gecko profile, as Firefox writes them.
    Firefox,
    /// Chrome trace events in an object.
    Chrome,
    /// A Perfetto trace: packets of a protocol buffer. It has no samples.
    Perfetto,
}

/// Writes a recording to `out`, as plain JSON or as packets. The writer need not be buffered.
///
/// # Errors
/// The first error of the writer; and samples where the format has none.
pub fn write<W: Write>(options: &Options, out: W) -> io::Result<()> {
    let plan = plan::Plan::new(options);
    match options.format {
        Format::Firefox => firefox::write(&plan, out),
        Format::Chrome => chrome::write(&plan, out),
        Format::Perfetto => perfetto::write(&plan, out),
    }
}
