//! `flowline dump annotations`: one line per note.

use std::io::Write;

use serde_json::{Map, Value, json};

use flowline_index::hidden::expanded;
use flowline_profile::Profile;
use flowline_profile::notes::{Entry, Note, NoteKind};

/// Writes notes in order; each hidden entry is a note.
pub(super) fn annotations(out: &mut impl Write, profile: &Profile, notes: &[Note]) -> std::io::Result<()> {
    for note in expanded(profile, notes) {
        writeln!(out, "{}", Value::Object(line(&note)))?;
    }
    Ok(())
}

fn line(note: &Note) -> Map<String, Value> {
    let mut line = Map::new();
    line.insert("kind".into(), note.kind.name().into());
    if note.kind.is_shown() {
        line.insert("label".into(), note.text.as_str().into());
    }
    match &note.kind {
        NoteKind::Label(entry)
        | NoteKind::Hidden(entry)
        | NoteKind::HiddenAround(entry, _)
        | NoteKind::Expandable(entry) => line.extend(members(entry)),
        NoteKind::Range(range) | NoteKind::Breadcrumb(range) => {
            line.insert("start_ns".into(), range.start.0.into());
            line.insert("end_ns".into(), range.end.0.into());
        }
        NoteKind::Link(from, to) => {
            line.insert("from".into(), Value::Object(members(from)));
            line.insert("to".into(), Value::Object(members(to)));
        }
        NoteKind::Bookmark(time) => _ = line.insert("start_ns".into(), time.0.into()),
    }
    line
}

/// Returns the name, times and key of an entry; null if unknown.
fn members(entry: &Entry) -> Map<String, Value> {
    let members = json!({
        "name": entry.times.is_some().then_some(&entry.name),
        "start_ns": entry.times.map(|times| times.start.0),
        "end_ns": entry.times.map(|times| times.end.0),
        "marker": entry.marker().map(|marker| marker.0),
        "key": entry.key,
    });
    if let Value::Object(members) = members { members } else { Map::new() }
}
