//! State of tables as JSON values: helpers that write and read it.
//!
//! Unreadable values are skipped: the reader gets `None`, and the state stays unchanged.

use crate::widgets::table::Widths;
use flowline_profile::Value;

/// Enum values and their names in files.
pub(crate) type Words<T> = &'static [(T, &'static str)];

/// The file name of a value, if it has one.
pub(crate) fn word<T: PartialEq>(words: Words<T>, choice: &T) -> Option<Value> {
    words.iter().find(|(known, _)| known == choice).map(|(_, word)| text(word))
}

/// The value with a given file name.
pub(crate) fn choice<T: Copy>(words: Words<T>, value: Option<&Value>) -> Option<T> {
    let wanted = value?.as_str()?;
    words.iter().find(|(_, word)| *word == wanted).map(|(known, _)| *known)
}

/// A string value.
pub(crate) fn text(text: &str) -> Value {
    Value::String(text.to_owned())
}

/// The members of an object, added one by one. Default values are omitted.
#[derive(Debug, Default)]
pub(crate) struct Members(Vec<(String, Value)>);

impl Members {
    /// Adds a member unless it is `None`.
    pub(crate) fn add(&mut self, key: &str, value: impl Into<Option<Value>>) {
        self.0.extend(value.into().map(|value| (key.to_owned(), value)));
    }

    /// Adds a flag if it is on.
    pub(crate) fn flag(&mut self, key: &str, on: bool) {
        self.add(key, on.then_some(Value::Bool(true)));
    }

    /// Adds a string unless it is empty.
    pub(crate) fn text(&mut self, key: &str, content: &str) {
        self.add(key, (!content.is_empty()).then(|| text(content)));
    }

    /// Adds a list unless it is empty.
    pub(crate) fn list(&mut self, key: &str, items: Vec<Value>) {
        self.add(key, (!items.is_empty()).then_some(Value::List(items)));
    }

    /// The finished object.
    pub(crate) fn object(self) -> Value {
        Value::Object(self.0)
    }
}

/// The items of a list; empty for other values.
pub(crate) fn items(value: Option<&Value>) -> &[Value] {
    match value {
        Some(Value::List(items)) => items,
        _ => &[],
    }
}

/// True if a flag is present and on.
pub(crate) fn is_on(value: &Value, key: &str) -> bool {
    value.get(key) == Some(&Value::Bool(true))
}

/// A flag; `None` if it is missing.
pub(crate) fn flag(value: &Value, key: &str) -> Option<bool> {
    match value.get(key)? {
        Value::Bool(on) => Some(*on),
        _ => None,
    }
}

/// A string; empty if it is missing.
pub(crate) fn string<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Columns as a list of their titles.
pub(crate) fn columns<T: Copy>(columns: &[T], title: impl Fn(T) -> &'static str) -> Value {
    Value::List(columns.iter().map(|column| text(title(*column))).collect())
}

/// The columns with the listed titles, in the order of `all`; `None` if there are none.
pub(crate) fn read_columns<T: Copy>(
    value: Option<&Value>,
    all: &[T],
    title: impl Fn(T) -> &'static str,
) -> Option<Vec<T>> {
    let titles = items(value);
    let is_shown = |column: &T| titles.iter().any(|wanted| wanted.as_str() == Some(title(*column)));
    let shown: Vec<T> = all.iter().copied().filter(is_shown).collect();
    (!shown.is_empty()).then_some(shown)
}

/// A sort order: the title of a column, and true if it descends.
pub(crate) fn sort(title: &str, descending: bool) -> Value {
    Value::List(vec![text(title), Value::Bool(descending)])
}

/// Reads a sort order.
pub(crate) fn read_sort<T: Copy>(
    value: Option<&Value>,
    all: &[T],
    title: impl Fn(T) -> &'static str,
) -> Option<(T, bool)> {
    let [wanted, Value::Bool(descending)] = items(value) else { return None };
    let column = all.iter().find(|column| wanted.as_str() == Some(title(**column)))?;
    Some((*column, *descending))
}

/// Column widths set by the user, keyed by column title.
pub(crate) fn widths(chosen: &Widths) -> Option<Value> {
    let members: Vec<(String, Value)> =
        chosen.chosen().map(|(title, width)| (title.to_owned(), Value::Number(f64::from(width)))).collect();
    (!members.is_empty()).then_some(Value::Object(members))
}

/// Reads column widths.
pub(crate) fn read_widths(value: &Value) -> Widths {
    let mut widths = Widths::default();
    if let Some(Value::Object(members)) = value.get("widths") {
        for (title, width) in members {
            #[expect(clippy::cast_possible_truncation, reason = "points on a screen")]
            width.as_f64().into_iter().for_each(|width| widths.set(title, width as f32));
        }
    }
    widths
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: Words<u8> = &[(1, "one"), (2, "two")];

    #[test]
    fn values_round_trip_and_invalid_ones_are_skipped() {
        assert_eq!(choice(WORDS, word(WORDS, &2).as_ref()), Some(2));
        assert_eq!((word(WORDS, &3), choice(WORDS, Some(&text("three"))), choice(WORDS, None)), (None, None, None));
        let title = |column: u8| WORDS[usize::from(column) - 1].1;
        let written = columns(&[2, 1], title);
        assert_eq!(read_columns(Some(&written), &[1, 2], title), Some(vec![1, 2]), "in the order of all columns");
        assert_eq!(read_columns(Some(&Value::Null), &[1, 2], title), None);
        assert_eq!(read_sort(Some(&sort("two", true)), &[1, 2], title), Some((2, true)));
        assert_eq!(read_sort(Some(&Value::List(vec![text("two")])), &[1, 2], title), None);
        let mut members = Members::default();
        members.flag("a", false);
        members.text("c", "");
        assert_eq!(members.object(), Value::Object(Vec::new()));
    }
}
