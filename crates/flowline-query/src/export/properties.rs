//! Options of the Parquet files that are written.

use datafusion::parquet::arrow::arrow_writer::ArrowWriterOptions;
use datafusion::parquet::basic::{Compression, Encoding, ZstdLevel};
use datafusion::parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder};
use datafusion::parquet::schema::types::ColumnPath;

use crate::schema::{ColumnType, TableSpec};

/// Rows per row group.
pub(crate) const GROUP_ROWS: usize = 131_072;

/// Integers that mostly differ from row to row. Differences of neighbors take less space and time than a dictionary that
/// has an entry for almost every row.
const DISTINCT: [&str; 14] = [
    "id",
    "ts",
    "dur",
    "parent_id",
    "self_dur",
    "thread_dur",
    "arg_set_id",
    "slice_id",
    "slice_in",
    "slice_out",
    "flow_id",
    "run_ns",
    "wait_ns",
    "longest_wait_ns",
];

fn builder() -> WriterPropertiesBuilder {
    WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_max_row_group_row_count(Some(GROUP_ROWS))
        .set_statistics_enabled(EnabledStatistics::Chunk)
}

/// Engines that read Arrow's schema would see view and dictionary types that Spark does not know, so it is left out.
fn options(properties: WriterPropertiesBuilder) -> ArrowWriterOptions {
    ArrowWriterOptions::new().with_properties(properties.build()).with_skip_arrow_metadata(true)
}

/// zstd and statistics per row group.
#[must_use]
pub(crate) fn writer_properties() -> ArrowWriterOptions {
    options(builder())
}

/// The same for a table, with an encoding for each column.
#[must_use]
pub(super) fn table_properties(table: &TableSpec) -> ArrowWriterOptions {
    let is_distinct = |kind: ColumnType, name: &str| kind == ColumnType::Integer && DISTINCT.contains(&name);
    let distinct = table.columns.iter().filter(|column| is_distinct(column.kind, column.name));
    options(distinct.fold(builder(), |properties, column| {
        properties
            .set_column_dictionary_enabled(ColumnPath::from(column.name), false)
            .set_column_encoding(ColumnPath::from(column.name), Encoding::DELTA_BINARY_PACKED)
    }))
}
