//! The intervals of a thread, by name.

use crate::read_limit::{MAX_READ, is_counted};
use flowline_profile::{LocalMarker, MarkerFlags, MarkerId, Profile, ThreadId, TimeRange};

/// At most this many markers are read to find the longest one of a range.
const MAX_IN_RANGE: usize = 10_000;

/// An interval.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interval {
    pub(crate) marker: LocalMarker,
    pub(crate) times: TimeRange,
}

/// The complete intervals of a thread with these names, by start, up to [`MAX_READ`] per name. The warnings count the
/// others.
pub(crate) fn intervals_named(profile: &Profile, id: ThreadId, names: &[&str]) -> Vec<Interval> {
    debug_assert!(names.iter().all(|name| is_counted(name)), "the warnings count what is beyond the limit: {names:?}");
    let mut counts = vec![0_usize; names.len()];
    let position = |name: &str| names.iter().position(|own| *own == name);
    let mut found = find(profile, id, position);
    found.retain(|(name, _)| {
        counts[*name] += 1;
        counts[*name] <= MAX_READ
    });
    found.into_iter().map(|(_, interval)| interval).collect()
}

/// The times of all complete intervals of a thread whose names are wanted, by start.
pub(crate) fn times_named(profile: &Profile, id: ThreadId, is_wanted: impl Fn(&str) -> bool) -> Vec<TimeRange> {
    let found = find(profile, id, |name| is_wanted(name).then_some(0));
    found.into_iter().map(|(_, interval)| interval.times).collect()
}

/// The complete intervals whose names have a position, with it.
fn find(profile: &Profile, id: ThreadId, position: impl Fn(&str) -> Option<usize>) -> Vec<(usize, Interval)> {
    let thread = profile.thread(id);
    let attributes = thread.markers.attributes();
    let is_complete = |flags: MarkerFlags| !flags.has(MarkerFlags::INSTANT) && !flags.has(MarkerFlags::INCOMPLETE);
    let of = |name| position(profile.strings.get(name));
    let wanted: Vec<Option<usize>> =
        attributes.items().iter().map(|own| of(own.name).filter(|_| is_complete(own.flags))).collect();
    if wanted.iter().all(Option::is_none) {
        return Vec::new();
    }
    let found = attributes.numbers().enumerate().filter_map(|(marker, number)| Some((marker, wanted[number]?)));
    let interval = |(marker, position): (usize, usize)| {
        let marker = LocalMarker::new(marker);
        (position, Interval { marker, times: thread.markers.range(marker) })
    };
    found.map(interval).collect()
}

/// The longest interval of a thread that begins within a range, as the marker to look at.
pub(crate) fn longest_in(profile: &Profile, id: ThreadId, range: TimeRange) -> Option<MarkerId> {
    let thread = profile.thread(id);
    let times = thread.markers.times();
    let first = times.partition_point(|start| start < range.start);
    let end = times.partition_point(|start| start <= range.end);
    let markers = (first..end.max(first)).take(MAX_IN_RANGE).map(LocalMarker::new);
    let complete = markers.filter(|marker| thread.markers.end(*marker) <= range.end);
    let longest = complete.max_by_key(|marker| (thread.markers.range(*marker).len(), std::cmp::Reverse(*marker)));
    longest.map(|marker| thread.global(marker))
}
