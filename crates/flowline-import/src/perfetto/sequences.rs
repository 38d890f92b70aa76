//! The state of all sequences. Packets of one sequence often follow each other, so the last one is found without a search.

use std::sync::Arc;

use foldhash::{HashMap, HashSet};

use super::bases::Bases;
use super::sequence::Sequence;

/// The state of all sequences. Copies share the sequences that do not change.
#[derive(Clone, Debug, Default)]
pub(super) struct Sequences {
    list: Vec<Arc<Sequence>>,
    /// Indexes in the list, by the id of the sequence.
    indexes: Arc<HashMap<u32, usize>>,
    /// Id and index of the last sequence.
    last: Option<(u32, usize)>,
    /// The sequences with values relative to the start of a part, if the values before it are unknown.
    relative: Option<HashSet<u32>>,
}

impl Sequences {
    /// Returns the state of a sequence.
    #[inline]
    pub(super) fn of(&mut self, id: u32) -> &mut Sequence {
        let index = match self.last {
            Some((last, index)) if last == id => index,
            _ => self.find(id),
        };
        Arc::make_mut(&mut self.list[index])
    }

    #[inline(never)]
    fn find(&mut self, id: u32) -> usize {
        let index = match self.indexes.get(&id) {
            Some(index) => *index,
            None => {
                let next = self.list.len();
                Arc::make_mut(&mut self.indexes).insert(id, next);
                self.list.push(Arc::default());
                next
            }
        };
        if let Some(relative) = &mut self.relative
            && relative.insert(id)
        {
            Arc::make_mut(&mut self.list[index]).bases.start_part();
        }
        self.last = Some((id, index));
        index
    }

    /// Returns the state of a sequence that has packets.
    #[inline]
    pub(super) fn known(&self, id: u32) -> Option<&Sequence> {
        let index = match self.last {
            Some((last, index)) if last == id => index,
            _ => *self.indexes.get(&id)?,
        };
        self.list.get(index).map(|sequence| &**sequence)
    }

    /// A copy whose values are relative to this point.
    pub(super) fn start_part(&self) -> Self {
        Self { last: None, relative: Some(HashSet::default()), ..self.clone() }
    }

    /// Returns the values at the end of a part, for all sequences with packets in it, in no particular order.
    pub(super) fn end_part(&mut self) -> Vec<(u32, Bases)> {
        let used = self.relative.take().unwrap_or_default();
        used.into_iter().map(|id| (id, std::mem::take(&mut self.of(id).bases))).collect()
    }

    /// Goes on to the end of a part. `stated` has everything but the values that packets add to.
    pub(super) fn follow(&mut self, stated: &Self, ends: Vec<(u32, Bases)>) {
        for (id, end) in ends {
            let sequence = self.of(id);
            let mut bases = std::mem::take(&mut sequence.bases);
            bases.follow(end);
            *sequence = stated.known(id).cloned().unwrap_or_default();
            sequence.bases = bases;
        }
    }
}
