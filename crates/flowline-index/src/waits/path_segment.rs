//! The segments of a critical path.

use super::wait_activity::WaitActivity;
use crate::Index;
use crate::network::PhaseKind;
use flowline_profile::{MarkerId, ThreadId, TimeRange};

/// The kind of a path segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PathKind {
    /// The marker runs.
    Run,
    /// The marker was posted but has not begun, or its network request has not been accepted by the network service.
    Wait,
    /// The network processes a request.
    Network,
    /// The marker is assumed to follow the previous interval on its thread.
    Followed,
    /// Either the recording does not tell why the marker began, and the segment is empty; or the marker is a message
    /// loop or a milestone, and its work is not in the recording.
    Unknown,
}

impl PathKind {
    /// True if no recorded work contributes to the result during the segment.
    #[must_use]
    pub const fn is_wait(self) -> bool {
        !matches!(self, Self::Run | Self::Network)
    }

    /// Name in machine-readable output.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Wait => "wait",
            Self::Network => "network",
            Self::Followed => "followed",
            Self::Unknown => "unknown",
        }
    }
}

/// A segment of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathSegment {
    /// The time range.
    pub range: TimeRange,
    /// The kind.
    pub kind: PathKind,
    /// The marker that runs, or that runs after the wait.
    pub marker: MarkerId,
    /// The thread of the marker.
    pub thread: ThreadId,
    /// The blockers of a wait for a thread: the activity of the thread during the wait.
    pub blocking: Option<WaitActivity>,
}

impl PathSegment {
    /// The request phases during a segment that waits for the network; empty for other segments.
    #[must_use]
    pub fn phases(&self, index: &Index) -> Vec<(PhaseKind, i64)> {
        let is_network = self.kind == PathKind::Network || self.kind == PathKind::Wait && self.blocking.is_none();
        let network = index.network_if_built().filter(|_| is_network);
        let request = network.and_then(|network| network.get(network.request_of(self.marker)?));
        request.map(|request| request.phases_in(self.range)).unwrap_or_default()
    }
}
