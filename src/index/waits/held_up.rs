//! What held a wait up: what ran meanwhile on the thread that it waited for.

use std::collections::HashMap;

use crate::index::Index;
use crate::profile::{StringId, ThreadId, TimeRange};

/// How a thread spent the time in which something waited for it. The parts add up to the wait.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeldUp {
    /// Names of the outermost intervals and the nanoseconds for which they ran, longest first.
    pub behind: Vec<(StringId, i64)>,
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
    let names = &profile.thread(thread).markers.name;
    let mut behind: HashMap<StringId, i64> = HashMap::new();
    let free = stack.outermost(wait, |marker, length| *behind.entry(names[marker.index()]).or_default() += length);
    let mut behind: Vec<(StringId, i64)> = behind.into_iter().collect();
    behind.sort_unstable_by_key(|(name, length)| (std::cmp::Reverse(*length), profile.strings.get(*name)));
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
