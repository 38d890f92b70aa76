//! Ids of events, and other members that only some events have.

use std::hash::BuildHasher;
use std::sync::LazyLock;

use foldhash::fast::{FixedState, RandomState};

use flowline_json::RawString;
use flowline_profile::Ns;

/// Value for a missing time.
pub(crate) const NO_TIME: Ns = Ns(i64::MIN);
/// Number of an interned string.
pub(crate) type TextId = u32;
/// Value for a missing string or a missing extra.
pub(crate) const NONE: u32 = u32::MAX;

/// Returns a number without a fraction of zeros: `1.0` and `1` are the same JSON number.
pub(crate) fn whole_number(number: &[u8]) -> &[u8] {
    let Some(point) = memchr::memchr(b'.', number) else { return number };
    let (whole, fraction) = number.split_at(point);
    let is_zero = fraction.len() > 1 && fraction[1..].iter().all(|digit| *digit == b'0');
    if is_zero && !whole.is_empty() { whole } else { number }
}

/// The scope of an id.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub(crate) enum IdKind {
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
pub(crate) type IdIdentity = (u64, u64, u64);

/// An id: the offset of its text and two hashes of it. A number and a string with the same text are the same id.
///
/// The first hash is the same in every run and defines the order of ids. The second has a random seed, so that two
/// texts with equal hashes cannot be constructed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Id {
    /// Kind in the lowest byte, offset above.
    packed: u64,
    pub(crate) hash: u64,
    check: u64,
}

impl Id {
    /// Creates the id of a string or a number.
    #[inline]
    pub(crate) fn new(kind: IdKind, raw: RawString<'_>) -> Self {
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
    pub(crate) const fn kind(&self) -> IdKind {
        match self.packed & 0xff {
            0 => IdKind::None,
            1 => IdKind::Plain,
            2 => IdKind::Local,
            3 => IdKind::Global,
            _ => IdKind::Track,
        }
    }

    /// Returns the same id with its text further on.
    pub(crate) const fn moved_by(self, bytes: u64) -> Self {
        Self { packed: self.packed + (bytes << 8), ..self }
    }

    /// Returns the offset of the text: the opening quote or the first digit.
    pub(crate) const fn offset(&self) -> u64 {
        self.packed >> 8
    }

    /// Returns the offset of the text, and its hash.
    pub(crate) const fn place(&self) -> (u64, u64) {
        (self.offset(), self.hash)
    }

    /// Returns the randomly seeded hash, which distinguishes ids with equal first hashes.
    #[inline]
    pub(crate) const fn check(&self) -> u64 {
        self.check
    }

    /// Returns the identity: equal exactly for ids with the same kind and text.
    #[inline]
    pub(crate) const fn identity(&self) -> IdIdentity {
        (self.packed & 0xff, self.hash, self.check)
    }

    /// Returns true if both ids have the same kind and text.
    #[inline]
    pub(crate) fn matches(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }
}

/// Members that only some events have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extra {
    pub(crate) id: Id,
    pub(crate) bind: Id,
    pub(crate) scope: TextId,
    pub(crate) cname: TextId,
    /// A duration that does not fit into [`super::event::Event`].
    pub(crate) dur: Ns,
    /// Number of following extras, each with one of the event's flows in [`Extra::bind`]. In these extras: 1 if the
    /// flow ends.
    pub(crate) more: u32,
}

impl Extra {
    /// An extra without members.
    pub(crate) const EMPTY: Self = {
        let id = Id { packed: 0, hash: 0, check: 0 };
        Self { id, bind: id, scope: NONE, cname: NONE, dur: NO_TIME, more: 0 }
    };
}
