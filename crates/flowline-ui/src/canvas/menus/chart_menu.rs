//! Context menu of the chart: only what applies to the item, the row and the moment at the clicked position, in groups.
//! The command palette lists everything else.

use egui::{Popup, Pos2, Response, Ui, pos2};

use crate::TableKind;
use crate::canvas::layout::CanvasLayout;
use crate::canvas::menus::{copy_menu, flow_menu, row_menu, track_menu};
use crate::canvas::pointer::box_selection::snapped_time;
use crate::canvas::pointer::measure;
use crate::commands::{NoteAction, SelectionAction, ViewAction, WindowAction};
use crate::widget_requests::{WidgetRequest, post, run_command, source_search_button};
use crate::widgets::menu::{Groups, consume_menu_key, context_menu_at, entry, submenu};
use flowline_profile::notes::{Note, NoteKind};
use flowline_profile::{CallRef, FlowId, MarkerId, Ns};
use flowline_session::{Session, call_card};
use flowline_view::{Command, FlowCommand, Measure, MeasureEdge, NoteCommand, Pane, PathTarget};

/// Menu entry that shows the critical path to the end of a marker.
const PATH_TO_IT: (&str, SelectionAction) = ("Critical path to it", SelectionAction::CriticalPath);

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
        let mut menu = Groups::new(ui);
        chosen.extend(of_item(&mut menu, session, &about));
        menu.next();
        chosen.extend(row_menu::entries(&mut menu, session, layout, (about.place, about.marker)));
        menu.next();
        chosen.extend(of_time(&mut menu, session, &about));
        menu.next();
        submenu(menu.ui(), "Copy", |ui| copy_menu::entries(ui, session, (about.marker, about.call, about.flow)));
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

/// Entries for the clicked marker, call or flow.
fn of_item(menu: &mut Groups<'_>, session: &Session, about: &About) -> Vec<Command> {
    match (about.marker, about.call, about.flow) {
        (Some(marker), ..) => {
            let statistics = statistics_of(menu, session, marker);
            statistics.or_else(|| of_marker(menu, session, marker)).into_iter().collect()
        }
        (None, Some(call), _) => of_call(menu, session, call).into_iter().collect(),
        (None, None, Some(flow)) => flow_menu::entries(menu.ui(), session, flow),
        (None, None, None) => Vec::new(),
    }
}

/// Menu entries for a marker in any list; returns the user's choice.
pub(crate) fn marker_entries(ui: &mut Ui, session: &Session, marker: MarkerId) -> Option<Command> {
    let thread = session.index.profile().locate(marker).map(|(thread, _)| thread);
    let mut chosen = None;
    let mut menu = Groups::new(ui);
    menu.offer(&mut chosen, "Show in chart", Some(Command::Reveal(marker)));
    chosen = chosen.or(of_marker(&mut menu, session, marker));
    menu.next();
    menu.offer(&mut chosen, ("Hide thread", ViewAction::HideThread), thread.map(Command::HideThread));
    let origin = Command::ZeroAt(Some(marker));
    menu.offer(&mut chosen, ("Set time origin to its start", SelectionAction::SetOrigin), Some(origin));
    menu.next();
    submenu(menu.ui(), "Copy", |ui| copy_menu::entries(ui, session, (Some(marker), None, None)));
    chosen
}

/// The entry that opens the statistics of a marker's name.
fn statistics_of(menu: &mut Groups<'_>, session: &Session, marker: MarkerId) -> Option<Command> {
    let profile = session.index.profile();
    let (thread, local) = profile.locate(marker)?;
    let text = format!("Statistics of {}", track_menu::short(profile.marker_name(thread, local)));
    let action = WindowAction::Table(TableKind::Statistics);
    if !entry(menu.ui(), (text.as_str(), action), true) {
        return None;
    }
    post(menu.ui().ctx(), WidgetRequest::ShowTable(TableKind::Statistics));
    Some(Command::Select(Some(marker)))
}

/// Entries for a marker and its flows.
fn of_marker(menu: &mut Groups<'_>, session: &Session, marker: MarkerId) -> Option<Command> {
    let mut chosen = None;
    let zoom = Command::ZoomToMarker(marker);
    menu.offer(&mut chosen, ("Zoom to it", ViewAction::ZoomToSelection), Some(zoom));
    let times = session.view.times_of(marker).map(|range| Command::SelectRange(Some(range)));
    menu.offer(&mut chosen, ("Select its time", SelectionAction::MarkerRange { extend: false }), times);
    if entry(menu.ui(), PATH_TO_IT, true) {
        post(menu.ui().ctx(), WidgetRequest::ShowTable(TableKind::CriticalPath));
        return Some(Command::ShowPath(Some(PathTarget::end_of(marker))));
    }
    let flows = session.index.flows().flows_of(marker);
    let enter = (!flows.is_empty()).then(|| Command::Flow(FlowCommand::Enter(flows.to_vec())));
    menu.offer(&mut chosen, ("Enter its flows", ViewAction::Confirm { back: false }), enter);
    chosen
}

/// Entries for a call of a stack chart.
fn of_call(menu: &mut Groups<'_>, session: &Session, call: CallRef) -> Option<Command> {
    let selected = session.call_at(call)?;
    let mut chosen = None;
    let zoom = Command::ZoomToCall(selected);
    menu.offer(&mut chosen, ("Zoom to it", ViewAction::ZoomToSelection), Some(zoom));
    let times = Command::SelectRange(Some(selected.times));
    menu.offer(&mut chosen, ("Select its time", SelectionAction::MarkerRange { extend: false }), Some(times));
    let card = call_card(&session.index, call, session.scope().range(), session.view.clock());
    if card.is_some_and(|card| source_search_button(menu.ui(), card.raw_name())) {
        menu.ui().close();
    }
    chosen
}

/// Entries for the clicked moment.
fn of_time(menu: &mut Groups<'_>, session: &Session, about: &About) -> Option<Command> {
    let mut chosen = None;
    let edge = if session.view.measure.is_some() { MeasureEdge::B } else { MeasureEdge::A };
    let text = if edge == MeasureEdge::A { "Measure from here" } else { "Measure to here" };
    let start = Measure { a: about.time, b: None };
    let measure = session.view.measure.map_or(start, |measure| measure.with(edge, about.time));
    menu.offer(&mut chosen, (text, SelectionAction::Measure), Some(Command::Measure(Some(measure))));
    let target = about.marker.and_then(|marker| session.entry_of(marker));
    let kind = target.map_or(NoteKind::Bookmark(about.time), NoteKind::Label);
    let note = Command::Note(NoteCommand::Add(Note { kind, text: String::new() }));
    menu.offer(&mut chosen, ("Add note", NoteAction::Add), Some(note));
    let can_save = session.view.range.is_some() && session.index.profile().meta.kind.has_markers();
    if can_save && entry(menu.ui(), WindowAction::SaveRange, true) {
        run_command(menu.ui().ctx(), WindowAction::SaveRange);
    }
    chosen
}
