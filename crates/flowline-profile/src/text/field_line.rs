//! A line of a marker's details.

/// One line of a marker's details.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldLine {
    /// Payload key.
    pub key: String,
    /// Display name.
    pub label: String,
    /// Formatted value.
    pub value: String,
}

impl FieldLine {
    pub(super) fn new(key: &str, label: &str, value: String) -> Self {
        Self { key: key.to_owned(), label: label.to_owned(), value }
    }
}
