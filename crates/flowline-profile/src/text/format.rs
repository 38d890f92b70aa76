//! Formats of marker payload fields, and the text of a value in each format.
//!
//! A marker schema names one format per field. The format determines the unit of the raw number (durations and times
//! are in milliseconds, percentages are ratios) and its quantity. Numbers have the form that their quantity has everywhere: a field of the
//! format `seconds` is a duration and selects its unit by its size.
//!
//! A value may have a type that its format does not expect. In this case a numeric string is treated as its number, and
//! anything else is shown as JavaScript would print it. Nothing panics; a missing or empty text is shown as `(empty)`.

use crate::persist::persist;
use flowline_format::{
    Ns, format_time, write_bytes, write_duration_ms, write_fixed, write_integer, write_number, write_percent,
};
use flowline_json::Value;

const EMPTY: &str = "(empty)";

/// Conversion of a field's raw value to text; [`Format::name`] returns the names used in schemas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Format {
    /// Text that is a link.
    Url,
    /// Text that is a path.
    FilePath,
    /// Text that may be removed when a profile is shared.
    SanitizedString,
    /// Plain text.
    String,
    /// Index into the string table.
    UniqueString,
    /// String-table index of the id of a flow that the marker belongs to.
    FlowId,
    /// Like [`Format::FlowId`], but the flow ends here.
    TerminatingFlowId,
    /// Milliseconds, shown in a suitable unit.
    Duration,
    /// A point in time in milliseconds since the start of the recording.
    Time,
    /// A duration in milliseconds; the schema prefers seconds.
    Seconds,
    /// A duration in milliseconds.
    Milliseconds,
    /// A duration in microseconds.
    Microseconds,
    /// A duration in nanoseconds.
    Nanoseconds,
    /// Bytes, shown in a suitable unit.
    Bytes,
    /// A ratio: 0.5 is 50%.
    Percentage,
    /// A number without a fraction.
    Integer,
    /// A number with at most three decimals.
    Decimal,
    /// A hexadecimal integer.
    Hexadecimal,
    /// A process id.
    Pid,
    /// A thread id.
    Tid,
    /// Index of a stack in the stack table of the thread.
    Stack,
    /// A list of texts.
    List,
    /// A list of rows, each a list of cells.
    Table(Vec<TableColumn>),
    /// An unsupported format, by name; values are shown unchanged.
    Unknown(String),
}
persist!(enum Format {
    0 => Url, 1 => FilePath, 2 => SanitizedString, 3 => String, 4 => UniqueString, 5 => FlowId, 6 => TerminatingFlowId,
    7 => Duration, 8 => Time, 9 => Seconds, 10 => Milliseconds, 11 => Microseconds, 12 => Nanoseconds, 13 => Bytes,
    14 => Percentage, 15 => Integer, 16 => Decimal, 17 => Hexadecimal, 18 => Pid, 19 => Tid, 20 => List,
    21 => Table(columns), 22 => Unknown(name), 23 => Stack,
});

/// True if a key names an id: `channelId`, `innerWindowID`, `timer_id`, `CPU Id`, `pid`.
#[must_use]
pub fn is_id_key(key: &str) -> bool {
    let is_word = |start: &str| start.is_empty() || start.ends_with(['_', ' ', '-', '.']);
    let before = |end: &str| key.strip_suffix(end);
    let is_camel = |end: &str| before(end).is_some_and(|start| start.ends_with(|last: char| !last.is_uppercase()));
    matches!(key, "pid" | "tid" | "PID" | "TID")
        || is_camel("Id")
        || is_camel("ID")
        || ["id", "Id", "ID"].iter().any(|end| before(end).is_some_and(is_word))
}

/// One column of [`Format::Table`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableColumn {
    /// Heading; a table without any heading has no header row.
    pub label: Option<String>,
    /// Format of the column's cells.
    pub format: Format,
}
persist!(TableColumn { label, format });

impl TableColumn {
    fn heading(&self) -> Option<&str> {
        self.label.as_deref().filter(|label| !label.is_empty())
    }
}

/// Resolves string-table indexes.
pub trait StringLookup {
    /// The string at `index`, or `None` if the index is out of range.
    fn lookup(&self, index: u64) -> Option<String>;
}

/// Schema names of the formats without parameters.
const NAMES: [(&str, Format); 22] = [
    ("url", Format::Url),
    ("file-path", Format::FilePath),
    ("sanitized-string", Format::SanitizedString),
    ("string", Format::String),
    ("unique-string", Format::UniqueString),
    ("flow-id", Format::FlowId),
    ("terminating-flow-id", Format::TerminatingFlowId),
    ("duration", Format::Duration),
    ("time", Format::Time),
    ("seconds", Format::Seconds),
    ("milliseconds", Format::Milliseconds),
    ("microseconds", Format::Microseconds),
    ("nanoseconds", Format::Nanoseconds),
    ("bytes", Format::Bytes),
    ("percentage", Format::Percentage),
    ("integer", Format::Integer),
    ("decimal", Format::Decimal),
    ("hexadecimal", Format::Hexadecimal),
    ("pid", Format::Pid),
    ("tid", Format::Tid),
    ("stack", Format::Stack),
    ("list", Format::List),
];

impl Format {
    /// The format in which the value of a key is shown. An id is no amount, so its digits are not grouped, although schemas
    /// call it an integer: `None`.
    #[must_use]
    pub fn of_value<'a>(&'a self, key: &str) -> Option<&'a Self> {
        let is_amount = matches!(self, Self::Integer | Self::Decimal);
        (!is_amount || !is_id_key(key)).then_some(self)
    }

    /// The format that schemas call `name`. Tables have no name; use [`Format::from_value`].
    #[inline]
    pub fn from_name(name: &str) -> Format {
        let known = NAMES.into_iter().find(|(known, _)| *known == name);
        known.map_or_else(|| Format::Unknown(name.to_owned()), |(_, format)| format)
    }

    /// The format of a schema field: a name, or `{type: "table", columns: [{type?, label?}]}`.
    pub fn from_value(value: &Value) -> Format {
        let kind = value.get("type").and_then(Value::as_str);
        match (value, kind) {
            (Value::String(name), _) => Format::from_name(name),
            (_, Some("table")) => Format::Table(columns(value.get("columns"))),
            _ => Format::Unknown(kind.unwrap_or_default().to_owned()),
        }
    }

    /// The format's name in schemas.
    pub fn name(&self) -> &str {
        match self {
            Format::Table(_) => "table",
            Format::Unknown(name) => name,
            _ => NAMES.iter().find(|(_, format)| format == self).map_or("", |(name, _)| name),
        }
    }

    /// True if raw values are indexes into the string table.
    #[inline]
    pub fn is_string_index(&self) -> bool {
        matches!(self, Format::UniqueString | Format::FlowId | Format::TerminatingFlowId)
    }

    /// True if values are flow ids, including those of flows that end.
    #[inline]
    pub fn is_flow(&self) -> bool {
        matches!(self, Format::FlowId | Format::TerminatingFlowId)
    }

    /// True if values are ids of flows that end with the marker.
    #[inline]
    pub fn is_terminating_flow(&self) -> bool {
        matches!(self, Format::TerminatingFlowId)
    }

    /// True if values are quantities that can be compared; ids are not.
    pub fn is_numeric(&self) -> bool {
        match self {
            Format::Duration | Format::Time | Format::Bytes | Format::Percentage => true,
            Format::Seconds | Format::Milliseconds | Format::Microseconds | Format::Nanoseconds => true,
            Format::Integer | Format::Decimal | Format::Hexadecimal => true,
            Format::Url | Format::FilePath | Format::SanitizedString | Format::String => false,
            Format::UniqueString | Format::FlowId | Format::TerminatingFlowId => false,
            Format::Pid | Format::Tid | Format::Stack | Format::List => false,
            Format::Table(_) | Format::Unknown(_) => false,
        }
    }
}

/// The text of `value` in `format`.
#[inline]
pub fn format_value(format: &Format, value: &Value, strings: &dyn StringLookup) -> String {
    let mut out = String::new();
    write_value(&mut out, format, value, strings);
    out
}

/// Appends the result of [`format_value`]; labels are built this way without temporary strings.
pub fn write_value(out: &mut String, format: &Format, value: &Value, strings: &dyn StringLookup) {
    if value.is_null() {
        return out.push_str(EMPTY);
    }
    match format {
        Format::Url | Format::FilePath | Format::SanitizedString | Format::String => write_text(out, value),
        // Without the thread, the index is all that is known of a stack.
        Format::Stack | Format::Unknown(_) => value.write_js(out),
        Format::UniqueString | Format::FlowId | Format::TerminatingFlowId => match value {
            Value::List(items) => write_joined(out, items, |out, item| write_indexed(out, item, strings)),
            _ => write_indexed(out, value, strings),
        },
        Format::Pid => write_id(out, "PID: ", value),
        Format::Tid => write_id(out, "TID: ", value),
        Format::List => match value {
            Value::List(items) => write_joined(out, items, write_text),
            _ => write_text(out, value),
        },
        Format::Table(columns) => match value {
            Value::List(rows) => write_table(out, columns, rows, strings),
            _ => write_text(out, value),
        },
        Format::Hexadecimal => write_hexadecimal(out, value),
        Format::Integer | Format::Decimal if matches!(value, Value::Int(_)) => {
            write_integer(out, value.as_i64().unwrap_or(0))
        }
        _ => match number_of(value) {
            Some(number) => write_quantity(out, format, number),
            None => write_text(out, value),
        },
    }
}

/// Appends a number in one of the numeric formats.
fn write_quantity(out: &mut String, format: &Format, number: f64) {
    match format {
        Format::Time => write_time_ms(out, number),
        Format::Duration | Format::Seconds | Format::Milliseconds => write_duration_ms(out, number),
        Format::Microseconds => write_duration_ms(out, number / 1e3),
        Format::Nanoseconds => write_duration_ms(out, number / 1e6),
        Format::Bytes => write_bytes(out, number),
        Format::Percentage => write_percent(out, number),
        Format::Integer => write_fixed(out, number, 0),
        _ => write_number(out, number),
    }
}

/// Appends a point in time in milliseconds. A number that is no time of a recording is shown as a duration.
pub(super) fn write_time_ms(out: &mut String, ms: f64) {
    match Ns::from_ms(ms) {
        Some(time) => out.push_str(&format_time(time)),
        None => write_duration_ms(out, ms),
    }
}

/// Negative numbers are shown as two's complement in the narrower of 32 and 64 bits that fits, as in debuggers.
fn write_hexadecimal(out: &mut String, value: &Value) {
    let number = match value {
        Value::String(_) => number_of(value).and_then(|number| Value::Number(number).as_i64()),
        _ => value.as_i64(),
    };
    match number {
        Some(number) if (i64::from(i32::MIN)..0).contains(&number) => {
            let low = number.cast_unsigned() & u64::from(u32::MAX);
            out.push_str(&format!("{low:#x}"));
        }
        Some(number) => out.push_str(&format!("{number:#x}")),
        None => write_text(out, value),
    }
}

fn write_indexed(out: &mut String, value: &Value, strings: &dyn StringLookup) {
    match value {
        Value::Int(_) | Value::Uint(_) | Value::Number(_) => {
            // A number with a fraction is never an index.
            let index = value.as_i64().filter(|&index| value.as_f64() == Some(index as f64));
            let found = index.and_then(|index| u64::try_from(index).ok()).and_then(|index| strings.lookup(index));
            out.push_str(found.as_deref().unwrap_or(EMPTY));
        }
        _ => write_text(out, value),
    }
}

fn write_id(out: &mut String, kind: &str, value: &Value) {
    out.push_str(kind);
    value.write_js(out);
}

fn write_text(out: &mut String, value: &Value) {
    let start = out.len();
    if !value.is_null() {
        value.write_js(out);
    }
    if out.len() == start {
        out.push_str(EMPTY);
    }
}

/// Rows in parentheses, the header first. Rows of the wrong length show the cells that they have; surplus cells are
/// shown as text.
fn write_table(out: &mut String, columns: &[TableColumn], rows: &[Value], strings: &dyn StringLookup) {
    let mut first = true;
    if columns.iter().any(|column| column.heading().is_some()) {
        out.push('(');
        write_joined(out, columns, |out, column| out.push_str(column.heading().unwrap_or(EMPTY)));
        out.push(')');
        first = false;
    }
    for row in rows {
        if !first {
            out.push(',');
        }
        first = false;
        out.push('(');
        let cells = match row {
            Value::List(cells) => cells.as_slice(),
            single => std::slice::from_ref(single),
        };
        let mut formats = columns.iter().map(|column| &column.format);
        write_joined(out, cells, |out, cell| {
            write_value(out, formats.next().unwrap_or(&Format::String), cell, strings)
        });
        out.push(')');
    }
}

fn write_joined<T>(out: &mut String, items: &[T], mut write: impl FnMut(&mut String, &T)) {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        write(out, item);
    }
}

fn columns(value: Option<&Value>) -> Vec<TableColumn> {
    let Some(Value::List(columns)) = value else {
        return Vec::new();
    };
    let column = |value: &Value| TableColumn {
        label: value.get("label").and_then(Value::as_str).map(str::to_owned),
        format: value.get("type").filter(|kind| !kind.is_null()).map_or(Format::String, Format::from_value),
    };
    columns.iter().map(column).collect()
}

/// The number in a value or a numeric string. Words that Rust would parse, such as `inf`, are text here.
fn number_of(value: &Value) -> Option<f64> {
    match value {
        Value::String(text) => text.trim().parse().ok().filter(|number: &f64| number.is_finite()),
        _ => value.as_f64(),
    }
}

#[cfg(test)]
mod tests;
