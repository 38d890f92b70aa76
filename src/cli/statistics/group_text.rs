//! Machine-readable groups of statistics: fields of JSON objects and CSV in a stable order.

use flowline_index::statistics::{Group, Key, KeyValue};
use flowline_profile::{Profile, TimeRange};

/// Returns a JSON string.
pub(super) fn json_text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Returns a number as JSON, or null. Integers keep all their digits.
pub(super) fn json_number(number: Option<impl std::fmt::Display>) -> String {
    number.map_or_else(|| "null".to_owned(), |number| number.to_string())
}

/// Returns the names and JSON values of a group's keys. Threads and processes have a number and a name.
pub(super) fn key_fields(profile: &Profile, keys: &[Key], values: &[KeyValue]) -> Vec<(String, String)> {
    let mut fields = Vec::new();
    for (key, value) in keys.iter().zip(values) {
        let name = key.name().to_owned();
        match value {
            KeyValue::Text(text) => fields.push((name, json_text(text))),
            KeyValue::Missing => fields.push((name, "null".to_owned())),
            KeyValue::Thread(id) => {
                fields.push((name.clone(), id.0.to_string()));
                fields.push((name + "_name", json_text(&profile.long_name(*id))));
            }
            KeyValue::Process(id) => {
                let pid = profile.processes.get(id.index()).map_or("", |process| &process.pid);
                fields.push((name, json_text(value.text(profile))));
                fields.push(("pid".to_owned(), json_text(pid)));
            }
        }
    }
    fields
}

/// Returns the names and JSON values of a group's numbers.
pub(super) fn number_fields(group: &Group, span: TimeRange) -> Vec<(&'static str, String)> {
    let lengths = group.lengths;
    let length = |of: fn(&flowline_index::statistics::DurationStatistics) -> u64| json_number(lengths.as_ref().map(of));
    vec![
        ("count", group.count.to_string()),
        ("timed", group.timed.to_string()),
        ("incomplete", group.incomplete.to_string()),
        ("total_ns", group.total.to_string()),
        ("self_ns", json_number(group.self_time)),
        ("cpu_ns", json_number(group.cpu)),
        ("mean_ns", json_number(group.mean)),
        ("stddev_ns", json_number(lengths.map(|lengths| lengths.deviation))),
        ("min_ns", length(|lengths| lengths.min)),
        ("p50_ns", length(|lengths| lengths.p50)),
        ("p90_ns", length(|lengths| lengths.p90)),
        ("p99_ns", length(|lengths| lengths.p99)),
        ("p999_ns", length(|lengths| lengths.p999)),
        ("max_ns", length(|lengths| lengths.max)),
        ("rate", json_number(group.rate(span))),
        ("covered_ns", json_number(group.covered)),
        // The former name of the same number, for existing scripts.
        ("busy_ns", json_number(group.covered)),
        ("longest_gap_ns", json_number(group.longest_gap)),
        ("first_ns", group.first.0.to_string()),
        ("last_ns", group.last.0.to_string()),
    ]
}

/// Returns a JSON object of fields.
pub(super) fn json_object(fields: impl IntoIterator<Item = (String, String)>) -> String {
    let fields = fields.into_iter().map(|(name, value)| format!("{}:{value}", json_text(&name)));
    format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
}

/// Converts a JSON value to a CSV field: strings without quotes, empty for null.
pub(super) fn plain(value: &str) -> String {
    match serde_json::from_str(value) {
        Ok(serde_json::Value::String(text)) => text,
        Ok(serde_json::Value::Null) => String::new(),
        _ => value.to_owned(),
    }
}

/// Returns the display text of a group's keys.
pub(super) fn key_texts(profile: &Profile, values: &[KeyValue]) -> Vec<String> {
    let text = |value: &KeyValue| match value {
        KeyValue::Missing => "–".to_owned(),
        KeyValue::Thread(id) => format!("{} ({})", profile.long_name(*id), id.0),
        KeyValue::Process(id) => {
            format!(
                "{} ({})",
                value.text(profile),
                profile.processes.get(id.index()).map_or("", |process| &process.pid)
            )
        }
        KeyValue::Text(text) => text.to_string(),
    };
    values.iter().map(text).collect()
}
