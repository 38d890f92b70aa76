//! What held a wait up: what ran meanwhile on the thread that it waited for.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::index::Index;
use crate::profile::{LocalMarker, MarkerId, StringId, ThreadId, TimeRange};

/// Intervals of one name that ran while something waited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Behind {
    /// Their name.
    pub name: StringId,
    /// Nanoseconds for which they ran during the wait.
    pub ns: i64,
    /// The one that ran longest during the wait; of equal ones the first.
    pub longest: MarkerId,
}

/// How a thread spent the time in which something waited for it. The parts add up to the wait.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeldUp {
    /// The outermost intervals by name, longest first.
    pub behind: Vec<Behind>,
    /// Nanoseconds for which the recording says that the thread slept.
    pub idle: i64,
    /// Nanoseconds of which the recording says nothing.
    pub unknown: i64,
}

/// What ran on a thread during a wait. Nothing is guessed: where no interval is on, the thread is idle only if the recording
/// says when it was awake. `None` for a track that is no thread, or has no intervals at all.
#[must_use]
pub fn held_up(index: &Index, thread: ThreadId, wait: TimeRange) -> Option<HeldUp> {
    let profile = index.profile();
    let stack = index.thread_stack(thread);
    if stack.is_empty() {
        return None;
    }
    let (data, mut by_name) = (profile.thread(thread), HashMap::<StringId, (i64, (i64, Reverse<LocalMarker>))>::new());
    let free = stack.outermost(wait, |marker, length| {
        let entry = by_name.entry(data.markers.name[marker.index()]).or_insert((0, (i64::MIN, Reverse(marker))));
        *entry = (entry.0 + length, entry.1.max((length, Reverse(marker))));
    });
    let of_name = |(name, (ns, (_, Reverse(longest))))| Behind { name, ns, longest: data.global(longest) };
    let mut behind: Vec<Behind> = by_name.into_iter().map(of_name).collect();
    behind.sort_unstable_by_key(|behind| (Reverse(behind.ns), profile.strings.get(behind.name)));
    let total: i64 = free.iter().map(|part| part.len()).sum();
    let awake = index.stacks.awake(profile, thread);
    let idle = awake.map_or(0, |awake| total - free.iter().map(|part| common(awake, *part)).sum::<i64>());
    Some(HeldUp { behind, idle, unknown: total - idle })
}

/// Nanoseconds that a range has in common with ranges in order.
fn common(ranges: &[TimeRange], part: TimeRange) -> i64 {
    let first = ranges.partition_point(|range| range.end <= part.start);
    let inside = ranges[first..].iter().take_while(|range| range.start < part.end);
    inside.map(|range| (range.end.min(part.end) - range.start.max(part.start)).0.max(0)).sum()
}
