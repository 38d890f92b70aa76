//! The steps of a training loop: markers named `ProfilerStep#N`, which only recordings of PyTorch have. The host and the
//! GPU have a marker each.

use crate::markers_by_name::all_markers_named;
use flowline_profile::{LocalMarker, Profile, ThreadId, TimeRange};

/// Beginning of the names of the markers.
const PROFILER_STEP: &str = "ProfilerStep#";
/// At most this many names are read.
const MAX_STEPS: usize = 10_000;

/// A step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TrainingStep<'a> {
    pub(crate) name: &'a str,
    /// From its first start to its last end.
    pub(crate) range: TimeRange,
    /// The marker that starts first.
    pub(crate) thread: ThreadId,
    pub(crate) marker: LocalMarker,
}

/// True if a recording may have steps. This reads no markers.
pub(crate) fn may_have_steps(profile: &Profile) -> bool {
    profile.strings.iter().any(|(_, name)| name.starts_with(PROFILER_STEP))
}

/// The steps of a recording by time.
pub(crate) fn training_steps(profile: &Profile) -> Vec<TrainingStep<'_>> {
    let names = profile.strings.iter().map(|(_, name)| name).filter(|name| name.starts_with(PROFILER_STEP));
    let names: Vec<&str> = names.take(MAX_STEPS).collect();
    let mut steps: Vec<Option<TrainingStep<'_>>> = vec![None; names.len()];
    for (number, thread, marker) in all_markers_named(profile, &names) {
        let markers = &profile.thread(thread).markers;
        let range = TimeRange::new(markers.start(marker), markers.end(marker));
        let own = TrainingStep { name: names[number], range, thread, marker };
        steps[number] = Some(match steps[number].take() {
            Some(known) if known.range.start <= range.start => {
                TrainingStep { range: known.range.union(range), ..known }
            }
            Some(known) => TrainingStep { range: known.range.union(range), ..own },
            None => own,
        });
    }
    let mut found: Vec<TrainingStep<'_>> = steps.into_iter().flatten().collect();
    found.sort_by_key(|own| (own.range.start, own.range.end, own.name));
    found
}
