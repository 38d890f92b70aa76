//! The values of counter events. They are read while the text of their events is at hand: the events of a counter stand all over
//! a recording, and a large one does not stay in memory.

use super::ids::TextId;

/// An argument of a counter event.
#[derive(Clone, Copy, Debug)]
pub(super) struct Count {
    /// Its name.
    pub(super) name: TextId,
    pub(super) value: CountValue,
}

/// What an argument says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum CountValue {
    /// A finite number.
    Number(f64),
    /// Something that is no number.
    NoNumber,
    /// The arguments are no object; this stands for all of them.
    NoObject,
}

/// The arguments of counter events, event by event. NaN and infinities are gaps, not damage, and are left out.
#[derive(Debug, Default)]
pub(super) struct Counts {
    list: Vec<Count>,
    /// Number of arguments up to the end of each event.
    ends: Vec<usize>,
}

impl Counts {
    /// The arguments of an event by its number among the counter events.
    pub(super) fn of(&self, event: usize) -> &[Count] {
        let first = event.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.list[first..self.ends[event]]
    }

    /// Adds an event.
    pub(super) fn push(&mut self, own: &[Count]) {
        self.list.extend_from_slice(own);
        self.ends.push(self.list.len());
    }

    /// Replaces the numbers of names.
    pub(super) fn renumber(&mut self, global: impl Fn(TextId) -> TextId) {
        self.list.iter_mut().for_each(|count| count.name = global(count.name));
    }

    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.ends.clear();
    }
}
