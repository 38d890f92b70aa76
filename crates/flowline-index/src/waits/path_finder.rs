//! Finding a path: its segments grow backward from a moment.

use std::collections::HashSet;

use super::causes::{Cause, cause, sender};
use super::enclosing::Enclosing;
use super::milestones::Milestones;
use super::path_segment::{PathKind, PathSegment};
use super::scheduler::{cpu_activity, state_cause};
use super::wait_activity::{blocking, loop_names};
use crate::Index;
use crate::flows::{end_of, start_of};
use crate::network::{NetworkRequest, NetworkRequestId, PhaseKind};
use flowline_profile::{MarkerId, Ns, StringId, ThreadId, TimeRange};

/// Maximum number of segments of a path.
pub const MAX_SEGMENTS: usize = 10_000;

/// Maximum gap in nanoseconds between an interval and the previous one that it is assumed to follow.
const FOLLOWS_WITHIN: i64 = 1_000_000;

/// Maximum number of enclosing intervals with causes that are compared for a segment.
const MAX_ENCLOSING: usize = 64;

/// Markers that Firefox writes after a long task, with the times of the task. The work is that of the intervals inside.
const REPORTS: [&str; 2] = ["LongTask", "LongIdleTask"];

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

/// A path that grows backward.
pub(super) struct Finder<'a> {
    pub(super) index: &'a Index,
    options: PathOptions,
    /// The names of message loops.
    loops: Vec<StringId>,
    /// The names of reports of long tasks.
    reports: Vec<StringId>,
    pub(super) milestones: Milestones,
    /// Segments, latest first.
    pub(super) backwards: Vec<PathSegment>,
    enclosing: Enclosing,
    /// Markers visited at the current time.
    visited: HashSet<MarkerId>,
    /// The current time; the path grows backward from here.
    pub(super) time: Ns,
}

impl<'a> Finder<'a> {
    /// A path that ends at a time.
    pub(super) fn new(index: &'a Index, time: Ns, options: PathOptions) -> Self {
        let profile = index.profile();
        let (loops, milestones) = (loop_names(profile), Milestones::new(profile));
        let reports = REPORTS.iter().filter_map(|name| profile.strings.find(name)).collect();
        Self {
            index,
            options,
            loops,
            reports,
            milestones,
            backwards: Vec::new(),
            enclosing: Enclosing::default(),
            visited: HashSet::new(),
            time,
        }
    }

    /// The path, oldest segment first, and true if it was truncated.
    pub(super) fn finish(mut self) -> (Vec<PathSegment>, bool) {
        let is_cut = self.is_full();
        self.backwards.truncate(MAX_SEGMENTS);
        self.backwards.reverse();
        (self.backwards, is_cut)
    }

    /// True if the path has as many segments as allowed.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.backwards.len() > MAX_SEGMENTS
    }

    /// Removes the end of the path, to continue it.
    pub(super) fn drop_end(&mut self) {
        let is_end = |segment: &PathSegment| segment.kind == PathKind::Unknown && segment.range.is_empty();
        self.backwards.pop_if(|segment| is_end(segment));
    }

    /// Follows a marker at the current time back to its causes.
    pub(super) fn follow(&mut self, mut marker: MarkerId) {
        if let Some(first) = self.first_in_report(marker) {
            self.visited.insert(marker);
            self.run(marker, start_of(self.index.profile(), first));
            if self.running_marker(first).1.is_none() {
                self.run(marker, start_of(self.index.profile(), marker));
            }
            marker = first;
        }
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
    fn running_marker(&mut self, marker: MarkerId) -> (MarkerId, Option<Cause>) {
        // A message is in transit, independent of the activity of its thread.
        if let Some(cause) = sender(self.index, marker, self.time).filter(|cause| cause.posted < self.time) {
            return (marker, Some(cause));
        }
        let mut found = (marker, self.new_cause(marker));
        let around = self.enclosing.around(self.index, &self.loops, marker);
        let mut next = around.next;
        for _ in 0..MAX_ENCLOSING {
            let Some(ancestor) = next else { break };
            match (self.new_cause(ancestor), found.1) {
                (Some(outer), Some(inner)) if outer.arrived <= inner.posted => {}
                (Some(outer), _) => found = (ancestor, Some(outer)),
                (None, _) => {}
            }
            next = self.enclosing.around(self.index, &self.loops, ancestor).next;
        }
        match found.1 {
            Some(_) => found,
            None => (around.outermost.unwrap_or(marker), None),
        }
    }

    /// The cause of a marker at the current time, unless it was already visited.
    fn new_cause(&self, marker: MarkerId) -> Option<Cause> {
        let is_new = |cause: &Cause| cause.posted < self.time || !self.visited.contains(&cause.marker);
        let cause = cause(self.index, marker, self.time, is_new);
        cause.or_else(|| state_cause(self.index, marker, self.time).filter(is_new))
    }

    /// For a report of a long task, the first interval that ran in it before the current time.
    fn first_in_report(&self, marker: MarkerId) -> Option<MarkerId> {
        let (id, local) = self.index.profile().locate(marker)?;
        let thread = self.index.profile().thread(id);
        let range = thread.markers.range(local);
        let first = || self.index.thread_stack(id).first_in(TimeRange { end: range.end.min(self.time), ..range });
        self.reports.contains(&thread.markers.name(local)).then(first).flatten().map(|first| thread.global(first))
    }

    /// Adds the intervals that ran from `from` to the current time. If a message loop is innermost, no recorded work
    /// ran.
    pub(super) fn run(&mut self, marker: MarkerId, from: Ns) {
        let Some((id, local)) = self.index.profile().locate(marker) else { return };
        let stack = self.index.thread_stack(id);
        let is_report = || self.reports.contains(&self.index.profile().thread(id).markers.name(local));
        if !stack.has(local) && !is_report() {
            return match self.index.network().request_of(marker) {
                Some(request) => self.push_request_phases(from, request, marker),
                None => self.push(from, PathKind::Run, marker),
            };
        }
        self.run_thread(id, from, (PathKind::Run, marker));
    }

    /// Adds the intervals that ran on a thread from `from` to the current time. Time without any is `gap`.
    pub(super) fn run_thread(&mut self, id: ThreadId, from: Ns, gap: (PathKind, MarkerId)) {
        let stack = self.index.thread_stack(id);
        let thread = self.index.profile().thread(id);
        while self.time > from && !self.is_full() {
            let (innermost, since) = stack.innermost_before(self.time);
            let (kind, marker) = match innermost {
                Some(innermost) => {
                    let name = thread.markers.name(innermost);
                    let is_no_work = self.loops.contains(&name) || self.milestones.of_name(name).is_some();
                    (if is_no_work { PathKind::Unknown } else { PathKind::Run }, thread.global(innermost))
                }
                None => gap,
            };
            self.push(since.max(from), kind, marker);
        }
    }

    /// The outermost interval around a marker below the message loops; the marker itself if there is none.
    pub(super) fn task_of(&mut self, marker: MarkerId) -> MarkerId {
        self.enclosing.around(self.index, &self.loops, marker).outermost.unwrap_or(marker)
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
    pub(super) fn push_request_phases(&mut self, from: Ns, request: NetworkRequestId, marker: MarkerId) {
        let phases = self.index.network().get(request).map(NetworkRequest::segments).unwrap_or_default();
        let waits =
            |kind| matches!(kind, PhaseKind::Unknown | PhaseKind::Redirect | PhaseKind::Queued | PhaseKind::Stalled);
        for phase in phases.into_iter().rev().filter(|phase| phase.end > from) {
            self.push_request(phase.end.max(from), PathKind::Wait, marker);
            let kind = if waits(phase.kind) { PathKind::Wait } else { PathKind::Network };
            match phase.kind {
                // The response has arrived and waits for the thread.
                PhaseKind::Processing => self.push(phase.start.max(from), PathKind::Wait, marker),
                _ => self.push_request(phase.start.max(from), kind, marker),
            }
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
    pub(super) fn push(&mut self, from: Ns, kind: PathKind, marker: MarkerId) {
        let Some((thread, range)) = self.step_back(from, marker) else { return };
        if kind == PathKind::Run && self.extend_last(kind, marker, range) {
            return;
        }
        let of_thread = || blocking(self.index, thread, range);
        let activity = || cpu_activity(self.index, thread, range).or_else(of_thread);
        let blocking = (kind == PathKind::Wait).then(activity).flatten();
        self.backwards.push(PathSegment { range, kind, marker, thread, blocking });
    }

    /// The same for a segment of a network request, which does not wait for a thread.
    pub(super) fn push_request(&mut self, from: Ns, kind: PathKind, marker: MarkerId) {
        let Some((thread, range)) = self.step_back(from, marker) else { return };
        if !self.extend_last(kind, marker, range) {
            self.backwards.push(PathSegment { range, kind, marker, thread, blocking: None });
        }
    }

    /// Moves the current time back. Returns the thread of the marker and the time between, unless it is empty.
    fn step_back(&mut self, from: Ns, marker: MarkerId) -> Option<(ThreadId, TimeRange)> {
        if from >= self.time {
            return None;
        }
        let (thread, _) = self.index.profile().locate(marker)?;
        let range = TimeRange { start: from, end: self.time };
        self.time = from;
        self.visited.clear();
        Some((thread, range))
    }

    /// Extends the last segment to the start of a range if it continues that range. Segments with blockers stay as they
    /// are.
    fn extend_last(&mut self, kind: PathKind, marker: MarkerId, range: TimeRange) -> bool {
        let is_same = |later: &&mut PathSegment| {
            (later.kind, later.marker, later.range.start) == (kind, marker, range.end) && later.blocking.is_none()
        };
        self.backwards.last_mut().filter(is_same).map(|later| later.range.start = range.start).is_some()
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
    pub(super) fn end(&mut self, marker: MarkerId) {
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
