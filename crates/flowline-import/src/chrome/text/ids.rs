//! Ids of events, and other members that only some events have.

use std::hash::BuildHasher;
use std::sync::LazyLock;

use foldhash::fast::{FixedState, RandomState};

use flowline_json::RawString;
use flowline_profile::Ns;

/// Value for a missing time.
pub(in crate::chrome) const NO_TIME: Ns = Ns(i64::MIN);
/// Number of an interned string.
pub(in crate::chrome) type TextId = u32;
/// Value for a missing string or a missing extra.
pub(in crate::chrome) const NONE: u32 = u32::MAX;

/// The scope of an id.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub(in crate::chrome) enum IdKind {
    /// No id.
    #[default]
    None = 0,
    /// `id`.
    Plain = 1,
    /// `id2.local`: scoped to its process.
    Local = 2,
    /// `id2.global`.
    Global = 3,
    /// `id2.track`: a track of a Perfetto trace, which groups events of all categories.
    Track = 4,
}

/// The kind of an id and both hashes of its text.
pub(in crate::chrome) type IdIdentity = (u64, u64, u64);

/// An id: the offset of its text and two hashes of it. A number and a string with the same text are the same id.
///
/// The first hash is the same in every run and defines the order of ids. The second has a random seed, so that two
/// texts with equal hashes cannot be constructed.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::chrome) struct Id {
    /// Kind in the lowest byte, offset above.
    packed: u64,
    pub(in crate::chrome) hash: u64,
    check: u64,
}

impl Id {
    /// Creates the id of a string or a number.
    #[inline]
    pub(in crate::chrome) fn new(kind: IdKind, raw: RawString<'_>) -> Self {
        let decoded;
        // Invalid text is decoded, too, to match the index.
        let text = if raw.bytes.contains(&b'\\') || !raw.bytes.is_ascii() {
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
    pub(in crate::chrome) const fn kind(&self) -> IdKind {
        match self.packed & 0xff {
            0 => IdKind::None,
            1 => IdKind::Plain,
            2 => IdKind::Local,
            3 => IdKind::Global,
            _ => IdKind::Track,
        }
    }

    /// Returns the offset of the text: the opening quote or the first digit.
    pub(in crate::chrome) const fn offset(&self) -> u64 {
        self.packed >> 8
    }

    /// Returns the offset of the text, and its hash.
    pub(in crate::chrome) const fn place(&self) -> (u64, u64) {
        (self.offset(), self.hash)
    }

    /// Returns the randomly seeded hash, which distinguishes ids with equal first hashes.
    #[inline]
    pub(in crate::chrome) const fn check(&self) -> u64 {
        self.check
    }

    /// Returns the identity: equal exactly for ids with the same kind and text.
    #[inline]
    pub(in crate::chrome) const fn identity(&self) -> IdIdentity {
        (self.packed & 0xff, self.hash, self.check)
    }

    /// Returns true if both ids have the same kind and text.
    #[inline]
    pub(in crate::chrome) fn matches(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }
}

/// Members that only some events have.
#[derive(Clone, Copy, Debug)]
pub(in crate::chrome) struct Extra {
    pub(in crate::chrome) id: Id,
    pub(in crate::chrome) bind: Id,
    pub(in crate::chrome) scope: TextId,
    pub(in crate::chrome) cname: TextId,
    /// A duration that does not fit into [`super::event::Event`].
    pub(in crate::chrome) dur: Ns,
    /// Number of following extras, each with one of the event's flows in [`Extra::bind`]. In these extras: 1 if the
    /// flow ends.
    pub(in crate::chrome) more: u32,
}

impl Extra {
    /// An extra without members.
    pub(in crate::chrome) const EMPTY: Self = {
        let id = Id { packed: 0, hash: 0, check: 0 };
        Self { id, bind: id, scope: NONE, cname: NONE, dur: NO_TIME, more: 0 }
    };
}
