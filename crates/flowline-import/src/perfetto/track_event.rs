//! Parses track events, without their arguments.

use super::json_text::{hex, quoted, string};
use super::sequence::Sequence;
use super::wire::Fields;

/// A track event without its arguments.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TrackEvent<'a> {
    pub(super) message: &'a [u8],
    pub(super) kind: u64,
    pub(super) track: Option<u64>,
    pub(super) name_iid: u64,
    pub(super) name: &'a [u8],
    pub(super) has_name: bool,
    pub(super) has_flows: bool,
    pub(super) has_categories: bool,
    /// True if the event has fields that become arguments.
    pub(super) has_args: bool,
    pub(super) has_extra_counters: bool,
    pub(super) value: Option<i64>,
    pub(super) double: Option<f64>,
    pub(super) legacy: Option<&'a [u8]>,
    pub(super) delta_us: Option<i64>,
    pub(super) absolute_us: Option<i64>,
    pub(super) ran_delta_us: Option<i64>,
    pub(super) ran_us: Option<i64>,
}

/// Approximate limit of the category names of an event, in bytes.
const MAX_CATEGORIES: usize = 1 << 20;

impl<'a> TrackEvent<'a> {
    pub(super) fn read(message: &'a [u8]) -> Self {
        let mut event = Self { message, ..Self::default() };
        for field in Fields::new(message) {
            match field.number {
                1 => event.delta_us = Some(field.signed()),
                2 => event.ran_delta_us = Some(field.signed()),
                3 | 22 => event.has_categories = true,
                // Instruction counts of the thread, and the counter tracks of the values.
                8 | 20 | 31 | 45 => {}
                6 => event.legacy = Some(field.bytes()),
                9 => event.kind = field.number(),
                10 => (event.name_iid, event.has_name) = (field.number(), true),
                11 => event.track = Some(field.number()),
                12 | 46 => event.has_extra_counters = true,
                16 => event.absolute_us = Some(field.signed()),
                17 => event.ran_us = Some(field.signed()),
                23 => (event.name, event.has_name) = (field.bytes(), true),
                30 => event.value = Some(field.signed()),
                36 | 42 | 47 | 48 => event.has_flows = true,
                44 => event.double = Some(field.double()),
                _ => event.has_args = true,
            }
        }
        event
    }

    pub(super) const fn has_name(&self) -> bool {
        self.has_name
    }

    /// Appends the name as a member.
    pub(super) fn write_name(&self, out: &mut String, sequence: &Sequence) {
        if !self.has_name {
            return;
        }
        out.push_str(",\"name\":");
        match sequence.names.get(&self.name_iid) {
            Some(known) if self.name.is_empty() => out.push_str(known),
            _ => string(out, self.name),
        }
    }

    /// Appends the categories as a member.
    pub(super) fn write_categories(&self, out: &mut String, sequence: &Sequence) {
        if !self.has_categories {
            return;
        }
        let start = out.len();
        for field in Fields::new(self.message) {
            match field.number {
                3 => {
                    for number in field.numbers() {
                        if out.len() - start > MAX_CATEGORIES {
                            break;
                        }
                        let known = sequence.categories.get(&number).map_or("", |known| &known[1..known.len() - 1]);
                        separate(out, start);
                        out.push_str(known);
                    }
                }
                22 => {
                    separate(out, start);
                    let name = quoted(field.bytes());
                    out.push_str(&name[1..name.len() - 1]);
                }
                _ => {}
            }
        }
        if out.len() > start {
            out.push('"');
        }
    }

    /// Appends the flows of the event as members: continuing flows, and terminating flows.
    pub(super) fn write_flows(&self, out: &mut String) {
        if !self.has_flows {
            return;
        }
        for (name, numbers) in [("flow_ids", [36, 47]), ("terminating_flow_ids", [42, 48])] {
            let mut opening = format!(",\"{name}\":[");
            let [old, new] = numbers;
            // If both formats are present, they contain the same flows.
            let is_new = Fields::new(self.message).any(|field| field.number == new);
            let form = if is_new { new } else { old };
            for field in Fields::new(self.message).filter(|field| field.number == form) {
                // The old format uses varints.
                let is_old = !is_new;
                let listed = is_old.then(|| field.numbers()).into_iter().flatten();
                for flow in listed.chain((!is_old).then(|| field.words()).into_iter().flatten()) {
                    out.push_str(&std::mem::replace(&mut opening, ",".to_owned()));
                    hex(out, flow);
                }
            }
            if opening == "," {
                out.push(']');
            }
        }
    }
}

/// Starts the category member, or separates two categories.
fn separate(out: &mut String, start: usize) {
    out.push_str(if out.len() == start { ",\"cat\":\"" } else { "," });
}
