//! Toolbar of the flow table: filter, kinds, columns, sort presets, copying and export.

use egui::{Key, RichText, Role, TextEdit, Ui, WidgetInfo};

use super::columns::FlowColumn;
use super::state::{FlowTable, filter_id, flows_id};
use super::{kind_menu, rows};
use crate::tables::tool_strip::{self, FilterSlot, Tools};
use crate::widgets::menu::entry;
use crate::widgets::table::{self, CopyRequest, copy_menu};
use crate::widgets::{Dropdown, grouped};
use flowline_scene::Palette;
use flowline_session::{Job, Session};

/// Entries that sort by a column and move to the first row.
const SORT_PRESETS: [(&str, FlowColumn); 6] = [
    ("Longest", FlowColumn::Length),
    ("Longest waits", FlowColumn::LongestWait),
    ("Most markers", FlowColumn::Markers),
    ("Most threads", FlowColumn::Threads),
    ("Most processes", FlowColumn::Processes),
    ("Start", FlowColumn::Start),
];

/// The filter's hint text and its help.
const FILTER_HINT: &str = "Filter:  text, kind:ipc, dur:>5ms";
const FILTER_HELP: &str = "Flows whose label or id contains the text. Compare numbers with > >= = <= <: threads:>3  \
    processes:>1  markers:>10  dur:>5ms  run:  wait:  longest:. Match texts with kind:ipc  posted:socket  runs:gecko  \
    type:net  resource:png; prefix them with - to exclude. All words between commas must match; a comma means OR. \
    (Press / in the table to focus the filter, Enter to return)";

/// Shows the toolbar; returns the copy request.
pub(super) fn show(
    ui: &mut Ui,
    session: &Session,
    table: &mut FlowTable,
    slot: &mut FilterSlot<'_>,
    palette: &Palette,
) -> Option<CopyRequest> {
    let total = session.index.flows().len();
    let mut tools = Tools::new("flows");
    tools.add("filter", |ui, table: &mut FlowTable| {
        let edit = TextEdit::singleline(&mut table.filter).id(filter_id()).hint_text(FILTER_HINT).desired_width(230.0);
        let edit = edit.margin(egui::vec2(6.0, 1.0)).align(egui::Align2::LEFT_CENTER);
        let response = ui.add(edit).on_hover_text(FILTER_HELP);
        response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Filter flows"));
        let typed = response.has_focus() || response.lost_focus();
        if typed && table::key(ui, Key::Enter) + table::key(ui, Key::ArrowDown) > 0 {
            ui.memory_mut(|memory| memory.request_focus(flows_id()));
        }
    });
    tools.add("kinds", |ui, table| kind_menu::show(ui, &table.counts.kinds, &mut table.filter));
    tools.add("sort", |ui, table| sort_menu(ui, table, palette));
    tool_strip::show(ui, slot, table, tools, |ui, table| {
        let wanted = copy_menu(ui);
        let is_ready = !table.rows.is_empty() && !table.is_busy();
        table::export_button(ui, is_ready, || rows::exported(session, table));
        column_menu(ui, table);
        let shown = match (table.is_counted, table.is_busy()) {
            (false, _) => "Counting…".to_owned(),
            (true, true) => "Sorting…".to_owned(),
            _ if !session.index.flows().is_known() => String::new(),
            _ if table.rows.len() == total => table::counted(total, "flow"),
            _ => format!("{} of {}", grouped(table.rows.len()), table::counted(total, "flow")),
        };
        ui.label(RichText::new(shown).small().weak());
        wanted
    })
}

/// The menu of sort presets.
fn sort_menu(ui: &mut Ui, table: &mut FlowTable, palette: &Palette) {
    let is_on = |column: FlowColumn, table: &FlowTable| table.sort == (column, column.is_amount());
    let chosen = SORT_PRESETS.iter().find(|(_, column)| is_on(*column, table)).map_or("Other", |(text, _)| text);
    Dropdown::choice("Sort", chosen, "Sort flows").show(ui, palette, |ui| {
        for (text, column) in SORT_PRESETS {
            if entry(ui, text, true) {
                table.apply_preset(column);
            }
        }
    });
}

/// The column menu; the last visible column cannot be hidden.
fn column_menu(ui: &mut Ui, state: &mut FlowTable) {
    table::column_menu(ui, |ui| {
        for column in FlowColumn::ALL {
            let mut is_shown = state.columns.contains(&column);
            let is_last = is_shown && state.columns.len() == 1;
            let entry = ui.add_enabled(!is_last, egui::Checkbox::new(&mut is_shown, column.title()));
            if entry.changed() {
                let mut columns = state.columns.clone();
                columns.retain(|shown| *shown != column);
                columns.extend(is_shown.then_some(column));
                state.set_columns(&columns);
            }
        }
        ui.separator();
        if ui.button("All columns").clicked() {
            state.set_columns(&FlowColumn::ALL);
        }
        if ui.button("Reset columns").clicked() {
            state.set_columns(&[]);
        }
        if ui.button("Reset column widths").clicked() {
            state.widths.clear();
        }
    });
}
