//! Which events need which others: what a smaller trace must keep together so that it is read as the whole is.

use flowline_profile::Ns;

/// Pairs of events, by byte offset: whoever keeps the first needs the second. Nothing is collected unless it is wanted.
#[derive(Debug, Default)]
pub(super) struct EventLinks {
    is_wanted: bool,
    pub(super) needs: Vec<(u64, u64)>,
    /// Ends without a begin: time and byte offset.
    pub(super) loose_ends: Vec<(Ns, u64)>,
}

impl EventLinks {
    /// Links that are collected if they are `wanted`.
    pub(super) fn new(is_wanted: bool) -> Self {
        Self { is_wanted, ..Self::default() }
    }

    /// Whether links are collected.
    pub(super) const fn is_wanted(&self) -> bool {
        self.is_wanted
    }

    /// The event at `from` needs the one at `to`.
    #[inline]
    pub(super) fn need(&mut self, from: u64, to: u64) {
        if self.is_wanted && from != to {
            self.needs.push((from, to));
        }
    }

    /// Both events need each other.
    #[inline]
    pub(super) fn pair(&mut self, first: u64, second: u64) {
        self.need(first, second);
        self.need(second, first);
    }

    /// An end that matches no begin.
    pub(super) fn loose_end(&mut self, time: Ns, offset: u64) {
        if self.is_wanted {
            self.loose_ends.push((time, offset));
        }
    }

    /// Adds the links of another part of the trace.
    pub(super) fn merge(&mut self, other: Self) {
        self.needs.extend(other.needs);
        self.loose_ends.extend(other.loose_ends);
    }
}
