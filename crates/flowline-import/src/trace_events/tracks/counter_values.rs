//! The values of counter events. They are read together with the events: the events of a counter are scattered over the
//! recording, and a large recording does not stay in memory.

use crate::trace_events::text::ids::TextId;

/// An argument of a counter event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Count {
    /// Name of the argument.
    pub(crate) name: TextId,
    pub(crate) value: CounterArgValue,
}

/// Value of a counter argument.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum CounterArgValue {
    /// A finite number.
    Number(f64),
    /// A value that is not a number.
    NoNumber,
    /// Placeholder for arguments that are not an object.
    NoObject,
}

/// The arguments of counter events, event by event. NaN and infinities are gaps, not damage, and are omitted.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    list: Vec<Count>,
    /// Total number of arguments up to the end of each event.
    ends: Vec<usize>,
}

impl Counts {
    /// Returns the arguments of an event by its number among the counter events.
    pub(crate) fn of(&self, event: usize) -> &[Count] {
        let first = event.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.list[first..self.ends[event]]
    }

    /// Adds an event.
    pub(crate) fn push(&mut self, own: &[Count]) {
        self.list.extend_from_slice(own);
        self.ends.push(self.list.len());
    }

    /// Replaces local name numbers with global ones.
    pub(crate) fn renumber(&mut self, global: impl Fn(TextId) -> TextId) {
        self.list.iter_mut().for_each(|count| count.name = global(count.name));
    }

    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.ends.clear();
    }
}
