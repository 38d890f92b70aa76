//! Shows the query tab: the tools, the editor, and the rows beside it, or below it in a narrow window.

use std::time::Duration;

use egui::{Key, Rect, RichText, Ui, UiBuilder, pos2};

use super::editor::{self, editor_id};
use super::examples::{self, EXAMPLES};
use super::request::QueryRequest;
use super::rows::{self, query_id};
use super::state::QueryTable;
use super::tools;
use crate::tables::tool_strip::FilterSlot;
use crate::widget_requests::{WidgetRequest, post};
use crate::widgets::style::{SMALL, color};
use crate::widgets::table::{self, CopyRequest};
use crate::widgets::{cursor_to_end, empty_state};
use flowline_scene::Palette;
use flowline_session::{EngineFailure, EngineState, Job, QueryRun, RunState, Session};
use flowline_view::Command;

/// From this width in points on, the rows are beside the editor.
const WIDE: f32 = 820.0;
/// Share of a wide panel for the editor, and its limits in points.
const EDITOR_SHARE: f32 = 0.36;
const EDITOR_WIDTHS: (f32, f32) = (300.0, 560.0);
/// Share of a narrow panel for the editor.
const EDITOR_HEIGHT: f32 = 0.42;
/// Points between the parts.
const GAP: f32 = 6.0;
/// Interval of updates of the elapsed time.
const TICK: Duration = Duration::from_millis(100);

/// Shows the tab; returns the user's commands.
pub(crate) fn show(
    ui: &mut Ui,
    session: &Session,
    state: &mut QueryTable,
    slot: &mut FilterSlot<'_>,
    palette: &Palette,
) -> Vec<Command> {
    ui.set_min_height(ui.available_height());
    state.poll(&session.index);
    let ask = |request| post(ui.ctx(), WidgetRequest::Query(session.canvas.pane, request));
    if *session.query.state() == EngineState::Idle && state.run.is_none() {
        // The engine loads the recording while the user types.
        ask(QueryRequest::Start);
    }
    let run = state.run.and_then(|run| session.query.get(run));
    if run.is_some_and(QueryRun::is_running) {
        ui.ctx().request_repaint_after(TICK);
        // Escape cancels a query before it leaves the table.
        let in_rows = ui.memory(|memory| memory.has_focus(query_id()));
        if in_rows && table::key(ui, Key::Escape) > 0 {
            post(ui.ctx(), WidgetRequest::Query(session.canvas.pane, QueryRequest::Cancel));
        }
    }
    // The key must not press a button that has the focus.
    let pressed = editor::run_key(ui);
    let chosen = tools::show(ui, session, (&mut *state, run), slot, palette);
    let mut request = pressed.or(chosen.request);
    if chosen.is_inserted {
        focus_editor(ui, &state.text);
    }
    let (for_editor, for_rows) = divided(ui.available_rect_before_wrap());
    request = editor::show(ui, for_editor, session, (&mut *state, run), palette).or(request);
    // A restored tab does not take the keys of the chart. The key that opens the tab is not typed, because the editor gets
    // the focus only now.
    if std::mem::take(&mut state.takes_focus) {
        ui.memory_mut(|memory| memory.request_focus(editor_id()));
        ui.ctx().request_repaint();
    }
    let mut child = ui.new_child(UiBuilder::new().max_rect(for_rows).id_salt("result"));
    child.shrink_clip_rect(for_rows);
    let mut commands = result(&mut child, session, (state, run), (chosen.copy, &mut request), palette);
    commands.extend(chosen.command);
    if let Some(request) = request {
        post(ui.ctx(), WidgetRequest::Query(session.canvas.pane, request));
    }
    commands
}

/// Moves the keyboard focus to the end of the query.
fn focus_editor(ui: &Ui, text: &str) {
    cursor_to_end(ui.ctx(), editor_id(), text);
    ui.memory_mut(|memory| memory.request_focus(editor_id()));
}

/// The places of the editor and of the rows.
fn divided(all: Rect) -> (Rect, Rect) {
    if all.width() >= WIDE {
        let width = (all.width() * EDITOR_SHARE).clamp(EDITOR_WIDTHS.0, EDITOR_WIDTHS.1);
        let split = all.min.x + width;
        return (all.with_max_x(split), Rect::from_min_max(pos2(split + GAP, all.min.y), all.max));
    }
    let split = all.min.y + (all.height() * EDITOR_HEIGHT).round();
    (all.with_max_y(split), Rect::from_min_max(pos2(all.min.x, split + GAP), all.max))
}

/// Shows the rows, or why there are none.
fn result(
    ui: &mut Ui,
    session: &Session,
    (state, run): (&mut QueryTable, Option<&QueryRun>),
    (copying, request): (Option<CopyRequest>, &mut Option<QueryRequest>),
    palette: &Palette,
) -> Vec<Command> {
    let failure = match session.query.state() {
        EngineState::Failed(failure) => Some(failure),
        EngineState::Idle | EngineState::Starting | EngineState::Ready => None,
    };
    let Some(run) = run else {
        match failure {
            Some(failure) => failed_engine(ui, failure, request),
            None => beginning(ui, state),
        }
        return Vec::new();
    };
    match (&run.state, run.result.rows()) {
        (RunState::Failed(_), _) if failure.is_some() => {
            failure.into_iter().for_each(|failure| failed_engine(ui, failure, request));
        }
        (RunState::Failed(error), _) => {
            ui.add_space(4.0);
            let place = error.place.map(|(line, column)| format!("Line {line}, column {column}: ")).unwrap_or_default();
            let text = RichText::new(format!("{place}{}", error.message)).size(SMALL).color(color(palette.bad));
            egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| ui.add(egui::Label::new(text).wrap()));
        }
        (RunState::Canceled, _) => _ = empty_state(ui, "The query was canceled.", "", None),
        (RunState::Done { .. }, 0) => _ = empty_state(ui, "The query returned no rows.", "", None),
        (RunState::Running | RunState::Canceling, 0) => {
            ui.add_space(4.0);
            ui.weak(tools::status(session, Some(run)));
        }
        _ => return rows::show(ui, session, (state, run), copying, palette),
    }
    Vec::new()
}

/// The engine is missing or has ended.
fn failed_engine(ui: &mut Ui, failure: &EngineFailure, request: &mut Option<QueryRequest>) {
    if empty_state(ui, &failure.message, &failure.advice, Some("Start again")) {
        *request = Some(QueryRequest::Start);
    }
}

/// Example queries, until the first one is run.
fn beginning(ui: &mut Ui, state: &mut QueryTable) {
    if !state.text.trim().is_empty() {
        empty_state(ui, "Press Ctrl+Enter to run the query.", "", None);
        return;
    }
    ui.add_space(4.0);
    ui.label(RichText::new("Write a query, or begin with an example:").size(SMALL));
    ui.add_space(4.0);
    let mut inserted = None;
    egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = egui::vec2(6.0, 6.0);
            for example in EXAMPLES {
                if ui.button(RichText::new(example.0).size(SMALL)).clicked() {
                    inserted = Some(examples::text(example));
                }
            }
        });
    });
    if let Some(text) = inserted {
        focus_editor(ui, &text);
        state.insert(text);
    }
}
