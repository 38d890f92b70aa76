//! The context menu of the chart: edges of the measuring tool, and what to choose. It concerns the place that was clicked.

use egui::{Pos2, Response, Ui};

use super::box_drag::{rows_at, snapped_time};
use super::layout::CanvasLayout;
use super::{measure, notes};
use crate::profile::MarkerId;
use crate::session::Session;
use crate::ui::TableKind;
use crate::ui::asks::{Ask, ask, look_up_button};
use crate::view::{Command, FlowCommand, Measure, MeasureEdge, PathTarget};

/// Shows the menu if it is open; returns what was chosen.
pub(crate) fn show(response: &Response, session: &Session, layout: &CanvasLayout) -> Option<Command> {
    let place_id = response.id.with("menu place");
    if response.secondary_clicked()
        && let Some(place) = response.interact_pointer_pos()
    {
        let time = snapped_time(&response.ctx, session, layout, place);
        response.ctx.data_mut(|data| data.insert_temp(place_id, (place, time.0, session.view.hovered)));
    }
    let mut chosen = None;
    response.context_menu(|ui| {
        let place: Option<(Pos2, i64, Option<MarkerId>)> = ui.data(|data| data.get_temp(place_id));
        let Some((place, time, marker)) = place else { return };
        let of_this = statistics(ui, session, layout, place, marker).or(of_marker(ui, session, marker));
        ui.separator();
        chosen = of_this.or(entries(ui, session, layout, place, crate::profile::Ns(time)));
        if chosen.is_some() {
            ui.close();
        }
    });
    chosen
}

/// Entries that show the numbers of what was clicked.
fn statistics(
    ui: &mut Ui,
    session: &Session,
    layout: &CanvasLayout,
    place: Pos2,
    marker: Option<MarkerId>,
) -> Option<Command> {
    let mut chosen = None;
    let profile = session.index.profile();
    if let Some((marker, (thread, local))) = marker.and_then(|marker| Some((marker, profile.locate(marker)?))) {
        let name = profile.marker_name(thread, local);
        if ui.button(format!("Statistics of \"{}\"", short(name))).clicked() {
            chosen = Some(Command::Select(Some(marker)));
        }
    }
    if let Some(marker) = marker
        && ui.add(egui::Button::new("Critical path to here").shortcut_text("K")).clicked()
    {
        ask(ui.ctx(), Ask::ShowTable(TableKind::CriticalPath));
        return Some(Command::ShowPath(Some(PathTarget::end_of(marker))));
    }
    let rows = rows_at(session, layout, place).filter(|rows| !rows.is_empty());
    if let Some(rows) = rows.filter(|_| session.view.chosen.rows.is_empty())
        && ui.button("Statistics of this row").clicked()
    {
        chosen = Some(Command::ToggleRows(rows));
    }
    if chosen.is_some() {
        ask(ui.ctx(), Ask::ShowTable(TableKind::Statistics));
    }
    chosen
}

/// Entries about the flow and the name of the marker that was clicked.
fn of_marker(ui: &mut Ui, session: &Session, marker: Option<MarkerId>) -> Option<Command> {
    let profile = session.index.profile();
    let marker = marker?;
    let (thread, local) = profile.locate(marker)?;
    let flows = session.index.flows().flows_of(marker);
    let chosen = session.view.flows.chosen.filter(|chosen| flows.contains(chosen));
    let mut command = None;
    if let Some(flow) = chosen.or(flows.first().copied()) {
        let text = if session.shows_only(flow) { "All markers again" } else { "Only this flow's markers" };
        if ui.add(egui::Button::new(text).shortcut_text("V")).clicked() {
            command = Some(Command::Flow(FlowCommand::ViewAll(flow)));
        }
    }
    if look_up_button(ui, profile.marker_name(thread, local)) {
        ui.close();
    }
    command
}

/// A name that fits into a menu.
fn short(name: &str) -> String {
    const LIMIT: usize = 40;
    let mut text: String = name.chars().take(LIMIT).collect();
    if text.len() < name.len() {
        text.push('…');
    }
    text
}

fn entries(
    ui: &mut Ui,
    session: &Session,
    layout: &CanvasLayout,
    place: Pos2,
    time: crate::profile::Ns,
) -> Option<Command> {
    let mut chosen = None;
    let mut entry = |ui: &mut Ui, text: &str, keys: &str, command: Option<Command>| {
        let button = egui::Button::new(text).shortcut_text(keys);
        if ui.add_enabled(command.is_some(), button).clicked() {
            chosen = command;
        }
    };
    let measure = session.view.measure;
    let put = |edge: MeasureEdge| match (measure, edge) {
        (Some(measure), edge) => Some(measure.with(edge, time)),
        (None, MeasureEdge::A) => Some(Measure { a: time, b: None }),
        (None, MeasureEdge::B) => None,
    };
    entry(ui, "Measure from here (A)", "M", put(MeasureEdge::A).map(|measure| Command::Measure(Some(measure))));
    entry(ui, "Measure to here (B)", "M", put(MeasureEdge::B).map(|measure| Command::Measure(Some(measure))));
    entry(ui, "Measure what is selected", "Shift+M", measure::of_selection(session));
    let zero = session.view.hovered.or(session.view.selected);
    entry(ui, "Times from this marker's start", "Z", zero.map(|marker| Command::ZeroAt(Some(marker))));
    entry(ui, "Times from the beginning", "Shift+Z", session.view.zero.map(|_| Command::ZeroAt(None)));
    entry(ui, "Clear the measure", "Esc", measure.map(|_| Command::Measure(None)));
    ui.separator();
    let rows = rows_at(session, layout, place).filter(|rows| !rows.is_empty());
    let is_chosen = rows.as_ref().is_some_and(|rows| session.view.chosen.rows.has_all(rows));
    let text = if is_chosen { "Leave this row out" } else { "Choose this row, too" };
    entry(ui, text, "Space", rows.map(Command::ToggleRows));
    entry(
        ui,
        "Select the time of the marker",
        "R",
        measure::selected_times(session).map(|range| Command::SelectRange(Some(range))),
    );
    let has_rows = !session.view.chosen.rows.is_empty();
    entry(ui, "Choose no rows", "Esc", has_rows.then_some(Command::ClearRows));
    ui.separator();
    notes::add_entries(ui, session, time).or(chosen)
}
