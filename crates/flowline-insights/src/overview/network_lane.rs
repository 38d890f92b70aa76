//! The network lane: when requests were running, on two levels. The upper level has those that delay the first paint.

use super::columns::{BINS, bin_of};
use flowline_index::Index;
use flowline_index::network::NetworkRequest;
use flowline_profile::{ProcessId, TimeRange};

/// Number of levels: blocking requests, and others.
pub const LEVELS: usize = 2;

/// When requests were running.
#[derive(Clone, Debug)]
pub struct NetworkLane {
    /// By level and column: true if a request was running.
    busy: [Vec<bool>; LEVELS],
    count: usize,
}

impl NetworkLane {
    /// The requests of a recording that `wanted` accepts by process.
    #[must_use]
    pub fn of(index: &Index, range: TimeRange, wanted: impl Fn(ProcessId) -> bool) -> Self {
        let mut changes = [vec![0_i64; BINS + 1], vec![0_i64; BINS + 1]];
        let requests = index.network().requests().iter().filter(|request| wanted(request.process));
        let mut count = 0;
        for request in requests.filter(|request| range.overlaps(request.start, request.end)) {
            count += 1;
            let (first, last) = columns(range, request);
            let level = &mut changes[usize::from(!is_blocking(request))];
            level[first] += 1;
            level[last + 1] -= 1;
        }
        let busy = changes.map(|changes| {
            let running = changes.iter().take(BINS).scan(0, |open, change| {
                *open += change;
                Some(*open > 0)
            });
            running.collect()
        });
        Self { busy, count }
    }

    /// True if a request of a level was running in a column.
    #[must_use]
    pub fn is_busy(&self, level: usize, bin: usize) -> bool {
        self.busy.get(level).and_then(|level| level.get(bin)).copied().unwrap_or(false)
    }

    /// Number of requests.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.count
    }
}

/// The first and the last column of a request.
fn columns(range: TimeRange, request: &NetworkRequest) -> (usize, usize) {
    let first = bin_of(range, request.start);
    (first, bin_of(range, request.end).max(first))
}

/// True if the browser states that a request blocks rendering or parsing, or if it loads the document.
#[must_use]
pub(super) fn is_blocking(request: &NetworkRequest) -> bool {
    matches!(request.render_blocking.as_str(), "blocking" | "in_body_parser_blocking" | "parser_blocking")
        || request.resource == "Document"
}
