//! The part of a saved view about tracks: collapsed and hidden tracks, and their order.

use std::collections::{BTreeMap, BTreeSet};

use super::names::Names;
use super::track_format::{GroupPart, SavedQueryTrack, SavedTracks, TrackName};
use flowline_profile::{Arrangement, GroupKind, ProcessId, TabId, ThreadId};
use flowline_scene::{TRACK_KINDS, TrackKind, TrackPlace};
use flowline_session::selected_tab;
use flowline_view::{QueryTrack, TrackId, TrackOrder, Tracks};

/// Maximum number of query tracks that are read: each runs a query.
const MAX_QUERY_TRACKS: usize = 100;

/// Every set is saved, because the initial expansion depends on the window.
pub(super) fn saved(tracks: &Tracks, names: &Names<'_>) -> SavedTracks {
    let order = &tracks.order;
    let in_order = |threads: &Vec<ThreadId>| threads.iter().map(|id| names.thread(*id)).collect();
    SavedTracks {
        expanded: names.threads(&tracks.expanded),
        collapsed: names.processes(&tracks.collapsed),
        hidden: names.threads(&hidden_by_user(tracks)),
        tab: tracks.tab().map(|tab| tab.0),
        with_empty_threads: names.processes(&tracks.show_empty),
        open_groups: names.threads(&tracks.open_groups),
        shown_members: names.threads(&tracks.shown_members),
        shown_counters: names.counters(&tracks.shown_counters),
        compact: tracks.compact,
        folded_groups: groups(&tracks.collapsed_groups, names),
        all_groups: names.threads(&tracks.all_groups),
        hide_empty_rows: tracks.hide_empty_rows,
        flow_tracks: names.flow_tracks(&tracks.flow_tracks),
        counters: names.owners(&tracks.counters),
        stack_charts: names.threads(&tracks.stack_charts),
        all_markers: tracks.all_markers,
        queries: tracks.queries.iter().map(saved_query).collect(),
        top_threads: in_order(&order.pinned),
        process_order: order.processes.iter().map(|id| names.process(*id)).collect(),
        thread_order: order.threads.values().map(in_order).collect(),
        toggled: TRACK_KINDS.iter().filter_map(|kind| toggled(*kind, tracks, names)).collect(),
    }
}

/// The hidden threads without those that are hidden because another tab is selected.
fn hidden_by_user(tracks: &Tracks) -> BTreeSet<ThreadId> {
    let is_of_tab = |thread: &ThreadId| tracks.tab.as_ref().is_some_and(|tab| tab.hidden.contains(thread));
    tracks.hidden.iter().copied().filter(|thread| !is_of_tab(thread)).collect()
}

/// The key of a kind, and the tracks of the kind that the user collapsed or expanded; `None` without any. Tracks of processes
/// have the names of these. Others are derived after the recording is shown, so they are identified by number.
fn toggled(kind: &dyn TrackKind, tracks: &Tracks, names: &Names<'_>) -> Option<(String, Vec<TrackName>)> {
    let numbers = tracks.toggled.iter().filter(|track| track.kind == kind.key()).map(|track| track.number);
    let named: Vec<TrackName> = match kind.place() {
        TrackPlace::Top | TrackPlace::Thread => numbers.map(TrackName::Number).collect(),
        TrackPlace::Process => {
            let processes: BTreeSet<ProcessId> = numbers.map(ProcessId).collect();
            names.processes(&processes).into_iter().map(TrackName::Process).collect()
        }
    };
    (!named.is_empty()).then(|| (kind.key().to_owned(), named))
}

/// Restores the tracks of registered kinds.
fn read_toggled(saved: &BTreeMap<String, Vec<TrackName>>, names: &Names<'_>) -> BTreeSet<TrackId> {
    let mut toggled = BTreeSet::new();
    for kind in TRACK_KINDS {
        let named = saved.get(kind.key()).map_or(&[][..], Vec::as_slice);
        let track = |number| TrackId::new(kind.key(), number);
        match kind.place() {
            TrackPlace::Top | TrackPlace::Thread => {
                toggled.extend(named.iter().filter_map(TrackName::number).map(track));
            }
            TrackPlace::Process => {
                let processes: Vec<String> = named.iter().filter_map(TrackName::process).collect();
                toggled.extend(names.find_processes(&processes).into_iter().map(|process| track(process.0)));
            }
        }
    }
    toggled
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
    // The saved view lists their collapsed groups.
    tracks.opened = [Arrangement::Stack, Arrangement::ByName].map(|own| (own, tracks.expanded.clone())).into();
    tracks.collapsed = names.find_processes(&saved.collapsed);
    tracks.select_tab(None);
    tracks.hidden = names.find_threads(&saved.hidden);
    tracks.select_tab(saved.tab.and_then(|tab| selected_tab(names.index, TabId(tab))));
    tracks.show_empty = names.find_processes(&saved.with_empty_threads);
    tracks.open_groups = names.find_threads(&saved.open_groups);
    tracks.shown_members = names.find_threads(&saved.shown_members);
    tracks.shown_counters = names.find_counters(&saved.shown_counters);
    tracks.compact = saved.compact;
    tracks.collapsed_groups = read_groups(&saved.folded_groups, names);
    tracks.all_groups = names.find_threads(&saved.all_groups);
    tracks.hide_empty_rows = saved.hide_empty_rows;
    tracks.flow_tracks = names.find_flow_tracks(&saved.flow_tracks);
    tracks.counters = names.find_owners(&saved.counters);
    tracks.toggled = read_toggled(&saved.toggled, names);
    tracks.stack_charts = names.find_threads(&saved.stack_charts);
    tracks.all_markers = saved.all_markers;
    tracks.queries = read_queries(&saved.queries);
    tracks.order = TrackOrder { ranks: tracks.order.ranks.clone(), ..read_order(saved, names) };
}

/// Hides threads and orders tracks; everything else stays.
pub(super) fn arrange(saved: &SavedTracks, tracks: &mut Tracks, names: &Names<'_>) {
    tracks.hidden.extend(names.find_threads(&saved.hidden));
    tracks.order = TrackOrder { ranks: tracks.order.ranks.clone(), ..read_order(saved, names) };
}

fn saved_query(track: &QueryTrack) -> SavedQueryTrack {
    let QueryTrack { number, name, sql, on_request } = track.clone();
    SavedQueryTrack { number, name, sql, on_request }
}

/// The query tracks with distinct numbers.
fn read_queries(saved: &[SavedQueryTrack]) -> Vec<QueryTrack> {
    let mut numbers = BTreeSet::new();
    let is_valid = |track: &&SavedQueryTrack| !track.sql.trim().is_empty() && numbers.insert(track.number);
    let read = |track: &SavedQueryTrack| {
        let SavedQueryTrack { number, name, sql, on_request } = track.clone();
        QueryTrack { number, name, sql, on_request }
    };
    saved.iter().filter(is_valid).map(read).take(MAX_QUERY_TRACKS).collect()
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
        TrackOrder { processes: once(processes), pinned: find(&saved.top_threads), ..TrackOrder::default() };
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
