//! The network requests of an index, derived on first use.

use super::Network;
use crate::{Derived, Index};

impl Derived for Network {
    fn derive(index: &Index) -> Self {
        Self::build(index.profile()).with_tracks(index.clock())
    }
}

impl Index {
    /// The network requests; see [`Index::derived`].
    #[inline]
    pub fn network(&self) -> &Network {
        self.derived()
    }

    /// The network requests, if they have been derived.
    #[must_use]
    #[inline]
    pub fn network_if_built(&self) -> Option<&Network> {
        self.derived_if_built()
    }
}
