//! A table to be saved as a file.

use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;

use super::export_column::ExportColumn;
use super::marker_rows::{MarkerLayout, RowOrder, write_markers};
use super::writer::{Heading, TableFormat, TableWriter};
use flowline_index::Index;
use flowline_profile::{DisplayClock, MarkerId};

/// Rows between two progress reports.
const BATCH: usize = 1024;

/// The rows of a table to be written.
#[derive(Clone)]
pub enum ExportedRows {
    /// Markers in an order, with all their properties.
    Markers {
        /// The recording.
        index: Arc<Index>,
        /// The rows.
        rows: Arc<Vec<MarkerId>>,
        /// The columns; empty for the defaults.
        columns: Vec<ExportColumn>,
        /// The clock of the table's times.
        clock: DisplayClock,
    },
    /// Rows of machine-readable texts.
    Texts {
        /// The columns.
        headings: Vec<Heading>,
        /// Number of rows.
        count: usize,
        /// The fields of a row.
        row: Arc<dyn Fn(usize) -> Vec<String> + Send + Sync>,
    },
}

/// A table to be written to a file.
#[derive(Clone)]
pub struct TableFile {
    /// Plural noun of the rows, used in the file name: "markers".
    pub name: &'static str,
    /// Rows.
    pub rows: ExportedRows,
}

impl fmt::Debug for TableFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableFile").field("name", &self.name).field("rows", &self.len()).finish_non_exhaustive()
    }
}

impl PartialEq for TableFile {
    fn eq(&self, other: &Self) -> bool {
        let is_same = match (&self.rows, &other.rows) {
            (
                ExportedRows::Markers { rows, columns, clock, .. },
                ExportedRows::Markers { rows: others, columns: other_columns, clock: other_clock, .. },
            ) => Arc::ptr_eq(rows, others) && columns == other_columns && clock == other_clock,
            (ExportedRows::Texts { row, .. }, ExportedRows::Texts { row: other, .. }) => Arc::ptr_eq(row, other),
            _ => false,
        };
        is_same && self.name == other.name
    }
}

impl Eq for TableFile {}

impl TableFile {
    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.rows {
            ExportedRows::Markers { rows, .. } => rows.len(),
            ExportedRows::Texts { count, .. } => *count,
        }
    }

    /// True if the table has no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes the table. `goes_on` is called from time to time with the number of rows written. Returns the number of
    /// rows, or `None` if `goes_on` returned false.
    ///
    /// # Errors
    /// Errors of `out`.
    pub fn write(
        &self,
        out: &mut impl Write,
        format: TableFormat,
        goes_on: &mut dyn FnMut(u64) -> bool,
    ) -> io::Result<Option<u64>> {
        match &self.rows {
            ExportedRows::Markers { index, rows, columns, clock } => {
                let layout = MarkerLayout { format, order: RowOrder::Any, columns, clock: *clock };
                write_markers(out, index.profile(), rows.iter().copied(), layout, &mut |done, _| goes_on(done))
            }
            ExportedRows::Texts { headings, count, row } => {
                let mut table = TableWriter::begin(out, format, headings.clone())?;
                for number in 0..*count {
                    if number % BATCH == 0 && !goes_on(number as u64) {
                        return Ok(None);
                    }
                    table.row(row(number).iter().map(String::as_str))?;
                }
                table.end().map(Some)
            }
        }
    }
}
