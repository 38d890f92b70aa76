//! Tooltip of a flow lane outside its markers: the wait at the pointer, its blocker, and facts about the flow.

use egui::{Pos2, RichText, Ui};

use crate::details::marker_card::row;
use crate::widgets::counted;
use flowline_format::format_duration_ns;
use flowline_index::flows::{FlowTimeline, LaneShape, PostedFrom, SegmentKind, TimelineSegment};
use flowline_profile::{FlowId, MarkerId, Ns};
use flowline_scene::{FlowTarget, lane_title};
use flowline_session::{Session, place_text};

/// Maximum number of threads in a line.
const MAX_LISTED: usize = 4;
/// For a target on the lane outside its markers: the marker that ends the wait there and the number of waits, if any.
/// `None` for other targets.
pub(crate) const fn waiting(target: FlowTarget) -> Option<Option<(MarkerId, u32)>> {
    match target {
        FlowTarget::Wait { marker, count } => Some(Some((marker, count))),
        FlowTarget::Row => Some(None),
        _ => None,
    }
}

/// Shows the tooltip.
pub(crate) fn show(ui: &mut Ui, session: &Session, flow: FlowId, wait: Option<(MarkerId, u32)>, pointer: Pos2) {
    let Some(shape) = session.flow_lanes.shapes.get(flow) else { return };
    ui.add(egui::Label::new(RichText::new(lane_title(shape)).size(14.0).strong()).wrap());
    if let Some((marker, count)) = wait {
        waits(ui, session, flow, (marker, count), pointer);
        ui.separator();
    }
    for (label, value) in lines(session, shape) {
        row(ui, label, &value, 90.0, true);
    }
    ui.label(RichText::new("Click to select, Enter to enter, P to pin").small().weak());
}

/// Shows the duration and the blocker of the wait at the pointer.
fn waits(ui: &mut Ui, session: &Session, flow: FlowId, (marker, count): (MarkerId, u32), pointer: Pos2) {
    let (index, profile) = (&session.index, session.index.profile());
    let Some((thread, local)) = profile.locate(marker) else { return };
    let name = profile.marker_name(thread, local);
    if count > 1 {
        let text = format!("one of {} at this pixel, the longest for {name}", counted(count as usize, "wait"));
        ui.label(RichText::new(text).small().weak());
        return;
    }
    let timelines = &session.timelines;
    let Some(card) = timelines.card(index, &session.flows.rules, flow) else {
        ui.label(RichText::new("Analyzing flow…").small().weak());
        return;
    };
    let Some(number) = wait_at(session, &card.timeline, marker, pointer) else { return };
    let range = card.timeline.segments[number].range;
    row(ui, "Waited", &format!("{} for {name}", format_duration_ns(range.len())), 90.0, true);
    row(ui, "On", &place_text(profile, thread), 90.0, true);
    if let Some(text) = timelines.wait_text(index, &card, (flow, number)) {
        row(ui, "Blocked by", &text.reasons(), 90.0, true);
    }
}

/// The number of the wait at the pointer, or of the first one that ends at a marker.
fn wait_at(session: &Session, timeline: &FlowTimeline, marker: MarkerId, pointer: Pos2) -> Option<usize> {
    let chart = session.canvas.regions.chart;
    let time: Ns = session.view.axis.time(f64::from(pointer.x * session.canvas.scale - chart.x));
    let is_wait = |segment: &TimelineSegment| segment.kind == SegmentKind::Wait && segment.marker == marker;
    let here = timeline.at(time).filter(|at| is_wait(&timeline.segments[*at]));
    here.or_else(|| timeline.segments.iter().position(is_wait))
}

/// Facts about a flow lane.
fn lines(session: &Session, shape: &LaneShape) -> Vec<(&'static str, String)> {
    let (profile, totals) = (session.index.profile(), &shape.totals);
    let mut lines = Vec::new();
    if let Some(resource) = &shape.facts.resource {
        lines.push(("Resource", resource.clone()));
    }
    lines.push(("Duration", format_duration_ns(shape.range.len())));
    lines.push(("Ran", format_duration_ns(totals.run)));
    let longest = if totals.longest_wait == totals.wait {
        String::new()
    } else {
        format!(", longest {}", format_duration_ns(totals.longest_wait))
    };
    lines.push(("Waited", format!("{}{longest}", format_duration_ns(totals.wait))));
    match shape.facts.posted_from {
        PostedFrom::Thread(thread) => lines.push(("Posted from", place_text(profile, thread))),
        PostedFrom::BeforeRecording => lines.push(("Posted", "before the recording began".to_owned())),
        PostedFrom::Unknown => {}
    }
    let mut threads: Vec<String> =
        shape.facts.runs_on.iter().take(MAX_LISTED).map(|thread| place_text(profile, *thread)).collect();
    if let Some(more) = shape.facts.runs_on.len().checked_sub(MAX_LISTED).filter(|more| *more > 0) {
        threads.push(format!("{more} more"));
    }
    if !threads.is_empty() {
        lines.push(("Runs on", threads.join(", ")));
    }
    lines
}
