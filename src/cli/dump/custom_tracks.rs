//! `flowline dump customtracks`: one line per entry of a custom track.

use std::io::Write;

use serde_json::{Value, json};

use flowline_index::Index;
use flowline_index::custom_tracks::CustomEntry;
use flowline_index::search::Hits;
use flowline_profile::Value as Payload;

/// Writes the entries in start order; with a search, only entries whose markers match.
pub(super) fn entries(out: &mut impl Write, index: &Index, hits: Option<&Hits>) -> std::io::Result<()> {
    let (profile, custom) = (index.profile(), index.custom_tracks());
    for (number, entry) in (0_u32..).zip(custom.entries()) {
        let Some((thread, local)) = profile.locate(entry.marker) else { continue };
        if hits.is_some_and(|hits| !hits.contains(thread, local)) {
            continue;
        }
        let row = custom.place(number).and_then(|(track, row)| {
            let part = custom.tracks().get(track)?.parts.iter().rfind(|part| part.first_row <= row)?;
            Some(row - part.first_row)
        });
        let (process, data) = (profile.process_of(thread), profile.thread(thread));
        writeln!(out, "{}", line(entry, row, (&process.pid, &data.tid)))?;
    }
    Ok(())
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
