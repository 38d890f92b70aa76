//! The details of the entered flow, shown while no marker is selected.

use egui::{Rect, Sense, Ui, UiBuilder, pos2, vec2};

use super::header::{self, Header};
use super::metrics::PAD;
use super::{facts, flow_section, flow_steps, grid};
use crate::canvas::flows::flow_panel::flow_lines;
use crate::commands::{FlowAction, with_shortcut};
use crate::widgets::grouped;
use crate::widgets::icon::{Icon, icon_button, labeled_icon_button};
use flowline_format::format_duration_ns;
use flowline_profile::{Direction, FlowId};
use flowline_scene::Palette;
use flowline_session::{KeyFact, Session, percent_text, place_text};
use flowline_view::Command;

/// Shows the flow; returns the user's commands.
pub(super) fn show(ui: &mut Ui, session: &Session, flow: FlowId, palette: &Palette) -> Vec<Command> {
    let Some(shape) = session.flows.shapes.flow(flow) else { return Vec::new() };
    let place = place_text(session.index.profile(), shape.appearance.thread);
    let subtitle = format!("Flow on {place}");
    let header = Header {
        color: Some(shape.appearance.color),
        title: &shape.appearance.label,
        short: &[],
        subtitle: &subtitle,
        thread: Some(shape.appearance.thread),
    };
    let mut commands = header::show(ui, session, &header, palette);
    facts::cards(ui, &key_facts(session, flow, shape.range.len()), palette);
    actions(ui, session, flow, &mut commands);
    // The facts have the rounded duration.
    let rounded = format_duration_ns(shape.range.len());
    let is_shown = |(label, value): &(&str, String)| *label != "Duration" || *value != rounded;
    for (label, value) in flow_lines(session, shape).into_iter().filter(is_shown) {
        grid::row(ui, label, &value, palette);
    }
    if let Some([number, count]) = session.flows.entered_use(flow).filter(|[_, count]| *count > 1) {
        let text = format!("use {} of {} of this id", grouped(number), grouped(count));
        grid::row(ui, "Reused", &text, palette);
    }
    flow_section::totals(ui, session, flow, palette);
    ui.add_space(6.0);
    flow_steps::show(ui, session, (flow, None), palette, &mut commands);
    commands
}

/// Duration, time running, and time waiting.
fn key_facts(session: &Session, flow: FlowId, length: i64) -> Vec<KeyFact> {
    let mut found = vec![KeyFact {
        value: format_duration_ns(length),
        caption: "Duration".to_owned(),
        share: None,
        exact: String::new(),
    }];
    let card = session.timelines.card(&session.index, &session.flows.rules, flow);
    let Some(totals) = card.map(|card| card.totals).filter(|_| length > 0) else { return found };
    for (caption, ns) in [("Running", totals.run), ("Waiting", totals.wait)] {
        #[expect(clippy::cast_precision_loss, reason = "a share")]
        let share = Some(ns as f64 / length as f64);
        let caption = format!("{caption}, {}", percent_text(ns, length));
        found.push(KeyFact { value: format_duration_ns(ns), caption, share, exact: String::new() });
    }
    found
}

fn actions(ui: &mut Ui, session: &Session, flow: FlowId, commands: &mut Vec<Command>) {
    ui.add_space(8.0);
    let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::hover());
    let area = Rect::from_min_max(pos2(row.min.x + PAD, row.min.y), row.max);
    let strip = &mut ui.new_child(
        UiBuilder::new().max_rect(area).layout(egui::Layout::left_to_right(egui::Align::Center)).id_salt("actions"),
    );
    strip.spacing_mut().item_spacing.x = 7.0;
    let hint = with_shortcut(strip.ctx(), "Zoom to the flow", FlowAction::Zoom);
    if labeled_icon_button(strip, Icon::ZoomTo, "Zoom").on_hover_text(hint).clicked() {
        crate::widget_requests::run_command(strip.ctx(), FlowAction::Zoom);
    }
    let hint = with_shortcut(strip.ctx(), "Select the first marker", FlowAction::Along(Direction::Forward));
    if labeled_icon_button(strip, Icon::Play, "First marker").on_hover_text(hint).clicked() {
        commands.extend(session.index.flows().members(flow).first().map(|marker| Command::Reveal(*marker)));
    }
    let dots = icon_button(strip, Icon::Dots, "Flow menu", "More commands for this flow");
    flow_section::menu(&dots, session, flow, commands);
    ui.add_space(10.0);
}
