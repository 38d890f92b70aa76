//! The line above the editor: run, cancel, examples, history and tracks; the state of the query; copying and export.

use egui::{Button, RichText, Ui};

use super::examples::{self, EXAMPLES};
use super::export;
use super::request::QueryRequest;
use super::sql_text;
use super::state::QueryTable;
use crate::tables::tool_strip::{self, FilterSlot, Tools};
use crate::widgets::menu::entry;
use crate::widgets::table::{self, CopyRequest, copy_menu};
use crate::widgets::{Dropdown, counted};
use flowline_format::format_duration_ms;
use flowline_scene::Palette;
use flowline_session::{EngineState, PlaceColumns, QueryRun, RunState, Session};
use flowline_view::{Command, QueryTrackCommand};

/// Number of queries in the menu of the history.
const LISTED_QUERIES: usize = 15;
/// Length of a query in the menu in characters.
const LISTED_LENGTH: usize = 72;

/// The choice of the user.
#[derive(Default)]
pub(super) struct Chosen {
    pub(super) request: Option<QueryRequest>,
    pub(super) copy: Option<CopyRequest>,
    pub(super) command: Option<Command>,
    /// True if another query was inserted into the editor.
    pub(super) is_inserted: bool,
}

fn small(text: &str) -> Button<'_> {
    Button::new(RichText::new(text).small())
}

/// A query on one line.
fn one_line(query: &str) -> String {
    let line = query.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut short: String = line.chars().take(LISTED_LENGTH).collect();
    if short.len() < line.len() {
        short.push('…');
    }
    short
}

/// What the tools change.
type Strip<'t> = (&'t mut QueryTable, Chosen);

/// The tools for a query.
fn tools<'t>(run: Option<&'t QueryRun>, has_history: bool, palette: &'t Palette) -> Tools<'t, Strip<'t>> {
    let mut tools = Tools::new("query");
    tools.add("run", move |ui, strip| run_button(ui, run, strip));
    tools.add("examples", move |ui, strip| examples_menu(ui, palette, strip));
    if has_history {
        tools.add("history", move |ui, strip| history_menu(ui, palette, strip));
    }
    tools.add("track", move |ui, strip| track_button(ui, run, strip));
    tools
}

/// The button that runs the query, or ends it.
fn run_button(ui: &mut Ui, run: Option<&QueryRun>, (table, chosen): &mut Strip<'_>) {
    if run.is_some_and(QueryRun::is_running) {
        let is_canceling = run.is_some_and(|run| run.state == RunState::Canceling);
        let (text, hint) = match is_canceling {
            true => ("Stop", "End the query engine, which does not react"),
            false => ("Cancel", "Cancel the query (Esc)"),
        };
        if ui.add(small(text)).on_hover_text(hint).clicked() {
            chosen.request = Some(QueryRequest::Cancel);
        }
        return;
    }
    let has_text = !table.text.trim().is_empty();
    if ui.add_enabled(has_text, small("Run")).on_hover_text("Run the query (Ctrl+Enter)").clicked() {
        chosen.request = Some(QueryRequest::Run);
    }
}

fn examples_menu(ui: &mut Ui, palette: &Palette, (table, chosen): &mut Strip<'_>) {
    Dropdown::menu("Examples").hint("Insert an example query").show(ui, palette, |ui| {
        for example in EXAMPLES {
            if entry(ui, example.0, true) {
                table.insert(examples::text(example));
                chosen.is_inserted = true;
            }
        }
    });
}

fn history_menu(ui: &mut Ui, palette: &Palette, (table, chosen): &mut Strip<'_>) {
    let hint = "Queries that were run on this recording (Ctrl+Up and Ctrl+Down in the editor)";
    Dropdown::menu("History").hint(hint).show(ui, palette, |ui| {
        let queries: Vec<String> = table.history.queries().iter().rev().take(LISTED_QUERIES).cloned().collect();
        for query in queries {
            if entry(ui, one_line(&query).as_str(), true) {
                table.insert(query);
                chosen.is_inserted = true;
            }
        }
    });
}

/// The button that adds the rows to the chart.
fn track_button(ui: &mut Ui, run: Option<&QueryRun>, (_, chosen): &mut Strip<'_>) {
    let done = run.filter(|run| run.is_done());
    let can_be_track = done.is_some_and(|run| PlaceColumns::of(&run.result).make_track());
    let hint = "Show the rows as a track above the chart; needs the columns ts and name, and dur for lengths";
    let button = ui.add_enabled(can_be_track, small("Show as track"));
    if button.on_hover_text(hint).on_disabled_hover_text(hint).clicked() {
        chosen.command = done.map(|run| {
            let sql = run.sql.to_string();
            Command::QueryTrack(QueryTrackCommand::Add { name: sql_text::title(&sql), sql })
        });
    }
}

/// Shows the line.
pub(super) fn show(
    ui: &mut Ui,
    session: &Session,
    (table, run): (&mut QueryTable, Option<&QueryRun>),
    slot: &mut FilterSlot<'_>,
    palette: &Palette,
) -> Chosen {
    let mut state = (table, Chosen::default());
    let tools = tools(run, !state.0.history.queries().is_empty(), palette);
    tool_strip::show(ui, slot, &mut state, tools, |ui, (table, chosen)| {
        let rows = run.filter(|run| run.is_done() && run.result.rows() > 0);
        chosen.copy = copy_menu(ui).filter(|_| rows.is_some());
        let is_ready = rows.is_some() && !table.order.is_sorting();
        table::export_button(ui, is_ready, || rows.map(|run| export::exported(&run.result, table.order.rows(run.id))));
        ui.label(RichText::new(status(session, run)).small().weak());
    });
    state.1
}

/// The progress of loading the recording.
fn opening(session: &Session) -> String {
    let Some(opening) = session.query.opening() else { return "Loading the recording…".to_owned() };
    let percent = opening.percent.map(|percent| format!(" {percent} %")).unwrap_or_default();
    format!("Loading the recording: {}{percent}", opening.phase)
}

/// Why the rows of a result select no markers, though they have numbers of markers.
fn without_markers(session: &Session, run: &QueryRun) -> &'static str {
    let has_numbers = PlaceColumns::of(&run.result).marker.is_some();
    if has_numbers && !session.query.catalog().describes(session.index.profile()) {
        "; rows select markers when the whole recording is loaded"
    } else {
        ""
    }
}

/// The state of the query.
pub(super) fn status(session: &Session, run: Option<&QueryRun>) -> String {
    let Some(run) = run else {
        let is_starting = *session.query.state() == EngineState::Starting;
        return if is_starting { opening(session) } else { String::new() };
    };
    let rows = counted(run.result.rows(), "row");
    match &run.state {
        RunState::Running if *session.query.state() == EngineState::Starting => opening(session),
        RunState::Running => {
            let ms = run.started.elapsed().as_secs_f64() * 1000.0;
            format!("Running, {rows}, {}", format_duration_ms(ms))
        }
        RunState::Canceling => "Canceling…".to_owned(),
        RunState::Done { ms, more } => {
            let first = if *more { "First " } else { "" };
            format!("{first}{rows}, {}{}", format_duration_ms(*ms), without_markers(session, run))
        }
        RunState::Failed(_) => "Failed".to_owned(),
        RunState::Canceled => "Canceled".to_owned(),
    }
}
