//! Blockers of a wait: the intervals that ran during the wait on the thread that it waited for.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::thread_stack::ThreadStack;
use crate::Index;
use crate::flows::posted_name;
use flowline_profile::text::LabelKind;
use flowline_profile::{LocalMarker, MarkerId, Profile, StringId, ThreadId, TimeRange};

/// Message loops, which run all tasks of a thread and therefore are not blockers. If nothing runs inside a loop, the
/// thread is idle or its work is not in the recording.
const LOOPS: [&str; 4] = ["RunLoop::Run", "ThreadController active", "MessagePump::Run", "MessageLoop::Run"];
/// Intervals that run arbitrary tasks. Their contents are more informative than their names.
const RUNNERS: [&str; 4] =
    ["RunTask", "ThreadControllerImpl::RunTask", "ThreadPool_RunTask", "TaskGraphRunner::RunTask"];
/// Maximum number of task runners inside each other.
const MAX_RUNNERS: usize = 32;
/// Number of intervals, longest first, whose tasks are read.
const NAMED: usize = 48;
/// Maximum length of a blocker's text, in characters.
const MAX_TEXT: usize = 80;

/// A blocker: intervals with the same name, and the same task if it is known, that ran during a wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocker {
    /// Name of the intervals.
    pub name: StringId,
    /// The task that the intervals ran, if it is known and not in the name; for task runners, the name of the longest
    /// interval inside.
    pub task: Option<String>,
    /// Run time during the wait, in nanoseconds.
    pub ns: i64,
    /// Number of intervals.
    pub count: usize,
    /// The interval that ran longest during the wait; the first one if several are equally long.
    pub longest: MarkerId,
}

impl Blocker {
    /// The displayed text, such as "Runnable nsRefreshDriver": the name with the task, or with the label of a single
    /// interval. A single call is named by its function.
    #[must_use]
    pub fn text(&self, profile: &Profile) -> String {
        let name = profile.strings.get(self.name);
        let place = profile.locate(self.longest).filter(|_| self.count == 1);
        let label =
            || place.map(|(thread, local)| profile.marker_label(LabelKind::Chart, thread, local, profile.clock()));
        let is_call = self.task.is_none() && place.is_some() && profile.is_call_name(self.name);
        let more = self.task.clone().or_else(label).unwrap_or_default();
        let more = more.lines().next().unwrap_or_default().trim();
        let text = match more {
            title if is_call => title.to_owned(),
            "" => name.to_owned(),
            more if more.contains(name) => more.to_owned(),
            more => format!("{name} {more}"),
        };
        match text.char_indices().nth(MAX_TEXT) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text,
        }
    }
}

/// The activity of a thread during a wait for it. The parts add up to the duration of the wait.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WaitActivity {
    /// The blockers: the outermost intervals by name and task, longest first.
    pub blockers: Vec<Blocker>,
    /// Nanoseconds in which the thread slept according to the recording.
    pub idle: i64,
    /// Nanoseconds without any information in the recording.
    pub unknown: i64,
    /// The CPU that a runnable thread waited for. The blockers are then the threads that ran on it.
    pub cpu: Option<u32>,
}

impl WaitActivity {
    /// Duration of the wait.
    #[must_use]
    pub fn total(&self) -> i64 {
        let known = self.blockers.iter().map(|blocker| blocker.ns);
        known.chain([self.idle, self.unknown]).fold(0, i64::saturating_add)
    }

    /// The longest blocker, if it explains at least half of the wait.
    #[must_use]
    pub fn main(&self) -> Option<&Blocker> {
        self.blockers.first().filter(|blocker| blocker.ns.saturating_mul(2) >= self.total())
    }
}

/// The names of message loops that occur in a recording.
#[inline]
pub(super) fn loop_names(profile: &Profile) -> Vec<StringId> {
    LOOPS.iter().filter_map(|name| profile.strings.find(name)).collect()
}

/// The activity of a thread during a wait. Nothing is guessed: time without an open interval is idle only if the
/// recording contains the times at which the thread was awake. `None` for a track that is not a thread, or without any
/// information.
#[must_use]
pub fn blocking(index: &Index, thread: ThreadId, wait: TimeRange) -> Option<WaitActivity> {
    let profile = index.profile();
    let stack = index.thread_stack(thread);
    let awake = index.picture.stacks.awake(profile, thread);
    if stack.is_empty() && awake.is_none() {
        return None;
    }
    let (intervals, free) = intervals(profile, thread, &stack, wait);
    let blockers = by_task(profile, thread, &stack, intervals);
    let total: i64 = free.iter().map(|part| part.len()).sum();
    let idle = awake.map_or(0, |awake| total - free.iter().map(|part| common(awake, *part)).sum::<i64>());
    Some(WaitActivity { blockers, idle, unknown: total - idle, cpu: None })
}

/// Outermost intervals with their lengths, and the time without one.
type Intervals = (Vec<(LocalMarker, i64)>, Vec<TimeRange>);

fn intervals(profile: &Profile, thread: ThreadId, stack: &ThreadStack<'_>, wait: TimeRange) -> Intervals {
    let (data, loops) = (profile.thread(thread), loop_names(profile));
    let is_loop = |marker: LocalMarker| loops.contains(&data.markers.name(marker));
    let mut found = Vec::new();
    let free = stack.outermost(wait, is_loop, |marker, length| found.push((marker, length)));
    (found, free)
}

/// Name of the first of the [`blocking`] activity's blockers. In most cases, names and lengths decide it, so no payload is
/// read.
#[must_use]
pub fn main_blocker(index: &Index, thread: ThreadId, wait: TimeRange) -> Option<StringId> {
    let profile = index.profile();
    let stack = index.thread_stack(thread);
    let (intervals, _) = intervals(profile, thread, &stack, wait);
    let name = |marker: LocalMarker| profile.thread(thread).markers.name(marker);
    let (longest, ns) = *intervals.iter().max_by_key(|(_, ns)| *ns)?;
    let others: i64 = intervals.iter().filter(|(marker, _)| name(*marker) != name(longest)).map(|(_, ns)| *ns).sum();
    if others < ns {
        // No group with another name is as long as the group of this interval, whichever tasks the others have.
        return Some(name(longest));
    }
    by_task(profile, thread, &stack, intervals).first().map(|blocker| blocker.name)
}

/// Sums intervals by name, and the longest ones also by task. The task comes from the payload, otherwise, for task
/// runners, from the longest interval inside.
fn by_task(
    profile: &Profile,
    thread: ThreadId,
    stack: &ThreadStack<'_>,
    mut intervals: Vec<(LocalMarker, i64)>,
) -> Vec<Blocker> {
    let data = profile.thread(thread);
    let runners: Vec<StringId> = RUNNERS.iter().filter_map(|name| profile.strings.find(name)).collect();
    let is_runner = |marker: LocalMarker| runners.contains(&data.markers.name(marker));
    let inside = |marker: LocalMarker| {
        let inner = std::iter::successors(Some(marker), |outer| stack.longest_inside(*outer));
        let inner = inner.skip(1).take(MAX_RUNNERS).find(|inner| !is_runner(*inner)).filter(|_| is_runner(marker))?;
        Some(profile.marker_title(thread, inner).into_owned())
    };
    intervals.sort_unstable_by_key(|(marker, ns)| (Reverse(*ns), *marker));
    let mut sums: HashMap<(StringId, Option<String>), Blocker> = HashMap::new();
    for (rank, (marker, ns)) in intervals.into_iter().enumerate() {
        let name = data.markers.name(marker);
        let posted = if rank < NAMED { posted_name(profile, thread, marker) } else { None };
        let task = posted.map(|posted| posted.name).filter(|task| task != profile.strings.get(name));
        let task = task.or_else(|| if rank < NAMED { inside(marker) } else { None });
        let first = || Blocker { name, task: task.clone(), ns: 0, count: 0, longest: data.global(marker) };
        let sum = sums.entry((name, task.clone())).or_insert_with(first);
        (sum.ns, sum.count) = (sum.ns + ns, sum.count + 1);
    }
    let mut blockers: Vec<Blocker> = sums.into_values().collect();
    blockers.sort_unstable_by(|a, b| {
        let key = |of: &Blocker| (Reverse(of.ns), of.longest);
        key(a).cmp(&key(b))
    });
    blockers
}

/// Overlap of a range with sorted ranges, in nanoseconds.
#[inline]
fn common(ranges: &[TimeRange], part: TimeRange) -> i64 {
    let first = ranges.partition_point(|range| range.end <= part.start);
    let inside = ranges[first..].iter().take_while(|range| range.start < part.end);
    inside.map(|range| (range.end.min(part.end) - range.start.max(part.start)).0.max(0)).sum()
}
