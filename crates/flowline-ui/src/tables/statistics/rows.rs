//! Rows of a statistics table, with a cursor for keyboard and mouse.

use egui::{Id, Key, Pos2, Rangef, Rect, Role, Ui, UiBuilder, pos2, vec2};

use crate::commands::SelectionAction;
use crate::widgets::menu::{entry, row_menu};
use crate::widgets::style::color;
use crate::widgets::table::{self, Body, Cell, ColumnKind, CopyRequest, Scroll, TableColumn};
use crate::widgets::virtual_list::BAR;
use flowline_scene::{Palette, Rgba};

/// Height of the row of totals in points.
const TOTALS: f32 = 22.0;

/// Id of the table's widget.
pub(crate) fn statistics_id() -> Id {
    Id::unique("statistics")
}

/// Contents of the table body.
pub(super) struct Rows<'a> {
    /// Accessible name of the table.
    pub(super) name: &'a str,
    /// Columns with the widths of the headings.
    pub(super) columns: &'a [TableColumn],
    /// Number of rows, excluding the row of totals.
    pub(super) count: usize,
    /// True if a row of totals follows. It cannot be selected.
    pub(super) has_totals: bool,
    /// The cursor's row.
    pub(super) cursor: Option<usize>,
    /// True if Enter and a double click open a row; otherwise the chart handles Enter.
    pub(super) opens: bool,
    /// Color of the dot before the first cell of a row.
    pub(super) swatch: &'a dyn Fn(usize) -> Option<Rgba>,
    /// Copy request from the toolbar.
    pub(super) copying: Option<CopyRequest>,
}

/// User actions on the rows.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Done {
    /// Target row of a cursor move.
    pub(super) moved: Option<usize>,
    /// Row opened by a double click or Enter.
    pub(super) opened: Option<usize>,
}

/// Shows rows and handles their keys. `cells` returns the cells of a row, `entries` adds entries to its context menu.
pub(super) fn show(
    ui: &mut Ui,
    rows: &Rows<'_>,
    scroll: &mut Scroll,
    palette: &Palette,
    cells: impl Fn(usize) -> Vec<Cell>,
    mut entries: impl FnMut(&mut Ui, usize),
) -> Done {
    scroll.follow_opening(ui);
    ui.data_mut(|data| data.insert_temp(statistics_id(), rows.opens));
    let mut body = Body::new(ui, statistics_id(), Role::Table, || rows.name.to_owned());
    let all = rows.count + usize::from(rows.has_totals);
    let (mut done, mut cursor_id) = (Done::default(), None);
    let mut show_row = |ui: &mut Ui, number: usize, rect: Rect| {
        let id = ui.scope_id().with(("row", number));
        let is_cursor = rows.cursor == Some(number);
        if is_cursor {
            cursor_id = Some(id);
        }
        let cells = cells(number);
        let response = table::row(ui, id, rect, is_cursor, palette);
        let text = || sentence(rows.columns, &cells);
        table::announce_row(ui, &response, Role::Row, is_cursor, (number, all), text);
        let tint = table::tint(palette, number >= rows.count, is_cursor);
        let swatch = (rows.swatch)(number);
        let spans = table::spans(rows.columns, rect.x_range());
        for (at, ((cell, column), span)) in cells.iter().zip(rows.columns).zip(spans).enumerate() {
            let indent = swatch.filter(|_| at == 0).map_or(0.0, |fill| dot(ui, pos2(span.min, rect.center().y), fill));
            let span = Rangef::new((span.min + indent).min(span.max), span.max);
            table::cell(ui, rect, span, column.kind, &cell.shown_in(column), tint);
        }
        row_menu(&response, statistics_id(), is_cursor, |ui| {
            if number < rows.count {
                entries(ui, number);
            }
            if entry(ui, ("Copy row", SelectionAction::Copy), true) {
                ui.ctx().copy_text(table::line(&cells));
            }
            let first = cells.first().map(|cell| cell.shown().into_owned()).filter(|_| number < rows.count);
            if entry(ui, "Copy name", first.is_some()) {
                first.into_iter().for_each(|name| ui.ctx().copy_text(name));
            }
        });
        if number < rows.count && rows.opens && response.double_clicked() {
            done.opened = Some(number);
        }
        if number < rows.count && response.clicked() {
            done.moved = Some(number);
        }
    };
    let area = body.ui.available_rect_before_wrap();
    // The totals stay at the bottom edge while the rows scroll, unless there is room for a row at most.
    let totals = (rows.has_totals && area.height() > 2.5 * TOTALS).then(|| {
        #[expect(clippy::cast_precision_loss, reason = "compared with the height of the table")]
        let below = area.min.y + rows.count as f32 * table::ROW_HEIGHT;
        let top = below.min(area.max.y - TOTALS);
        Rect::from_min_max(pos2(area.min.x, top), pos2(area.max.x - BAR, top + TOTALS))
    });
    let listed = if totals.is_some() { rows.count } else { all };
    let bottom = totals.map_or(area.max.y, |totals| totals.min.y);
    let place = UiBuilder::new().max_rect(area.with_max_y(bottom)).id_salt("list");
    scroll.show(&mut body.ui.new_child(place), listed, &mut show_row);
    if let Some(totals) = totals {
        body.ui.painter().hline(totals.x_range(), totals.min.y, (1.0, color(palette.line)));
        show_row(&mut body.ui, rows.count, totals);
    }
    if let Some(cursor) = cursor_id {
        body.announce_cursor(cursor);
    }
    let pressed = done.moved.is_some();
    let mut wanted = rows.copying;
    if body.focused {
        done.moved = done.moved.or_else(|| table::moved(&body.ui, || rows.cursor, rows.count, scroll.fits));
        wanted = wanted.or_else(|| table::copying(&body.ui));
        if rows.opens && table::key(&body.ui, Key::Enter) > 0 {
            done.opened = done.opened.or(rows.cursor);
        }
    }
    match wanted {
        Some(CopyRequest::Row) => rows.cursor.into_iter().for_each(|row| body.ui.copy_text(table::line(&cells(row)))),
        Some(CopyRequest::All(format)) => {
            let listed: Vec<Vec<Cell>> = (0..all.min(table::LIMIT)).map(cells).collect();
            body.ui.copy_text(table::write(format, rows.columns, &listed, all));
        }
        None => {}
    }
    if let Some(row) = done.moved {
        scroll.reveal(row);
        body.ui.ctx().request_repaint();
    }
    let takes_focus = scroll.takes_focus(ui);
    body.finish(pressed || takes_focus);
    done
}

/// Size of a dot, and its distance to the text, in points.
const DOT: f32 = 7.0;
const DOT_GAP: f32 = 7.0;

/// Draws a dot right of a position; returns the room that it needs.
fn dot(ui: &Ui, left: Pos2, fill: Rgba) -> f32 {
    let dot = Rect::from_center_size(left + vec2(DOT / 2.0, 0.0), vec2(DOT, DOT));
    ui.painter().rect_filled(dot, 1.5, color(fill));
    DOT + DOT_GAP
}

/// A row as screen readers announce it: each number with its heading.
fn sentence(columns: &[TableColumn], cells: &[Cell]) -> String {
    let filled = columns.iter().zip(cells).filter(|(_, cell)| **cell != Cell::Empty);
    let text = |(column, cell): (&TableColumn, &Cell)| match column.kind {
        ColumnKind::Text => cell.shown().into_owned(),
        _ => format!("{} {}", column.title, cell.shown()),
    };
    filled.map(text).collect::<Vec<_>>().join(", ")
}
