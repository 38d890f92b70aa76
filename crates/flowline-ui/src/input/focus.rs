//! Keys that the focused widget handles itself.

use egui::{Id, Ui};

use crate::canvas::layout::CanvasWidget;
use crate::commands::{FlowAction, NoteAction, SelectionAction, UiCommand, ViewAction, WindowAction};
use crate::details::arguments::arguments_id;
use crate::details::context_tree::context_id;
use crate::details::stack_tree::stack_id;
use crate::tables::critical_path::path_id;
use crate::tables::flow_table::flows_id;
use crate::tables::flow_tree::tree_id;
use crate::tables::insights::insights_id;
use crate::tables::marker_table::table_id;
use crate::tables::network::network_id;
use crate::tables::notes::notes_id;
use crate::tables::query::query_id;
use crate::tables::samples::{SampleView, samples_id};
use crate::tables::statistics::statistics_id;
use crate::widgets::table;
use UiCommand::{Flow, Note, Selection, View, Window};
use flowline_view::Pane;

/// True if the focused widget handles the key of this command itself.
pub(crate) fn focused_widget_handles(ui: &Ui, command: UiCommand) -> bool {
    let Some(focused) = ui.memory(egui::Memory::focused) else { return false };
    if Pane::ALL.iter().any(|pane| focused == CanvasWidget::Chart.of(*pane).id()) {
        return false;
    }
    if focused == notes_id() {
        let own = matches!(command, Note(NoteAction::Delete) | Flow(FlowAction::RenamePin)) || confirms(command);
        return own || table::table_handles(ui, command);
    }
    if focused == path_id() {
        return confirms(command) || table::table_handles(ui, command);
    }
    if focused == insights_id() && command == Selection(SelectionAction::CriticalPath) {
        return true;
    }
    // All other focusable widgets use Space themselves.
    command == Selection(SelectionAction::ToggleRow) || widget_handles(ui, focused, command)
}

fn widget_handles(ui: &Ui, focused: Id, command: UiCommand) -> bool {
    let steps = matches!(command, Selection(SelectionAction::Sibling(_)));
    let pins = command == Flow(FlowAction::Pin);
    if focused == table_id() {
        confirms(command) || table::table_handles(ui, command)
    } else if focused == tree_id() {
        steps || pins || confirms(command) || table::table_handles(ui, command)
    } else if focused == statistics_id() {
        // Without rows that open something, Enter goes to the chart.
        let opens = || ui.data(|data| data.get_temp(statistics_id())).unwrap_or(true);
        (confirms(command) && opens()) || table::table_handles(ui, command)
    } else if focused == network_id() {
        command == Window(WindowAction::Search) || steps || confirms(command) || table::table_handles(ui, command)
    } else if [query_id(), insights_id(), arguments_id(), context_id(), stack_id()].contains(&focused) {
        steps || confirms(command) || table::table_handles(ui, command)
    } else if focused == flows_id() {
        let searches = command == Window(WindowAction::Search);
        steps || pins || searches || confirms(command) || table::table_handles(ui, command)
    } else if SampleView::ALL.iter().any(|view| focused == samples_id(*view)) {
        sample_view_handles(ui, command)
    } else {
        // The focus is on a button or a heading: Enter presses it, arrow keys move the focus.
        let moves = matches!(command, Selection(SelectionAction::RowNeighbor(_)) | View(ViewAction::MoveTrack(_)));
        steps || moves || confirms(command)
    }
}

const fn confirms(command: UiCommand) -> bool {
    matches!(command, View(ViewAction::Confirm { .. }))
}

/// Most letters are transforms in sample views.
fn sample_view_handles(ui: &Ui, command: UiCommand) -> bool {
    match command {
        Window(WindowAction::Escape) => table::table_handles(ui, command),
        Window(
            WindowAction::Table(_)
            | WindowAction::Help
            | WindowAction::Open
            | WindowAction::Compare
            | WindowAction::Theme
            | WindowAction::Search
            | WindowAction::Find
            | WindowAction::SaveImage
            | WindowAction::Close
            | WindowAction::Quit
            | WindowAction::FullScreen
            | WindowAction::Reload
            | WindowAction::Panel(_)
            | WindowAction::Scale(_),
        )
        | View(ViewAction::Layout | ViewAction::FlowLanes) => false,
        Window(_) | View(_) | Selection(_) | Flow(_) | Note(_) => true,
    }
}
