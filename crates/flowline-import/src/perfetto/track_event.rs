//! Parses track events, without their arguments.

use std::borrow::Cow;

use smallvec::SmallVec;

use super::event::EventFlows;
use super::json_text::text;
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
    /// Interning id of the first category; 0 if it is not a single number.
    category: u64,
    /// True if the event has annotations, which become arguments.
    pub(super) has_annotations: bool,
    /// True if the event has fields that become arguments.
    pub(super) has_args: bool,
    /// True if the event has a stack.
    pub(super) has_stack: bool,
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
                3 | 22 => {
                    let is_first = !std::mem::replace(&mut event.has_categories, true);
                    event.category = if is_first && field.number == 3 { field.number() } else { 0 };
                }
                4 => (event.has_args, event.has_annotations) = (true, true),
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
                55 | 56 => event.has_stack = true,
                _ => event.has_args = true,
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
        // Fields of the old format, which uses varints, and of the new one.
        let kinds = [(false, [36, 47]), (true, [42, 48])];
        let mut is_new = [false; 2];
        let mut stated: SmallVec<[(u64, usize, bool); 4]> = SmallVec::new();
        for field in Fields::new(self.message) {
            for (kind, (_, [old, new])) in kinds.iter().enumerate() {
                if field.number == *old {
                    stated.extend(field.numbers().map(|flow| (flow, kind, false)));
                } else if field.number == *new {
                    is_new[kind] = true;
                    stated.extend(field.words().map(|flow| (flow, kind, true)));
                }
            }
        }
        // If both formats are present, they contain the same flows.
        for (kind, (ends, _)) in kinds.iter().enumerate() {
            let own = stated.iter().filter(|(_, of, new)| *of == kind && *new == is_new[kind]);
            flows.extend(own.map(|(flow, ..)| (*flow, *ends)));
        }
        flows
    }
}
