//! Arrangements of markers into rows; index, view and command line share this type.

use crate::StringId;
use crate::persist::persist;

/// Arrangement of a thread's markers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Arrangement {
    /// One row group per marker name, groups ordered by category.
    #[default]
    ByName,
    /// Stack-based markers nested by containment; other markers below them, by name.
    Stack,
}
persist!(enum Arrangement { 0 => ByName, 1 => Stack });

impl Arrangement {
    /// The other arrangement.
    #[must_use]
    #[inline]
    pub const fn other(self) -> Self {
        match self {
            Self::ByName => Self::Stack,
            Self::Stack => Self::ByName,
        }
    }

    /// Name on the command line and in `dump`.
    #[must_use]
    #[inline]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ByName => "name",
            Self::Stack => "stack",
        }
    }
}

/// Contents of a row group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GroupKind {
    /// All markers with this name.
    Name(StringId),
    /// All network requests.
    Network,
    /// Nested stack-based markers.
    Stack,
    /// Asynchronous operations whose outermost slice has this name; the slices of each operation are nested.
    Operations(StringId),
    /// Bookkeeping of the recorded program: telemetry, preferences, messages between its own parts.
    Internals,
}
persist!(enum GroupKind { 0 => Name(name), 1 => Network, 2 => Stack, 3 => Operations(name), 4 => Internals });
