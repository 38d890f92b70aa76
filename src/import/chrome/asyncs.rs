//! Async slices: nestable ones (`b`, `e`, `n`), keyed by category, scope and id and nested by name; and legacy ones (`S`, `T`,
//! `p`, `F`), keyed by name and id. What lacks its end is still running: it lasts until the recording's last timestamp.
//!
//! The slices of a key are one operation as long as any of them is open; the next begin after that begins another operation,
//! because programs use ids again. The slices of an operation are a group and stay together on their rows.

use std::hash::BuildHasher;

use foldhash::HashMap;
use foldhash::fast::FixedState;
use rayon::prelude::*;

use super::async_steps::{FlowEventKeys, StepCandidate};
use super::event::Event;
use super::event_links::EventLinks;
use super::ids::{Id, IdKind, NONE, TextId};
use super::slice::Slice;
use super::slices::count_overlaps;
use super::trace::Trace;
use crate::profile::{MarkerFlags, Ns, WarningKind, Warnings};

/// The slices of one operation, sorted by [`Slice::order`].
#[derive(Debug)]
pub(super) struct AsyncGroup {
    /// Process of its earliest event.
    pub(super) pid: TextId,
    pub(super) id: Id,
    pub(super) slices: Vec<Slice>,
}

/// What the events of a group have in common.
#[derive(Clone, Copy)]
struct AsyncKey {
    /// Legacy and nestable events never share a group.
    legacy: bool,
    /// Category of nestable, name of legacy events.
    text: TextId,
    scope: TextId,
    /// Process of a local id.
    pid: TextId,
    id: Id,
}

const fn is_legacy(phase: u8) -> bool {
    matches!(phase, b'S' | b'T' | b'p' | b'F')
}

impl AsyncKey {
    fn new(trace: &Trace, event: &Event) -> Self {
        let extra = trace.extra(event);
        let legacy = is_legacy(event.ph());
        let (name, cat) = trace.labels.get(event.label);
        Self {
            legacy,
            text: if legacy { name } else { cat },
            scope: if legacy { NONE } else { extra.scope },
            pid: if extra.id.kind() == IdKind::Local { trace.pid(event) } else { NONE },
            id: extra.id,
        }
    }

    fn hash(&self) -> u64 {
        let key = (self.legacy, self.text, self.scope, self.pid, self.id.kind(), self.id.hash);
        FixedState::default().hash_one(key)
    }

    fn matches(&self, other: &Self) -> bool {
        (self.legacy, self.text, self.scope, self.pid) == (other.legacy, other.text, other.scope, other.pid)
            && self.id.matches(&other.id)
    }
}

/// What is made of async events.
#[derive(Debug, Default)]
pub(super) struct AsyncGroups {
    /// By start.
    pub(super) groups: Vec<AsyncGroup>,
    /// Events that flow events may stand on.
    pub(super) candidates: Vec<StepCandidate>,
    /// Which events make a slice together, if that is wanted.
    pub(super) links: EventLinks,
    pub(super) warnings: Warnings,
}

impl AsyncGroups {
    /// The groups of all async events; `steps` are the names of legacy steps, by index of the event, `flow_events` are the keys
    /// of all flow events.
    pub(super) fn build(
        trace: &Trace,
        events: &[Event],
        steps: &HashMap<u32, TextId>,
        flow_events: &FlowEventKeys,
        wants_links: bool,
    ) -> Self {
        let event = |number: u32| &events[number as usize];
        let numbers = 0..u32::try_from(events.len()).unwrap_or(u32::MAX);
        let mut keyed: Vec<(u64, Ns, u32)> = numbers
            .into_par_iter()
            .map(|number| (AsyncKey::new(trace, event(number)).hash(), event(number).ts, number))
            .collect();
        keyed.par_sort_unstable();
        let runs: Vec<&[(u64, Ns, u32)]> = keyed.chunk_by(|a, b| a.0 == b.0).collect();
        let build_run = |run: &&[(u64, Ns, u32)]| -> Self {
            let mut built = Self { links: EventLinks::new(wants_links), ..Self::default() };
            // Hash collisions aside, there is one key.
            let mut keys: Vec<(AsyncKey, Vec<u32>)> = Vec::new();
            for &(_, _, number) in *run {
                let key = AsyncKey::new(trace, event(number));
                match keys.iter_mut().find(|(known, _)| known.matches(&key)) {
                    Some((_, members)) => members.push(number),
                    None => keys.push((key, vec![number])),
                }
            }
            let Self { groups, candidates, links, warnings } = &mut built;
            for (key, members) in keys {
                let mut builder = Builder {
                    trace,
                    events,
                    members: &members,
                    flow_events,
                    slices: Vec::new(),
                    operations: Vec::new(),
                    candidates,
                    links,
                };
                if key.legacy {
                    builder.legacy(steps, warnings)
                } else {
                    builder.nestable(warnings)
                }
                builder.finish(|pid, mut slices| {
                    slices.sort_unstable_by_key(Slice::order);
                    count_overlaps(&slices, warnings);
                    groups.push(AsyncGroup { pid, id: key.id, slices });
                });
            }
            built
        };
        let parts: Vec<Self> = runs.par_iter().map(build_run).collect();
        let mut all = Self::default();
        for part in parts {
            all.groups.extend(part.groups);
            all.candidates.extend(part.candidates);
            all.links.merge(part.links);
            all.warnings.merge(part.warnings);
        }
        // By start, independent of hashes.
        all.groups.sort_by_key(|group| group.slices.first().map(Slice::order));
        all
    }
}

/// Builds the slices of one key.
struct Builder<'a, 'c> {
    trace: &'a Trace,
    events: &'a [Event],
    /// In time order, ties in file order.
    members: &'a [u32],
    flow_events: &'a FlowEventKeys,
    /// Operation by operation.
    slices: Vec<Slice>,
    /// The first slice of each operation, and the process of the event that began it.
    operations: Vec<(usize, TextId)>,
    candidates: &'c mut Vec<StepCandidate>,
    links: &'c mut EventLinks,
}

const INCOMPLETE: MarkerFlags = MarkerFlags::INCOMPLETE;
const INSTANT: MarkerFlags = MarkerFlags::INSTANT;
const COMPLETE: MarkerFlags = MarkerFlags::NONE;

impl Builder<'_, '_> {
    fn event(&self, number: u32) -> &Event {
        &self.events[number as usize]
    }

    fn first(&self) -> Ns {
        self.members.first().map_or(Ns(0), |number| self.event(*number).ts)
    }

    /// When what is never closed ends.
    fn last(&self) -> Ns {
        self.trace.last.unwrap_or_default()
    }

    /// Begins another operation with the event.
    fn begin_operation(&mut self, number: u32) {
        self.operations.push((self.slices.len(), self.trace.pid(self.event(number))));
    }

    fn push(&mut self, number: u32, start: Ns, end: Ns, flags: MarkerFlags) {
        if self.operations.is_empty() {
            self.begin_operation(number);
        }
        let event = *self.event(number);
        let slice = Slice::new(self.trace, &event, start, end, flags);
        self.candidates.extend(self.flow_events.candidate(self.trace, &event, &slice));
        self.slices.push(slice);
    }

    fn close(&mut self, slice: usize, end: u32) {
        let event = self.events[end as usize];
        self.slices[slice].close(self.trace, &event);
        self.links.pair(self.slices[slice].offset(), event.offset());
        self.candidates.extend(self.flow_events.candidate(self.trace, &event, &self.slices[slice]));
    }

    /// Passes the process and the slices of each operation to `consume`, the last operation first.
    fn finish(self, mut consume: impl FnMut(TextId, Vec<Slice>)) {
        let Self { mut slices, operations, .. } = self;
        for &(first, pid) in operations.iter().skip(1).rev() {
            consume(pid, slices.split_off(first));
        }
        if let Some(&(_, pid)) = operations.first() {
            consume(pid, slices);
        }
    }

    fn unmatched_end(&mut self, number: u32, warnings: &mut Warnings) {
        let event = *self.event(number);
        warnings.add(WarningKind::UnmatchedEnd, || format!("the event at byte {}", event.offset()));
        let first = self.first();
        if let Some(first) = self.members.first() {
            // It begins with the first event of its id.
            self.links.need(event.offset(), self.events[*first as usize].offset());
        }
        self.push(number, first, event.ts, INCOMPLETE);
        self.need_operation(&event);
    }

    /// Byte offset of the first event of the operation that goes on, if it has any.
    fn first_of_operation(&self) -> Option<u64> {
        self.operations.last().and_then(|(first, _)| self.slices.get(*first)).map(Slice::offset)
    }

    /// The event needs what its operation began with.
    fn need_operation(&mut self, event: &Event) {
        if let Some(first) = self.first_of_operation() {
            self.links.need(event.offset(), first);
        }
    }

    fn nestable(&mut self, warnings: &mut Warnings) {
        let last = self.last();
        // Number of slices that are open, and whether the operation has begun with one.
        let (mut open, mut has_begun) = (0_usize, false);
        // Open begins by name, innermost last; and all of them, for ends without a name. Entries that were closed through
        // the other list are skipped.
        let mut by_name: HashMap<TextId, Vec<(u32, usize)>> = HashMap::default();
        let mut all: Vec<(u32, usize)> = Vec::new();
        let mut closed: Vec<bool> = Vec::new();
        for &number in self.members {
            let event = *self.event(number);
            match event.ph() {
                b'b' => {
                    if open == 0 && std::mem::replace(&mut has_begun, true) {
                        self.begin_operation(number);
                    }
                    if self.links.is_wanted() {
                        closed.resize(self.slices.len(), false);
                        while all.pop_if(|(_, slice)| closed[*slice]).is_some() {}
                        // What is open now makes this a part of its operation.
                        if let Some((outer, _)) = all.last() {
                            self.links.need(event.offset(), self.event(*outer).offset());
                        } else if let Some(first) = self.first_of_operation() {
                            self.links.pair(event.offset(), first);
                        }
                    }
                    open += 1;
                    let slice = self.slices.len();
                    self.push(number, event.ts, last.max(event.ts), INCOMPLETE);
                    by_name.entry(self.trace.name(event.label)).or_default().push((number, slice));
                    all.push((number, slice));
                }
                b'n' => {
                    self.push(number, event.ts, event.ts, INSTANT);
                    self.need_operation(&event);
                }
                _ => {
                    closed.resize(self.slices.len(), false);
                    let name = self.trace.name(event.label);
                    let stack = if name == NONE { Some(&mut all) } else { by_name.get_mut(&name) };
                    let mut found = None;
                    if let Some(stack) = stack {
                        while let Some((_, slice)) = stack.pop() {
                            if !closed[slice] {
                                found = Some(slice);
                                break;
                            }
                        }
                    }
                    match found {
                        Some(slice) => {
                            closed[slice] = true;
                            open -= 1;
                            self.close(slice, number);
                        }
                        None => self.unmatched_end(number, warnings),
                    }
                }
            }
        }
        closed.resize(self.slices.len(), false);
        for (begin, slice) in all {
            if !closed[slice] {
                let offset = self.event(begin).offset();
                warnings.add(WarningKind::UnmatchedStart, || format!("the event at byte {offset}"));
            }
        }
    }

    fn legacy(&mut self, steps: &HashMap<u32, TextId>, warnings: &mut Warnings) {
        // Steps reach to their neighbours, so the events of an id belong together.
        for pair in self.members.windows(2) {
            self.links.pair(self.event(pair[0]).offset(), self.event(pair[1]).offset());
        }
        let has = |phase| self.members.iter().any(|number| self.event(*number).ph() == phase);
        let mixed = has(b'T') && has(b'p');
        if mixed {
            let offset = self.event(self.members[0]).offset();
            warnings.add(WarningKind::MixedSteps, || format!("the event at byte {offset}"));
        }
        let last = self.last();
        let (mut open, mut has_begun): (Option<(u32, usize)>, bool) = (None, false);
        for (at, &number) in self.members.iter().enumerate() {
            let event = *self.event(number);
            let neighbor = |at: Option<usize>| at.and_then(|at| self.members.get(at)).map(|at| self.event(*at).ts);
            let place = |number: u32| format!("the event at byte {}", self.events[number as usize].offset());
            match event.ph() {
                b'S' => {
                    if let Some((begin, slice)) = open {
                        warnings.add(WarningKind::UnmatchedStart, || place(begin));
                        self.slices[slice].end = event.ts;
                    }
                    if std::mem::replace(&mut has_begun, true) {
                        self.begin_operation(number);
                    }
                    open = Some((number, self.slices.len()));
                    self.push(number, event.ts, last.max(event.ts), INCOMPLETE);
                }
                b'F' => match open.take() {
                    Some((_, slice)) => self.close(slice, number),
                    None => self.unmatched_end(number, warnings),
                },
                step => {
                    // `T` lasts until the next event, `p` began at the previous one.
                    let (start, end, flags) = match step {
                        b'T' if !mixed => (event.ts, neighbor(Some(at + 1)).unwrap_or(event.ts), COMPLETE),
                        b'p' if !mixed => (neighbor(at.checked_sub(1)).unwrap_or(event.ts), event.ts, COMPLETE),
                        _ => (event.ts, event.ts, INSTANT),
                    };
                    self.push(number, start, end, flags);
                    if let (Some(slice), Some(name)) = (self.slices.last_mut(), steps.get(&number)) {
                        slice.name = *name;
                    }
                }
            }
        }
        if let Some((begin, _)) = open {
            let offset = self.event(begin).offset();
            warnings.add(WarningKind::UnmatchedStart, || format!("the event at byte {offset}"));
        }
    }
}
