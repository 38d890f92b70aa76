//! The values of counter events. They are read together with the events: the events of a counter are scattered over the
//! recording, and a large recording does not stay in memory.

use crate::trace_events::text::ids::{NONE, TextId};

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
    /// Placeholder for missing arguments.
    Missing,
}

/// The arguments of counter events, event by event. NaN and infinities are gaps, not damage, and are omitted.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    list: Vec<Count>,
    /// Total number of arguments up to the end of each event.
    ends: Vec<usize>,
    /// Units by event, ascending: those of binary recordings, which take long to read again. At least the first event of
    /// a counter in each batch has one.
    units: Vec<(usize, TextId)>,
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

    /// States the unit of the event that is added next.
    pub(crate) fn add_unit(&mut self, unit: TextId) {
        self.units.push((self.ends.len(), unit));
    }

    /// Returns the unit of an event; [`NONE`] without one.
    pub(crate) fn unit(&self, event: usize) -> TextId {
        let found = self.units.binary_search_by_key(&event, |(event, _)| *event);
        found.map_or(NONE, |at| self.units[at].1)
    }

    /// Replaces local name numbers with global ones.
    pub(crate) fn renumber(&mut self, global: impl Fn(TextId) -> TextId) {
        self.list.iter_mut().for_each(|count| count.name = global(count.name));
        self.units.iter_mut().for_each(|(_, unit)| *unit = global(*unit));
    }

    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.ends.clear();
        self.units.clear();
    }
}
