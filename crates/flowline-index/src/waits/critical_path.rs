//! The critical path: traces work backward from a moment through running markers, waits, and the markers that posted
//! them.
//!
//! The segments partition the time from the start of the path to that moment. A marker runs from the arrival of its
//! latest cause; within this time, each moment belongs to the innermost open interval. Before that, the marker waits
//! from the moment at which its cause posted it; the path continues with the causing marker at that moment. A marker
//! without a cause continues with the interval that encloses it. Times never increase, and at one time no marker is
//! visited twice, so every path ends.
//!
//! A milestone is no work: its path begins with what completed it. The state of a thread (`scheduler`) continues at the
//! thread that woke it.

use super::milestone_path::complete;
use super::milestones::completion;
use super::path_finder::{Finder, PathOptions};
use super::path_segment::PathSegment;
use crate::Index;
use crate::flows::{end_of, start_of};
use flowline_profile::{FlowId, MarkerId, Ns, TimeRange};

/// A critical path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CriticalPath {
    /// The segments, oldest first, without gaps or overlaps.
    pub segments: Vec<PathSegment>,
    /// True if the path was truncated at [`super::MAX_SEGMENTS`].
    pub is_cut: bool,
}

impl CriticalPath {
    /// The path to the end of a marker; empty for an unknown marker.
    #[must_use]
    #[inline]
    pub fn to_marker(index: &Index, marker: MarkerId, options: PathOptions) -> Self {
        Self::to(index, marker, end_of(index.profile(), marker), options)
    }

    /// The path to the end of a flow.
    #[must_use]
    #[inline]
    pub fn to_flow(index: &Index, flow: FlowId, options: PathOptions) -> Self {
        let last = index.flows().last_to_end(flow);
        last.map_or_else(Self::default, |last| Self::to_marker(index, last, options))
    }

    /// The path to a moment within a marker.
    #[must_use]
    pub fn to(index: &Index, marker: MarkerId, time: Ns, options: PathOptions) -> Self {
        if index.profile().locate(marker).is_none() {
            return Self::default();
        }
        let time = time.clamp(start_of(index.profile(), marker), end_of(index.profile(), marker));
        let mut finder = Finder::new(index, time, options);
        match completion(index.profile(), &finder.milestones, marker) {
            Some(completion) => complete(&mut finder, marker, completion),
            None => finder.follow(marker),
        }
        let (segments, is_cut) = finder.finish();
        Self { segments, is_cut }
    }

    /// The range from the start of the path to the moment that it leads to.
    #[must_use]
    pub fn range(&self) -> TimeRange {
        let ends = self.segments.first().zip(self.segments.last());
        ends.map_or_else(TimeRange::default, |(first, last)| TimeRange {
            start: first.range.start,
            end: last.range.end,
        })
    }

    /// The segment at a time. If two segments touch at that time, the later one.
    #[must_use]
    #[inline]
    pub fn at(&self, time: Ns) -> Option<usize> {
        let after = self.segments.partition_point(|segment| segment.range.start <= time);
        after.checked_sub(1).filter(|at| time <= self.segments[*at].range.end)
    }
}
