//! Builds async slices and their groups, key by key. Nestable slices (`b`, `e`, `n`) are keyed by category, scope and id and
//! nested by name; legacy ones (`S`, `T`, `p`, `F`) are keyed by name and id; and objects (`N`, `O`, `D`) by process, name,
//! scope and id: their life is a slice and each snapshot an instant. A slice without an end lasts until the last timestamp of
//! the recording.
//!
//! The slices of a key form one operation while any of them is open. The next begin after that starts another
//! operation, because programs reuse ids. The slices of an operation are a group and stay together on their rows.

use foldhash::HashMap;

use super::async_begins::OpenBegins;
use super::async_bindings::FlowEventKeys;
use super::async_groups::{AsyncGroup, AsyncGroups};
use super::async_key::{AsyncKey, AsyncKind};
use crate::trace_events::text::event::Event;
use crate::trace_events::text::event::file_offset;
use crate::trace_events::text::ids::{IdKind, NONE, TextId};
use crate::trace_events::text::trace::Trace;
use crate::trace_events::tracks::end_label::EndLabel;
use crate::trace_events::tracks::event_links::EventLinks;
use crate::trace_events::tracks::slice::Slice;
use crate::trace_events::tracks::slices::count_overlaps;
use flowline_profile::{MarkerFlags, Ns, WarningKind};

/// Hash of the key, time and number of an event.
pub(super) type KeyedEvent = (u64, Ns, u32);

/// Builds the slices key by key.
pub(super) struct GroupBuilder<'a> {
    trace: &'a Trace,
    events: &'a [Event],
    flow_events: &'a FlowEventKeys,
    /// The events of the key in time order, then file order.
    members: Vec<u32>,
    /// The slices of the key, operation by operation.
    slices: Vec<Slice>,
    /// The pairs of the events that began and ended each slice of `slices`.
    pairs: Vec<[u32; 2]>,
    /// The first slice of each operation, and the process and thread of the event that began it.
    operations: Vec<(usize, (TextId, TextId))>,
    open: OpenBegins,
    /// Everything but the slices of the finished groups.
    built: AsyncGroups,
    /// The slices of the finished groups.
    list: Vec<Slice>,
}

const INCOMPLETE: MarkerFlags = MarkerFlags::INCOMPLETE;
const INSTANT: MarkerFlags = MarkerFlags::INSTANT;
const COMPLETE: MarkerFlags = MarkerFlags::NONE;

impl<'a> GroupBuilder<'a> {
    pub(super) fn new(
        trace: &'a Trace,
        events: &'a [Event],
        flow_events: &'a FlowEventKeys,
        wants_links: bool,
    ) -> Self {
        Self {
            trace,
            events,
            flow_events,
            members: Vec::new(),
            slices: Vec::new(),
            pairs: Vec::new(),
            operations: Vec::new(),
            open: OpenBegins::default(),
            built: AsyncGroups { links: EventLinks::new(wants_links), ..AsyncGroups::default() },
            list: Vec::new(),
        }
    }

    /// The groups of all runs.
    pub(super) fn into_groups(self) -> AsyncGroups {
        AsyncGroups { lists: vec![self.list], ..self.built }
    }

    /// Builds the groups of all events with one hash.
    pub(super) fn run(&mut self, run: &[KeyedEvent], steps: &HashMap<u32, TextId>) {
        // Without hash collisions there is only one key.
        let mut others = self.key(run, steps);
        while !others.is_empty() {
            others = self.key(&others, steps);
        }
    }

    /// Builds the groups of the first event's key. Returns the events of other keys.
    fn key(&mut self, events: &[KeyedEvent], steps: &HashMap<u32, TextId>) -> Vec<KeyedEvent> {
        let mut others = Vec::new();
        let Some((_, _, first)) = events.first() else { return others };
        let key = AsyncKey::new(self.trace, self.event(*first));
        self.members.clear();
        for event in events {
            if AsyncKey::new(self.trace, self.event(event.2)).matches(&key) {
                self.members.push(event.2);
            } else {
                others.push(*event);
            }
        }
        match key.kind {
            AsyncKind::Legacy => self.legacy(steps),
            AsyncKind::Nestable | AsyncKind::Object => self.nestable(),
        }
        self.finish(key);
        others
    }

    fn event(&self, number: u32) -> &Event {
        &self.events[number as usize]
    }

    fn first(&self) -> Ns {
        self.members.first().map_or(Ns(0), |number| self.event(*number).ts)
    }

    /// Returns the end of slices that are never closed.
    fn last(&self) -> Ns {
        self.trace.last.unwrap_or_default()
    }

    /// Starts another operation with the event.
    fn begin_operation(&mut self, number: u32) {
        self.operations.push((self.slices.len(), self.trace.pairs.get(self.event(number).pair)));
    }

    fn push(&mut self, number: u32, start: Ns, end: Ns, flags: MarkerFlags) {
        if self.operations.is_empty() {
            self.begin_operation(number);
        }
        let event = *self.event(number);
        let slice = Slice::new(self.trace, &event, start, end, flags);
        self.built.candidates.extend(self.flow_events.candidate(self.trace, &event, &slice));
        self.slices.push(slice);
        let is_end = matches!(event.ph(), b'e' | b'F' | b'D');
        self.pairs.push(if is_end { [NONE, event.pair] } else { [event.pair, NONE] });
    }

    fn close(&mut self, slice: usize, end: u32) {
        let event = self.events[end as usize];
        self.slices[slice].close(self.trace, &event);
        self.pairs[slice][1] = event.pair;
        self.built.links.pair(self.slices[slice].offset(), event.offset());
        self.built.candidates.extend(self.flow_events.candidate(self.trace, &event, &self.slices[slice]));
    }

    /// Builds a group from each operation, last operation first.
    fn finish(&mut self, key: AsyncKey) {
        let (id, is_object) = (key.id, key.kind == AsyncKind::Object);
        let Self { slices, pairs, operations, built, list, .. } = self;
        built.threads.extend(slices.iter().map(Slice::offset).zip(pairs.drain(..)));
        let uses = u32::try_from(operations.len()).unwrap_or(u32::MAX);
        for (first, (pid, tid)) in operations.drain(..).rev() {
            let tid = if id.kind() == IdKind::Track { tid } else { NONE };
            let own = &mut slices[first..];
            own.sort_unstable_by_key(Slice::order);
            count_overlaps(own, &mut built.warnings);
            if let Some(order) = own.first().map(Slice::order) {
                let end = |list: &Vec<Slice>| u32::try_from(list.len()).unwrap_or(NONE);
                let begin = end(list);
                list.extend_from_slice(own);
                let slices = begin..end(list);
                built.groups.push(AsyncGroup { pid, tid, id, is_object, uses, order, list: 0, slices });
            }
            slices.truncate(first);
        }
    }

    fn warn(&mut self, kind: WarningKind, number: u32) {
        let offset = self.event(number).offset();
        self.built.warnings.add(kind, || format!("the event at byte {}", file_offset(offset)));
    }

    fn unmatched_end(&mut self, number: u32) {
        let event = *self.event(number);
        self.warn(WarningKind::UnmatchedEnd, number);
        if self.trace.extra(&event).id.kind() == IdKind::Track {
            // A track has a stack, like a thread: an unmatched end draws nothing.
            return;
        }
        let first = self.first();
        if let Some(first) = self.members.first() {
            // The slice begins at the first event of its id.
            self.built.links.need(event.offset(), self.events[*first as usize].offset());
        }
        self.push(number, first, event.ts, INCOMPLETE);
        self.need_operation(&event);
    }

    /// Returns the byte offset of the first event of the current operation, if any.
    fn first_of_operation(&self) -> Option<u64> {
        self.operations.last().and_then(|(first, _)| self.slices.get(*first)).map(Slice::offset)
    }

    /// Links the event to the first event of its operation.
    fn need_operation(&mut self, event: &Event) {
        if let Some(first) = self.first_of_operation() {
            self.built.links.need(event.offset(), first);
        }
    }

    fn nestable(&mut self) {
        let last = self.last();
        // Number of open slices, and whether the operation has started with one.
        let (mut open, mut has_begun) = (0_usize, false);
        self.open.clear();
        for at in 0..self.members.len() {
            let number = self.members[at];
            let event = *self.event(number);
            let label = EndLabel::of(self.trace, &event);
            match event.ph() {
                b'b' | b'N' => {
                    if open == 0 && std::mem::replace(&mut has_begun, true) {
                        self.begin_operation(number);
                    }
                    self.link_begin(&event);
                    open += 1;
                    let slice = self.slices.len();
                    self.push(number, event.ts, last.max(event.ts), INCOMPLETE);
                    self.open.push(number, slice, label);
                }
                b'n' | b'O' => {
                    self.push(number, event.ts, event.ts, INSTANT);
                    self.need_operation(&event);
                }
                _ => match self.open.close(label) {
                    Some(slice) => {
                        open -= 1;
                        self.close(slice, number);
                    }
                    None => self.unmatched_end(number),
                },
            }
        }
        let Self { open, built, events, .. } = self;
        for begin in open.left() {
            let offset = events[begin as usize].offset();
            built.warnings.add(WarningKind::UnmatchedStart, || format!("the event at byte {}", file_offset(offset)));
        }
    }

    /// Links a begin event to its operation: to the innermost open begin, or else to the first event of the operation.
    fn link_begin(&mut self, event: &Event) {
        if !self.built.links.is_wanted() {
            return;
        }
        if let Some((outer, _)) = self.open.innermost() {
            let outer = self.event(outer).offset();
            self.built.links.need(event.offset(), outer);
        } else if let Some(first) = self.first_of_operation() {
            self.built.links.pair(event.offset(), first);
        }
    }

    fn legacy(&mut self, steps: &HashMap<u32, TextId>) {
        // Steps extend to their neighbors, so the events of an id belong together.
        for pair in self.members.windows(2) {
            let [from, to] = [pair[0], pair[1]].map(|number| self.events[number as usize].offset());
            self.built.links.pair(from, to);
        }
        let has = |phase| self.members.iter().any(|number| self.event(*number).ph() == phase);
        let mixed = has(b'T') && has(b'p');
        if mixed {
            self.warn(WarningKind::MixedSteps, self.members[0]);
        }
        let last = self.last();
        let (mut open, mut has_begun): (Option<(u32, usize)>, bool) = (None, false);
        for at in 0..self.members.len() {
            let number = self.members[at];
            let event = *self.event(number);
            let neighbor = |at: Option<usize>| at.and_then(|at| self.members.get(at)).map(|at| self.event(*at).ts);
            match event.ph() {
                b'S' => {
                    if open.is_some() && self.trace.extra(&event).id.kind() == IdKind::Track {
                        // A track of operations has one at a time: a begin while it runs begins none.
                        let what = || "begins of operations that already run".to_owned();
                        self.built.warnings.add(WarningKind::NotDrawn, what);
                        continue;
                    }
                    if let Some((begin, slice)) = open {
                        self.warn(WarningKind::UnmatchedStart, begin);
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
                    None => self.unmatched_end(number),
                },
                step => {
                    // `T` lasts until the next event, `p` starts at the previous one. The last `T` of a slice that is
                    // never closed is still running, too.
                    let (start, end, flags) = match step {
                        b'T' if !mixed => match neighbor(Some(at + 1)) {
                            None if open.is_some() => (event.ts, last.max(event.ts), INCOMPLETE),
                            next => (event.ts, next.unwrap_or(event.ts), COMPLETE),
                        },
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
            self.warn(WarningKind::UnmatchedStart, begin);
        }
    }
}
