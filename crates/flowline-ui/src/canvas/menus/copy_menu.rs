//! The submenu that copies the clicked item, or a command that shows the same view.

use egui::Ui;

use crate::commands::{SelectionAction, WindowAction};
use crate::widget_requests::run_command;
use crate::widgets::menu::entry;
use flowline_profile::{CallRef, FlowId, MarkerId};
use flowline_session::{MarkerCard, Session, call_card};

/// Shows the entries. Texts are copied at once; a command of the registry does the rest.
pub(super) fn entries(
    ui: &mut Ui,
    session: &Session,
    (marker, call, flow): (Option<MarkerId>, Option<CallRef>, Option<FlowId>),
) {
    let (index, clock) = (&session.index, session.view.clock());
    let card = match (marker, call) {
        (Some(marker), _) => MarkerCard::new(index, marker, clock),
        (None, Some(call)) => call_card(index, call, session.scope().range(), clock),
        (None, None) => None,
    };
    if let Some(card) = card {
        if entry(ui, "Copy name", true) {
            ui.ctx().copy_text(card.heading.clone());
        }
        if entry(ui, ("Copy all fields", SelectionAction::Copy), true) {
            ui.ctx().copy_text(card.to_text());
        }
    } else if let Some(flow) = flow
        && entry(ui, "Copy flow id", true)
    {
        ui.ctx().copy_text(index.flows().id_text(index.profile(), flow));
    }
    for action in
        [WindowAction::CopyLink, WindowAction::CopyNotesLink, WindowAction::CopyCommand, WindowAction::SaveImage]
    {
        let has_notes = !session.view.notes.list.is_empty();
        if (action != WindowAction::CopyNotesLink || has_notes) && entry(ui, action, true) {
            run_command(ui.ctx(), action);
        }
    }
}
