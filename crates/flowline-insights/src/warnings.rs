//! The warnings of a recording, with those about the events of page loads.

use crate::dropped::Dropped;
use crate::frames::Frames;
use crate::interactions::Interactions;
use crate::layout_shifts::LayoutShifts;
use crate::page_load::Milestones;
use crate::read_limit::beyond_limit;
use flowline_index::{Derived, Index};
use flowline_profile::{Profile, WarningKind, Warnings};

/// The warnings about the events of page loads.
#[derive(Clone, Debug, Default)]
pub struct PageWarnings(Warnings);

impl PageWarnings {
    /// True if a recording may have such warnings. This reads no markers.
    #[must_use]
    pub fn may_have(profile: &Profile) -> bool {
        let parts = [Milestones::may_have, Interactions::may_have, Frames::may_have, LayoutShifts::may_have];
        parts.iter().any(|may_have| may_have(profile))
    }

    /// All warnings of an index: those of the import and of flow fields, too.
    #[must_use]
    pub fn with_import(index: &Index) -> Warnings {
        Self::of(index).merged(index)
    }

    /// The same, without the events of page loads until they have been read.
    #[must_use]
    pub fn with_import_if_built(index: &Index) -> Warnings {
        Self::if_built(index).map_or_else(|| index.warnings(), |own| own.merged(index))
    }

    fn merged(&self, index: &Index) -> Warnings {
        let mut warnings = index.warnings();
        warnings.merge(self.0.clone());
        warnings
    }
}

impl Derived for PageWarnings {
    fn derive(index: &Index) -> Self {
        let mut warnings = Warnings::default();
        let all = [
            ("milestones", Milestones::of(index).dropped()),
            ("interactions", Interactions::of(index).dropped()),
            ("frames", Frames::of(index).dropped()),
            ("layout shifts", LayoutShifts::of(index).dropped()),
        ];
        for (of, dropped) in all {
            let place = || place(index, of, dropped);
            warnings.add_many(WarningKind::PageEvents, u64::from(dropped.count()), place);
        }
        let (count, first) = beyond_limit(index.profile());
        warnings.add_many(WarningKind::PageEventLimit, count, || first);
        Self(warnings)
    }
}

/// The first event that was left out.
fn place(index: &Index, of: &str, dropped: Dropped) -> String {
    let Some(marker) = dropped.first() else { return of.to_owned() };
    let profile = index.profile();
    let name = profile.locate(marker).map(|(id, local)| {
        let name = profile.thread(id).markers.name(local);
        profile.strings.get(name)
    });
    format!("{of}: {} (marker {})", name.unwrap_or_default(), marker.0)
}
