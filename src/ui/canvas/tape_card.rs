//! The tooltip of a tape where no marker is drawn: its wait, what held it up, and what the flow is about.

use std::fmt::Write as _;

use egui::{Pos2, RichText, Ui};

use crate::index::flows::{SegmentKind, TapeShape};
use crate::index::waits::held_up;
use crate::profile::text::format_duration_ns;
use crate::profile::{FlowId, MarkerId, Ns, TimeRange};
use crate::scene::{FlowTarget, tape_title};
use crate::session::{Session, place_text};
use crate::ui::details::marker_card::row;
use crate::ui::widgets::counted;

/// Most threads and names that a line lists.
const MAX_LISTED: usize = 4;
/// Flows with more members than this say nothing of a single wait: finding it would take too long for a frame.
const MAX_MEMBERS: usize = 20_000;

/// Whether a target is the tape itself and no marker: the marker at which the wait there ends, if there is one.
pub(crate) const fn waiting(target: FlowTarget) -> Option<Option<(MarkerId, u32)>> {
    match target {
        FlowTarget::Wait { marker, count } => Some(Some((marker, count))),
        FlowTarget::Row => Some(None),
        _ => None,
    }
}

/// Shows the tooltip.
pub(crate) fn show(ui: &mut Ui, session: &Session, flow: FlowId, wait: Option<(MarkerId, u32)>, pointer: Pos2) {
    let Some(shape) = session.tapes.shapes.get(flow) else { return };
    ui.add(egui::Label::new(RichText::new(tape_title(shape)).size(14.0).strong()).wrap());
    if let Some((marker, count)) = wait {
        waits(ui, session, flow, (marker, count), pointer);
        ui.separator();
    }
    for (label, value) in lines(session, shape) {
        row(ui, label, &value, 90.0, true);
    }
    ui.label(RichText::new("Click to select it, Enter to enter it, P to pin it").small().weak());
}

/// Says how long the wait under the pointer is, and what held it up.
fn waits(ui: &mut Ui, session: &Session, flow: FlowId, (marker, count): (MarkerId, u32), pointer: Pos2) {
    let (index, profile) = (&session.index, session.index.profile());
    let Some((thread, local)) = profile.locate(marker) else { return };
    let name = profile.marker_name(thread, local);
    if count > 1 {
        let text = format!("one of {} drawn here, the longest for {name}", counted(count as usize, "wait"));
        ui.label(RichText::new(text).small().weak());
        return;
    }
    let Some(range) = wait_at(session, flow, marker, pointer) else { return };
    row(ui, "Waited", &format!("{} for {name}", format_duration_ns(range.len())), 90.0, true);
    row(ui, "On", &place_text(profile, thread), 90.0, true);
    let Some(held) = held_up(index, thread, range) else {
        row(ui, "Behind", "what held it up is not in the recording", 90.0, true);
        return;
    };
    let mut behind = String::new();
    for part in held.behind.iter().take(MAX_LISTED) {
        let separator = if behind.is_empty() { "" } else { ", " };
        // Writing to a text does not fail.
        let _written = write!(behind, "{separator}{} {}", format_duration_ns(part.ns), part.text(profile));
    }
    if let Some(more) = held.behind.len().checked_sub(MAX_LISTED).filter(|more| *more > 0) {
        let _written = write!(behind, " and {more} more");
    }
    let idle = if held.idle > 0 { format_duration_ns(held.idle) } else { String::new() };
    let unknown = if held.unknown > 0 { format_duration_ns(held.unknown) } else { String::new() };
    for (label, text) in [("Behind", behind), ("Idle", idle), ("Unknown", unknown)] {
        if !text.is_empty() {
            row(ui, label, &text, 90.0, true);
        }
    }
}

/// The wait of a flow at the pointer, or the last one before it that ends at a marker.
fn wait_at(session: &Session, flow: FlowId, marker: MarkerId, pointer: Pos2) -> Option<TimeRange> {
    let (index, chart) = (&session.index, session.canvas.regions.chart);
    if index.flows().members(flow).len() > MAX_MEMBERS {
        return None;
    }
    let time: Ns = session.view.axis.time(f64::from(pointer.x * session.canvas.scale - chart.x));
    let life = session.flows.rules.life(index.profile(), index.flows(), flow);
    let is_wait = |kind: SegmentKind, of: MarkerId| kind == SegmentKind::Wait && of == marker;
    let at = life.at(time).filter(|segment| is_wait(segment.kind, segment.marker));
    let other = || life.segments.iter().find(|segment| is_wait(segment.kind, segment.marker));
    at.or_else(other).map(|segment| segment.range)
}

/// What the tooltip says of a tape.
fn lines(session: &Session, shape: &TapeShape) -> Vec<(&'static str, String)> {
    let (profile, totals) = (session.index.profile(), &shape.totals);
    let mut lines = Vec::new();
    if let Some(resource) = &shape.facts.resource {
        lines.push(("Resource", resource.clone()));
    }
    lines.push(("Lasts", format_duration_ns(shape.range.len())));
    lines.push(("Ran", format_duration_ns(totals.run)));
    let longest = if totals.longest_wait == totals.wait {
        String::new()
    } else {
        format!(", at most {} at once", format_duration_ns(totals.longest_wait))
    };
    lines.push(("Waited", format!("{}{longest}", format_duration_ns(totals.wait))));
    if let Some(thread) = shape.facts.posted_from {
        lines.push(("Posted from", place_text(profile, thread)));
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
