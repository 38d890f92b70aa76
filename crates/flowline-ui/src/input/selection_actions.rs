//! Commands for the selection and what depends on it.

use super::CommandInput;
use super::path_target::path_target;
use super::pointed::selected_row;
use crate::canvas::pointer::measure;
use crate::commands::SelectionAction;
use crate::tables::TableKind;
use crate::toast::Toast;
use crate::widget_requests::{WidgetRequest, post, show_toast};
use crate::widgets::table::focus_shown_table;
use flowline_profile::{Direction, Ns, TimeRange};
use flowline_scene::{ItemKind, MarkerRow};
use flowline_session::{InsightReport, MarkerCard, Session};
use flowline_view::{Command, FlowLaneCommand, PathTarget};

/// The command for an action, if any.
pub(super) fn command(input: CommandInput<'_>, action: SelectionAction) -> Option<Command> {
    let CommandInput { ui, session, .. } = input;
    let view = &session.view;
    match action {
        SelectionAction::Sibling(direction) => sibling(session, direction),
        SelectionAction::RowNeighbor(direction) => row_neighbor(session, direction),
        SelectionAction::Nested(direction) if view.selected_call.is_some() => {
            session.nested_call(direction).map(Command::RevealCall)
        }
        SelectionAction::Nested(direction) => session.nested(direction).map(Command::Reveal),
        SelectionAction::LongTask(direction) => {
            let lanes = session.scope().lanes()?;
            or_report(ui, session.next_long_task(direction), (lanes.responsiveness.as_ref()?.one(), direction))
        }
        SelectionAction::BadFrame(direction) => {
            or_report(ui, session.next_bad_frame(direction), ("late or dropped frame", direction))
        }
        SelectionAction::History(direction) => Some(Command::StepSelection(direction)),
        SelectionAction::ToggleRow => selected_row(session).map(Command::ToggleRows),
        SelectionAction::MarkerRange { extend } => {
            let times = measure::selected_times(session)?;
            let times = TimeRange { end: times.end.max(times.start + Ns(1)), ..times };
            let range = view.range.filter(|_| extend).map_or(times, |range| range.union(times));
            Some(Command::SelectRange(Some(range)))
        }
        SelectionAction::VisibleRange => Some(Command::SelectRange(Some(view.axis.visible()))),
        SelectionAction::ClearRange => Some(Command::SelectRange(None)),
        SelectionAction::ClearRows => Some(Command::ClearRows),
        SelectionAction::Measure => measure::next(ui.ctx(), session),
        SelectionAction::MeasureSelection => measure::of_selection(session),
        SelectionAction::ClearMeasurement => Some(Command::Measure(None)),
        SelectionAction::SetOrigin => view.selected.map(|marker| Command::ZeroAt(Some(marker))),
        SelectionAction::ResetOrigin => view.zero.map(|_| Command::ZeroAt(None)),
        SelectionAction::NavigationOrigin => {
            let marker = session.main_navigation()?.marker?;
            Some(Command::ZeroAt((view.zero != Some(marker)).then_some(marker)))
        }
        SelectionAction::PathTo(kind) => {
            post(ui.ctx(), WidgetRequest::ShowTable(TableKind::CriticalPath));
            focus_shown_table(ui.ctx());
            Some(Command::ShowPath(session.late_moment(kind).map(PathTarget::end_of)))
        }
        SelectionAction::Insight(direction) => {
            if InsightReport::may_exist(session.index.profile()) {
                post(ui.ctx(), WidgetRequest::ShowTable(TableKind::Insights));
            }
            session.next_insight(direction).map(|focus| Command::FocusInsight(Some(focus)))
        }
        SelectionAction::CriticalPath if path_target(session).is_none() && view.path.is_none() => {
            show_toast(
                ui.ctx(),
                Toast::report("Select a marker or a range, or enter a flow, to see its critical path."),
            );
            None
        }
        SelectionAction::CriticalPath => Some(Command::ShowPath(toggled_path(session))),
        SelectionAction::SearchSource => {
            let profile = session.index.profile();
            let marker = view.hovered.or(view.selected).and_then(|marker| profile.locate(marker));
            let name = marker.map(|(thread, local)| profile.marker_name(thread, local).to_owned());
            let call = || session.selected_call_card().map(|card| card.raw_name().to_owned());
            let name = name.or_else(call)?;
            post(ui.ctx(), WidgetRequest::SearchSource(name));
            None
        }
        SelectionAction::Copy => {
            let made =
                || view.selected.and_then(|marker| MarkerCard::new(&session.index, marker, session.view.clock()));
            let card = session.selected_card().or_else(|| session.selected_call_card()).cloned().or_else(made)?;
            ui.copy_text(card.to_text());
            None
        }
    }
}

/// The command, or a notice that there is no such thing in a direction.
fn or_report(ui: &egui::Ui, command: Option<Command>, (name, direction): (&str, Direction)) -> Option<Command> {
    if command.is_none() {
        let side = if direction == Direction::Forward { "later" } else { "earlier" };
        show_toast(ui.ctx(), Toast::report(format!("There is no {side} {name}.")));
    }
    command
}

/// Selects the next or previous marker or call in the row.
fn sibling(session: &Session, direction: Direction) -> Option<Command> {
    if session.view.selected_call.is_some() {
        return session.next_call(direction).map(Command::RevealCall);
    }
    if let Some(next) = session.next_period(direction) {
        return next.map(Command::RevealRange);
    }
    session.sibling(direction).map(Command::Reveal).or_else(|| first_visible(session))
}

/// Selects a marker or call in the row below or above.
fn row_neighbor(session: &Session, direction: Direction) -> Option<Command> {
    if session.view.selected_call.is_some() {
        return session.nested_call(direction).map(Command::RevealCall);
    }
    let neighbor = if session.view.flow_lanes.shown {
        let lane = session.lane_neighbor(direction);
        lane.map(|(flow, marker)| Command::FlowLane(FlowLaneCommand::Select(flow, marker)))
    } else {
        session.row_neighbor(direction).map(Command::Reveal)
    };
    neighbor.or_else(|| first_visible(session))
}

/// The critical path to show next; `None` if it is already shown, or if nothing is selected that a path could end at.
fn toggled_path(session: &Session) -> Option<PathTarget> {
    path_target(session)?.toggled(session.view.path)
}

/// Selects the first marker or call on screen, so that the arrow keys have a starting point.
fn first_visible(session: &Session) -> Option<Command> {
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
