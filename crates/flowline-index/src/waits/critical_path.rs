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

use std::collections::HashSet;

use super::causes::{Cause, cause, sender};
use super::milestones::{Completion, Milestones, frame_before, last_request, ready, task_at};
use super::path_segment::{PathKind, PathSegment};
use super::scheduler::{cpu_activity, state_cause};
use super::wait_activity::{blocking, loop_names};
use crate::Index;
use crate::flows::{end_of, start_of};
use crate::network::{NetworkRequest, NetworkRequestId, PhaseKind};
use flowline_profile::{FlowId, MarkerId, Ns, StringId, TimeRange};

/// Maximum number of segments of a path.
pub const MAX_SEGMENTS: usize = 10_000;

/// Maximum gap in nanoseconds between an interval and the previous one that it is assumed to follow.
const FOLLOWS_WITHIN: i64 = 1_000_000;

/// Options for finding paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathOptions {
    /// If true, a marker without a cause is assumed to follow an interval with flows that ended at most a millisecond
    /// earlier on the same thread.
    pub assume_followed: bool,
}

impl Default for PathOptions {
    #[inline]
    fn default() -> Self {
        Self { assume_followed: true }
    }
}

/// A critical path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CriticalPath {
    /// The segments, oldest first, without gaps or overlaps.
    pub segments: Vec<PathSegment>,
    /// True if the path was truncated at [`MAX_SEGMENTS`].
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
        let loops = loop_names(index.profile());
        let milestones = Milestones::new(index.profile());
        let completion = milestones.of(index.profile(), marker);
        let (backwards, visited) = (Vec::new(), HashSet::new());
        let mut finder = Finder { index, options, loops, milestones, backwards, visited, time };
        match completion {
            Some(completion) => finder.complete(marker, completion),
            None => finder.follow(marker),
        }
        let is_cut = finder.is_full();
        finder.backwards.truncate(MAX_SEGMENTS);
        finder.backwards.reverse();
        Self { segments: finder.backwards, is_cut }
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

struct Finder<'a> {
    index: &'a Index,
    options: PathOptions,
    /// The names of message loops.
    loops: Vec<StringId>,
    milestones: Milestones,
    /// Segments, latest first.
    backwards: Vec<PathSegment>,
    /// Markers visited at the current time.
    visited: HashSet<MarkerId>,
    /// The current time; the path grows backward from here.
    time: Ns,
}

impl Finder<'_> {
    #[inline]
    fn is_full(&self) -> bool {
        self.backwards.len() > MAX_SEGMENTS
    }

    /// Follows a milestone: the event that completed it, then back to its start. Time that nothing recorded explains is
    /// unknown.
    fn complete(&mut self, milestone: MarkerId, completion: Completion) {
        match completion {
            Completion::Load => {
                let task = task_at(self.index, &self.milestones, milestone, self.time);
                task.into_iter().for_each(|task| self.follow(task));
                if let Some(request) = last_request(self.index, milestone, self.time) {
                    self.drop_end();
                    let posted = end_of(self.index.profile(), request);
                    match self.backwards.last().map(|earliest| earliest.marker) {
                        Some(task) => self.push(posted, PathKind::Wait, task),
                        None => self.push(posted, PathKind::Unknown, milestone),
                    }
                    self.follow(request);
                }
            }
            Completion::Frame => {
                if let Some(frame) = frame_before(self.index, milestone, self.time) {
                    // The frame waits for the compositor and the display, not for the thread.
                    self.push_request(ready(self.index, frame, self.time), PathKind::Wait, milestone);
                    self.follow(frame);
                }
            }
            Completion::Unknown => {}
        }
        let start = start_of(self.index.profile(), milestone);
        if self.time > start {
            self.drop_end();
            self.push(start, PathKind::Unknown, milestone);
        } else if self.backwards.is_empty() {
            self.end(milestone);
        }
    }

    /// Removes the end of the path, to continue it.
    fn drop_end(&mut self) {
        let is_end = |segment: &PathSegment| segment.kind == PathKind::Unknown && segment.range.is_empty();
        self.backwards.pop_if(|segment| is_end(segment));
    }

    fn follow(&mut self, mut marker: MarkerId) {
        loop {
            self.visited.insert(marker);
            let (ran, cause) = self.running_marker(marker);
            let from = cause.map_or_else(|| start_of(self.index.profile(), ran), |cause| cause.arrived);
            self.run(ran, from.min(self.time));
            if self.is_full() {
                return;
            }
            match cause {
                Some(cause) => {
                    match cause.request {
                        Some(request) => self.push_request_phases(cause.posted, request, self.event_of(request, ran)),
                        None => self.push(cause.posted, PathKind::Wait, ran),
                    }
                    marker = cause.marker;
                }
                None => match self.followed(ran) {
                    Some(before) => {
                        self.follow_on(before, ran);
                        marker = before;
                    }
                    None => return self.end(ran),
                },
            }
            if self.is_full() {
                return;
            }
        }
    }

    /// The marker whose cause allowed `marker` to run at the current time, and that cause: the innermost of the marker
    /// and its enclosing intervals that has a cause. An enclosing interval takes precedence if its own cause arrived
    /// after the inner cause had posted. Without any cause, the result is the outermost interval below a message loop.
    fn running_marker(&self, marker: MarkerId) -> (MarkerId, Option<Cause>) {
        let Some((id, local)) = self.index.profile().locate(marker) else { return (marker, None) };
        // A message is in transit, independent of the activity of its thread.
        if let Some(cause) = sender(self.index, marker, self.time).filter(|cause| cause.posted < self.time) {
            return (marker, Some(cause));
        }
        let of = |marker: MarkerId| {
            let is_new = |cause: &Cause| cause.posted < self.time || !self.visited.contains(&cause.marker);
            let cause = cause(self.index, marker, self.time, is_new);
            cause.or_else(|| state_cause(self.index, marker, self.time).filter(is_new))
        };
        let thread = self.index.profile().thread(id);
        let mut found = (marker, of(marker));
        // Message loops run all tasks, so an open loop does not explain why this task ran.
        let ancestors = self.index.thread_stack(id).ancestors(local).into_iter();
        let ancestors = ancestors.take_while(|ancestor| !self.loops.contains(&thread.markers.name(*ancestor)));
        for ancestor in ancestors.map(|ancestor| thread.global(ancestor)) {
            match (of(ancestor), found.1) {
                (Some(outer), Some(inner)) if outer.arrived <= inner.posted => {}
                (Some(outer), _) => found = (ancestor, Some(outer)),
                (None, None) => found = (ancestor, None),
                (None, Some(_)) => {}
            }
        }
        found
    }

    /// Adds the intervals that ran from `from` to the current time. If a message loop is innermost, no recorded work
    /// ran.
    fn run(&mut self, marker: MarkerId, from: Ns) {
        let Some((id, local)) = self.index.profile().locate(marker) else { return };
        let stack = self.index.thread_stack(id);
        if !stack.has(local) {
            return match self.index.network().request_of(marker) {
                Some(request) => self.push_request_phases(from, request, marker),
                None => self.push(from, PathKind::Run, marker),
            };
        }
        let thread = self.index.profile().thread(id);
        while self.time > from && !self.is_full() {
            let (innermost, since) = stack.innermost_before(self.time);
            let innermost = innermost.unwrap_or(local);
            let name = thread.markers.name(innermost);
            let is_no_work = self.loops.contains(&name) || self.milestones.of_name(name).is_some();
            let kind = if is_no_work { PathKind::Unknown } else { PathKind::Run };
            self.push(since.max(from), kind, thread.global(innermost));
        }
    }

    /// The marker that represents a request: `marker` if it is an event of the request, otherwise the request's own
    /// marker.
    fn event_of(&self, request: NetworkRequestId, marker: MarkerId) -> MarkerId {
        let network = self.index.network();
        if network.request_of(marker) == Some(request) {
            return marker;
        }
        network.get(request).map_or(marker, |request| request.marker)
    }

    /// Adds the phases of a network request from `from` to the current time.
    fn push_request_phases(&mut self, from: Ns, request: NetworkRequestId, marker: MarkerId) {
        let phases = self.index.network().get(request).map(NetworkRequest::segments).unwrap_or_default();
        let waits =
            |kind| matches!(kind, PhaseKind::Unknown | PhaseKind::Redirect | PhaseKind::Queued | PhaseKind::Stalled);
        for phase in phases.into_iter().rev().filter(|phase| phase.end > from) {
            self.push_request(phase.end.max(from), PathKind::Wait, marker);
            let kind = if waits(phase.kind) { PathKind::Wait } else { PathKind::Network };
            self.push_request(phase.start.max(from), kind, marker);
        }
        self.push_request(from, PathKind::Wait, marker);
    }

    /// The interval that ended just before a marker on its thread, if it is in a flow.
    fn followed(&self, marker: MarkerId) -> Option<MarkerId> {
        if !self.options.assume_followed {
            return None;
        }
        let (id, local) = self.index.profile().locate(marker)?;
        let stack = self.index.thread_stack(id);
        if !stack.has(local) {
            return None;
        }
        let before = self.index.profile().thread(id).global(stack.last_ended(self.time)?);
        let end = end_of(self.index.profile(), before);
        let follows = self.time.0.saturating_sub(end.0) <= FOLLOWS_WITHIN;
        let is_new = end < self.time || !self.visited.contains(&before);
        (follows && is_new && !self.index.flows().flows_of(before).is_empty()).then_some(before)
    }

    /// Adds a segment from `from` to the current time and moves the current time to `from`. Zero-length segments are
    /// omitted.
    fn push(&mut self, from: Ns, kind: PathKind, marker: MarkerId) {
        if from >= self.time {
            return;
        }
        let Some((thread, _)) = self.index.profile().locate(marker) else { return };
        let range = TimeRange { start: from, end: self.time };
        self.time = from;
        self.visited.clear();
        match self
            .backwards
            .last_mut()
            .filter(|later| (later.kind, later.marker, kind) == (kind, marker, PathKind::Run))
        {
            Some(later) => later.range.start = from,
            None => {
                let of_thread = || blocking(self.index, thread, range);
                let activity = || cpu_activity(self.index, thread, range).or_else(of_thread);
                let blocking = (kind == PathKind::Wait).then(activity).flatten();
                self.backwards.push(PathSegment { range, kind, marker, thread, blocking });
            }
        }
    }

    /// Adds a segment of a network request, which does not wait for a thread.
    fn push_request(&mut self, from: Ns, kind: PathKind, marker: MarkerId) {
        if from >= self.time {
            return;
        }
        let Some((thread, _)) = self.index.profile().locate(marker) else { return };
        let range = TimeRange { start: from, end: self.time };
        self.time = from;
        self.visited.clear();
        match self.backwards.last_mut().filter(|later| (later.kind, later.marker) == (kind, marker)) {
            Some(later) if later.blocking.is_none() && later.range.start == range.end => later.range.start = from,
            _ => self.backwards.push(PathSegment { range, kind, marker, thread, blocking: None }),
        }
    }

    /// Adds a segment for the assumption that a marker follows another one. The segment is empty if there is no gap.
    fn follow_on(&mut self, before: MarkerId, marker: MarkerId) {
        let end = end_of(self.index.profile(), before);
        if end < self.time {
            self.push(end, PathKind::Followed, marker);
        } else {
            self.push_moment(PathKind::Followed, marker);
        }
    }

    /// Ends the path at the current time.
    #[inline]
    fn end(&mut self, marker: MarkerId) {
        self.push_moment(PathKind::Unknown, marker);
    }

    /// Adds a zero-length segment.
    #[inline]
    fn push_moment(&mut self, kind: PathKind, marker: MarkerId) {
        let Some((thread, _)) = self.index.profile().locate(marker) else { return };
        let range = TimeRange { start: self.time, end: self.time };
        self.backwards.push(PathSegment { range, kind, marker, thread, blocking: None });
    }
}
