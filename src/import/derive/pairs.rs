//! Start/End pairs: a stack of open starts per name. An end that names a flow prefers the innermost start of that
//! flow, because real recordings hold overlapping ones that plain last-in-first-out would join to strangers.
//!
//! Every row enters and leaves each list once, so a recording that only ever opens costs no more than any other.

use std::collections::{HashMap, HashSet};

use super::{Context, Output};
use crate::profile::{MarkerFlags, Ns, PayloadRef, StringId, Supplement, Value, WarningKind};

/// Starts that wait for their end.
#[derive(Default)]
pub(super) struct Pairs {
    by_name: HashMap<StringId, OpenStarts>,
    /// Rows of all starts that still wait: the lists below may hold rows that are taken already.
    open: HashSet<usize>,
}

/// The starts of one name, innermost last: all of them, and again by flow.
#[derive(Default)]
struct OpenStarts {
    all: Vec<usize>,
    by_flow: HashMap<String, Vec<usize>>,
}

impl Pairs {
    pub(super) fn open(&mut self, context: &Context<'_>, row: usize, name: StringId, out: &mut Output<'_>) {
        if context.start(row).is_none() {
            return out.warn(WarningKind::BadTime, row);
        }
        let starts = self.by_name.entry(name).or_default();
        starts.all.push(row);
        if let Some(flow) = flow_id(context, row) {
            starts.by_flow.entry(flow).or_default().push(row);
        }
        self.open.insert(row);
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
        let starts = self.by_name.get_mut(&name)?;
        let open = &mut self.open;
        let mut innermost = |rows: &mut Vec<usize>| {
            while let Some(row) = rows.pop() {
                if open.remove(&row) {
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
        let named =
            self.by_name.into_iter().flat_map(|(name, starts)| starts.all.into_iter().map(move |row| (row, name)));
        let mut rest: Vec<(usize, StringId)> = named.filter(|(row, _)| self.open.remove(row)).collect();
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
            marker.supplement = Some(Box::new(Supplement::Start(start_payload)));
        }
    }
    marker
}

/// The first flow id a payload names; indexes into the thread's string table are resolved.
fn flow_id(context: &Context<'_>, row: usize) -> Option<String> {
    let kind = context.kind(row)?;
    if kind.flow_keys.is_empty() {
        return None;
    }
    let payload = context.payload_value(row);
    let id = kind.flow_keys.iter().find_map(|key| payload.get(key).filter(|value| !value.is_null()))?;
    let index = if let Value::Int(index) = id { u64::try_from(*index).ok() } else { None };
    let text = index.and_then(|index| context.strings.get(context.source.bytes(), index));
    Some(text.unwrap_or_else(|| id.display_js()))
}
