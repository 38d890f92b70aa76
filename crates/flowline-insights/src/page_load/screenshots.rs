//! Screenshots: their times, and their image data on request.
//!
//! Only markers are kept; the image is read from the recording's text when it is shown.

use crate::markers_by_name::all_markers_named;
use flowline_index::Derived;
use flowline_index::Index;
use flowline_profile::{MarkerId, Ns, Profile, Value};

/// Names of the markers: of Chrome, and of Firefox.
const NAMES: [&str; 2] = ["Screenshot", "CompositorScreenshot"];

/// A screenshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Screenshot {
    /// Time at which it was taken.
    pub time: Ns,
    /// The marker with the image.
    pub marker: MarkerId,
}

/// The screenshots of a recording, by time.
#[derive(Clone, Debug, Default)]
pub struct Screenshots(Vec<Screenshot>);

impl Screenshots {
    /// True if a recording may have screenshots. This reads no markers.
    #[must_use]
    pub fn may_have(profile: &Profile) -> bool {
        NAMES.iter().any(|name| profile.strings.find(name).is_some())
    }

    /// Finds the screenshots of a recording.
    #[must_use]
    pub fn build(profile: &Profile) -> Self {
        let found = all_markers_named(profile, &NAMES).into_iter();
        let mut all: Vec<Screenshot> = found
            .map(|(_, id, marker)| {
                let thread = profile.thread(id);
                Screenshot { time: thread.markers.start(marker), marker: thread.global(marker) }
            })
            .collect();
        all.sort_by_key(|own| (own.time, own.marker));
        Self(all)
    }

    /// All screenshots by time.
    #[must_use]
    pub fn list(&self) -> &[Screenshot] {
        &self.0
    }

    /// True if a marker is a screenshot.
    #[must_use]
    pub fn contains(&self, marker: MarkerId) -> bool {
        self.0.iter().any(|own| own.marker == marker)
    }

    /// The last screenshot at or before a time.
    #[must_use]
    pub fn at(&self, time: Ns) -> Option<Screenshot> {
        let after = self.0.partition_point(|own| own.time <= time);
        after.checked_sub(1).map(|at| self.0[at])
    }

    /// The encoded image of a screenshot, in base64 with or without the prefix of a data URL.
    #[must_use]
    pub fn data(profile: &Profile, marker: MarkerId) -> Option<String> {
        let (id, local) = profile.locate(marker)?;
        let thread = profile.thread(id);
        let payload = profile.payload_in(thread, local);
        match payload.get("snapshot").or_else(|| payload.get("url"))? {
            Value::String(text) => Some(text.clone()),
            // Raw profiles refer to the string table of the thread.
            Value::Int(index) => {
                thread.strings.get(profile.source.bytes(), u64::try_from(*index).ok()?).map(|text| text.to_string())
            }
            _ => None,
        }
    }
}

impl Screenshots {
    /// True if a recording has screenshots, or may have some while they have not been looked for.
    #[must_use]
    pub fn are_in(index: &Index) -> bool {
        Self::if_built(index).map_or_else(|| Self::may_have(index.profile()), |found| !found.0.is_empty())
    }
}

impl Derived for Screenshots {
    fn derive(index: &Index) -> Self {
        Self::build(index.profile())
    }
}
