//! Tables with few rows, which are built at once.

use std::ops::Range;

use datafusion::arrow::array::{ArrayRef, UInt32Array};
use datafusion::arrow::compute::take;
use datafusion::error::Result;

use super::bounds::Bounds;
use super::builders::Columns;
use super::rows::Rows;
use crate::schema::TableSpec;

/// A table in memory. Units are rows.
#[derive(Debug)]
pub(crate) struct Whole {
    spec: &'static TableSpec,
    columns: Vec<ArrayRef>,
    rows: usize,
}

impl Whole {
    pub(crate) fn new(spec: &'static TableSpec, rows: Columns) -> Self {
        Self { spec, rows: rows.rows(), columns: rows.finish() }
    }
}

impl Rows for Whole {
    fn spec(&self) -> &'static TableSpec {
        self.spec
    }

    fn units(&self) -> usize {
        self.rows
    }

    fn is_cheap(&self, _column: usize) -> bool {
        true
    }

    #[expect(clippy::single_range_in_vec_init, reason = "one range")]
    fn ranges(&self, _bounds: &Bounds) -> Vec<Range<usize>> {
        vec![0..self.rows]
    }

    fn read(&self, units: &[u32], columns: &[usize]) -> Result<(Vec<ArrayRef>, usize)> {
        let units = UInt32Array::from(units.to_vec());
        let column = |column: &usize| Ok(take(&self.columns[*column], &units, None)?);
        Ok((columns.iter().map(column).collect::<Result<_>>()?, units.len()))
    }
}
