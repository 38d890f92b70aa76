//! The rows of a result, in batches of columns.

use std::sync::Arc;

use super::result_column::{ColumnBatch, Field, ResultColumn};

/// Some consecutive rows.
#[derive(Debug, PartialEq)]
pub(super) struct RowBatch {
    pub(super) rows: usize,
    pub(super) columns: Vec<ColumnBatch>,
}

impl RowBatch {
    fn bytes(&self) -> usize {
        self.columns.iter().map(ColumnBatch::bytes).sum()
    }
}

/// The rows that have arrived so far. A copy shares them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QueryResult {
    columns: Arc<[ResultColumn]>,
    /// The batches, each with the number of its first row.
    batches: Vec<(usize, Arc<RowBatch>)>,
    rows: usize,
    bytes: usize,
}

impl QueryResult {
    pub(super) fn new(columns: Arc<[ResultColumn]>) -> Self {
        Self { columns, ..Self::default() }
    }

    /// Name and type of each column.
    #[must_use]
    pub fn columns(&self) -> &[ResultColumn] {
        &self.columns
    }

    /// Number of rows.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// Size in memory.
    pub(super) const fn bytes(&self) -> usize {
        self.bytes
    }

    /// The number of a column with a name in any case; the first one of equal names.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name.eq_ignore_ascii_case(name))
    }

    /// A value; NULL outside of the result.
    #[must_use]
    pub fn get(&self, row: usize, column: usize) -> Field<'_> {
        let after = self.batches.partition_point(|(first, _)| *first <= row);
        let Some((first, batch)) = after.checked_sub(1).and_then(|at| self.batches.get(at)) else { return Field::Null };
        batch.columns.get(column).map_or(Field::Null, |values| values.get(row - first))
    }

    /// Adds rows, but no more than `most` in all; returns false if some were dropped.
    pub(super) fn add(&mut self, mut batch: RowBatch, most: usize) -> bool {
        let room = most - self.rows.min(most);
        let fits = batch.rows <= room;
        if !fits {
            batch.columns.iter_mut().for_each(|column| column.truncate(room));
            batch.rows = room;
        }
        if batch.rows > 0 {
            self.bytes += batch.bytes();
            self.batches.push((self.rows, Arc::new(batch)));
            self.rows += self.batches.last().map_or(0, |(_, batch)| batch.rows);
        }
        fits
    }
}
