//! The groups of markers, a row each, and all of them in the last row.

use std::sync::Arc;

use egui::{Role, Ui};

use super::columns::{Number, SortBy, ordered};
use super::{StatisticsTable, statistics_id};
use crate::index::statistics::Group;
use crate::scene::Palette;
use crate::session::{Session, TableFile};
use crate::ui::widgets::table::{self, Body, Cell, Copying, TableColumn};
use crate::view::Command;

/// The columns of the keys, then those of the numbers.
fn layout(keys: &[&'static str], shown: &[Number]) -> Vec<TableColumn> {
    let grow = |title: &&'static str| TableColumn::text(title, 170.0, 1.0);
    keys.iter().map(grow).chain(shown.iter().map(|number| number.column())).collect()
}

/// Headings of the keys.
pub(super) fn key_titles(state: &StatisticsTable) -> Vec<&'static str> {
    use crate::index::statistics::Key;
    let title = |key: &Key| match key {
        Key::Name => "Name",
        Key::Category => "Category",
        Key::Thread => "Thread",
        Key::Process => "Process",
        Key::Field(_) => "Field",
    };
    state.keys.iter().flatten().map(title).collect()
}

/// Shows the table; returns the user's commands.
pub(super) fn show(
    ui: &mut Ui,
    session: &Session,
    state: &mut StatisticsTable,
    copying: Option<Copying>,
    palette: &Palette,
) -> Vec<Command> {
    let zero = session.index.profile().shown_zero();
    let titles = key_titles(state);
    let columns = state.widths.apply(&layout(&titles, &state.shown));
    let sorts: Vec<SortBy> =
        (0..titles.len()).map(SortBy::Key).chain(state.shown.iter().copied().map(SortBy::Number)).collect();
    let sorted = sorts.iter().position(|by| *by == state.sort.0).unwrap_or(usize::MAX);
    if let Some(pressed) = table::resizable_header(ui, &columns, (sorted, state.sort.1), &mut state.widths) {
        let by = sorts[pressed];
        state.sort = table::pressed(state.sort, by, matches!(by, SortBy::Number(_)));
        state.order = None;
    }
    let Some(answer) = &state.answer else { return Vec::new() };
    let (by, is_descending) = state.sort;
    let order = Arc::clone(state.order.get_or_insert_with(|| Arc::new(ordered(answer, by, is_descending))));
    let rows = order.len() + 1;
    let cells = |row: usize| -> Vec<Cell> {
        let group = order.get(row).map(|at| *at as usize);
        let numbers = |group: &Group| -> Vec<Cell> {
            state.shown.iter().map(|number| number.cell(group, answer.span, zero)).collect()
        };
        let mut cells: Vec<Cell> = (0..titles.len())
            .map(|key| match group {
                Some(at) => Cell::Text(answer.names[at].get(key).cloned().unwrap_or_default()),
                None if key == 0 => Cell::Text(format!("All {}", table::counted(order.len(), "group"))),
                None => Cell::Empty,
            })
            .collect();
        cells.extend(numbers(group.map_or(&answer.totals, |at| &answer.groups[at])));
        cells
    };
    let is_new = state.scroll.is_new(ui);
    let mut body =
        Body::new(ui, statistics_id(), Role::Table, || format!("Statistics, {}", table::counted(order.len(), "group")));
    let cursor =
        state.cursor.as_ref().and_then(|key| order.iter().position(|at| answer.groups[*at as usize].key == *key));
    if std::mem::take(&mut state.reveal_cursor) {
        cursor.into_iter().for_each(|row| state.scroll.reveal(row));
    }
    let (mut pressed, mut cursor_id) = (None, None);
    state.scroll.show(&mut body.ui, rows, |ui, number, rect| {
        let id = ui.scope_id().with(("row", number));
        let is_cursor = cursor == Some(number);
        if is_cursor {
            cursor_id = Some(id);
        }
        let cells = cells(number);
        let response = table::row(ui, id, rect, is_cursor, palette);
        let sentence = || sentence(&columns, &cells);
        table::announce_row(ui, &response, Role::Row, is_cursor, (number, rows), sentence);
        let spans = table::spans(&columns, rect.x_range());
        for (at, cell) in cells.iter().enumerate() {
            let is_faint = at >= titles.len() && at + 1 == cells.len();
            let tint = table::tint(palette, is_faint || number == order.len(), is_cursor);
            table::cell(ui, rect, spans[at], columns[at].kind, &cell.shown(), tint);
        }
        if response.clicked() && number < order.len() {
            pressed = Some(number);
        }
    });
    if let Some(cursor) = cursor_id {
        body.announce_cursor(cursor);
    }
    let mut moved = pressed;
    let mut wanted = copying;
    if body.focused {
        moved = moved.or_else(|| table::moved(&body.ui, || cursor, order.len(), state.scroll.fits));
        wanted = wanted.or_else(|| table::copying(&body.ui));
    }
    match wanted {
        Some(Copying::Row) => cursor.into_iter().for_each(|row| body.ui.copy_text(table::line(&cells(row)))),
        Some(Copying::All(format)) => {
            let all: Vec<Vec<Cell>> = (0..rows.min(table::LIMIT)).map(cells).collect();
            body.ui.copy_text(table::write(format, &columns, &all, rows));
        }
        None => {}
    }
    if let Some(row) = moved {
        state.cursor = order.get(row).map(|at| answer.groups[*at as usize].key.clone());
        state.scroll.reveal(row);
        body.ui.ctx().request_repaint();
    }
    body.finish(pressed.is_some() || is_new);
    Vec::new()
}

/// All groups in the order shown, to be written to a file.
pub(super) fn exported(session: &Session, state: &StatisticsTable) -> Option<TableFile> {
    let zero = session.index.profile().shown_zero();
    let answer = state.answer.as_ref()?;
    let row = |at: u32| -> Vec<Cell> {
        let names = answer.names[at as usize].iter().cloned().map(Cell::Text);
        let numbers = state.shown.iter().map(|number| number.cell(&answer.groups[at as usize], answer.span, zero));
        names.chain(numbers).collect()
    };
    let (by, is_descending) = state.sort;
    let rows: Vec<Vec<Cell>> = ordered(answer, by, is_descending).into_iter().map(row).collect();
    let columns = layout(&key_titles(state), &state.shown);
    Some(table::exported("statistics", &columns, rows.len(), move |row| rows[row].clone()))
}

/// A row as screen readers announce it: each number with its heading.
pub(super) fn sentence(columns: &[TableColumn], cells: &[Cell]) -> String {
    let filled = columns.iter().zip(cells).filter(|(_, cell)| **cell != Cell::Empty);
    let text = |(column, cell): (&TableColumn, &Cell)| match column.kind {
        table::ColumnKind::Text => cell.shown().into_owned(),
        _ => format!("{} {}", column.title, cell.shown()),
    };
    filled.map(text).collect::<Vec<_>>().join(", ")
}
