//! The work of a thread as its outermost slices, and what took most of a range.

use flowline_profile::{LocalMarker, MarkerFlags, MarkerId, Ns, Profile, ThreadId, TimeRange};

/// A slice with more markers inside is not looked into.
const MAX_INSIDE: usize = 20_000;
/// Slices nested deeper are not looked into.
const MAX_DEPTH: usize = 64;

/// A slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Slice {
    marker: LocalMarker,
    times: TimeRange,
}

/// The outermost slices of a thread, by start and without overlap.
#[derive(Clone, Debug)]
pub(crate) struct BusyThread {
    thread: ThreadId,
    slices: Vec<Slice>,
}

impl BusyThread {
    /// Finds the slices in one pass over the markers of a thread.
    pub(crate) fn new(profile: &Profile, id: ThreadId) -> Self {
        let thread = profile.thread(id);
        let attributes = thread.markers.attributes();
        let own = attributes.items().iter();
        let works: Vec<bool> = own
            .map(|own| own.flags.has(MarkerFlags::STACK_BASED) && !profile.is_waiting_state(thread, own.name))
            .collect();
        let mut slices: Vec<Slice> = Vec::new();
        let ranges = thread.markers.times().ranges().enumerate();
        for (marker, times) in ranges.filter(|(_, times)| !times.is_empty()) {
            if !works[attributes.number(marker)] {
                continue;
            }
            let slice = Slice { marker: LocalMarker::new(marker), times };
            match slices.last_mut() {
                // A longer slice with the same start contains the other one.
                Some(last) if last.times.start == times.start && times.end > last.times.end => *last = slice,
                Some(last) if times.start < last.times.end => {}
                _ => slices.push(slice),
            }
        }
        Self { thread: id, slices }
    }

    /// The outermost slices that overlap a range, with their time in it.
    fn within(&self, range: TimeRange) -> impl Iterator<Item = (Slice, i64)> {
        let first = self.slices.partition_point(|slice| slice.times.end <= range.start);
        let slices = self.slices[first..].iter().take_while(move |slice| slice.times.start < range.end);
        slices.map(move |slice| (*slice, inside(slice.times, range)))
    }

    /// The time in a range that the thread worked.
    pub(super) fn busy(&self, range: TimeRange) -> Ns {
        Ns(self.within(range).fold(0_i64, |sum, (_, time)| sum.saturating_add(time)))
    }

    /// The slices that took most of a range, with their time in it, the longest first. In place of a slice that only wraps
    /// another one, that one is listed.
    pub(crate) fn longest(&self, profile: &Profile, range: TimeRange, most: usize) -> Vec<(MarkerId, Ns)> {
        let mut found: Vec<(Slice, i64)> = self.within(range).collect();
        found.sort_by_key(|(slice, time)| (std::cmp::Reverse(*time), slice.marker));
        found.truncate(most);
        let thread = profile.thread(self.thread);
        let named = |(slice, time): (Slice, i64)| {
            let (slice, time) = self.unwrapped(profile, (slice, time), range);
            (thread.global(slice.marker), Ns(time))
        };
        let mut found: Vec<(MarkerId, Ns)> = found.into_iter().map(named).collect();
        found.sort_by_key(|(marker, time)| (std::cmp::Reverse(*time), *marker));
        found
    }

    /// The innermost slice that takes at least three quarters of the time of each one around it.
    fn unwrapped(&self, profile: &Profile, outer: (Slice, i64), range: TimeRange) -> (Slice, i64) {
        let thread = profile.thread(self.thread);
        let times = thread.markers.times();
        let end = times.partition_point(|start| start < outer.0.times.end.min(range.end));
        let first = outer.0.marker.index() + 1;
        if end.saturating_sub(first) > MAX_INSIDE {
            return outer;
        }
        let mut found = outer;
        let mut depth = 0;
        for marker in (first..end).map(LocalMarker::new) {
            let own = thread.markers.range(marker);
            let nests = thread.markers.flags(marker).has(MarkerFlags::STACK_BASED);
            let time = inside(own, range);
            let is_inner = nests && found.0.times.start <= own.start && own.end <= found.0.times.end;
            if is_inner && time.saturating_mul(4) >= found.1.saturating_mul(3) && depth < MAX_DEPTH {
                found = (Slice { marker, times: own }, time);
                depth += 1;
            }
        }
        found
    }
}

/// The part of a time in a range.
fn inside(times: TimeRange, range: TimeRange) -> i64 {
    (times.end.min(range.end) - times.start.max(range.start)).0.max(0)
}
