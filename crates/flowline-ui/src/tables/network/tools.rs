//! Toolbar of the network table: filter, columns, copying, export.

use egui::{Key, RichText, Role, TextEdit, Ui, WidgetInfo};

use super::columns::Column;
use super::state::{NetworkTable, exported, filter_id, network_id};
use crate::tables::tool_strip::{self, FilterSlot, Tools};
use crate::widgets::table::{self, CopyRequest, copy_menu};
use flowline_session::{Job, Session};

const FILTER_HINT: &str = "Filter:  script  404  -png";
const FILTER_HELP: &str = "Requests whose URL, method, status, type, protocol, priority, outcome or initiator contain \
    all words; prefix a word with - to exclude it (press / in the table to focus the filter, Enter to return)";

/// Shows the toolbar; returns the copy request.
pub(super) fn show(
    ui: &mut Ui,
    session: &Session,
    state: &mut NetworkTable,
    slot: &mut FilterSlot<'_>,
) -> Option<CopyRequest> {
    let mut tools = Tools::new("network");
    tools.add("filter", |ui, state: &mut NetworkTable| {
        let edit = TextEdit::singleline(&mut state.filter).id(filter_id()).hint_text(FILTER_HINT).desired_width(200.0);
        let edit = edit.margin(egui::vec2(6.0, 1.0)).align(egui::Align2::LEFT_CENTER);
        let response = ui.add(edit).on_hover_text(FILTER_HELP);
        response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Filter requests"));
        let typed = response.has_focus() || response.lost_focus();
        if typed && table::key(ui, Key::Enter) + table::key(ui, Key::ArrowDown) > 0 {
            ui.memory_mut(|memory| memory.request_focus(network_id()));
        }
    });
    tool_strip::show(ui, slot, state, tools, |ui, state| {
        let wanted = copy_menu(ui);
        let is_ready = !state.is_busy() && state.answer.as_ref().is_some_and(|answer| !answer.rows.is_empty());
        table::export_button(ui, is_ready, || exported(session, state));
        column_menu(ui, state);
        let text = match (&state.answer, state.is_busy()) {
            (None, _) | (_, true) => "Finding requests…".to_owned(),
            (Some(answer), _) if answer.rows.len() == answer.total => table::counted(answer.total, "request"),
            (Some(answer), _) => {
                let shown = crate::widgets::grouped(answer.rows.len());
                format!("{shown} of {}", table::counted(answer.total, "request"))
            }
        };
        ui.label(RichText::new(text).small().weak());
        wanted
    })
}

/// The column menu; the last visible column cannot be hidden.
fn column_menu(ui: &mut Ui, state: &mut NetworkTable) {
    table::column_menu(ui, |ui| {
        for column in Column::ALL {
            let mut is_shown = state.columns.contains(&column);
            let is_last = is_shown && state.columns.len() == 1;
            let entry = ui.add_enabled(!is_last, egui::Checkbox::new(&mut is_shown, column.layout().title));
            if entry.changed() {
                let keeps = |other: &Column| if *other == column { is_shown } else { state.columns.contains(other) };
                state.columns = Column::ALL.into_iter().filter(keeps).collect();
            }
        }
        ui.separator();
        if ui.button("Reset columns").clicked() {
            state.columns = Column::USUAL.to_vec();
        }
        if ui.button("Reset column widths").clicked() {
            state.widths.clear();
        }
    });
}
