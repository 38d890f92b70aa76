//! Compositor screenshots: each lasts until the next one of its window, or until the window is destroyed.

use std::collections::BTreeMap;

use super::context::ThreadContext;
use super::output::Output;
use super::rows::MarkerRows;
use flowline_profile::{MarkerFlags, Ns, StringId, Value, WarningKind};

/// The latest screenshot of each window.
#[derive(Default)]
pub(super) struct Screenshots {
    open: BTreeMap<String, (usize, StringId)>,
}

impl Screenshots {
    /// Handles a screenshot, or the end of a window's last one; `false` if it has no window.
    pub(super) fn take(
        &mut self,
        context: &ThreadContext<'_>,
        row: usize,
        name: StringId,
        destroyed: bool,
        out: &mut Output<'_>,
    ) -> bool {
        let payload = context.payload_value(row);
        let Some(window) = payload.get("windowID").filter(|id| !id.is_null()).map(Value::display_js) else {
            return false;
        };
        let Some(time) = context.start(row) else {
            out.warn(WarningKind::BadTime, row);
            return true;
        };
        let before = if destroyed { self.open.remove(&window) } else { self.open.insert(window, (row, name)) };
        if let Some((shot, name)) = before {
            emit_until(context, MarkerRows::until(shot, row), name, time, out);
        }
        true
    }

    /// The last screenshot of each window lasts until the range ends.
    pub(super) fn finish(self, context: &ThreadContext<'_>, out: &mut Output<'_>) {
        let mut rest: Vec<_> = self.open.into_values().collect();
        rest.sort_unstable();
        for (row, name) in rest {
            emit_until(context, MarkerRows::one(row), name, context.range.end, out);
        }
    }
}

fn emit_until(context: &ThreadContext<'_>, rows: MarkerRows, name: StringId, end: Ns, out: &mut Output<'_>) {
    let row = rows.own as usize;
    let start = context.start(row).unwrap_or(end);
    out.emit(context.marker(row, name, start, end.max(start), MarkerFlags::default()), rows);
}
