//! Writes the tables of a recording as `FOLDER/TABLE/day=YYYY-MM-DD/RECORDING.parquet`.
//!
//! A file appears only when it is complete: it is written beside its place, under a name that readers ignore, and
//! renamed. The file of the table `recording` is written last and marks the recording as exported, so a run that was
//! interrupted continues with the recordings that have none.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use datafusion::arrow::record_batch::RecordBatch;
use datafusion::error::{DataFusionError, Result};
use datafusion::parquet::arrow::ArrowWriter;
use flowline_format::date_of_days;
use rayon::prelude::*;

use super::properties::table_properties;
use crate::recording::Recording;
use crate::schema::{TABLES, TableSpec};
use crate::tables::{Rows, open_table, start_unix_ns};

/// The table whose file marks a recording as complete.
const MARK: &str = "recording";

/// Options of an export.
#[derive(Clone, Debug)]
pub struct ExportOptions {
    /// The folder.
    pub folder: PathBuf,
    /// Tables; all if empty.
    pub tables: Vec<String>,
    /// Names of slices whose critical paths are exported.
    pub path_to: Vec<String>,
}

/// Amounts that were written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// Rows of all tables.
    pub rows: u64,
    /// Slices.
    pub slices: u64,
    /// Bytes of all files.
    pub bytes: u64,
}

/// The day on which a recording began, as the name of a partition.
#[must_use]
pub fn day_of(recording: &Recording) -> String {
    let start = start_unix_ns(recording.profile()).filter(|start| *start > 0);
    let date = start.map(|start| date_of_days(start.div_euclid(86_400_000_000_000)));
    date.map_or_else(|| "unknown".into(), |(year, month, day)| format!("{year:04}-{month:02}-{day:02}"))
}

/// The file of a table of a recording.
fn place(folder: &Path, table: &str, day: &str, id: &str) -> PathBuf {
    folder.join(table).join(format!("day={day}")).join(format!("{id}.parquet"))
}

/// True if a recording with this id has been exported completely.
#[must_use]
pub fn is_exported(folder: &Path, id: &str) -> bool {
    let days = std::fs::read_dir(folder.join(MARK)).into_iter().flatten().flatten();
    let name = format!("{id}.parquet");
    days.into_iter().any(|day| day.path().join(&name).exists())
}

/// Exports a recording.
///
/// # Errors
/// If a file cannot be written.
pub fn export_tables(recording: &Arc<Recording>, options: &ExportOptions) -> Result<Exported> {
    let is_wanted =
        |table: &TableSpec| options.tables.is_empty() || options.tables.iter().any(|name| name == table.name);
    let wanted: Vec<&'static TableSpec> =
        TABLES.iter().copied().filter(|table| is_wanted(table) && table.name != MARK).collect();
    let day = day_of(recording);
    let write = |table: &'static TableSpec| {
        let rows = open_table(table, recording, &options.path_to);
        write_table(&*rows, &place(&options.folder, table.name, &day, recording.id()))
            .map(|(count, bytes)| (table.name, count, bytes))
    };
    let written: Vec<(&str, u64, u64)> =
        wanted.par_iter().with_max_len(1).map(|table| write(table)).collect::<Result<_>>()?;
    let mark = TABLES.iter().copied().find(|table| table.name == MARK).expect("the table of recordings");
    let last = write(mark)?;
    let mut exported = Exported::default();
    for (name, rows, bytes) in written.into_iter().chain([last]) {
        exported.rows += rows;
        exported.bytes += bytes;
        if name == "slice" {
            exported.slices = rows;
        }
    }
    Ok(exported)
}

/// Writes a table; returns its rows and the size of its file. A table without rows has no file.
fn write_table(rows: &dyn Rows, path: &Path) -> Result<(u64, u64)> {
    if rows.units() == 0 {
        return Ok((0, 0));
    }
    let folder = path.parent().expect("a partition");
    std::fs::create_dir_all(folder)?;
    let file = tempfile::Builder::new().prefix("_").suffix(".tmp").tempfile_in(folder)?;
    let schema = rows.spec().schema();
    let columns: Vec<usize> = (0..schema.fields().len()).collect();
    let options = table_properties(rows.spec());
    let mut writer = ArrowWriter::try_new_with_options(file.as_file(), Arc::clone(&schema), options)?;
    let mut count = 0;
    let mut units: Vec<u32> = Vec::new();
    let mut from = 0;
    while from < rows.units() {
        let to = rows.units().min(from + rows.units_at_once());
        units.clear();
        units.extend((from..to).map(|unit| u32::try_from(unit).unwrap_or(u32::MAX)));
        let (arrays, _) = rows.read(&units, &columns)?;
        let batch = RecordBatch::try_new(Arc::clone(&schema), arrays)?;
        count += batch.num_rows() as u64;
        writer.write(&batch)?;
        from = to;
    }
    writer.close()?;
    if count == 0 {
        return Ok((0, 0));
    }
    file.as_file().sync_all()?;
    let bytes = file.as_file().metadata()?.len();
    readable(file.path())?;
    file.persist(path).map_err(|error| DataFusionError::IoError(error.error))?;
    Ok((count, bytes))
}

/// Temporary files are private; exported ones have the usual permissions.
#[cfg(unix)]
fn readable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable(_path: &Path) -> io::Result<()> {
    Ok(())
}
