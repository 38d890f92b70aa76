//! Surfaces that show markers: a schema can exclude the markers of its type from the chart or from tables.
//!
//! A schema without a list of surfaces makes no statement, so its markers are shown everywhere, like those without a
//! schema. The Firefox Profiler lists network requests and screenshots only for tables because it has separate tracks
//! for them; Flowline shows them in the chart.

use crate::{LocalMarker, Profile, Schema, Thread, TypeId};

/// A part of the window that lists markers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkerSurface {
    /// Rows of the chart.
    Chart,
    /// Rows of the marker table.
    Table,
    /// The summary of a thread.
    Overview,
    /// The track of the memory of a process.
    Memory,
    /// The track of the messages of a thread.
    Ipc,
    /// The track of the file accesses of a thread.
    FileIo,
}

impl Schema {
    /// True if the markers of this type are shown on a surface. The surfaces beside the chart and the table only show
    /// markers whose schema lists them.
    #[must_use]
    pub fn is_shown_in(&self, place: MarkerSurface) -> bool {
        let word = match place {
            MarkerSurface::Chart if matches!(self.name.as_str(), "Network" | "CompositorScreenshot") => return true,
            MarkerSurface::Chart => "marker-chart",
            MarkerSurface::Table => "marker-table",
            MarkerSurface::Overview => "timeline-overview",
            MarkerSurface::Memory => "timeline-memory",
            MarkerSurface::Ipc => "timeline-ipc",
            MarkerSurface::FileIo => "timeline-fileio",
        };
        let is_usual = matches!(place, MarkerSurface::Chart | MarkerSurface::Table);
        (self.display.is_empty() && is_usual) || self.display.iter().any(|known| known == word)
    }
}

/// The payload types whose markers are excluded from a surface.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HiddenTypes(Vec<bool>);

impl HiddenTypes {
    /// The excluded types of a recording.
    #[must_use]
    #[inline]
    pub fn new(profile: &Profile, place: MarkerSurface) -> Self {
        let is_hidden = |id: TypeId| profile.types.schema(id).is_some_and(|schema| !schema.is_shown_in(place));
        let types: Vec<bool> = profile.types.iter().map(|(id, _)| is_hidden(id)).collect();
        if types.contains(&true) { Self(types) } else { Self::default() }
    }

    /// True if no type is excluded.
    #[must_use]
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// True if a marker is excluded.
    #[must_use]
    #[inline]
    pub fn has(&self, thread: &Thread, marker: LocalMarker) -> bool {
        !self.is_empty() && thread.markers.kind(marker).is_some_and(|kind| self.0.get(kind.index()) == Some(&true))
    }

    /// Number of excluded markers.
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
