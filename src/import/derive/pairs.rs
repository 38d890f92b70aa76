//! Start/End pairs: a stack of open starts per name. An end that names a flow prefers the innermost start of that
//! flow, because real recordings hold overlapping ones that plain last-in-first-out would join to strangers.

use std::collections::HashMap;

use super::{Context, Output};
use crate::profile::{MarkerFlags, Ns, PayloadRef, StringId, Supplement, Value, WarningKind};

/// Starts that wait for their end, innermost last.
#[derive(Default)]
pub(super) struct Pairs {
    open: HashMap<StringId, Vec<usize>>,
}

impl Pairs {
    pub(super) fn open(&mut self, context: &Context<'_>, row: usize, name: StringId, out: &mut Output<'_>) {
        if context.start(row).is_some() {
            self.open.entry(name).or_default().push(row);
        } else {
            out.warn(WarningKind::BadTime, row);
        }
    }

    pub(super) fn close(&mut self, context: &Context<'_>, row: usize, name: StringId, out: &mut Output<'_>) {
        let Some(end) = context.end(row) else { return out.warn(WarningKind::BadTime, row) };
        let Some(start_row) = self.open.get_mut(&name).and_then(|stack| take_partner(context, stack, row)) else {
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

    /// Starts that never ended last until their thread ends.
    pub(super) fn finish(self, context: &Context<'_>, out: &mut Output<'_>) {
        let mut rest: Vec<(usize, StringId)> =
            self.open.into_iter().flat_map(|(name, rows)| rows.into_iter().map(move |row| (row, name))).collect();
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
            marker.supplement = Some(Supplement::Start(start_payload));
        }
    }
    marker
}

/// Takes the start that belongs to the end at `row` off the stack.
fn take_partner(context: &Context<'_>, stack: &mut Vec<usize>, row: usize) -> Option<usize> {
    if stack.len() > 1 {
        if let Some(flow) = flow_id(context, row) {
            let same = stack.iter().rposition(|&start| flow_id(context, start).as_ref() == Some(&flow));
            if let Some(position) = same {
                return Some(stack.remove(position));
            }
        }
    }
    stack.pop()
}

/// The first flow id a payload names: an index into the thread's string table or the string itself.
fn flow_id(context: &Context<'_>, row: usize) -> Option<Value> {
    let kind = context.kind(row)?;
    if kind.flow_keys.is_empty() {
        return None;
    }
    let payload = context.payload_value(row);
    kind.flow_keys.iter().find_map(|key| payload.get(key).filter(|value| !value.is_null()).cloned())
}
