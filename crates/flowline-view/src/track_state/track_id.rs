//! Tracks of the kinds that `flowline-scene` registers.

/// A track: the key of its kind, and its number among the tracks of the kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TrackId {
    /// Key of the kind, which is also its key in saved views.
    pub kind: &'static str,
    /// Number of the track; the number of its process if each process has one track.
    pub number: u32,
}

impl TrackId {
    /// A track of a kind.
    #[must_use]
    #[inline]
    pub const fn new(kind: &'static str, number: u32) -> Self {
        Self { kind, number }
    }
}
