//! Threads with their markers and samples.

use std::sync::Arc;

use compact_str::CompactString;

use crate::persist::persist;
use crate::{Column, LocalMarker, MarkerId, MarkerTable, ProcessId, StringTable, ThreadId, ThreadSamples, TrackKind};
use flowline_format::{Ns, TimeRange};

/// Process id of the tracks of CPUs in recordings of the Linux scheduler. Ids of processes are numbers there.
pub const CPUS_PID: &str = "cpus";

/// Separates the number of a machine from the id of a process, if the process is not of the machine that recorded the
/// trace.
pub const MACHINE_SEPARATOR: char = ':';

/// Splits the id of a process into its machine, such as `2:`, and the id on the machine. The machine is empty for the one
/// that recorded the trace.
#[must_use]
pub fn split_machine(pid: &str) -> (&str, &str) {
    let after = pid.find(MACHINE_SEPARATOR).map(|at| at + MACHINE_SEPARATOR.len_utf8());
    let after = after.filter(|after| *after > 1 && pid.as_bytes()[..after - 1].iter().all(u8::is_ascii_digit));
    pid.split_at(after.unwrap_or_default())
}

/// Returns true for the process id of the tracks of the CPUs of any machine.
#[must_use]
pub fn is_cpus_pid(pid: &str) -> bool {
    split_machine(pid).1 == CPUS_PID
}

/// Suffix of the thread id of a track with the states of a thread. Such tracks follow their threads.
pub const THREAD_STATE_SUFFIX: &str = " state";

/// A thread and its markers, or a track of markers that do not belong to a single thread (see [`TrackKind`]).
#[derive(Clone, Debug, Default)]
pub struct Thread {
    /// Process of the thread.
    pub process: ProcessId,
    /// Thread id as written in the file. Short texts are stored inline.
    pub tid: CompactString,
    /// Name as written in the file; not unique.
    pub name: CompactString,
    /// Kind of the track.
    pub kind: TrackKind,
    /// The thread or track of the same process below which this track is listed. It has a lower id.
    pub parent: Option<ThreadId>,
    /// Number of tracks below this one at any depth. They have the ids after its own.
    pub nested: u32,
    /// True if this is the main thread of its process.
    pub is_main: bool,
    /// Lifetime of the thread, as far as known.
    pub range: TimeRange,
    /// Offset from its process's clock to the recording's clock. Marker times already include it; it is added to times
    /// in payloads when they are decoded.
    pub shift: Ns,
    /// Number of raw markers from which its markers were derived.
    pub raw_markers: u64,
    /// Markers in start order.
    pub markers: MarkerTable,
    /// The string table that indexes in its payloads refer to.
    pub strings: Arc<StringTable>,
    /// Recording-wide id of its first marker.
    pub first_marker: MarkerId,
    /// For [`TrackKind::Async`], the group of each marker: markers with the same id share a group. Otherwise empty.
    pub groups: Column<u32>,
    /// For [`TrackKind::Async`] of a trace, the index of the thread whose event began each marker, and of the thread
    /// whose event ended it; `u32::MAX` if unknown. Boxed because there may be many threads and few such tracks.
    pub event_threads: Option<Box<(Column<u32>, Column<u32>)>>,
    /// Samples of the thread; boxed because there may be many threads and few samples.
    pub samples: Option<Box<ThreadSamples>>,
}
persist!(Thread {
    process,
    tid,
    name,
    kind,
    parent,
    nested,
    is_main,
    range,
    shift,
    raw_markers,
    markers,
    strings,
    first_marker,
    groups,
    event_threads,
    samples
});

impl Thread {
    /// The recording-wide id of one of its markers.
    #[must_use]
    #[inline]
    pub const fn global(&self, marker: LocalMarker) -> MarkerId {
        MarkerId(self.first_marker.0 + marker.0)
    }

    /// The threads whose events began and ended an asynchronous marker, as far as known.
    #[must_use]
    pub fn event_threads_of(&self, marker: LocalMarker) -> [Option<ThreadId>; 2] {
        let known = |list: &Column<u32>| list.get(marker.index()).copied().filter(|thread| *thread != u32::MAX);
        self.event_threads
            .as_deref()
            .map_or([None; 2], |(begins, ends)| [begins, ends].map(known).map(|own| own.map(ThreadId)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn process_ids_state_other_machines() {
        for (pid, expected) in [
            ("7", ("", "7")),
            ("2:7", ("2:", "7")),
            ("2:cpus", ("2:", "cpus")),
            ("cpus", ("", "cpus")),
            // Ids of other formats.
            ("app:7", ("", "app:7")),
            (":7", ("", ":7")),
            ("", ("", "")),
        ] {
            assert_eq!(split_machine(pid), expected);
        }
        assert!(is_cpus_pid("cpus") && is_cpus_pid("2:cpus") && !is_cpus_pid("2:7"));
    }
}
