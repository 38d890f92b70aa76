//! The calls of a thread, from its samples and its events, by the rules of DevTools.
//!
//! Samples and slices are processed in time order. While a slice lasts, the calls that were open when it began stay
//! open; calls that began in it end with it. Samples only count where scripts run: in slices that call into V8
//! ("invocations"), or where no slice indicates otherwise. Events may also name the stack at their start (`trace_ids`).

use std::cmp::Reverse;

use super::sample_trace_ids::SampleTraceIds;
use crate::trace_events::text::ids::{NONE, TextId};
use crate::trace_events::text::trace::TraceStrings;
use crate::trace_events::tracks::slice::Slice;
use crate::v8::{CallList, CpuProfile, NodeKind, Tree};
use flowline_profile::samples::CallTable;
use flowline_profile::{MarkerFlags, Ns, WarningKind, Warnings};

/// Maximum stack depth. V8 records at most 255 frames, so only damaged stacks are deeper.
const MAX_DEPTH: u32 = 1024;

/// Roles of slice names for calls, by number of the name.
#[derive(Debug, Default)]
pub(in crate::trace_events) struct NameRoles(Vec<u8>);

/// Role of slices that end all calls at their start.
const OUTERMOST: u8 = 1;
/// Role of slices that call into V8.
const INVOCATION: u8 = 2;

impl NameRoles {
    pub(in crate::trace_events) fn new(texts: &TraceStrings) -> Self {
        let role = |number: usize| match texts.get(u32::try_from(number).unwrap_or(NONE)) {
            "RunTask" => OUTERMOST,
            "RunMicrotasks" => OUTERMOST | INVOCATION,
            "FunctionCall" | "EvaluateScript" | "EventDispatch" => INVOCATION,
            name if name.starts_with("v8") || name.starts_with("V8") => INVOCATION,
            _ => 0,
        };
        Self((0..texts.len()).map(role).collect())
    }

    fn has(&self, name: TextId, role: u8) -> bool {
        self.0.get(name as usize).is_some_and(|roles| roles & role != 0)
    }
}

/// Builds the calls of a thread. `slices` are sorted by [`Slice::order`]; `ids` are the stack ids that the events name.
pub(in crate::trace_events) fn build(
    roles: &NameRoles,
    slices: &[Slice],
    ids: &SampleTraceIds,
    profile: &CpuProfile,
    warnings: &mut Warnings,
) -> CallTable {
    // The end of an incomplete slice is unknown.
    let end = |slice: &Slice| if slice.flags().has(MarkerFlags::INCOMPLETE) { slice.start } else { slice.end };
    let mut known = ids.reader();
    let mut takes_part = |slice: &Slice| !slice.is_instant() || known.get(slice.offset()).is_some();
    let numbers = (0_u32..).zip(slices).filter(|(_, slice)| takes_part(slice));
    let mut order: Vec<u32> = numbers.map(|(number, _)| number).collect();
    let key = |number: &u32| {
        let slice = &slices[*number as usize];
        (slice.start, Reverse(end(slice)))
    };
    if !order.is_sorted_by_key(key) {
        order.sort_by_key(key);
    }
    let mut walk = Walk::new(&profile.tree, order.len().min(ids.len()) + profile.time.len());
    let mut stacks = SampleStacks { tree: &profile.tree, before: None };
    let (mut sample, mut ids) = (0, ids.reader());
    for slice in order.iter().map(|number| &slices[*number as usize]) {
        let end = end(slice);
        // At equal times, slices with a duration precede samples, and samples precede slices without one.
        while let Some(&time) = profile.time.get(sample)
            && (time < slice.start || (time == slice.start && end == time))
        {
            walk.sample(time, stacks.of(profile.node[sample]), sample, roles);
            sample += 1;
        }
        let id = ids.get(slice.offset());
        let node = id.and_then(|id| profile.trace_ids.get(&id)).and_then(|node| stacks.known(*node));
        walk.begin(&Event { name: slice.name, start: slice.start, end, has_id: id.is_some() }, node, roles);
    }
    for (at, time) in profile.time.iter().enumerate().skip(sample) {
        walk.sample(*time, stacks.of(profile.node[at]), at, roles);
    }
    let list = walk.finish();
    warnings.add_many(WarningKind::CpuSamples, list.omitted, || "calls beyond the limit".into());
    list.finish()
}

/// Maps the nodes of samples to stacks.
struct SampleStacks<'a> {
    tree: &'a Tree,
    /// The last node other than the garbage collector.
    before: Option<u32>,
}

impl SampleStacks<'_> {
    /// Returns the stack of a sample; for the garbage collector, the stack of the previous sample. `None` if it is
    /// unknown.
    fn of(&mut self, node: u32) -> Option<u32> {
        let node = self.known(node)?;
        if self.tree.kind[node as usize] == NodeKind::Garbage {
            return self.before.or(Some(node));
        }
        self.before = Some(node);
        Some(node)
    }

    fn known(&self, node: u32) -> Option<u32> {
        self.tree.kind.get(node as usize).filter(|kind| **kind != NodeKind::Lost).map(|_| node)
    }
}

/// A slice, or an instant with a stack id.
#[derive(Clone, Copy, Debug)]
struct Event {
    name: TextId,
    start: Ns,
    end: Ns,
    has_id: bool,
}

/// An open call.
#[derive(Clone, Copy, Debug)]
struct Open {
    call: usize,
    /// The last node that continued the call.
    node: u32,
}

struct Walk<'a> {
    tree: &'a Tree,
    /// For each node, the nearest visible node at or above it; [`NONE`] if there is none.
    shown: Vec<u32>,
    /// Number of visible frames at and above each visible node.
    level: Vec<u32>,
    events: Vec<Event>,
    /// Open calls, outermost first.
    open: Vec<Open>,
    /// Number of open calls at the start of each open event. These calls cannot end before the event does.
    locked: Vec<usize>,
    /// True if scripts run although no event indicates it.
    assumed: bool,
    list: CallList,
    /// Time at which calls last closed.
    now: Ns,
    /// Nodes to open, innermost first.
    path: Vec<u32>,
}

impl<'a> Walk<'a> {
    fn new(tree: &'a Tree, entries: usize) -> Self {
        let (shown, level) = shown_frames(tree);
        let list = CallList::new(entries);
        let (events, open, locked, path) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { tree, shown, level, events, open, locked, assumed: false, list, now: Ns(i64::MIN), path }
    }

    fn begin(&mut self, event: &Event, node: Option<u32>, roles: &NameRoles) {
        let time = event.start;
        self.end_events(time);
        if roles.has(event.name, OUTERMOST) {
            self.locked.clear();
            self.close(0, time);
            self.assumed = false;
        }
        if std::mem::replace(&mut self.assumed, false) {
            let depth = self.locked.pop().unwrap_or(0);
            self.close(depth, time);
        }
        match node {
            Some(node) => self.take(node, time, NONE),
            None => self.now = time,
        }
        if event.has_id && !self.is_in_invocation(roles) {
            self.assumed = true;
        }
        self.locked.push(self.open.len());
        self.events.push(*event);
    }

    fn sample(&mut self, time: Ns, node: Option<u32>, sample: usize, roles: &NameRoles) {
        let Some(node) = node else { return };
        self.end_events(time);
        let sample = u32::try_from(sample).unwrap_or(NONE);
        if self.assumed || self.is_in_invocation(roles) {
            self.take(node, time, sample);
        } else if self.open.is_empty() {
            self.assumed = true;
            self.take(node, time, sample);
            self.locked.push(0);
        }
    }

    fn is_in_invocation(&self, roles: &NameRoles) -> bool {
        self.events.last().is_some_and(|event| roles.has(event.name, INVOCATION))
    }

    /// Ends the events that end at or before a time, innermost first.
    fn end_events(&mut self, time: Ns) {
        while let Some(event) = self.events.pop_if(|event| event.end <= time) {
            let depth = self.locked.pop().unwrap_or(0);
            self.close(depth, event.end);
        }
    }

    /// Ends the unlocked calls beyond a depth.
    fn close(&mut self, depth: usize, time: Ns) {
        self.now = time;
        let depth = depth.max(self.locked.last().copied().unwrap_or(0)).min(self.open.len());
        for Open { call, .. } in self.open.drain(depth..) {
            self.list.close(call, time);
        }
    }

    /// Replaces the open calls with the stack of a node, from the locked depth on. Equal frames continue.
    fn take(&mut self, node: u32, time: Ns, sample: u32) {
        if self.list.is_exhausted() {
            return self.close(0, time);
        }
        let (tree, locked) = (self.tree, self.locked.last().copied().unwrap_or(0));
        let mut above = self.shown[node as usize];
        let mut depth = self.level.get(above as usize).map_or(0, |level| *level as usize);
        // All calls that the same node continued are equal from the locked depth on, so most frames need no comparison.
        while depth > locked && self.open.get(depth - 1).is_none_or(|open| open.node != above) {
            self.path.push(above);
            above = self.shown[tree.parent[above as usize] as usize];
            depth -= 1;
        }
        let mut kept = if depth > locked { depth } else { locked.min(self.open.len()) };
        while let Some(&next) = self.path.last()
            && let Some(open) = self.open.get_mut(kept)
            && tree.label[open.node as usize] == tree.label[next as usize]
        {
            open.node = next;
            self.path.pop();
            kept += 1;
        }
        self.close(kept, time);
        if !self.path.is_empty() {
            let stacks = self.path.iter().rev().map(|node| tree.stack[*node as usize]);
            let first = self.list.open(time, stacks, self.open.len(), sample);
            self.open.extend(self.path.drain(..).rev().zip(first..).map(|(node, call)| Open { call, node }));
        }
    }

    fn finish(mut self) -> CallList {
        self.end_events(Ns(i64::MAX));
        let now = self.now;
        for Open { call, .. } in std::mem::take(&mut self.open) {
            self.list.close(call, now);
        }
        self.list
    }
}

/// Returns, for each node, the nearest visible node at or above it, and the number of visible frames up to there.
fn shown_frames(tree: &Tree) -> (Vec<u32>, Vec<u32>) {
    let count = tree.kind.len();
    let (mut shown, mut level) = (vec![NONE; count], vec![0; count]);
    // Parents come first, because the number of a stack is greater than its caller's.
    let mut order: Vec<u32> = (0..).take(count).filter(|node| tree.stack[*node as usize] != NONE).collect();
    order.sort_unstable_by_key(|node| tree.stack[*node as usize]);
    for at in order {
        let node = at as usize;
        let above = shown[tree.parent[node] as usize];
        let depth = level.get(above as usize).copied().unwrap_or(0);
        if tree.kind[node] == NodeKind::Function && depth < MAX_DEPTH {
            shown[node] = at;
            level[node] = depth + 1;
        } else {
            shown[node] = above;
        }
    }
    (shown, level)
}
