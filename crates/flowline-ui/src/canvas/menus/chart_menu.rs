//! Context menu of the chart: measuring, selection, and actions on the item at the clicked position.

use egui::{Popup, Pos2, Response, Ui, pos2};

use crate::TableKind;
use crate::canvas::layout::CanvasLayout;
use crate::canvas::menus::{flow_menu, hide_menu, track_menu};
use crate::canvas::notes;
use crate::canvas::pointer::box_selection::{item_at, rows_at, snapped_time};
use crate::canvas::pointer::measure;
use crate::commands::{FlowAction, SelectionAction, ViewAction, WindowAction};
use crate::widget_requests::{WidgetRequest, post, run_command, source_search_button};
use crate::widgets::menu::{consume_menu_key, context_menu_at, entry, offer};
use flowline_profile::{CallRef, FlowId, MarkerId, Ns};
use flowline_session::{MarkerCard, Session, call_card};
use flowline_view::{Command, FlowCommand, Measure, MeasureEdge, Pane, PathTarget};

/// Menu entry that shows the critical path to the end of a marker.
const PATH_TO_HERE: (&str, SelectionAction) = ("Show critical path to here", SelectionAction::CriticalPath);
/// Menu entry that sets the time origin to the marker's start.
const FROM_THIS: &str = "Set time origin to this marker's start";

/// The target of the menu.
#[derive(Clone, Copy, Debug)]
struct About {
    place: Pos2,
    time: Ns,
    marker: Option<MarkerId>,
    call: Option<CallRef>,
    flow: Option<FlowId>,
}

/// Shows the menu if it is open; returns the user's choice.
pub(crate) fn show(response: &Response, session: &Session, layout: &CanvasLayout) -> Vec<Command> {
    let about_id = response.id.with("menu place");
    let focused = response.ctx.memory(egui::Memory::focused);
    let by_key = (response.has_focus() || (focused.is_none() && session.canvas.pane == Pane::A))
        && !Popup::is_any_open(&response.ctx)
        && consume_menu_key(&response.ctx);
    let about = if by_key {
        Some(about_selected(session, layout))
    } else {
        response.interact_pointer_pos().filter(|_| response.secondary_clicked()).map(|place| About {
            place,
            time: snapped_time(&response.ctx, session, layout, place),
            marker: session.view.hovered,
            call: session.pointer_hits().call.map(|hit| hit.call),
            flow: session.pointer_hits().flow(),
        })
    };
    if let Some(about) = about {
        response.ctx.data_mut(|data| data.insert_temp(about_id, about));
    }
    let mut chosen = Vec::new();
    context_menu_at(response, about.filter(|_| by_key).map(|about| about.place), |ui| {
        let about: Option<About> = ui.data(|data| data.get_temp(about_id));
        let Some(about) = about else { return };
        let About { place, marker, call, flow, .. } = about;
        chosen.extend(statistics(ui, session, layout, place, marker).or(of_marker(ui, session, marker)));
        chosen.extend(call.filter(|_| marker.is_none()).and_then(|call| of_call(ui, session, call)));
        chosen.extend(hide_menu::entries(ui, session, marker));
        if let Some(flow) = flow.filter(|_| marker.is_none()) {
            chosen.extend(flow_menu::entries(ui, session, flow));
        }
        chosen.extend(item_at(session, layout, place).and_then(|item| track_menu::submenu(ui, session, &item)));
        ui.separator();
        chosen.extend(entries(ui, session, layout, &about));
        if !chosen.is_empty() {
            ui.close();
        }
    });
    chosen
}

/// The selected marker or call if it is on screen, else the middle of the chart.
fn about_selected(session: &Session, layout: &CanvasLayout) -> About {
    let (view, input) = (&session.view, session.scene_input());
    let middle = layout.chart.center();
    let item = view.selected.and_then(|marker| session.item_of(marker));
    #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
    let y = item.map(|item| layout.chart.min.y + (item.y + item.height / 2.0 - view.scroll) as f32);
    let y = y.filter(|y| layout.chart.y_range().contains(*y));
    let times = measure::selected_times(session).filter(|_| y.is_some() || view.selected_call.is_some());
    #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
    let x = times.map(|times| layout.chart.min.x + (view.axis.pixel(times.start) as f32 / input.scale) + 2.0);
    let first = layout.chart.min.x + 2.0;
    let x = x.map(|x| x.clamp(first, (layout.chart.max.x - 2.0).max(first)));
    let place = pos2(x.unwrap_or(middle.x), y.unwrap_or(middle.y));
    let at_place = || view.axis.time(f64::from((place.x - layout.chart.min.x) * input.scale));
    let time = times.map_or_else(at_place, |times| times.start);
    let call = view.selected_call.map(|selected| selected.call);
    About { place, time, marker: view.selected.filter(|_| y.is_some()), call, flow: None }
}

/// Entries that open the statistics or the critical path of the clicked item.
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
        if ui.button(format!("Show statistics of \"{}\"", track_menu::short(name))).clicked() {
            chosen = Some(Command::Select(Some(marker)));
        }
    }
    if let Some(marker) = marker
        && entry(ui, PATH_TO_HERE, true)
    {
        post(ui.ctx(), WidgetRequest::ShowTable(TableKind::CriticalPath));
        return Some(Command::ShowPath(Some(PathTarget::end_of(marker))));
    }
    let rows = rows_at(session, layout, place).filter(|rows| !rows.is_empty());
    if let Some(rows) = rows.filter(|_| session.view.chosen.rows.is_empty())
        && ui.button("Show statistics of this row").clicked()
    {
        chosen = Some(Command::ToggleRows(rows));
    }
    if chosen.is_some() {
        post(ui.ctx(), WidgetRequest::ShowTable(TableKind::Statistics));
    }
    chosen
}

/// Menu entries for a marker in any list; returns the user's choice.
pub(crate) fn marker_entries(ui: &mut Ui, session: &Session, marker: MarkerId) -> Option<Command> {
    let thread = session.index.profile().locate(marker).map(|(thread, _)| thread);
    let mut chosen = None;
    if entry(ui, "Show in chart", true) {
        chosen = Some(Command::Reveal(marker));
    }
    chosen = chosen.or(of_marker(ui, session, Some(marker)));
    if entry(ui, PATH_TO_HERE, true) {
        post(ui.ctx(), WidgetRequest::ShowTable(TableKind::CriticalPath));
        chosen = Some(Command::ShowPath(Some(PathTarget::end_of(marker))));
    }
    if entry(ui, (FROM_THIS, SelectionAction::SetOrigin), true) {
        chosen = Some(Command::ZeroAt(Some(marker)));
    }
    if entry(ui, ("Hide thread", ViewAction::HideThread), thread.is_some()) {
        chosen = thread.map(Command::HideThread);
    }
    chosen
}

/// Entries for the clicked marker and its flows.
fn of_marker(ui: &mut Ui, session: &Session, marker: Option<MarkerId>) -> Option<Command> {
    let profile = session.index.profile();
    let marker = marker?;
    let (thread, local) = profile.locate(marker)?;
    let flows = session.index.flows().flows_of(marker);
    let chosen = session.view.flows.chosen.filter(|chosen| flows.contains(chosen));
    let mut command = None;
    offer(ui, &mut command, ("Zoom to marker", ViewAction::ZoomToSelection), Some(Command::ZoomToMarker(marker)));
    if entry(ui, ("Copy marker", SelectionAction::Copy), true) {
        let card = MarkerCard::new(&session.index, marker, session.view.clock());
        card.into_iter().for_each(|card| ui.ctx().copy_text(card.to_text()));
        command = Some(Command::Select(Some(marker)));
    }
    if !flows.is_empty() && entry(ui, ("Enter flows", ViewAction::Confirm { back: false }), true) {
        command = Some(Command::Flow(FlowCommand::Enter(flows.to_vec())));
    }
    if let Some(flow) = chosen.or(flows.first().copied()) {
        let text = if session.shows_only(flow) { "Show all markers" } else { "Show only this flow's markers" };
        if entry(ui, (text, FlowAction::ViewAll), true) {
            command = Some(Command::Flow(FlowCommand::ViewAll(flow)));
        }
        let pin = if session.view.flows.is_pinned(flow) { "Unpin flow" } else { "Pin flow" };
        if entry(ui, (pin, FlowAction::Pin), true) {
            command = Some(Command::Flow(FlowCommand::TogglePin(flow)));
        }
    }
    if source_search_button(ui, profile.marker_name(thread, local)) {
        ui.close();
    }
    command
}

/// Entries for the clicked call of a stack chart.
fn of_call(ui: &mut Ui, session: &Session, call: CallRef) -> Option<Command> {
    let selected = session.call_at(call)?;
    let card = call_card(&session.index, call, session.scope().range(), session.view.clock())?;
    let mut command = None;
    if entry(ui, ("Zoom to call", ViewAction::ZoomToSelection), true) {
        command = Some(Command::ZoomToCall(selected));
    }
    if entry(ui, ("Select time range", SelectionAction::MarkerRange { extend: false }), true) {
        command = Some(Command::SelectRange(Some(selected.times)));
    }
    for (text, copied) in [("Copy call", card.to_text()), ("Copy name", card.heading.clone())] {
        if entry(ui, text, true) {
            ui.ctx().copy_text(copied);
            command = Some(Command::SelectCall(Some(selected)));
        }
    }
    if source_search_button(ui, &card.heading) {
        ui.close();
    }
    command
}

/// Entries for the clicked position and the marker there, else for the selected marker.
fn entries(ui: &mut Ui, session: &Session, layout: &CanvasLayout, about: &About) -> Option<Command> {
    let About { place, time, marker, .. } = *about;
    let chosen = &mut None;
    let measure = session.view.measure;
    let put = |edge: MeasureEdge| match (measure, edge) {
        (Some(measure), edge) => Some(Command::Measure(Some(measure.with(edge, time)))),
        (None, MeasureEdge::A) => Some(Command::Measure(Some(Measure { a: time, b: None }))),
        (None, MeasureEdge::B) => None,
    };
    offer(ui, chosen, ("Measure from here (A)", SelectionAction::Measure), put(MeasureEdge::A));
    offer(ui, chosen, ("Measure to here (B)", SelectionAction::Measure), put(MeasureEdge::B));
    offer(ui, chosen, SelectionAction::MeasureSelection, measure::of_selection(session));
    let zero = marker.or(session.view.selected).map(|marker| Command::ZeroAt(Some(marker)));
    let text = if marker.is_some() { FROM_THIS } else { SelectionAction::SetOrigin.title() };
    offer(ui, chosen, (text, SelectionAction::SetOrigin), zero);
    offer(ui, chosen, SelectionAction::ResetOrigin, session.view.zero.map(|_| Command::ZeroAt(None)));
    let clear = (SelectionAction::ClearMeasurement.title(), WindowAction::Escape);
    offer(ui, chosen, clear, measure.map(|_| Command::Measure(None)));
    ui.separator();
    let rows = rows_at(session, layout, place).filter(|rows| !rows.is_empty());
    let is_selected_row = rows.as_ref().is_some_and(|rows| session.view.chosen.rows.has_all(rows));
    let text = if is_selected_row { "Remove row from selection" } else { "Add row to selection" };
    offer(ui, chosen, (text, SelectionAction::ToggleRow), rows.map(Command::ToggleRows));
    let times = match marker {
        Some(marker) => session.view.times_of(marker),
        None => measure::selected_times(session),
    };
    let text =
        if marker.is_some() { "Select this marker's time range" } else { "Select the selected item's time range" };
    let select = (text, SelectionAction::MarkerRange { extend: false });
    offer(ui, chosen, select, times.map(|range| Command::SelectRange(Some(range))));
    let has_rows = !session.view.chosen.rows.is_empty();
    let clear = (SelectionAction::ClearRows.title(), WindowAction::Escape);
    offer(ui, chosen, clear, has_rows.then_some(Command::ClearRows));
    ui.separator();
    let noted = notes::add_entries(ui, session, time);
    ui.separator();
    for action in [WindowAction::CopyCommand, WindowAction::SaveImage, WindowAction::CopyLink] {
        if entry(ui, action, true) {
            run_command(ui.ctx(), action);
        }
    }
    noted.or(chosen.take())
}
