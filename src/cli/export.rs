//! `flowline export`: streams the markers of a scope to a file.

use anyhow::Context as _;

use super::args::ExportArgs;
use super::opening::{Opening, finish, open, origin_for};
use super::output::{CommandOutput, Content, CountLine};
use super::scope::ScopeChoice;
use flowline_session::{ExportColumn, MarkerLayout, RowOrder, TableFormat, write_markers};

pub(super) fn run(options: &ExportArgs, opening: &Opening) -> anyhow::Result<()> {
    let format = format_of(options)?;
    let output = CommandOutput::new(&options.output, Content::Text, opening, &[&options.file])?;
    let loaded = open(&origin_for(&options.file), opening)?;
    let index = &loaded.index;
    let choice = ScopeChoice::new(&options.scope, index)?;
    let subject = choice.subject(index);
    let columns: Vec<ExportColumn> = options.columns.iter().map(|name| ExportColumn::parse(name.trim())).collect();
    let layout = MarkerLayout { format, order: RowOrder::ByThread, columns: &columns, clock: index.profile().clock() };
    let progress = CountLine::start("writing", index.profile().marker_count() as u64);
    // Markers are sorted by thread, then by start.
    let output = output.reading(&index.profile().source);
    let written = output.write(|mut out| {
        let mut goes_on = |_, marker: flowline_profile::MarkerId| {
            progress.set(u64::from(marker.0));
            true
        };
        Ok(write_markers(&mut out, index.profile(), subject.markers(), layout, &mut goes_on)?)
    });
    progress.finish();
    written?;
    finish(&loaded)
}

fn format_of(options: &ExportArgs) -> anyhow::Result<TableFormat> {
    let known = options.format.map(TableFormat::from).or_else(|| TableFormat::of_path(&options.output));
    known.with_context(|| {
        format!("{}: end the file name in .csv, .tsv, .json or .md, or use --format", options.output.display())
    })
}
