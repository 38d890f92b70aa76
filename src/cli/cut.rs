//! `flowline cut`: writes a part of a recording as a smaller recording of the same format.

use std::sync::Arc;

use anyhow::Context as _;

use super::args::{CutArgs, CutFormat};
use super::lookup::{find_thread, found};
use super::opening::{Opening, open, origin_for};
use super::output::{CommandOutput, Content, ProgressLine};
use super::terminal;
use flowline_format::format_duration_ns;
use flowline_import::cut::{CutScope, check_format};
use flowline_import::{Progress, write_json_part, write_part};
use flowline_index::Index;
use flowline_index::marker_dependencies::{add_flow_dividers, add_flow_members, add_marker_dependencies};
use flowline_index::search::Hits;
use flowline_profile::{LocalMarker, Ns, Profile, ThreadId, TimeRange, WarningKind};

pub(super) fn run(options: &CutArgs, opening: &Opening) -> anyhow::Result<()> {
    let origin = origin_for(&options.file);
    let output = CommandOutput::new(&options.output, Content::Text, opening, &[&options.file])?;
    let loaded = open(&origin, opening)?;
    let index = &loaded.index;
    let profile = index.profile();
    let place = || options.file.display().to_string();
    check_format(profile).with_context(place)?;
    let scope = scope(options, index)?;
    for warning in index.warnings().list().iter().filter(|warning| is_damage(warning.kind)) {
        let (kind, count, first) = (warning.kind.name(), warning.count, &warning.first);
        terminal::error_line(&format!(
            "flowline: the recording is damaged; cutting its readable part: {count} × {kind}, {first}"
        ));
    }
    let progress = Arc::new(Progress::default());
    let bar = ProgressLine::start(&origin.name(), &progress);
    let output = output.reading(&profile.source);
    let written = output.write_packed_by_name(flate2::Compression::default(), |out| {
        match options.format {
            CutFormat::Same => write_part(&scope, out, &progress)?,
            CutFormat::Json => write_json_part(&scope, out, &progress)?,
        }
        Ok(())
    });
    bar.finish();
    written
}

/// Returns true if only a part of the text was read.
const fn is_damage(kind: WarningKind) -> bool {
    matches!(kind, WarningKind::Truncated | WarningKind::BrokenJson | WarningKind::Changed)
}

/// Returns the part selected by the options.
fn scope<'a>(options: &CutArgs, index: &'a Index) -> anyhow::Result<CutScope<'a>> {
    let profile = index.profile();
    let range = range(options, index)?;
    let mut threads = vec![options.thread.is_empty(); profile.threads.len()];
    for name in &options.thread {
        let id = find_thread(profile, name).with_context(|| format!("--thread {name}"))?;
        threads[id.index()] = true;
    }
    let hits = found(index, &options.search);
    let mut markers: Vec<Vec<LocalMarker>> = profile
        .threads_with_ids()
        .map(|(id, _)| if threads[id.index()] { markers(profile, id, range, hits.as_ref()) } else { Vec::new() })
        .collect();
    let is_searched = hits.is_some();
    anyhow::ensure!(
        !is_searched || markers.iter().any(|markers| !markers.is_empty()),
        "--search {}: no matching markers in this part of the recording",
        options.search
    );
    if options.keep_flows {
        add_flow_members(index, &mut markers);
    }
    if profile.source.holds_events() {
        let in_range = options.range.filter(|_| !is_searched && options.thread.is_empty()).map(|_| range);
        add_marker_dependencies(index, in_range, &mut markers);
    } else {
        add_flow_dividers(index, &mut markers);
    }
    Ok(CutScope { profile, range, threads, markers, is_searched })
}

/// Returns the range on the recording's clock; all times without `--range`.
fn range(options: &CutArgs, index: &Index) -> anyhow::Result<TimeRange> {
    let Some((from, to)) = options.range else { return Ok(TimeRange { start: Ns(i64::MIN + 1), end: Ns(i64::MAX) }) };
    let zero = index.profile().time_zero();
    // Markers may be outside the time range stated by the recording.
    let (range, whole) = (TimeRange { start: zero + from, end: zero + to }, index.extent());
    if range.start > whole.end || range.end <= whole.start {
        let [from, to] = [whole.start, whole.end].map(|time| format_duration_ns((time - zero).0));
        anyhow::bail!("--range is outside the recording, which spans {from} to {to}");
    }
    Ok(range)
}

fn markers(profile: &Profile, id: ThreadId, range: TimeRange, hits: Option<&Hits>) -> Vec<LocalMarker> {
    let in_range = profile.thread(id).markers.in_range(range);
    in_range.filter(|marker| hits.is_none_or(|hits| hits.contains(id, *marker))).collect()
}
