//! Where markers are shown: a schema may keep the markers of its type out of the chart or out of tables.
//!
//! A schema without any place says nothing, so its markers are shown, as are those without a schema. Network requests and
//! screenshots are listed for tables only because the Firefox Profiler has tracks of its own for them; here they are in the
//! chart.

use super::{LocalMarker, Profile, Schema, Thread, TypeId};

/// A part of the window that lists markers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Rows of the chart.
    Chart,
    /// Rows of the marker table.
    Table,
}

impl Schema {
    /// Whether the markers of this type are meant for a place.
    #[must_use]
    pub fn is_shown_in(&self, place: Place) -> bool {
        let word = match place {
            Place::Chart if matches!(self.name.as_str(), "Network" | "CompositorScreenshot") => return true,
            Place::Chart => "marker-chart",
            Place::Table => "marker-table",
        };
        self.display.is_empty() || self.display.iter().any(|known| known == word)
    }
}

/// The payload types whose markers are kept out of a place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HiddenTypes(Vec<bool>);

impl HiddenTypes {
    /// The types of a recording.
    #[must_use]
    pub fn new(profile: &Profile, place: Place) -> Self {
        let is_hidden = |id: TypeId| profile.types.schema(id).is_some_and(|schema| !schema.is_shown_in(place));
        let types: Vec<bool> = profile.types.iter().map(|(id, _)| is_hidden(id)).collect();
        if types.contains(&true) { Self(types) } else { Self::default() }
    }

    /// Whether no type is kept out.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a marker is kept out.
    #[must_use]
    pub fn has(&self, thread: &Thread, marker: LocalMarker) -> bool {
        !self.is_empty() && thread.markers.kind(marker).is_some_and(|kind| self.0.get(kind.index()) == Some(&true))
    }

    /// Number of markers that are kept out.
    #[must_use]
    pub fn count(&self, profile: &Profile) -> u64 {
        if self.is_empty() {
            return 0;
        }
        let of_thread = |thread: &Thread| {
            let markers = (0..thread.markers.len()).map(LocalMarker::new);
            markers.filter(|marker| self.has(thread, *marker)).count() as u64
        };
        profile.threads.iter().map(of_thread).sum()
    }
}
