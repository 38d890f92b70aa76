//! The table of marker groups: a row per group, and a last row of totals.

use std::sync::Arc;

use egui::Ui;

use super::columns::{Number, SortBy};
use super::group_order::{ordered, shown_order};
use super::rows::{self, Rows};
use super::state::StatisticsTable;
use super::statistics_result::Answer;
use crate::widgets::table::{self, Cell, CopyRequest, TableColumn};
use flowline_index::statistics::Group;
use flowline_scene::Palette;
use flowline_session::{Session, TableFile};

/// Columns of the keys, followed by those of the numbers.
fn layout(keys: &[&'static str], shown: &[Number], answer: Option<&Answer>) -> Vec<TableColumn> {
    let grow = |title: &&'static str| TableColumn::text(title, 170.0, 1.0);
    let column = |number: &Number| answer.map_or(number.column(), |answer| answer.in_unit(*number));
    keys.iter().map(grow).chain(shown.iter().map(column)).collect()
}

/// Headings of the keys.
pub(super) fn key_titles(state: &StatisticsTable) -> Vec<&'static str> {
    use flowline_index::statistics::Key;
    let title = |key: &Key| match key {
        Key::Name => "Name",
        Key::Category => "Category",
        Key::Thread => "Thread",
        Key::Process => "Process",
        Key::Field(_) => "Field",
    };
    state.keys.iter().flatten().map(title).collect()
}

/// The largest width up to `available` at which no number of the table is cut.
pub(super) fn width_of_whole_columns(state: &StatisticsTable, available: f32) -> f32 {
    let columns = state.widths.apply(&layout(&key_titles(state), &state.shown, state.answer.as_ref()));
    table::width_of_whole_columns(&columns, available)
}

/// Shows the table.
pub(super) fn show(
    ui: &mut Ui,
    session: &Session,
    state: &mut StatisticsTable,
    copying: Option<CopyRequest>,
    palette: &Palette,
) {
    let zero = session.view.clock().origin;
    let titles = key_titles(state);
    let columns = state.widths.apply(&layout(&titles, &state.shown, state.answer.as_ref()));
    let sorts: Vec<SortBy> =
        (0..titles.len()).map(SortBy::Key).chain(state.shown.iter().copied().map(SortBy::Number)).collect();
    let sorted = sorts.iter().position(|by| *by == state.sort.0).unwrap_or(usize::MAX);
    table::wide(ui, &columns, |ui| {
        if let Some(pressed) = table::resizable_header(ui, &columns, (sorted, state.sort.1), &mut state.widths) {
            let by = sorts[pressed];
            state.sort = table::pressed(state.sort, by, matches!(by, SortBy::Number(_)));
            state.order = None;
        }
        let Some(answer) = &state.answer else { return };
        let (by, is_descending) = state.sort;
        let with_instants = state.with_instants;
        let shown = || Arc::new(shown_order(answer, by, is_descending, with_instants).0);
        let is_new = state.order.is_none();
        let order = Arc::clone(state.order.get_or_insert_with(shown));
        let all = answer.groups.len();
        let cells = |row: usize| -> Vec<Cell> {
            let group = order.get(row).map(|at| *at as usize);
            let numbers = |group: &Group| -> Vec<Cell> {
                state.shown.iter().map(|number| number.cell(group, answer.span, zero)).collect()
            };
            let mut cells: Vec<Cell> = (0..titles.len())
                .map(|key| match group {
                    Some(at) => Cell::Text(answer.names[at].get(key).cloned().unwrap_or_default()),
                    None if key == 0 => Cell::Text(format!("All {}", table::counted(all, "group"))),
                    None => Cell::Empty,
                })
                .collect();
            cells.extend(numbers(group.map_or(&answer.totals, |at| &answer.groups[at])));
            cells
        };
        let cursor =
            state.cursor.as_ref().and_then(|key| order.iter().position(|at| answer.groups[*at as usize].key == *key));
        if is_new {
            state.scroll.restart(cursor);
        }
        if std::mem::take(&mut state.reveal_cursor) {
            cursor.into_iter().for_each(|row| state.scroll.reveal(row));
        }
        let name = format!("Statistics, {}", table::counted(all, "group"));
        let swatch = |row: usize| {
            let entry = order.get(row).and_then(|at| answer.swatches.get(*at as usize).copied().flatten());
            entry.map(|entry| palette.fill(entry))
        };
        let rows = Rows {
            name: &name,
            columns: &columns,
            count: order.len(),
            has_totals: true,
            cursor,
            swatch: &swatch,
            copying,
            opens: false,
        };
        let done = rows::show(ui, &rows, &mut state.scroll, palette, cells, |_, _| {});
        if let Some(row) = done.moved {
            state.cursor = order.get(row).map(|at| answer.groups[*at as usize].key.clone());
        }
    });
}

/// All groups in display order, for export to a file.
pub(super) fn exported(session: &Session, state: &StatisticsTable) -> Option<TableFile> {
    let zero = session.view.clock().origin;
    let answer = state.answer.as_ref()?;
    let row = |at: u32| -> Vec<Cell> {
        let names = answer.names[at as usize].iter().cloned().map(Cell::Text);
        let numbers = state.shown.iter().map(|number| number.cell(&answer.groups[at as usize], answer.span, zero));
        names.chain(numbers).collect()
    };
    let (by, is_descending) = state.sort;
    let rows: Vec<Vec<Cell>> = ordered(answer, by, is_descending).into_iter().map(row).collect();
    let columns = layout(&key_titles(state), &state.shown, None);
    Some(table::exported("statistics", &columns, rows.len(), move |row| rows[row].clone()))
}
