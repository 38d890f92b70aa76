//! Events of a trace by their position in `traceEvents`, and the markers that were created from them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use rayon::prelude::*;

use flowline_json::{Cursor, decode_value};
use flowline_profile::{LocalMarker, MarkerId, Ns, PayloadRef, Profile, Unit, Value, parse_decimal, trace_events};

/// Events by position: the byte range of the event and the marker that was created from it.
#[derive(Debug, Default)]
pub(super) struct Events(BTreeMap<usize, (Range<usize>, Option<MarkerId>)>);

impl Events {
    /// Finds events at ascending positions. Positions beyond the end of the list are ignored.
    pub(super) fn find(profile: &Profile, positions: impl Iterator<Item = usize>) -> Self {
        let places = trace_events::places(profile.source.bytes(), positions);
        if places.is_empty() {
            return Self::default();
        }
        let markers = markers(profile, &places);
        let by_name = |range: &Range<usize>| marker_like(profile, range);
        let found = places.into_iter().zip(markers);
        Self(
            found
                .map(|((position, range), marker)| {
                    let marker = marker.or_else(|| by_name(&range));
                    (position, (range, marker))
                })
                .collect(),
        )
    }

    /// The marker of an event.
    pub(super) fn marker(&self, position: usize) -> Option<MarkerId> {
        self.0.get(&position)?.1
    }
}

/// For each of the ascending text ranges, the marker whose payload is inside it.
fn markers(profile: &Profile, places: &[(usize, Range<usize>)]) -> Vec<Option<MarkerId>> {
    let of = |payload: PayloadRef| {
        let offset = payload.offset()?;
        let at = places.partition_point(|(_, range)| range.end <= offset);
        places.get(at).filter(|(_, range)| range.contains(&offset)).map(|_| at)
    };
    let found: Vec<(usize, MarkerId)> = profile
        .threads
        .par_iter()
        .flat_map_iter(|thread| {
            let payloads = (0..).map(LocalMarker).zip(thread.markers.payloads());
            let own = payloads.chain(thread.markers.begins());
            own.filter_map(|(marker, payload)| Some((of(payload)?, thread.global(marker))))
        })
        .collect();
    let mut markers = vec![None; places.len()];
    for (at, marker) in found {
        // If one event has several markers, the first one is used.
        let known: &mut Option<MarkerId> = &mut markers[at];
        *known = Some(known.map_or(marker, |known| known.min(marker)));
    }
    markers
}

/// The marker of an event that begins a slice whose arguments are in another event. It has the same name and start.
fn marker_like(profile: &Profile, range: &Range<usize>) -> Option<MarkerId> {
    let event = decode_value(&mut Cursor::at(profile.source.bytes(), range.start)).ok()?;
    let text = |key: &str| match event.get(key)? {
        Value::String(text) => Some(text.clone()),
        value => value.as_i64().map(|number| number.to_string()),
    };
    let name = profile.strings.find(event.get("name")?.as_str()?)?;
    let time = event_time(event.get("ts")?)?;
    let (pid, tid) = (text("pid")?, text("tid"));
    profile.threads_with_ids().find_map(|(id, thread)| {
        let is_it = profile.process_of(id).pid == pid && tid.as_ref().is_none_or(|tid| thread.tid == *tid);
        let times = thread.markers.times();
        let first = if is_it { times.partition_point(|start| start < time) } else { times.len() };
        let mut same = (first..times.len()).take_while(|at| times.start(*at) == time).map(LocalMarker::new);
        same.find(|marker| thread.markers.name(*marker) == name).map(|marker| thread.global(marker))
    })
}

fn event_time(ts: &Value) -> Option<Ns> {
    match ts {
        Value::Int(time) => time.checked_mul(1000).map(Ns),
        Value::Number(time) => parse_decimal(time.to_string().as_bytes(), Unit::Micros),
        Value::String(text) => parse_decimal(text.as_bytes(), Unit::Micros),
        _ => None,
    }
}

/// The position of an event, and a flag that is set if DevTools creates a synthetic event from it: a measure or a
/// network request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) number: usize,
    pub(super) is_made: bool,
}

/// The positions of the events that contain the given byte offsets, by offset.
pub(super) fn positions(text: &[u8], offsets: BTreeSet<usize>) -> BTreeMap<usize, Position> {
    let mut found = BTreeMap::new();
    let mut offsets = offsets.into_iter().peekable();
    let Some(mut cursor) = trace_events::list(text).filter(|_| offsets.peek().is_some()).or_else(|| bare_list(text))
    else {
        return found;
    };
    let mut number = 0;
    while offsets.peek().is_some() && cursor.next_element() == Ok(true) {
        let _damage = cursor.peek();
        let from = cursor.offset();
        if cursor.skip_value().is_err() {
            break;
        }
        let end = cursor.offset();
        while let Some(offset) = offsets.next_if(|offset| *offset < end) {
            if offset >= from {
                found.insert(offset, Position { number, is_made: is_made(text, from) });
            }
        }
        number += 1;
    }
    found
}

/// The elements of a trace that is a bare list.
fn bare_list(text: &[u8]) -> Option<Cursor<'_>> {
    let mut cursor = Cursor::at(text, if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 });
    cursor.enter_array().ok()?;
    Some(cursor)
}

fn is_made(text: &[u8], offset: usize) -> bool {
    let Ok(event) = decode_value(&mut Cursor::at(text, offset)) else { return false };
    let member = |key: &str| event.get(key).and_then(Value::as_str).unwrap_or_default();
    matches!(member("ph"), "b" | "n" | "S") || member("name") == "ResourceSendRequest"
}
