//! Shows the flow table.

use std::sync::Arc;

use egui::{Id, Key, Rect, Response, Role, Ui};

use super::columns::{self, FlowColumn};
use super::facts::Flows;
use super::rows::RowFormatter;
use super::state::{FlowTable, filter_id, flows_id};
use super::tools;
use crate::canvas::menus::flow_menu;
use crate::tables::active_filters::FilterSet;
use crate::tables::empty_table::{NO_FLOWS, no_rows};
use crate::tables::tool_strip::FilterSlot;
use crate::widgets::empty_state;
use crate::widgets::menu::row_menu;
use crate::widgets::style::color;
use crate::widgets::table::{self, Body, CopyRequest, TableColumn};
use flowline_profile::FlowId;
use flowline_scene::{Palette, with_alpha};
use flowline_session::{Job, Session, why_no_flows};
use flowline_view::{Command, FlowCommand};

/// Shows the table; returns the user's commands.
pub(crate) fn show(
    ui: &mut Ui,
    session: &Session,
    table: &mut FlowTable,
    slot: &mut FilterSlot<'_>,
    palette: &Palette,
) -> Vec<Command> {
    let (index, view, flows) = (&session.index, &session.view, &session.flows);
    ui.set_min_height(ui.available_height());
    let is_new = table.scroll.is_new(ui);
    if is_new && table.cursor.is_none() {
        table.cursor = view.flows.entered.first().copied();
        table.is_placed = table.cursor.is_some();
    }
    table.poll(index);
    let pressed = tools::show(ui, session, table, slot, palette);
    table.follow(index, &flows.rules, session.scope());
    let columns = columns::layout(&table.columns, table.unit, &table.widths);
    let by = table.columns.iter().position(|column| *column == table.sort.0).unwrap_or(usize::MAX);
    let has_headings = !table.rows.is_empty() || table.is_busy() || !table.is_counted && !index.flows().is_empty();
    table::wide(ui, &columns, |ui| {
        if has_headings
            && let Some(pressed) = table::resizable_header(ui, &columns, (by, table.sort.1), &mut table.widths)
        {
            let column = table.columns[pressed];
            table.sort = table::pressed(table.sort, column, column.is_amount());
            ui.ctx().request_repaint();
        }
        let rows = Arc::clone(&table.rows);
        let (counts, titles) = (Arc::clone(&table.counts), Arc::clone(&table.titles));
        let (timelines, shown) = (table.timelines.clone(), table.columns.clone());
        let source = Flows { index, rules: &flows.rules, counts: &counts, timelines: timelines.as_deref() };
        let formatter =
            RowFormatter { flows: source, titles: &titles, view: &view.flows, clock: view.clock(), columns: &shown };
        let mut body =
            Body::new(ui, flows_id(), Role::Table, || format!("Flow table, {}", table::counted(rows.len(), "row")));
        let mut commands = Vec::new();
        if rows.is_empty() {
            match (table.is_counted, index.flows().is_empty(), table.is_busy()) {
                (_, true, _) => _ = empty_state(&mut body.ui, why_no_flows(index), NO_FLOWS, None),
                (false, ..) => _ = body.ui.weak("Counting…"),
                (true, _, true) => _ = body.ui.weak("Sorting…"),
                _ => {
                    commands.extend(no_rows(&mut body.ui, session, Some(&mut table.filter), (FilterSet::Scope, "flow")))
                }
            }
        } else {
            show_rows(&mut body, session, table, formatter, (&rows, &columns), palette, &mut commands);
        }
        let is_pressed = !commands.is_empty();
        let keyed = if body.focused { keys(&body.ui, table, &rows, &mut commands) } else { None };
        match pressed.or(keyed) {
            Some(CopyRequest::Row) => table.cursor.into_iter().for_each(|flow| ui.copy_text(formatter.line(flow))),
            Some(CopyRequest::All(format)) => {
                let cells = formatter.table(&rows);
                ui.copy_text(table::write(format, &columns::plain(&shown), &cells, rows.len()));
            }
            None => {}
        }
        body.finish(is_pressed || is_new);
        commands
    })
}

fn show_rows(
    body: &mut Body,
    session: &Session,
    table: &mut FlowTable,
    formatter: RowFormatter<'_>,
    (rows, columns): (&[FlowId], &[TableColumn]),
    palette: &Palette,
    commands: &mut Vec<Command>,
) {
    let (mut cursor_id, mut pressed) = (None, None);
    let cursor = table.cursor;
    table.scroll.show(&mut body.ui, rows.len(), |ui, row, rect| {
        let flow = rows[row];
        let id = ui.scope_id().with(("row", flow));
        let is_cursor = cursor == Some(flow);
        if is_cursor {
            cursor_id = Some(id);
        }
        let places = (is_cursor, (row, rows.len()));
        let (response, command) = show_row(ui, formatter, (flow, columns), (id, rect), places, palette);
        if let Some(command) = command {
            pressed = Some(row);
            commands.push(command);
        }
        row_menu(&response, flows_id(), is_cursor, |ui| commands.extend(flow_menu::entries(ui, session, flow)));
    });
    if let Some(row) = pressed {
        table.move_to(row);
    }
    if let Some(cursor) = cursor_id {
        body.announce_cursor(cursor);
    }
}

fn show_row(
    ui: &Ui,
    formatter: RowFormatter<'_>,
    (flow, columns): (FlowId, &[TableColumn]),
    (id, rect): (Id, Rect),
    (is_cursor, places): (bool, (usize, usize)),
    palette: &Palette,
) -> (Response, Option<Command>) {
    if formatter.view.entered.contains(&flow) {
        ui.painter().rect_filled(rect, 0.0, color(with_alpha(palette.accent, 34)));
    }
    let response = table::row(ui, id, rect, is_cursor, palette);
    let cells = formatter.cells(flow);
    table::announce_row(ui, &response, Role::Row, is_cursor, places, || formatter.sentence(flow, &cells));
    let star = if formatter.view.is_pinned(flow) { "★ " } else { "" };
    let spans = table::spans(columns, rect.x_range());
    for (((cell, column), placed), span) in cells.iter().zip(formatter.columns).zip(columns).zip(spans) {
        let text = match column {
            FlowColumn::Label => format!("{star}{}", cell.shown()),
            _ => cell.shown_in(placed).into_owned(),
        };
        let tint = table::tint(palette, column.is_faint(), is_cursor);
        table::cell(ui, rect, span, placed.kind, &text, tint);
    }
    if response.double_clicked() {
        let range = formatter.flows.index.flows().range(formatter.flows.index.profile(), flow);
        return (response, Some(Command::ZoomTo(flowline_session::with_margin(range))));
    }
    let entered = response.clicked().then(|| Command::Flow(FlowCommand::Enter(vec![flow])));
    (response, entered)
}

/// Handles keys; returns the copy request.
fn keys(ui: &Ui, table: &mut FlowTable, rows: &[FlowId], commands: &mut Vec<Command>) -> Option<CopyRequest> {
    if let Some(row) = table::moved(ui, || table.cursor_row, rows.len(), table.scroll.fits) {
        table.move_to(row);
        ui.ctx().request_repaint();
    }
    if table::finds(ui) {
        ui.memory_mut(|memory| memory.request_focus(filter_id()));
    }
    let flow = table.cursor.filter(|_| table.cursor_row.is_some());
    if table::key(ui, Key::Enter) > 0 {
        commands.extend(flow.map(|flow| Command::Flow(FlowCommand::Enter(vec![flow]))));
    }
    if table::key(ui, Key::P) > 0 {
        commands.extend(flow.map(|flow| Command::Flow(FlowCommand::TogglePin(flow))));
    }
    table::copying(ui)
}
