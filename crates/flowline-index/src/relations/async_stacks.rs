//! Asynchronous stacks: stacks that continue at the point where the work was scheduled.
//!
//! In V8 traces, the stack of an entry consists of the enclosing calls, up to the `v8::Debugger::AsyncTaskRun` that
//! runs the task. A flow leads from there to the `v8::Debugger::AsyncTaskScheduled` that scheduled the task, and the
//! stack continues with the calls that enclose that event, as in DevTools. In Firefox profiles, the flows of a marker,
//! or of the marker that encloses it, lead to the previous marker in the flow, which may have a stack.
//!
//! Enclosing markers and calls are found by a linear scan, so this is only fast enough for a single selected entry.

use std::cmp::Reverse;

use crate::Index;
use flowline_profile::samples::NONE;
use flowline_profile::stack::{StackFrame, StackTrace};
use flowline_profile::{
    CallRef, FuncId, Implementation, LocalMarker, MarkerFlags, MarkerId, Ns, Profile, StackId, ThreadId, TimeRange,
    Value,
};

/// Maximum number of parts of a stack.
const MAX_PARTS: usize = 32;

const RUN: &str = "v8::Debugger::AsyncTaskRun";
const SCHEDULED: &str = "v8::Debugger::AsyncTaskScheduled";

/// An entry whose stack can be requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StackTarget {
    /// A marker.
    Marker(MarkerId),
    /// A call. Its stack includes the call itself.
    Call(CallRef),
}

/// An entry that encloses a time range.
#[derive(Clone, Copy)]
enum Around {
    Marker(LocalMarker),
    Call(StackId),
}

impl Index {
    /// The stack of a marker or call: the enclosing calls, innermost first, followed by a titled part for each
    /// asynchronous step that led to it. The first part is empty if no calls enclose the entry. A marker's own stack is
    /// not included.
    #[must_use]
    pub fn async_stack(&self, of: StackTarget) -> Vec<StackTrace> {
        let profile = self.profile();
        match of {
            StackTarget::Call(CallRef { thread, call, functions: Implementation::All }) => {
                let calls = profile.samples(thread).and_then(|samples| samples.calls.as_ref());
                let Some(calls) = calls.filter(|calls| (call as usize) < calls.len()) else { return Vec::new() };
                let at = call as usize;
                let times = TimeRange { start: calls.start[at], end: calls.end[at] };
                let frames = frame(profile, profile.stacks.func(calls.stack[at])).into_iter().collect();
                self.calls_around(thread, times, StackTrace { frames, ..StackTrace::default() }, Some(call))
            }
            // Calls in other charts are derived from samples, which have no asynchronous parents.
            StackTarget::Call(_) => Vec::new(),
            StackTarget::Marker(marker) => {
                let Some((thread, local)) = profile.locate(marker) else { return Vec::new() };
                let has_calls = profile.samples(thread).is_some_and(|samples| samples.calls.is_some());
                // An instant has no duration but can still have enclosing calls.
                if has_calls {
                    return self.calls_around(thread, times(profile, thread, local), StackTrace::default(), None);
                }
                let mut parts = vec![StackTrace::default()];
                self.add_flow_parents(marker, &mut parts);
                parts
            }
        }
    }

    /// Calls that enclose a time range, and calls that enclose the events that scheduled them. The first part starts
    /// with `own`; the call of `own` is not counted as an enclosing call.
    fn calls_around(
        &self,
        thread: ThreadId,
        within: TimeRange,
        own: StackTrace,
        mut call: Option<u32>,
    ) -> Vec<StackTrace> {
        let profile = self.profile();
        let mut parts = vec![own];
        let mut at = Some((thread, within));
        while let Some((thread, within)) = at.take().filter(|_| parts.len() <= MAX_PARTS) {
            for around in around(profile, thread, within, call.take()) {
                match around {
                    Around::Call(stack) => {
                        let frame = frame(profile, profile.stacks.func(stack));
                        parts.last_mut().into_iter().for_each(|part| part.frames.extend(frame.clone()));
                    }
                    Around::Marker(marker) => {
                        let scheduled = self.scheduled(profile.thread(thread).first_marker, marker);
                        let Some((thread, local)) = scheduled.and_then(|marker| profile.locate(marker)) else {
                            continue;
                        };
                        let payload = profile.payload(thread, local);
                        let title = payload.get("taskName").and_then(Value::as_str).unwrap_or("Asynchronous task");
                        parts.push(StackTrace { title: title.to_owned(), ..StackTrace::default() });
                        at = Some((thread, times(profile, thread, local)));
                        break;
                    }
                }
            }
        }
        parts
    }

    /// The event that scheduled the task that a marker runs, if it runs one.
    fn scheduled(&self, first: MarkerId, marker: LocalMarker) -> Option<MarkerId> {
        let (profile, flows) = (self.profile(), self.flows());
        let mut run = MarkerId(first.0.saturating_add(marker.0));
        if name(profile, run) != RUN {
            return None;
        }
        // A recurring task is scheduled once; each later run follows the previous run.
        loop {
            let before = |flow: &flowline_profile::FlowId| {
                let members = flows.members(*flow);
                let place = members.iter().position(|member| *member == run)?;
                members[..place].iter().rev().copied().find(|member| matches!(name(profile, *member), RUN | SCHEDULED))
            };
            let before = flows.flows_of(run).iter().filter_map(before).max()?;
            if name(profile, before) == SCHEDULED {
                return Some(before);
            }
            if start(profile, before) >= start(profile, run) {
                return None;
            }
            run = before;
        }
    }

    /// Adds the markers that precede a marker in its flows, each with its stack.
    fn add_flow_parents(&self, marker: MarkerId, parts: &mut Vec<StackTrace>) {
        let (profile, flows) = (self.profile(), self.flows());
        let mut at = Some(marker);
        while let Some(marker) = at.filter(|_| parts.len() <= MAX_PARTS) {
            let before = |flow: &flowline_profile::FlowId| {
                let members = flows.members(*flow);
                let place = members.iter().position(|member| *member == marker)?;
                let before = *members.get(place.checked_sub(1)?)?;
                (start(profile, before) < start(profile, marker)).then_some(before)
            };
            let latest = flows.flows_of(marker).iter().filter_map(before).max_by_key(|before| start(profile, *before));
            let Some(before) = latest else {
                // The enclosing marker may have been scheduled.
                at = flows.parent(marker).filter(|parent| *parent != marker && parts.len() < MAX_PARTS);
                continue;
            };
            let Some((thread, local)) = profile.locate(before) else { break };
            let label = profile.marker_label(flowline_profile::text::LabelKind::Chart, thread, local, profile.clock());
            let title = format!("{label}, on {}", profile.long_name(thread));
            let own = profile.marker_stack(thread, local).unwrap_or_default();
            parts.push(StackTrace { title, ..own });
            at = Some(before);
        }
    }
}

fn name(profile: &Profile, marker: MarkerId) -> &str {
    profile.locate(marker).map_or("", |(thread, local)| profile.marker_name(thread, local))
}

fn start(profile: &Profile, marker: MarkerId) -> Ns {
    profile.locate(marker).map_or(Ns(i64::MAX), |(thread, local)| times(profile, thread, local).start)
}

fn times(profile: &Profile, thread: ThreadId, marker: LocalMarker) -> TimeRange {
    let markers = &profile.thread(thread).markers;
    markers.range(marker)
}

/// A function as a frame; `None` for functions without a script, which V8 calls itself.
fn frame(profile: &Profile, func: FuncId) -> Option<StackFrame> {
    let own = &profile.stacks.funcs[func.index()];
    let is_known = !profile.stacks.file(func).is_empty() || own.line != NONE || own.column != NONE;
    is_known.then(|| StackFrame { name: profile.func_name(func).to_owned(), place: profile.func_location(func) })
}

/// Markers and calls of a thread that contain a range, innermost first. If extents are equal, calls enclose markers.
/// `own` is the number of the call that has this range; that call and everything inside it are excluded.
fn around(profile: &Profile, thread: ThreadId, range: TimeRange, own: Option<u32>) -> Vec<Around> {
    let owner = profile.thread(thread);
    let markers = &owner.markers;
    let mut found: Vec<(Ns, Reverse<Ns>, bool, u32, Around)> = Vec::new();
    let contains = |start: Ns, end: Ns| start <= range.start && end >= range.end && end > start;
    let is_same = |start: Ns, end: Ns| (start, end) == (range.start, range.end);
    let times = markers.times();
    let begun = times.partition_point(|start| start <= range.start);
    let ranges = (0..begun).map(|at| (LocalMarker::new(at), times.range(at)));
    for (marker, TimeRange { start, end }) in ranges.filter(|(_, own)| own.end >= range.end) {
        let flags = markers.flags(marker);
        let lasts = flags.has(MarkerFlags::STACK_BASED) && !flags.has(MarkerFlags::INCOMPLETE);
        let is_inside = own.is_some() && is_same(start, end);
        if lasts && contains(start, end) && !is_inside {
            found.push((start, Reverse(end), true, marker.0, Around::Marker(marker)));
        }
    }
    if let Some(calls) = owner.samples.as_ref().and_then(|samples| samples.calls.as_ref()) {
        let begun = calls.start.partition_point(|start| *start <= range.start);
        for (at, end) in calls.end[..begun].iter().enumerate().filter(|(_, end)| **end >= range.end) {
            let number = u32::try_from(at).unwrap_or(NONE);
            // If calls have equal extents, the later one is inside.
            let is_inside = own.is_some_and(|own| number >= own) && is_same(calls.start[at], *end);
            if contains(calls.start[at], *end) && !is_inside {
                found.push((calls.start[at], Reverse(*end), false, number, Around::Call(calls.stack[at])));
            }
        }
    }
    found.sort_by_key(|(start, end, is_marker, number, _)| Reverse((*start, *end, *is_marker, *number)));
    found.into_iter().map(|(.., around)| around).collect()
}
