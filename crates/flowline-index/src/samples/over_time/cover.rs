//! Activity of threads without samples: the time that their markers cover, each moment in the color of the marker that began
//! last, which is the deepest one of a stack.
//!
//! Steps are exact up to [`MOST_EXACT`] markers. Longer threads are divided into [`BINS`] equal parts with the share that is
//! covered, so that their steps take little memory. Only work counts ([`WorkSlices`]), with intervals that do not nest unless
//! they are long: those state that something was in progress, not that the thread worked.

use std::sync::OnceLock;

use super::cpu_track::CpuTrack;
use super::steps::{Shares, Steps};
use crate::colors::Styles;
use crate::rows::Clock;
use crate::work::WorkSlices;
use flowline_profile::{LocalMarker, MarkerFlags, Ns, Profile, Thread, ThreadId, get_or_build};

/// Threads with more markers have bins.
const MOST_EXACT: usize = 1 << 18;
/// Number of bins.
const BINS: u64 = 1 << 17;

/// The activity of threads without samples, built on first use.
#[derive(Debug, Default)]
pub(crate) struct Covers(Vec<OnceLock<Box<CpuTrack>>>);

impl Covers {
    /// Creates an empty collection for a number of threads.
    pub(crate) fn new(threads: usize) -> Self {
        Self((0..threads).map(|_| OnceLock::new()).collect())
    }

    /// The activity of a thread, if it is built.
    pub(crate) fn if_built(&self, thread: ThreadId) -> Option<&CpuTrack> {
        self.0.get(thread.index())?.get().map(Box::as_ref)
    }

    /// Builds the activity of a thread.
    pub(crate) fn build(&self, profile: &Profile, styles: &Styles, clock: Clock, long: Ns, thread: ThreadId) {
        let Some(slot) = self.0.get(thread.index()) else { return };
        get_or_build(slot, || {
            Box::new(CpuTrack::of_steps(steps(profile, profile.thread(thread), styles, clock, long)))
        });
    }
}

/// The steps of a thread.
fn steps(profile: &Profile, thread: &Thread, styles: &Styles, clock: Clock, long: Ns) -> Steps {
    let mut steps = Steps::default();
    if thread.markers.len() <= MOST_EXACT {
        visit(profile, thread, styles, long, |time, color| {
            steps.push(clock.tick(time), if color.is_some() { 100 } else { 0 }, color.unwrap_or(0));
        });
        return steps;
    }
    let Some(extent) = thread.markers.times().extent() else { return steps };
    let (first, end) = (clock.tick(extent.start), clock.tick(extent.end));
    let mut bins = Bins::new(steps, first, (end - first).div_ceil(BINS).max(1));
    visit(profile, thread, styles, long, |time, color| bins.change(clock.tick(time), color));
    bins.finish(end)
}

/// Calls `each` with the time and the color of each change; `None` if nothing covers the time after it.
fn visit(profile: &Profile, thread: &Thread, styles: &Styles, long: Ns, mut each: impl FnMut(Ns, Option<u8>)) {
    let attributes = thread.markers.attributes();
    let work = WorkSlices::of(profile, thread);
    // Ends and colors of the markers that contain the current time, the last one on top.
    let mut open: Vec<(Ns, u8)> = Vec::new();
    let close = |open: &mut Vec<(Ns, u8)>, until: Ns, each: &mut dyn FnMut(Ns, Option<u8>)| {
        while let Some((end, _)) = open.pop_if(|(end, _)| *end <= until) {
            while open.pop_if(|(other, _)| *other <= end).is_some() {}
            each(end, open.last().map(|(_, color)| *color));
        }
    };
    for (marker, range) in thread.markers.times().ranges().enumerate() {
        let number = attributes.number(marker);
        let is_instant = attributes.items()[number].flags.has(MarkerFlags::INSTANT);
        if !is_instant && !work.is_drawn(number, Ns(range.len()), long) {
            continue;
        }
        close(&mut open, range.start, &mut each);
        let color = styles.get(thread.global(LocalMarker::new(marker))).color();
        if !range.is_empty() {
            each(range.start, Some(color));
            open.push((range.end, color));
        } else if open.is_empty() {
            // An instant has no length, but a color.
            each(range.start, Some(color));
            each(range.start, None);
        }
    }
    close(&mut open, Ns(i64::MAX), &mut each);
}

/// Collects changes as shares of equal parts of the time.
struct Bins {
    steps: Steps,
    width: u64,
    /// Start of the current bin.
    start: u64,
    shares: Shares,
    /// Up to here, the time is added.
    at: u64,
    color: Option<u8>,
    /// The last change of the color.
    changed: u64,
}

impl Bins {
    const fn new(steps: Steps, first: u64, width: u64) -> Self {
        Self { steps, width, start: first, shares: [0; _], at: first, color: None, changed: first }
    }

    fn change(&mut self, tick: u64, color: Option<u8>) {
        self.advance(tick);
        if let Some(color) = self.color.filter(|_| self.changed == tick) {
            // A marker shorter than a tick counts as one.
            let share = &mut self.shares[usize::from(color) % self.shares.len()];
            *share = (*share).max(1);
        }
        (self.color, self.changed) = (color, tick);
    }

    /// Adds the time since the last change.
    fn advance(&mut self, tick: u64) {
        while self.at < tick {
            let end = (self.start + self.width).min(tick);
            if let Some(color) = self.color {
                self.shares[usize::from(color) % self.shares.len()] += end - self.at;
            }
            self.at = end;
            if end == self.start + self.width {
                self.flush();
                // Bins without contents need no steps.
                let skipped = if self.color.is_none() { (tick - end) / self.width * self.width } else { 0 };
                if skipped > 0 {
                    self.steps.push(end, 0, 0);
                }
                self.start = end + skipped;
                self.at = self.start;
            }
        }
    }

    fn flush(&mut self) {
        let sum: u64 = self.shares.iter().sum();
        let most = (0_u8..).zip(&self.shares).max_by_key(|(_, share)| **share).map_or(0, |(color, _)| color);
        let percent = u8::try_from((sum * 100).div_ceil(self.width).min(100)).unwrap_or(100);
        self.steps.push(self.start, percent, most);
        self.shares = [0; _];
    }

    fn finish(mut self, end: u64) -> Steps {
        self.advance(end);
        self.flush();
        self.steps.push(end.max(self.start + 1), 0, 0);
        self.steps
    }
}

#[cfg(test)]
mod tests {
    use super::{Bins, Steps};

    #[test]
    fn bins_contain_the_share_that_is_covered() {
        let mut bins = Bins::new(Steps::default(), 100, 10);
        for (tick, color) in [(100, Some(1)), (105, None), (110, Some(2)), (125, Some(3)), (130, None), (178, Some(1))]
        {
            bins.change(tick, color);
        }
        let steps = bins.finish(182);
        let found: Vec<(u64, f32, u8)> = steps.iter().collect();
        let expected = [(100, 50.0, 1), (110, 100.0, 2), (130, 0.0, 0), (170, 20.0, 1), (180, 20.0, 1), (182, 0.0, 0)];
        // The last bin continues the one before, because both have the same share.
        let merged: Vec<_> = expected.into_iter().filter(|step| step.0 != 180).collect();
        assert_eq!(found[0], merged[0]);
        assert_eq!(found.last(), merged.last());
        assert!(found.contains(&(130, 0.0, 0)), "{found:?}");
    }
}
