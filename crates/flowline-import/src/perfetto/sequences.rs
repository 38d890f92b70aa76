//! The state of all sequences. Packets of one sequence often follow each other, so the last one is found without a search.

use std::sync::Arc;

use foldhash::{HashMap, HashSet};

use super::bases::Bases;
use super::sequence::Sequence;

/// The state of all sequences. Copies share the sequences that do not change.
#[derive(Clone, Debug, Default)]
pub(super) struct Sequences {
    list: Vec<Slot>,
    /// Indexes in the list, by the id of the sequence.
    indexes: Arc<HashMap<u32, usize>>,
    /// Id and index of the last sequence.
    last: Option<(u32, usize)>,
    /// The sequences with values relative to the start of a part, if the values before it are unknown.
    relative: Option<HashSet<u32>>,
}

/// The state of a sequence.
#[derive(Clone, Debug)]
enum Slot {
    Shared(Arc<Sequence>),
    Own(Box<Sequence>),
}

impl Slot {
    #[inline]
    fn get(&self) -> &Sequence {
        match self {
            Self::Shared(sequence) => sequence,
            Self::Own(sequence) => sequence,
        }
    }

    #[inline]
    fn make_own(&mut self) -> &mut Sequence {
        if let Self::Shared(shared) = self {
            *self = Self::Own(Box::new(Sequence::clone(shared)));
        }
        match self {
            Self::Own(sequence) => sequence,
            Self::Shared(shared) => Arc::make_mut(shared),
        }
    }
}

impl Sequences {
    /// Returns a copy. Both share all sequences until they change.
    pub(super) fn share(&mut self) -> Self {
        for slot in &mut self.list {
            if let Slot::Own(own) = slot {
                *slot = Slot::Shared(Arc::new(std::mem::take(&mut **own)));
            }
        }
        self.clone()
    }

    /// Returns the state of a sequence.
    #[inline]
    pub(super) fn of(&mut self, id: u32) -> &mut Sequence {
        let index = match self.last {
            Some((last, index)) if last == id => index,
            _ => self.find(id),
        };
        self.list[index].make_own()
    }

    #[inline(never)]
    fn find(&mut self, id: u32) -> usize {
        let index = match self.indexes.get(&id) {
            Some(index) => *index,
            None => {
                let next = self.list.len();
                Arc::make_mut(&mut self.indexes).insert(id, next);
                self.list.push(Slot::Own(Box::default()));
                next
            }
        };
        if let Some(relative) = &mut self.relative
            && relative.insert(id)
        {
            self.list[index].make_own().bases.start_part();
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
        self.list.get(index).map(Slot::get)
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
