//! Members of trace events outside the payload: ids, CPU times, colors and others.
//!
//! Only inputs whose payload is one member of an event have them (see [`Source::with_member`]). If two events form a
//! slice, its payload offset points to the end event, and the begin event is a supplement.

use std::collections::HashMap;

use crate::{EVENT_PLACES, LocalMarker, OWN_EVENT, PayloadRef, Profile, Source, ThreadId};
use flowline_format::{Ns, Unit, parse_decimal};
use flowline_json::{Cursor, Kind, Value, decode_value};

/// The events of a marker: the first one, and the end event if it is separate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Events {
    pub(super) first: PayloadRef,
    pub(super) end: Option<PayloadRef>,
}

impl Profile {
    /// The events of a marker; `None` if the input format has no events.
    pub(super) fn events_of(&self, thread: ThreadId, marker: LocalMarker) -> Option<Events> {
        self.source.member()?;
        let markers = &self.thread(thread).markers;
        let own = (marker.index() < markers.len()).then(|| markers.payload(marker))?;
        Some(match markers.begin(marker) {
            Some(begin) => Events { first: begin, end: Some(own) },
            None => Events { first: own, end: None },
        })
    }

    /// Members of a marker's event outside its payload, in source order. They are followed by the members of the end
    /// event that differ, named like `ts (end)`. Empty if the input format has no events.
    #[must_use]
    pub fn event_members(&self, thread: ThreadId, marker: LocalMarker) -> Vec<(String, Value)> {
        let Some(events) = self.events_of(thread, marker) else { return Vec::new() };
        let mut members = members_at(&self.source, events.first);
        let end = events.end.map(|end| members_at(&self.source, end)).unwrap_or_default();
        let known: HashMap<&str, &Value> = members.iter().map(|(key, value)| (key.as_str(), value)).collect();
        let differs = |(key, value): &(String, Value)| known.get(key.as_str()).is_none_or(|same| *same != value);
        let added: Vec<(String, Value)> = end.into_iter().filter(differs).collect();
        members.extend(added.into_iter().map(|(key, value)| (format!("{key} (end)"), value)));
        members
    }

    /// CPU time of a slice, if recorded (`tdur`, or the difference of two `tts`).
    #[must_use]
    pub fn cpu_time(&self, thread: ThreadId, marker: LocalMarker) -> Option<Ns> {
        let events = self.events_of(thread, marker)?;
        let time = match events.end {
            None => micros_at(&self.source, events.first, "tdur")?,
            Some(end) => micros_at(&self.source, end, "tts")? - micros_at(&self.source, events.first, "tts")?,
        };
        (time >= Ns(0)).then_some(time)
    }
}

/// Calls `each` for every key of the object at `place`, with the cursor before the value. `each` must consume the
/// value.
fn visit(
    source: &Source,
    place: PayloadRef,
    mut each: impl FnMut(&[u8], &mut Cursor<'_>) -> Result<(), flowline_json::JsonError>,
) {
    let Some(object) = place.offset().and_then(|_| source.object_at(place.0)) else { return };
    let mut cursor = object.cursor();
    if cursor.enter_object().is_err() {
        return;
    }
    // Members before damaged text are still used.
    while let Ok(Some(key)) = cursor.next_key() {
        if each(key.bytes, &mut cursor).is_err() {
            return;
        }
    }
}

/// The members of the event at `place`, without its payload.
pub(super) fn members_at(source: &Source, place: PayloadRef) -> Vec<(String, Value)> {
    let payload = source.member().unwrap_or_default().as_bytes();
    let mut members = Vec::new();
    visit(source, place, |key, cursor| {
        if key == payload {
            return cursor.skip_value();
        }
        let key = flowline_json::RawString { bytes: key, offset: 0 }.decode();
        members.push((key, decode_value(cursor)?));
        Ok(())
    });
    members
}

/// A time in microseconds (number or string) from the members of the event at `place`.
fn micros_at(source: &Source, place: PayloadRef, wanted: &str) -> Option<Ns> {
    if let (Some(events), Some(place)) = (source.events(), place.0.checked_sub(EVENT_PLACES))
        && place & OWN_EVENT != 0
    {
        let time = if wanted == "tdur" { events.cpu_duration_at(place) } else { events.cpu_time_at(place) };
        return time.map(Ns);
    }
    let mut found = None;
    visit(source, place, |key, cursor| {
        if key != wanted.as_bytes() {
            return cursor.skip_value();
        }
        found = match cursor.peek()? {
            Kind::Number => parse_decimal(cursor.scalar()?, Unit::Micros),
            Kind::String => parse_decimal(cursor.string()?.decode().trim().as_bytes(), Unit::Micros),
            _ => return cursor.skip_value(),
        };
        Ok(())
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CategoryId, Marker, MarkerFlags, MarkerTable, StringId, Thread};

    /// A recording with one slice made of one or two events.
    fn slice_of(begin: Option<&str>, event: &str) -> Profile {
        let text = format!("{}\n{event}", begin.unwrap_or_default());
        let own = PayloadRef((text.len() - event.len()) as u64);
        let marker = Marker {
            start: Ns(0),
            end: Ns(9),
            name: StringId::default(),
            category: CategoryId::default(),
            kind: None,
            flags: MarkerFlags::STACK_BASED,
            payload: own,
            begin: begin.map_or(PayloadRef::NONE, |_| PayloadRef(0)),
            supplement: None,
        };
        let thread = Thread { markers: MarkerTable::build(vec![marker]), ..Thread::default() };
        Profile { source: Source::new(text).with_member("args"), threads: vec![thread], ..Profile::default() }
    }

    fn members(profile: &Profile) -> Vec<(String, String)> {
        let members = profile.event_members(ThreadId(0), LocalMarker(0));
        members.into_iter().map(|(key, value)| (key, value.display_js())).collect()
    }

    fn cpu_time(begin: Option<&str>, event: &str) -> Option<i64> {
        slice_of(begin, event).cpu_time(ThreadId(0), LocalMarker(0)).map(|time| time.0)
    }

    fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn event_members_exclude_the_payload() {
        let profile = slice_of(None, r#"{"ph":"X","args":{"a":1},"id":"0x7","odd\u0021":[1,2]}"#);
        assert_eq!(members(&profile), pairs(&[("ph", "X"), ("id", "0x7"), ("odd!", "1,2")]));
        let begin = r#"{"ph":"B","pid":1,"ts":5,"args":{}}"#;
        let profile = slice_of(Some(begin), r#"{"ph":"E","pid":1,"ts":9,"cut":"#);
        assert_eq!(
            members(&profile),
            pairs(&[("ph", "B"), ("pid", "1"), ("ts", "5"), ("ph (end)", "E"), ("ts (end)", "9")])
        );
        let payloads = Profile { source: Source::new(r#"{"ph":"X"}"#), ..profile };
        assert_eq!(members(&payloads), [], "an input without events");
    }

    #[test]
    fn cpu_time_is_exact() {
        assert_eq!(cpu_time(None, r#"{"tts":3,"tdur":1.001}"#), Some(1_001));
        assert_eq!(cpu_time(None, r#"{"tdur":" 12.5 "}"#), Some(12_500));
        assert_eq!(cpu_time(Some(r#"{"tts":1000000000000.001}"#), r#"{"tts":1000000000002}"#), Some(1_999));
        for unknown in [r#"{"tts":3}"#, r#"{"tdur":null}"#, r#"{"tdur":-1}"#, r#"{"tdur":"x"}"#, "{\"tdur\":"] {
            assert_eq!(cpu_time(None, unknown), None, "{unknown}");
        }
        assert_eq!(cpu_time(Some(r#"{"tts":5}"#), r#"{"tts":4}"#), None);
    }
}
