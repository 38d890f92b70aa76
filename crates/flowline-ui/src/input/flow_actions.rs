//! Commands for flows.

use super::CommandInput;
use crate::canvas::flows::pin_rename;
use crate::commands::FlowAction;
use crate::toast::Toast;
use crate::widget_requests::show_toast;
use flowline_profile::{Direction, FlowId};
use flowline_session::{Session, with_margin};
use flowline_view::{Command, FlowCommand};

/// The report for keys of flows on a marker without flows.
pub(super) const NO_FLOW: &str = "The selected marker belongs to no flow.";

/// The command for an action, if any.
pub(super) fn command(input: CommandInput<'_>, action: FlowAction) -> Option<Command> {
    let CommandInput { ui, session, focused_flow, .. } = input;
    let view = &session.view.flows;
    let flow = || focused_flow.or_else(|| session.selected_flow()).or(view.entered.first().copied());
    let command = match action {
        FlowAction::Along(direction) => {
            let next = session.along_flow(direction);
            if next.is_none() {
                show_toast(ui.ctx(), Toast::report(no_next(session, direction)));
            }
            return next.map(Command::Reveal);
        }
        FlowAction::Zoom => return session.entered_range().map(with_margin).map(Command::ZoomTo),
        FlowAction::RenamePin => {
            let pinned = target_flow(session, focused_flow).filter(|flow| view.is_pinned(*flow));
            pinned.into_iter().for_each(|flow| pin_rename::start(ui.ctx(), session, flow));
            return None;
        }
        FlowAction::ViewAll => FlowCommand::ViewAll(flow()?),
        FlowAction::Choose(direction) => FlowCommand::Choose(session.next_flow(direction)?),
        FlowAction::Pin => FlowCommand::TogglePin(target_flow(session, focused_flow)?),
        FlowAction::UnpinAll => FlowCommand::UnpinAll,
        FlowAction::Leave => FlowCommand::Leave,
        FlowAction::History(Direction::Forward) => FlowCommand::Forward,
        FlowAction::History(Direction::Back) => FlowCommand::Back,
        FlowAction::Connections => FlowCommand::AllConnections(!view.all_connections),
        FlowAction::Path => FlowCommand::Path(!view.path),
        FlowAction::Chain { direction, all: true } => FlowCommand::ChainAll(direction),
        FlowAction::Chain { direction, all: false } => FlowCommand::ChainStep(direction),
        FlowAction::ResetChain => FlowCommand::ChainReset,
    };
    Some(Command::Flow(command))
}

/// The reason why no marker follows or precedes the selected one.
fn no_next(session: &Session, direction: Direction) -> &'static str {
    match (session.selected_flow().is_some(), session.view.selected.is_some(), direction) {
        (true, _, Direction::Forward) => "This is the last marker of the flow.",
        (true, _, Direction::Back) => "This is the first marker of the flow.",
        (false, true, _) => NO_FLOW,
        (false, false, _) => "Select a marker of a flow first.",
    }
}

/// The flow that a key applies to: the one under the pointer, the focused row's, the active one, or the first entered.
fn target_flow(session: &Session, focused_flow: Option<FlowId>) -> Option<FlowId> {
    let view = &session.view.flows;
    view.hovered.or(focused_flow).or_else(|| session.selected_flow()).or(view.entered.first().copied())
}
