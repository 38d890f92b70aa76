//! The custom tracks of an index, derived on first use.

use super::CustomTracks;
use crate::{Derived, Index};

impl Derived for CustomTracks {
    fn derive(index: &Index) -> Self {
        Self::build(index.profile()).with_tracks(index.clock())
    }
}

impl Index {
    /// The custom tracks; see [`Index::derived`].
    #[inline]
    pub fn custom_tracks(&self) -> &CustomTracks {
        self.derived()
    }

    /// The custom tracks, if they have been derived.
    #[must_use]
    #[inline]
    pub fn custom_tracks_if_built(&self) -> Option<&CustomTracks> {
        self.derived_if_built()
    }
}
