//! Start/End pairs: a stack of open starts per name. An end that names a flow prefers the innermost start of that
//! flow, because real recordings hold overlapping ones that plain last-in-first-out would join to strangers.
//!
//! Every row enters and leaves each list once, so a recording that only ever opens costs no more than any other.

use std::hash::BuildHasher;
use std::sync::LazyLock;

use foldhash::HashMap;
use foldhash::fast::{FixedState, RandomState};

use super::{Context, Output};
use crate::profile::json::plain;
use crate::profile::{MarkerFlags, Ns, PayloadRef, StringId, Value, WarningKind};

/// Starts that wait for their end.
#[derive(Default)]
pub(super) struct Pairs {
    /// By number of the name.
    by_name: Vec<OpenStarts>,
    /// For every row whether it is a start that still waits: the lists below may hold rows that are taken already.
    open: Vec<bool>,
}

/// The starts of one name, innermost last: all of them, and again by flow.
#[derive(Default)]
struct OpenStarts {
    all: Vec<usize>,
    by_flow: HashMap<FlowKey, Vec<usize>>,
}

/// A flow id by two hashes of its text, one of which nobody can foresee: where both are equal, the texts are.
type FlowKey = (u64, u64);

fn flow_key(text: &[u8]) -> FlowKey {
    static SEEDED: LazyLock<RandomState> = LazyLock::new(RandomState::default);
    (FixedState::default().hash_one(text), SEEDED.hash_one(text))
}

impl Pairs {
    pub(super) fn open(&mut self, context: &Context<'_>, row: usize, name: StringId, out: &mut Output<'_>) {
        if context.start(row).is_none() {
            return out.warn(WarningKind::BadTime, row);
        }
        if self.by_name.len() <= name.index() {
            self.by_name.resize_with(name.index() + 1, OpenStarts::default);
        }
        let starts = &mut self.by_name[name.index()];
        starts.all.push(row);
        if let Some(flow) = flow_id(context, row) {
            starts.by_flow.entry(flow).or_default().push(row);
        }
        self.open.resize(context.raw.markers.len(), false);
        self.open[row] = true;
    }

    pub(super) fn close(&mut self, context: &Context<'_>, row: usize, name: StringId, out: &mut Output<'_>) {
        let Some(end) = context.end(row) else { return out.warn(WarningKind::BadTime, row) };
        let Some(start_row) = self.take_partner(context, name, row) else {
            out.warn(WarningKind::UnmatchedEnd, row);
            let start = end.min(context.range.start);
            return out.emit(context.marker(row, name, start, end, MarkerFlags::INCOMPLETE));
        };
        let start = context.start(start_row).unwrap_or(end);
        if end < start {
            out.warn(WarningKind::NegativeDuration, row);
        }
        out.emit(joined(context, start_row, row, name, start.min(end), start.max(end)));
    }

    /// Takes the start that belongs to the end at `row`: the innermost of its flow, else the innermost.
    fn take_partner(&mut self, context: &Context<'_>, name: StringId, row: usize) -> Option<usize> {
        let starts = self.by_name.get_mut(name.index())?;
        let open = &mut self.open;
        let mut innermost = |rows: &mut Vec<usize>| {
            while let Some(row) = rows.pop() {
                if std::mem::take(&mut open[row]) {
                    return Some(row);
                }
            }
            None
        };
        let of_flow = if starts.by_flow.is_empty() { None } else { flow_id(context, row) };
        let same = of_flow.and_then(|flow| starts.by_flow.get_mut(&flow)).and_then(&mut innermost);
        same.or_else(|| innermost(&mut starts.all))
    }

    /// Starts that never ended last until their thread ends.
    pub(super) fn finish(mut self, context: &Context<'_>, out: &mut Output<'_>) {
        let named = (0..).map(StringId).zip(self.by_name);
        let named = named.flat_map(|(name, starts)| starts.all.into_iter().map(move |row| (row, name)));
        let mut rest: Vec<(usize, StringId)> = named.filter(|(row, _)| std::mem::take(&mut self.open[*row])).collect();
        rest.sort_unstable();
        for (row, name) in rest {
            let start = context.start(row).unwrap_or(Ns(0));
            out.warn(WarningKind::UnmatchedStart, row);
            let end = context.range.end.max(start);
            out.emit(context.marker(row, name, start, end, MarkerFlags::INCOMPLETE));
        }
    }
}

/// The marker of a start and its end: the end's category and payload win.
fn joined(
    context: &Context<'_>,
    start_row: usize,
    end_row: usize,
    name: StringId,
    start: Ns,
    end: Ns,
) -> crate::profile::Marker {
    let (start_payload, end_payload) = (context.payload(start_row), context.payload(end_row));
    let typed_by_end = context.kind(end_row).is_some();
    let facts_row = if typed_by_end { end_row } else { start_row };
    let mut marker = context.marker(facts_row, name, start, end, MarkerFlags::default());
    marker.category = context.marker(end_row, name, start, end, MarkerFlags::default()).category;
    if end_payload == PayloadRef::NONE {
        marker.payload = start_payload;
    } else {
        marker.payload = end_payload;
        if start_payload != PayloadRef::NONE {
            marker.begin = start_payload;
        }
    }
    marker
}

/// The first flow id a payload names; indexes into the thread's string table are resolved.
fn flow_id(context: &Context<'_>, row: usize) -> Option<FlowKey> {
    let kind = context.kind(row)?;
    if kind.flow_keys.is_empty() {
        return None;
    }
    if let Some(found) = plain_flow_id(context, row, &kind.flow_keys) {
        return found;
    }
    let payload = context.payload_value(row);
    let id = kind.flow_keys.iter().find_map(|(key, _)| payload.get(key).filter(|value| !value.is_null()))?;
    let index = if let Value::Int(index) = id { u64::try_from(*index).ok() } else { None };
    let text = index.and_then(|index| context.strings.get(context.source.bytes(), index));
    Some(flow_key(text.unwrap_or_else(|| id.display_js()).as_bytes()))
}

/// The same for a payload that is written plainly; `None` for any other.
fn plain_flow_id(context: &Context<'_>, row: usize, keys: &[(String, u64)]) -> Option<Option<FlowKey>> {
    let text = context.source.bytes();
    // Number of the key, and the value as it is written.
    let mut first: Option<(usize, &[u8], bool)> = None;
    plain::members(text, context.payload(row).offset()?, |word, key, value| {
        let is_key = |(name, name_word): &(String, u64)| plain::is_key(text, key, word, name.as_bytes(), *name_word);
        let Some(number) = keys.iter().position(is_key) else { return plain::value_end(text, value) };
        let (raw, end) = plain::scalar(text, value)?;
        // Of a repeated key the last counts.
        if first.is_none_or(|(known, ..)| number <= known) {
            first = Some((number, raw, text[value] == b'"'));
        }
        Some(end)
    })?;
    let Some((_, raw, is_text)) = first else { return Some(None) };
    let index = if is_text { None } else { std::str::from_utf8(raw).ok()?.parse::<u64>().ok() };
    let raw = index.and_then(|index| context.strings.raw(text, index)).unwrap_or(raw);
    (raw.is_ascii() && !raw.contains(&b'\\')).then(|| Some(flow_key(raw)))
}
