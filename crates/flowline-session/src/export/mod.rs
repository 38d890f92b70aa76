//! Tables as files: the markers of a scope with all their properties, or the rows of another table. Rows are written as
//! they are read, so a file may be larger than memory. `flowline export` and the window write the same files.

mod csv_rows;
mod event_stacks;
mod export_column;
mod marker_json;
mod marker_rows;
mod table_file;
mod writer;

pub use csv_rows::{CsvLineEnd, CsvWriter};
pub use event_stacks::EventStacks;
pub use export_column::{ExportColumn, KnownColumn};
pub use marker_json::{write_marker_json, write_stack};
pub use marker_rows::{MarkerLayout, RowOrder, write_markers};
pub use table_file::{ExportedRows, TableFile};
pub use writer::{Heading, TableFormat, TableWriter, markdown_field, tsv_field};
