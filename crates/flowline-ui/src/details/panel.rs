//! The details panel: the selected marker in full or, without a selection, the recording. The panel is open in both
//! cases, so selecting a marker does not move the chart under the pointer.

use egui::{RichText, ScrollArea, Ui};

use super::async_stack;
use super::flow_cards::{self, StepButtons};
use super::marker_card;
use super::marker_links;
use crate::commands::{
    FlowAction, SelectionAction, ViewAction, WindowAction, shortcut, title_with_shortcut, with_shortcut,
};
use crate::tables::TableKind;
use crate::widget_requests::{open_in_editor_button, source_search_button};
use crate::widgets::style::color;
use crate::window::panels::Panels;
use flowline_format::{format_bytes, format_duration_ns};
use flowline_index::messages::message_peer;
use flowline_profile::{Direction, FlowId, TimeRange};
use flowline_scene::Palette;
use flowline_session::{MarkerCard, Session};
use flowline_view::{Command, FlowCommand};

/// Shows the panel; returns the user's commands.
pub(crate) fn show(ui: &mut Ui, session: &Session, panels: &mut Panels, palette: &Palette) -> Vec<Command> {
    let mut commands = Vec::new();
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        if session.selected_card().is_some() {
            selected(ui, session, panels, palette, &mut commands);
            return;
        }
        if let Some(card) = session.selected_call_card() {
            selected_call(ui, session, card, palette, &mut commands);
            return;
        }
        match session.view.flows.entered.as_slice() {
            [flow] => entered_flow(ui, session, *flow, palette, &mut commands),
            _ => recording(ui, session),
        }
    });
    commands
}

/// Shows the selected marker: its card, payload, flows, and slice tree.
fn selected(ui: &mut Ui, session: &Session, panels: &mut Panels, palette: &Palette, commands: &mut Vec<Command>) {
    let Some((marker, card)) = session.view.selected.zip(session.selected_card()) else { return };
    if session.index.profile().source.is_changed() {
        ui.colored_label(
            color(palette.search_match),
            "The file has changed. Fields that were not loaded before are missing.",
        );
    }
    panels.payload.follow(&session.index, marker);
    if panels.payload.is_complete() {
        marker_card::show_facts(card, ui, palette);
    } else {
        marker_card::show(card, ui, palette, false);
    }
    marker_links::show(session.marker_links(), ui, commands);
    panels.payload.show(ui, palette);
    ui.add_space(6.0);
    ui.horizontal_wrapped(|ui| {
        buttons(ui, session, card, commands);
        let hint = "Statistics of all markers with this name";
        let hint = with_shortcut(ui.ctx(), hint, WindowAction::Table(TableKind::Statistics));
        if ui.button("Statistics").on_hover_text(hint).clicked() {
            panels.wanted_table = Some(TableKind::Statistics);
        }
        call_tree_button(ui, session, panels, commands);
        if let Some(side) = message_peer(session.index.profile(), marker) {
            let text = if side.is_sender { "Go to the sender" } else { "Go to the receiver" };
            if ui.button(text).on_hover_text("The other end of this message").clicked() {
                commands.push(Command::Reveal(side.marker));
            }
        }
        if let Some((thread, local)) = session.index.profile().locate(marker) {
            source_search_button(ui, session.index.profile().marker_name(thread, local));
        }
    });
    let walk = &mut StepButtons::default();
    commands.extend(flow_cards::show(session.flow_cards(), ui, session, palette, session.selected_flow(), walk));
    async_stack::show(ui, session.async_stack.parts(session.selected_stack()));
    commands.extend(panels.slice_tree.show(ui, (&session.index, session.view.clock()), &session.slice, palette));
}

/// Shows the selected call of a stack chart.
fn selected_call(ui: &mut Ui, session: &Session, card: &MarkerCard, palette: &Palette, commands: &mut Vec<Command>) {
    marker_card::show(card, ui, palette, false);
    ui.add_space(6.0);
    ui.horizontal_wrapped(|ui| {
        if ui.button("Zoom to selection").on_hover_text(shortcut(ui.ctx(), ViewAction::ZoomToSelection)).clicked() {
            commands.extend(session.view.selected_call.map(Command::ZoomToCall));
        }
        if ui.button("Show in chart").on_hover_text("Scrolls to its row").clicked() {
            commands.extend(session.view.selected_call.map(Command::RevealCall));
        }
        if ui.button("Copy").on_hover_text(shortcut(ui.ctx(), SelectionAction::Copy)).clicked() {
            ui.copy_text(card.to_text());
        }
        if let Some(place) = session.selected_call_place() {
            open_in_editor_button(ui, &place);
        }
        source_search_button(ui, &card.heading);
    });
    async_stack::show(ui, session.async_stack.parts(session.selected_stack()));
}

fn buttons(ui: &mut Ui, session: &Session, card: &MarkerCard, commands: &mut Vec<Command>) {
    if ui.button("Zoom to selection").on_hover_text(shortcut(ui.ctx(), ViewAction::ZoomToSelection)).clicked() {
        commands.extend(session.view.selected.map(Command::ZoomToMarker));
    }
    if ui.button("Show in chart").on_hover_text("Expands and scrolls to its row").clicked() {
        commands.extend(session.view.selected.map(Command::Reveal));
    }
    if ui.button("Copy").on_hover_text(shortcut(ui.ctx(), SelectionAction::Copy)).clicked() {
        ui.copy_text(card.to_text());
    }
}

/// Button for the call tree of the samples taken during the selected marker.
fn call_tree_button(ui: &mut Ui, session: &Session, panels: &mut Panels, commands: &mut Vec<Command>) {
    let profile = session.index.profile();
    let Some((thread, local)) = session.view.selected.and_then(|marker| profile.locate(marker)) else { return };
    if profile.samples_during(thread, local).is_none_or(|samples| samples == 0) {
        return;
    }
    if ui.button("Call tree").on_hover_text("Samples taken during this marker").clicked() {
        let markers = &profile.thread(thread).markers;
        let range = TimeRange::new(markers.start(local), markers.end(local));
        commands.push(Command::SelectRange(Some(range)));
        panels.samples.choose(thread);
        panels.wanted_table = Some(TableKind::CallTree);
    }
}

/// Shows the entered flow while no marker is selected.
fn entered_flow(ui: &mut Ui, session: &Session, flow: FlowId, palette: &Palette, commands: &mut Vec<Command>) {
    let Some(shape) = session.flows.shapes.flow(flow) else { return };
    let profile = session.index.profile();
    ui.label(RichText::new("FLOW").small().strong().weak());
    ui.horizontal_top(|ui| {
        let (swatch, _) = ui.allocate_exact_size(egui::vec2(4.0, 18.0), egui::Sense::hover());
        let fill = palette.fill(shape.appearance.color);
        ui.painter().rect_filled(swatch, 2.0, color(fill));
        ui.add(egui::Label::new(RichText::new(&shape.appearance.label).size(14.0).strong()).wrap());
    });
    ui.label(RichText::new(flowline_session::place_text(profile, shape.appearance.thread)).weak().small());
    ui.add_space(2.0);
    for (label, value) in crate::canvas::flows::flow_panel::flow_lines(session, shape) {
        crate::details::marker_card::row(ui, label, &value, 80.0, false);
    }
    if let Some([number, count]) = session.flows.entered_use(flow).filter(|[_, count]| *count > 1) {
        let text = format!("use {} of {} of this id", crate::widgets::grouped(number), crate::widgets::grouped(count));
        crate::details::marker_card::row(ui, "Reused", &text, 80.0, false);
    }
    ui.add_space(4.0);
    super::flow_timeline::show(ui, session, flow, None, commands);
    ui.add_space(6.0);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        if ui.button("First marker").on_hover_text(shortcut(ui.ctx(), FlowAction::Along(Direction::Forward))).clicked()
        {
            commands.extend(session.index.flows().members(flow).first().map(|marker| Command::Reveal(*marker)));
        }
        let text = if session.shows_only(flow) { "Back" } else { "View all" };
        if ui.button(text).on_hover_text(title_with_shortcut(ui.ctx(), FlowAction::ViewAll)).clicked() {
            commands.push(Command::Flow(FlowCommand::ViewAll(flow)));
        }
        let pin = if session.view.flows.is_pinned(flow) { "Unpin" } else { "Pin" };
        if ui.button(pin).on_hover_text(shortcut(ui.ctx(), FlowAction::Pin)).clicked() {
            commands.push(Command::Flow(FlowCommand::TogglePin(flow)));
        }
    });
}

/// Maximum number of metadata lines.
const MAX_PARTS: usize = 60;

/// Shows facts about the whole recording.
fn recording(ui: &mut Ui, session: &Session) {
    let profile = session.index.profile();
    let meta = &profile.meta;
    ui.add(egui::Label::new(RichText::new(session.name()).size(14.0).strong()).wrap());
    let product = if meta.product.is_empty() { String::new() } else { format!("{} · ", meta.product) };
    ui.label(RichText::new(format!("{product}{}", meta.format_name())).weak().small());
    ui.add_space(4.0);
    #[expect(clippy::cast_precision_loss, reason = "a size in words")]
    let size = format_bytes(meta.file_bytes as f64);
    let samples: usize = profile.threads_with_ids().filter_map(|(id, _)| Some(profile.samples(id)?.cpu.len())).sum();
    let (threads, flows) = (profile.thread_count(), session.index.flows());
    let tracks = profile.threads.len() - threads;
    let flows = if flows.is_known() { crate::widgets::grouped(flows.len()) } else { "not analyzed yet".to_owned() };
    let lines = [
        ("Duration", profile.clock().length(meta.range.len())),
        ("Processes", crate::widgets::grouped(profile.processes.len())),
        ("Threads", crate::widgets::grouped(threads)),
        ("Tracks", crate::widgets::grouped(tracks)),
        ("Markers", crate::widgets::grouped(profile.marker_count())),
        ("Samples", crate::widgets::grouped(samples)),
        ("Flows", flows),
        ("File", size),
    ];
    let is_listed = |(label, _): &(&str, String)| match *label {
        "Samples" => samples > 0,
        "Tracks" => tracks > 0,
        _ => true,
    };
    for (label, value) in lines.into_iter().filter(is_listed) {
        crate::details::marker_card::row(ui, label, &value, 80.0, false);
    }
    if let Some(cluster) = profile.main_cluster() {
        let outside = crate::widgets::grouped(usize::try_from(cluster.outside).unwrap_or(usize::MAX));
        let length = format_duration_ns(cluster.range.len());
        let text = format!("{length} from the time origin; markers outside, possibly from another clock: {outside}");
        crate::details::marker_card::row(ui, "Main part", &text, 80.0, false);
    }
    if !profile.parts.is_empty() {
        ui.add_space(6.0);
        let title = format!("Other data in the file ({})", crate::widgets::grouped(profile.parts.len()));
        ui.collapsing(title, |ui| {
            for (name, place) in profile.parts.iter().take(MAX_PARTS) {
                crate::details::marker_card::row(ui, name, &profile.part_text(*place, 160), 110.0, false);
            }
        });
    }
    ui.add_space(10.0);
    let help = shortcut(ui.ctx(), WindowAction::Help);
    let text = format!("Click a marker to see its fields here; press {help} for all keys.");
    ui.add(egui::Label::new(RichText::new(text).weak()).wrap());
}
