//! Maps key actions to commands for the open recording.

use egui::Ui;

use crate::canvas::layout::CanvasWidget;
use crate::canvas::{measure, track_reordering};
use crate::details::payload_tree::payload_id;
use crate::details::slice_tree::slice_id;
use crate::input::keys::Action;
use crate::tables::critical_path::path_id;
use crate::tables::flow_table::flows_id;
use crate::tables::flow_tree::tree_id;
use crate::tables::marker_table::table_id;
use crate::tables::network::network_id;
use crate::tables::notes::notes_id;
use crate::tables::samples::{SampleView, samples_id};
use crate::tables::statistics::statistics_id;
use crate::widget_requests::{WidgetRequest, ask};
use crate::widgets::table;
use flowline_profile::{Direction, FlowId, Ns, ThreadId, TimeRange};
use flowline_session::{MarkerCard, Session, path_to_time};
use flowline_view::{
    Command, FlowCommand, FlowLaneCommand, KeyMotion, NoteCommand, Pane, PathTarget, RowSelection, TrackRef,
};

/// True if the focused widget handles this action itself.
pub(crate) fn focused_widget_handles(ui: &Ui, action: Action) -> bool {
    let Some(focused) = ui.memory(egui::Memory::focused) else { return false };
    if Pane::ALL.iter().any(|pane| focused == CanvasWidget::Chart.of(*pane).id()) {
        false
    } else if focused == notes_id() {
        matches!(action, Action::Confirm { .. } | Action::DeleteNote | Action::NamePin)
            || table::table_handles(ui, action)
    } else if focused == path_id() {
        matches!(action, Action::Confirm { .. }) || table::table_handles(ui, action)
    } else if action == Action::ToggleRow {
        // All other focusable widgets use Space themselves.
        true
    } else if focused == table_id() {
        table::table_handles(ui, action)
    } else if focused == tree_id() {
        let own = matches!(action, Action::Sibling(_) | Action::Confirm { .. } | Action::Pin);
        own || table::table_handles(ui, action)
    } else if focused == statistics_id() {
        // Without rows that open something, Enter goes to the chart.
        let opens = || ui.data(|data| data.get_temp(statistics_id())).unwrap_or(true);
        (matches!(action, Action::Confirm { .. }) && opens()) || table::table_handles(ui, action)
    } else if focused == network_id() {
        matches!(action, Action::Confirm { .. } | Action::Sibling(_)) || table::table_handles(ui, action)
    } else if focused == payload_id() || focused == slice_id() {
        matches!(action, Action::Sibling(_) | Action::Confirm { .. }) || table::table_handles(ui, action)
    } else if focused == flows_id() {
        let own = matches!(action, Action::Sibling(_) | Action::Confirm { .. } | Action::Pin | Action::Search);
        own || table::table_handles(ui, action)
    } else if SampleView::ALL.iter().any(|view| focused == samples_id(*view)) {
        // Most letters are transforms in these views.
        !matches!(
            action,
            Action::Table(_)
                | Action::Help
                | Action::Open
                | Action::Compare
                | Action::Theme
                | Action::Search
                | Action::Find
                | Action::SavePicture
                | Action::Close
                | Action::Quit
                | Action::FullScreen
                | Action::Reload
                | Action::Layout
                | Action::FlowLanes
                | Action::Panel(_)
                | Action::Scale(_)
        ) && (!matches!(action, Action::Escape) || table::table_handles(ui, action))
    } else {
        // The focus is on a button or a heading: Enter presses it, arrow keys move the focus.
        matches!(action, Action::Confirm { .. } | Action::Sibling(_) | Action::RowNeighbour(_) | Action::MoveTrack(_))
    }
}

/// The command for an action, if any.
pub(crate) fn command_for(ui: &Ui, session: &Session, focused_flow: Option<FlowId>, action: Action) -> Option<Command> {
    let view = &session.view;
    let scale = ui.ctx().pixels_per_point();
    let chart = session.canvas.regions.chart;
    let pointer = ui.ctx().pointer_hover_pos().map(|pointer| pointer.x * scale - chart.x);
    let pixel = pointer.filter(|x| *x >= 0.0 && *x <= chart.width).map_or(view.axis.width() / 2.0, f64::from);
    match action {
        Action::ZoomIn => Some(Command::Zoom { pixel, factor: KeyMotion::tap_zoom(), animated: true }),
        Action::ZoomOut => Some(Command::Zoom { pixel, factor: 1.0 / KeyMotion::tap_zoom(), animated: true }),
        Action::Hold(direction, _) => Some(Command::Hold { direction, pixel }),
        Action::Page(direction) => {
            let page = f64::from(chart.height / scale) * 0.9;
            Some(Command::Scroll(if direction == Direction::Forward { page } else { -page }))
        }
        Action::ZoomSelection => Some(Command::ZoomToSelection),
        Action::ZoomAll => Some(Command::ZoomToAll),
        Action::Edge(direction) => Some(Command::GoToEdge(direction)),
        Action::Confirm { back } => match view.range {
            Some(_) => Some(Command::ZoomToSelection),
            None => enter_flows(session)
                .filter(|_| !back)
                .or_else(|| step_hit(session, if back { Direction::Back } else { Direction::Forward })),
        },
        Action::Back => Some(Command::ZoomBack),
        Action::HideThread => thread_at_hand(session).map(Command::HideThread),
        Action::OnlyThread => thread_at_hand(session).map(Command::ShowOnly),
        Action::ShowThreads => Some(Command::ShowAll),
        Action::Sibling(direction) if view.selected_call.is_some() => {
            session.next_call(direction).map(Command::RevealCall)
        }
        Action::RowNeighbour(direction) | Action::Nested(direction) if view.selected_call.is_some() => {
            session.nested_call(direction).map(Command::RevealCall)
        }
        Action::Sibling(direction) => {
            session.sibling(direction).map(Command::Reveal).or_else(|| first_visible(session))
        }
        Action::RowNeighbour(direction) if view.flow_lanes.shown => {
            let lane = session.lane_neighbor(direction);
            lane.map(|(flow, marker)| Command::FlowLane(FlowLaneCommand::Select(flow, marker)))
                .or_else(|| first_visible(session))
        }
        Action::RowNeighbour(direction) => {
            session.row_neighbor(direction).map(Command::Reveal).or_else(|| first_visible(session))
        }
        Action::Nested(direction) => session.nested(direction).map(Command::Reveal),
        Action::ToggleRow => selected_row(session).map(Command::ToggleRows),
        Action::MarkerRange { widen } => {
            let times = measure::selected_times(session)?;
            let times = TimeRange { end: times.end.max(times.start + Ns(1)), ..times };
            let range = view.range.filter(|_| widen).map_or(times, |range| range.union(times));
            Some(Command::SelectRange(Some(range)))
        }
        Action::Note | Action::LinkNote | Action::DeleteNote | Action::HideEntry(_) | Action::ShowHidden => {
            note_command_for(session, action, view.axis.time(pixel))
        }
        Action::Undo => Some(Command::Undo),
        Action::Redo => Some(Command::Redo),
        Action::Measure => measure::next(ui.ctx(), session),
        Action::MeasureSelection => measure::of_selection(session),
        Action::ZeroHere => view.selected.map(|marker| Command::ZeroAt(Some(marker))),
        Action::ZeroReset => view.zero.map(|_| Command::ZeroAt(None)),
        Action::CriticalPath => Some(Command::ShowPath(toggled_path(session))),
        // With flow lanes shown, this returns to the thread rows in their previous arrangement.
        Action::Layout if view.flow_lanes.shown => Some(Command::SetArrangement(view.arrangement)),
        Action::MoveTrack(direction) => {
            let thread = thread_at_hand(session).map(TrackRef::Thread)?;
            track_reordering::step(&session.scene_input(), thread, direction)
        }
        Action::Layout => Some(Command::SetArrangement(view.arrangement.other())),
        Action::FlowLanes => Some(Command::FlowLane(FlowLaneCommand::Show(!view.flow_lanes.shown))),
        Action::EmptyRows => Some(Command::HideEmptyRows(!view.tracks.hide_empty_rows)),
        Action::NamePin => None,
        Action::AlongFlow(_)
        | Action::ChooseFlow(_)
        | Action::Pin
        | Action::FlowHistory(_)
        | Action::ViewAll
        | Action::Connections
        | Action::Path
        | Action::ZoomFlow
        | Action::Chain { .. } => flow_command_for(session, focused_flow, action),
        Action::LookUp => {
            let profile = session.index.profile();
            let marker = view.hovered.or(view.selected).and_then(|marker| profile.locate(marker));
            let name = marker.map(|(thread, local)| profile.marker_name(thread, local).to_owned());
            let call = || session.selected_call_card().map(|card| card.heading.clone());
            let name = name.or_else(call)?;
            ask(ui.ctx(), WidgetRequest::LookUp(name));
            None
        }
        Action::Copy => {
            let made =
                || view.selected.and_then(|marker| MarkerCard::new(&session.index, marker, session.view.clock()));
            let card = session.selected_card().or_else(|| session.selected_call_card()).cloned().or_else(made)?;
            ui.copy_text(card.to_text());
            None
        }
        _ => None,
    }
}

/// The command for an action on notes and hidden entries; `time` is the time at the pointer.
fn note_command_for(session: &Session, action: Action, time: Ns) -> Option<Command> {
    let view = &session.view;
    match action {
        Action::Note => Some(Command::Note(NoteCommand::Add(session.note_for_selection(time)))),
        Action::LinkNote => {
            let entry = session.selected_entry()?;
            let is_begun = view.notes.link_from.is_some();
            Some(Command::Note(if is_begun { NoteCommand::LinkTo(entry) } else { NoteCommand::LinkFrom(Some(entry)) }))
        }
        Action::DeleteNote => view.notes.selected.map(|note| Command::Note(NoteCommand::Delete(note))),
        Action::HideEntry(part) => session.hide(session.selected_entry()?, part),
        Action::ShowHidden => {
            let inside = session.selected_entry().and_then(|entry| session.show_inside(&entry));
            Some(inside.unwrap_or(Command::ShowHidden(None)))
        }
        _ => None,
    }
}

/// The critical path to show next; `None` if it is already shown, or if nothing is selected that a path could end at.
fn toggled_path(session: &Session) -> Option<PathTarget> {
    path_target(session)?.toggled(session.view.path)
}

/// End of the critical path for the current selection: the end of the selected marker or of the selected range,
/// whichever was selected last, else the end of the entered flow. For a range, the path ends at the marker that was
/// running at its end on the selected threads. Without selected threads, the thread that is selected or under the
/// pointer counts, else all visible threads.
pub(crate) fn path_target(session: &Session) -> Option<PathTarget> {
    let scope = session.scope();
    let of_marker = || session.view.selected.map(PathTarget::end_of);
    let of_range = || {
        let time = session.view.range?.end;
        let to = |wanted: &dyn Fn(ThreadId) -> bool| {
            let threads = session.index.profile().threads_with_ids().map(|(thread, _)| thread);
            path_to_time(&session.index, threads.filter(|thread| scope.shows(*thread) && wanted(*thread)), time)
        };
        if let Some(chosen) = scope.threads_with_selection() {
            return to(&|thread| chosen.contains(&thread));
        }
        let row = selected_row(session).unwrap_or_default();
        let near = |thread| row.threads.contains(&thread) || row.rows.keys().any(|(other, _)| *other == thread);
        to(&near).or_else(|| to(&|_| true))
    };
    let of_flow = || {
        let flow = session.view.flows.entered.first().copied()?;
        session.index.flows().last_to_end(flow).map(PathTarget::end_of)
    };
    let newer = if session.view.range_is_newer { of_range() } else { None };
    let target = newer.or_else(of_marker).or_else(of_range).or_else(of_flow)?;
    let assume_followed = session.view.path.is_none_or(|shown| shown.assume_followed);
    Some(PathTarget { assume_followed, ..target })
}

/// The row of the selected marker or call, else the row under the pointer.
fn selected_row(session: &Session) -> Option<RowSelection> {
    let input = session.scene_input();
    if let Some(call) = session.view.selected_call {
        return Some(RowSelection { samples: [call.call.thread].into(), ..RowSelection::default() });
    }
    if let Some(marker) = session.view.selected {
        return session.item_of(marker).map(|item| input.rows_of(&item.kind));
    }
    let chart = input.regions.chart;
    let (_, y) = input.pointer.filter(|(x, y)| chart.contains(*x, *y))?;
    let item = input.list.at(session.view.scroll + f64::from((y - chart.y) / input.scale))?;
    Some(input.rows_of(&item.kind))
}

/// The command that enters the flows of the selected marker, or only its active flow.
fn enter_flows(session: &Session) -> Option<Command> {
    let marker_flows = session.index.flows().flows_of(session.view.selected?);
    let chosen = session.view.flows.chosen.filter(|chosen| marker_flows.contains(chosen));
    let flows = chosen.map_or_else(|| marker_flows.to_vec(), |chosen| vec![chosen]);
    (!flows.is_empty() && flows != session.view.flows.entered).then_some(Command::Flow(FlowCommand::Enter(flows)))
}

/// The flow that a key applies to: the one under the pointer, the focused row's, the active one, or the first entered.
pub(crate) fn target_flow(session: &Session, focused_flow: Option<FlowId>) -> Option<FlowId> {
    let view = &session.view.flows;
    view.hovered.or(focused_flow).or_else(|| session.selected_flow()).or(view.entered.first().copied())
}

/// The flow command for an action, if any.
fn flow_command_for(session: &Session, focused_flow: Option<FlowId>, action: Action) -> Option<Command> {
    let view = &session.view.flows;
    let flow = || focused_flow.or_else(|| session.selected_flow()).or(view.entered.first().copied());
    let command = match action {
        Action::AlongFlow(direction) => return session.along_flow(direction).map(Command::Reveal),
        Action::ZoomFlow => return session.entered_range().map(flowline_session::with_margin).map(Command::ZoomTo),
        Action::ViewAll => FlowCommand::ViewAll(flow()?),
        Action::ChooseFlow(direction) => FlowCommand::Choose(session.next_flow(direction)?),
        Action::Pin => FlowCommand::TogglePin(target_flow(session, focused_flow)?),
        Action::FlowHistory(Direction::Forward) => FlowCommand::Forward,
        Action::FlowHistory(Direction::Back) => FlowCommand::Back,
        Action::Connections => FlowCommand::AllConnections(!view.all_connections),
        Action::Path => FlowCommand::Path(!view.path),
        Action::Chain { direction, all } if !view.entered.is_empty() => {
            if all {
                FlowCommand::ChainAll(direction)
            } else {
                FlowCommand::ChainStep(direction)
            }
        }
        _ => return None,
    };
    Some(Command::Flow(command))
}

/// The thread of the marker under the pointer, else of the selected marker.
fn thread_at_hand(session: &Session) -> Option<ThreadId> {
    let marker = session.view.hovered.or(session.view.selected)?;
    session.index.profile().locate(marker).map(|(thread, _)| thread)
}

/// Selects the first marker or call on screen, so that the arrow keys have a starting point.
fn first_visible(session: &Session) -> Option<Command> {
    use flowline_scene::{ItemKind, MarkerRow};
    if session.view.selected.is_some() {
        return None;
    }
    let input = session.scene_input();
    let shown = input.list.shown();
    let start = session.view.axis.visible().start;
    input.visible_items().iter().find_map(|item| {
        if let ItemKind::FlowLane(_) = item.kind {
            return item.kind.press(&input);
        }
        if let ItemKind::Calls(row) = item.kind {
            return session.first_call(row, start).map(Command::RevealCall);
        }
        let ItemKind::Row(MarkerRow { thread: id, row, .. }) = item.kind else { return None };
        let thread = session.index.profile().thread(id);
        let markers = shown.layout(input.index, input.view.arrangement, id)?.rows.row(row as usize);
        let first = markers.partition_point(|marker| thread.markers.end(*marker) < start);
        markers.get(first).map(|marker| Command::Reveal(thread.global(*marker)))
    })
}

/// The command that selects the next or previous search hit.
pub(crate) fn step_hit(session: &Session, direction: Direction) -> Option<Command> {
    let (hits, profile, scope) = (session.hits()?, session.index.profile(), session.scope());
    let in_scope = |thread, marker| scope.contains(profile, thread, marker);
    hits.step_among(profile, session.view.selected, direction, in_scope).map(Command::Reveal)
}
