//! The parsed events of one track, with totals for building slices.

use smallvec::SmallVec;

use crate::trace_events::text::event::Event;
use crate::trace_events::text::ids::NO_TIME;
use crate::trace_events::text::trace::Trace;
use flowline_profile::Ns;

/// Slices and instants of a track, in file order.
#[derive(Debug)]
pub(in crate::trace_events) struct TrackEvents {
    /// Events of the track; most of many threads have few.
    list: SmallVec<[Event; 1]>,
    /// The latest time; [`NO_TIME`] without events.
    last: Ns,
    /// Number of events that end a slice.
    ends: usize,
    /// The time of the latest begin or end.
    last_pairing: Ns,
    /// True if begins and ends are in time order.
    pairs_in_order: bool,
}

impl Default for TrackEvents {
    fn default() -> Self {
        Self { list: SmallVec::new(), last: NO_TIME, ends: 0, last_pairing: NO_TIME, pairs_in_order: true }
    }
}

impl TrackEvents {
    /// Adds an event.
    #[inline]
    pub(in crate::trace_events) fn push(&mut self, trace: &Trace, event: &Event) {
        if matches!(event.ph(), b'B' | b'E') {
            self.ends += usize::from(event.ph() == b'E');
            self.pairs_in_order &= self.last_pairing <= event.ts;
            self.last_pairing = event.ts;
        }
        self.last = self.last.max(event.ts).max(trace.end(event));
        self.list.push(*event);
    }

    /// Returns the events in file order.
    pub(in crate::trace_events) fn list(&self) -> &[Event] {
        &self.list
    }

    /// Returns the number of slices and instants if every end closes a slice.
    pub(in crate::trace_events) fn slices(&self) -> usize {
        self.list.len() - self.ends
    }

    /// Returns the latest time, which is the end of slices that are never closed; 0 without events.
    pub(in crate::trace_events) fn last(&self) -> Ns {
        if self.list.is_empty() { Ns(0) } else { self.last }
    }

    /// Returns begins and ends in time order, if they are not in time order already.
    pub(in crate::trace_events) fn out_of_order(&self) -> Option<Vec<Event>> {
        if self.pairs_in_order {
            return None;
        }
        let pairing = self.list.iter().filter(|event| matches!(event.ph(), b'B' | b'E'));
        let mut events: Vec<Event> = pairing.copied().collect();
        events.sort_by_key(|event| event.ts);
        Some(events)
    }
}
