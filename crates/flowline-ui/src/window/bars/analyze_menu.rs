//! The menu *Analyze*: questions about the recording. In a narrow window, it is part of the menu *View*.

use egui::Ui;

use super::applies::applies;
use crate::commands::{CommandContext, SelectionAction, UiCommand, WindowAction};
use crate::tables::TableKind;
use crate::widgets::Dropdown;
use crate::widgets::menu::entry;
use crate::window::window_command::WindowCommand;
use flowline_index::Network;
use flowline_insights::report::MetricKind;
use flowline_scene::Palette;

/// The commands with their texts. A menu opens a table, while its key toggles the table.
const ENTRIES: [(&str, UiCommand); 12] = [
    ("Insights", UiCommand::Window(WindowAction::Table(TableKind::Insights))),
    ("Critical path", UiCommand::Selection(SelectionAction::CriticalPath)),
    ("Critical path to LCP", UiCommand::Selection(SelectionAction::PathTo(MetricKind::Lcp))),
    ("Critical path to FCP", UiCommand::Selection(SelectionAction::PathTo(MetricKind::Fcp))),
    ("Critical path to INP", UiCommand::Selection(SelectionAction::PathTo(MetricKind::Inp))),
    ("Critical path to Load", UiCommand::Selection(SelectionAction::PathTo(MetricKind::Load))),
    ("Statistics", UiCommand::Window(WindowAction::Table(TableKind::Statistics))),
    ("Network requests", UiCommand::Window(WindowAction::Table(TableKind::Network))),
    ("SQL query", UiCommand::Window(WindowAction::Table(TableKind::Query))),
    ("Compare two ranges or threads", UiCommand::Window(WindowAction::CompareScopes)),
    ("Compare with a recording…", UiCommand::Window(WindowAction::Compare)),
    ("Compare statistics", UiCommand::Window(WindowAction::CompareStatistics)),
];

/// Shows the button and, while open, its menu.
pub(super) fn show(ui: &mut Ui, context: CommandContext<'_>, palette: &Palette, commands: &mut Vec<WindowCommand>) {
    Dropdown::menu("Analyze").show(ui, palette, |ui| entries(ui, context, commands));
}

/// Shows the entries.
pub(super) fn entries(ui: &mut Ui, context: CommandContext<'_>, commands: &mut Vec<WindowCommand>) {
    let has_network = context.session.is_some_and(|session| Network::may_have(session.index.profile()));
    for (text, command) in ENTRIES {
        let is_about_network = command == UiCommand::Window(WindowAction::Table(TableKind::Network));
        if applies(command, context) && (has_network || !is_about_network) && entry(ui, (text, command), true) {
            commands.push(match command {
                UiCommand::Window(WindowAction::Table(table)) => WindowCommand::ShowTable(Some(table)),
                command => WindowCommand::Run(command),
            });
        }
    }
}
