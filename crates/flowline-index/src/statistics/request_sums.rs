//! The requests of a range: their number, size and time. Requests run beside the work of threads, so their times are never
//! added to it, nor to each other.

use std::collections::BTreeSet;

use crate::Index;
use flowline_profile::{Ns, ProcessId, ThreadId, TimeRange};

/// Sums over requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequestSums {
    /// Number of requests that overlap the range.
    pub count: u64,
    /// Bytes received by those of known size.
    pub bytes: i64,
    /// The longest time of one of them within the range.
    pub longest: Ns,
    /// Time within the range in which at least one of them was in progress.
    pub covered: Ns,
}

impl RequestSums {
    /// The requests of the processes of some threads, or of all, within a range or at any time. Finding requests can take
    /// long, so this belongs on the pool.
    #[must_use]
    pub fn of(index: &Index, range: Option<TimeRange>, threads: Option<&[ThreadId]>) -> Self {
        let profile = index.profile();
        let process = |thread: &ThreadId| profile.thread(*thread).process;
        let processes: Option<BTreeSet<ProcessId>> = threads.map(|threads| threads.iter().map(process).collect());
        let range = range.unwrap_or(index.extent());
        let mut sums = Self::default();
        let mut parts: Vec<TimeRange> = Vec::new();
        for request in index.network().requests() {
            let is_wanted = processes.as_ref().is_none_or(|processes| processes.contains(&request.process));
            if !is_wanted || !range.overlaps(request.start, request.end) {
                continue;
            }
            let part = TimeRange::new(request.start, request.end).within(range);
            sums.count += 1;
            sums.bytes = sums.bytes.saturating_add(request.encoded_bytes.unwrap_or(0).max(0));
            sums.longest = sums.longest.max(Ns(part.len()));
            parts.push(part);
        }
        parts.sort_unstable_by_key(|part| part.start);
        let mut until = Ns(i64::MIN);
        for part in parts {
            sums.covered.0 = sums.covered.0.saturating_add((part.end.0 - part.start.0.max(until.0)).max(0));
            until = until.max(part.end);
        }
        sums
    }
}
