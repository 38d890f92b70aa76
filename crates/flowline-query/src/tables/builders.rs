//! Builds columns row by row.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, BooleanBuilder, Float64Builder, Int64Builder, StringViewBuilder};

use crate::schema::{ColumnType, TableSpec};

/// A value of a row.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cell<'a> {
    Null,
    Integer(i64),
    Real(f64),
    Text(&'a str),
    Boolean(bool),
}

impl<'a> Cell<'a> {
    /// Text, or NULL if it is empty.
    pub(crate) fn known(text: &'a str) -> Self {
        if text.is_empty() { Self::Null } else { Self::Text(text) }
    }

    /// A number of a thing in the recording.
    pub(crate) fn number(number: u32) -> Self {
        Self::Integer(i64::from(number))
    }
}

impl From<i64> for Cell<'_> {
    fn from(value: i64) -> Self {
        Self::Integer(value)
    }
}

impl From<bool> for Cell<'_> {
    fn from(value: bool) -> Self {
        Self::Boolean(value)
    }
}

impl From<f64> for Cell<'_> {
    fn from(value: f64) -> Self {
        Self::Real(value)
    }
}

impl<'a> From<&'a str> for Cell<'a> {
    fn from(value: &'a str) -> Self {
        Self::Text(value)
    }
}

impl<'a, T: Into<Cell<'a>>> From<Option<T>> for Cell<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

#[derive(Debug)]
enum Builder {
    Integer(Int64Builder),
    Real(Float64Builder),
    Text(StringViewBuilder),
    Boolean(BooleanBuilder),
}

/// Columns that grow by rows.
#[derive(Debug)]
pub(crate) struct Columns {
    builders: Vec<Builder>,
    rows: usize,
}

impl Columns {
    /// The columns of a table, with `recording_id`.
    pub(crate) fn new(table: &TableSpec) -> Self {
        let builder = |kind| match kind {
            ColumnType::Integer => Builder::Integer(Int64Builder::new()),
            ColumnType::Real => Builder::Real(Float64Builder::new()),
            ColumnType::Text => Builder::Text(StringViewBuilder::new().with_deduplicate_strings()),
            ColumnType::Boolean => Builder::Boolean(BooleanBuilder::new()),
        };
        Self { builders: table.all_columns().map(|column| builder(column.kind)).collect(), rows: 0 }
    }

    /// Adds a row; panics if it does not fit the table, which is a mistake in the program.
    pub(crate) fn push(&mut self, cells: &[Cell<'_>]) {
        assert_eq!(cells.len(), self.builders.len(), "a value per column");
        for (builder, cell) in self.builders.iter_mut().zip(cells) {
            match (builder, cell) {
                (Builder::Integer(builder), Cell::Integer(value)) => builder.append_value(*value),
                (Builder::Integer(builder), Cell::Null) => builder.append_null(),
                (Builder::Real(builder), Cell::Real(value)) => builder.append_value(*value),
                (Builder::Real(builder), Cell::Null) => builder.append_null(),
                (Builder::Text(builder), Cell::Text(value)) => builder.append_value(value),
                (Builder::Text(builder), Cell::Null) => builder.append_null(),
                (Builder::Boolean(builder), Cell::Boolean(value)) => builder.append_value(*value),
                (Builder::Boolean(builder), Cell::Null) => builder.append_null(),
                (builder, cell) => unreachable!("{cell:?} in {builder:?}"),
            }
        }
        self.rows += 1;
    }

    /// Number of rows.
    pub(crate) const fn rows(&self) -> usize {
        self.rows
    }

    /// The columns.
    pub(crate) fn finish(self) -> Vec<ArrayRef> {
        let array = |builder| -> ArrayRef {
            match builder {
                Builder::Integer(mut builder) => Arc::new(builder.finish()),
                Builder::Real(mut builder) => Arc::new(builder.finish()),
                Builder::Text(mut builder) => Arc::new(builder.finish()),
                Builder::Boolean(mut builder) => Arc::new(builder.finish()),
            }
        };
        self.builders.into_iter().map(array).collect()
    }
}
