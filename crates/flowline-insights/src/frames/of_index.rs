//! The frames of an index, read once from the markers of its format.

use super::list::Frames;
use super::{chrome, firefox};
use flowline_index::{Derived, Index};
use flowline_profile::Profile;

impl Frames {
    /// True if a recording may have frames. This reads no markers.
    #[must_use]
    pub fn may_have(profile: &Profile) -> bool {
        if profile.source.holds_events() { chrome::may_have(profile) } else { firefox::may_have(profile) }
    }
}

impl Derived for Frames {
    fn derive(index: &Index) -> Self {
        let profile = index.profile();
        if !Self::may_have(profile) {
            return Self::default();
        }
        if profile.source.holds_events() { chrome::frames(index) } else { firefox::frames(index) }
    }
}
