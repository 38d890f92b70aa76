//! Flags of markers.

use bytemuck::{Pod, Zeroable};

/// Flags of a marker, one byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub struct MarkerFlags(u8);

impl MarkerFlags {
    /// No flag.
    pub const NONE: Self = Self(0);
    /// A point in time, without an end.
    pub const INSTANT: Self = Self(1);
    /// The start or the end is not in the recording and was filled in.
    pub const INCOMPLETE: Self = Self(2);
    /// Nests by containment with the other stack-based markers of its thread.
    pub const STACK_BASED: Self = Self(4);

    /// The flags as bits.
    #[must_use]
    #[inline]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Restores flags from [`MarkerFlags::bits`].
    #[must_use]
    #[inline]
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits)
    }

    /// The union with `other`.
    #[must_use]
    #[inline]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The flags that are not in `other`.
    #[must_use]
    #[inline]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// True if all flags of `other` are set.
    #[must_use]
    #[inline]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}
