//! Events and values that are left out because they are damaged.

use flowline_profile::MarkerId;

/// A number of events that were left out, and the first of them that is a marker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    count: u32,
    first: Option<MarkerId>,
}

impl Dropped {
    /// Counts an event.
    pub(crate) fn add(&mut self, marker: Option<MarkerId>) {
        self.add_many(1, marker);
    }

    /// Counts several events, of which one is the first.
    pub(crate) fn add_many(&mut self, count: u32, first: Option<MarkerId>) {
        self.count = self.count.saturating_add(count);
        self.first = self.first.or(first);
    }

    /// Number of events.
    #[must_use]
    pub const fn count(self) -> u32 {
        self.count
    }

    /// The first one, if it is known.
    #[must_use]
    pub const fn first(self) -> Option<MarkerId> {
        self.first
    }
}
