//! Decodes payloads, and moves the times in them to the recording's clock.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::payload_ref::PayloadRef;
use super::schema::Schema;
use super::supplement::Supplement;
use crate::Source;
use crate::text::Format;
use flowline_format::Ns;
use flowline_json::Value;

/// Decodes the object at `place`; [`Value::Null`] if there is none or it is damaged.
#[must_use]
#[inline]
pub fn decode(source: &Source, place: PayloadRef) -> Value {
    let decoded = source.with_payload(place, |cursor| flowline_json::decode_value(cursor).ok());
    decoded.flatten().unwrap_or(Value::Null)
}

/// Decodes the whole object at `place`, even if the payload is only one of its members.
#[must_use]
#[inline]
pub fn decode_whole(source: &Source, place: PayloadRef) -> Value {
    place
        .offset()
        .and_then(|_| flowline_json::decode_value(&mut source.object_at(place.0)?.cursor()).ok())
        .unwrap_or(Value::Null)
}

/// Members of request and message payloads that are points in time on their process's clock.
const REQUEST_TIMES: [&str; 10] = [
    "fetchStart",
    "domainLookupStart",
    "domainLookupEnd",
    "connectStart",
    "tcpConnectEnd",
    "secureConnectionStart",
    "connectEnd",
    "requestStart",
    "responseStart",
    "responseEnd",
];

/// True if a member of a payload of this type is a point in time, regardless of its schema.
#[must_use]
#[inline]
pub fn is_time(kind: Option<&str>, key: &str) -> bool {
    matches!(key, "startTime" | "endTime") || (matches!(kind, Some("Network" | "IPC")) && REQUEST_TIMES.contains(&key))
}

/// Replaces the points in time within a value of this format; `None` as the format means a point in time.
pub(crate) fn map_times(format: Option<&Format>, value: &mut Value, map: &impl Fn(Ns) -> Value) {
    match (format, &mut *value) {
        (None | Some(Format::Time), _) => {
            if let Some(time) = value.as_f64().and_then(Ns::from_ms) {
                *value = map(time);
            }
        }
        (Some(Format::Table(columns)), Value::List(rows)) => {
            for row in rows {
                let Value::List(cells) = row else { continue };
                for (cell, column) in cells.iter_mut().zip(columns) {
                    map_times(Some(&column.format), cell, map);
                }
            }
        }
        _ => {}
    }
}

/// Replaces all points in time of a payload: those declared by its schema, and those of [`is_time`].
pub(crate) fn map_payload_times(schema: Option<&Schema>, payload: &mut Value, map: &impl Fn(Ns) -> Value) {
    let kind = payload.get("type").and_then(Value::as_str).map(str::to_owned);
    let Value::Object(members) = payload else { return };
    for (key, value) in members {
        if is_time(kind.as_deref(), key) {
            map_times(None, value, map);
        } else if let Some(field) = schema.and_then(|schema| schema.field(key)) {
            map_times(Some(&field.format), value, map);
        }
    }
}

/// Everything besides its text that the decoding of a payload depends on.
#[derive(Clone, Copy, Debug)]
pub struct PayloadContext<'a> {
    /// The input.
    pub source: &'a Source,
    /// The schema of the payload's type.
    pub schema: Option<&'a Schema>,
    /// Offset from the process's clock to the recording's clock. It is added to times in the payload.
    pub shift: Ns,
}

impl PayloadContext<'_> {
    /// Decodes an object with its times on the recording's clock. Arguments of an event that are not an object become
    /// one with that single member.
    fn decode(&self, place: PayloadRef) -> Value {
        let mut value = decode(self.source, place);
        if let Some(member) = self.source.member()
            && !matches!(value, Value::Null | Value::Object(_))
        {
            value = Value::Object(vec![(member.to_owned(), value)]);
        }
        if self.shift != Ns(0) {
            map_payload_times(self.schema, &mut value, &|own| Value::Number((own + self.shift).as_ms()));
        }
        value
    }
}

/// Decodes a payload with its times on the recording's clock, and applies its supplement.
#[must_use]
pub fn decode_full(context: PayloadContext<'_>, place: PayloadRef, supplement: Option<&Supplement>) -> Value {
    let own = context.decode(place);
    match supplement {
        None => own,
        Some(Supplement::Start(start)) => {
            let depth = if context.source.holds_events() { MergeDepth::All } else { MergeDepth::Top };
            merge(context.decode(*start), own, depth)
        }
        Some(Supplement::Network { start, fetch_start }) => {
            let mut members = object(own);
            if let Some(time) = context.decode(*start).get("startTime") {
                set(&mut members, "startTime", time.clone());
            }
            set(&mut members, "fetchStart", Value::Number(fetch_start.as_ms()));
            Value::Object(members)
        }
        Some(Supplement::Ipc { sent, transfer_start, transfer_sent, transfer_end, received }) => {
            let mut members = object(own);
            let times = [
                ("startTime", sent),
                ("sendStartTime", transfer_start),
                ("sendEndTime", transfer_sent),
                ("recvEndTime", transfer_end),
                ("endTime", received),
            ];
            for (key, time) in times {
                match time {
                    Some(time) => set(&mut members, key, Value::Number(time.as_ms())),
                    None => members.retain(|(name, _)| name != key),
                }
            }
            members.retain(|(name, _)| name != "phase");
            Value::Object(members)
        }
    }
}

/// Depth to which payloads are merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MergeDepth {
    /// Only the members of the payload, as the Firefox Profiler does.
    Top,
    /// Also the members of objects in it: programs state one part of a nested argument at the begin of a slice and the
    /// other part at its end, such as `params` in network logs. Of two other values of a key, the one of the begin is kept
    /// with [`AT_BEGIN`] after the key; null is no value.
    All,
}

/// Follows the key of a value that a slice stated at its begin, where its end states another one.
pub const AT_BEGIN: &str = " (begin)";

/// Merges two payloads key by key. Values of `winner` take precedence, keys of `base` keep their position. Anything but
/// an object has no keys.
fn merge(base: Value, winner: Value, depth: MergeDepth) -> Value {
    match (base, winner) {
        (Value::Object(members), Value::Object(winning)) => Value::Object(merge_members(members, winning, depth)),
        (base, Value::Null) => base,
        // An empty object adds nothing.
        (base, Value::Object(winning)) if winning.is_empty() && !base.is_null() => base,
        (Value::Object(members), _) if !members.is_empty() => Value::Object(members),
        (_, winner) => winner,
    }
}

/// Uses a table for lookups, because both objects may be large.
fn merge_members(
    mut members: Vec<(String, Value)>,
    winning: Vec<(String, Value)>,
    depth: MergeDepth,
) -> Vec<(String, Value)> {
    // Values of the begin that differ from those of the end.
    let mut replaced: Vec<(usize, Value)> = Vec::new();
    let mut places: HashMap<String, usize> =
        members.iter().enumerate().map(|(place, (key, _))| (key.clone(), place)).collect();
    // The last of repeated keys is used; an earlier one is no value of the begin.
    let last: HashMap<String, usize> =
        winning.iter().enumerate().map(|(place, (key, _))| (key.clone(), place)).collect();
    for (place, (key, value)) in winning.into_iter().enumerate() {
        if last.get(&key) != Some(&place) {
            continue;
        }
        match places.entry(key) {
            Entry::Occupied(place) => {
                let own = &mut members[*place.get()].1;
                match (&*own, &value) {
                    _ if depth == MergeDepth::Top => *own = value,
                    // The depth of decoded values is bounded.
                    (Value::Object(_), Value::Object(_)) => {
                        *own = merge(std::mem::replace(own, Value::Null), value, depth);
                    }
                    (_, end) if is_nothing(end) => {}
                    (begin, _) if is_nothing(begin) => *own = value,
                    (begin, end) if is_same(begin, end) => {}
                    _ => replaced.push((*place.get(), std::mem::replace(own, value))),
                }
            }
            Entry::Vacant(slot) => {
                members.push((slot.key().clone(), value));
                slot.insert(members.len() - 1);
            }
        }
    }
    for (place, value) in replaced {
        let mut key = members[place].0.clone() + AT_BEGIN;
        while places.contains_key(&key) {
            key += AT_BEGIN;
        }
        places.insert(key.clone(), members.len());
        members.push((key, value));
    }
    members
}

/// True for values that JSON writes as null.
fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Number(number) => !number.is_finite(),
        _ => false,
    }
}

/// True if JSON writes two values alike, apart from the order of members.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::List(items), Value::List(others)) => {
            items.len() == others.len() && items.iter().zip(others).all(|(item, other)| is_same(item, other))
        }
        (Value::Object(members), Value::Object(others)) => {
            // The last of repeated keys is used.
            let [own, theirs] = [members, others].map(|members| {
                members.iter().map(|(key, value)| (key.as_str(), value)).collect::<HashMap<&str, &Value>>()
            });
            own.len() == theirs.len()
                && own.iter().all(|(key, value)| theirs.get(key).is_some_and(|other| is_same(value, other)))
        }
        _ => one == other || (is_nothing(one) && is_nothing(other)),
    }
}

fn object(value: Value) -> Vec<(String, Value)> {
    match value {
        Value::Object(members) => members,
        _ => Vec::new(),
    }
}

/// Sets the member that [`Value::get`] returns: the last one if the key repeats.
fn set(members: &mut Vec<(String, Value)>, key: &str, value: Value) {
    match members.iter_mut().rfind(|(name, _)| name == key) {
        Some(member) => member.1 = value,
        None => members.push((key.to_owned(), value)),
    }
}
