//! `flowline dump customtracks`: one line per entry of a custom track, in start order.

use serde_json::{Value, json};

use crate::tracks::DumpLine;
use flowline_index::Index;
use flowline_index::custom_tracks::CustomEntry;
use flowline_profile::Value as Payload;

/// The entries with their markers.
pub(super) fn entries(index: &Index) -> impl Iterator<Item = DumpLine> + '_ {
    let (profile, custom) = (index.profile(), index.custom_tracks());
    (0_u32..).zip(custom.entries()).filter_map(|(number, entry)| {
        let (thread, _) = profile.locate(entry.marker)?;
        let row = custom.place(number).and_then(|(track, row)| {
            let part = custom.tracks().get(track)?.parts.iter().rfind(|part| part.first_row <= row)?;
            Some(row - part.first_row)
        });
        let (process, data) = (profile.process_of(thread), profile.thread(thread));
        let json = line(entry, row, (&process.pid, &data.tid));
        Some(DumpLine { markers: vec![entry.marker], json })
    })
}

/// Returns a text, or null if it is empty.
fn known(text: &str) -> Value {
    if text.is_empty() { Value::Null } else { text.into() }
}

/// Converts a value of the recording. Numbers that JSON cannot represent become null.
fn json_of(value: &Payload) -> Value {
    let mut text = String::new();
    value.to_json(&mut text);
    serde_json::from_str(&text).unwrap_or(Value::Null)
}

fn line(entry: &CustomEntry, row: Option<usize>, (pid, tid): (&str, &str)) -> Value {
    let pair = |(name, value): &(String, Payload)| json!([name, json_of(value)]);
    json!({
        "kind": entry.kind.name(),
        "name": entry.name,
        "group": known(&entry.group),
        "track": known(&entry.track),
        "row": row,
        "start_ns": entry.start.0,
        "end_ns": entry.end.map(|end| end.0),
        "color": entry.color,
        "shown_color": entry.color_word(),
        "tooltip": entry.tooltip,
        "properties": entry.properties.iter().map(pair).collect::<Vec<_>>(),
        "detail": json_of(&entry.detail),
        "origin": entry.origin.name(),
        "marker": entry.marker.0,
        "pid": pid,
        "tid": tid,
    })
}
