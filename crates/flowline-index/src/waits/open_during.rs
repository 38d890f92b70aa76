//! Intervals that were open on a thread without stating that they occupied it.

use std::cmp::Reverse;

use flowline_profile::{LocalMarker, MarkerFlags, MarkerId, Profile, ThreadId, TimeRange};

/// The interval of a thread, other than `except`, that was open longest during a range, and for how long. Intervals that
/// are not nested can overlap, so this one need not be what the thread did.
#[must_use]
pub fn open_during(profile: &Profile, thread: ThreadId, range: TimeRange, except: MarkerId) -> Option<(MarkerId, i64)> {
    let data = profile.thread(thread);
    let is_other =
        |marker: &LocalMarker| !data.markers.flags(*marker).has(MarkerFlags::INSTANT) && data.global(*marker) != except;
    let open = (0..data.markers.len()).map(LocalMarker::new).filter(is_other);
    let lengths = open.map(|marker| (data.global(marker), data.markers.range(marker).within(range).len()));
    lengths.filter(|(_, ns)| *ns > 0).max_by_key(|(marker, ns)| (*ns, Reverse(*marker)))
}

/// True if a thread has an interval.
#[must_use]
pub fn has_intervals(profile: &Profile, thread: ThreadId) -> bool {
    let markers = &profile.thread(thread).markers;
    (0..markers.len()).map(LocalMarker::new).any(|marker| !markers.flags(marker).has(MarkerFlags::INSTANT))
}
