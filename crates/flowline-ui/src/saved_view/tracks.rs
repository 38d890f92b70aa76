//! The part of a saved view about tracks: collapsed and hidden tracks, and their order.

use std::collections::{BTreeMap, BTreeSet};

use super::format::{GroupPart, SavedTracks};
use super::names::Names;
use flowline_profile::{GroupKind, ProcessId, ThreadId};
use flowline_view::{TrackOrder, Tracks};

/// Every set is saved, because the initial expansion depends on the window.
pub(super) fn saved(tracks: &Tracks, names: &Names<'_>) -> SavedTracks {
    let order = &tracks.order;
    let in_order = |threads: &Vec<ThreadId>| threads.iter().map(|id| names.thread(*id)).collect();
    SavedTracks {
        expanded: names.threads(&tracks.expanded),
        collapsed: names.processes(&tracks.collapsed),
        hidden: names.threads(&tracks.hidden),
        with_empty_threads: names.processes(&tracks.show_empty),
        folded_groups: groups(&tracks.collapsed_groups, names),
        all_groups: names.threads(&tracks.all_groups),
        hide_empty_rows: tracks.hide_empty_rows,
        flow_tracks: names.flow_tracks(&tracks.flow_tracks),
        counters: names.owners(&tracks.counters),
        network: names.processes(&tracks.network),
        custom_tracks: tracks.custom.iter().copied().collect(),
        stack_charts: names.threads(&tracks.stack_charts),
        all_markers: tracks.all_markers,
        top_threads: in_order(&order.pinned),
        process_order: order.processes.iter().map(|id| names.process(*id)).collect(),
        thread_order: order.threads.values().map(in_order).collect(),
    }
}

/// Collapsed groups: the thread, then its groups.
fn groups(collapsed: &BTreeSet<(ThreadId, GroupKind)>, names: &Names<'_>) -> Vec<Vec<GroupPart>> {
    let mut by_thread: BTreeMap<ThreadId, Vec<GroupPart>> = BTreeMap::new();
    for (thread, group) in collapsed {
        let parts = by_thread.entry(*thread).or_insert_with(|| vec![GroupPart::Thread(names.thread(*thread))]);
        parts.push(GroupPart::Group(names.group(*group)));
    }
    by_thread.into_values().collect()
}

fn read_groups(saved: &[Vec<GroupPart>], names: &Names<'_>) -> BTreeSet<(ThreadId, GroupKind)> {
    let mut collapsed = BTreeSet::new();
    for parts in saved {
        let Some((GroupPart::Thread(thread), groups)) = parts.split_first() else { continue };
        let Some(thread) = names.find_thread(thread) else { continue };
        for group in groups {
            if let GroupPart::Group(group) = group
                && let Some(group) = names.find_group(group)
            {
                collapsed.insert((thread, group));
            }
        }
    }
    collapsed
}

/// Restores the state of tracks.
pub(super) fn show(saved: &SavedTracks, tracks: &mut Tracks, names: &Names<'_>) {
    tracks.expanded = names.find_threads(&saved.expanded);
    tracks.collapsed = names.find_processes(&saved.collapsed);
    tracks.hidden = names.find_threads(&saved.hidden);
    tracks.show_empty = names.find_processes(&saved.with_empty_threads);
    tracks.collapsed_groups = read_groups(&saved.folded_groups, names);
    tracks.all_groups = names.find_threads(&saved.all_groups);
    tracks.hide_empty_rows = saved.hide_empty_rows;
    tracks.flow_tracks = names.find_flow_tracks(&saved.flow_tracks);
    tracks.counters = names.find_owners(&saved.counters);
    tracks.network = names.find_processes(&saved.network);
    tracks.custom = saved.custom_tracks.iter().copied().collect();
    tracks.stack_charts = names.find_threads(&saved.stack_charts);
    tracks.all_markers = saved.all_markers;
    tracks.order = read_order(saved, names);
}

/// Removes duplicate items; keeps the first of each.
fn once<T: Ord + Copy>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = BTreeSet::new();
    items.filter(|item| seen.insert(*item)).collect()
}

fn read_order(saved: &SavedTracks, names: &Names<'_>) -> TrackOrder {
    let find = |threads: &[String]| once(threads.iter().filter_map(|name| names.find_thread(name)));
    let processes = saved.process_order.iter().filter_map(|name| names.find_process(name));
    let mut order =
        TrackOrder { processes: once(processes), pinned: find(&saved.top_threads), threads: BTreeMap::new() };
    for threads in &saved.thread_order {
        let own = find(threads);
        let process = |id: &ThreadId| names.index.profile().thread(*id).process;
        let first: Option<ProcessId> = own.first().map(process);
        if let Some(owner) = first {
            order.threads.insert(owner, own.into_iter().filter(|id| process(id) == owner).collect());
        }
    }
    order
}
