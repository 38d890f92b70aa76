//! The tooltip of the marker, flow, counter, call, activity or segment under the pointer. It never stays: a click fills
//! the details panel.

use std::sync::Arc;

use egui::{Pos2, Ui};

use super::tooltip_text::TooltipText;
use super::{counter_card, cpu_card, flow_lane_card, flow_tooltip, overview_card, query_card};
use crate::canvas::layout::{CanvasLayout, is_over};
use crate::canvas::screen_textures::ScreenTextures;
use crate::canvas::shift_picture;
use crate::canvas::state::{CanvasState, Drag};
use crate::tables::critical_path::{blockers_text, share};
use crate::widgets::has_dialog;
use flowline_format::format_duration_ns;
use flowline_index::waits::PathKind;
use flowline_profile::{CallRef, MarkerId};
use flowline_scene::{CallHit, EntryHit, FlowHit, FlowTarget, Palette, TRACK_KINDS, phase_lines, track_kind};
use flowline_session::{
    ARGUMENTS, MarkerCard, Session, ShiftPreview, call_card, phases_text, place_text, quick_self_text,
};
use flowline_view::QUERY_TRACKS;

/// Name of the tooltip of markers.
const MARKER: &str = "tooltip";
/// Maximum number of flows of a marker whose waits are looked up.
const MAX_FLOWS: usize = 2;

/// Shows the tooltip of the item under the pointer.
pub(crate) fn show(
    ui: &Ui,
    session: &Session,
    state: &mut CanvasState,
    (textures, palette): (&mut ScreenTextures, &Palette),
) {
    if state.zero != session.view.zero {
        (state.zero, state.hover_card, state.call_card) = (session.view.zero, None, None);
    }
    if has_dialog(ui.ctx()) {
        return;
    }
    let Some(pointer) = ui.ctx().pointer_hover_pos() else { return };
    if let Some((name, text)) = text(ui, session, state, pointer) {
        let marker = session.pointer_hits().marker().filter(|_| name == MARKER);
        let shift = marker.and_then(|(marker, _)| ShiftPreview::of(&session.index, marker));
        text.show(ui, name, (pointer, palette), |ui, (left, width)| {
            if let Some(shift) = &shift {
                shift_picture::show(ui, session, textures, shift, (left, width, palette));
            }
        });
    }
}

/// The tooltip at the pointer, with the name of its widget.
fn text(ui: &Ui, session: &Session, state: &mut CanvasState, pointer: Pos2) -> Option<(&'static str, TooltipText)> {
    let (hits, has_details) = (session.pointer_hits(), state.has_details);
    let layout = CanvasLayout::new(&session.canvas.regions, session.canvas.scale);
    if state.drag == Drag::None && is_over(ui.ctx(), layout.overview) {
        return Some(("overview tooltip", overview_card::text(session, pointer, has_details)?));
    }
    let scale = ui.ctx().pixels_per_point();
    let column = (pointer.x * scale).floor();
    if let Some(FlowHit::Flow { flow, target: FlowTarget::Box }) = hits.flow {
        let x = f64::from(pointer.x * scale - session.canvas.regions.chart.x);
        let time = session.view.axis.time(x);
        return Some(("flow tooltip", flow_tooltip::of_box(session, flow, time, has_details)?));
    }
    if let Some(FlowHit::Flow { flow, target }) = hits.flow.filter(|_| session.view.flow_lanes.shown)
        && let Some(wait) = flow_lane_card::waiting(target)
    {
        return Some(("lane tooltip", flow_lane_card::text(session, flow, wait, pointer, has_details)?));
    }
    if let Some(counter) = hits.counter {
        return Some(("counter tooltip", counter_card::text(session, counter, column, has_details)?));
    }
    if let Some(call) = hits.call {
        return Some(("call tooltip", of_call(session, state, call)?));
    }
    if let Some(thread) = hits.cpu {
        return Some(("activity tooltip", cpu_card::text(session, thread, column, has_details)));
    }
    if let Some(segment) = hits.segment {
        return Some(("path tooltip", of_segment(session, segment, has_details)?));
    }
    if let Some(entry) = hits.entry {
        return Some(match entry.kind {
            QUERY_TRACKS => ("query tooltip", query_card::text(session, entry, has_details)?),
            _ => ("entry tooltip", of_entry(session, entry, has_details)?),
        });
    }
    let (marker, count) = hits.marker()?;
    Some((MARKER, of_marker(session, state, marker, count)?))
}

/// The tooltip of a segment of the critical path: its activity, duration and blocker.
fn of_segment(session: &Session, number: usize, has_details: bool) -> Option<TooltipText> {
    let path = session.critical.path()?;
    let segment = path.segments.get(number)?;
    let card = MarkerCard::new(&session.index, segment.marker, session.view.clock())?;
    let name = match segment.kind {
        PathKind::Run => card.heading.clone(),
        PathKind::Wait => format!("Wait for {}", card.heading),
        PathKind::Network => format!("Network: {}", card.heading),
        PathKind::Followed => format!("{} followed the previous segment", card.heading),
        PathKind::Unknown if segment.range.is_empty() => format!("Unknown cause of {}", card.heading),
        PathKind::Unknown => format!("Idle or unknown in {}", card.heading),
    };
    let duration = format_duration_ns(segment.range.len());
    let mut text = TooltipText::new(Some(card.color), &name, duration, has_details);
    let phases = phases_text(&segment.phases(&session.index));
    let part = format!("{} of the path", share(segment.range.len(), path.range()));
    match &segment.blocking {
        Some(blocking) => text.reason(format!("{part}: {}", blockers_text(&session.index, blocking))),
        None if !phases.is_empty() => text.reason(format!("{part}, {phases}")),
        None if segment.kind == PathKind::Wait => text.reason(format!("{part}, for no thread")),
        None => text.reason(part),
    }
    text.place(place_text(session.index.profile(), segment.thread));
    Some(text)
}

/// The line about other items at the same pixel.
fn several(count: u32, what: &str) -> Option<String> {
    let counted = (count > 1).then(|| crate::widgets::counted(count as usize, what))?;
    Some(format!("One of {counted} at this pixel"))
}

/// The tooltip of an entry without a marker.
fn of_entry(session: &Session, hit: EntryHit, has_details: bool) -> Option<TooltipText> {
    let card = track_kind(hit.kind)?.entry_card(&session.index, hit.track, hit.entry)?;
    let length = format_duration_ns(card.times.len());
    let mut text = TooltipText::new(None, &card.name, length, has_details);
    text.reason(card.reason);
    several(hit.count, "period").into_iter().for_each(|line| text.place(line));
    text.place(card.place);
    text.place(format!("Start {}", session.view.clock().position(card.times.start)));
    Some(text)
}

/// The tooltip of a call of a stack chart.
fn of_call(session: &Session, state: &mut CanvasState, hit: CallHit) -> Option<TooltipText> {
    let card = call_card_for(session, state, hit.call)?;
    let value = card.key_facts.first().map(|fact| fact.value.clone()).unwrap_or_default();
    let mut text = TooltipText::new(Some(card.color), &card.heading, value, state.has_details);
    let place = card.lines.iter().find(|(label, _)| label == "File").map(|(_, place)| place.clone());
    let own = card.key_facts.get(1).map(|fact| format!("{}: {}", fact.caption, fact.value));
    let arguments =
        card.lines.iter().find(|(label, _)| label == ARGUMENTS).map(|(_, values)| format!("Arguments: {values}"));
    text.reason(several(hit.count, "call").or(arguments).or(place).or(own).unwrap_or_default());
    text.place(card.subtitle.as_str());
    add_lines(&mut text, &card, &["Self time", "Self", "Samples", "Resource"]);
    Some(text)
}

/// The card of a call; cached while it is shown.
fn call_card_for(session: &Session, state: &mut CanvasState, call: CallRef) -> Option<Arc<MarkerCard>> {
    let range = session.scope().range();
    if let Some((.., card)) = state.call_card.as_ref().filter(|(known, of, _)| *known == call && *of == range) {
        return Some(Arc::clone(card));
    }
    let card = Arc::new(call_card(&session.index, call, range, session.view.clock())?);
    state.call_card = Some((call, range, Arc::clone(&card)));
    Some(card)
}

/// The tooltip of a marker: name and duration, why it ran, kind and place; without details, also fields.
fn of_marker(session: &Session, state: &mut CanvasState, marker: MarkerId, count: u32) -> Option<TooltipText> {
    let card = card_for(session, state, marker)?;
    let mut text = TooltipText::new(Some(card.color), &card.heading, card.duration.clone(), state.has_details);
    let on_track = TRACK_KINDS.iter().find_map(|kind| kind.reason(&session.index, marker));
    let why = on_track.or_else(|| card.forced_by.clone());
    let why = why.or_else(|| waited(session, marker)).or_else(|| initiated(session, marker));
    text.reason(why.or_else(|| several(count, "marker")).unwrap_or_default());
    text.place(card.subtitle.as_str());
    text.list(phases_of(session, marker));
    // Its duration is beside the name, unless it has more digits.
    let exact = card.lines.iter().find(|(label, value)| label == "Duration" && *value != card.duration);
    exact.into_iter().for_each(|(label, value)| text.place(format!("{label}: {value}")));
    add_lines(&mut text, &card, &["Self time", "CPU time"]);
    for (label, value) in card.lines.iter().skip(card.own_facts) {
        text.place(format!("{label}: {value}"));
    }
    Some(text)
}

/// The phases of a network request, with their lengths: "Waiting: 57.00 ms".
fn phases_of(session: &Session, marker: MarkerId) -> Vec<String> {
    let request = session.index.network_if_built().and_then(|network| network.get(network.request_of(marker)?));
    let lines = request.map(phase_lines).unwrap_or_default();
    lines.into_iter().map(|(title, length)| format!("{title}: {length}")).collect()
}

/// Adds the card's lines with these labels.
fn add_lines(text: &mut TooltipText, card: &MarkerCard, labels: &[&str]) {
    for (label, value) in card.lines.iter().filter(|(label, _)| labels.contains(&label.as_str())) {
        text.place(format!("{label}: {value}"));
    }
}

/// The wait in a flow that ended with a marker: "Waited behind Task, 12.24 ms".
fn waited(session: &Session, marker: MarkerId) -> Option<String> {
    let of_flow = |flow: &flowline_profile::FlowId| {
        let card = session.timelines.card(&session.index, &session.flows.rules, *flow)?;
        let (number, _) = card.wait_before(marker)?;
        let wait = session.timelines.wait_text(&session.index, &card, (*flow, number))?;
        Some(wait.headline())
    };
    session.index.flows().flows_of(marker).iter().take(MAX_FLOWS).find_map(of_flow)
}

/// The event that initiated a marker.
fn initiated(session: &Session, marker: MarkerId) -> Option<String> {
    let profile = session.index.profile();
    let (thread, local) = profile.locate(session.index.initiators_if_built()?.of(marker)?)?;
    Some(format!("Initiated by {}", profile.marker_title(thread, local)))
}

/// The card of a marker, with its self time if that is quick to compute; cached while it is shown.
fn card_for(session: &Session, state: &mut CanvasState, marker: MarkerId) -> Option<Arc<MarkerCard>> {
    if let Some((_, card)) = state.hover_card.as_ref().filter(|(known, _)| *known == marker) {
        return Some(Arc::clone(card));
    }
    let mut card = MarkerCard::new(&session.index, marker, session.view.clock())?;
    card.set_self_time(|| quick_self_text(&session.index, marker));
    let card = Arc::new(card);
    state.hover_card = Some((marker, Arc::clone(&card)));
    Some(card)
}
