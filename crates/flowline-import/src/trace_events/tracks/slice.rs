//! A slice or instant, built from one or two events.

use std::cmp::Reverse;

use crate::trace_events::text::event::Event;
use crate::trace_events::text::ids::{NONE, TextId};
use crate::trace_events::text::trace::Trace;
use flowline_profile::{MarkerFlags, Ns, TimeRange};

/// A slice or instant before it becomes a marker, 48 bytes.
#[derive(Clone, Copy, Debug)]
pub(in crate::trace_events) struct Slice {
    pub(in crate::trace_events) start: Ns,
    pub(in crate::trace_events) end: Ns,
    /// Byte offset of the begin event (48 bits), marker flags (8 bits), slice flags (8 bits), lowest bits first.
    source: u64,
    /// Byte offset of the event whose arguments win: the end event if it has any.
    pub(in crate::trace_events) event: u64,
    pub(in crate::trace_events) name: TextId,
    pub(in crate::trace_events) cat: TextId,
    /// Number of the begin event's extra.
    pub(in crate::trace_events) extra: u32,
    /// Number of the end event's extra, if the end event has a list of flows.
    end_extra: u32,
}

const OFFSET: u64 = (1 << 48) - 1;

impl Slice {
    /// Flag: begin and end event both have details.
    const BOTH_HAVE_DETAILS: u64 = 1 << 56;
    /// Flag: the begin event has details (see [`Event::HAS_DETAILS`]).
    const HAS_DETAILS: u64 = 1 << 57;
    /// Flag: the flow of the `bind_id` is incoming.
    const FLOW_IN: u64 = 1 << 58;
    /// Flag: the flow of the `bind_id` is outgoing.
    const FLOW_OUT: u64 = 1 << 59;
    /// Flag: the begin event has a list of flows.
    const FLOW_IDS: u64 = 1 << 60;

    /// Creates a slice from one event.
    #[inline]
    pub(in crate::trace_events) fn new(trace: &Trace, event: &Event, start: Ns, end: Ns, flags: MarkerFlags) -> Self {
        let (name, cat) = trace.labels.get(event.label);
        let mut source = event.offset() | u64::from(flags.bits()) << 48;
        if event.has(Event::HAS_DETAILS) {
            source |= Self::HAS_DETAILS;
        }
        if event.has(Event::IS_STEP) && matches!(event.ph(), b'X' | b'B' | b'b' | b'n') {
            source |= if event.has(Event::FLOW_IN) { Self::FLOW_IN } else { 0 };
            source |= if event.has(Event::FLOW_OUT) { Self::FLOW_OUT } else { 0 };
        }
        if event.has(Event::FLOW_IDS) {
            source |= Self::FLOW_IDS;
        }
        Self { start, end, source, event: event.offset(), name, cat, extra: event.extra, end_extra: NONE }
    }

    /// Ends the slice and merges the members of its end event.
    pub(in crate::trace_events) fn close(&mut self, trace: &Trace, end: &Event) {
        self.end = end.ts.max(self.start);
        self.set_flags(self.flags().without(MarkerFlags::INCOMPLETE));
        if self.cat == NONE {
            self.cat = trace.cat(end.label);
        }
        if end.has(Event::FLOW_IDS) {
            self.end_extra = end.extra;
        }
        if end.has(Event::HAS_DETAILS | Event::FLOW_IDS) {
            self.event = end.offset();
            if self.source & Self::HAS_DETAILS != 0 {
                self.source |= Self::BOTH_HAVE_DETAILS;
            }
        }
    }

    #[inline]
    /// Returns the byte offset of the begin event.
    pub(in crate::trace_events) const fn offset(&self) -> u64 {
        self.source & OFFSET
    }

    /// Returns the byte offset of the begin event if begin and end both have details.
    #[inline]
    pub(in crate::trace_events) const fn begin(&self) -> Option<u64> {
        if self.source & Self::BOTH_HAVE_DETAILS != 0 { Some(self.offset()) } else { None }
    }

    /// Returns the marker flags.
    #[inline]
    pub(in crate::trace_events) const fn flags(&self) -> MarkerFlags {
        MarkerFlags::from_bits(self.source.to_le_bytes()[6])
    }

    fn set_flags(&mut self, flags: MarkerFlags) {
        self.source = self.source & !(0xff << 48) | u64::from(flags.bits()) << 48;
    }

    /// Returns whether the flow of the `bind_id` is incoming, and whether it is outgoing.
    #[inline]
    pub(in crate::trace_events) const fn flow_direction(&self) -> (bool, bool) {
        (self.source & Self::FLOW_IN != 0, self.source & Self::FLOW_OUT != 0)
    }

    /// Returns the extras of the begin and end events with lists of flows, their times and byte offsets; [`NONE`]
    /// without such an event.
    #[inline]
    pub(in crate::trace_events) const fn flow_lists(&self) -> [(u32, Ns, u64); 2] {
        let of_begin = if self.source & Self::FLOW_IDS != 0 { self.extra } else { NONE };
        [(of_begin, self.start, self.offset()), (self.end_extra, self.end, self.event)]
    }

    #[inline]
    pub(in crate::trace_events) const fn is_instant(&self) -> bool {
        self.flags().has(MarkerFlags::INSTANT)
    }

    /// Returns start and end.
    #[inline]
    pub(in crate::trace_events) const fn range(&self) -> TimeRange {
        TimeRange { start: self.start, end: self.end }
    }

    /// Returns the sort key of markers: by start, longer first, then file order.
    #[inline]
    pub(in crate::trace_events) const fn order(&self) -> (Ns, Reverse<Ns>, u64) {
        (self.start, Reverse(self.end), self.offset())
    }
}

/// Returns true if a slice is outside of a previous one that ends at `end`. A slice that starts at `end` is outside
/// unless it has no duration.
#[inline]
pub(in crate::trace_events) fn is_outside(slice: TimeRange, end: Ns) -> bool {
    end < slice.start || (end == slice.start && slice.end > end)
}
