//! `flowline cut`: writes a part of a recording as a smaller recording of the same format.

use std::sync::Arc;

use anyhow::Context as _;

use super::args::{CutArgs, CutFormat};
use super::lookup::{find_thread, found};
use super::opening::{Opening, open, origin_for};
use super::output::{CommandOutput, Content, ProgressLine};
use crate::app::PartChoice;
use flowline_format::format_duration_ns;
use flowline_import::cut::{CutScope, Removal, check_format};
use flowline_import::{Progress, write_json_part, write_part};
use flowline_index::Index;
use flowline_profile::{ThreadId, TimeRange, WarningKind};
use flowline_terminal as terminal;

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
    let find = |name: &String| find_thread(profile, name).with_context(|| format!("--thread {name}"));
    let threads: Vec<ThreadId> = options.thread.iter().map(find).collect::<anyhow::Result<_>>()?;
    let hits = found(index, &options.search);
    let choice = PartChoice {
        range: range(options, index)?,
        threads: (!threads.is_empty()).then_some(&threads),
        hits: hits.as_ref(),
        with_flows: options.keep_flows,
        removal: Removal { urls: options.remove_urls, screenshots: options.remove_screenshots },
    };
    let nothing = || format!("--search {}: no matching markers in this part of the recording", options.search);
    choice.scope(index).with_context(nothing)
}

/// Returns the range on the recording's clock; `None` without `--range`.
fn range(options: &CutArgs, index: &Index) -> anyhow::Result<Option<TimeRange>> {
    let Some((from, to)) = options.range else { return Ok(None) };
    let zero = index.profile().time_zero();
    // Markers may be outside the time range stated by the recording.
    let (range, whole) = (TimeRange { start: zero + from, end: zero + to }, index.extent());
    if range.start > whole.end || range.end <= whole.start {
        let [from, to] = [whole.start, whole.end].map(|time| format_duration_ns((time - zero).0));
        anyhow::bail!("--range is outside the recording, which spans {from} to {to}");
    }
    Ok(Some(range))
}
