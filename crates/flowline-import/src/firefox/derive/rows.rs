//! The raw rows from which a marker is derived.

use crate::firefox::threads::sentinels::NONE;

/// The raw rows from which a marker is derived.
#[derive(Clone, Copy, Debug)]
pub(in crate::firefox) struct MarkerRows {
    /// Its own row; for pairs, the end.
    pub(in crate::firefox) own: u32,
    /// The other row; [`NONE`] without one.
    pub(in crate::firefox) other: u32,
    /// Role of the other row.
    pub(in crate::firefox) link: RowLink,
}

/// Role of a marker's other row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::firefox) enum RowLink {
    /// Both rows together form the marker.
    Pair,
    /// The marker lasts until the other row.
    Until,
    /// The marker was abandoned in favor of the other row's marker.
    ReplacedBy,
}

impl MarkerRows {
    fn number(row: usize) -> u32 {
        u32::try_from(row).unwrap_or(NONE)
    }

    /// A marker of one row.
    pub(super) fn one(row: usize) -> Self {
        Self { own: Self::number(row), other: NONE, link: RowLink::Until }
    }

    /// A marker of a start and an end.
    pub(super) fn pair(start: usize, end: usize) -> Self {
        Self { own: Self::number(end), other: Self::number(start), link: RowLink::Pair }
    }

    /// A marker that lasts until another row.
    pub(super) fn until(row: usize, end: usize) -> Self {
        Self { own: Self::number(row), other: Self::number(end), link: RowLink::Until }
    }

    /// A marker that was abandoned in favor of another row's marker.
    pub(super) fn replaced_by(row: usize, other: usize) -> Self {
        Self { link: RowLink::ReplacedBy, ..Self::until(row, other) }
    }
}
