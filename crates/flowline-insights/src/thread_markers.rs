//! The intervals of a thread, by name.

use flowline_profile::{LocalMarker, MarkerFlags, MarkerId, Profile, ThreadId, TimeRange};

/// At most this many intervals are read per question, so that damaged recordings stay cheap.
const MAX_READ: usize = 100_000;
/// At most this many markers are read to find the longest one of a range.
const MAX_IN_RANGE: usize = 10_000;

/// An interval.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interval {
    pub(crate) marker: LocalMarker,
    pub(crate) times: TimeRange,
}

/// The complete intervals of a thread with the wanted names, by start.
pub(crate) fn intervals_named(profile: &Profile, id: ThreadId, is_wanted: impl Fn(&str) -> bool) -> Vec<Interval> {
    let thread = profile.thread(id);
    let attributes = thread.markers.attributes();
    let is_complete = |flags: MarkerFlags| !flags.has(MarkerFlags::INSTANT) && !flags.has(MarkerFlags::INCOMPLETE);
    let wanted: Vec<bool> = attributes
        .items()
        .iter()
        .map(|own| is_complete(own.flags) && is_wanted(profile.strings.get(own.name)))
        .collect();
    if !wanted.contains(&true) {
        return Vec::new();
    }
    let found = attributes.numbers().enumerate().filter(|(_, number)| wanted[*number]).take(MAX_READ);
    let interval = |(marker, _): (usize, usize)| {
        let marker = LocalMarker::new(marker);
        Interval { marker, times: thread.markers.range(marker) }
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
