//! Ids of events, and what else only some events have.

use std::hash::BuildHasher;
use std::sync::LazyLock;

use foldhash::fast::{FixedState, RandomState};

use super::event::{NO_TIME, NONE, TextId};
use crate::profile::Ns;
use crate::profile::json::RawString;

/// Where an id is valid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub(super) enum IdKind {
    /// There is none.
    #[default]
    None = 0,
    /// `id`.
    Plain = 1,
    /// `id2.local`: in its process.
    Local = 2,
    /// `id2.global`.
    Global = 3,
}

/// An id: where its text stands, and two hashes of the text. Numbers and strings of one text are one id.
///
/// The first hash is the same in every run; ids are put in its order. The second depends on numbers drawn at random when
/// the program starts, so nobody can write texts of which both are equal: then the texts are.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Id {
    /// Kind in the lowest byte, offset above.
    packed: u64,
    pub(super) hash: u64,
    check: u64,
}

impl Id {
    /// The id whose text, a string or digits, stands at its offset.
    #[inline]
    pub(super) fn new(kind: IdKind, raw: RawString<'_>) -> Self {
        let decoded;
        let text = if raw.bytes.contains(&b'\\') {
            decoded = raw.decode();
            decoded.as_bytes()
        } else {
            raw.bytes
        };
        static CHECK: LazyLock<RandomState> = LazyLock::new(RandomState::default);
        Self {
            packed: (raw.offset as u64) << 8 | kind as u64,
            hash: FixedState::default().hash_one(text),
            check: CHECK.hash_one(text),
        }
    }

    #[inline]
    pub(super) const fn kind(&self) -> IdKind {
        match self.packed & 0xff {
            0 => IdKind::None,
            1 => IdKind::Plain,
            2 => IdKind::Local,
            _ => IdKind::Global,
        }
    }

    /// Where its text stands: the opening quote, or the first digit.
    pub(super) const fn offset(&self) -> u64 {
        self.packed >> 8
    }

    /// Whether both are of one kind and text.
    #[inline]
    pub(super) fn is(&self, other: &Self) -> bool {
        (self.packed & 0xff, self.hash, self.check) == (other.packed & 0xff, other.hash, other.check)
    }
}

/// What only some events have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extra {
    pub(super) id: Id,
    pub(super) bind: Id,
    pub(super) scope: TextId,
    pub(super) cname: TextId,
    /// A length that does not fit the event.
    pub(super) dur: Ns,
}

impl Extra {
    /// Of an event that has none of it.
    pub(super) const EMPTY: Self = {
        let id = Id { packed: 0, hash: 0, check: 0 };
        Self { id, bind: id, scope: NONE, cname: NONE, dur: NO_TIME }
    };
}
