//! How a flow is shown: what it is called, the thread it belongs to, its colour, its main interval.
//!
//! Without a rule that is decided by the flow's first marker. With one, the first and last [`NEAR`]
//! markers of the flow and the one that ends last are looked at, however many it has.

use std::collections::HashMap;

pub use super::book::RuleBook;
use super::book::{NEAR, Prepared, Seen, near};
use super::rules::LabelSource;
use super::{FlowGraph, times_of};
use crate::index::Styles;
use crate::profile::text::LabelKind;
use crate::profile::text::format_value;
use crate::profile::{Field, FlowId, Ns, Profile, ThreadId, TimeRange, Value};

/// Letters of a label; what is beyond is cut off.
const LABEL_LETTERS: usize = 160;
/// Markers whose payload is searched for a label, for each source.
const TRIES: usize = 16;

/// How a flow is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct FlowLook {
    /// What it is, for people: one line, never empty.
    pub label: String,
    /// The label of the field through which its first marker names it, for example `Flow`.
    pub field: String,
    /// The thread it belongs to.
    pub thread: ThreadId,
    /// Palette entry.
    pub color: u8,
    /// Its main interval: the box. Within the flow's range; markers outside are joined to it by a line.
    pub main: TimeRange,
    /// From this time on the box has this opacity (0 to 1).
    pub fade: Option<(Ns, f32)>,
}

impl RuleBook {
    /// How a flow is shown under these rules.
    #[must_use]
    pub fn look(&self, profile: &Profile, flows: &FlowGraph, styles: &Styles, flow: FlowId) -> FlowLook {
        let members = flows.members(flow);
        let range = flows.range(profile, flow);
        let Some(first) = members.first().and_then(|marker| Seen::new(profile, *marker)) else {
            let (label, field) = (one_line(""), "Flow".to_owned());
            return FlowLook { label, field, thread: ThreadId::default(), color: 0, main: range, fade: None };
        };
        let id = flows.id_text(profile, flow);
        let plain = FlowLook {
            label: String::new(),
            field: naming_field(profile, first, &id),
            thread: first.thread,
            color: styles.get(first.marker).color(),
            main: range,
            fade: None,
        };
        let own = || match flows.explicit_name(profile, flow) {
            "" => own_label(profile, first, &id),
            name => explicit_label(profile, first, name),
        };
        let Some(rule) = self.rule_of(profile, flows, flow).map(|number| &self.rules[number]) else {
            return FlowLook { label: own(), ..plain };
        };
        // The marker that ends last counts for the main interval even where many others are passed over.
        let last = flows.flows.last.get(flow.index()).copied().filter(|_| members.len() > 2 * NEAR);
        let seen: Vec<Seen> = near(members).chain(last).filter_map(|marker| Seen::new(profile, marker)).collect();
        FlowLook {
            label: rule.label(profile, &seen).unwrap_or_else(own),
            thread: seen.iter().find(|seen| rule.thread.has(seen.name)).map_or(plain.thread, |seen| seen.thread),
            color: rule.rule.tint.unwrap_or(plain.color),
            main: rule.main(profile, &seen).unwrap_or(range),
            fade: rule.fade(profile, &seen),
            ..plain
        }
    }
}

impl Prepared {
    /// The first label that a source gives.
    fn label(&self, profile: &Profile, seen: &[Seen]) -> Option<String> {
        self.rule.label.iter().zip(&self.label).find_map(|(source, names)| match source {
            LabelSource::Text(text) => Some(one_line(text)),
            LabelSource::Field { field, .. } => {
                let mut markers = seen.iter().filter(|seen| names.has(seen.name)).take(TRIES);
                let value = markers.find_map(|seen| field_text(profile, *seen, field))?;
                Some(one_line(&format!("{}{value}", self.rule.prefix)))
            }
        })
    }

    /// From the start of the first marker that is neither `before` nor `after` to the latest end of those; `None` for
    /// the whole range.
    fn main(&self, profile: &Profile, seen: &[Seen]) -> Option<TimeRange> {
        if self.before.is_empty() && self.after.is_empty() {
            return None;
        }
        let is_main = |seen: &&Seen| !self.before.has(seen.name) && !self.after.has(seen.name);
        seen.iter().filter(is_main).map(|seen| times_of(profile, seen.marker)).reduce(TimeRange::union)
    }

    fn fade(&self, profile: &Profile, seen: &[Seen]) -> Option<(Ns, f32)> {
        let from = seen.iter().find(|seen| self.fade.has(seen.name))?;
        Some((times_of(profile, from.marker).start, self.rule.fade.as_ref()?.opacity))
    }
}

/// The value of a payload field in words; `None` if there is nothing to show.
fn field_text(profile: &Profile, seen: Seen, key: &str) -> Option<String> {
    let payload = profile.payload(seen.thread, seen.local);
    let value = payload.get(key).filter(|value| !matches!(value, Value::Null | Value::Object(_)))?;
    if matches!(value, Value::String(text) if text.trim().is_empty()) {
        return None;
    }
    let field = profile.schema_of(seen.thread, seen.local).and_then(|schema| schema.field(key));
    let text = match field {
        Some(field) => format_value(&field.format, value, &profile.strings_of(seen.thread)),
        None => value.display_js(),
    };
    (!text.trim().is_empty()).then_some(text)
}

/// The label of a flow's first marker. One that only repeats the flow's id after the name, as Firefox's generic flow
/// markers have it, is cut down to the name.
fn own_label(profile: &Profile, first: Seen, id: &str) -> String {
    let name = profile.marker_name(first.thread, first.local);
    let label = profile.marker_label(LabelKind::Chart, first.thread, first.local);
    let rest = label.strip_prefix(name).and_then(|rest| rest.strip_suffix(")"));
    let repeats = rest.and_then(|rest| rest.strip_suffix(id)).is_some_and(|rest| {
        rest.strip_prefix(" (").and_then(|rest| rest.strip_suffix('=')).is_some_and(|key| !key.contains(['(', ' ']))
    });
    one_line(if repeats { name } else { &label })
}

/// What the recording calls a flow, and its first marker if that says more.
fn explicit_label(profile: &Profile, first: Seen, name: &str) -> String {
    let marker = profile.marker_name(first.thread, first.local);
    if marker == name { one_line(name) } else { one_line(&format!("{name}: {marker}")) }
}

/// The label of the field by which a marker names an id.
fn naming_field(profile: &Profile, first: Seen, id: &str) -> String {
    let schema = profile.schema_of(first.thread, first.local);
    let fields: Vec<&Field> = schema.map(|schema| schema.flow_fields().collect()).unwrap_or_default();
    let named = match fields[..] {
        [] | [_] => fields.first(),
        _ => {
            let payload = profile.payload(first.thread, first.local);
            let strings = profile.strings_of(first.thread);
            // A marker may be in ten thousand flows: every field is looked up in one step, not by a walk over all.
            let members: &[(String, Value)] = if let Value::Object(members) = &payload { members } else { &[] };
            let given: HashMap<&str, &Value> = members.iter().map(|(key, value)| (key.as_str(), value)).collect();
            let names = |field: &&&Field| match given.get(field.key.as_str()) {
                None | Some(Value::Null) => false,
                Some(value) => format_value(&field.format, value, &strings) == id,
            };
            fields.iter().find(names).or(fields.first())
        }
    };
    named.map_or_else(|| "Flow".to_owned(), |field| field.label.clone())
}

/// A text on one line, of bounded length, never empty.
fn one_line(text: &str) -> String {
    let is_space = |letter: char| letter.is_whitespace() || letter.is_control();
    let mut line = String::new();
    let mut letters = 0;
    for word in text.split(is_space).filter(|word| !word.is_empty()) {
        let gap = (!line.is_empty()).then_some(' ');
        for letter in gap.into_iter().chain(word.chars()) {
            if letters == LABEL_LETTERS {
                line.pop();
                line.push('…');
                return line;
            }
            line.push(letter);
            letters += 1;
        }
    }
    if line.is_empty() { "(unnamed)".to_owned() } else { line }
}
