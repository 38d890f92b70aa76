//! Exports tables as partitioned Parquet.

mod properties;
mod tables;

pub(crate) use properties::writer_properties;
pub use tables::{ExportOptions, Exported, day_of, export_tables, is_exported};
