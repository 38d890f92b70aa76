//! The slices and instants of one thread: complete events, pairs of begin and end events, and instants.
//!
//! An end event closes the nearest open begin with its label, or the innermost one if it has none. Inner begins that
//! are still open end with it. They are incomplete unless their own end events follow at the same timestamp, because
//! ends with equal timestamps come in any order. A begin that is never closed lasts until the last timestamp of its
//! thread.

use foldhash::HashMap;

use super::end_label::EndLabel;
use super::event_links::EventLinks;
use super::implicit_ends::ImplicitEnds;
use super::slice::{Slice, is_outside};
use super::slice_order::StartsOrder;
use super::track_events::TrackEvents;
use crate::trace_events::text::event::Event;
use crate::trace_events::text::event::file_offset;
use crate::trace_events::text::ids::{NO_TIME, NONE};
use crate::trace_events::text::trace::Trace;
use flowline_profile::{MarkerFlags, Ns, WarningKind, Warnings};

/// Flag of slices that form a call stack.
const STACKED: MarkerFlags = MarkerFlags::STACK_BASED;

/// Open begins, innermost last: indexes of their slices.
#[derive(Default)]
struct OpenStack {
    stack: Vec<u32>,
    /// Positions in the stack by the labels of end events, ascending, from [`LINEAR_DEPTH`] on, so that an end event need
    /// not search a deep stack.
    by_label: HashMap<EndLabel, Vec<usize>>,
}

/// Number of stack positions that are searched linearly.
const LINEAR_DEPTH: usize = 32;

impl OpenStack {
    fn push(&mut self, label: EndLabel, slice: usize) {
        if self.stack.len() >= LINEAR_DEPTH {
            label.keys().for_each(|key| self.by_label.entry(key).or_default().push(self.stack.len()));
        }
        self.stack.push(u32::try_from(slice).unwrap_or(NONE));
    }

    /// Returns the position of the innermost begin that an end event with a label closes. `label_of` returns the label of
    /// a slice.
    fn find(&self, label: EndLabel, label_of: impl Fn(u32) -> EndLabel) -> Option<usize> {
        if label.fits_all() {
            return self.stack.len().checked_sub(1);
        }
        let deep = if self.stack.len() > LINEAR_DEPTH { self.by_label.get(&label) } else { None };
        if let Some(position) = deep.and_then(|positions| positions.last()) {
            return Some(*position);
        }
        let top = &self.stack[..self.stack.len().min(LINEAR_DEPTH)];
        top.iter().rposition(|slice| label.fits(label_of(*slice)))
    }

    fn pop(&mut self, label_of: impl Fn(u32) -> EndLabel) -> Option<usize> {
        let slice = self.stack.pop()?;
        if self.stack.len() >= LINEAR_DEPTH {
            for key in label_of(slice).keys() {
                self.by_label.get_mut(&key).and_then(Vec::pop);
            }
        }
        Some(slice as usize)
    }
}

/// Builds the slices of a track.
struct Builder<'a> {
    trace: &'a Trace,
    links: &'a mut EventLinks,
    slices: Vec<Slice>,
    order: StartsOrder,
    open: OpenStack,
    ended_inside: ImplicitEnds,
    /// The last time of the track: the end of slices that are never closed.
    last: Ns,
}

const INCOMPLETE: MarkerFlags = STACKED.with(MarkerFlags::INCOMPLETE);

impl Builder<'_> {
    #[inline]
    fn push(&mut self, slice: Slice) {
        if let Some(before) = self.slices.last() {
            self.order = self.order.max(StartsOrder::of(before.start, slice.start));
        }
        self.slices.push(slice);
    }

    fn begin(&mut self, event: &Event) {
        let slice = Slice::new(self.trace, event, event.ts, self.last, INCOMPLETE);
        self.open.push(EndLabel::of(self.trace, event), self.slices.len());
        self.push(slice);
    }

    /// Closes a slice with its own end event.
    fn close(&mut self, slice: usize, event: &Event) {
        self.slices[slice].close(self.trace, event);
        self.links.pair(self.slices[slice].offset(), event.offset());
    }

    /// Finishes the slices that ended inside others before the time of the next end.
    fn finish_ended(&mut self, now: Option<Ns>, warnings: &mut Warnings) {
        let Self { ended_inside, slices, links, .. } = self;
        ended_inside.finish(now, warnings, |slice, end| links.need(slices[slice as usize].offset(), end));
    }

    fn end(&mut self, event: &Event, warnings: &mut Warnings) {
        self.finish_ended(Some(event.ts), warnings);
        let label = EndLabel::of(self.trace, event);
        let Self { trace, slices, open, ended_inside, .. } = self;
        let label_of = |slice: u32| EndLabel::of_slice(trace, &slices[slice as usize]);
        let position = open.find(label, label_of);
        // A slice that starts at this time started after the others had ended.
        let began_now = position.is_some_and(|position| slices[open.stack[position] as usize].start == event.ts);
        if !began_now && let Some(slice) = ended_inside.take(event.ts, label, label_of) {
            self.close(slice, event);
            return;
        }
        let Some(position) = position else {
            self.links.add_unmatched_end(event.ts, event.offset());
            warnings.add(WarningKind::UnmatchedEnd, || format!("the event at byte {}", file_offset(event.offset())));
            return;
        };
        while self.open.stack.len() > position + 1 {
            let Some(slice) = self.pop() else { break };
            self.slices[slice].end = event.ts.max(self.slices[slice].start);
            let number = u32::try_from(slice).unwrap_or(NONE);
            let label = EndLabel::of_slice(self.trace, &self.slices[slice]);
            self.ended_inside.push(event.ts, number, label, event.offset());
        }
        if let Some(slice) = self.pop() {
            self.close(slice, event);
        }
    }

    fn pop(&mut self) -> Option<usize> {
        let Self { open, slices, trace, .. } = self;
        open.pop(|slice| EndLabel::of_slice(trace, &slices[slice as usize]))
    }

    fn complete(&mut self, event: &Event, last: u64, warnings: &mut Warnings) {
        let here = || format!("the event at byte {}", file_offset(event.offset()));
        let dur = self.trace.dur(event);
        if dur == NO_TIME {
            if event.has(Event::BAD_DUR) {
                warnings.add(WarningKind::BadTime, || format!("dur of {}", here()));
            }
            warnings.add(WarningKind::UnmatchedStart, || format!("no dur in {}", here()));
            self.links.need(event.offset(), last);
            self.push(Slice::new(self.trace, event, event.ts, self.last, INCOMPLETE));
            return;
        }
        if dur < Ns(0) {
            warnings.add(WarningKind::NegativeDuration, here);
        }
        self.push(Slice::new(self.trace, event, event.ts, event.ts + dur.max(Ns(0)), STACKED));
    }
}

/// Builds the slices and instants of a track, sorted by [`Slice::order`]. The caller counts overlaps.
pub(in crate::trace_events) fn build(trace: &Trace, events: TrackEvents, warnings: &mut Warnings) -> Vec<Slice> {
    build_linked(trace, events, &mut EventLinks::default(), warnings)
}

/// Like [`build`]; also collects the dependencies between the events of each slice.
pub(in crate::trace_events) fn build_linked(
    trace: &Trace,
    events: TrackEvents,
    links: &mut EventLinks,
    warnings: &mut Warnings,
) -> Vec<Slice> {
    let last = events.last();
    // Slices that are never closed end with this event.
    let is_last = |event: &&Event| event.ts.max(trace.end(event)) == last;
    let last_event = if links.is_wanted() { events.list().iter().find(is_last) } else { None };
    let last_event = last_event.map_or(0, Event::offset);
    let slices = Vec::with_capacity(events.slices());
    let (open, ended_inside) = (OpenStack::default(), ImplicitEnds::default());
    let mut builder = Builder { trace, links, slices, order: StartsOrder::Strict, open, ended_inside, last };
    // Only the pairing of begins and ends depends on the order.
    let ordered = events.out_of_order();
    for event in events.list() {
        match event.ph() {
            b'B' | b'E' if ordered.is_some() => {}
            b'B' => builder.begin(event),
            b'E' => builder.end(event, warnings),
            b'X' => builder.complete(event, last_event, warnings),
            _ => {
                let flags = STACKED.with(MarkerFlags::INSTANT);
                builder.push(Slice::new(trace, event, event.ts, event.ts, flags));
            }
        }
    }
    for event in ordered.iter().flatten() {
        if event.ph() == b'B' { builder.begin(event) } else { builder.end(event, warnings) }
    }
    drop((events, ordered));
    builder.finish_ended(None, warnings);
    let Builder { slices, order, open, links, .. } = builder;
    for slice in open.stack {
        let offset = slices[slice as usize].offset();
        links.need(offset, last_event);
        warnings.add(WarningKind::UnmatchedStart, || format!("the event at byte {}", file_offset(offset)));
    }
    order.sorted(slices)
}

/// Counts slices that start inside another one and outlast it.
pub(in crate::trace_events) fn count_overlaps(slices: &[Slice], warnings: &mut Warnings) {
    if slices.len() < 2 {
        return;
    }
    let mut open: Vec<Ns> = Vec::new();
    for slice in slices.iter().filter(|slice| !slice.is_instant()) {
        while open.pop_if(|end| is_outside(slice.range(), *end)).is_some() {}
        if open.last().is_some_and(|end| *end < slice.end) {
            let offset = slice.offset();
            warnings.add(WarningKind::Overlapping, || format!("the slice that begins at byte {}", file_offset(offset)));
        }
        open.push(slice.end);
    }
}
