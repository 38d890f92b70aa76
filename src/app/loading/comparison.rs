//! The second recording of a comparison, shown below the first.

use std::path::PathBuf;
use std::sync::Arc;

use flowline_index::Index;
use flowline_index::flows::FlowSetup;
use flowline_load::Origin;
use flowline_profile::{MarkerId, Ns, Profile};
use flowline_session::Alignment;

/// Requested alignment of a second recording. Markers are given by number because neither recording may be loaded yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AlignBy {
    /// By start.
    #[default]
    Start,
    /// By clock zero.
    Zero,
    /// A marker of A and one of B start at the same position.
    Markers(MarkerId, MarkerId),
    /// B starts this long after A.
    Offset(Ns),
}

impl AlignBy {
    /// Resolves the alignment of two recordings.
    ///
    /// # Errors
    /// Returns a message if a recording has no such marker.
    pub fn resolve(self, a: &Profile, b: &Profile) -> Result<Alignment, String> {
        let start = |profile: &Profile, marker: MarkerId, name: &str| {
            let place = profile.locate(marker);
            let start = place.map(|(thread, local)| profile.thread(thread).markers.start(local));
            start.ok_or_else(|| {
                format!(
                    "recording {name} has no marker {}; its {} are numbered from 0",
                    marker.0,
                    profile.marker_count()
                )
            })
        };
        Ok(match self {
            Self::Start => Alignment::Start,
            Self::Zero => Alignment::Zero,
            Self::Markers(in_a, in_b) => Alignment::Moments { a: start(a, in_a, "A")?, b: start(b, in_b, "B")? },
            Self::Offset(after) => Alignment::Offset(after),
        })
    }
}

/// A recording to open for a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompareWith {
    /// Origin of the recording.
    pub origin: Origin,
    /// Requested alignment.
    pub align: AlignBy,
}

/// A loaded second recording.
#[derive(Clone, Debug)]
pub struct SecondRecording {
    /// Recording and index.
    pub index: Arc<Index>,
    /// Flow rules applied to it.
    pub setup: Arc<FlowSetup>,
    /// Its path.
    pub path: PathBuf,
    /// Alignment with the first recording.
    pub alignment: Alignment,
}
