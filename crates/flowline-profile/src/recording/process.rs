//! Processes, and the pages that they showed.

use compact_str::CompactString;

use crate::persist::persist;

/// A process in the recording.
#[derive(Clone, Debug, Default)]
pub struct Process {
    /// Process id as written in the file; it may be synthetic.
    pub pid: CompactString,
    /// Name.
    pub name: CompactString,
}
persist!(Process { pid, name });

/// A web page that the recorded program showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Id of the page's window; payloads refer to it as `innerWindowID`.
    pub window: i64,
    /// Address.
    pub url: String,
}
persist!(Page { window, url });
