//! Parses track events, without their arguments.

use std::borrow::Cow;

use super::event::EventFlows;
use super::json_text::text;
use super::sequence::Sequence;
use super::wire::{Content, Fields};

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
    /// Interning id of the first category; 0 if it is not a single number.
    category: u64,
    /// True if the event has annotations, which become arguments.
    pub(super) has_annotations: bool,
    /// True if the event has fields that become arguments.
    pub(super) has_args: bool,
    /// The value of an extra counter, if there is only one, on the counter track that is usual for the sequence.
    pub(super) extra_value: Option<i64>,
    /// True if the event has a stack.
    pub(super) has_stack: bool,
    /// True if the event has several values of extra counters, or tracks for them.
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
            match field.content {
                Content::Number(value) => match field.number {
                    1 => event.delta_us = Some(value.cast_signed()),
                    2 => event.ran_delta_us = Some(value.cast_signed()),
                    3 => {
                        let is_first = !std::mem::replace(&mut event.has_categories, true);
                        event.category = if is_first { value } else { 0 };
                    }
                    9 => event.kind = value,
                    10 => (event.name_iid, event.has_name) = (value, true),
                    11 => event.track = Some(value),
                    12 if event.extra_value.is_none() => event.extra_value = Some(value.cast_signed()),
                    12 | 31 | 45 | 46 => event.has_extra_counters = true,
                    16 => event.absolute_us = Some(value.cast_signed()),
                    17 => event.ran_us = Some(value.cast_signed()),
                    30 => event.value = Some(value.cast_signed()),
                    36 | 42 | 47 | 48 => event.has_flows = true,
                    44 => event.double = Some(field.double()),
                    // Instruction counts of the thread.
                    8 | 20 => {}
                    56 => event.has_stack = true,
                    _ => event.has_args = true,
                },
                Content::Bytes(bytes) => match field.number {
                    4 => (event.has_args, event.has_annotations) = (true, true),
                    3 | 22 => (event.has_categories, event.category) = (true, 0),
                    6 => event.legacy = Some(bytes),
                    12 | 31 | 45 | 46 => event.has_extra_counters = true,
                    23 => (event.name, event.has_name) = (bytes, true),
                    55 => event.has_stack = true,
                    36 | 42 | 47 | 48 => event.has_flows = true,
                    _ => event.has_args = true,
                },
            }
        }
        event
    }

    /// The name.
    pub(super) fn name<'e>(&'e self, sequence: &'e Sequence) -> Option<Cow<'e, str>> {
        if !self.has_name {
            return None;
        }
        Some(match sequence.names.get(&self.name_iid) {
            Some(known) if self.name.is_empty() => Cow::Borrowed(&**known),
            _ => text(self.name),
        })
    }

    /// The categories, with commas between them.
    pub(super) fn categories<'e>(&'e self, sequence: &'e Sequence) -> Cow<'e, str> {
        let mut all = Cow::Borrowed("");
        if !self.has_categories {
            return all;
        }
        if self.category > 0 {
            return Cow::Borrowed(sequence.categories.get(&self.category).map_or("", |known| &**known));
        }
        let mut add = |category: Cow<'e, str>| {
            if all.is_empty() {
                all = category;
            } else {
                all.to_mut().push(',');
                all.to_mut().push_str(&category);
            }
            all.len() <= MAX_CATEGORIES
        };
        let known = |number| Cow::Borrowed(sequence.categories.get(&number).map_or("", |known| &**known));
        for field in Fields::new(self.message) {
            match field.number {
                3 => drop(field.numbers().map(known).all(&mut add)),
                22 => drop(add(text(field.bytes()))),
                _ => {}
            }
        }
        all
    }

    /// The flows of the event: continuing flows, and terminating flows.
    pub(super) fn flows(&self) -> EventFlows {
        let mut flows = EventFlows::new();
        if !self.has_flows {
            return flows;
        }
        // The old format uses varints, the new one has fixed widths. If an event has both, they contain the same flows.
        let mut old = EventFlows::new();
        let mut is_new = [false; 2];
        for field in Fields::new(self.message) {
            match field.number {
                36 => old.extend(field.numbers().map(|flow| (flow, false))),
                42 => old.extend(field.numbers().map(|flow| (flow, true))),
                47 => flows.extend(field.words().map(|flow| (flow, false))),
                48 => flows.extend(field.words().map(|flow| (flow, true))),
                _ => continue,
            }
            is_new[0] |= field.number == 47;
            is_new[1] |= field.number == 48;
        }
        old.retain(|(_, ends)| !is_new[usize::from(*ends)]);
        // Flows that go on precede those that end.
        flows.extend(old);
        flows.sort_by_key(|(_, ends)| *ends);
        flows
    }
}
