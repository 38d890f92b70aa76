//! Shows the critical path table.

use flowline_profile::DisplayClock;
use std::sync::Arc;

use egui::{Button, Id, Key, RichText, Role, Ui};

use super::rows::{Form, PathRow, cells, rows, share};
use crate::canvas::menus::chart_menu::marker_entries;
use crate::commands::{SelectionAction, shortcut};
use crate::tables::tool_strip::{self, FilterSlot, Tools};
use crate::widget_requests::run_command;
use crate::widgets::menu::row_menu;
use crate::widgets::table::{self, Body, Cell, CopyRequest, Scroll, TableColumn, Widths, copy_menu};
use crate::widgets::{Segment, empty_state, palette_of, segmented};
use flowline_format::{DurationUnit, format_duration_ns};
use flowline_index::Index;
use flowline_index::waits::{CriticalPath, PathKind};
use flowline_insights::report::MetricKind;
use flowline_scene::Palette;
use flowline_session::{MarkerCard, Session, TableFile, with_margin};
use flowline_view::{Command, PathTarget};

/// State of the table.
#[derive(Default)]
pub struct PathTable {
    form: Form,
    rows: Arc<Vec<PathRow>>,
    /// Inputs of the rows.
    made: Option<(Arc<CriticalPath>, Form, (usize, bool))>,
    /// Sorted column, and true if descending; `None` for the natural order.
    sort: Option<(usize, bool)>,
    cursor: usize,
    widths: [Widths; 2],
    scroll: Scroll,
}

impl PathTable {
    fn follow(&mut self, (index, clock): (&Index, DisplayClock), path: &Arc<CriticalPath>) {
        let sort = self.sort.unwrap_or((usize::MAX, false));
        if self
            .made
            .as_ref()
            .is_some_and(|(made, form, by)| Arc::ptr_eq(made, path) && (*form, *by) == (self.form, sort))
        {
            return;
        }
        let mut made = rows(index, path, self.form);
        if let Some((column, descending)) = self.sort {
            let shown = |row: &PathRow| cells((index, clock), path, self.form, row).swap_remove(column);
            let key = |cell: Cell| match cell {
                Cell::Time(time) => (time.0, String::new()),
                Cell::Length(ns) => (ns, String::new()),
                Cell::Count(count) => (i64::try_from(count).unwrap_or(i64::MAX), String::new()),
                other => (0, other.shown().to_lowercase()),
            };
            let is_share = self.form.columns()[column].title == "Share";
            made.sort_by_cached_key(|row| if is_share { (row.total, String::new()) } else { key(shown(row)) });
            if descending {
                made.reverse();
            }
        }
        let is_new = self.made.as_ref().is_none_or(|(made, form, _)| !Arc::ptr_eq(made, path) || *form != self.form);
        if is_new {
            // The cursor starts at the largest total.
            self.cursor = made.iter().enumerate().max_by_key(|(_, row)| row.total).map_or(0, |(number, _)| number);
            self.scroll.reveal(self.cursor);
        }
        self.rows = Arc::new(made);
        self.made = Some((Arc::clone(path), self.form, sort));
        self.cursor = self.cursor.min(self.rows.len().saturating_sub(1));
    }
}

/// Id of the table's widget.
pub(crate) fn path_id() -> Id {
    Id::unique("critical path table")
}

/// Shows the table; returns the user's commands.
pub(crate) fn show(
    ui: &mut Ui,
    session: &Session,
    state: &mut PathTable,
    slot: &mut FilterSlot<'_>,
    palette: &Palette,
) -> Vec<Command> {
    ui.set_min_height(ui.available_height());
    state.scroll.follow_opening(ui);
    let path = session.critical.path().filter(|_| session.view.path.is_some()).cloned();
    let mut commands = Vec::new();
    let copying = tools(ui, session, state, path.as_ref(), (slot, &mut commands));
    let Some(path) = path else {
        nothing(ui, session);
        return commands;
    };
    state.follow((&session.index, session.view.clock()), &path);
    let which = usize::from(state.form != Form::Segments);
    let unit = DurationUnit::of_longest(path.range().len());
    let columns: Vec<TableColumn> = state.form.columns().iter().map(|column| column.in_unit(unit)).collect();
    let columns = state.widths[which].apply(&columns);
    let sorted = state.sort.unwrap_or((usize::MAX, false));
    table::wide(ui, &columns, |ui| {
        if let Some(pressed) = table::resizable_header(ui, &columns, sorted, &mut state.widths[which]) {
            let descending =
                matches!(state.form.columns()[pressed].title, "Length" | "Share" | "Total" | "Segments" | "Longest");
            state.sort = Some(table::pressed(sorted, pressed, descending));
            ui.ctx().request_repaint();
        }
        let list = Arc::clone(&state.rows);
        let title = || format!("Critical path, {}", table::counted(list.len(), "row"));
        let mut body = Body::new(ui, path_id(), Role::Table, title);
        let (mut pressed, mut cursor_id) = (None, None);
        let (form, cursor, index, clock) = (state.form, state.cursor, &session.index, session.view.clock());
        state.scroll.show(&mut body.ui, list.len(), |ui, number, rect| {
            let row = &list[number];
            let (id, is_cursor) = (ui.scope_id().with(("row", number)), number == cursor);
            if is_cursor {
                cursor_id = Some(id);
            }
            let response = table::row(ui, id, rect, is_cursor, palette);
            let cells = cells((index, clock), &path, form, row);
            table::announce_row(ui, &response, Role::Row, is_cursor, (number, list.len()), || table::line(&cells));
            let spans = table::spans(&columns, rect.x_range());
            for ((cell, column), span) in cells.iter().zip(&columns).zip(spans) {
                let tint = table::tint(palette, matches!(column.title, "Thread" | "Kind"), is_cursor);
                table::cell(ui, rect, span, column.kind, &cell.shown_in(column), tint);
            }
            let segment = &path.segments[row.segment];
            row_menu(&response, path_id(), is_cursor, |ui| {
                commands.extend(marker_entries(ui, session, segment.marker));
            });
            if response.double_clicked() {
                commands.push(Command::ZoomTo(with_margin(segment.range)));
            } else if response.clicked() {
                commands.push(Command::Reveal(segment.marker));
            }
            if response.clicked() || response.double_clicked() {
                pressed = Some(number);
            }
        });
        cursor_id.into_iter().for_each(|row| body.announce_cursor(row));
        let is_pressed = pressed.is_some();
        let mut copying = copying;
        if body.focused {
            let moved = table::moved(&body.ui, || Some(cursor), list.len(), state.scroll.fits);
            pressed = pressed.or(moved);
            if table::key(&body.ui, Key::Enter) > 0 {
                commands.extend(list.get(cursor).map(|row| Command::Reveal(path.segments[row.segment].marker)));
            }
            copying = copying.or_else(|| table::copying(&body.ui));
        }
        if let Some(row) = pressed {
            state.cursor = row;
            state.scroll.reveal(row);
            body.ui.ctx().request_repaint();
        }
        let of = |row: &PathRow| cells((&session.index, session.view.clock()), &path, form, row);
        match copying {
            Some(CopyRequest::Row) => {
                list.get(state.cursor).into_iter().for_each(|row| ui.copy_text(table::line(&of(row))))
            }
            Some(CopyRequest::All(format)) => {
                let shown: Vec<Vec<Cell>> = list.iter().take(table::LIMIT).map(of).collect();
                ui.copy_text(table::write(format, form.columns(), &shown, list.len()));
            }
            None => {}
        }
        let takes_focus = state.scroll.takes_focus(ui);
        body.finish(is_pressed || takes_focus);
        commands
    })
}

/// Shows the path's target and length, and the buttons above the headings; returns the copy request.
fn tools(
    ui: &mut Ui,
    session: &Session,
    state: &mut PathTable,
    path: Option<&Arc<CriticalPath>>,
    (slot, commands): (&mut FilterSlot<'_>, &mut Vec<Command>),
) -> Option<CopyRequest> {
    let mut tools = Tools::new("critical path");
    tools.add("form", |ui, state: &mut PathTable| {
        let segments = Form::ALL.map(|(form, text)| Segment {
            text,
            hint: String::new(),
            is_chosen: form == state.form,
            is_enabled: true,
        });
        let chosen = segmented(ui, &segments, palette_of(ui.ctx())).map(|number| Form::ALL[number].0);
        if let Some(form) = chosen.filter(|form| *form != state.form) {
            (state.form, state.sort, state.cursor) = (form, None, 0);
        }
    });
    if let Some(target) = session.view.path {
        let commands = &mut *commands;
        tools.add("target", move |ui, _| {
            let mut assumed = target.assume_followed;
            let text = "Follow neighbors";
            let hint = "If the cause of a marker was not recorded, assume the marker that ended within 1 ms before it \
                        on the same thread";
            if ui.checkbox(&mut assumed, text).on_hover_text(hint).changed() {
                commands.push(Command::ShowPath(Some(PathTarget { assume_followed: assumed, ..target })));
            }
            if ui.add(Button::new("Hide")).on_hover_text(shortcut(ui.ctx(), SelectionAction::CriticalPath)).clicked() {
                commands.push(Command::ShowPath(None));
            }
        });
        if let Some(path) = path {
            tools.add_text("summary", RichText::new(summary(session, target, path)).small());
        }
    }
    tool_strip::show(ui, slot, state, tools, |ui, state| {
        let copying = copy_menu(ui);
        let is_ready = path.is_some() && !state.rows.is_empty();
        table::export_button(ui, is_ready, || path.map(|path| exported(session, state, path)));
        ui.label(RichText::new(table::counted(state.rows.len(), "row")).small().weak());
        copying
    })
}

/// All rows, for export to a file.
fn exported(session: &Session, state: &PathTable, path: &Arc<CriticalPath>) -> TableFile {
    let (index, path, rows, form) = (Arc::clone(&session.index), Arc::clone(path), Arc::clone(&state.rows), state.form);
    let clock = session.view.clock();
    table::exported("critical path", form.columns(), rows.len(), move |row| {
        cells((&index, clock), &path, form, &rows[row])
    })
}

/// "To Image Paint: 169.8 ms, 168.3 ms (99.1 %) waiting, 1 ms (0.6 %) unknown".
fn summary(session: &Session, target: PathTarget, path: &CriticalPath) -> String {
    let name = MarkerCard::new(&session.index, target.marker, session.view.clock())
        .map_or_else(String::new, |card| card.heading);
    let range = path.range();
    let part = |of: &dyn Fn(PathKind) -> bool| {
        let segments = path.segments.iter().filter(|segment| of(segment.kind));
        segments.map(|segment| segment.range.len()).fold(0, i64::saturating_add)
    };
    let text = |ns: i64| format!("{} ({})", format_duration_ns(ns), share(ns, range));
    let waiting = part(&|kind| kind.is_wait() && kind != PathKind::Unknown);
    let unknown = match part(&|kind| kind == PathKind::Unknown) {
        0 => String::new(),
        ns => format!(", {} unknown", text(ns)),
    };
    let cut = if path.is_cut { "; truncated at the start" } else { "" };
    format!("To {name}: {}, {} waiting{unknown}{cut}", format_duration_ns(range.len()), text(waiting))
}

/// Explains a missing path.
fn nothing(ui: &mut Ui, session: &Session) {
    let key = shortcut(ui.ctx(), SelectionAction::CriticalPath);
    if session.view.path.is_some() {
        ui.weak("Computing the critical path…");
    } else if session.view.selected.is_some() {
        let why = format!("{key} shows the path to the end of the selected marker.");
        if empty_state(ui, "No critical path is shown.", &why, Some("Show critical path")) {
            run_command(ui.ctx(), SelectionAction::CriticalPath);
        }
    } else {
        let why = format!("Select a marker and press {key} to show the path to its end.");
        let paint = session.late_moment(MetricKind::Lcp).map(|_| "Show the path to LCP");
        if empty_state(ui, "No critical path is shown.", &why, paint) {
            run_command(ui.ctx(), SelectionAction::PathTo(MetricKind::Lcp));
        }
    }
}
