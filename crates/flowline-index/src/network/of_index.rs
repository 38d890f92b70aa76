//! The network requests of an index, derived on first use.

use super::Network;
use crate::derived_data::Derived;
use crate::{Clock, Index};
use flowline_profile::Profile;

impl Derived for Network {
    fn derive(profile: &Profile, clock: Clock) -> Self {
        Self::build(profile).with_tracks(profile, clock)
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
