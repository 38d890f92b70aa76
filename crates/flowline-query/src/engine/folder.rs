//! A folder of exported tables: `FOLDER/TABLE/day=YYYY-MM-DD/RECORDING.parquet`.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field, SchemaBuilder};
use datafusion::common::{Result, exec_err};
use datafusion::dataframe::DataFrame;
use datafusion::datasource::TableProvider;
use datafusion::datasource::empty::EmptyTable;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl};
use datafusion::parquet::file::reader::{FileReader as _, SerializedFileReader};
use datafusion::prelude::{SessionContext, lit};
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

/// The URL of a file or folder. As a path, a name with `*`, `?` or `[` would be a pattern.
fn table_url(path: &Path) -> Result<ListingTableUrl> {
    let mut url = String::from("file://");
    for byte in std::path::absolute(path)?.as_os_str().as_encoded_bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' | b'=' => {
                url.push(char::from(*byte));
            }
            byte => url.push_str(&format!("%{byte:02X}")),
        }
    }
    if path.is_dir() && !url.ends_with('/') {
        url.push('/');
    }
    ListingTableUrl::parse(url)
}

/// The name of the partition column, whose value is in the path of a file.
const DAY: &str = "day";

fn listing_options() -> ListingOptions {
    // Text is read as views, like that of recordings.
    ListingOptions::new(Arc::new(ParquetFormat::default().with_force_view_types(true))).with_file_extension(".parquet")
}

/// The day of a file, from its path.
fn day_of_path(path: &Path) -> Option<&str> {
    path.parent()?.file_name()?.to_str()?.strip_prefix(DAY)?.strip_prefix('=')
}

/// All files of a folder.
fn whole_table(table: &TableSpec, folder: &Path) -> Result<Arc<dyn TableProvider>> {
    let options = listing_options().with_table_partition_cols(vec![(DAY.into(), DataType::Utf8)]);
    let url = table_url(folder)?;
    let config = ListingTableConfig::new(url).with_listing_options(options).with_schema(table.schema());
    Ok(Arc::new(ListingTable::try_new(config)?))
}

/// Some files. A list of files has no partitions, so the days are added as constants.
fn partial_table(context: &SessionContext, table: &TableSpec, files: &[&PathBuf]) -> Result<Arc<dyn TableProvider>> {
    let mut days: BTreeMap<&str, Vec<ListingTableUrl>> = BTreeMap::new();
    for file in files {
        let day = day_of_path(file).unwrap_or_default();
        days.entry(day).or_default().push(table_url(file)?);
    }
    let mut union: Option<DataFrame> = None;
    for (day, urls) in days {
        let config = ListingTableConfig::new_with_multi_paths(urls)
            .with_listing_options(listing_options())
            .with_schema(table.schema());
        let files = context.read_table(Arc::new(ListingTable::try_new(config)?))?.with_column(DAY, lit(day))?;
        union = Some(match union {
            Some(union) => union.union(files)?,
            None => files,
        });
    }
    Ok(union.map_or_else(|| no_rows(table), DataFrame::into_view))
}

/// A table without rows.
fn no_rows(table: &TableSpec) -> Arc<dyn TableProvider> {
    let mut fields = SchemaBuilder::from(table.schema().fields());
    fields.push(Field::new(DAY, DataType::Utf8, true));
    Arc::new(EmptyTable::new(Arc::new(fields.finish())))
}

/// Makes all tables known to a session; those that no recording has rows of are empty. Returns the damaged files that
/// were left out.
///
/// # Errors
/// If a file is damaged and damaged files are not to be left out.
pub(super) fn register_folder(context: &SessionContext, folder: &Path, skip_damaged: bool) -> Result<Vec<String>> {
    let mut skipped = Vec::new();
    for table in TABLES {
        let path = folder.join(table.name);
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
        let provider = if files.is_empty() {
            no_rows(table)
        } else if bad.is_empty() {
            whole_table(table, &path)?
        } else {
            let intact: Vec<&PathBuf> =
                files.iter().zip(&damaged).filter(|(_, damage)| damage.is_none()).map(|(file, _)| file).collect();
            partial_table(context, table, &intact)?
        };
        skipped.extend(bad.into_iter().cloned());
        context.register_table(table.name, provider)?;
    }
    Ok(skipped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_day_is_in_the_path() {
        assert_eq!(day_of_path(Path::new("a/slice/day=2026-11-21/0.parquet")), Some("2026-11-21"));
        assert_eq!(day_of_path(Path::new("day=unknown/0.parquet")), Some("unknown"));
        assert_eq!(day_of_path(Path::new("slice/0.parquet")), None);
    }
}
