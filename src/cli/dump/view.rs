//! `flowline dump view`: what the window shows when it opens a recording, as text.

use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};

use crate::app::Unpainted;
use crate::cli::args::DumpArgs;
use crate::cli::query_tracks;
use flowline_index::statistics::{RangeRule, Subject, Tracks, summary};
use flowline_index::{Index, Measure};
use flowline_insights::first_part::PartSubject;
use flowline_insights::flags::Flags;
use flowline_load::Loaded;
use flowline_profile::{ColorBy, Kind, Ns, TimeRange};
use flowline_scene::{SceneInput, ViewLine};
use flowline_session::{BlankRecording, Session};
use flowline_terminal as terminal;
use flowline_ui::{opening_notice, overview_lanes};

/// Writes the range, the lanes of the overview, the rows from top to bottom, colors, flags, notices and the empty height.
/// Returns an error for after the output if a query was stopped.
pub(super) fn view(
    out: &mut impl Write,
    loaded: &Loaded,
    path: &Path,
    options: &DumpArgs,
) -> anyhow::Result<anyhow::Result<()>> {
    let args = &options.view;
    let (view, preset) = (args.view.as_ref(), args.preset(loaded.index.profile().meta.kind)?);
    let (index, setup) = (loaded.index.clone(), loaded.setup.clone());
    let (window, missing) = Unpainted::open(index, setup, path, options.size, view, args.queries(), preset);
    if missing > 0 {
        terminal::error_line(&format!("flowline: this recording does not contain {missing} items from --view"));
    }
    let Some(session) = window.shell.session() else { return Ok(Ok(())) };
    let input = session.scene_input();
    writeln!(out, "{}", range(session, view.is_some()))?;
    for (_, lane) in overview_lanes(session) {
        let line = json!({"item": "lane", "name": lane.name, "caption": lane.caption, "value": lane.value});
        writeln!(out, "{line}")?;
    }
    let lines = input.view_lines();
    for line in &lines {
        writeln!(out, "{}", row(&input, line))?;
    }
    writeln!(out, "{}", colors(&session.index, &input))?;
    flags(out, session)?;
    if let Some(text) = opening_notice(session) {
        writeln!(out, "{}", json!({"item": "notice", "text": text}))?;
    }
    if let Some(blank) = BlankRecording::of(&session.index, &session.warnings()) {
        let line = json!({"item": "blank", "text": blank.what, "contents": blank.contents, "advice": blank.advice});
        writeln!(out, "{line}")?;
    }
    let chart = f64::from(input.regions.chart.height / input.scale);
    let bottom = lines.last().map_or(0.0, |line| line.y + line.height);
    writeln!(out, "{}", json!({"item": "empty", "points": (chart - bottom).max(0.0)}))?;
    Ok(query_tracks::check([session]))
}

fn range(session: &Session, is_saved: bool) -> Value {
    let (shown, whole) = (session.view.axis.visible(), session.index.extent());
    let reason = match session.opening_part().map(|part| &part.subject) {
        _ if is_saved => "saved",
        Some(PartSubject::PageLoad) => "page load",
        Some(PartSubject::Step(_)) => "step",
        Some(PartSubject::MostEvents) => "most events",
        None if shown.start <= whole.start && shown.end >= whole.end => "whole",
        None => "most events",
    };
    json!({
        "item": "range",
        "start_ns": shown.start.0,
        "end_ns": shown.end.0,
        "whole_start_ns": whole.start.0,
        "whole_end_ns": whole.end.0,
        "reason": reason,
    })
}

fn row(input: &SceneInput<'_>, line: &ViewLine) -> Value {
    let profile = input.index.profile();
    let process = line.process.map(|process| profile.processes[process.index()].name.as_str());
    json!({
        "item": "row",
        "kind": line.kind,
        "name": line.label.text,
        "process": process,
        "pid": line.process.map(|process| profile.processes[process.index()].pid.as_str()),
        "thread": line.thread.map(|thread| thread.0),
        "value": line.label.right,
        "measure": line.figure.map_or("text", |figure| figure.measure.id()),
        "value_ns": line.figure.filter(|figure| figure.measure != Measure::Amount).map(|figure| figure.time.0),
        "threads": line.figure.map(|figure| figure.threads),
        "measured_share": line.figure.map(|figure| figure.measured_share()),
        "y": line.y,
        "height": line.height,
        "visible": line.is_visible,
        "open": line.label.expanded,
        "members": line.members,
        "entries": line.entries,
        "covered_ns": line.covered.0,
    })
}

/// The property that decides colors, and the share of the visible work whose kind is known.
fn colors(index: &Index, input: &SceneInput<'_>) -> Value {
    let by = match input.view.color_by {
        ColorBy::Kind => "kind",
        ColorBy::Category => "category",
        ColorBy::Name => "name",
        ColorBy::File => "file",
    };
    json!({"item": "colors", "by": by, "known_share": known_share(index, input.view.axis.visible())})
}

#[expect(clippy::cast_precision_loss, reason = "a share")]
fn known_share(index: &Index, range: TimeRange) -> Option<f64> {
    let subject = Subject::new(index, Tracks::All, Some(range), RangeRule::Overlaps, None);
    let kinds = summary(&subject, index, &|| true)?.kinds;
    let work = |is_counted: fn(Kind) -> bool| -> i128 {
        kinds.iter().filter(|own| own.kind.is_some_and(is_counted)).map(|own| own.self_time).sum()
    };
    let all = work(|_| true);
    (all > 0).then(|| work(|kind| kind != Kind::System) as f64 / all as f64)
}

/// Writes the flags within the visible range.
fn flags(out: &mut impl Write, session: &Session) -> std::io::Result<()> {
    let (flags, shown) = (Flags::of(&session.index), session.view.axis.visible());
    for at in flags.before(shown.start)..flags.len() {
        let Some((time, own)) = flags.get(at).filter(|(time, _)| *time <= shown.end) else { break };
        let Ns(at_ns) = time;
        let line = json!({"item": "flag", "name": own.name(), "page": own.url, "at_ns": at_ns});
        writeln!(out, "{line}")?;
    }
    Ok(())
}
