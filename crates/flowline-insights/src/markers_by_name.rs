//! The markers with certain names, found without reading the others' payloads.

use rayon::prelude::*;

use flowline_profile::{LocalMarker, Profile, StringId, Thread, ThreadId, TimeRange};

/// A marker with one of the wanted names: position of the name, thread, marker.
pub(crate) type Named = (usize, ThreadId, LocalMarker);

/// At most this many markers per name and thread are read, so that damaged recordings stay cheap.
const MAX_READ: usize = 100_000;

/// The markers with these names on the threads that `wanted` accepts, by thread and start.
pub(crate) fn markers_named(profile: &Profile, names: &[&str], wanted: impl Fn(&Thread) -> bool + Sync) -> Vec<Named> {
    markers_named_in(profile, names, wanted, |_| true)
}

/// The same for markers whose times `is_kept` accepts.
pub(crate) fn markers_named_in(
    profile: &Profile,
    names: &[&str],
    wanted: impl Fn(&Thread) -> bool + Sync,
    is_kept: impl Fn(TimeRange) -> bool + Sync,
) -> Vec<Named> {
    find(profile, names, wanted, is_kept, MAX_READ).0
}

/// All markers with these names, for callers that do not read their payloads.
pub(crate) fn all_markers_named(profile: &Profile, names: &[&str]) -> Vec<Named> {
    find(profile, names, |_| true, |_| true, usize::MAX).0
}

/// The markers with these names, and the number of markers beyond the limit, which are left out.
pub(crate) fn markers_named_and_excess(
    profile: &Profile,
    names: &[&str],
    wanted: impl Fn(&Thread) -> bool + Sync,
) -> (Vec<Named>, u64) {
    find(profile, names, wanted, |_| true, MAX_READ)
}

fn find(
    profile: &Profile,
    names: &[&str],
    wanted: impl Fn(&Thread) -> bool + Sync,
    is_kept: impl Fn(TimeRange) -> bool + Sync,
    most: usize,
) -> (Vec<Named>, u64) {
    let ids: Vec<Option<StringId>> = names.iter().map(|name| profile.strings.find(name)).collect();
    if ids.iter().all(Option::is_none) {
        return (Vec::new(), 0);
    }
    let of_thread = |(index, thread): (usize, &Thread)| -> (Vec<Named>, u64) {
        let attributes = thread.markers.attributes();
        let position = |name: StringId| ids.iter().position(|id| *id == Some(name));
        let found: Vec<Option<usize>> = attributes.items().iter().map(|own| position(own.name)).collect();
        if !wanted(thread) || found.iter().all(Option::is_none) {
            return (Vec::new(), 0);
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
        let few = few.map(|(name, marker)| (name, ThreadId::new(index), LocalMarker::new(marker))).collect();
        (few, counts.iter().map(|count| count.saturating_sub(most) as u64).sum())
    };
    let parts: Vec<(Vec<Named>, u64)> = profile.threads.par_iter().enumerate().map(of_thread).collect();
    let excess = parts.iter().map(|(_, excess)| excess).sum();
    (parts.into_iter().flat_map(|(found, _)| found).collect(), excess)
}
