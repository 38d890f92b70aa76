//! The part of a saved view about tracks: collapsed and hidden tracks, and their order.

use std::collections::{BTreeMap, BTreeSet};

use super::names::Names;
use crate::table_state::{Members, is_on, items};
use flowline_profile::{GroupKind, ProcessId, ThreadId, Value};
use flowline_view::{TrackOrder, Tracks};

/// Every set is written, because the initial expansion depends on the window.
pub(super) fn write(tracks: &Tracks, names: &Names<'_>) -> Value {
    let mut members = Members::default();
    members.list("expanded", names.threads(&tracks.expanded));
    members.list("collapsed", names.processes(&tracks.collapsed));
    members.list("hidden", names.threads(&tracks.hidden));
    members.list("with_empty_threads", names.processes(&tracks.show_empty));
    members.list("folded_groups", groups(&tracks.collapsed_groups, names));
    members.list("all_groups", names.threads(&tracks.all_groups));
    members.flag("hide_empty_rows", tracks.hide_empty_rows);
    members.list("flow_tracks", names.flow_tracks(&tracks.flow_tracks));
    members.list("counters", names.owners(&tracks.counters));
    members.list("network", names.processes(&tracks.network));
    // Custom tracks are built after the recording is shown, so they are identified by number.
    members.list("custom_tracks", tracks.custom.iter().map(|number| Value::Int((*number).into())).collect());
    members.list("stack_charts", names.threads(&tracks.stack_charts));
    members.flag("all_markers", tracks.all_markers);
    let order = &tracks.order;
    let in_order = |threads: &Vec<ThreadId>| Value::List(threads.iter().map(|id| names.thread(*id)).collect());
    members.list("top_threads", order.pinned.iter().map(|id| names.thread(*id)).collect());
    members.list("process_order", order.processes.iter().map(|id| names.process(*id)).collect());
    members.list("thread_order", order.threads.values().map(in_order).collect());
    members.object()
}

/// Collapsed groups: the thread, then its groups.
fn groups(collapsed: &BTreeSet<(ThreadId, GroupKind)>, names: &Names<'_>) -> Vec<Value> {
    let mut by_thread: BTreeMap<ThreadId, Vec<Value>> = BTreeMap::new();
    for (thread, group) in collapsed {
        by_thread.entry(*thread).or_default().push(names.group(*group));
    }
    let of = |(thread, groups)| Value::List(std::iter::once(names.thread(thread)).chain(groups).collect());
    by_thread.into_iter().map(of).collect()
}

fn read_groups(value: Option<&Value>, names: &Names<'_>) -> BTreeSet<(ThreadId, GroupKind)> {
    let of = |entry: &Value| {
        let (thread, groups) = items(Some(entry)).split_first()?;
        let thread = names.find_thread(thread)?;
        Some(groups.iter().filter_map(|group| Some((thread, names.find_group(group)?))).collect::<Vec<_>>())
    };
    items(value).iter().filter_map(of).flatten().collect()
}

/// Restores the state of tracks.
pub(super) fn read(value: &Value, tracks: &mut Tracks, names: &Names<'_>) {
    tracks.expanded = names.find_threads(value.get("expanded"));
    tracks.collapsed = names.find_processes(value.get("collapsed"));
    tracks.hidden = names.find_threads(value.get("hidden"));
    tracks.show_empty = names.find_processes(value.get("with_empty_threads"));
    tracks.collapsed_groups = read_groups(value.get("folded_groups"), names);
    tracks.all_groups = names.find_threads(value.get("all_groups"));
    tracks.hide_empty_rows = is_on(value, "hide_empty_rows");
    tracks.flow_tracks = names.find_flow_tracks(value.get("flow_tracks"));
    tracks.counters = names.find_owners(value.get("counters"));
    tracks.network = names.find_processes(value.get("network"));
    let numbers = items(value.get("custom_tracks")).iter().filter_map(Value::as_i64);
    tracks.custom = numbers.filter_map(|number| u32::try_from(number).ok()).collect();
    tracks.stack_charts = names.find_threads(value.get("stack_charts"));
    tracks.all_markers = is_on(value, "all_markers");
    tracks.order = read_order(value, names);
}

/// Removes duplicate items; keeps the first of each.
fn once<T: Ord + Copy>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = BTreeSet::new();
    items.filter(|item| seen.insert(*item)).collect()
}

fn read_order(value: &Value, names: &Names<'_>) -> TrackOrder {
    let find = |value: Option<&Value>| once(items(value).iter().filter_map(|name| names.find_thread(name)));
    let processes = items(value.get("process_order")).iter().filter_map(|name| names.find_process(name));
    let mut order =
        TrackOrder { processes: once(processes), pinned: find(value.get("top_threads")), threads: BTreeMap::new() };
    for list in items(value.get("thread_order")) {
        let own = find(Some(list));
        let process = |id: &ThreadId| names.index.profile().thread(*id).process;
        let first: Option<ProcessId> = own.first().map(process);
        if let Some(owner) = first {
            order.threads.insert(owner, own.into_iter().filter(|id| process(id) == owner).collect());
        }
    }
    order
}
