//! The section with the flows of the selected marker: a title, buttons for walking along the flow, and its steps.

use egui::{Popup, Rect, Response, Sense, Ui, UiBuilder, pos2, vec2};

use super::metrics::{PAD, TEXT};
use super::section::{self, CollapsedSections, Section};
use super::{flow_steps, grid, text};
use crate::commands::{FlowAction, ViewAction, shortcut, with_shortcut};
use crate::widgets::grouped;
use crate::widgets::icon::{Icon, icon_button};
use crate::widgets::menu::entry;
use crate::widgets::style::{SMALL, color};
use flowline_index::flows::MarkerFlow;
use flowline_profile::{Direction, FlowId};
use flowline_scene::Palette;
use flowline_session::Session;
use flowline_view::{Command, FlowCommand};

/// Height of the title of a flow in points.
const TITLE: f32 = 24.0;
/// Width of the buttons beside it in points.
const BUTTONS: f32 = 3.0 * 24.0;
/// Maximum number of flows of a marker whose steps are all shown; of more, only those of the active one.
const MAX_OPEN: usize = 2;

/// Shows the section, unless the marker has no flows; returns the user's commands.
pub(super) fn show(
    ui: &mut Ui,
    session: &Session,
    collapsed: &mut CollapsedSections,
    palette: &Palette,
) -> Vec<Command> {
    let mut commands = Vec::new();
    let cards = session.flow_cards();
    let right = match cards.flows.as_slice() {
        [] => return commands,
        [only] if cards.total == 1 => place(only),
        _ => crate::widgets::counted(cards.total, "flow"),
    };
    section::show(ui, (Section::Flow, &right), collapsed, palette, |ui| {
        for entry in &cards.flows {
            // The id depends on the flow only, so that a flow keeps its widgets from one marker to the next, and press
            // and release belong together even if it moves.
            let id = ui.scope_id().with(("flow", entry.flow));
            ui.scope_builder(UiBuilder::new().scope_id(id), |ui| {
                flow(ui, session, (entry, cards.total), palette, &mut commands);
            });
        }
        if cards.total > cards.flows.len() {
            let rest = grouped(cards.total - cards.flows.len());
            let key = shortcut(ui.ctx(), ViewAction::Confirm { back: false });
            grid::note(ui, &format!("and {rest} more; press {key} to show them in the flow panel"), palette);
        }
    });
    commands
}

/// The place of the marker in a flow: "5 of 5".
fn place(flow: &MarkerFlow) -> String {
    format!("{} of {}", grouped(flow.position + 1), grouped(flow.count))
}

fn flow(
    ui: &mut Ui,
    session: &Session,
    (entry, total): (&MarkerFlow, usize),
    palette: &Palette,
    commands: &mut Vec<Command>,
) {
    let chosen = session.selected_flow() == Some(entry.flow);
    let mut focused = title(ui, session, (entry, total > 1), palette, commands);
    if chosen || total <= MAX_OPEN {
        let before = commands.len();
        flow_steps::show(ui, session, (entry.flow, session.view.selected), palette, commands);
        about(ui, session, entry, palette);
        focused |= commands.len() > before;
    }
    // Focusing a flow's button makes the flow active.
    if focused && !chosen {
        commands.push(Command::Flow(FlowCommand::Choose(entry.flow)));
    }
}

/// Shows the title with its buttons; returns true if one of them has the keyboard focus.
fn title(
    ui: &mut Ui,
    session: &Session,
    (entry, is_one_of_several): (&MarkerFlow, bool),
    palette: &Palette,
    commands: &mut Vec<Command>,
) -> bool {
    let flow = entry.flow;
    let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), TITLE), Sense::hover());
    let corner = pos2(row.max.x - PAD - BUTTONS + 6.0, row.min.y);
    let buttons = Rect::from_min_size(corner, vec2(BUTTONS + 1.0, TITLE));
    let mut right = buttons.min.x - 4.0;
    if is_one_of_several {
        let area = Rect::from_min_max(pos2(row.min.x + TEXT, row.min.y), pos2(right, row.max.y));
        let place = place(entry);
        let width = text::draw_right(ui, area, &place, SMALL, color(palette.text2));
        let own = Rect::from_min_max(pos2(area.max.x - width, area.min.y), area.max);
        text::announce(ui, ui.scope_id().with("place"), own, &place);
        right -= width + 8.0;
    }
    let card = session.timelines.card(&session.index, &session.flows.rules, flow);
    let id_text = format!("{} {}", entry.field, entry.id);
    let label = card.map_or_else(|| id_text.clone(), |card| card.label.clone());
    let area = Rect::from_min_max(pos2(row.min.x + TEXT, row.min.y), pos2(right, row.max.y));
    let name = format!("Flow {label}");
    let link = grid::link_at(ui, ui.scope_id().with("title"), area, (&label, &name), palette);
    let mut focused = link.has_focus();
    if link.clicked() {
        commands.push(Command::Flow(FlowCommand::Enter(vec![flow])));
    }
    let hint = with_shortcut(ui.ctx(), "Show this flow in the flow panel", ViewAction::Confirm { back: false });
    link.on_hover_text(format!("{label}\n{id_text}\n{hint}"));
    let mut strip = ui.new_child(
        UiBuilder::new().max_rect(buttons).layout(egui::Layout::left_to_right(egui::Align::Center)).id_salt("walk"),
    );
    strip.spacing_mut().item_spacing.x = 0.0;
    let members = session.index.flows().members(flow);
    let before = entry.position.checked_sub(1).and_then(|at| members.get(at)).copied();
    let after = members.get(entry.position + 1).copied();
    for (icon, name, direction, target) in [
        (Icon::ChevronLeft, "Previous in flow", Direction::Back, before),
        (Icon::ChevronRight, "Next in flow", Direction::Forward, after),
    ] {
        let hint = with_shortcut(strip.ctx(), name, FlowAction::Along(direction));
        let button = strip.add_enabled_ui(target.is_some(), |ui| icon_button(ui, icon, name, &hint)).inner;
        focused |= button.has_focus();
        if button.clicked() {
            commands.push(Command::Flow(FlowCommand::Choose(flow)));
            commands.extend(target.map(Command::Reveal));
        }
    }
    let dots = icon_button(&mut strip, Icon::Dots, "Flow menu", "More commands for this flow");
    focused |= dots.has_focus();
    menu(&dots, session, flow, commands);
    focused
}

/// The menu of a flow.
pub(super) fn menu(dots: &Response, session: &Session, flow: FlowId, commands: &mut Vec<Command>) {
    Popup::menu(dots).show(|ui| {
        if entry(ui, ("Show in flow panel", ViewAction::Confirm { back: false }), true) {
            commands.push(Command::Flow(FlowCommand::Enter(vec![flow])));
        }
        let text = if session.shows_only(flow) { "Show all markers" } else { "Show only its markers" };
        if entry(ui, (text, FlowAction::ViewAll), true) {
            commands.push(Command::Flow(FlowCommand::ViewAll(flow)));
        }
        let text = if session.view.flows.is_pinned(flow) { "Unpin flow" } else { "Pin flow" };
        if entry(ui, (text, FlowAction::Pin), true) {
            commands.push(Command::Flow(FlowCommand::TogglePin(flow)));
        }
    });
}

/// Shows the id, the subject and the totals of a flow.
fn about(ui: &mut Ui, session: &Session, entry: &MarkerFlow, palette: &Palette) {
    // The arguments may already contain the id.
    let card = session.selected_card();
    let is_argument = |(label, value): &(String, String)| *label == entry.field && value.contains(&entry.id);
    if !card.is_some_and(|card| card.lines.iter().any(is_argument)) {
        grid::row(ui, &entry.field, &entry.id, palette);
    }
    totals(ui, session, entry.flow, palette);
}

/// Shows the subject and the totals of a flow.
pub(super) fn totals(ui: &mut Ui, session: &Session, flow: FlowId, palette: &Palette) {
    let Some(card) = session.timelines.card(&session.index, &session.flows.rules, flow) else { return };
    if !card.kind.is_empty() && card.kind != card.label {
        grid::row(ui, "Type", &card.kind, palette);
    }
    if let Some(resource) = card.resource.as_ref().filter(|resource| **resource != card.kind) {
        grid::row(ui, "Resource", resource, palette);
    }
    let summary = card.summary();
    if !summary.is_empty() {
        grid::sentence(ui, "In all", &summary, palette);
    }
}
