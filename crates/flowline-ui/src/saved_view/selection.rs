//! The part of a saved view about the selection: a marker or a call, rows, and threads.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::names::Names;
use crate::table_state::{Members, Words, choice, items, word};
use flowline_profile::{Arrangement, ThreadId, Value};
use flowline_session::Session;
use flowline_view::{RowSelection, RowSet, ViewState};

const ARRANGEMENTS: Words<Arrangement> = &[(Arrangement::ByName, "name"), (Arrangement::Stack, "stack")];

/// The selection. Rows are numbers from the first row of their thread, `[from, to, ...]`.
pub(super) fn write(view: &ViewState, names: &Names<'_>) -> Members {
    let mut members = Members::default();
    members.add("marker", view.selected.and_then(|marker| names.marker(marker)));
    members.add("call", view.selected_call.and_then(|call| names.call(call)));
    let chosen = &view.chosen;
    members.list("picked_threads", names.threads(&chosen.threads));
    members.add("anchor", chosen.anchor.map(|id| names.thread(id)));
    members.list("threads", names.threads(&chosen.rows.threads));
    members.list("samples", names.threads(&chosen.rows.samples));
    members.list("counters", names.counters(&chosen.rows.counters));
    let rows = |((thread, arrangement), rows): (&(ThreadId, Arrangement), &RowSet)| {
        let numbers = rows.ranges().iter().flat_map(|range| [range.start, range.end]);
        let head = [Some(names.thread(*thread)), word(ARRANGEMENTS, arrangement)];
        Value::List(head.into_iter().flatten().chain(numbers.map(|row| Value::Int(row.into()))).collect())
    };
    members.list("rows", chosen.rows.rows.iter().map(rows).collect());
    members
}

pub(super) fn read(value: &Value, session: &mut Session, names: &Names<'_>) {
    let view = &mut session.view;
    view.selected = names.find_marker(value.get("marker"));
    view.selected_call = if view.selected.is_some() { None } else { names.find_call(value.get("call")) };
    let rows = RowSelection {
        threads: names.find_threads(value.get("threads")),
        samples: names.find_threads(value.get("samples")),
        counters: names.find_counters(value.get("counters")),
        rows: read_rows(value, names),
    };
    let anchor = value.get("anchor").and_then(|name| names.find_thread(name));
    Arc::make_mut(&mut view.chosen).restore(rows, names.find_threads(value.get("picked_threads")), anchor);
}

fn read_rows(value: &Value, names: &Names<'_>) -> BTreeMap<(ThreadId, Arrangement), RowSet> {
    let mut chosen: BTreeMap<(ThreadId, Arrangement), RowSet> = BTreeMap::new();
    for entry in items(value.get("rows")) {
        let [thread, arrangement, numbers @ ..] = items(Some(entry)) else { continue };
        let key = names.find_thread(thread).zip(choice(ARRANGEMENTS, Some(arrangement)));
        let Some(key) = key else { continue };
        // A thread has at most as many rows as markers.
        let most = u32::try_from(names.index.profile().thread(key.0).markers.len()).unwrap_or(u32::MAX);
        let row = |value: &Value| value.as_i64().and_then(|row| u32::try_from(row).ok()).map(|row| row.min(most));
        let ranges = numbers.chunks_exact(2).filter_map(|pair| Some(row(&pair[0])?..row(&pair[1])?));
        let ranges: Vec<Range<u32>> = ranges.filter(|range| !range.is_empty()).collect();
        if !ranges.is_empty() {
            let rows = chosen.entry(key).or_default();
            ranges.into_iter().for_each(|range| rows.insert(range));
        }
    }
    chosen
}
