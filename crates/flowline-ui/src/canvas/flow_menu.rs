//! Context menu of a flow; the same in every view.

use egui::Ui;

use super::pin_rename;
use crate::widgets::menu::entry;
use flowline_profile::FlowId;
use flowline_session::{Session, with_margin};
use flowline_view::{Command, FlowCommand, PathTarget};

/// Shows the entries; returns the commands of the user's choice.
pub(crate) fn entries(ui: &mut Ui, session: &Session, flow: FlowId) -> Vec<Command> {
    let view = &session.view.flows;
    let (profile, graph) = (session.index.profile(), session.index.flows());
    let members = graph.members(flow);
    let is_entered = view.entered.contains(&flow);
    let mut chosen = Vec::new();
    let mut offer = |ui: &mut Ui, text: &str, key: &str, commands: Vec<Command>| {
        if entry(ui, text, key, !commands.is_empty()) {
            chosen = commands;
        }
    };
    let in_flow = |command| vec![Command::Flow(command)];
    if is_entered {
        offer(ui, "Leave", "Esc", in_flow(FlowCommand::Leave));
    } else {
        offer(ui, "Enter", "Enter", in_flow(FlowCommand::Enter(vec![flow])));
        if !view.entered.is_empty() {
            let both = view.entered.iter().copied().chain([flow]).collect();
            offer(ui, "Add to entered flows", "", in_flow(FlowCommand::Enter(both)));
        }
    }
    let is_pinned = view.is_pinned(flow);
    offer(ui, if is_pinned { "Unpin" } else { "Pin" }, "P", in_flow(FlowCommand::TogglePin(flow)));
    if is_pinned && entry(ui, "Rename pin…", "F2", true) {
        pin_rename::start(ui.ctx(), session, flow);
    }
    if view.pinned.len() > 1 {
        offer(ui, "Unpin all", "", in_flow(FlowCommand::UnpinAll));
    }
    let only = if session.shows_only(flow) { "Show all markers" } else { "Show only this flow's markers" };
    offer(ui, only, "V", in_flow(FlowCommand::ViewAll(flow)));
    offer(ui, "Zoom to flow", "", vec![Command::ZoomTo(with_margin(graph.range(profile, flow)))]);
    offer(ui, "Select time range", "", vec![Command::SelectRange(Some(graph.range(profile, flow)))]);
    let choose = || Command::Flow(FlowCommand::Choose(flow));
    let first = members.first().map(|first| vec![Command::Reveal(*first), choose()]);
    offer(ui, "Select first marker", "", first.unwrap_or_default());
    let last = graph.last_to_end(flow);
    offer(
        ui,
        "Select marker that ends last",
        "",
        last.map(|last| vec![Command::Reveal(last), choose()]).unwrap_or_default(),
    );
    let path = last.map(|last| vec![Command::ShowPath(Some(PathTarget::end_of(last)))]);
    offer(ui, "Show critical path to flow end", "", path.unwrap_or_default());
    if entry(ui, "Copy flow id", "", true) {
        ui.ctx().copy_text(graph.id_text(profile, flow));
    }
    chosen
}
