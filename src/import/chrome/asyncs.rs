//! Async slices: nestable ones (`b`, `e`, `n`), keyed by category, scope and id and nested by name; and legacy ones (`S`, `T`,
//! `p`, `F`), keyed by name and id. The slices of a key are a group and stay together on their rows.

use std::hash::BuildHasher;

use foldhash::HashMap;
use foldhash::fast::FixedState;
use rayon::prelude::*;

use super::event::Event;
use super::ids::{Id, IdKind, NONE, TextId};
use super::slices::{Slice, count_overlaps};
use super::trace::Trace;
use crate::profile::{MarkerFlags, Ns, WarningKind, Warnings};

/// The slices of one key, sorted by [`Slice::order`].
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

/// The groups of all async events; `steps` are the names of legacy steps, by index of the event.
pub(super) fn build(trace: &Trace, events: &[Event], steps: &HashMap<u32, TextId>) -> (Vec<AsyncGroup>, Warnings) {
    let event = |number: u32| &events[number as usize];
    let numbers = 0..u32::try_from(events.len()).unwrap_or(u32::MAX);
    let mut keyed: Vec<(u64, Ns, u32)> = numbers
        .into_par_iter()
        .map(|number| (AsyncKey::new(trace, event(number)).hash(), event(number).ts, number))
        .collect();
    keyed.par_sort_unstable();
    let runs: Vec<&[(u64, Ns, u32)]> = keyed.chunk_by(|a, b| a.0 == b.0).collect();
    let build_run = |run: &&[(u64, Ns, u32)]| -> (Vec<AsyncGroup>, Warnings) {
        let mut warnings = Warnings::default();
        // Hash collisions aside, there is one key.
        let mut keys: Vec<(AsyncKey, Vec<u32>)> = Vec::new();
        for &(_, _, number) in *run {
            let key = AsyncKey::new(trace, event(number));
            match keys.iter_mut().find(|(known, _)| known.matches(&key)) {
                Some((_, members)) => members.push(number),
                None => keys.push((key, vec![number])),
            }
        }
        let groups = keys.into_iter().filter_map(|(key, members)| {
            let mut builder = Builder { trace, events, members: &members, slices: Vec::new() };
            if key.legacy {
                builder.legacy(steps, &mut warnings)
            } else {
                builder.nestable(&mut warnings)
            }
            let mut slices = builder.slices;
            slices.sort_unstable_by_key(Slice::order);
            count_overlaps(&slices, &mut warnings);
            let pid = trace.pid(event(*members.first()?));
            Some(AsyncGroup { pid, id: key.id, slices })
        });
        let groups = groups.collect();
        (groups, warnings)
    };
    let parts: Vec<(Vec<AsyncGroup>, Warnings)> = runs.par_iter().map(build_run).collect();
    let mut warnings = Warnings::default();
    let mut groups = Vec::new();
    for (part, found) in parts {
        warnings.merge(found);
        groups.extend(part);
    }
    // By start, independent of hashes.
    groups.sort_by_key(|group| group.slices.first().map(Slice::order));
    (groups, warnings)
}

/// Builds the slices of one group.
struct Builder<'a> {
    trace: &'a Trace,
    events: &'a [Event],
    /// In time order, ties in file order.
    members: &'a [u32],
    slices: Vec<Slice>,
}

const INCOMPLETE: MarkerFlags = MarkerFlags::INCOMPLETE;
const INSTANT: MarkerFlags = MarkerFlags::INSTANT;
const COMPLETE: MarkerFlags = MarkerFlags::NONE;

impl Builder<'_> {
    fn event(&self, number: u32) -> &Event {
        &self.events[number as usize]
    }

    fn first(&self) -> Ns {
        self.members.first().map_or(Ns(0), |number| self.event(*number).ts)
    }

    fn last(&self) -> Ns {
        self.members.last().map_or(Ns(0), |number| self.event(*number).ts)
    }

    fn push(&mut self, number: u32, start: Ns, end: Ns, flags: MarkerFlags) {
        let slice = Slice::new(self.trace, self.event(number), start, end, flags);
        self.slices.push(slice);
    }

    fn close(&mut self, slice: usize, end: u32) {
        self.slices[slice].close(self.trace, &self.events[end as usize]);
    }

    fn unmatched_end(&mut self, number: u32, warnings: &mut Warnings) {
        let event = *self.event(number);
        warnings.add(WarningKind::UnmatchedEnd, || format!("the event at byte {}", event.offset()));
        let first = self.first();
        self.push(number, first, event.ts, INCOMPLETE);
    }

    fn nestable(&mut self, warnings: &mut Warnings) {
        let last = self.last();
        // Open begins by name, innermost last; and all of them, for ends without a name. Entries that were closed through
        // the other list are skipped.
        let mut by_name: HashMap<TextId, Vec<(u32, usize)>> = HashMap::default();
        let mut all: Vec<(u32, usize)> = Vec::new();
        let mut closed: Vec<bool> = Vec::new();
        for &number in self.members {
            let event = *self.event(number);
            match event.ph() {
                b'b' => {
                    let slice = self.slices.len();
                    self.push(number, event.ts, last, INCOMPLETE);
                    by_name.entry(self.trace.name(event.label)).or_default().push((number, slice));
                    all.push((number, slice));
                }
                b'n' => self.push(number, event.ts, event.ts, INSTANT),
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
        let has = |phase| self.members.iter().any(|number| self.event(*number).ph() == phase);
        let mixed = has(b'T') && has(b'p');
        if mixed {
            let offset = self.event(self.members[0]).offset();
            warnings.add(WarningKind::MixedSteps, || format!("the event at byte {offset}"));
        }
        let last = self.last();
        let mut open: Option<(u32, usize)> = None;
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
                    open = Some((number, self.slices.len()));
                    self.push(number, event.ts, last, INCOMPLETE);
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
