//! Ids of events, and other members that only some events have.

use std::hash::BuildHasher;
use std::sync::LazyLock;

use foldhash::fast::{FixedState, RandomState};

use flowline_json::RawString;
use flowline_profile::Ns;

/// No time.
pub(super) const NO_TIME: Ns = Ns(i64::MIN);
/// The number of a string.
pub(super) type TextId = u32;
/// No string, or no extra.
pub(super) const NONE: u32 = u32::MAX;

/// The scope of an id.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub(super) enum IdKind {
    /// No id.
    #[default]
    None = 0,
    /// `id`.
    Plain = 1,
    /// `id2.local`: in its process.
    Local = 2,
    /// `id2.global`.
    Global = 3,
    /// `id2.track`: what its events say is of one track of a Perfetto trace, whatever their categories.
    Track = 4,
}

/// The kind of an id and both hashes of its text.
pub(super) type IdIdentity = (u64, u64, u64);

/// An id: the offset of its text and two hashes of it. A number and a string of the same text are the same id.
///
/// The first hash is the same in every run and defines the order of ids. The second is seeded at random, so texts with two
/// equal hashes cannot be constructed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Id {
    /// Kind in the lowest byte, offset above.
    packed: u64,
    pub(super) hash: u64,
    check: u64,
}

impl Id {
    /// The id with this text, a string or digits.
    #[inline]
    pub(super) fn new(kind: IdKind, raw: RawString<'_>) -> Self {
        let decoded;
        // What is no valid text is decoded, too, as the index does it.
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
    pub(super) const fn kind(&self) -> IdKind {
        match self.packed & 0xff {
            0 => IdKind::None,
            1 => IdKind::Plain,
            2 => IdKind::Local,
            3 => IdKind::Global,
            _ => IdKind::Track,
        }
    }

    /// Offset of its text: the opening quote or the first digit.
    pub(super) const fn offset(&self) -> u64 {
        self.packed >> 8
    }

    /// Offset of its text, and the hash.
    pub(super) const fn place(&self) -> (u64, u64) {
        (self.offset(), self.hash)
    }

    /// Tells ids apart whose hashes are equal; its seed is random.
    #[inline]
    pub(super) const fn check(&self) -> u64 {
        self.check
    }

    /// What ids of one kind and text have in common, and no others.
    #[inline]
    pub(super) const fn identity(&self) -> IdIdentity {
        (self.packed & 0xff, self.hash, self.check)
    }

    /// Whether both are of one kind and text.
    #[inline]
    pub(super) fn matches(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }
}

/// Members that only some events have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extra {
    pub(super) id: Id,
    pub(super) bind: Id,
    pub(super) scope: TextId,
    pub(super) cname: TextId,
    /// A duration that does not fit into [`super::event::Event`].
    pub(super) dur: Ns,
    /// How many extras follow that have one of the event's flows each, as [`Extra::bind`]. In those: 1 if the flow ends.
    pub(super) more: u32,
}

impl Extra {
    /// No such members.
    pub(super) const EMPTY: Self = {
        let id = Id { packed: 0, hash: 0, check: 0 };
        Self { id, bind: id, scope: NONE, cname: NONE, dur: NO_TIME, more: 0 }
    };
}
