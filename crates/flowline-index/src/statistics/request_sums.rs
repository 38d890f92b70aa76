//! The requests of a range: their number, size and time. Requests run beside the work of threads, so their times are never
//! added to it, nor to each other.

use std::collections::BTreeSet;

use crate::Index;
use crate::network::{NetworkRequestId, PhaseKind};
use flowline_profile::{Ns, ProcessId, ThreadId, TimeRange};

/// Sums over requests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequestSums {
    /// Number of requests that overlap the range.
    pub count: u64,
    /// Bytes received by those of known size.
    pub bytes: i64,
    /// The longest time of one of them within the range.
    pub longest: Ns,
    /// Time within the range in which at least one of them was in progress.
    pub covered: Ns,
    /// The phases of all requests within the range, each with the sum of its times in nanoseconds, in the order of a
    /// request. Time without a known phase is left out.
    pub phases: Vec<(PhaseKind, i64)>,
}

/// The requests to sum up.
#[derive(Clone, Copy, Debug)]
pub enum SummedRequests<'a> {
    /// All requests.
    All,
    /// Those of the processes of some threads.
    OfThreads(&'a [ThreadId]),
    /// The given ones.
    Only(&'a BTreeSet<NetworkRequestId>),
}

impl RequestSums {
    /// Sums requests within a range or at any time. Finding requests can take long, so this belongs on the pool.
    #[must_use]
    pub fn of(index: &Index, range: Option<TimeRange>, requests: SummedRequests<'_>) -> Self {
        let profile = index.profile();
        let process = |thread: &ThreadId| profile.thread(*thread).process;
        let processes: BTreeSet<ProcessId> = match requests {
            SummedRequests::OfThreads(threads) => threads.iter().map(process).collect(),
            _ => BTreeSet::new(),
        };
        let range = range.unwrap_or(index.extent());
        let mut sums = Self::default();
        let mut parts: Vec<TimeRange> = Vec::new();
        for (id, request) in index.network().iter() {
            let is_wanted = match requests {
                SummedRequests::All => true,
                SummedRequests::OfThreads(_) => processes.contains(&request.process),
                SummedRequests::Only(wanted) => wanted.contains(&id),
            };
            if !is_wanted || !range.overlaps(request.start, request.end) {
                continue;
            }
            let part = TimeRange::new(request.start, request.end).within(range);
            sums.count += 1;
            sums.bytes = sums.bytes.saturating_add(request.encoded_bytes.unwrap_or(0).max(0));
            sums.longest = sums.longest.max(Ns(part.len()));
            parts.push(part);
            sums.add_phases(request.phases_in(range));
        }
        parts.sort_unstable_by_key(|part| part.start);
        let mut until = Ns(i64::MIN);
        for part in parts {
            sums.covered.0 = sums.covered.0.saturating_add((part.end.0 - part.start.0.max(until.0)).max(0));
            until = until.max(part.end);
        }
        sums.phases.sort_unstable_by_key(|(kind, _)| *kind);
        sums
    }

    fn add_phases(&mut self, phases: Vec<(PhaseKind, i64)>) {
        for (kind, time) in phases.into_iter().filter(|(kind, _)| *kind != PhaseKind::Unknown) {
            match self.phases.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, sum)) => *sum = sum.saturating_add(time),
                None => self.phases.push((kind, time)),
            }
        }
    }
}
