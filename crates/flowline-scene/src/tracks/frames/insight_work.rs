//! The work that the emphasized insight is about, by thread: frames that show it, or that it held up, are outlined.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::row::FrameRow;
use flowline_index::Index;
use flowline_insights::frames::{Frames, PageFrame};
use flowline_profile::{ProcessId, Profile, ThreadId, TimeRange};
use flowline_view::InsightFocus;

/// The times of the insight's markers.
#[derive(Debug)]
pub(super) struct InsightWork {
    focus: Arc<InsightFocus>,
    /// For each thread, times without overlap, ascending.
    threads: BTreeMap<ThreadId, Vec<TimeRange>>,
    /// The frames of the insight, by process.
    rows: BTreeMap<ProcessId, FrameRow>,
}

impl InsightWork {
    pub(super) fn new(profile: &Profile, focus: &Arc<InsightFocus>) -> Self {
        let mut threads: BTreeMap<ThreadId, Vec<TimeRange>> = BTreeMap::new();
        for marker in focus.markers.iter().flat_map(|markers| markers.iter()) {
            if let Some((thread, local)) = profile.locate(*marker) {
                threads.entry(thread).or_default().push(profile.thread(thread).markers.range(local));
            }
        }
        for times in threads.values_mut() {
            times.sort_unstable_by_key(|own| (own.start, own.end));
            times.dedup_by(|next, last| {
                let overlaps = next.start <= last.end;
                last.end = if overlaps { last.end.max(next.end) } else { last.end };
                overlaps
            });
        }
        Self { focus: Arc::clone(focus), threads, rows: BTreeMap::new() }
    }

    /// True if it is that of an insight.
    pub(super) fn is_of(&self, focus: &Arc<InsightFocus>) -> bool {
        Arc::ptr_eq(&self.focus, focus)
    }

    /// True if one of the insight's markers on a thread overlaps a range.
    fn overlaps(&self, thread: ThreadId, range: TimeRange) -> bool {
        let times = self.threads.get(&thread).map_or(&[][..], Vec::as_slice);
        let first = times.partition_point(|own| own.end <= range.start && own.start < range.start);
        times.get(first).is_some_and(|own| own.start < range.end)
    }

    /// True if the insight is about a frame: if it names one of the frame's markers, if the frame shows work of the insight
    /// for the first time, or if it came late or not at all while that work took the page's main thread.
    pub(super) fn has(&self, frame: &PageFrame, main: Option<ThreadId>) -> bool {
        let markers = self.focus.markers.as_deref().unwrap_or_default();
        let is_named = |marker| markers.binary_search(marker).is_ok();
        let shows = || frame.main_work.is_some_and(|(thread, work)| self.overlaps(thread, work));
        let is_held_up = || frame.is_bad() && main.is_some_and(|main| self.overlaps(main, frame.times));
        is_named(&frame.marker) || frame.markers.iter().any(is_named) || shows() || is_held_up()
    }
}

impl InsightWork {
    /// The frames of a process that the insight is about.
    pub(super) fn row(&mut self, index: &Index, frames: &Frames, (process, all): (ProcessId, &FrameRow)) -> &FrameRow {
        let is_known = self.rows.contains_key(&process);
        if !is_known {
            let own = all.filtered(index, frames, |frame| self.has(frame, all.main));
            self.rows.insert(process, own);
        }
        &self.rows[&process]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowline_profile::Ns;

    #[test]
    fn ranges_that_only_touch_do_not_overlap() {
        let range = |start: i64, end: i64| TimeRange { start: Ns(start), end: Ns(end) };
        let threads = BTreeMap::from([(ThreadId(1), vec![range(10, 20), range(30, 30), range(40, 50)])]);
        let work = InsightWork { focus: Arc::default(), threads, rows: BTreeMap::new() };
        let cases = [((0, 10), false), ((0, 11), true), ((20, 30), false), ((20, 31), true), ((30, 31), true)];
        for ((start, end), wanted) in cases.into_iter().chain([((31, 40), false), ((45, 60), true), ((50, 60), false)])
        {
            assert_eq!(work.overlaps(ThreadId(1), range(start, end)), wanted, "{start} to {end}");
            assert!(!work.overlaps(ThreadId(2), range(start, end)));
        }
    }
}
