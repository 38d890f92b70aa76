//! Tooltip of a flow lane outside its markers: the wait at the pointer, its blocker, and facts about the flow.

use egui::Pos2;

use super::tooltip_text::TooltipText;
use crate::widgets::counted;
use flowline_format::format_duration_ns;
use flowline_index::flows::{FlowTimeline, LaneShape, PostedFrom, SegmentKind, TimelineSegment};
use flowline_profile::{FlowId, MarkerId, Ns};
use flowline_scene::FlowTarget;
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

/// The tooltip: the wait at the pointer, else facts about the flow.
pub(super) fn text(
    session: &Session,
    flow: FlowId,
    wait: Option<(MarkerId, u32)>,
    pointer: Pos2,
    has_details: bool,
) -> Option<TooltipText> {
    let shape = session.flow_lanes.shapes.get(flow)?;
    let mut text = TooltipText::new(None, &shape.title(), format_duration_ns(shape.range.len()), has_details);
    if let Some(wait) = wait {
        waits(session, flow, wait, pointer, &mut text);
    }
    let totals = &shape.totals;
    text.reason(format!("Ran {}, waited {}", format_duration_ns(totals.run), format_duration_ns(totals.wait)));
    lines(session, shape, &mut text);
    Some(text)
}

/// Adds the duration and the blocker of the wait at the pointer.
fn waits(session: &Session, flow: FlowId, (marker, count): (MarkerId, u32), pointer: Pos2, text: &mut TooltipText) {
    let (index, profile) = (&session.index, session.index.profile());
    let Some((thread, local)) = profile.locate(marker) else { return };
    let name = profile.marker_title(thread, local);
    if count > 1 {
        let counted = counted(count as usize, "wait");
        return text.reason(format!("One of {counted} at this pixel, the longest for {name}"));
    }
    let timelines = &session.timelines;
    let Some(card) = timelines.card(index, &session.flows.rules, flow) else { return };
    let Some(number) = wait_at(session, &card.timeline, marker, pointer) else { return };
    let duration = format_duration_ns(card.timeline.segments[number].range.len());
    let wait = timelines.wait_text(index, &card, (flow, number));
    text.reason(wait.map_or_else(|| format!("Waited {duration}"), |wait| wait.headline()));
    text.place(format!("For {name}"));
    text.place(place_text(profile, thread));
}

/// The number of the wait at the pointer, or of the first one that ends at a marker.
fn wait_at(session: &Session, timeline: &FlowTimeline, marker: MarkerId, pointer: Pos2) -> Option<usize> {
    let chart = session.canvas.regions.chart;
    let time: Ns = session.view.axis.time(f64::from(pointer.x * session.canvas.scale - chart.x));
    let is_wait = |segment: &TimelineSegment| segment.kind == SegmentKind::Wait && segment.marker == marker;
    let here = timeline.at(time).filter(|at| is_wait(&timeline.segments[*at]));
    here.or_else(|| timeline.segments.iter().position(is_wait))
}

/// Adds facts about a flow lane.
fn lines(session: &Session, shape: &LaneShape, text: &mut TooltipText) {
    let profile = session.index.profile();
    if let Some(resource) = &shape.facts.resource {
        text.place(resource.as_str());
    }
    match shape.facts.posted_from {
        PostedFrom::Thread(thread) => text.place(format!("Posted from {}", place_text(profile, thread))),
        PostedFrom::BeforeRecording => text.place("Posted before the recording began"),
        PostedFrom::Unknown => {}
    }
    let runs_on = &shape.facts.runs_on;
    let mut threads: Vec<String> = runs_on.iter().take(MAX_LISTED).map(|thread| place_text(profile, *thread)).collect();
    if let Some(more) = runs_on.len().checked_sub(MAX_LISTED).filter(|more| *more > 0) {
        threads.push(format!("{more} more"));
    }
    if !threads.is_empty() {
        text.place(format!("Runs on {}", threads.join(", ")));
    }
}
