//! Payloads are kept as byte offsets into the input and decoded on demand.
//!
//! A payload is a JSON object, which delimits itself, so its offset is enough: 8 bytes per marker. Markers made of several
//! raw ones refer to the other objects in a [`Supplement`].

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};

use super::column::SharedBytes;
use super::json::{self, Cursor};
use super::persist::persist;
use super::time::Ns;
use super::value::Value;

/// The input's bytes, mapped or owned, shared by everything that looks into payloads.
#[derive(Clone)]
pub struct Source {
    bytes: SharedBytes,
    /// See [`Source::with_member`].
    member: Option<&'static str>,
}

impl Source {
    /// Wraps bytes.
    pub fn new(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Self {
        Self { bytes: Arc::new(bytes), member: None }
    }

    /// The same bytes, with payload offsets that point to objects one member of which is the payload (`args` of an event).
    #[must_use]
    pub fn with_member(self, member: &'static str) -> Self {
        Self { member: Some(member), ..self }
    }

    /// The member that is the payload, if the payload is not the whole object.
    #[must_use]
    pub const fn member(&self) -> Option<&'static str> {
        self.member
    }

    /// All bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        (*self.bytes).as_ref()
    }

    /// A cursor before the payload at `place`; `None` if there is none or the text is damaged.
    #[must_use]
    pub fn payload_at(&self, place: PayloadRef) -> Option<Cursor<'_>> {
        let mut cursor = Cursor::at(self.bytes(), place.offset()?);
        let Some(member) = self.member else { return Some(cursor) };
        cursor.enter_object().ok()?;
        let mut found = None;
        // The last of repeated keys counts.
        while let Ok(Some(key)) = cursor.next_key() {
            if key.bytes == member.as_bytes() {
                found = Some(cursor);
            }
            if cursor.skip_value().is_err() {
                break;
            }
        }
        found
    }
}

impl Default for Source {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Source({} bytes)", self.bytes().len())
    }
}

/// Byte offset of a payload object in the input; [`PayloadRef::NONE`] for markers without a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(transparent)]
pub struct PayloadRef(pub u64);
persist!(PayloadRef(offset));

impl PayloadRef {
    /// No payload.
    pub const NONE: Self = Self(u64::MAX);

    /// The offset, if there is a payload.
    #[must_use]
    pub fn offset(self) -> Option<usize> {
        if self == Self::NONE { None } else { usize::try_from(self.0).ok() }
    }
}

/// Additions to the payload that a marker's offset points to.
#[derive(Clone, Debug, PartialEq)]
pub enum Supplement {
    /// The start's payload; the marker's own (the end's) wins key by key.
    Start(PayloadRef),
    /// A network request: `startTime` comes from the START payload, `fetchStart` is the STOP's own start.
    Network {
        /// START's payload.
        start: PayloadRef,
        /// The STOP marker's own start.
        fetch_start: Ns,
    },
    /// An IPC message: times from both sides.
    Ipc {
        /// When the sender wrote it.
        sent: Option<Ns>,
        /// When transfer began on the sender's side.
        transfer_start: Option<Ns>,
        /// When transfer ended on the sender's side.
        transfer_sent: Option<Ns>,
        /// When transfer ended on the receiver's side.
        transfer_end: Option<Ns>,
        /// When the receiver handled it.
        received: Option<Ns>,
    },
}
persist!(enum Supplement {
    0 => Start(start),
    1 => Network { start, fetch_start },
    2 => Ipc { sent, transfer_start, transfer_sent, transfer_end, received },
});

/// Decodes the object at `place`; [`Value::Null`] when there is none or it is damaged.
#[must_use]
pub fn decode(source: &Source, place: PayloadRef) -> Value {
    source.payload_at(place).and_then(|mut cursor| json::decode_value(&mut cursor).ok()).unwrap_or(Value::Null)
}

/// Decodes the whole object at `place`, of which the payload may be one member.
#[must_use]
pub fn decode_whole(source: &Source, place: PayloadRef) -> Value {
    place
        .offset()
        .and_then(|offset| json::decode_value(&mut Cursor::at(source.bytes(), offset)).ok())
        .unwrap_or(Value::Null)
}

/// Members of request and message payloads that are points in time on their process's clock.
const TIMES: [&str; 12] = [
    "startTime",
    "endTime",
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

/// Decodes an object of a process whose clock is `shift` behind the recording's clock. Its times are shifted, as the Firefox
/// Profiler does when it processes a profile.
fn decode_shifted(source: &Source, place: PayloadRef, shift: Ns) -> Value {
    let mut value = decode(source, place);
    let has_times = matches!(value.get("type").and_then(Value::as_str), Some("Network" | "IPC"));
    if let (true, Value::Object(members)) = (has_times && shift != Ns(0), &mut value) {
        for (_, time) in members.iter_mut().filter(|(key, _)| TIMES.contains(&key.as_str())) {
            if let Some(own) = time.as_f64().and_then(Ns::from_ms) {
                *time = Value::Number((own + shift).as_ms());
            }
        }
    }
    value
}

/// Decodes a payload and applies its supplement; `shift` is the offset from its process's clock to the recording's.
#[must_use]
pub fn decode_full(source: &Source, place: PayloadRef, supplement: Option<&Supplement>, shift: Ns) -> Value {
    let own = decode_shifted(source, place, shift);
    match supplement {
        None => own,
        Some(Supplement::Start(start)) => merge(decode(source, *start), own),
        Some(Supplement::Network { start, fetch_start }) => {
            let mut members = object(own);
            if let Some(time) = decode_shifted(source, *start, shift).get("startTime") {
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

/// Merges two payloads key by key; `winner`'s values win, `base`'s keys keep their place.
#[must_use]
pub fn merge(base: Value, winner: Value) -> Value {
    match (base, winner) {
        (Value::Object(members), Value::Object(winning)) => Value::Object(merge_members(members, winning)),
        (base, Value::Null) => base,
        (_, winner) => winner,
    }
}

/// Looks keys up in a table: both objects may be large.
fn merge_members(mut members: Vec<(String, Value)>, winning: Vec<(String, Value)>) -> Vec<(String, Value)> {
    let mut places: HashMap<String, usize> =
        members.iter().enumerate().map(|(place, (key, _))| (key.clone(), place)).collect();
    for (key, value) in winning {
        match places.entry(key) {
            Entry::Occupied(place) => members[*place.get()].1 = value,
            Entry::Vacant(slot) => {
                members.push((slot.key().clone(), value));
                slot.insert(members.len() - 1);
            }
        }
    }
    members
}

fn object(value: Value) -> Vec<(String, Value)> {
    match value {
        Value::Object(members) => members,
        _ => Vec::new(),
    }
}

/// Sets the member that [`Value::get`] finds: the last of repeated keys.
fn set(members: &mut Vec<(String, Value)>, key: &str, value: Value) {
    match members.iter_mut().rfind(|(name, _)| name == key) {
        Some(member) => member.1 = value,
        None => members.push((key.to_owned(), value)),
    }
}
