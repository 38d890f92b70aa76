//! Commands for the visible time range and the rows.

use super::CommandInput;
use super::flow_actions::NO_FLOW;
use super::pointed::{pixel_at_pointer, thread_at_hand};
use crate::canvas::pointer::track_reordering;
use crate::commands::ViewAction;
use crate::toast::Toast;
use crate::widget_requests::show_toast;
use flowline_profile::Direction;
use flowline_session::Session;
use flowline_view::{Command, FlowCommand, FlowLaneCommand, KeyMotion, MoveDirection, TrackRef};

/// The command for an action, if any.
pub(super) fn command(input: CommandInput<'_>, action: ViewAction) -> Option<Command> {
    let CommandInput { ui, session, is_held, .. } = input;
    let view = &session.view;
    match action {
        ViewAction::Move(direction) if is_held => {
            Some(Command::Hold { direction, pixel: pixel_at_pointer(ui, session) })
        }
        ViewAction::Move(direction) => Some(step(input, direction)),
        ViewAction::Page(direction) => {
            let page = f64::from(session.canvas.regions.chart.height / ui.ctx().pixels_per_point()) * 0.9;
            Some(Command::Scroll(if direction == Direction::Forward { page } else { -page }))
        }
        ViewAction::Edge(direction) => Some(Command::GoToEdge(direction)),
        ViewAction::ZoomToSelection => Some(Command::ZoomToSelection),
        ViewAction::ZoomToAll => Some(Command::ZoomToAll),
        ViewAction::ZoomBack => Some(Command::ZoomBack),
        ViewAction::Confirm { back } => match view.range {
            Some(_) => Some(Command::ZoomToSelection),
            None if !back && enters_nothing(session) => {
                show_toast(ui.ctx(), Toast::report(NO_FLOW));
                None
            }
            None => enter_flows(session).filter(|_| !back).or(Some(Command::StepHit(if back {
                Direction::Back
            } else {
                Direction::Forward
            }))),
        },
        ViewAction::ClearSearch => Some(Command::Search(String::new())),
        // With flow lanes shown, this returns to the thread rows in their previous arrangement.
        ViewAction::Layout if view.flow_lanes.shown => Some(Command::SetArrangement(view.arrangement)),
        ViewAction::Layout => Some(Command::SetArrangement(view.arrangement.other())),
        ViewAction::FlowLanes => Some(Command::FlowLane(FlowLaneCommand::Show(!view.flow_lanes.shown))),
        ViewAction::EmptyRows => Some(Command::HideEmptyRows(!view.tracks.hide_empty_rows)),
        ViewAction::HideThread => thread_at_hand(session).map(Command::HideThread),
        ViewAction::OnlyThread => thread_at_hand(session).map(Command::ShowOnly),
        ViewAction::ShowThreads => Some(Command::ShowAll),
        ViewAction::MoveTrack(direction) => {
            let thread = thread_at_hand(session).map(TrackRef::Thread)?;
            track_reordering::step(&session.scene_input(), thread, direction)
        }
        ViewAction::ExpandAll => Some(Command::ExpandAll),
        ViewAction::CollapseAll => Some(Command::CollapseAll),
        ViewAction::ResetOrder => Some(Command::ResetOrder),
        ViewAction::FollowView => Some(Command::FollowView(!view.follows_view)),
        ViewAction::AllMarkers => Some(Command::ShowAllMarkers(!view.tracks.all_markers)),
        ViewAction::IdleThreads => Some(Command::ShowIdleThreads(!view.tracks.shows_idle(view.profile()))),
        ViewAction::Compact => Some(Command::Compact(!view.tracks.compact)),
        ViewAction::ColorBy(by) => session.index.kind_share().choices().contains(&by).then_some(Command::ColorBy(by)),
    }
}

/// The command that moves the view as far as a tap on a motion key.
fn step(input: CommandInput<'_>, direction: MoveDirection) -> Command {
    let CommandInput { ui, session, .. } = input;
    let zoom = |factor| Command::Zoom { pixel: pixel_at_pointer(ui, session), factor, animated: true };
    let pan = |direction: f64| {
        let pixels = direction * KeyMotion::tap_pan() * session.view.axis.width();
        Command::Pan { pixels, animated: true }
    };
    match direction {
        MoveDirection::ZoomIn => zoom(KeyMotion::tap_zoom()),
        MoveDirection::ZoomOut => zoom(1.0 / KeyMotion::tap_zoom()),
        MoveDirection::Left => pan(-1.0),
        MoveDirection::Right => pan(1.0),
        MoveDirection::Up => Command::Scroll(-KeyMotion::tap_scroll()),
        MoveDirection::Down => Command::Scroll(KeyMotion::tap_scroll()),
    }
}

/// True if Enter has no flow to enter and no hit to go to.
fn enters_nothing(session: &Session) -> bool {
    let has_flow = |marker| !session.index.flows().flows_of(marker).is_empty();
    session.view.search.is_empty() && session.view.selected.is_some_and(|marker| !has_flow(marker))
}

/// The command that enters the flows of the selected marker, or only its active flow.
fn enter_flows(session: &Session) -> Option<Command> {
    let marker_flows = session.index.flows().flows_of(session.view.selected?);
    let chosen = session.view.flows.chosen.filter(|chosen| marker_flows.contains(chosen));
    let flows = chosen.map_or_else(|| marker_flows.to_vec(), |chosen| vec![chosen]);
    (!flows.is_empty() && flows != session.view.flows.entered).then_some(Command::Flow(FlowCommand::Enter(flows)))
}
