//! The description of a table and its columns, from which schemas, documentation and completion are made.

use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnType {
    /// A 64-bit integer.
    Integer,
    /// A double.
    Real,
    /// UTF-8 text.
    Text,
    /// True or false.
    Boolean,
}

impl ColumnType {
    /// Name in the documentation and in the protocol.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Integer => "integer",
            Self::Real => "real",
            Self::Text => "text",
            Self::Boolean => "boolean",
        }
    }

    /// The Arrow type. Text shares the recording's strings, so it is a view.
    #[must_use]
    pub const fn arrow(self) -> DataType {
        match self {
            Self::Integer => DataType::Int64,
            Self::Real => DataType::Float64,
            Self::Text => DataType::Utf8View,
            Self::Boolean => DataType::Boolean,
        }
    }

    /// The type in which a column of a result is shown.
    #[must_use]
    pub fn of(data: &DataType) -> Self {
        match data {
            DataType::Boolean => Self::Boolean,
            data if data.is_integer() => Self::Integer,
            data if data.is_floating() => Self::Real,
            _ => Self::Text,
        }
    }
}

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub struct ColumnSpec {
    /// Name.
    pub name: &'static str,
    /// Type.
    pub kind: ColumnType,
    /// False if the value is never NULL.
    pub nullable: bool,
    /// Meaning, as a phrase.
    pub description: &'static str,
}

/// A table.
#[derive(Debug)]
pub struct TableSpec {
    /// Name.
    pub name: &'static str,
    /// Meaning, as a sentence.
    pub description: &'static str,
    /// Columns, after `recording_id`.
    pub columns: &'static [ColumnSpec],
}

/// The first column of every table.
pub const RECORDING_ID: ColumnSpec = ColumnSpec {
    name: "recording_id",
    kind: ColumnType::Text,
    nullable: false,
    description: "the recording: 16 hexadecimal digits derived from the contents of its file",
};

impl TableSpec {
    /// All columns.
    pub fn all_columns(&self) -> impl Iterator<Item = &ColumnSpec> {
        std::iter::once(&RECORDING_ID).chain(self.columns)
    }

    /// The Arrow schema.
    #[must_use]
    pub fn schema(&self) -> SchemaRef {
        let field = |column: &ColumnSpec| Field::new(column.name, column.kind.arrow(), column.nullable);
        Arc::new(Schema::new(self.all_columns().map(field).collect::<Vec<_>>()))
    }

    /// Position of a column; panics if the table has no such column.
    #[must_use]
    pub fn position(&self, name: &str) -> usize {
        self.all_columns().position(|column| column.name == name).expect("a column of the table")
    }
}
