//! The location of a payload.

use bytemuck::{Pod, Zeroable};

use crate::columns::Offsets;
use crate::persist::persist;

/// Byte offset of a payload object in the input; [`PayloadRef::NONE`] for markers without a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub struct PayloadRef(pub u64);
persist!(PayloadRef(offset));

impl PayloadRef {
    /// No payload.
    pub const NONE: Self = Self(u64::MAX);

    /// Converts to a number for [`Offsets`].
    #[must_use]
    #[inline]
    pub(crate) const fn to_number(self) -> i64 {
        if self.0 == Self::NONE.0 { Offsets::MISSING } else { self.0.cast_signed() }
    }

    /// Converts from [`PayloadRef::to_number`].
    #[must_use]
    #[inline]
    pub(crate) const fn from_number(number: i64) -> Self {
        if number == Offsets::MISSING { Self::NONE } else { Self(number.cast_unsigned()) }
    }

    /// The offset, if there is a payload.
    #[must_use]
    #[inline]
    pub fn offset(self) -> Option<usize> {
        if self == Self::NONE { None } else { usize::try_from(self.0).ok() }
    }
}
