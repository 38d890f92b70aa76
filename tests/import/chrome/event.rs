//! One trace event: its members as plain values, times in nanoseconds, ids as text.
//!
//! Decides which events count. Damaged events and events that are not drawn are counted here and go no further.

use std::collections::BTreeMap;

use serde_json::Value;

use super::reference::{Reference, warn};
use super::text;

/// The id of an event, from `id`, `id2.local` or `id2.global`. Ids of different kinds are never equal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Id {
    pub(crate) text: String,
    /// "id", "global", or "local" plus the pid of a local id.
    pub(crate) space: (&'static str, String),
}

/// An event with parsed members and times in nanoseconds.
#[derive(Debug)]
pub(crate) struct Event<'a> {
    /// Its index among the array's elements.
    pub(crate) index: usize,
    pub(crate) phase: String,
    /// Empty if missing, like the other texts.
    pub(crate) name: String,
    pub(crate) cat: String,
    pub(crate) pid: String,
    pub(crate) tid: String,
    /// Meaningless (0) for metadata without a time.
    pub(crate) ts: i64,
    pub(crate) dur: Option<i64>,
    /// `s` of an instant.
    pub(crate) instant_scope: String,
    /// `scope` of an async.
    pub(crate) async_scope: String,
    pub(crate) id: Option<Id>,
    pub(crate) binds_enclosing: bool,
    /// `bind_id`, if the event is also a step of that flow.
    pub(crate) bind_id: Option<String>,
    /// `flow_in` and `flow_out` of that flow.
    pub(crate) flow_in: bool,
    pub(crate) flow_out: bool,
    pub(crate) args: Value,
    pub(crate) raw_args: &'a [u8],
}

/// Reads one element of the event array. Returns `None` for an element that is not drawn, after counting it.
pub(crate) fn read_event<'a>(index: usize, element: &'a [u8], out: &mut Reference) -> Option<Event<'a>> {
    if element.first() != Some(&b'{') {
        warn(&mut out.warnings, "wrong_type");
        return None;
    }
    let Some(value) = text::lenient_value(element) else {
        warn(&mut out.warnings, "bad_json");
        return None;
    };
    let members: BTreeMap<String, &[u8]> = text::members(element).into_iter().collect();
    if members.is_empty() {
        return None;
    }
    let phase = value["ph"].as_str().unwrap_or_default().to_owned();
    if phase.is_empty() {
        warn(&mut out.warnings, "missing_part");
        return None;
    }
    let known = [
        "B", "E", "X", "i", "I", "R", "b", "e", "n", "S", "T", "p", "F", "s", "t", "f", "C", "M", "N", "O", "D", "v",
        "V",
    ];
    // Samples are not slices; only their time is used.
    if phase == "P" {
        if members.get("ts").copied().and_then(text::nanoseconds).is_none() && value["name"] != "ProfileChunk" {
            warn(&mut out.warnings, "bad_time");
        }
        return None;
    }
    if !known.contains(&phase.as_str()) {
        // Phases with several letters have no known meaning and are counted together.
        let phase = if phase.len() > 1 { "?".to_owned() } else { phase };
        *out.not_drawn.entry(phase).or_default() += 1;
        warn(&mut out.warnings, "not_drawn");
        return None;
    }
    let member = |key: &str| members.get(key).copied().filter(|raw| *raw != b"null".as_slice());
    let text_of = |key: &str| member(key).and_then(text::scalar_text);
    let ts = member("ts").and_then(text::nanoseconds);
    if ts.is_none() && phase != "M" {
        warn(&mut out.warnings, "bad_time");
        return None;
    }
    let ts = ts.unwrap_or(0);
    let mut dur = None;
    if let Some(raw) = member("dur").filter(|_| phase == "X") {
        let start = member("ts").unwrap_or_default();
        dur = text::rounded_length(start, raw).filter(|dur| ts.checked_add(*dur).is_some());
        if dur.is_none() {
            warn(&mut out.warnings, "bad_time");
        }
    }
    let owner_of = |key: &str| member(key).and_then(text::owner_text);
    let pid = owner_of("pid").unwrap_or_default();
    let id = id_of(&members, &pid);
    let needs_id = ["b", "e", "n", "S", "T", "p", "F", "s", "t", "f", "N", "O", "D"].contains(&phase.as_str());
    if needs_id && id.is_none() {
        warn(&mut out.warnings, "missing_part");
        // An async without an id is one operation of its category or name; a flow needs an id.
        if ["s", "t", "f"].contains(&phase.as_str()) {
            return None;
        }
    }
    let (flow_in, flow_out) = (value["flow_in"] == Value::Bool(true), value["flow_out"] == Value::Bool(true));
    // A memory dump is an instant of its process.
    let is_dump = matches!(phase.as_str(), "v" | "V");
    Some(Event {
        index,
        phase: if is_dump { "i".to_owned() } else { phase },
        name: text_of("name").unwrap_or_default(),
        cat: text_of("cat").unwrap_or_default(),
        tid: owner_of("tid").unwrap_or_else(|| pid.clone()),
        pid,
        ts,
        dur,
        instant_scope: if is_dump { "p".to_owned() } else { text_of("s").unwrap_or_default() },
        async_scope: text_of("scope").unwrap_or_default(),
        id,
        binds_enclosing: value["bp"] == "e",
        bind_id: text_of("bind_id").filter(|_| flow_in || flow_out),
        flow_in,
        flow_out,
        // Arguments that are not an object are the argument `args`.
        args: match &value["args"] {
            args @ (Value::Null | Value::Object(_)) => args.clone(),
            other => serde_json::json!({"args": other}),
        },
        raw_args: member("args").unwrap_or_default(),
    })
}

/// `id2`, the more specific id, takes precedence.
fn id_of(members: &BTreeMap<String, &[u8]>, pid: &str) -> Option<Id> {
    let id2 =
        members.get("id2").copied().filter(|raw| raw.first() == Some(&b'{')).map(text::members).unwrap_or_default();
    let in_id2 = |key: &str| id2.iter().find(|(known, _)| known == key).and_then(|(_, raw)| text::scalar_text(raw));
    if let Some(text) = in_id2("local") {
        return Some(Id { text, space: ("local", pid.to_owned()) });
    }
    if let Some(text) = in_id2("global") {
        return Some(Id { text, space: ("global", String::new()) });
    }
    let text = members.get("id").copied().and_then(text::scalar_text)?;
    Some(Id { text, space: ("id", String::new()) })
}

/// Sorts by time; simultaneous events keep their file order.
pub(crate) fn in_time_order<'a, 'b>(events: impl Iterator<Item = &'a Event<'b>>) -> Vec<&'a Event<'b>>
where
    'b: 'a,
{
    let mut events: Vec<_> = events.collect();
    events.sort_by_key(|event| (event.ts, event.index));
    events
}
