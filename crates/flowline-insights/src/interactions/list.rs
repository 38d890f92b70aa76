//! All interactions of a recording.

use super::interaction::Interaction;
use flowline_index::{Derived, Index};

/// The interactions of a recording.
#[derive(Clone, Debug, Default)]
pub struct Interactions {
    all: Vec<Interaction>,
    dropped: u32,
}

impl Interactions {
    /// The interactions of an index; see [`Index::derived`].
    pub fn of(index: &Index) -> &Self {
        index.derived()
    }

    /// The interactions of an index, if they have been read.
    #[must_use]
    pub fn if_built(index: &Index) -> Option<&Self> {
        index.derived_if_built()
    }

    /// All interactions by start, nested ones, too.
    #[must_use]
    pub fn list(&self) -> &[Interaction] {
        &self.all
    }

    /// Number of events that were left out because one of their halves or a value is missing.
    #[must_use]
    pub const fn dropped(&self) -> u32 {
        self.dropped
    }
}

impl Derived for Interactions {
    fn derive(_index: &Index) -> Self {
        Self::default()
    }
}
