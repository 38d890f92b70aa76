//! Entries of time stamps: `console.timeStamp` with a track, or with a start or end, which may be the label of an
//! earlier stamp.

use std::collections::HashMap;

use rayon::prelude::*;

use super::read::{LocatedEntry, micros, parsed};
use super::{CustomEntry, EntryKind, Origin};
use flowline_profile::{MarkerId, Ns, Profile, Value};

/// Entries of all stamps of a recording, which must be in the order of time and then of the file.
pub(super) fn entries(profile: &Profile, stamps: &[(MarkerId, Ns, usize)]) -> Vec<LocatedEntry> {
    let data = |(marker, ..): &(MarkerId, Ns, usize)| {
        let (thread, local) = profile.locate(*marker)?;
        profile.payload_in(profile.thread(thread), local).get("data").cloned()
    };
    let read: Vec<Option<Value>> = stamps.par_iter().with_min_len(16).map(data).collect();
    let mut by_label: HashMap<String, (Ns, MarkerId)> = HashMap::new();
    let mut entries = Vec::new();
    for ((marker, time, place), data) in stamps.iter().zip(read) {
        let Some(data) = data.filter(|data| matches!(data, Value::Object(_))) else { continue };
        let text = |key: &str| data.get(key).filter(|value| !value.is_null()).map(Value::display_js);
        let name = text("name").or_else(|| text("message")).unwrap_or_default();
        by_label.insert(name.clone(), (*time, *marker));
        let track = text("track").unwrap_or_default();
        let given = |key: &str| data.get(key).filter(|value| !value.is_null());
        if track.is_empty() && !["start", "end"].into_iter().any(|key| given(key).is_some_and(Value::is_truthy)) {
            continue;
        }
        let time_at = |key: &str| {
            let value = given(key)?;
            let stamp = || by_label.get(&value.display_js()).map(|(time, marker)| (*time, Some(*marker)));
            micros(value).map(|time| (time, None)).or_else(stamp)
        };
        let places = ["start", "end"].map(time_at);
        let [start, end] = places.map(|place| place.map(|(time, _)| time));
        // An entry with an end needs a start.
        if end.is_some() && start.is_none() {
            continue;
        }
        let entry = CustomEntry {
            kind: if track.is_empty() { EntryKind::Timing } else { EntryKind::Track },
            origin: Origin::Stamp,
            marker: *marker,
            named_after: places.map(|place| place.and_then(|(_, stamp)| stamp)),
            name,
            track,
            group: text("trackGroup").unwrap_or_default(),
            start: start.unwrap_or(*time),
            end: Some(end.unwrap_or(*time)),
            color: text("color"),
            tooltip: None,
            properties: Vec::new(),
            detail: text("devtools").and_then(|text| parsed(&text)).unwrap_or(Value::Null),
        };
        entries.push((entry, *place));
    }
    entries
}
