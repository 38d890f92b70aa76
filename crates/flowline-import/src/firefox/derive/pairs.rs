//! Pairs starts with ends, by a stack of open starts per name. Intervals of one name can overlap, and last-in-first-out
//! alone would pair the wrong rows. An end with an `intervalIndex` therefore prefers the innermost start with the same
//! one, and an end with flow ids the innermost start with one of them. Indexes are read only while several intervals of
//! a name are open.
//!
//! Every row enters and leaves each list once, so the time is linear for any input.

use std::hash::BuildHasher;
use std::sync::LazyLock;

use foldhash::HashMap;
use foldhash::fast::{FixedState, RandomState};

use super::context::ThreadContext;
use super::output::Output;
use super::rows::MarkerRows;
use flowline_json::fast_path;
use flowline_profile::{MarkerFlags, Ns, PayloadRef, StringId, Value, WarningKind};

/// Open starts.
#[derive(Default)]
pub(super) struct Pairs {
    /// By name.
    by_name: Vec<OpenStarts>,
    /// For every row, true if it is an open start: the lists may contain rows that are already paired.
    open: Vec<bool>,
    /// The flow ids of a row.
    ids: Vec<FlowKey>,
}

/// The open starts of one name, innermost last: all of them, and by flow.
#[derive(Default)]
struct OpenStarts {
    all: Vec<usize>,
    /// Number of rows in `all` whose `intervalIndex` is in `by_index`.
    indexed: usize,
    by_index: HashMap<FlowKey, Vec<usize>>,
    by_flow: HashMap<FlowKey, Vec<usize>>,
}

/// A flow id as two hashes of its text. One is seeded at random, so texts with two equal hashes cannot be constructed.
type FlowKey = (u64, u64);

fn flow_key(text: &[u8]) -> FlowKey {
    static SEEDED: LazyLock<RandomState> = LazyLock::new(RandomState::default);
    (FixedState::default().hash_one(text), SEEDED.hash_one(text))
}

impl Pairs {
    pub(super) fn open(&mut self, context: &ThreadContext<'_>, row: usize, name: StringId, out: &mut Output<'_>) {
        if context.start(row).is_none() {
            return out.warn(WarningKind::BadTime, row);
        }
        if self.by_name.len() <= name.index() {
            self.by_name.resize_with(name.index() + 1, OpenStarts::default);
        }
        let starts = &mut self.by_name[name.index()];
        // Paired rows at the end have been removed.
        starts.indexed = starts.indexed.min(starts.all.len());
        starts.all.push(row);
        if starts.all.len() > 1 {
            for open in &starts.all[starts.indexed..] {
                let key = interval_index(context, *open);
                key.into_iter().for_each(|key| starts.by_index.entry(key).or_default().push(*open));
            }
            starts.indexed = starts.all.len();
        }
        flow_ids(context, row, &mut self.ids);
        for flow in &self.ids {
            starts.by_flow.entry(*flow).or_default().push(row);
        }
        self.open.resize(context.raw.markers.len(), false);
        self.open[row] = true;
    }

    pub(super) fn close(&mut self, context: &ThreadContext<'_>, row: usize, name: StringId, out: &mut Output<'_>) {
        let Some(end) = context.end(row) else { return out.warn(WarningKind::BadTime, row) };
        let Some(start_row) = self.take_start(context, name, row) else {
            out.warn(WarningKind::UnmatchedEnd, row);
            let start = end.min(context.range.start);
            return out.emit(context.marker(row, name, start, end, MarkerFlags::INCOMPLETE), MarkerRows::one(row));
        };
        let start = context.start(start_row).unwrap_or(end);
        if end < start {
            out.warn(WarningKind::NegativeDuration, row);
        }
        let marker = paired_marker(context, start_row, row, name, start.min(end), start.max(end));
        out.emit(marker, MarkerRows::pair(start_row, row));
    }

    /// Removes the start that belongs to the end at `row`: the innermost start with one of its flows, else the
    /// innermost.
    fn take_start(&mut self, context: &ThreadContext<'_>, name: StringId, row: usize) -> Option<usize> {
        let starts = self.by_name.get_mut(name.index())?;
        let open = &mut self.open;
        // Paired rows are removed lazily.
        let innermost = |rows: &mut Vec<usize>| {
            while rows.pop_if(|row| !open[*row]).is_some() {}
            rows.last().copied()
        };
        self.ids.clear();
        if !starts.by_flow.is_empty() {
            flow_ids(context, row, &mut self.ids);
        }
        let own_index = if starts.by_index.is_empty() { None } else { interval_index(context, row) };
        if let Some(found) = own_index.and_then(|key| starts.by_index.get_mut(&key).and_then(innermost)) {
            open[found] = false;
            return Some(found);
        }
        let same = self.ids.iter().filter_map(|flow| starts.by_flow.get_mut(flow).and_then(innermost)).max();
        let found = same.or_else(|| innermost(&mut starts.all))?;
        starts.indexed = starts.indexed.min(starts.all.len());
        open[found] = false;
        Some(found)
    }

    /// Starts without an end last until the end of their thread.
    pub(super) fn finish(mut self, context: &ThreadContext<'_>, out: &mut Output<'_>) {
        let named = (0..).map(StringId).zip(self.by_name);
        let named = named.flat_map(|(name, starts)| starts.all.into_iter().map(move |row| (row, name)));
        let mut rest: Vec<(usize, StringId)> = named.filter(|(row, _)| std::mem::take(&mut self.open[*row])).collect();
        rest.sort_unstable();
        for (row, name) in rest {
            let start = context.start(row).unwrap_or(Ns(0));
            out.warn(WarningKind::UnmatchedStart, row);
            let end = context.range.end.max(start);
            out.emit(context.marker(row, name, start, end, MarkerFlags::INCOMPLETE), MarkerRows::one(row));
        }
    }
}

/// The marker of a start and an end. Category and payload are the end's.
fn paired_marker(
    context: &ThreadContext<'_>,
    start_row: usize,
    end_row: usize,
    name: StringId,
    start: Ns,
    end: Ns,
) -> flowline_profile::Marker {
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

/// The flow ids of a payload; indexes into the thread's string table are resolved.
fn flow_ids(context: &ThreadContext<'_>, row: usize, ids: &mut Vec<FlowKey>) {
    ids.clear();
    let Some(kind) = context.kind(row).filter(|kind| !kind.flow_keys.is_empty()) else { return };
    if fast_flow_ids(context, row, &kind.flow_keys, ids).is_some() {
        return;
    }
    ids.clear();
    let payload = context.payload_value(row);
    for (key, _) in &kind.flow_keys {
        let found = match payload.get(key) {
            None => &[][..],
            Some(Value::List(ids)) => ids,
            Some(id) => std::slice::from_ref(id),
        };
        for id in found.iter().filter(|id| !id.is_null()) {
            let index = if let Value::Int(index) = id { u64::try_from(*index).ok() } else { None };
            let text = index.and_then(|index| context.strings.get(context.source.bytes(), index));
            ids.push(flow_key(text.unwrap_or_else(|| id.display_js()).as_bytes()));
        }
    }
}

/// The `intervalIndex` of a payload.
fn interval_index(context: &ThreadContext<'_>, row: usize) -> Option<FlowKey> {
    const KEY: &str = "intervalIndex";
    const WORD: u64 = fast_path::key_word(KEY.as_bytes());
    let (text, start) = (context.source.bytes(), context.payload(row).offset()?);
    let mut found = None;
    let usual = fast_path::members(text, start, |word, key, value| {
        if !fast_path::is_key(text, key, word, KEY.as_bytes(), WORD) {
            return fast_path::value_end(text, value);
        }
        let (raw, end) = fast_path::scalar(text, value)?;
        found = Some(flow_key(raw));
        Some(end)
    });
    if usual.is_some() {
        return found;
    }
    let payload = context.payload_value(row);
    payload.get(KEY).filter(|index| !index.is_null()).map(|index| flow_key(index.display_js().as_bytes()))
}

/// The fast path of [`flow_ids`]; `None` for an unusual payload.
fn fast_flow_ids(
    context: &ThreadContext<'_>,
    row: usize,
    keys: &[(String, u64)],
    ids: &mut Vec<FlowKey>,
) -> Option<()> {
    let text = context.source.bytes();
    // One bit per key, to detect repeated keys.
    let mut seen = 0_u64;
    fast_path::members(text, context.payload(row).offset()?, |word, key, value| {
        let is_key =
            |(name, name_word): &(String, u64)| fast_path::is_key(text, key, word, name.as_bytes(), *name_word);
        let Some(number) = keys.iter().position(is_key) else { return fast_path::value_end(text, value) };
        let bit = 1_u64.checked_shl(u32::try_from(number).ok()?)?;
        if seen & bit != 0 {
            return None;
        }
        seen |= bit;
        let (raw, end) = fast_path::scalar(text, value)?;
        let is_text = text[value] == b'"';
        if !is_text && raw == b"null" {
            return Some(end);
        }
        let index = if is_text { None } else { std::str::from_utf8(raw).ok()?.parse::<u64>().ok() };
        let raw = index.and_then(|index| context.strings.raw(text, index)).unwrap_or(raw);
        (raw.is_ascii() && !raw.contains(&b'\\')).then(|| ids.push(flow_key(raw)))?;
        Some(end)
    })
    .map(|_| ())
}
