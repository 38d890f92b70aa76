//! Imports the text output of `perf script` for a Linux perf recording: a header line for each sample, then its frames,
//! innermost first, and a blank line (see `line`).
//!
//! Processes and threads come from the headers. By default, perf prints only the thread; then all threads belong to one
//! process, whose id is unknown. A thread has the name of its last sample. If a recording has several
//! events, each event has separate threads, because periods of different events do not add up. The period is the weight
//! of its sample: nanoseconds for clock events, otherwise a number without a unit. Samples without periods have weight
//! one.
//!
//! Functions are equal if name, library and, if it is known, the file are equal. Addresses are ignored, so that all calls of a function share one
//! entry; `-F +srcline` adds positions. Records that are not samples (`PERF_RECORD_…`) are skipped. A sample without a time follows the previous sample in the file; the distance in microseconds is the weight
//! of the previous sample.

mod detection;
mod importer;
mod line;

pub(super) use detection::lacks_stacks;
pub(super) use importer::PerfScript;
