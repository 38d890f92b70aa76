//! The ways to arrange markers into rows; index, view and command line share this type.

use super::StringId;
use super::persist::persist;

/// How a thread's markers are arranged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Arrangement {
    /// One group of rows per marker name, groups ordered by category.
    #[default]
    ByName,
    /// Stack-based markers nested by containment, the others by name below.
    Stack,
}
persist!(enum Arrangement { 0 => ByName, 1 => Stack });

impl Arrangement {
    /// The other arrangement.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::ByName => Self::Stack,
            Self::Stack => Self::ByName,
        }
    }

    /// Its name on the command line and in `dump`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ByName => "name",
            Self::Stack => "stack",
        }
    }
}

/// The content of a group of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GroupKind {
    /// All markers of a name.
    Name(StringId),
    /// All network requests.
    Network,
    /// Nested stack-based markers.
    Stack,
    /// Asynchronous operations whose outermost slice has this name, with the slices of each operation nested.
    Operations(StringId),
}
persist!(enum GroupKind { 0 => Name(name), 1 => Network, 2 => Stack, 3 => Operations(name) });
