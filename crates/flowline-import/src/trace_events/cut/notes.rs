//! DevTools notes for a cut of a trace. Notes name events by their positions in the file, which differ in the cut.
//! Notes for removed events are omitted.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use flowline_json::{Cursor, Kind, decode_value};
use flowline_profile::{Value, trace_events};

/// The lists of notes, and the members of their items that name entries. Items of lists without members are names
/// themselves.
const NAMED: [(&str, &str, &[&str]); 4] = [
    ("annotations", "entryLabels", &["entry"]),
    ("annotations", "linksBetweenEntries", &["entryFrom", "entryTo"]),
    ("entriesModifications", "hiddenEntries", &[]),
    ("entriesModifications", "expandableEntries", &[]),
];

/// Returns the event position in a key: of an event, or of an entry that DevTools derived from one.
fn position(key: &str) -> Option<usize> {
    key.strip_prefix("r-").or_else(|| key.strip_prefix("s-"))?.parse().ok()
}

/// Returns the text range and the value of `modifications` in the metadata at the cursor. The last one wins.
pub(super) fn of_metadata(mut cursor: Cursor<'_>) -> Option<(Range<usize>, Value)> {
    let mut found = None;
    if cursor.peek() != Ok(Kind::Object) {
        return None;
    }
    cursor.enter_object().ok()?;
    while let Some(key) = cursor.next_key().ok()? {
        // `peek` skips the white space before the value.
        cursor.peek().ok()?;
        let from = cursor.offset();
        if key.bytes == b"modifications" {
            let value = decode_value(&mut cursor).ok()?;
            found = Some((from..cursor.offset(), value));
        } else {
            cursor.skip_value().ok()?;
        }
    }
    found
}

/// Returns `metadata.modifications` for a cut. `kept` contains the ascending offsets of its events; `first` is the
/// position of the first one.
pub(super) fn of_part(text: &[u8], modifications: &Value, kept: &[u64], first: usize) -> Value {
    let mut positions = BTreeSet::new();
    let mut left = vec![modifications];
    while let Some(value) = left.pop() {
        match value {
            Value::String(key) => positions.extend(position(key)),
            Value::List(items) => left.extend(items),
            Value::Object(members) => left.extend(members.iter().map(|(_, value)| value)),
            _ => {}
        }
    }
    let new: BTreeMap<usize, usize> = trace_events::places(text, positions.into_iter())
        .into_iter()
        .filter_map(|(position, place)| Some((position, first + kept.binary_search(&(place.start as u64)).ok()?)))
        .collect();
    let mut part = modifications.clone();
    for (group, list, members) in NAMED {
        let Some(Value::List(items)) = member(&mut part, group).and_then(|group| member(group, list)) else { continue };
        items.retain_mut(|item| match members {
            [] => rename(item, &new),
            members => members.iter().all(|name| member(item, name).is_none_or(|key| rename(key, &new))),
        });
    }
    part
}

fn member<'a>(value: &'a mut Value, name: &str) -> Option<&'a mut Value> {
    let Value::Object(members) = value else { return None };
    members.iter_mut().rfind(|(key, _)| key == name).map(|(_, value)| value)
}

/// Changes a key to the new position of its event; returns false if the cut does not contain the event. Frame keys are
/// removed, because frames are renumbered.
fn rename(key: &mut Value, new: &BTreeMap<usize, usize>) -> bool {
    let Value::String(text) = key else { return true };
    if text.starts_with("l-") {
        return false;
    }
    let Some(position) = position(text) else { return true };
    let Some(position) = new.get(&position) else { return false };
    text.replace_range(2.., &position.to_string());
    true
}

#[cfg(test)]
mod tests {
    use super::of_part;
    use flowline_json::{Cursor, decode_value};

    #[test]
    fn notes_follow_their_events_or_are_removed() {
        let text = br#"{"traceEvents": [{"a":0}, {"b":1}, {"c":2}, {"d":3}]}"#;
        let offset = |event: &[u8]| text.windows(event.len()).position(|part| part == event).expect("found") as u64;
        let kept = [offset(br#"{"b":1}"#), offset(br#"{"d":3}"#)];
        let read = |text: &str| decode_value(&mut Cursor::at(text.as_bytes(), 0)).expect("JSON");
        let whole = read(
            r#"{"entriesModifications": {"hiddenEntries": ["r-1", "r-2", "s-3", "p-1-2-3-4", "l-0"], "expandableEntries": 7},
                "annotations": {"entryLabels": [{"entry": "r-0", "label": "r-3"}, {"entry": "s-3", "label": "r-3"}, {}],
                "linksBetweenEntries": [{"entryFrom": "r-1", "entryTo": "r-3"}, {"entryFrom": "r-1", "entryTo": "r-9"}]}}"#,
        );
        let part = read(
            r#"{"entriesModifications": {"hiddenEntries": ["r-5", "s-6", "p-1-2-3-4"], "expandableEntries": 7},
                "annotations": {"entryLabels": [{"entry": "s-6", "label": "r-3"}, {}],
                "linksBetweenEntries": [{"entryFrom": "r-5", "entryTo": "r-6"}]}}"#,
        );
        assert_eq!(of_part(text, &whole, &kept, 5), part);
    }
}
