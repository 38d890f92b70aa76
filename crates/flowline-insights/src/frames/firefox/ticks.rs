//! The ticks of main threads, and which of them made some content.

use std::collections::BTreeMap;

use super::events::{Event, Events};
use flowline_profile::{Ns, ThreadId};

/// Ticks of one thread do not overlap, so that few of the ticks before the last one can last longer.
const MAX_STEPS: usize = 64;

/// The ticks, with the starts of the display lists made meanwhile.
pub(super) struct Ticks<'a> {
    ticks: &'a [Event],
    /// By thread, ascending.
    display_lists: BTreeMap<ThreadId, Vec<Ns>>,
}

impl<'a> Ticks<'a> {
    pub(super) fn new(events: &'a Events) -> Self {
        let mut display_lists: BTreeMap<ThreadId, Vec<Ns>> = BTreeMap::new();
        for list in &events.display_lists {
            display_lists.entry(list.thread).or_default().push(list.times.start);
        }
        Self { ticks: &events.ticks, display_lists }
    }

    /// The tick in which content began. All processes tick at the same refresh of the display; content begins right before its
    /// display list is made, so the tick with the next display list is the one. Without display lists, the last tick that
    /// begins before is.
    pub(super) fn of_content(&self, start: Ns) -> Option<&'a Event> {
        let end = self.ticks.partition_point(|tick| tick.times.start <= start);
        let open = self.ticks[..end].iter().rev().take(MAX_STEPS).filter(|tick| tick.times.end >= start);
        open.min_by_key(|tick| self.next_list(tick, start).map_or(i64::MAX, |next| (next - start).0))
    }

    /// The first display list of a tick after a time.
    fn next_list(&self, tick: &Event, start: Ns) -> Option<Ns> {
        let own = self.display_lists.get(&tick.thread)?;
        let next = *own.get(own.partition_point(|list| *list < start))?;
        (next <= tick.times.end).then_some(next)
    }
}
