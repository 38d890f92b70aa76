//! The markers with certain names, found without reading the others' payloads.

use rayon::prelude::*;

use crate::read_limit::{MAX_READ, is_counted};
use flowline_profile::{LocalMarker, Profile, StringId, Thread, ThreadId, TimeRange};

/// A marker with one of the wanted names: position of the name, thread, marker.
pub(crate) type Named = (usize, ThreadId, LocalMarker);

/// The markers with these names on the threads that `wanted` accepts, by thread and start, up to [`MAX_READ`] per name and
/// thread. The warnings count the others.
pub(crate) fn markers_named(profile: &Profile, names: &[&str], wanted: impl Fn(&Thread) -> bool + Sync) -> Vec<Named> {
    debug_assert!(names.iter().all(|name| is_counted(name)), "the warnings count what is beyond the limit: {names:?}");
    find(profile, names, wanted, |_| true, MAX_READ)
}

/// All markers with these names whose times `is_kept` accepts, for callers that read few payloads.
pub(crate) fn all_markers_named_in(
    profile: &Profile,
    names: &[&str],
    wanted: impl Fn(&Thread) -> bool + Sync,
    is_kept: impl Fn(TimeRange) -> bool + Sync,
) -> Vec<Named> {
    find(profile, names, wanted, is_kept, usize::MAX)
}

/// All markers with these names, for callers that do not read their payloads.
pub(crate) fn all_markers_named(profile: &Profile, names: &[&str]) -> Vec<Named> {
    find(profile, names, |_| true, |_| true, usize::MAX)
}

/// True if a marker has one of these names. This reads no marker.
pub(crate) fn has_markers_named(profile: &Profile, names: &[&str]) -> bool {
    let ids: Vec<StringId> = names.iter().filter_map(|name| profile.strings.find(name)).collect();
    let has = |thread: &Thread| thread.markers.attributes().items().iter().any(|own| ids.contains(&own.name));
    !ids.is_empty() && profile.threads.iter().any(has)
}

fn find(
    profile: &Profile,
    names: &[&str],
    wanted: impl Fn(&Thread) -> bool + Sync,
    is_kept: impl Fn(TimeRange) -> bool + Sync,
    most: usize,
) -> Vec<Named> {
    let ids: Vec<Option<StringId>> = names.iter().map(|name| profile.strings.find(name)).collect();
    if ids.iter().all(Option::is_none) {
        return Vec::new();
    }
    let of_thread = |(index, thread): (usize, &Thread)| -> Vec<Named> {
        let attributes = thread.markers.attributes();
        let position = |name: StringId| ids.iter().position(|id| *id == Some(name));
        let found: Vec<Option<usize>> = attributes.items().iter().map(|own| position(own.name)).collect();
        if !wanted(thread) || found.iter().all(Option::is_none) {
            return Vec::new();
        }
        let mut counts = vec![0_usize; names.len()];
        let numbers = attributes.numbers().enumerate();
        let times = thread.markers.times();
        let named = numbers.filter_map(|(marker, number)| Some((found[number]?, marker)));
        let named = named.filter(|(_, marker)| is_kept(times.range(*marker)));
        let few = named.filter(|(name, _)| {
            counts[*name] += 1;
            counts[*name] <= most
        });
        few.map(|(name, marker)| (name, ThreadId::new(index), LocalMarker::new(marker))).collect()
    };
    let parts: Vec<Vec<Named>> = profile.threads.par_iter().enumerate().map(of_thread).collect();
    parts.into_iter().flatten().collect()
}
