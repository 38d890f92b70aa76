//! Dependencies between events: events that a cut must keep together to be read like the whole trace.

use flowline_profile::Ns;

/// Pairs of events by byte offset: the first event needs the second. Links are only collected if wanted.
#[derive(Debug, Default)]
pub(in crate::trace_events) struct EventLinks {
    is_wanted: bool,
    pub(in crate::trace_events) needs: Vec<(u64, u64)>,
    /// End events without a begin: time and byte offset.
    pub(in crate::trace_events) loose_ends: Vec<(Ns, u64)>,
}

impl EventLinks {
    /// Creates a collection that is active if `is_wanted`.
    pub(in crate::trace_events) fn new(is_wanted: bool) -> Self {
        Self { is_wanted, ..Self::default() }
    }

    /// Returns true if links are collected.
    pub(in crate::trace_events) const fn is_wanted(&self) -> bool {
        self.is_wanted
    }

    /// Adds that the event at `from` needs the event at `to`.
    #[inline]
    pub(in crate::trace_events) fn need(&mut self, from: u64, to: u64) {
        if self.is_wanted && from != to {
            self.needs.push((from, to));
        }
    }

    /// Adds that both events need each other.
    #[inline]
    pub(in crate::trace_events) fn pair(&mut self, first: u64, second: u64) {
        self.need(first, second);
        self.need(second, first);
    }

    /// Adds an end event without a begin.
    pub(in crate::trace_events) fn add_unmatched_end(&mut self, time: Ns, offset: u64) {
        if self.is_wanted {
            self.loose_ends.push((time, offset));
        }
    }

    /// Adds the links of another part of the trace.
    pub(in crate::trace_events) fn merge(&mut self, other: Self) {
        self.needs.extend(other.needs);
        self.loose_ends.extend(other.loose_ends);
    }
}
