//! `flowline render`: renders the window to a PNG or SVG without a display.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;

use super::args::{ChartLayoutArg, RenderArgs, parse_range};
use super::insights::pick;
use super::lookup::{find_thread, resolve_flows, resolve_marker};
use super::opening::{Opening, finish, notes_of, open, origin_for};
use super::output::{CommandOutput, Content};
use super::query_tracks;
use crate::app::{Headless, RenderOptions, SecondRecording, write_png};
use flowline_format::format_counted;
use flowline_index::Index;
use flowline_index::samples::Grouping;
use flowline_load::Loaded;
use flowline_profile::{Ns, Profile, ThreadId, TimeRange};
use flowline_session::insight_focus;
use flowline_terminal as terminal;
use flowline_ui::{ImageFormat, TableKind};
use flowline_view::{Command, PathTarget};

pub(super) fn run(options: &RenderArgs, opening: &Opening) -> anyhow::Result<()> {
    let origin = origin_for(&options.file);
    let is_svg = ImageFormat::of(&options.output) == Some(ImageFormat::Svg);
    let content = if is_svg { Content::Text } else { Content::Binary };
    let mut files = vec![options.file.as_path()];
    files.extend(options.compare.compare.as_deref());
    let output = CommandOutput::new(&options.output, content, opening, &files)?;
    let loaded = open(&origin, opening)?;
    let profile = loaded.index.profile();
    let second = options
        .compare
        .compare
        .as_deref()
        .map(|file| open_second(&loaded.index, file, options, opening))
        .transpose()?;
    let displayed = |(from, to)| on_clock(profile, from, to);
    let notes = notes_of(&loaded.index, opening)?;
    let insight = options.insight.as_ref().map(|choice| pick(&loaded.index, choice, "--insight")).transpose()?;
    let late = insight.and_then(|insight| insight.finding.late).map(PathTarget::end_of);
    let picture_options = RenderOptions {
        size: options.size,
        scale: options.scale,
        view: options.view.view.clone(),
        preset: options.view.preset(profile.meta.kind)?,
        queries: options.view.queries(),
        range: options.range.map(displayed),
        boxed: options.boxed.as_deref().map(|text| known_box(profile, text)).transpose()?,
        measure: options.measure.map(displayed),
        search: options.search.clone(),
        compare: second.as_ref().map(|(_, second)| second.clone()),
        select: options.select.map(|number| resolve_marker(profile, number, "--select")).transpose()?,
        zero: options.zero.map(|number| resolve_marker(profile, number, "--zero")).transpose()?,
        critical: options.critical.as_ref().map(|end| end.resolve(&loaded.index, "--critical")).transpose()?.or(late),
        insight: insight.map(|insight| Arc::new(insight_focus(&loaded.index, insight))),
        hover: options.hover.map(|number| resolve_marker(profile, number, "--hover")).transpose()?,
        arrangement: options.layout.and_then(ChartLayoutArg::arrangement),
        flow_lanes: (options.layout == Some(ChartLayoutArg::Object)).then(|| options.order.into()),
        all_markers: options.all_markers,
        theme: options.theme.into(),
        table: table(options),
        thread: options.thread.as_deref().map(|name| find_thread(profile, name)).transpose()?,
        stack_charts: options
            .stack_chart
            .iter()
            .map(|name| with_chart(&loaded.index, name))
            .collect::<Result<_, _>>()?,
        table_height: options.table_height,
        functions: options.implementation.into(),
        grouping: options.group_by.map_or(Grouping::None, Into::into),
        flows: resolve_flows(&loaded.index, &options.flow, "--flow")?,
        pins: resolve_flows(&loaded.index, &options.pin, "--pin")?,
        connections: options.connections,
        path: options.path,
        chain: options.chain,
    };
    let mut window = Headless::new(loaded.index.clone(), loaded.setup.clone(), origin.path(), &picture_options)?;
    if window.missing > 0 {
        let things = format_counted(window.missing as u64, "item");
        terminal::error_line(&format!("flowline: this recording does not contain {things} from --view"));
    }
    if let Some(session) = window.shell.session_mut() {
        session.set_notes(notes);
        if options.range.is_none() && options.view.view.is_none() {
            session.open_breadcrumbs();
            // A marker outside the committed range ends it, as in the window.
            picture_options.select.into_iter().for_each(|marker| session.apply(Command::Reveal(marker)));
        }
    }
    // Notes hide entries, and committed ranges limit counts.
    window.wait_for_work();
    window.wait()?;
    let mut output = output.reading(&profile.source);
    if let Some((second, _)) = &second {
        output = output.reading(&second.index.profile().source);
    }
    if is_svg {
        output.write(|out| Ok(out.write_all(window.svg().as_bytes())?))?;
    } else {
        let picture = window.picture()?;
        output.write(|out| Ok(write_png(out, &picture)?))?;
    }
    finish(&loaded)?;
    second.iter().try_for_each(|(second, _)| finish(second))?;
    query_tracks::check(window.shell.panes.iter().map(|pane| &pane.session))
}

/// Opens the second recording.
fn open_second(
    first: &Index,
    file: &Path,
    options: &RenderArgs,
    opening: &Opening,
) -> anyhow::Result<(Loaded, SecondRecording)> {
    let origin = origin_for(file);
    let loaded = open(&origin, opening)?;
    let alignment = options.compare.align.resolve(first, &loaded.index);
    let alignment = alignment.map_err(|message| anyhow::anyhow!("--align: {message}"))?;
    let (index, setup) = (loaded.index.clone(), loaded.setup.clone());
    let second = SecondRecording { index, setup, path: origin.path().to_owned(), alignment };
    Ok((loaded, second))
}

/// Returns the table selected by the options.
fn table(options: &RenderArgs) -> Option<TableKind> {
    match (options.tree, options.flame) {
        (true, _) => Some(TableKind::CallTree),
        (_, true) => Some(TableKind::Flame),
        _ => options.table.map(Into::into).or_else(|| options.insight.as_ref().map(|_| TableKind::Insights)),
    }
}

/// Converts a range from the displayed clock.
fn on_clock(profile: &Profile, from: Ns, to: Ns) -> TimeRange {
    let zero = profile.time_zero();
    TimeRange::new(zero + from, zero + to)
}

/// Parses a thread and a range, written THREAD;A..B. Thread names may contain semicolons.
fn known_box(profile: &Profile, text: &str) -> anyhow::Result<(ThreadId, TimeRange)> {
    let (name, range) = text.rsplit_once(';').with_context(|| format!("--box {text}: expected THREAD;A..B"))?;
    let (from, to) = parse_range(range).map_err(|message| anyhow::anyhow!("--box {text}: {message}"))?;
    Ok((find_thread(profile, name)?, on_clock(profile, from, to)))
}

/// Returns a thread that has a stack chart.
fn with_chart(index: &Index, name: &str) -> anyhow::Result<ThreadId> {
    let thread = find_thread(index.profile(), name)?;
    let has_chart = index.cpu().get(thread).is_some_and(|track| track.depth > 0);
    anyhow::ensure!(has_chart, "--stack-chart {name}: this thread has no samples with stacks");
    Ok(thread)
}
