//! A column of a batch of result rows.

use flowline_json::{Cursor, JsonError, Kind, Problem};

/// Type of the values of a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColumnType {
    /// 64-bit integers.
    Integer,
    /// Floating-point numbers.
    Real,
    /// Text.
    #[default]
    Text,
    /// True or false.
    Boolean,
}

impl ColumnType {
    /// The type with a name of the protocol; unknown ones are text.
    pub(super) fn of_word(word: &str) -> Self {
        match word {
            "integer" => Self::Integer,
            "real" => Self::Real,
            "boolean" => Self::Boolean,
            _ => Self::Text,
        }
    }

    /// True for numbers.
    #[must_use]
    pub const fn is_number(self) -> bool {
        matches!(self, Self::Integer | Self::Real)
    }
}

/// Name and type of a column of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultColumn {
    /// Its name. Names of a result may be equal.
    pub name: String,
    /// Type of its values.
    pub kind: ColumnType,
}

/// A value of a result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Field<'a> {
    /// No value.
    Null,
    /// An integer.
    Integer(i64),
    /// A floating-point number.
    Real(f64),
    /// Text.
    Text(&'a str),
    /// True or false.
    Boolean(bool),
}

impl Field<'_> {
    /// The value of an integer.
    #[must_use]
    pub const fn integer(self) -> Option<i64> {
        match self {
            Self::Integer(value) => Some(value),
            _ => None,
        }
    }

    /// The value as text for programs; empty for NULL.
    #[must_use]
    pub fn plain(self) -> String {
        match self {
            Self::Null => String::new(),
            Self::Integer(value) => value.to_string(),
            Self::Real(value) => value.to_string(),
            Self::Text(text) => text.to_owned(),
            Self::Boolean(value) => value.to_string(),
        }
    }
}

/// The values, one for each row. A missing value has a placeholder.
#[derive(Clone, Debug, PartialEq)]
enum Values {
    Integer(Vec<i64>),
    Real(Vec<f64>),
    /// All texts one after the other, and the end of each.
    Text(String, Vec<usize>),
    Boolean(Vec<bool>),
}

/// The values of a column in a batch.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ColumnBatch {
    values: Values,
    /// True for each row without a value; empty if every row has one.
    missing: Vec<bool>,
}

impl ColumnBatch {
    fn new(kind: ColumnType) -> Self {
        let values = match kind {
            ColumnType::Integer => Values::Integer(Vec::new()),
            ColumnType::Real => Values::Real(Vec::new()),
            ColumnType::Text => Values::Text(String::new(), Vec::new()),
            ColumnType::Boolean => Values::Boolean(Vec::new()),
        };
        Self { values, missing: Vec::new() }
    }

    /// Number of rows.
    pub(super) const fn len(&self) -> usize {
        match &self.values {
            Values::Integer(values) => values.len(),
            Values::Real(values) => values.len(),
            Values::Text(_, ends) => ends.len(),
            Values::Boolean(values) => values.len(),
        }
    }

    /// Size in memory.
    pub(super) const fn bytes(&self) -> usize {
        let values = match &self.values {
            Values::Integer(values) => values.capacity() * 8,
            Values::Real(values) => values.capacity() * 8,
            Values::Text(text, ends) => text.capacity() + ends.capacity() * 8,
            Values::Boolean(values) => values.capacity(),
        };
        values + self.missing.capacity()
    }

    /// The value of a row; NULL beyond the last one.
    pub(super) fn get(&self, row: usize) -> Field<'_> {
        if row >= self.len() || self.missing.get(row).is_some_and(|missing| *missing) {
            return Field::Null;
        }
        match &self.values {
            Values::Integer(values) => Field::Integer(values[row]),
            Values::Real(values) => Field::Real(values[row]),
            Values::Boolean(values) => Field::Boolean(values[row]),
            Values::Text(text, ends) => {
                let start = row.checked_sub(1).map_or(0, |before| ends[before]);
                Field::Text(text.get(start..ends[row]).unwrap_or_default())
            }
        }
    }

    /// Drops all rows after the first ones.
    pub(super) fn truncate(&mut self, rows: usize) {
        match &mut self.values {
            Values::Integer(values) => values.truncate(rows),
            Values::Real(values) => values.truncate(rows),
            Values::Boolean(values) => values.truncate(rows),
            Values::Text(text, ends) => {
                ends.truncate(rows);
                text.truncate(ends.last().copied().unwrap_or(0));
            }
        }
        self.missing.truncate(rows);
    }

    fn push_null(&mut self) {
        self.missing.resize(self.len(), false);
        self.missing.push(true);
        match &mut self.values {
            Values::Integer(values) => values.push(0),
            Values::Real(values) => values.push(0.0),
            Values::Boolean(values) => values.push(false),
            Values::Text(text, ends) => ends.push(text.len()),
        }
    }

    /// Reads a JSON list of values.
    ///
    /// # Errors
    /// If the text is damaged, or a value does not have the type of the column.
    pub(super) fn read(cursor: &mut Cursor<'_>, kind: ColumnType) -> Result<Self, JsonError> {
        let mut column = Self::new(kind);
        cursor.enter_array()?;
        while cursor.next_element()? {
            if cursor.peek()? == Kind::Null {
                cursor.skip_value()?;
                column.push_null();
            } else {
                column.push(cursor)?;
            }
        }
        if !column.missing.is_empty() {
            column.missing.resize(column.len(), false);
        }
        Ok(column)
    }

    fn push(&mut self, cursor: &mut Cursor<'_>) -> Result<(), JsonError> {
        let (offset, kind) = (cursor.offset(), cursor.peek()?);
        let wrong = move || JsonError { offset, problem: Problem::WrongType(kind) };
        match &mut self.values {
            Values::Text(text, ends) => {
                text.push_str(&cursor.string()?.decode());
                ends.push(text.len());
            }
            Values::Real(values) if kind == Kind::String => {
                let value = match cursor.string()?.decode().as_str() {
                    "NaN" => f64::NAN,
                    "inf" => f64::INFINITY,
                    "-inf" => f64::NEG_INFINITY,
                    _ => return Err(wrong()),
                };
                values.push(value);
            }
            Values::Real(values) => values.push(number(cursor.scalar()?).ok_or_else(wrong)?),
            Values::Integer(values) => values.push(number(cursor.scalar()?).ok_or_else(wrong)?),
            Values::Boolean(values) => values.push(match cursor.scalar()? {
                b"true" => true,
                b"false" => false,
                _ => return Err(wrong()),
            }),
        }
        Ok(())
    }
}

fn number<T: std::str::FromStr>(text: &[u8]) -> Option<T> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, kind: ColumnType) -> Option<Vec<String>> {
        let column = ColumnBatch::read(&mut Cursor::at(text.as_bytes(), 0), kind).ok()?;
        Some((0..column.len()).map(|row| format!("{:?}", column.get(row))).collect())
    }

    #[test]
    fn values_keep_their_type_and_their_digits() {
        let integers = read("[9223372036854775807, null, -9223372036854775808]", ColumnType::Integer);
        let expected = ["Integer(9223372036854775807)", "Null", "Integer(-9223372036854775808)"];
        assert_eq!(integers.expect("integers"), expected);
        let reals = read(r#"[0.5, "NaN", "inf", "-inf", null, 1e308]"#, ColumnType::Real).expect("reals");
        assert_eq!(reals[..5], ["Real(0.5)", "Real(NaN)", "Real(inf)", "Real(-inf)", "Null"]);
        let texts = read(r#"["a\n", null, "", "é"]"#, ColumnType::Text);
        assert_eq!(texts.expect("texts"), ["Text(\"a\\n\")", "Null", "Text(\"\")", "Text(\"é\")"]);
        assert_eq!(read("[true,false,null]", ColumnType::Boolean).expect("booleans").len(), 3);
        for (text, kind) in [
            ("[9223372036854775808]", ColumnType::Integer),
            ("[0.5]", ColumnType::Integer),
            (r#"["1"]"#, ColumnType::Integer),
            (r#"["one"]"#, ColumnType::Real),
            ("[1]", ColumnType::Text),
            ("[1]", ColumnType::Boolean),
            ("[1", ColumnType::Integer),
            ("7", ColumnType::Integer),
        ] {
            assert_eq!(read(text, kind), None, "{text}");
        }
    }

    #[test]
    fn rows_can_be_dropped_from_the_end() {
        for (text, kind) in [(r#"["ab", null, "c"]"#, ColumnType::Text), ("[1, null, 2]", ColumnType::Integer)] {
            let mut column = ColumnBatch::read(&mut Cursor::at(text.as_bytes(), 0), kind).expect("a column");
            column.truncate(2);
            assert_eq!((column.len(), column.get(1), column.get(2)), (2, Field::Null, Field::Null));
        }
    }
}
