//! The name of a long task: the function of the page with the longest total time among the outermost ones in the task,
//! `afterLoad, app.js:30`.
//!
//! Chrome states calls as slices, and calls are also made from its samples; in profiles of Firefox, samples tell. Without a
//! function of the page, the longest of the outermost slices inside names the task.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::slices::HarmfulSlice;
use crate::page_script::{page_scripts, scripts};
use flowline_index::samples::{SampleKind, SampleSelection};
use flowline_profile::samples::{CallTable, FuncFlags};
use flowline_profile::{FuncId, LocalMarker, MarkerFlags, Ns, Profile, ThreadId, TimeRange};

/// At most this many markers, calls and samples of a task are read.
const MAX_READ: usize = 1_000_000;
/// At most this many calls of a task are read for their functions.
const MAX_CALLS: usize = 20_000;
/// Events that state the function or script that they run.
const STATED: [&str; 2] = ["FunctionCall", "EvaluateScript"];

/// Slices that only run tasks, whose contents are more informative.
const RUNNERS: [&str; 5] = [
    "RunTask",
    "ThreadControllerImpl::RunTask",
    "ThreadControllerImpl::DoWork",
    "ThreadPool_RunTask",
    "TaskGraphRunner::RunTask",
];

/// A candidate for the name of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Work {
    /// A slice that states its function.
    Slice(LocalMarker),
    /// A call that samples tell.
    Call(FuncId),
}

/// The name of a task; `None` if nothing is known about what ran inside.
pub(super) fn task_name(profile: &Profile, task: HarmfulSlice) -> Option<String> {
    let (id, local) = profile.locate(task.marker)?;
    let name = if profile.source.holds_events() {
        longest(calls_in(profile, id, task.times), |work| title(profile, id, work))
    } else {
        sampled(profile, id, task.times)
    };
    name.or_else(|| longest_slice(profile, id, local, task.times))
}

/// The function of the page with most samples in a range, by the outermost function of each; without one, a function of
/// another script.
fn sampled(profile: &Profile, id: ThreadId, range: TimeRange) -> Option<String> {
    let mut counts: [BTreeMap<FuncId, usize>; 2] = Default::default();
    let threads = [id];
    let selection = SampleSelection { profile, threads: &threads, kind: SampleKind::Cpu, range: Some(range) };
    selection.each(|_, stack, _| {
        let outermost = [page_scripts(profile, stack).last(), scripts(profile, stack).last()];
        for (counts, func) in counts.iter_mut().zip(outermost) {
            func.into_iter().for_each(|func| *counts.entry(func).or_default() += 1);
        }
    });
    let most = |counts: &BTreeMap<FuncId, usize>| counts.iter().map(|(func, count)| (*count, Reverse(*func))).max();
    let (_, Reverse(func)) = counts.iter().find_map(most)?;
    Some(profile.func_title(func))
}

/// The slices and calls in a range that name a function of the page.
fn calls_in(profile: &Profile, id: ThreadId, range: TimeRange) -> Vec<(TimeRange, Work)> {
    let thread = profile.thread(id);
    let names: Vec<_> = STATED.iter().filter_map(|name| profile.strings.find(name)).collect();
    let mut found: Vec<(TimeRange, Work)> = Vec::new();
    for marker in markers_in(profile, id, range).filter(|marker| names.contains(&thread.markers.name(*marker))) {
        found.push((thread.markers.range(marker), Work::Slice(marker)));
    }
    if let Some(calls) = thread.samples.as_ref().and_then(|samples| samples.calls.as_ref()) {
        found.extend(sampled_calls(profile, calls, range));
    }
    // Of equal extents, the slice states more than the call inside it.
    found.sort_by_key(|(own, work)| (own.start, Reverse(own.end), *work));
    found
}

/// The calls of functions with a script in a range.
fn sampled_calls<'a>(
    profile: &'a Profile,
    calls: &'a CallTable,
    range: TimeRange,
) -> impl Iterator<Item = (TimeRange, Work)> + use<'a> {
    let first = calls.start.partition_point(|start| *start < range.start);
    let end = calls.start.partition_point(|start| *start < range.end).max(first);
    (first..end).take(MAX_READ).filter_map(move |call| {
        let func = profile.stacks.func(calls.stack[call]);
        let is_event = profile.stacks.funcs[func.index()].flags.has(FuncFlags::IS_EVENT);
        let is_named = !is_event && !profile.stacks.file(func).is_empty();
        let times = TimeRange { start: calls.start[call], end: calls.end[call].min(range.end) };
        (is_named && !times.is_empty()).then_some((times, Work::Call(func)))
    })
}

/// The title with the longest time, counting what no other titled work surrounds. `found` is ordered by start, longer ones
/// first.
fn longest(found: Vec<(TimeRange, Work)>, title: impl Fn(Work) -> Option<String>) -> Option<String> {
    let mut sums: BTreeMap<String, i64> = BTreeMap::new();
    let (mut until, mut read) = (Ns(i64::MIN), 0);
    for (times, work) in found {
        if times.start < until || read >= MAX_CALLS {
            continue;
        }
        read += 1;
        let Some(title) = title(work) else { continue };
        until = times.end;
        let sum = sums.entry(title).or_default();
        *sum = sum.saturating_add(times.len());
    }
    let (title, _) = sums.into_iter().max_by(|one, other| one.1.cmp(&other.1).then_with(|| other.0.cmp(&one.0)))?;
    Some(title)
}

fn title(profile: &Profile, id: ThreadId, work: Work) -> Option<String> {
    match work {
        Work::Slice(marker) => profile.call_title(id, marker),
        Work::Call(func) => Some(profile.func_title(func)),
    }
}

/// The longest of the slices in a task that no other slice inside contains.
fn longest_slice(profile: &Profile, id: ThreadId, task: LocalMarker, range: TimeRange) -> Option<String> {
    let thread = profile.thread(id);
    let nests = |marker: &LocalMarker| {
        let (flags, name) = (thread.markers.flags(*marker), thread.markers.name(*marker));
        let is_slice = flags.has(MarkerFlags::STACK_BASED) && !RUNNERS.contains(&profile.strings.get(name));
        is_slice && *marker != task && !profile.is_waiting_state(thread, name)
    };
    let inside = markers_in(profile, id, range).filter(nests);
    let slices = inside.map(|marker| (thread.markers.range(marker), Work::Slice(marker)));
    let mut slices: Vec<(TimeRange, Work)> = slices.filter(|(own, _)| *own != range).collect();
    slices.sort_by_key(|(own, work)| (own.start, Reverse(own.end), *work));
    longest(slices, |work| match work {
        Work::Slice(marker) => Some(profile.marker_title(id, marker).into_owned()),
        Work::Call(_) => None,
    })
}

/// The markers with a length that begin and end in a range.
fn markers_in(profile: &Profile, id: ThreadId, range: TimeRange) -> impl Iterator<Item = LocalMarker> + use<'_> {
    let thread = profile.thread(id);
    let times = thread.markers.times();
    let first = times.partition_point(|start| start < range.start);
    let end = times.partition_point(|start| start < range.end).max(first);
    let markers = (first..end).take(MAX_READ).filter(move |marker| {
        let own = times.range(*marker);
        !own.is_empty() && own.end <= range.end
    });
    markers.map(LocalMarker::new)
}
