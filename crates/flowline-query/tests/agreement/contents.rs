//! The lines of `flowline dump` of a recording.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::support::{flowline, lines};

/// The lines of `dump`, by subject.
pub(crate) struct Contents {
    pub(crate) threads: Vec<Value>,
    pub(crate) markers: Vec<Value>,
    pub(crate) flows: Vec<Value>,
    pub(crate) counters: Vec<Value>,
    pub(crate) samples: Vec<Value>,
    pub(crate) network: Vec<Value>,
    pub(crate) milestones: Vec<Value>,
    pub(crate) insights: Vec<Value>,
    /// Positions of markers by number.
    by_number: HashMap<i64, usize>,
}

impl Contents {
    /// Reads a recording.
    pub(crate) fn read(recording: &str) -> Self {
        let dump = |what: &[&str]| lines(&flowline(), &[&["dump", recording], what].concat());
        let markers = dump(&["markers"]);
        let by_number = markers.iter().enumerate().map(|(at, marker)| (integer(&marker["marker"]), at)).collect();
        Self {
            threads: dump(&["threads"]),
            markers,
            flows: dump(&["flows"]),
            counters: dump(&["counters"]),
            samples: dump(&["samples", "--each"]),
            network: dump(&["network"]),
            milestones: dump(&["milestones"]),
            insights: dump(&["insights"]),
            by_number,
        }
    }

    /// A marker by its number.
    pub(crate) fn marker(&self, number: &Value) -> &Value {
        &self.markers[self.by_number[&integer(number)]]
    }
}

/// An integer of `dump`.
pub(crate) fn integer(value: &Value) -> i64 {
    value.as_i64().unwrap_or_else(|| panic!("{value} is not an integer"))
}

/// The duration of a marker: 0 for an instant, null while unfinished.
pub(crate) fn duration(marker: &Value) -> Value {
    if marker["incomplete"] == true {
        return Value::Null;
    }
    match marker["end_ns"].as_i64() {
        Some(end) => json!(end - integer(&marker["start_ns"])),
        None => json!(0),
    }
}

/// The text of a value.
pub(crate) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is not a text")).to_owned()
}

/// A number of the operating system, or null if the text is not one.
pub(crate) fn id_number(value: &Value) -> Value {
    value.as_str().and_then(|text| text.parse::<i64>().ok()).map_or(Value::Null, Value::from)
}

/// Flattens the arguments of a marker into keys and values.
pub(crate) fn flattened(data: &Value) -> Vec<(String, Value)> {
    fn walk(key: String, value: &Value, found: &mut Vec<(String, Value)>) {
        match value {
            Value::Object(members) if !members.is_empty() => {
                members.iter().for_each(|(name, value)| walk(format!("{key}.{name}"), value, found));
            }
            Value::Array(items) if !items.is_empty() => {
                items.iter().enumerate().for_each(|(at, value)| walk(format!("{key}[{at}]"), value, found));
            }
            value => found.push((key, value.clone())),
        }
    }
    let mut found = Vec::new();
    for (key, value) in data.as_object().into_iter().flatten() {
        walk(key.clone(), value, &mut found);
    }
    found
}
