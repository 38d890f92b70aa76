//! Tables of the whole trace that the numbers in events refer to: strings, labels, processes with threads, and extras.

use super::batch::{Batch, BatchText, PairTable};
use super::event::Event;
use super::ids::{Extra, Id, IdKind, NO_TIME, NONE, TextId};
use flowline_json::RawString;
use flowline_profile::{Ns, StringId, Strings};

/// All strings of a trace.
#[derive(Debug, Default)]
pub(crate) struct TraceStrings {
    strings: Strings,
}

impl TraceStrings {
    pub(crate) fn intern(&mut self, text: &str) -> TextId {
        self.strings.intern(text).0
    }

    /// Returns the string of a number; empty for [`NONE`].
    pub(crate) fn get(&self, number: TextId) -> &str {
        self.strings.get(StringId(number))
    }

    pub(crate) fn len(&self) -> usize {
        self.strings.len()
    }

    /// Returns the size on the heap in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.strings.bytes()
    }
}

/// Extras by number. Nearly all have only an id, so the other members are in a separate list.
#[derive(Debug, Default)]
pub(crate) struct Extras {
    /// The id of each extra, and the number of its other members; [`NONE`] without any.
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
pub(crate) struct Trace {
    extras: Extras,
    pub(crate) texts: TraceStrings,
    /// Pairs of name and category.
    pub(crate) labels: PairTable,
    /// Pairs of process and thread.
    pub(crate) pairs: PairTable,
    /// The latest time of all drawn events.
    pub(crate) last: Option<Ns>,
    /// True if any event has a color.
    pub(crate) has_colors: bool,
    /// True if any event has a `bind_id` or `flow_ids`.
    pub(crate) has_bind_ids: bool,
    /// True if categories of end events select the begin events that they close.
    pub(crate) ends_have_categories: bool,
}

impl Trace {
    /// Adds the tables of a batch, and replaces the numbers in its events with trace-wide ones.
    pub(crate) fn merge_batch(&mut self, batch: &mut Batch<'_>) {
        let Batch { events, extras, counts, texts, labels, pairs, global_ids, last, .. } = batch;
        self.last = self.last.max(*last);
        // A reused batch has already added most of its strings.
        for text in &texts.list[global_ids.texts.len()..] {
            global_ids.texts.push(match text {
                BatchText::Raw(bytes) => self.texts.intern(&RawString { bytes, offset: 0 }.decode()),
                BatchText::Plain(text) => self.texts.intern(text),
            });
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

    /// Removes and returns the extras, to free them elsewhere.
    pub(crate) fn take_extras(&mut self) -> Extras {
        std::mem::take(&mut self.extras)
    }

    #[inline]
    pub(crate) fn extra(&self, event: &Event) -> Extra {
        self.extra_at(event.extra)
    }

    /// Returns the extra of a number; [`Extra::EMPTY`] if there is none.
    #[inline]
    pub(crate) fn extra_at(&self, number: u32) -> Extra {
        self.extras.get(number)
    }

    /// Returns the duration of an event as written; [`NO_TIME`] if it has none.
    #[inline]
    pub(crate) fn dur(&self, event: &Event) -> Ns {
        event.dur(|| self.extra(event).dur)
    }

    /// Returns the end of an event as written: `ts`, plus `dur` for complete events.
    #[inline]
    pub(crate) fn end(&self, event: &Event) -> Ns {
        match self.dur(event) {
            dur if event.ph() == b'X' && dur != NO_TIME => event.ts + dur,
            _ => event.ts,
        }
    }

    /// Returns the process number of an event.
    pub(crate) fn pid(&self, event: &Event) -> TextId {
        self.pairs.get(event.pair).0
    }

    /// Returns the name number of a label.
    pub(crate) fn name(&self, label: u32) -> TextId {
        self.labels.get(label).0
    }

    /// Returns the category number of a label.
    pub(crate) fn cat(&self, label: u32) -> TextId {
        self.labels.get(label).1
    }
}
