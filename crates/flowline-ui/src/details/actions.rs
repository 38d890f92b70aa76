//! The buttons below the key facts: zoom, critical path, copy, and a menu with everything else.

use egui::{Popup, Rect, Sense, Ui, UiBuilder, pos2, vec2};

use super::metrics::PAD;
use super::payload_tree;
use crate::commands::{SelectionAction, ViewAction, WindowAction, with_shortcut};
use crate::tables::TableKind;
use crate::widget_requests::{open_in_editor_button, run_command, source_search_button};
use crate::widgets::icon::{Icon, icon_button, labeled_icon_button};
use crate::widgets::menu::entry;
use crate::window::panels::Panels;
use flowline_index::messages::message_peer;
use flowline_profile::{MarkerId, TimeRange};
use flowline_session::{MarkerCard, Session};
use flowline_view::Command;

/// Space above the buttons in points.
const ABOVE: f32 = 8.0;
const BELOW: f32 = 10.0;
const HEIGHT: f32 = 24.0;

/// The selected entry that the buttons act on.
#[derive(Clone, Copy)]
pub(super) enum Target {
    Marker(MarkerId),
    Call,
}

/// Shows the buttons.
pub(super) fn show(
    ui: &mut Ui,
    session: &Session,
    (target, card): (Target, &MarkerCard),
    panels: &mut Panels,
    commands: &mut Vec<Command>,
) {
    ui.add_space(ABOVE);
    let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), Sense::hover());
    let area = Rect::from_min_max(pos2(row.min.x + PAD, row.min.y), row.max);
    let strip = &mut ui.new_child(
        UiBuilder::new().max_rect(area).layout(egui::Layout::left_to_right(egui::Align::Center)).id_salt("actions"),
    );
    strip.spacing_mut().item_spacing.x = 7.0;
    let hint = with_shortcut(strip.ctx(), "Zoom to it", ViewAction::ZoomToSelection);
    if labeled_icon_button(strip, Icon::ZoomTo, "Zoom").on_hover_text(hint).clicked() {
        commands.extend(zoom(session, target));
    }
    let hint = with_shortcut(strip.ctx(), "Show the critical path to it", SelectionAction::CriticalPath);
    if labeled_icon_button(strip, Icon::CriticalPath, "Critical path").on_hover_text(hint).clicked() {
        run_command(strip.ctx(), SelectionAction::CriticalPath);
    }
    let hint = with_shortcut(strip.ctx(), "Copy all of it as text", SelectionAction::Copy);
    if labeled_icon_button(strip, Icon::Copy, "Copy").on_hover_text(hint).clicked() {
        strip.copy_text(card.to_text());
    }
    let dots = icon_button(strip, Icon::Dots, "More actions", "More actions");
    Popup::menu(&dots).show(|ui| menu(ui, session, (target, card), panels, commands));
    ui.add_space(BELOW);
}

fn zoom(session: &Session, target: Target) -> Option<Command> {
    match target {
        Target::Marker(marker) => Some(Command::ZoomToMarker(marker)),
        Target::Call => session.view.selected_call.map(Command::ZoomToCall),
    }
}

fn menu(
    ui: &mut Ui,
    session: &Session,
    (target, card): (Target, &MarkerCard),
    panels: &mut Panels,
    commands: &mut Vec<Command>,
) {
    if entry(ui, "Show in chart", true) {
        commands.extend(match target {
            Target::Marker(marker) => Some(Command::Reveal(marker)),
            Target::Call => session.view.selected_call.map(Command::RevealCall),
        });
    }
    if entry(ui, ("Select its time", SelectionAction::MarkerRange { extend: false }), true) {
        run_command(ui.ctx(), SelectionAction::MarkerRange { extend: false });
    }
    match target {
        Target::Marker(marker) => marker_entries(ui, session, marker, panels, commands),
        Target::Call => {
            if let Some(place) = session.selected_call_place() {
                open_in_editor_button(ui, &place);
            }
            if source_search_button(ui, &card.heading) {
                ui.close();
            }
        }
    }
    if entry(ui, "Copy name", true) {
        ui.copy_text(card.heading.clone());
    }
}

fn marker_entries(ui: &mut Ui, session: &Session, marker: MarkerId, panels: &mut Panels, commands: &mut Vec<Command>) {
    let profile = session.index.profile();
    let Some((thread, local)) = profile.locate(marker) else { return };
    if entry(ui, ("Statistics of this name", WindowAction::Table(TableKind::Statistics)), true) {
        panels.wanted_table = Some(TableKind::Statistics);
    }
    if profile.samples_during(thread, local).is_some_and(|samples| samples > 0)
        && entry(ui, "Call tree of its time", true)
    {
        let markers = &profile.thread(thread).markers;
        let range = TimeRange::new(markers.start(local), markers.end(local));
        commands.push(Command::SelectRange(Some(range)));
        panels.samples.choose(thread);
        panels.wanted_table = Some(TableKind::CallTree);
    }
    if let Some(side) = message_peer(profile, marker) {
        let text = if side.is_sender { "Go to the sender" } else { "Go to the receiver" };
        if entry(ui, text, true) {
            commands.push(Command::Reveal(side.marker));
        }
    }
    if source_search_button(ui, profile.marker_name(thread, local)) {
        ui.close();
    }
    if entry(ui, "Copy raw JSON", true) {
        ui.copy_text(payload_tree::json(&profile.payload(thread, local)));
    }
}
