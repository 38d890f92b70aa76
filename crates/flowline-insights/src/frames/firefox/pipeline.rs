//! Frames from the way of content to the screen: a refresh of the display, a tick of a main thread, a composite.

use super::events::{Event, Events, starting_in};
use super::presented::{Presented, fill_in};
use super::ticks::Ticks;
use crate::dropped::Dropped;
use crate::frames::budget::Budget;
use crate::frames::list::Frames;
use crate::frames::page_frame::{FrameState, MissedReason, PageFrame};
use crate::intervals::Intervals;
use flowline_index::Index;
use flowline_profile::{Ns, TimeRange};

/// With a longer time between two refreshes, the display was off meanwhile.
const MAX_INTERVAL: i64 = 50_000_000;

/// The frames of a profile.
pub(in crate::frames) fn frames(index: &Index) -> Frames {
    let events = Events::new(index.profile());
    if events.composites.is_empty() {
        return Frames::unknown("no Composite in the recording: record the thread Renderer");
    }
    let intervals: Vec<(usize, TimeRange)> = refreshes(&events.vsyncs).collect();
    let budget = Budget::of_intervals(intervals.iter().map(|(_, interval)| interval.len()).collect());
    let ticks = Ticks::new(&events);
    let mut all = shown(index, &events, &ticks, budget);
    all.extend(missed(index, &events, &ticks, &intervals));
    let mut frames = Frames::new(all, budget, Dropped::default());
    fill_in(index, frames.list_mut());
    frames
}

/// The intervals between two refreshes, with the positions of their starts.
fn refreshes(vsyncs: &[Event]) -> impl Iterator<Item = (usize, TimeRange)> {
    let pairs = vsyncs.windows(2).enumerate();
    let intervals = pairs.map(|(at, pair)| (at, TimeRange::new(pair[0].times.start, pair[1].times.start)));
    intervals.filter(|(_, interval)| interval.len() <= MAX_INTERVAL)
}

/// One frame for each composite.
fn shown(index: &Index, events: &Events, ticks: &Ticks<'_>, budget: Budget) -> Vec<PageFrame> {
    let mut by_end: Vec<&Event> = events.contents.iter().collect();
    by_end.sort_by_key(|content| content.times.end);
    let frame = |composite: &Event| {
        let times = composite.times;
        let before = events.vsyncs.partition_point(|vsync| vsync.times.start <= times.start).checked_sub(1);
        let vsync = before.map(|at| &events.vsyncs[at]);
        let vsync = vsync.filter(|vsync| (times.start - vsync.times.start).0 <= budget.time.0);
        let first = by_end.partition_point(|content| content.times.end < times.start);
        let contents: Vec<&Event> =
            by_end[first..].iter().copied().take_while(|content| content.times.end <= times.end).collect();
        let start = vsync.map_or(times.start, |vsync| vsync.times.start);
        let oldest = contents.iter().map(|content| content.times.start).min();
        let longest = contents.iter().map(|content| content.times.len()).max();
        let own = TimeRange { start, end: times.end };
        let mut frame = PageFrame::new(FrameState::Shown, own, composite.thread, composite.marker);
        frame.is_late = longest.is_some_and(|length| length > budget.time.0.saturating_mul(2));
        frame.content = Some(u32::try_from(contents.len()).unwrap_or(u32::MAX));
        frame.content_start = oldest;
        frame.composite_start = Some(times.start);
        frame.vsync = vsync.map(|vsync| vsync.times.start);
        frame.main_work = oldest.and_then(|oldest| ticks.of_content(oldest)).map(|tick| (tick.thread, tick.times));
        let made = contents.iter().filter_map(|content| ticks.of_content(content.times.start));
        if let Some(presented) = Presented::of_ticks(index, made) {
            presented.name(&mut frame);
        }
        frame.markers.extend(vsync.map(|vsync| vsync.marker));
        frame.markers.extend(contents.iter().map(|content| content.marker));
        frame.markers.sort_unstable();
        frame
    };
    events.composites.iter().map(frame).collect()
}

fn intervals_of(events: &[Event]) -> Intervals {
    Intervals::new(events.iter().map(|event| event.times))
}

/// The intervals between refreshes in which no frame was composited, although there was something to show.
fn missed(index: &Index, events: &Events, ticks: &Ticks<'_>, intervals: &[(usize, TimeRange)]) -> Vec<PageFrame> {
    let (composites, contents) = (intervals_of(&events.composites), intervals_of(&events.contents));
    let last = |to: Ns| Ns(to.0.saturating_sub(1));
    let frame = |(at, interval): &(usize, TimeRange)| {
        let (from, to) = (interval.start, interval.end);
        if !starting_in(&events.composites, (from, last(to))).is_empty() {
            return None;
        }
        let skipped = starting_in(&events.skipped, (from, last(to)));
        let reason = if !skipped.is_empty() {
            MissedReason::Skipped
        } else if composites.covers(from, from) {
            MissedReason::CompositorBusy
        } else if contents.covers(from, to) {
            MissedReason::ContentPending
        } else {
            return None;
        };
        let vsync = &events.vsyncs[*at];
        let mut frame = PageFrame::new(FrameState::Missed, *interval, vsync.thread, vsync.marker);
        frame.reason = Some(reason);
        frame.vsync = Some(from);
        frame.markers.extend(skipped.iter().map(|skipped| skipped.marker));
        if reason == MissedReason::ContentPending {
            let made = pending(&events.contents, from, to).filter_map(|content| ticks.of_content(content.times.start));
            if let Some(presented) = Presented::of_ticks(index, made) {
                presented.name(&mut frame);
            }
        }
        Some(frame)
    };
    intervals.iter().filter_map(frame).collect()
}

/// The content that was on its way during all of a range, the newest first. Few are on their way at once.
fn pending(contents: &[Event], from: Ns, to: Ns) -> impl Iterator<Item = &Event> {
    const MAX_STEPS: usize = 64;
    let end = contents.partition_point(|content| content.times.start < from);
    contents[..end].iter().rev().take(MAX_STEPS).filter(move |content| content.times.end > to)
}
