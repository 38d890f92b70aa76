//! What the numbers in events refer to: strings, labels, processes with threads, and extras of the whole trace.

use super::batch::{Batch, PairTable};
use super::event::Event;
use super::ids::{Extra, Id, IdKind, NO_TIME, NONE, TextId};
use flowline_json::RawString;
use flowline_profile::{Ns, StringId, Strings};

/// All strings of a trace.
#[derive(Debug, Default)]
pub(super) struct TraceStrings {
    strings: Strings,
}

impl TraceStrings {
    pub(super) fn intern(&mut self, text: &str) -> TextId {
        self.strings.intern(text).0
    }

    /// The string of a number; empty for [`NONE`].
    pub(super) fn get(&self, number: TextId) -> &str {
        self.strings.get(StringId(number))
    }

    pub(super) fn len(&self) -> usize {
        self.strings.len()
    }

    /// Heap bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.strings.bytes()
    }
}

/// Extras by number. Nearly all hold an id only, so the other members are in a list of their own.
#[derive(Debug, Default)]
pub(super) struct Extras {
    /// The id of each, and the number of its other members; [`NONE`] without any.
    ids: Vec<(Id, u32)>,
    others: Vec<Extra>,
}

impl Extras {
    fn push(&mut self, extra: Extra) {
        let empty = Extra::EMPTY;
        let has_others = extra.bind.kind() != IdKind::None
            || (extra.scope, extra.cname, extra.dur, extra.more) != (empty.scope, empty.cname, empty.dur, empty.more);
        let others = if has_others { u32::try_from(self.others.len()).unwrap_or(NONE) } else { NONE };
        self.ids.push((extra.id, others));
        self.others.extend(has_others.then_some(extra));
    }

    #[inline]
    fn get(&self, number: u32) -> Extra {
        let Some((id, others)) = self.ids.get(number as usize) else { return Extra::EMPTY };
        match self.others.get(*others as usize) {
            Some(extra) => *extra,
            None => Extra { id: *id, ..Extra::EMPTY },
        }
    }
}

/// The tables that the numbers in events refer to.
#[derive(Debug, Default)]
pub(super) struct Trace {
    extras: Extras,
    pub(super) texts: TraceStrings,
    /// Pairs of name and category.
    pub(super) labels: PairTable,
    /// Pairs of process and thread.
    pub(super) pairs: PairTable,
    /// The latest time of all events that are drawn.
    pub(super) last: Option<Ns>,
    /// Whether any event has a colour.
    pub(super) has_colors: bool,
    /// Whether any event has a `bind_id` or `flow_ids`.
    pub(super) has_bind_ids: bool,
}

impl Trace {
    /// Adds the tables of a batch, and replaces the numbers in its events by those of the trace.
    pub(super) fn merge_batch(&mut self, batch: &mut Batch<'_>) {
        let Batch { events, extras, counts, texts, labels, pairs, global_ids, last, .. } = batch;
        self.last = self.last.max(*last);
        // Most strings of a reused batch have been added before.
        for raw in &texts.list[global_ids.texts.len()..] {
            global_ids.texts.push(self.texts.intern(&RawString { bytes: raw, offset: 0 }.decode()));
        }
        let global = |number: TextId| global_ids.texts.get(number as usize).copied().unwrap_or(NONE);
        for (from, to, known) in
            [(&*labels, &mut self.labels, &mut global_ids.labels), (&*pairs, &mut self.pairs, &mut global_ids.pairs)]
        {
            let new = &from.list[known.len()..];
            known.extend(new.iter().map(|&(first, second)| to.intern(global(first), global(second))));
        }
        let first_extra = self.extras.ids.len();
        for event in events {
            event.label = global_ids.labels.get(event.label as usize).copied().unwrap_or(NONE);
            event.pair = global_ids.pairs.get(event.pair as usize).copied().unwrap_or(NONE);
            if event.extra != NONE {
                event.extra = u32::try_from(first_extra + event.extra as usize).unwrap_or(NONE);
            }
        }
        counts.renumber(global);
        for extra in extras {
            self.has_colors |= extra.cname != NONE;
            self.has_bind_ids |= extra.bind.kind() != IdKind::None;
            self.extras.push(Extra { scope: global(extra.scope), cname: global(extra.cname), ..*extra });
        }
    }

    /// Takes the extras when they are no longer needed.
    pub(super) fn take_extras(&mut self) -> Extras {
        std::mem::take(&mut self.extras)
    }

    #[inline]
    pub(super) fn extra(&self, event: &Event) -> Extra {
        self.extra_at(event.extra)
    }

    /// The extra of a number; [`Extra::EMPTY`] if there is none.
    #[inline]
    pub(super) fn extra_at(&self, number: u32) -> Extra {
        self.extras.get(number)
    }

    /// The duration of an event as written; [`NO_TIME`] if it has none.
    #[inline]
    pub(super) fn dur(&self, event: &Event) -> Ns {
        event.dur(|| self.extra(event).dur)
    }

    /// The end of an event as written: `ts`, plus `dur` for complete events.
    #[inline]
    pub(super) fn end(&self, event: &Event) -> Ns {
        match self.dur(event) {
            dur if event.ph() == b'X' && dur != NO_TIME => event.ts + dur,
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
