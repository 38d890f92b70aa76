//! Shows the table.

use std::sync::Arc;

use egui::{Id, Key, Role, Ui};

use super::commands::{commands, is_focused};
use super::paint::{COLUMNS, RowEvent, ShownRow};
use super::row::{Row, RowContent};
use super::row_target::RowTarget;
use super::state::InsightTable;
use super::tools;
use crate::tables::tool_strip::FilterSlot;
use crate::widgets::empty_state;
use crate::widgets::menu::{entry, row_menu};
use crate::widgets::table::{self, Body, CopyRequest, TableColumn, counted};
use flowline_index::Derived;
use flowline_scene::Palette;
use flowline_session::Session;
use flowline_view::Command;

/// Id of the table's widget.
pub(crate) fn insights_id() -> Id {
    Id::unique("insights table")
}

/// Shows the table; returns the user's commands.
pub(crate) fn show(
    ui: &mut Ui,
    session: &Session,
    state: &mut InsightTable,
    slot: &mut FilterSlot<'_>,
    palette: &Palette,
) -> Vec<Command> {
    ui.set_min_height(ui.available_height());
    state.scroll.follow_opening(ui);
    let report = session.insight_report();
    let mut wanted = Vec::new();
    let copying = tools::show(ui, session, report.as_ref(), (slot, &mut wanted));
    let Some(report) = report else {
        ui.add_space(4.0);
        ui.weak("Analyzing page loads…");
        return wanted;
    };
    state.follow(session, &report);
    if state.rows.is_empty() {
        let why = "Insights need the events of a page load, or of a browser's main thread.";
        empty_state(ui, "This recording has no insights.", why, None);
        return wanted;
    }
    let columns = state.widths.apply(&COLUMNS);
    table::wide(ui, &columns, |ui| {
        table::resizable_plain_header(ui, &columns, &mut state.widths);
        let name = || format!("Insights, {}, arrow keys expand and collapse", counted(report.len(), "insight"));
        let mut body = Body::new(ui, insights_id(), Role::Tree, name);
        let acted = show_rows(&mut body, session, state, &columns, (palette, &mut wanted));
        let mut copying = copying;
        if body.focused {
            keys(&body.ui, session, state, &mut wanted);
            copying = copying.or_else(|| table::copying(&body.ui));
        }
        match copying {
            Some(CopyRequest::Row) => {
                let row = state.rows.get(state.cursor());
                row.into_iter().for_each(|row| ui.copy_text(row.sentence()));
            }
            Some(CopyRequest::All(format)) => ui.copy_text(tools::copied(session, &report, format)),
            None => {}
        }
        let takes_focus = state.scroll.takes_focus(ui);
        body.finish(acted || takes_focus);
    });
    wanted
}

/// Shows the rows; returns true if the user acted on one.
fn show_rows(
    body: &mut Body,
    session: &Session,
    state: &mut InsightTable,
    columns: &[TableColumn],
    (palette, wanted): (&Palette, &mut Vec<Command>),
) -> bool {
    let (rows, cursor) = (Arc::clone(&state.rows), state.cursor());
    let (mut event, mut cursor_id, mut chosen) = (None, None, None);
    state.scroll.show(&mut body.ui, rows.len(), |ui, number, rect| {
        let row = &rows[number];
        let id = ui.scope_id().with(("row", &row.key));
        let is_cursor = number == cursor;
        cursor_id = cursor_id.or(is_cursor.then_some(id));
        let spans = table::spans(columns, rect.x_range());
        let is_shown = matches!(row.content, RowContent::Insight { position, .. } if is_focused(session, position));
        let place = (number, rows.len());
        let shown = ShownRow { row, id, rect, spans: &spans, place, is_cursor, is_focused: is_shown };
        let (response, own) = shown.show(ui, palette);
        event = event.or(own.map(|own| (number, own)));
        row_menu(&response, insights_id(), is_cursor, |ui| chosen = menu(ui, session, row));
    });
    cursor_id.into_iter().for_each(|row| body.announce_cursor(row));
    let has_chosen = chosen.is_some();
    wanted.extend(chosen.into_iter().flatten());
    let Some((number, event)) = event else { return has_chosen };
    state.move_to(number);
    let row = &rows[number];
    match event {
        RowEvent::Toggle => state.toggle(&row.key),
        RowEvent::Press => press(session, state, row, wanted),
        RowEvent::Path => wanted.extend(path_of(session, row).iter().flat_map(|path| commands(session, path))),
    }
    body.ui.ctx().request_repaint();
    true
}

/// A press on a row. An insight is shown on the chart and unfolds; another press folds it.
fn press(session: &Session, state: &mut InsightTable, row: &Row, wanted: &mut Vec<Command>) {
    match &row.target {
        RowTarget::More(list) => state.show_more(list),
        RowTarget::Fold if row.open.is_some() => state.toggle(&row.key),
        RowTarget::Insight(position) => {
            let is_shown = is_focused(session, *position);
            if is_shown || row.open == Some(false) {
                state.toggle(&row.key);
            }
            wanted.extend((!is_shown).then(|| commands(session, &row.target)).into_iter().flatten());
        }
        target => wanted.extend(commands(session, target)),
    }
}

/// The critical path of an insight with a late moment.
fn path_of(session: &Session, row: &Row) -> Option<RowTarget> {
    match (&row.target, &row.content) {
        (RowTarget::Path(_), _) => Some(row.target.clone()),
        (RowTarget::Insight(position), RowContent::Insight { late: Some(_), .. }) => {
            let insights = flowline_insights::insights::Insights::if_built(&session.index)?;
            insights.list().get(*position)?.finding.late.map(RowTarget::Path)
        }
        _ => None,
    }
}

/// The context menu of a row; returns the chosen commands.
fn menu(ui: &mut Ui, session: &Session, row: &Row) -> Option<Vec<Command>> {
    let mut chosen = None;
    let mut offer = |ui: &mut Ui, text: &str, target: Option<RowTarget>| {
        let found = target.map(|target| commands(session, &target)).filter(|found| !found.is_empty());
        if found.is_some() && entry(ui, text, true) {
            chosen = found;
        }
    };
    let own = |wanted: bool| wanted.then(|| row.target.clone());
    offer(ui, "Show on the chart", own(matches!(row.target, RowTarget::Insight(_))));
    offer(ui, "Critical path to it", path_of(session, row));
    offer(
        ui,
        "Show in chart",
        own(matches!(row.target, RowTarget::Marker(_) | RowTarget::Url(_) | RowTarget::Range(_))),
    );
    if let RowTarget::Url(url) = &row.target
        && entry(ui, "Copy URL", true)
    {
        ui.copy_text(url.clone());
    }
    if entry(ui, "Copy row", true) {
        ui.copy_text(row.sentence());
    }
    chosen
}

/// Handles this frame's keys.
fn keys(ui: &Ui, session: &Session, state: &mut InsightTable, wanted: &mut Vec<Command>) {
    let rows = Arc::clone(&state.rows);
    let here = state.cursor();
    if let Some(to) = table::moved(ui, || Some(here), rows.len(), state.scroll.fits) {
        state.move_to(to);
        ui.ctx().request_repaint();
    }
    let at = state.cursor();
    let Some(row) = rows.get(at) else { return };
    let pressed = |key| table::key(ui, key) > 0;
    if pressed(Key::ArrowRight) {
        match row.open {
            Some(false) => state.toggle(&row.key),
            Some(true) => state.move_to(at + 1),
            None => {}
        }
        ui.ctx().request_repaint();
    }
    if pressed(Key::ArrowLeft) {
        match row.open {
            Some(true) => state.toggle(&row.key),
            _ => {
                let above = (0..at).rev().find(|above| rows[*above].level < row.level);
                above.into_iter().for_each(|above| state.move_to(above));
            }
        }
        ui.ctx().request_repaint();
    }
    if pressed(Key::Enter) {
        press(session, state, row, wanted);
        ui.ctx().request_repaint();
    }
    if pressed(Key::K) {
        // The path of the insight that the row belongs to.
        let mut above = rows[..=at].iter().rev().take_while(|above| above.level > 1);
        let insight = above.find(|above| matches!(above.content, RowContent::Insight { .. }));
        let path = insight.and_then(|insight| path_of(session, insight));
        wanted.extend(path.iter().flat_map(|path| commands(session, path)));
    }
    if pressed(Key::Space) && row.open.is_some() {
        state.toggle(&row.key);
        ui.ctx().request_repaint();
    }
}
