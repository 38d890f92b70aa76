//! The tooltip of the marker, flow, counter, call or activity under the pointer. A click pins the tooltip of a marker
//! or call, so that its text can be copied.

use std::sync::Arc;

use egui::{Area, Frame, Id, Order, Pos2, Rect, RichText, ScrollArea, Ui, Vec2, vec2};

use crate::canvas::state::CanvasState;
use crate::canvas::tooltips::pinned_tooltip::{PinnedTooltip, TooltipTarget};
use crate::canvas::tooltips::{cpu_card, flow_lane_card};
use crate::commands::{SelectionAction, ViewAction, WindowAction, shortcut};
use crate::details::flow_cards::{self, StepButtons};
use crate::details::{flow_timeline, marker_card};
use crate::tables::critical_path::{blockers_text, share};
use crate::widget_requests::{open_in_editor_button, run_command};
use crate::widgets::has_dialog;
use flowline_format::format_duration_ns;
use flowline_index::waits::PathKind;
use flowline_profile::{CallRef, FlowId, MarkerId, Ns};
use flowline_scene::{CallHit, FlowHit, FlowTarget, Palette, PixelRect};
use flowline_session::{MarkerCard, Session, call_card, phases_text, place_text, quick_self_text, time_text};
use flowline_view::Command;

const WIDTH: f32 = 430.0;
/// Minimum height in points of a canvas that contains the pinned tooltip; in a lower one, it may cover other panels.
const STICKY_HEIGHT: f32 = 240.0;
/// Height in points of the pinned tooltip without its cards: margins, line and buttons.
const BELOW_CARDS: f32 = 70.0;
/// Maximum number of flow timelines in a marker's tooltip.
const MAX_LIVES: usize = 2;

/// Shows the pinned tooltip; without one, the tooltip under the pointer.
pub(crate) fn show(ui: &Ui, session: &Session, state: &mut CanvasState, palette: &Palette) -> Vec<Command> {
    if state.zero != session.view.zero {
        (state.zero, state.hover_card, state.call_card) = (session.view.zero, None, None);
    }
    // The tooltip follows every change of the selection, such as a step along a flow.
    state.sticky = state.sticky.and_then(|sticky| sticky.follow(TooltipTarget::selected(&session.view)));
    if let Some(mut sticky) = state.sticky {
        let (place, is_seen) = place_of(session, sticky.target);
        // A selected item that is about to be revealed may not have its rows yet.
        let moves = session.view.is_moving() || session.view.reveal.is_some();
        sticky.follow_target(place, moves);
        let is_shown = sticky.is_shown(is_seen);
        state.sticky = Some(sticky);
        // Out of view, it would be next to an unrelated item, so it is hidden until its marker is back.
        if is_shown && !has_dialog(ui.ctx()) {
            return show_sticky(ui, session, state, sticky, palette);
        }
    }
    let commands = Vec::new();
    if has_dialog(ui.ctx()) {
        return commands;
    }
    let Some(pointer) = ui.ctx().pointer_hover_pos() else { return commands };
    if let Some(FlowHit::Flow { flow, target: FlowTarget::Box }) = session.pointer_hits().flow {
        let x = f64::from(pointer.x * ui.ctx().pixels_per_point() - session.canvas.regions.chart.x);
        flow_tooltip(ui, session, flow, session.view.axis.time(x), pointer);
        return commands;
    }
    if let Some(FlowHit::Flow { flow, target }) = session.pointer_hits().flow.filter(|_| session.view.flow_lanes.shown)
        && let Some(wait) = flow_lane_card::waiting(target)
    {
        area(ui, "lane tooltip", pointer, None, |ui| flow_lane_card::show(ui, session, flow, wait, pointer));
        return commands;
    }
    if let Some(counter) = session.pointer_hits().counter {
        let x = (pointer.x * ui.ctx().pixels_per_point()).floor();
        area(ui, "counter tooltip", pointer, None, |ui| {
            crate::canvas::tooltips::counter_card::show(ui, session, counter, x, palette)
        });
        return commands;
    }
    if let Some(call) = session.pointer_hits().call {
        call_tooltip(ui, session, state, call, pointer, palette);
        return commands;
    }
    if let Some(thread) = session.pointer_hits().cpu {
        let x = (pointer.x * ui.ctx().pixels_per_point()).floor();
        area(ui, "activity tooltip", pointer, None, |ui| cpu_card::show(ui, session, thread, x, palette));
        return commands;
    }
    if let Some(segment) = session.pointer_hits().segment {
        segment_tooltip(ui, session, segment, pointer);
        return commands;
    }
    let Some((marker, count)) = session.pointer_hits().marker() else { return commands };
    if let Some(card) = card_for(session, state, marker) {
        area(ui, "tooltip", pointer, None, |ui| {
            marker_card::show(&card, ui, palette, true);
            several(ui, count, "marker");
            for flow in session.index.flows().flows_of(marker).iter().take(MAX_LIVES) {
                ui.add_space(2.0);
                flow_timeline::show_shortly(ui, session, *flow, Some(marker));
            }
        });
    }
    commands
}

/// Position of a marker or call in points (the left end of its visible part), and true if any part of it is on screen.
/// The position is `None` if it has no row.
#[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
fn place_of(session: &Session, target: TooltipTarget) -> (Option<Pos2>, bool) {
    let (input, view) = (session.scene_input(), &session.view);
    let (chart, scale) = (input.regions.chart, input.scale);
    let (times, rows) = match target {
        TooltipTarget::Marker(marker) => {
            let item = session.item_of(marker);
            (view.times_of(marker), item.map(|item| (input.item_y(&item), input.item_height(&item))))
        }
        // A call's row belongs to a stack chart and scrolls with it.
        TooltipTarget::Call(call) => (Some(call.times), Some((chart.y - (view.scroll * f64::from(scale)) as f32, 0.0))),
    };
    let Some((times, (y, height))) = times.zip(rows) else { return (None, true) };
    let [left, right] = [times.start, times.end].map(|time| view.axis.pixel(time));
    let x = chart.x + left.clamp(0.0, f64::from(chart.width)) as f32;
    let in_time = right >= 0.0 && left <= f64::from(chart.width);
    let in_rows = height == 0.0 || y + height > chart.y && y < chart.bottom();
    (Some(Pos2::new(x, y) / scale), in_time && in_rows)
}

/// Shows the tooltip of a segment of the critical path: its activity, duration and blocker.
fn segment_tooltip(ui: &Ui, session: &Session, number: usize, pointer: Pos2) {
    let Some(path) = session.critical.path() else { return };
    let Some(segment) = path.segments.get(number) else { return };
    let Some(card) = MarkerCard::new(&session.index, segment.marker, session.view.clock()) else { return };
    let profile = session.index.profile();
    area(ui, "path tooltip", pointer, None, |ui| {
        let what = match segment.kind {
            PathKind::Run => card.heading.clone(),
            PathKind::Wait => format!("Wait for {}", card.heading),
            PathKind::Network => format!("Network: {}", card.heading),
            PathKind::Followed => format!("{} followed the previous segment", card.heading),
            PathKind::Unknown if segment.range.is_empty() => format!("Unknown cause of {}", card.heading),
            PathKind::Unknown => format!("Idle or unknown in {}", card.heading),
        };
        ui.add(egui::Label::new(RichText::new(what).size(14.0).strong()).wrap());
        ui.label(RichText::new(place_text(profile, segment.thread)).weak().small());
        let mut row = |label: &str, value: &str| marker_card::row(ui, label, value, 90.0, true);
        row("Start", &time_text(session.view.clock().show(segment.range.start)));
        row("Duration", &format_duration_ns(segment.range.len()));
        row("Share of path", &share(segment.range.len(), path.range()));
        let phases = phases_text(&segment.phases(&session.index));
        if let Some(blocking) = &segment.blocking {
            row("Blocked by", &blockers_text(&session.index, blocking));
        } else if !phases.is_empty() {
            row("Request", &phases);
        } else if segment.kind == PathKind::Wait {
            row("Blocked by", "not on a thread");
        }
    });
}

/// Shows the number of items drawn as one.
fn several(ui: &mut Ui, count: u32, what: &str) {
    if count > 1 {
        ui.add_space(2.0);
        let counted = crate::widgets::counted(count as usize, what);
        let text = format!("one of {counted} at this pixel; zoom in to separate them");
        ui.label(RichText::new(text).small().weak());
    }
}

/// Shows the tooltip of a call of a stack chart.
fn call_tooltip(ui: &Ui, session: &Session, state: &mut CanvasState, hit: CallHit, pointer: Pos2, palette: &Palette) {
    let Some(card) = call_card_for(session, state, hit.call) else { return };
    area(ui, "call tooltip", pointer, None, |ui| {
        marker_card::show(&card, ui, palette, true);
        several(ui, hit.count, "call");
    });
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

/// Shows the pinned tooltip.
fn show_sticky(
    ui: &Ui,
    session: &Session,
    state: &mut CanvasState,
    mut sticky: PinnedTooltip,
    palette: &Palette,
) -> Vec<Command> {
    let mut commands = Vec::new();
    let card = match sticky.target {
        TooltipTarget::Marker(marker) => card_for(session, state, marker),
        TooltipTarget::Call(call) => call_card_for(session, state, call.call),
    };
    let Some(card) = card else {
        state.sticky = None;
        return commands;
    };
    let mut close = false;
    let mut walk = StepButtons::default();
    let regions = &session.canvas.regions;
    let (scale, area_of) = (session.canvas.scale, |rect: PixelRect| {
        Rect::from_min_size(Pos2::new(rect.x, rect.y), vec2(rect.width, rect.height))
    });
    // If there is enough room, the tooltip covers only the chart.
    let chart = area_of(regions.chart);
    let places = [chart, chart.union(area_of(regions.labels))].map(|rect| rect / scale);
    let fits = |rect: &Rect| rect.width() >= WIDTH + 40.0 && rect.height() >= STICKY_HEIGHT;
    let within = places.into_iter().find(fits);
    area_within(ui, "sticky tooltip", (sticky.place, within), Some(sticky.shift), |ui| {
        // The buttons at the bottom stay on screen at any window height.
        let room = within.unwrap_or_else(|| ui.ctx().content_rect()).height();
        let most = (room - BELOW_CARDS).max(BELOW_CARDS);
        ScrollArea::vertical().max_height(most).show(ui, |ui| {
            marker_card::show(&card, ui, palette, false);
            if let TooltipTarget::Marker(_) = sticky.target {
                let chosen = session.selected_flow();
                commands.extend(flow_cards::show(session.flow_cards(), ui, session, palette, chosen, &mut walk));
            }
        });
        ui.separator();
        ui.horizontal(|ui| {
            if ui.button("Zoom").on_hover_text(shortcut(ui.ctx(), ViewAction::ZoomToSelection)).clicked() {
                commands.push(match sticky.target {
                    TooltipTarget::Marker(marker) => Command::ZoomToMarker(marker),
                    TooltipTarget::Call(call) => Command::ZoomToCall(call),
                });
            }
            if ui.button("Copy").on_hover_text(shortcut(ui.ctx(), SelectionAction::Copy)).clicked() {
                ui.copy_text(card.to_text());
            }
            if let Some(place) = session.selected_call_place() {
                open_in_editor_button(ui, &place);
            }
            close = ui.button("Close").on_hover_text(shortcut(ui.ctx(), WindowAction::Escape)).clicked();
            let never = ui
                .button("Don't pin tooltips")
                .on_hover_text("Clicks then only select; the details panel shows the same information");
            if never.clicked() {
                run_command(ui.ctx(), WindowAction::Tooltips);
                close = true;
            }
        });
    });
    let before = sticky.shift;
    if sticky.hold_still(&walk.shown, session.is_busy()) {
        ui.ctx().request_repaint();
    }
    if (sticky.shift - before).length() > 0.5 {
        // This must happen before the next press, which may be in the same frame.
        ui.ctx().request_discard("the pressed button stays under the pointer");
    }
    if let Some((button, rect)) = walk.pressed {
        sticky.press(button, rect);
    }
    state.sticky = (!close).then_some(sticky);
    commands
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

/// Shows the tooltip of a flow's box.
fn flow_tooltip(ui: &Ui, session: &Session, flow: FlowId, time: Ns, pointer: Pos2) {
    let Some(shape) = session.flows.shapes.flow(flow) else { return };
    let profile = session.index.profile();
    area(ui, "flow tooltip", pointer, None, |ui| {
        ui.add(egui::Label::new(RichText::new(&shape.appearance.label).size(14.0).strong()).wrap());
        ui.label(RichText::new(place_text(profile, shape.appearance.thread)).weak().small());
        for (label, value) in crate::canvas::flows::flow_panel::flow_lines(session, shape) {
            marker_card::row(ui, label, &value, 70.0, true);
        }
        flow_timeline::show_at(ui, session, flow, time);
        ui.label(RichText::new("Click to enter").small().weak());
    });
}

/// Shows a tooltip next to a position. A pinned one has an offset (`shift`) and receives input.
fn area(ui: &Ui, name: &str, place: Pos2, shift: Option<Vec2>, contents: impl FnOnce(&mut Ui)) {
    area_within(ui, name, (place, None), shift, contents);
}

/// The same within a part of the window, unless it was moved.
fn area_within(
    ui: &Ui,
    name: &str,
    (place, within): (Pos2, Option<Rect>),
    shift: Option<Vec2>,
    contents: impl FnOnce(&mut Ui),
) {
    let interactive = shift.is_some();
    let within = within.filter(|_| shift.is_none_or(|shift| shift == Vec2::ZERO));
    let screen = within.unwrap_or_else(|| ui.ctx().content_rect());
    // Below and to the right of the pointer, if there is room.
    let right = place.x + 16.0 + WIDTH <= screen.max.x;
    let below = place.y < screen.center().y;
    let (x, horizontal) = if right { (place.x + 16.0, egui::Align::Min) } else { (place.x - 12.0, egui::Align::Max) };
    let (y, vertical) = if below { (place.y + 14.0, egui::Align::Min) } else { (place.y - 10.0, egui::Align::Max) };
    Area::new(Id::unique(name))
        .order(if interactive { Order::Foreground } else { Order::Tooltip })
        .interactable(interactive)
        .fixed_pos(Pos2::new(x, y) + shift.unwrap_or_default())
        .pivot(egui::Align2([horizontal, vertical]))
        .constrain_to(screen.shrink(4.0))
        .show(ui.ctx(), |ui| {
            let frame = Frame::popup(ui.style()).inner_margin(10.0).shadow(egui::Shadow {
                offset: [0, 3],
                blur: 12,
                spread: 0,
                color: egui::Color32::from_black_alpha(90),
            });
            frame.show(ui, |ui| {
                ui.set_max_width(WIDTH);
                ui.spacing_mut().item_spacing = vec2(6.0, 3.0);
                contents(ui);
            });
        });
}
