//! A folder of exported tables: `FOLDER/TABLE/day=YYYY-MM-DD/RECORDING.parquet`.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Schema};
use datafusion::common::{Result, exec_err};
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl};
use datafusion::parquet::file::reader::{FileReader as _, SerializedFileReader};
use datafusion::prelude::SessionContext;
use rayon::prelude::*;

use crate::schema::{TABLES, TableSpec};

/// The tables of a folder.
#[must_use]
pub(super) fn table_folders(folder: &Path) -> Vec<(&'static TableSpec, PathBuf)> {
    let named = TABLES.iter().map(|table| (*table, folder.join(table.name)));
    named.filter(|(_, path)| path.is_dir()).collect()
}

/// The Parquet files of a table, in order.
fn files(table: &Path) -> Vec<PathBuf> {
    let entries = |folder: &Path| -> Vec<PathBuf> {
        std::fs::read_dir(folder).map(|list| list.flatten().map(|entry| entry.path()).collect()).unwrap_or_default()
    };
    let mut found: Vec<PathBuf> =
        entries(table).iter().filter(|day| day.is_dir()).flat_map(|day| entries(day)).collect();
    found.retain(|path| path.extension().is_some_and(|extension| extension == "parquet"));
    found.sort_unstable();
    found
}

/// The damage of a file; `None` if its footer can be read.
fn damage(path: &Path) -> Option<String> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) => return Some(format!("{}: {error}", path.display())),
    };
    match SerializedFileReader::new(file) {
        Ok(reader) if reader.metadata().file_metadata().num_rows() >= 0 => None,
        Ok(_) => Some(format!("{}: a negative number of rows", path.display())),
        Err(error) => Some(format!("{}: {error}", path.display())),
    }
}

/// The type in which a column of a file is read. Text is read as views, like that of recordings.
fn file_schema(table: &TableSpec) -> Schema {
    Schema::clone(&table.schema())
}

/// Makes the tables of a folder known to a session; returns the damaged files that were left out.
///
/// # Errors
/// If a file is damaged and damaged files are not to be left out.
pub(super) async fn register_folder(
    context: &SessionContext,
    folder: &Path,
    skip_damaged: bool,
) -> Result<Vec<String>> {
    let mut skipped = Vec::new();
    for (table, path) in table_folders(folder) {
        let files = files(&path);
        let damaged: Vec<Option<String>> = files.par_iter().map(|file| damage(file)).collect();
        let bad: Vec<&String> = damaged.iter().flatten().collect();
        if let (Some(first), false) = (bad.first(), skip_damaged) {
            return exec_err!(
                "{first} ({} damaged of {} files of {}; --skip-damaged leaves them out)",
                bad.len(),
                files.len(),
                table.name
            );
        }
        skipped.extend(bad.into_iter().cloned());
        let whole = files.iter().zip(&damaged).filter(|(_, damage)| damage.is_none()).map(|(file, _)| file);
        let urls = whole.map(|file| ListingTableUrl::parse(file.to_string_lossy())).collect::<Result<Vec<_>>>()?;
        if urls.is_empty() {
            continue;
        }
        let options = ListingOptions::new(Arc::new(ParquetFormat::default().with_force_view_types(true)))
            .with_file_extension(".parquet")
            .with_table_partition_cols(vec![("day".into(), DataType::Utf8)]);
        // With a single table folder, partitions are found in the path; with a list of files they would not be.
        let config = if skipped.is_empty() {
            ListingTableConfig::new(ListingTableUrl::parse(format!("{}/", path.display()))?)
        } else {
            ListingTableConfig::new_with_multi_paths(urls)
        };
        let config = config.with_listing_options(options).with_schema(Arc::new(file_schema(table)));
        context.register_table(table.name, Arc::new(ListingTable::try_new(config)?))?;
    }
    Ok(skipped)
}
