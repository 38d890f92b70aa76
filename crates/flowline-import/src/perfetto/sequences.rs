//! The state of all sequences. Packets of one sequence often follow each other, so the last one is found without a search.

use foldhash::HashMap;

use super::sequence::Sequence;

/// The state of all sequences.
#[derive(Clone, Debug, Default)]
pub(super) struct Sequences {
    list: Vec<Sequence>,
    /// Indexes in the list, by the id of the sequence.
    indexes: HashMap<u32, usize>,
    /// Id and index of the last sequence; valid if the list is not empty.
    last: (u32, usize),
}

impl Sequences {
    /// Returns the state of a sequence.
    #[inline]
    pub(super) fn of(&mut self, id: u32) -> &mut Sequence {
        if self.last.0 != id || self.list.is_empty() {
            self.find(id);
        }
        &mut self.list[self.last.1]
    }

    #[inline(never)]
    fn find(&mut self, id: u32) {
        let next = self.list.len();
        let index = *self.indexes.entry(id).or_insert(next);
        if index == next {
            self.list.push(Sequence::default());
        }
        self.last = (id, index);
    }

    /// Returns the state of a sequence that has packets.
    #[inline]
    pub(super) fn known(&self, id: u32) -> Option<&Sequence> {
        let index = if self.last.0 == id { self.last.1 } else { *self.indexes.get(&id)? };
        self.list.get(index)
    }
}
