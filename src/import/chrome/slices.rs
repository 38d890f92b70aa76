//! The slices and instants of one thread: complete events, pairs of begin and end, points.
//!
//! An end closes the nearest open begin of its name (without a name, the innermost); what was opened inside and is
//! still open ends with it, incomplete. A begin that is never closed lasts until its thread's last timestamp.

use std::cmp::Reverse;

use foldhash::HashMap;

use super::event::{Event, NO_TIME, NONE, TextId};
use crate::profile::{MarkerFlags, Ns, WarningKind, Warnings};

/// A slice or instant on its way to becoming a marker.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slice {
    pub(super) start: Ns,
    pub(super) end: Ns,
    pub(super) name: TextId,
    pub(super) cat: TextId,
    /// Number of the event it began with.
    pub(super) source: u32,
    /// Place of the event whose arguments win: the end's, if it has any.
    pub(super) event: u64,
    /// Place of the begin if both have something to say, else [`Slice::NO_BEGIN`].
    pub(super) begin: u64,
    pub(super) flags: MarkerFlags,
}

/// What slices of a call stack are flagged as.
const STACKED: MarkerFlags = MarkerFlags::STACK_BASED;

impl Slice {
    /// Stands for a begin with nothing to say.
    pub(super) const NO_BEGIN: u64 = u64::MAX;

    /// A slice of one event.
    pub(super) const fn of(event: &Event, source: u32, start: Ns, end: Ns, flags: MarkerFlags) -> Self {
        Self { start, end, name: event.name, cat: event.cat, source, event: event.offset, begin: Self::NO_BEGIN, flags }
    }

    /// Ends what a begin opened.
    pub(super) fn close(&mut self, end: &Event) {
        self.end = end.ts.max(self.start);
        self.flags = self.flags.without(MarkerFlags::INCOMPLETE);
        if self.cat == NONE {
            self.cat = end.cat;
        }
    }

    /// Joins what begin and end say.
    pub(super) const fn join(&mut self, begin: &Event, end: &Event) {
        match (begin.has(Event::SAYS_MORE), end.has(Event::SAYS_MORE)) {
            (_, false) => {}
            (false, true) => self.event = end.offset,
            (true, true) => {
                self.event = end.offset;
                self.begin = begin.offset;
            }
        }
    }

    pub(super) const fn is_instant(&self) -> bool {
        self.flags.has(MarkerFlags::INSTANT)
    }

    /// The order of markers: by start, longer first, then file order.
    pub(super) const fn order(&self) -> (Ns, Reverse<Ns>, u32) {
        (self.start, Reverse(self.end), self.source)
    }
}

/// Begins that are not closed yet, innermost last; found by name without a search through all that is open.
#[derive(Default)]
struct Open {
    /// Number of the begin, and its slice.
    stack: Vec<(u32, usize)>,
    /// Positions in the stack by name, ascending; positions beyond the stack are stale.
    by_name: HashMap<TextId, Vec<usize>>,
}

impl Open {
    fn push(&mut self, name: TextId, begin: u32, slice: usize) {
        self.by_name.entry(name).or_default().push(self.stack.len());
        self.stack.push((begin, slice));
    }

    /// Position of the innermost begin of a name; of any, for an end without a name.
    fn find(&mut self, name: TextId) -> Option<usize> {
        if name == NONE {
            return self.stack.len().checked_sub(1);
        }
        self.by_name.get(&name)?.last().copied()
    }

    fn pop(&mut self, events: &[Event]) -> Option<(u32, usize)> {
        let (begin, slice) = self.stack.pop()?;
        if let Some(positions) = self.by_name.get_mut(&events[begin as usize].name) {
            positions.pop();
        }
        Some((begin, slice))
    }
}

/// The slices and instants of a track, in the order of [`Slice::order`]; `numbers` are its events in the order of time.
pub(super) fn build(events: &[Event], numbers: &[u32], warnings: &mut Warnings) -> Vec<Slice> {
    let last = numbers.iter().map(|number| &events[*number as usize]).map(|event| event.ts.max(event.end())).max();
    let last = last.unwrap_or_default();
    let mut slices: Vec<Slice> = Vec::with_capacity(numbers.len());
    let mut open = Open::default();
    let incomplete = STACKED.with(MarkerFlags::INCOMPLETE);
    for &number in numbers {
        let event = &events[number as usize];
        let here = || format!("the event at byte {}", event.offset);
        match event.ph {
            b'B' => {
                open.push(event.name, number, slices.len());
                // Until it is closed, it lasts to the end.
                slices.push(Slice::of(event, number, event.ts, last, incomplete));
            }
            b'E' => {
                let Some(position) = open.find(event.name) else {
                    warnings.add(WarningKind::UnmatchedEnd, here);
                    continue;
                };
                while open.stack.len() > position + 1 {
                    let Some((_, slice)) = open.pop(events) else { break };
                    slices[slice].end = event.ts.max(slices[slice].start);
                    warnings.add(WarningKind::UnmatchedStart, || format!("inside what ends with {}", here()));
                }
                if let Some((begin, slice)) = open.pop(events) {
                    slices[slice].close(event);
                    slices[slice].join(&events[begin as usize], event);
                }
            }
            b'X' if event.dur == NO_TIME => {
                if event.has(Event::BAD_DUR) {
                    warnings.add(WarningKind::BadTime, || format!("dur of {}", here()));
                }
                warnings.add(WarningKind::UnmatchedStart, || format!("no dur in {}", here()));
                slices.push(Slice::of(event, number, event.ts, last, incomplete));
            }
            b'X' => {
                let end = event.end();
                if event.dur < Ns(0) {
                    warnings.add(WarningKind::NegativeDuration, here);
                }
                slices.push(Slice::of(event, number, event.ts.min(end), event.ts.max(end), STACKED));
            }
            _ => slices.push(Slice::of(event, number, event.ts, event.ts, STACKED.with(MarkerFlags::INSTANT))),
        }
    }
    for (begin, _) in open.stack {
        let offset = events[begin as usize].offset;
        warnings.add(WarningKind::UnmatchedStart, || format!("the event at byte {offset}"));
    }
    if !slices.is_sorted_by_key(Slice::order) {
        slices.sort_unstable_by_key(Slice::order);
    }
    count_overlaps(events, &slices, warnings);
    slices
}

/// Counts slices that begin inside another one and outlast it.
pub(super) fn count_overlaps(events: &[Event], slices: &[Slice], warnings: &mut Warnings) {
    let mut open: Vec<Ns> = Vec::new();
    for slice in slices.iter().filter(|slice| !slice.is_instant()) {
        // What ends where this one begins lies beside it, unless it contains it.
        while open.pop_if(|end| *end < slice.start || (*end == slice.start && slice.end > *end)).is_some() {}
        if open.last().is_some_and(|end| *end < slice.end) {
            let offset = events[slice.source as usize].offset;
            warnings.add(WarningKind::Overlapping, || format!("the slice that begins at byte {offset}"));
        }
        open.push(slice.end);
    }
}
