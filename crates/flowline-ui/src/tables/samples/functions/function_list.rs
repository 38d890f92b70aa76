//! The list of all functions.

use egui::{Role, Ui};

use crate::tables::samples::sample_result::SampleResult;
use crate::tables::samples::sample_view::{SampleView, samples_id};
use crate::tables::samples::state::SampleTrees;
use crate::tables::samples::transforms::{self, TransformKind};
use crate::tables::samples::{row, spark_column};
use crate::widgets::menu::row_menu;
use crate::widgets::style::color;
use crate::widgets::table::{self, Body, Cell, CopyRequest};
use flowline_index::samples::{FunctionRow, Transform};
use flowline_profile::Profile;
use flowline_scene::Palette;
use flowline_session::{Session, TableFile};

/// Shows the list.
pub(crate) fn show(
    ui: &mut Ui,
    session: &Session,
    state: &mut SampleTrees,
    copying: Option<CopyRequest>,
    palette: &Palette,
) {
    let profile = session.index.profile();
    let Some(built) = &state.built else { return };
    let list = &mut state.functions;
    let columns = state.widths.apply(&row::shown(built));
    if let Some(column) = table::resizable_header(ui, &columns, list.sort, &mut state.widths) {
        list.sort = table::pressed(list.sort, column, column < row::FUNCTION);
        list.forget_order();
    }
    let Some(rows) = built.functions.clone() else { return };
    let is_sorted = list.order.is_some();
    let order = list.order(profile, &rows, built.tree.measure);
    let is_new = list.scroll.is_new(ui);
    let mut body = Body::new(ui, samples_id(SampleView::Functions), Role::Table, || {
        format!("Functions, {}", table::counted(rows.len(), "row"))
    });
    let place = list.cursor.and_then(|func| order.iter().position(|at| rows[*at as usize].func == func));
    if !is_sorted {
        list.scroll.restart(place);
    }
    let (mut pressed, mut chosen, mut cursor_id, mut hovered) = (None, None, None, None);
    let cursor = list.cursor;
    list.scroll.show(&mut body.ui, order.len(), |ui, number, rect| {
        let shown = &rows[order[number] as usize];
        let id = ui.scope_id().with(("row", shown.func));
        let is_cursor = cursor == Some(shown.func);
        if is_cursor {
            cursor_id = Some(id);
        }
        let cells = row::cells(profile, built, shown.func, [shown.total, shown.own]);
        let response = table::row(ui, id, rect, is_cursor, palette);
        table::announce_row(ui, &response, Role::Row, is_cursor, (number, order.len()), || {
            row::sentence(built, &cells, [shown.total, shown.own])
        });
        let parts = built.sparks.of_function(shown.func);
        ui.ctx().accesskit_node_builder(id, |node| node.set_description(spark_column::description(built, &parts)));
        let spans = table::spans(&columns, rect.x_range());
        spark_column::paint(ui, rect, spans[spark_column::WHEN], &parts, palette.accent);
        spark_column::explain(&response, built, spans[spark_column::WHEN], &parts, palette);
        for (at, cell) in cells.iter().enumerate() {
            let mut span = spans[at];
            if at == row::FUNCTION {
                let swatch =
                    egui::Rect::from_center_size(egui::pos2(span.min + 4.0, rect.center().y), egui::vec2(7.0, 7.0));
                ui.painter().rect_filled(swatch, 1.5, color(row::fill(profile, built, shown.example, palette)));
                span.min += 12.0;
            }
            table::cell(
                ui,
                rect,
                span,
                columns[at].kind,
                crate::widgets::short_location(&cell.shown_in(&columns[at])),
                table::tint(palette, at > row::FUNCTION || at == 1, is_cursor),
            );
        }
        if response.hovered() {
            hovered = Some(shown.func);
        }
        if response.clicked() || response.secondary_clicked() {
            pressed = Some(number);
        }
        row_menu(&response, samples_id(SampleView::Functions), is_cursor, |ui| {
            let offers = |kind: TransformKind| transform(profile, built, shown, kind).is_some();
            chosen = transforms::entries(ui, offers).map(|kind| (shown.func, kind)).or(chosen);
            row::copy_entries(ui, profile, shown.func);
        });
    });
    if let Some(cursor) = cursor_id {
        body.announce_cursor(cursor);
    }
    let mut moved = pressed;
    let mut wanted = copying;
    if body.focused {
        moved = moved.or_else(|| table::moved(&body.ui, || place, order.len(), list.scroll.fits));
        let kind = transforms::pressed(&body.ui);
        chosen = chosen.or_else(|| list.cursor.zip(kind));
        wanted = wanted.or_else(|| table::copying(&body.ui));
    }
    if let Some(number) = moved {
        list.cursor = Some(rows[order[number] as usize].func);
        list.scroll.reveal(number);
        body.ui.ctx().request_repaint();
    }
    copy(&body.ui, (profile, built), (&rows, &order), place, wanted);
    let lit = hovered.or(list.cursor.filter(|_| body.focused));
    body.finish(pressed.is_some() || is_new);
    state.lit = lit.into_iter().collect();
    let transform = chosen
        .zip(state.built.as_ref())
        .and_then(|((func, kind), built)| transform(profile, built, rows.iter().find(|row| row.func == func)?, kind));
    if let Some(transform) = transform {
        state.trail.add(transform);
        ui.ctx().request_repaint();
    }
}

/// The transform of a function; `None` for transforms that need a path in the tree.
fn transform(profile: &Profile, built: &SampleResult, row: &FunctionRow, kind: TransformKind) -> Option<Transform> {
    if matches!(kind, TransformKind::MergeNode | TransformKind::FocusSubtree) {
        return None;
    }
    kind.of((profile, &built.tree), &[row.func], row.example, false, built.request.implementation)
}

/// All functions in display order, for export to a file.
pub(crate) fn exported(profile: &Profile, state: &SampleTrees) -> Option<TableFile> {
    let built = state.built.as_ref()?;
    let (functions, order) = (built.functions.as_ref()?, state.functions.order.as_ref()?);
    let row = |at: &u32| {
        let shown = &functions[*at as usize];
        row::cells(profile, built, shown.func, [shown.total, shown.own]).to_vec()
    };
    let rows: Vec<Vec<Cell>> = order.iter().map(row).collect();
    Some(table::exported("functions", row::copied(built), rows.len(), move |row| rows[row].clone()))
}

/// Copies a row or all rows.
fn copy(
    ui: &Ui,
    (profile, built): (&Profile, &SampleResult),
    (rows, order): (&[FunctionRow], &[u32]),
    cursor: Option<usize>,
    wanted: Option<CopyRequest>,
) {
    let cells = |at: &u32| {
        let shown = &rows[*at as usize];
        row::cells(profile, built, shown.func, [shown.total, shown.own])
    };
    match wanted {
        Some(CopyRequest::Row) => cursor.into_iter().for_each(|at| ui.copy_text(table::line(&cells(&order[at])))),
        Some(CopyRequest::All(format)) => {
            let all: Vec<Vec<Cell>> = order.iter().take(table::LIMIT).map(|at| cells(at).to_vec()).collect();
            ui.copy_text(table::write(format, row::copied(built), &all, order.len()));
        }
        None => {}
    }
}
