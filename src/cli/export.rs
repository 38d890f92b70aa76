//! `flowline export`: the markers of a scope as a file, written as they are read.

use std::path::Path;

use anyhow::{Context as _, bail};

use super::progress_line::CountLine;
use super::scope::ScopeChoice;
use super::scope_args::ExportArgs;
use super::{Opening, keep, open, origin_for};
use crate::app::write_whole;
use crate::session::{ExportColumn, MarkerLayout, RowOrder, TableFormat, write_markers};

pub(super) fn run(options: &ExportArgs, opening: &Opening) -> anyhow::Result<()> {
    let format = format_of(options)?;
    let same = |path: &Path| path.canonicalize().ok();
    if same(&options.file).is_some_and(|file| Some(file) == same(&options.output)) {
        bail!("{}: the recording itself cannot be written over; choose another file", options.output.display());
    }
    let loaded = open(&origin_for(&options.file), opening)?;
    let index = &loaded.index;
    let choice = ScopeChoice::new(&options.scope, index)?;
    let subject = choice.subject(index);
    let columns: Vec<ExportColumn> = options.columns.iter().map(|name| ExportColumn::parse(name.trim())).collect();
    let layout = MarkerLayout { format, order: RowOrder::ByThread, columns: &columns };
    let progress = CountLine::start("writing", index.profile().marker_count() as u64);
    // Thread by thread, in the order of their starts.
    let written = write_whole(&options.output, |out| {
        let mut goes_on = |_, marker: crate::profile::MarkerId| {
            progress.set(u64::from(marker.0));
            true
        };
        write_markers(out, index.profile(), subject.markers(), layout, &mut goes_on)
    });
    progress.finish();
    written.with_context(|| options.output.display().to_string())?;
    keep(&loaded);
    Ok(())
}

fn format_of(options: &ExportArgs) -> anyhow::Result<TableFormat> {
    let known = options.format.map(TableFormat::from).or_else(|| TableFormat::of_path(&options.output));
    known.with_context(|| {
        format!("{}: end the name with .csv, .tsv, .json or .md, or say --format", options.output.display())
    })
}
