//! Options of a synthetic recording.

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
    /// Chrome trace events of a page that a user visits: navigations, requests, frames, interactions, long tasks and layout
    /// shifts. The threads and the flows are those of the page, whatever the options state.
    Page,
}
