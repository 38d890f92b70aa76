//! The interface of tables that are read in parts.

use std::fmt::Debug;
use std::ops::Range;

use datafusion::arrow::array::ArrayRef;
use datafusion::error::Result;

use super::bounds::Bounds;
use crate::schema::TableSpec;

/// A table over a recording. It consists of *units*, numbered from 0; a unit is a row, or has any number of rows (the
/// arguments of a slice). Some columns have one value per unit and are read at little cost; conditions on these select
/// units before other columns are read.
pub(crate) trait Rows: Debug + Send + Sync {
    /// Name and columns.
    fn spec(&self) -> &'static TableSpec;

    /// Number of units.
    fn units(&self) -> usize;

    /// True if each unit is a row.
    fn has_row_per_unit(&self) -> bool {
        true
    }

    /// True if a column has one value per unit at little cost. Positions are those of the table's schema.
    fn is_cheap(&self, column: usize) -> bool;

    /// Ranges of units, ascending, that contain all rows within the bounds.
    fn ranges(&self, bounds: &Bounds) -> Vec<Range<usize>>;

    /// Columns of the rows of these units, ascending, and the number of rows.
    fn read(&self, units: &[u32], columns: &[usize]) -> Result<(Vec<ArrayRef>, usize)>;

    /// Cheap columns of these units, with one value per unit.
    fn read_cheap(&self, units: &[u32], columns: &[usize]) -> Result<Vec<ArrayRef>> {
        self.read(units, columns).map(|(columns, _)| columns)
    }

    /// Number of units to read at once.
    fn units_at_once(&self) -> usize {
        8192
    }
}
