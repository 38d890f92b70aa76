//! Rows of the registry by the kind of their command.

use super::availability::Requirement;
use super::command_row::CommandRow;
use super::key_binding::KeyBinding;
use super::ui_command::{FlowAction, NoteAction, SelectionAction as Select, UiCommand, ViewAction, WindowAction};
use flowline_insights::report::MetricKind;

type Keys = &'static [KeyBinding];

pub(super) const fn view(action: ViewAction, id: &'static str, title: &'static str, keys: Keys) -> CommandRow {
    CommandRow::new(UiCommand::View(action), id, title, keys)
}

pub(super) const fn select(action: Select, id: &'static str, title: &'static str, keys: Keys) -> CommandRow {
    CommandRow::new(UiCommand::Selection(action), id, title, keys)
}

pub(super) const fn path_to(kind: MetricKind, id: &'static str, title: &'static str) -> CommandRow {
    select(Select::PathTo(kind), id, title, &[]).needs(Requirement::LateMoment(kind))
}

pub(super) const fn flow(action: FlowAction, id: &'static str, title: &'static str, keys: Keys) -> CommandRow {
    CommandRow::new(UiCommand::Flow(action), id, title, keys)
}

pub(super) const fn note(action: NoteAction, id: &'static str, title: &'static str, keys: Keys) -> CommandRow {
    CommandRow::new(UiCommand::Note(action), id, title, keys)
}

pub(super) const fn window(action: WindowAction, id: &'static str, title: &'static str, keys: Keys) -> CommandRow {
    CommandRow::new(UiCommand::Window(action), id, title, keys)
}
