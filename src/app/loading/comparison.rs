//! The second recording of a comparison, shown below the first.

use std::path::PathBuf;
use std::sync::Arc;

use flowline_index::Index;
use flowline_index::flows::FlowSetup;
use flowline_index::search::{self, Hits, Query};
use flowline_insights::page_load::MilestoneKind;
use flowline_load::Origin;
use flowline_profile::{LocalMarker, MarkerId, Ns, Profile, Thread, ThreadId};
use flowline_session::{Alignment, milestone_alignment};

/// Requested alignment of a second recording. Neither recording may be loaded yet, so markers are given by number or search, and
/// times on the displayed clocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum AlignBy {
    /// By start.
    #[default]
    Start,
    /// By clock zero.
    Zero,
    /// A marker of A and one of B start at the same position.
    Markers(MarkerId, MarkerId),
    /// The first markers that match a search start at the same position.
    Search(String),
    /// A time of A and one of B are at the same position.
    Times(Ns, Ns),
    /// By a milestone of the page load that each recording shows.
    Milestone(MilestoneKind),
    /// B starts this long after A.
    Offset(Ns),
}

impl AlignBy {
    /// Resolves the alignment of two recordings.
    ///
    /// # Errors
    /// Returns a message if a recording has no such marker or milestone.
    pub fn resolve(&self, a: &Index, b: &Index) -> Result<Alignment, String> {
        let moments = |a: Result<Ns, String>, b: Result<Ns, String>| Ok(Alignment::Moments { a: a?, b: b? });
        match self {
            Self::Start => Ok(Alignment::Start),
            Self::Zero => Ok(Alignment::Zero),
            Self::Markers(in_a, in_b) => moments(start(a.profile(), *in_a, "A"), start(b.profile(), *in_b, "B")),
            Self::Search(text) => moments(first_match(a, text, "A"), first_match(b, text, "B")),
            Self::Times(in_a, in_b) => {
                Ok(Alignment::Moments { a: a.profile().time_zero() + *in_a, b: b.profile().time_zero() + *in_b })
            }
            Self::Milestone(kind) => milestone_alignment([a, b], *kind).ok_or_else(|| {
                let is_missing = |index: &Index| milestone_alignment([index, index], *kind).is_none();
                let name = if is_missing(a) { "A" } else { "B" };
                format!("recording {name} shows no page load with this milestone: {}", kind.name())
            }),
            Self::Offset(after) => Ok(Alignment::Offset(*after)),
        }
    }
}

/// The start of a marker.
fn start(profile: &Profile, marker: MarkerId, name: &str) -> Result<Ns, String> {
    let place = profile.locate(marker);
    let start = place.map(|(thread, local)| profile.thread(thread).markers.start(local));
    start.ok_or_else(|| {
        let count = profile.marker_count();
        format!("recording {name} has no marker {}; its {count} are numbered from 0", marker.0)
    })
}

/// The start of the first marker that matches a search.
fn first_match(index: &Index, text: &str, name: &str) -> Result<Ns, String> {
    let profile = index.profile();
    // Nothing cancels the search, so it always finishes.
    let query = search::resolve(profile, index.flows(), Query::parse(text), &|| true).map(|(query, _)| query);
    let query = query.filter(|query| !query.is_empty());
    let hits = query.and_then(|query| search::run(profile, index.flows(), &query, &|| true));
    let first = |hits: Hits| {
        let of_thread = |(id, thread): (ThreadId, &Thread)| {
            let markers = (0..thread.markers.len()).map(LocalMarker::new);
            markers.filter(|marker| hits.contains(id, *marker)).map(|marker| thread.markers.start(marker)).min()
        };
        profile.threads_with_ids().filter_map(of_thread).min()
    };
    hits.and_then(first).ok_or_else(|| format!("recording {name} has no marker that matches \"{text}\""))
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
