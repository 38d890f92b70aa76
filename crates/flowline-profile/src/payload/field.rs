//! A field of a marker schema.

use crate::persist::persist;
use crate::text::Format;

/// One field of a payload.
#[derive(Clone, Debug)]
pub struct Field {
    /// Key in the payload.
    pub key: String,
    /// Display name; the key if the schema has none.
    pub label: String,
    /// Format of the values.
    pub format: Format,
    /// Hidden from tooltips and search.
    pub hidden: bool,
    /// Key of the field that is the whole of which the value is a part.
    pub percentage_divisor: Option<String>,
}
persist!(Field { key, label, format, hidden, percentage_divisor });
