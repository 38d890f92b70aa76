//! Common numbers for the texts of all batches, and all events in one list.

use foldhash::HashMap;
use rayon::prelude::*;

use super::event::{Batch, Event, Extra, IdKind, NONE, TextId, text_at};
use crate::profile::json::RawString;

/// All texts of a trace.
#[derive(Debug, Default)]
pub(super) struct Texts {
    list: Vec<String>,
    numbers: HashMap<String, TextId>,
}

impl Texts {
    pub(super) fn number(&mut self, text: &str) -> TextId {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = u32::try_from(self.list.len()).unwrap_or(NONE);
        self.list.push(text.to_owned());
        self.numbers.insert(text.to_owned(), number);
        number
    }

    /// The text of a number; empty if there is none.
    pub(super) fn get(&self, number: TextId) -> &str {
        self.list.get(number as usize).map_or("", String::as_str)
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }
}

/// All events in file order, with what they refer to.
#[derive(Debug, Default)]
pub(super) struct Events {
    pub(super) list: Vec<Event>,
    extras: Vec<Extra>,
    pub(super) texts: Texts,
    /// Process and thread.
    pub(super) pairs: Vec<(TextId, TextId)>,
}

/// Numbers of a batch in the numbers of the trace.
struct Maps {
    texts: Vec<TextId>,
    pairs: Vec<u32>,
    first_extra: usize,
}

impl Events {
    /// Joins batches in their order.
    pub(super) fn join(batches: Vec<Batch<'_>>) -> Self {
        let mut events = Self::default();
        let mut pair_numbers: HashMap<(TextId, TextId), u32> = HashMap::default();
        let mut first_extra = 0;
        let mut maps = Vec::with_capacity(batches.len());
        for batch in &batches {
            let text = |raw: &&[u8]| events.texts.number(&RawString { bytes: raw, offset: 0 }.decode());
            let texts: Vec<TextId> = batch.texts.iter().map(text).collect();
            let global = |number: TextId| texts.get(number as usize).copied().unwrap_or(NONE);
            let pairs = &mut events.pairs;
            let pair = |&(pid, tid): &(TextId, TextId)| {
                let pair = (global(pid), global(tid));
                *pair_numbers.entry(pair).or_insert_with(|| {
                    pairs.push(pair);
                    u32::try_from(pairs.len() - 1).unwrap_or(NONE)
                })
            };
            let pairs = batch.pairs.iter().map(pair).collect();
            maps.push(Maps { texts, pairs, first_extra });
            first_extra += batch.extras.len();
        }
        let parts: Vec<(Vec<Event>, Vec<Extra>)> =
            batches.into_par_iter().zip(maps).map(|(batch, maps)| renumbered(batch, &maps)).collect();
        events.list.reserve_exact(parts.iter().map(|(list, _)| list.len()).sum());
        events.extras.reserve_exact(first_extra);
        for (list, extras) in parts {
            events.list.extend_from_slice(&list);
            events.extras.extend_from_slice(&extras);
        }
        events
    }

    pub(super) fn extra(&self, event: &Event) -> &Extra {
        self.extras.get(event.extra as usize).unwrap_or(&Extra::EMPTY)
    }

    /// Number of the process of an event.
    pub(super) fn pid(&self, event: &Event) -> TextId {
        self.pairs.get(event.pair as usize).map_or(NONE, |pair| pair.0)
    }
}

fn renumbered(batch: Batch<'_>, maps: &Maps) -> (Vec<Event>, Vec<Extra>) {
    let text = |number: TextId| maps.texts.get(number as usize).copied().unwrap_or(NONE);
    let mut events = batch.events;
    for event in &mut events {
        event.name = text(event.name);
        event.cat = text(event.cat);
        event.pair = maps.pairs.get(event.pair as usize).copied().unwrap_or(NONE);
        if event.extra != NONE {
            event.extra = u32::try_from(maps.first_extra + event.extra as usize).unwrap_or(NONE);
        }
    }
    let mut extras = batch.extras;
    for extra in &mut extras {
        extra.scope = text(extra.scope);
        extra.cname = text(extra.cname);
    }
    (events, extras)
}

/// Whether two ids are of one kind and text.
pub(super) fn same_id(text: &[u8], a: &super::event::Id, b: &super::event::Id) -> bool {
    if a.kind != b.kind || a.hash != b.hash {
        return false;
    }
    if a.kind == IdKind::None || a.offset == b.offset {
        return true;
    }
    match (text_at(text, a.offset), text_at(text, b.offset)) {
        (Some(a), Some(b)) if a.bytes.contains(&b'\\') || b.bytes.contains(&b'\\') => a.decode() == b.decode(),
        (Some(a), Some(b)) => a.bytes == b.bytes,
        _ => false,
    }
}
