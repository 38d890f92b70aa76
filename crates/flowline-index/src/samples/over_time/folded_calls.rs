//! Calls derived from samples that share a stack with the markers of their thread.
//!
//! Consecutive native functions are one call, and those around the outermost script function are left out. A sample says
//! little about the time until the next one, so a call that overlaps a marker only partly is fitted to it: it begins with
//! a marker that begins shortly before its first sample, ends with one that ends shortly after its last sample, and is cut
//! at other ends. A native call without callees is cut at every end, since markers are never inside it.

use foldhash::{HashMap, HashMapExt};

use crate::rows::stacked_attributes;
use crate::samples::trees::FunctionFilter;
use flowline_profile::samples::{CallTable, FuncFlags, NONE};
use flowline_profile::{
    Implementation, LocalMarker, Ns, Profile, SampleTable, StackId, StackTables, ThreadId, TimeRange,
};

/// Number of consecutive folded functions at the end of a stack; 0 if its innermost function is shown.
#[must_use]
pub fn folded_frames(tables: &StackTables, stack: StackId) -> usize {
    tables.walk(stack).take_while(|stack| is_folded(tables, *stack)).count()
}

/// True if the innermost function of a stack is folded into one call with its neighbors.
fn is_folded(tables: &StackTables, stack: StackId) -> bool {
    let flags = tables.funcs[tables.func(stack).index()].flags;
    !flags.has(FuncFlags::IS_JS) && !flags.has(FuncFlags::RELEVANT_FOR_JS)
}

/// A path of shown functions and folded ones.
struct Node {
    parent: u32,
    depth: u32,
    is_folded: bool,
}

/// The nodes of the stacks of samples.
struct Nodes<'a> {
    tables: &'a StackTables,
    shown: FunctionFilter,
    nodes: Vec<Node>,
    known: HashMap<(u32, u32), u32>,
    /// Node of each stack, once it is known.
    of_stack: HashMap<StackId, u32>,
}

impl<'a> Nodes<'a> {
    fn new(tables: &'a StackTables) -> Self {
        let shown = FunctionFilter::new(tables, Implementation::Js);
        Self { tables, shown, nodes: Vec::new(), known: HashMap::new(), of_stack: HashMap::new() }
    }

    fn node(&mut self, parent: u32, key: u32) -> u32 {
        let depth = self.nodes.get(parent as usize).map_or(0, |parent| parent.depth + 1);
        *self.known.entry((parent, key)).or_insert_with(|| {
            self.nodes.push(Node { parent, depth, is_folded: key == NONE });
            u32::try_from(self.nodes.len() - 1).unwrap_or(NONE)
        })
    }

    fn is_outermost_fold(&self, node: u32) -> bool {
        self.nodes.get(node as usize).is_some_and(|node| node.is_folded && node.parent == NONE)
    }

    /// The node of a stack.
    fn of(&mut self, stack: StackId) -> u32 {
        let mut unknown: Vec<StackId> = Vec::new();
        let mut node = NONE;
        for stack in self.tables.walk(stack) {
            if let Some(known) = self.of_stack.get(&stack) {
                node = *known;
                break;
            }
            unknown.push(stack);
        }
        for stack in unknown.into_iter().rev() {
            let func = self.tables.func(stack).0;
            let is_shown = self.shown.has(func);
            node = match self.nodes.get(node as usize) {
                Some(parent) if !is_shown && parent.is_folded => node,
                _ if !is_shown => self.node(node, NONE),
                _ if self.is_outermost_fold(node) => self.node(NONE, func),
                _ => self.node(node, func),
            };
            self.of_stack.insert(stack, node);
        }
        node
    }
}

/// A call before it is fitted to markers.
struct Sampled {
    start: Ns,
    end: Ns,
    /// Time of the sample before the first one, and of the last one with the call.
    before: Ns,
    last: Ns,
    node: u32,
    stack: StackId,
    sample: u32,
    has_callees: bool,
}

/// The calls of samples without those of idle threads.
fn sampled(profile: &Profile, samples: &SampleTable, nodes: &mut Nodes<'_>) -> Vec<Sampled> {
    let tables = &profile.stacks;
    let is_idle = |stack: StackId| profile.category_name(tables.category_of(stack)) == "Idle";
    let mut calls: Vec<Sampled> = Vec::new();
    // Open calls by depth.
    let mut open: Vec<usize> = Vec::new();
    let mut path: Vec<(u32, StackId)> = Vec::new();
    let mut before = Ns(i64::MIN);
    for (sample, &time) in samples.time.iter().enumerate() {
        path.clear();
        if let Some(stack) = samples.stack(sample).filter(|stack| !is_idle(*stack)) {
            let mut node = nodes.of(stack);
            // Of several stacks with the same node, the innermost one contains all of its functions.
            for stack in tables.walk(stack) {
                if node == NONE {
                    break;
                }
                if nodes.of(stack) == node {
                    path.push((node, stack));
                    node = nodes.nodes[node as usize].parent;
                }
            }
            path.reverse();
        }
        let kept = open.iter().zip(&path).take_while(|(call, (node, _))| calls[**call].node == *node).count();
        for call in open.drain(kept..) {
            calls[call].end = time;
        }
        for (call, (_, stack)) in open.iter().zip(&path) {
            let call = &mut calls[*call];
            call.last = time;
            if folded_frames(tables, *stack) > folded_frames(tables, call.stack) {
                call.stack = *stack;
            }
        }
        for &(node, stack) in &path[kept.min(path.len())..] {
            if let Some(caller) = open.last() {
                calls[*caller].has_callees = true;
            }
            open.push(calls.len());
            let sample = u32::try_from(sample).unwrap_or(NONE);
            calls.push(Sampled { start: time, end: time, before, last: time, node, stack, sample, has_callees: false });
        }
        before = time;
    }
    let end = samples.time.last().map_or(Ns(0), |last| *last + profile.last_sample_length(samples));
    open.into_iter().for_each(|call| calls[call].end = end);
    calls
}

/// The markers that calls are fitted to, by start, longer ones first.
fn stacked_markers(profile: &Profile, thread: ThreadId) -> Vec<TimeRange> {
    let thread = profile.thread(thread);
    let (markers, attributes) = (&thread.markers, thread.markers.attributes());
    let nests = stacked_attributes(profile, thread);
    let nesting = (0..markers.len()).filter(|marker| nests[attributes.number(*marker)]);
    let mut ranges: Vec<TimeRange> = nesting.map(|marker| markers.range(LocalMarker::new(marker))).collect();
    ranges.retain(|range| !range.is_empty());
    ranges.sort_by_key(|range| (range.start, std::cmp::Reverse(range.end)));
    ranges
}

/// Fits calls to markers.
struct Fitting<'a> {
    markers: &'a [TimeRange],
    times: &'a [Ns],
    /// Number of markers that begin at or before the current call, and those of them that may still be open.
    begun: usize,
    open: Vec<TimeRange>,
}

impl Fitting<'_> {
    /// Moves the ends of a call and returns the times at which it is cut. Calls come in start order.
    fn fit(&mut self, call: &mut Sampled, is_folded: bool) -> Vec<Ns> {
        let start = call.start;
        while let Some(marker) = self.markers.get(self.begun).filter(|marker| marker.start <= start) {
            self.open.push(*marker);
            self.begun += 1;
        }
        self.open.retain(|marker| marker.end > start);
        let (mut cuts, is_leaf) = (Vec::new(), is_folded && !call.has_callees);
        let ends_inside = |marker: &&TimeRange, end: Ns| marker.end < end;
        // Markers that the call may have caused begin between the last sample without it and the first one with it. An
        // outermost marker is rather the task that made the call.
        let is_inside =
            |marker: &TimeRange| self.open.iter().any(|outer| outer.start < marker.start && marker.end <= outer.end);
        let caused = self
            .open
            .iter()
            .filter(|marker| ends_inside(marker, call.end) && marker.start > call.before && is_inside(marker));
        if let Some(first) = caused.map(|marker| marker.start).min().filter(|_| !is_leaf) {
            call.start = first;
        }
        for marker in self.open.iter().filter(|marker| marker.start < call.start || is_leaf) {
            if marker.end < call.end {
                if call.last < marker.end { call.end = marker.end } else { cuts.push(marker.end) }
            }
        }
        let inside = self.markers[self.begun..].iter().take_while(|marker| marker.start < call.end);
        for marker in inside {
            if is_leaf {
                cuts.extend([marker.start, marker.end]);
            } else if marker.end > call.end {
                if call.last < marker.start {
                    call.end = marker.start;
                    break;
                }
                cuts.push(marker.start);
            }
        }
        cuts.retain(|cut| *cut > call.start && *cut < call.end);
        cuts.sort_unstable();
        cuts.dedup();
        cuts
    }

    /// True if a sample was taken in a part of a call.
    fn is_sampled(&self, start: Ns, end: Ns) -> bool {
        let first = self.times.partition_point(|time| *time < start);
        self.times.get(first).is_some_and(|time| *time < end)
    }
}

/// The calls of a thread's samples, fitted to the markers that nest.
pub(super) fn folded_calls(profile: &Profile, thread: ThreadId) -> CallTable {
    let Some(samples) = profile.samples(thread) else { return CallTable::default() };
    let mut nodes = Nodes::new(&profile.stacks);
    let calls = sampled(profile, &samples.cpu, &mut nodes);
    let markers = stacked_markers(profile, thread);
    let mut fitting = Fitting { markers: &markers, times: &samples.cpu.time, begun: 0, open: Vec::new() };
    // Start, end, depth, stack, sample.
    let mut pieces: Vec<(Ns, Ns, u32, StackId, u32)> = Vec::with_capacity(calls.len());
    for mut call in calls {
        let node = &nodes.nodes[call.node as usize];
        let (is_folded, depth) = (node.is_folded, node.depth);
        let cuts = fitting.fit(&mut call, is_folded);
        let mut start = call.start;
        for end in cuts.into_iter().chain([call.end]) {
            let is_kept = !is_folded || call.has_callees || fitting.is_sampled(start, end);
            if end > start && is_kept {
                pieces.push((start, end, depth, call.stack, call.sample));
            }
            start = end;
        }
    }
    pieces.sort_by_key(|(start, end, depth, ..)| (*start, std::cmp::Reverse(*end), *depth));
    let mut table = CallTable::default();
    pieces.into_iter().for_each(|(start, end, depth, stack, sample)| table.push([start, end], stack, depth, sample));
    table.shrink_to_fit();
    table
}
