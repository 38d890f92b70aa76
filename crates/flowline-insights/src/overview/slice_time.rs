//! The time of the slices of a thread, without the slices inside them, by column and kind.

use super::columns::{Columns, KINDS, bin_of, bin_start};
use flowline_index::IDLE_ENTRY;
use flowline_index::{Index, WorkSlices};
use flowline_profile::{LocalMarker, Ns, ThreadId, TimeRange};

/// A sweep over the slices of a thread.
struct Sweep<'a> {
    range: TimeRange,
    columns: &'a mut Columns,
    /// The open slices: end and kind, the innermost last.
    open: Vec<(Ns, usize)>,
    /// Time up to which work has been added.
    until: Ns,
}

/// Adds the time of the slices of a thread that are work.
pub(super) fn add_slices(index: &Index, id: ThreadId, range: TimeRange, columns: &mut Columns) {
    let (thread, styles, long) = (index.profile().thread(id), index.source().styles, index.long());
    let attributes = thread.markers.attributes();
    let work = WorkSlices::of(index.profile(), thread);
    let mut sweep = Sweep { range, columns, open: Vec::new(), until: range.start };
    for (marker, times) in thread.markers.times().ranges().enumerate() {
        let number = attributes.number(marker);
        if times.len() <= 0 || !work.is_drawn(number, Ns(times.len()), long) {
            continue;
        }
        sweep.advance(times.start);
        let kind = usize::from(styles.get(thread.global(LocalMarker::new(marker))).color()) % KINDS;
        sweep.open.push((times.end, kind));
    }
    sweep.advance(Ns(i64::MAX));
}

impl Sweep<'_> {
    /// Adds the work up to a time.
    fn advance(&mut self, time: Ns) {
        while let Some((end, kind)) = self.open.last().copied() {
            self.add(end.min(time), kind);
            if end > time {
                return;
            }
            self.open.pop();
        }
        self.until = self.until.max(time);
    }

    /// Adds work of a kind up to a time.
    fn add(&mut self, to: Ns, kind: usize) {
        let to = to.min(self.range.end);
        let until = self.until.max(to);
        let from = std::mem::replace(&mut self.until, until);
        // Idle time is no work.
        if to <= from || kind == usize::from(IDLE_ENTRY) {
            return;
        }
        let (first, last) = (bin_of(self.range, from), bin_of(self.range, Ns(to.0 - 1)));
        for bin in first..=last {
            let (start, end) = (bin_start(self.range, bin).max(from), bin_start(self.range, bin + 1).min(to));
            let length = if first == last { (to - from).0 } else { (end - start).0 };
            self.columns[bin][kind] += u64::try_from(length).unwrap_or(0);
        }
    }
}
