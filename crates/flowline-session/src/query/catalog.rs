//! The tables and functions of a query engine.

use super::result_column::ColumnType;
use flowline_json::Value;
use flowline_profile::Profile;

/// Everything that a query can name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Catalog {
    /// The tables in the order of the engine.
    pub tables: Vec<CatalogTable>,
    /// The functions besides those of standard SQL.
    pub functions: Vec<CatalogFunction>,
    /// The recording, if the engine states it.
    pub recording: Option<EngineRecording>,
}

/// The recording that the engine has opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineRecording {
    /// Number of slices.
    pub slices: i64,
    /// Start in nanoseconds on the clock of the recording.
    pub start: i64,
    /// Duration in nanoseconds.
    pub duration: i64,
}

/// A table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CatalogTable {
    /// Name in SQL.
    pub name: String,
    /// One sentence.
    pub description: String,
    /// Its columns in order.
    pub columns: Vec<CatalogColumn>,
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogColumn {
    /// Name in SQL.
    pub name: String,
    /// Type of its values.
    pub kind: ColumnType,
    /// One sentence.
    pub description: String,
}

/// A function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CatalogFunction {
    /// Name in SQL.
    pub name: String,
    /// Name with its parameters.
    pub signature: String,
    /// One sentence.
    pub description: String,
}

/// A string member; empty if it is missing.
fn text(value: &Value, key: &str) -> String {
    value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    match value.get(key) {
        Some(Value::List(items)) => items,
        _ => &[],
    }
}

impl Catalog {
    /// True if a profile has the same slices as the engine's recording, with the same numbers. Until a large recording is
    /// loaded, the chart shows its beginning, in which slices have other numbers.
    #[must_use]
    pub fn describes(&self, profile: &Profile) -> bool {
        self.recording.is_none_or(|own| {
            let range = profile.meta.range;
            let slices = i64::try_from(profile.marker_count()).unwrap_or(i64::MAX);
            (own.slices, own.start, own.duration) == (slices, range.start.0, range.len())
        })
    }

    /// Reads the catalog. Items without a name are skipped.
    pub(super) fn read(value: &Value) -> Self {
        let column = |value: &Value| CatalogColumn {
            name: text(value, "name"),
            kind: ColumnType::of_word(&text(value, "type")),
            description: text(value, "description"),
        };
        let table = |value: &Value| CatalogTable {
            name: text(value, "name"),
            description: text(value, "description"),
            columns: list(value, "columns").iter().map(column).filter(|column| !column.name.is_empty()).collect(),
        };
        let function = |value: &Value| CatalogFunction {
            name: text(value, "name"),
            signature: text(value, "signature"),
            description: text(value, "description"),
        };
        let integer = |key: &str| value.get("recording")?.get(key).and_then(Value::as_i64);
        let recording = || {
            let (slices, start, duration) = (integer("slices")?, integer("start_ns")?, integer("duration_ns")?);
            Some(EngineRecording { slices, start, duration })
        };
        Self {
            recording: recording(),
            tables: list(value, "tables").iter().map(table).filter(|table| !table.name.is_empty()).collect(),
            functions: list(value, "functions").iter().map(function).filter(|found| !found.name.is_empty()).collect(),
        }
    }
}
