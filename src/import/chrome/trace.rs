//! What events refer to, in numbers of the whole trace: texts, labels, processes with threads, and what only some have.

use foldhash::HashMap;

use super::batch::{Batch, Pairs};
use super::event::{Event, NONE, TextId};
use super::ids::Extra;
use crate::profile::Ns;
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

/// What the numbers in events stand for.
#[derive(Debug, Default)]
pub(super) struct Trace {
    extras: Vec<Extra>,
    pub(super) texts: Texts,
    /// Name and category.
    pub(super) labels: Pairs,
    /// Process and thread.
    pub(super) pairs: Pairs,
}

impl Trace {
    /// Takes over what a batch refers to, and makes the numbers in its events those of the trace.
    pub(super) fn adopt(&mut self, batch: &mut Batch<'_>) {
        let Batch { events, extras, texts, labels, pairs, adopted, .. } = batch;
        // A batch that is used again has brought most of it before.
        for raw in &texts.list[adopted.texts.len()..] {
            adopted.texts.push(self.texts.number(&RawString { bytes: raw, offset: 0 }.decode()));
        }
        let global = |number: TextId| adopted.texts.get(number as usize).copied().unwrap_or(NONE);
        for (from, to, known) in
            [(&*labels, &mut self.labels, &mut adopted.labels), (&*pairs, &mut self.pairs, &mut adopted.pairs)]
        {
            let new = &from.list[known.len()..];
            known.extend(new.iter().map(|&(first, second)| to.number(global(first), global(second))));
        }
        let first_extra = self.extras.len();
        for event in events {
            event.label = adopted.labels.get(event.label as usize).copied().unwrap_or(NONE);
            event.pair = adopted.pairs.get(event.pair as usize).copied().unwrap_or(NONE);
            if event.extra != NONE {
                event.extra = u32::try_from(first_extra + event.extra as usize).unwrap_or(NONE);
            }
        }
        let renumbered = |extra: &Extra| Extra { scope: global(extra.scope), cname: global(extra.cname), ..*extra };
        self.extras.extend(extras.iter().map(renumbered));
    }

    /// What only some events have, once nobody asks for it any more.
    pub(super) fn take_extras(&mut self) -> Vec<Extra> {
        std::mem::take(&mut self.extras)
    }

    pub(super) fn extra(&self, event: &Event) -> &Extra {
        self.extra_of(event.extra)
    }

    pub(super) fn extra_of(&self, number: u32) -> &Extra {
        self.extras.get(number as usize).unwrap_or(&Extra::EMPTY)
    }

    /// How long an event lasts, as written.
    #[inline]
    pub(super) fn dur(&self, event: &Event) -> Ns {
        event.dur(|| self.extra(event).dur)
    }

    /// End as written: `ts`, of complete events plus `dur`.
    #[inline]
    pub(super) fn end(&self, event: &Event) -> Ns {
        match self.dur(event) {
            dur if event.ph() == b'X' && dur != super::event::NO_TIME => event.ts + dur,
            _ => event.ts,
        }
    }

    /// Number of the process of an event.
    pub(super) fn pid(&self, event: &Event) -> TextId {
        self.pairs.get(event.pair).0
    }

    /// Number of the name of a label.
    pub(super) fn name(&self, label: u32) -> TextId {
        self.labels.get(label).0
    }

    /// Number of the category of a label.
    pub(super) fn cat(&self, label: u32) -> TextId {
        self.labels.get(label).1
    }
}
