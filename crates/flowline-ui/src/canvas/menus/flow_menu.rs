//! Context menu of a flow; the same in every view.

use egui::Ui;

use crate::canvas::flows::pin_rename;
use crate::commands::{FlowAction, ViewAction, WindowAction};
use crate::widgets::menu::{entry, offer};
use flowline_profile::FlowId;
use flowline_session::{Session, with_margin};
use flowline_view::{Command, FlowCommand, PathTarget};

/// Shows the entries; returns the commands of the user's choice.
pub(crate) fn entries(ui: &mut Ui, session: &Session, flow: FlowId) -> Vec<Command> {
    let view = &session.view.flows;
    let (profile, graph) = (session.index.profile(), session.index.flows());
    let members = graph.members(flow);
    let is_entered = view.entered.contains(&flow);
    let chosen = &mut None;
    let in_flow = |command| Some(vec![Command::Flow(command)]);
    if is_entered {
        offer(ui, chosen, ("Leave", WindowAction::Escape), in_flow(FlowCommand::Leave));
    } else {
        let enter = ("Enter", ViewAction::Confirm { back: false });
        offer(ui, chosen, enter, in_flow(FlowCommand::Enter(vec![flow])));
        if !view.entered.is_empty() {
            let both = view.entered.iter().copied().chain([flow]).collect();
            offer(ui, chosen, "Add to entered flows", in_flow(FlowCommand::Enter(both)));
        }
    }
    let is_pinned = view.is_pinned(flow);
    let pin = (if is_pinned { "Unpin" } else { "Pin" }, FlowAction::Pin);
    offer(ui, chosen, pin, in_flow(FlowCommand::TogglePin(flow)));
    if is_pinned && entry(ui, ("Rename pin…", FlowAction::RenamePin), true) {
        pin_rename::start(ui.ctx(), session, flow);
    }
    if view.pinned.len() > 1 {
        offer(ui, chosen, "Unpin all", in_flow(FlowCommand::UnpinAll));
    }
    let only = if session.shows_only(flow) { "Show all markers" } else { "Show only this flow's markers" };
    offer(ui, chosen, (only, FlowAction::ViewAll), in_flow(FlowCommand::ViewAll(flow)));
    let range = graph.range(profile, flow);
    offer(ui, chosen, "Zoom to flow", Some(vec![Command::ZoomTo(with_margin(range))]));
    offer(ui, chosen, "Select time range", Some(vec![Command::SelectRange(Some(range))]));
    let select = |marker| vec![Command::Reveal(marker), Command::Flow(FlowCommand::Choose(flow))];
    offer(ui, chosen, "Select first marker", members.first().copied().map(select));
    let last = graph.last_to_end(flow);
    offer(ui, chosen, "Select marker that ends last", last.map(select));
    let path = last.map(|last| vec![Command::ShowPath(Some(PathTarget::end_of(last)))]);
    offer(ui, chosen, "Show critical path to flow end", path);
    if entry(ui, "Copy flow id", true) {
        ui.ctx().copy_text(graph.id_text(profile, flow));
    }
    chosen.take().unwrap_or_default()
}
