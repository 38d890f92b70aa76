//! Network requests: a START row opens a request by its `data.id`, and a row with any other status closes it.

use std::collections::BTreeMap;

use super::context::ThreadContext;
use super::output::Output;
use super::rows::MarkerRows;
use flowline_profile::{MarkerFlags, StringId, Supplement, Value, WarningKind};

/// Open requests, by id.
#[derive(Default)]
pub(super) struct Network {
    open: BTreeMap<String, (usize, StringId)>,
}

impl Network {
    /// Handles a row of type `Network`; `false` if it lacks an id or a status.
    pub(super) fn take(
        &mut self,
        context: &ThreadContext<'_>,
        row: usize,
        name: StringId,
        out: &mut Output<'_>,
    ) -> bool {
        let payload = context.payload_value(row);
        let (Some(id), Some(status)) = (request_id(&payload), payload.get("status").and_then(Value::as_str)) else {
            return false;
        };
        let Some(own_start) = context.start(row) else {
            out.warn(WarningKind::BadTime, row);
            return true;
        };
        if status.ends_with("START") {
            if let Some((lost, name)) = self.open.insert(id, (row, name)) {
                unfinished(context, MarkerRows::replaced_by(lost, row), name, out);
            }
            return true;
        }
        let end = context.end(row).unwrap_or(own_start).max(own_start);
        match self.open.remove(&id) {
            Some((start_row, _)) => {
                let start = context.start(start_row).unwrap_or(own_start).min(end);
                let mut marker = context.marker(row, name, start, end, MarkerFlags::default());
                marker.supplement =
                    Some(Box::new(Supplement::Network { start: context.payload(start_row), fetch_start: own_start }));
                out.emit(marker, MarkerRows::pair(start_row, row));
            }
            None => {
                out.warn(WarningKind::UnmatchedNetwork, row);
                let start = context.range.start.min(own_start);
                let mut marker = context.marker(row, name, start, end, MarkerFlags::INCOMPLETE);
                marker.supplement = Some(Box::new(Supplement::Network {
                    start: flowline_profile::PayloadRef::NONE,
                    fetch_start: own_start,
                }));
                out.emit(marker, MarkerRows::one(row));
            }
        }
        true
    }

    /// Requests without an end last until the end of their thread.
    pub(super) fn finish(self, context: &ThreadContext<'_>, out: &mut Output<'_>) {
        let mut rest: Vec<_> = self.open.into_values().collect();
        rest.sort_unstable();
        for (row, name) in rest {
            unfinished(context, MarkerRows::one(row), name, out);
        }
    }
}

fn unfinished(context: &ThreadContext<'_>, rows: MarkerRows, name: StringId, out: &mut Output<'_>) {
    let row = rows.own as usize;
    out.warn(WarningKind::UnmatchedNetwork, row);
    let start = context.start(row).unwrap_or(context.range.start);
    let end = context.range.end.max(start);
    out.emit(context.marker(row, name, start, end, MarkerFlags::INCOMPLETE), rows);
}

fn request_id(payload: &Value) -> Option<String> {
    match payload.get("id")? {
        Value::Null => None,
        id => Some(id.display_js()),
    }
}
