//! Card lines for a marker that states a frame: its state and length, its budget, why it came late or not at all.

use std::collections::BTreeMap;

use crate::tracks::EntryTitle;
use flowline_format::{format_count, format_counted, format_duration_ns, format_fixed};
use flowline_index::{Derived, Index};
use flowline_insights::frames::{FrameCause, FramePart, FrameState, FrameThreads, Frames, PageFrame};
use flowline_profile::{DisplayClock, LocalMarker, MarkerId, Ns, Profile, ThreadId, TimeRange, Value};

/// Number of parts of a slow tick that are listed.
const PARTS: usize = 3;
/// At most this many markers of a tick are read.
const MAX_READ: usize = 10_000;
/// Names of intervals that only repeat the tick.
const TICK: &str = "RefreshDriverTick";

/// The lines of a marker's frame. Empty for other markers, and until frames have been read.
pub(super) fn lines(index: &Index, marker: MarkerId, clock: DisplayClock) -> Vec<(String, String)> {
    let Some(frames) = Frames::if_built(index) else { return Vec::new() };
    let Some((_, frame)) = frames.of_marker(marker) else { return Vec::new() };
    let mut lines: Vec<(String, String)> = Vec::new();
    let mut add = |label: &str, value: String| lines.push((label.to_owned(), value));
    add("Frame", summary(frame));
    add("Frame time", format!("from {}", clock.position(frame.times.start)));
    let assumed = if frames.is_budget_assumed() { ", assumed" } else { "" };
    add("Budget", format!("{}{assumed}", format_duration_ns(frames.budget().0)));
    if let Some(over) = over_budget(frames, frame) {
        add("Over budget", over);
    }
    if let Some(reason) = frame.reason {
        add("Missed because", reason.name().to_owned());
    }
    if let Some(cause) = FrameThreads::if_built(index).and_then(|threads| threads.cause(index, frames, frame)) {
        if let Some(part) = cause.late {
            add("Late part", part_text(part, &cause));
        }
        if !cause.slices.is_empty() {
            add("Main thread ran", slices_text(index.profile(), &cause));
        }
    }
    if let Some(content) = frame.content {
        add("New content", content_text(frame, content));
    }
    if let Some((thread, work)) = frame.main_work {
        add("Main-thread work", format!("{}, marked in the chart", format_duration_ns(work.len())));
        if let Some(slow) = slow_tick(index.profile(), thread, work, frames.budget()).filter(|_| frame.is_late) {
            add("Slow tick", slow);
        }
    }
    if let Some(report) = frame.report.and_then(|report| report_text(index.profile(), report)) {
        add("Pipeline", report);
    }
    lines
}

/// State and length of the frame that begins with a marker: "Late frame", "Dropped frame".
pub(super) fn title(index: &Index, marker: MarkerId) -> Option<EntryTitle> {
    let (_, frame) = Frames::if_built(index)?.of_marker(marker).filter(|(_, frame)| frame.marker == marker)?;
    let state = match frame.state {
        FrameState::Shown if frame.is_late => "Late frame",
        FrameState::Shown => "Frame",
        FrameState::Dropped => "Dropped frame",
        FrameState::Partial if frame.is_late => "Late frame, partly shown",
        FrameState::Partial => "Frame, partly shown",
        FrameState::Idle => "Idle frame",
        FrameState::Missed => "Missed frame",
    };
    Some(EntryTitle { name: state.to_owned(), length: Some(Ns(frame.times.len())) })
}

/// Why a frame came late or not at all: "main thread late: Layout 40.00 ms, FunctionCall 12.00 ms".
pub(super) fn reason(index: &Index, marker: MarkerId) -> Option<String> {
    let frames = Frames::if_built(index)?;
    let (_, frame) = frames.of_marker(marker)?;
    let cause = FrameThreads::if_built(index)?.cause(index, frames, frame)?;
    let ran = slices_text(index.profile(), &cause);
    match cause.late {
        Some(part) if ran.is_empty() || part != FramePart::MainThread => {
            Some(format!("Late: {}", part_text(part, &cause)))
        }
        Some(part) => Some(format!("Late: {}, {ran}", part.name())),
        None if ran.is_empty() => None,
        None => Some(format!("Main thread ran {ran}")),
    }
}

/// The part that was late, and how long it was busy: "GPU, busy for 20.00 ms".
fn part_text(part: FramePart, cause: &FrameCause) -> String {
    match cause.busy {
        Some(busy) => format!("{}, busy for {}", part.name(), format_duration_ns(busy.0)),
        None => part.name().to_owned(),
    }
}

/// The slices of a cause with their times: "Layout 40.00 ms, FunctionCall 12.00 ms".
fn slices_text(profile: &Profile, cause: &FrameCause) -> String {
    let text = |(marker, time): &(MarkerId, Ns)| {
        let (thread, local) = profile.locate(*marker)?;
        Some(format!("{} {}", profile.marker_title(thread, local), format_duration_ns(time.0)))
    };
    cause.slices.iter().filter_map(text).collect::<Vec<_>>().join(", ")
}

/// State, length, and frames per second of frames that were shown.
fn summary(frame: &PageFrame) -> String {
    let state = if frame.is_late { "late" } else { "" };
    let title = frame.state.title();
    let length = format_duration_ns(frame.times.len());
    let parts = [title, state, &length].into_iter().filter(|part| !part.is_empty());
    let mut text = parts.collect::<Vec<_>>().join(", ");
    if matches!(frame.state, FrameState::Shown | FrameState::Partial) && !frame.times.is_empty() {
        let rate = 1e3 / Ns(frame.times.len()).as_ms();
        text += &format!(", {} frames per second", format_fixed(rate, 1));
    }
    text
}

/// How far a frame exceeds its budget, and how many refreshes of the display passed meanwhile.
fn over_budget(frames: &Frames, frame: &PageFrame) -> Option<String> {
    let content = frame.content_start.map(|start| (frame.times.end - start).0);
    let (length, budget) = match content {
        Some(length) => (length, frames.budget().0.saturating_mul(2)),
        None => (frame.times.len(), frames.budget().0),
    };
    let over = length.saturating_sub(budget);
    if over <= 0 || !frame.is_bad() {
        return None;
    }
    let missed = frame.missed_refreshes(frames.budget());
    let missed = if missed > 0 && content.is_none() {
        format!(", {} missed", format_counted(missed, "interval"))
    } else {
        String::new()
    };
    Some(format!("by {}{missed}", format_duration_ns(over)))
}

fn content_text(frame: &PageFrame, content: u32) -> String {
    match frame.content_start {
        Some(start) => {
            let since = format_duration_ns((frame.times.end - start).0);
            format!("{}, on the screen after {since}", format_counted(u64::from(content), "update"))
        }
        None => format_count(u64::from(content)),
    }
}

/// The length of a tick that exceeds the budget, and its longest parts by name.
fn slow_tick(profile: &Profile, id: ThreadId, tick: TimeRange, budget: Ns) -> Option<String> {
    if tick.len() <= budget.0 {
        return None;
    }
    let thread = profile.thread(id);
    let times = thread.markers.times();
    let (first, end) =
        (times.partition_point(|start| start < tick.start), times.partition_point(|start| start < tick.end));
    let mut sums: BTreeMap<&str, i64> = BTreeMap::new();
    for marker in (first..end).take(MAX_READ).map(LocalMarker::new) {
        let own = thread.markers.range(marker);
        let name = profile.strings.get(thread.markers.name(marker));
        if own.end <= tick.end && !own.is_empty() && !name.starts_with(TICK) {
            let sum = sums.entry(name).or_default();
            *sum = sum.saturating_add(own.len());
        }
    }
    let mut parts: Vec<(&str, i64)> = sums.into_iter().collect();
    parts.sort_by_key(|(name, length)| (std::cmp::Reverse(*length), *name));
    let parts: Vec<String> =
        parts.iter().take(PARTS).map(|(name, length)| format!("{name} {}", format_duration_ns(*length))).collect();
    let parts = if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) };
    Some(format!("{}{parts}", format_duration_ns(tick.len())))
}

/// The state in the browser's own report, as words.
fn report_text(profile: &Profile, report: MarkerId) -> Option<String> {
    let (thread, local) = profile.locate(report)?;
    let payload = profile.payload_in(profile.thread(thread), local);
    let report = payload.get("frame_reporter")?;
    let state = report.get("state").and_then(Value::as_str)?;
    let words = state.strip_prefix("STATE_").unwrap_or(state).replace('_', " ").to_lowercase();
    let smooth = match report.get("affects_smoothness") {
        Some(Value::Bool(true)) => ", affects smoothness",
        _ => "",
    };
    Some(format!("{words}{smooth}"))
}
