//! Options of the Parquet files that are written.

use datafusion::parquet::arrow::arrow_writer::ArrowWriterOptions;
use datafusion::parquet::basic::{Compression, ZstdLevel};
use datafusion::parquet::file::properties::{EnabledStatistics, WriterProperties};

/// Rows per row group.
pub(crate) const GROUP_ROWS: usize = 131_072;

/// zstd, statistics per row group, and no Arrow schema: engines that read Arrow's schema would otherwise see view and
/// dictionary types that Spark does not know.
#[must_use]
pub(crate) fn writer_properties() -> ArrowWriterOptions {
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_max_row_group_row_count(Some(GROUP_ROWS))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .build();
    ArrowWriterOptions::new().with_properties(properties).with_skip_arrow_metadata(true)
}
