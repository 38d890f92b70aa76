//! What a trace event says of itself beside its payload: ids, clocks, colours, and whatever else was written.
//!
//! For inputs whose markers are events with the payload as one member (see [`Source::with_member`]); for others there is
//! nothing to tell. A slice of two events has the place of its end, and its begin as a supplement.

use std::collections::HashMap;

use super::json::{Cursor, Kind, decode_value};
use super::payload::{PayloadRef, Source};
use super::time::{Unit, parse_decimal};
use super::{LocalMarker, Ns, Profile, ThreadId, Value};

/// The events that a marker was made of: the first, and the one that ends it if that is another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Events {
    pub(super) first: PayloadRef,
    pub(super) end: Option<PayloadRef>,
}

impl Profile {
    /// The events of a marker; `None` if the input has no events.
    pub(super) fn events_of(&self, thread: ThreadId, marker: LocalMarker) -> Option<Events> {
        self.source.member()?;
        let markers = &self.thread(thread).markers;
        let own = *markers.payload.get(marker.index())?;
        Some(match markers.begin(marker) {
            Some(begin) => Events { first: begin, end: Some(own) },
            None => Events { first: own, end: None },
        })
    }

    /// What a marker's event says beside its payload, in the order written; of a slice of two events what its end says
    /// otherwise follows, as `ts (end)`. Empty for inputs without events.
    #[must_use]
    pub fn event_members(&self, thread: ThreadId, marker: LocalMarker) -> Vec<(String, Value)> {
        let Some(events) = self.events_of(thread, marker) else { return Vec::new() };
        let mut members = members_at(&self.source, events.first);
        let end = events.end.map(|end| members_at(&self.source, end)).unwrap_or_default();
        let said: HashMap<&str, &Value> = members.iter().map(|(key, value)| (key.as_str(), value)).collect();
        let is_news = |(key, value): &(String, Value)| said.get(key.as_str()).is_none_or(|same| *same != value);
        let news: Vec<(String, Value)> = end.into_iter().filter(is_news).collect();
        members.extend(news.into_iter().map(|(key, value)| (format!("{key} (end)"), value)));
        members
    }

    /// How long a slice had a processor, if its events tell (`tdur`, or the difference of two `tts`).
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

/// Calls `each` with the keys of the object at a place, the cursor before their values; `each` consumes the value.
fn visit<'a>(
    source: &'a Source,
    place: PayloadRef,
    mut each: impl FnMut(&[u8], &mut Cursor<'a>) -> Result<(), super::json::JsonError>,
) {
    let Some(offset) = place.offset() else { return };
    let mut cursor = Cursor::at(source.bytes(), offset);
    if cursor.enter_object().is_err() {
        return;
    }
    // What comes before damage still counts.
    while let Ok(Some(key)) = cursor.next_key() {
        if each(key.bytes, &mut cursor).is_err() {
            return;
        }
    }
}

/// The members of the event at a place without its payload.
pub(super) fn members_at(source: &Source, place: PayloadRef) -> Vec<(String, Value)> {
    let payload = source.member().unwrap_or_default().as_bytes();
    let mut members = Vec::new();
    visit(source, place, |key, cursor| {
        if key == payload {
            return cursor.skip_value();
        }
        let key = super::json::RawString { bytes: key, offset: 0 }.decode();
        members.push((key, decode_value(cursor)?));
        Ok(())
    });
    members
}

/// A member of the event at a place that is a time in microseconds, as a number or as text.
fn micros_at(source: &Source, place: PayloadRef, wanted: &str) -> Option<Ns> {
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
    use crate::profile::{CategoryId, Marker, MarkerFlags, MarkerTable, StringId, Thread};

    /// A recording with one slice, of one event or of two.
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
    fn an_event_tells_all_but_its_payload() {
        let profile = slice_of(None, r#"{"ph":"X","args":{"a":1},"id":"0x7","odd\u0021":[1,2]}"#);
        assert_eq!(members(&profile), pairs(&[("ph", "X"), ("id", "0x7"), ("odd!", "1,2")]));
        let begin = r#"{"ph":"B","pid":1,"ts":5,"args":{}}"#;
        let profile = slice_of(Some(begin), r#"{"ph":"E","pid":1,"ts":9,"cut":"#);
        assert_eq!(
            members(&profile),
            pairs(&[("ph", "B"), ("pid", "1"), ("ts", "5"), ("ph (end)", "E"), ("ts (end)", "9")])
        );
        let payloads = Profile { source: Source::new(r#"{"ph":"X"}"#), ..profile };
        assert_eq!(members(&payloads), [], "no events, nothing to tell");
    }

    #[test]
    fn processor_time_is_exact() {
        assert_eq!(cpu_time(None, r#"{"tts":3,"tdur":1.001}"#), Some(1_001));
        assert_eq!(cpu_time(None, r#"{"tdur":" 12.5 "}"#), Some(12_500));
        assert_eq!(cpu_time(Some(r#"{"tts":1000000000000.001}"#), r#"{"tts":1000000000002}"#), Some(1_999));
        for unknown in [r#"{"tts":3}"#, r#"{"tdur":null}"#, r#"{"tdur":-1}"#, r#"{"tdur":"x"}"#, "{\"tdur\":"] {
            assert_eq!(cpu_time(None, unknown), None, "{unknown}");
        }
        assert_eq!(cpu_time(Some(r#"{"tts":5}"#), r#"{"tts":4}"#), None);
    }
}
