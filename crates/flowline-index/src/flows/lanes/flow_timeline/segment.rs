//! The segments of a flow: runs and waits.

use flowline_profile::{MarkerId, Ns, TimeRange};

/// The kind of a segment of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SegmentKind {
    /// At least one of the flow's intervals is active.
    Run,
    /// Something was posted, and has not begun to run.
    Wait,
    /// Nothing is posted: the time between two uses of an object.
    Idle,
}

/// A segment of a flow timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimelineSegment {
    /// Time of the segment; not empty.
    pub range: TimeRange,
    /// Run, wait or idle.
    pub kind: SegmentKind,
    /// For a run, the running marker; of several, the one that began last. For the others, the marker at which they end.
    pub marker: MarkerId,
}

/// The segments of a flow, in order, without gap or overlap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FlowTimeline {
    /// The segments; none if the flow has no length.
    pub segments: Vec<TimelineSegment>,
}

impl FlowTimeline {
    /// Total length of the segments of a kind, in nanoseconds.
    #[must_use]
    #[inline]
    pub fn total(&self, kind: SegmentKind) -> i64 {
        let lengths = self.segments.iter().filter(|segment| segment.kind == kind).map(|segment| segment.range.len());
        lengths.fold(0, i64::saturating_add)
    }

    /// The longest wait; the first of several equal ones.
    #[must_use]
    #[inline]
    pub fn longest_wait(&self) -> Option<&TimelineSegment> {
        let waits = self.segments.iter().filter(|segment| segment.kind == SegmentKind::Wait);
        waits.reduce(|longest, wait| if wait.range.len() > longest.range.len() { wait } else { longest })
    }

    /// Index of the segment at a time; at the boundary of two segments, the later one.
    #[must_use]
    #[inline]
    pub fn at(&self, time: Ns) -> Option<usize> {
        let after = self.segments.partition_point(|segment| segment.range.start <= time);
        after.checked_sub(1).filter(|at| time <= self.segments[*at].range.end)
    }
}
