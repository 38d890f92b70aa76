//! Transfers the view when more of a recording has been loaded: its rest, or its flows.

use std::collections::HashMap;
use std::sync::Arc;

use super::open_recording::Session;
use super::tabs::selected_tab;
use crate::flows::FlowNames;
use flowline_index::Group;
use flowline_index::flows::FlowName;
use flowline_profile::{
    Counter, CounterId, FlowId, GroupKind, LocalMarker, MarkerId, ProcessId, Profile, Thread, ThreadId, TrackKind,
};
use flowline_scene::{TrackPlace, track_kind};
use flowline_view::{Command, FlowCommand, FlowLaneCommand, InsightFocus, RowSelection, TrackId};

/// Identifies a thread in any part of its recording: pid, tid, name, kind.
fn thread_identity<'a>(profile: &'a Profile, thread: &'a Thread) -> (&'a str, &'a str, &'a str, TrackKind) {
    let process = profile.processes.get(thread.process.index()).map_or("", |process| process.pid.as_str());
    (process, &thread.tid, &thread.name, thread.kind)
}

/// Applies the view of the previously open recording, which contained only the beginning or no flows. If no markers
/// were added, everything except flows and notes is copied; otherwise visible range, selection, search, expanded
/// threads, collapsed groups, selected rows, and flows.
pub fn transfer_view(from: &Session, to: &mut Session) {
    let (beginning, whole) = (Arc::clone(from.index.profile()), Arc::clone(to.index.profile()));
    to.canvas = from.canvas;
    if Arc::ptr_eq(&beginning, &whole) {
        to.view.copy_state_from(&from.view);
        to.opened_tracks = from.opened_tracks.map(|_| to.view.tracks.revision());
        to.wanted_scroll = from.wanted_scroll;
        to.take_opening_part(from);
        return transfer_flows(from, to);
    }
    // A pressed key continues to move the view, which is in pixels.
    to.view.axis.set_width(from.view.axis.width());
    to.view.held = from.view.held;
    let threads: HashMap<_, ThreadId> =
        whole.threads_with_ids().map(|(id, thread)| (thread_identity(&whole, thread), id)).collect();
    let counterpart = |id: ThreadId| threads.get(&thread_identity(&beginning, beginning.thread(id))).copied();
    // The whole recording knows more threads of the tab.
    let is_of_tab = |id: &ThreadId| from.view.tracks.tab.as_ref().is_some_and(|tab| tab.hidden.contains(id));
    let tab = from.view.tracks.tab().and_then(|id| selected_tab(&to.index, id));
    to.view.edit_tracks(|tracks| {
        let already = tracks.order.pinned.clone();
        for (id, _) in beginning.threads_with_ids() {
            let Some(same) = counterpart(id) else { continue };
            if from.view.tracks.expanded.contains(&id) {
                tracks.expanded.insert(same);
            } else {
                tracks.expanded.remove(&same);
            }
            for (arrangement, opened) in &from.view.tracks.opened {
                if opened.contains(&id) {
                    tracks.opened.entry(*arrangement).or_default().insert(same);
                }
            }
            if from.view.tracks.stack_charts.contains(&id) {
                tracks.stack_charts.insert(same);
            } else {
                tracks.stack_charts.remove(&same);
            }
            if from.view.tracks.hidden.contains(&id) && !is_of_tab(&id) {
                tracks.hidden.insert(same);
            }
            if from.view.tracks.all_groups.contains(&id) {
                tracks.all_groups.insert(same);
            }
        }
        let collapsed = from.view.tracks.collapsed_groups.iter();
        let collapsed = collapsed
            .filter_map(|(thread, group)| Some((counterpart(*thread)?, same_group(&beginning, &whole, *group)?)));
        tracks.collapsed_groups.extend(collapsed);
        tracks.hide_empty_rows = from.view.tracks.hide_empty_rows;
        tracks.queries.clone_from(&from.view.tracks.queries);
        let pinned: Vec<ThreadId> = from.view.tracks.order.pinned.iter().filter_map(|id| counterpart(*id)).collect();
        tracks.order.pinned.extend(pinned.into_iter().filter(|id| !already.contains(id)));
        tracks.select_tab(tab);
    });
    to.view.color_by = from.view.color_by;
    to.view.call_functions = from.view.call_functions;
    to.view.scroll = from.view.scroll;
    // The main cluster is committed when a recording is opened, and the complete recording has its own.
    let automatic = beginning.main_cluster().map(|cluster| cluster.committed());
    for range in from.view.breadcrumbs.ranges().iter().copied().filter(|range| Some(*range) != automatic) {
        to.apply(Command::SelectRange(Some(range)));
        to.apply(Command::ZoomToSelection);
    }
    if !from.shows_opening_range() {
        to.apply(Command::Show(from.view.axis.visible()));
    }
    if from.view.arrangement != to.view.arrangement {
        to.apply(Command::SetArrangement(from.view.arrangement));
    }
    to.apply(Command::FlowLane(FlowLaneCommand::Order(from.view.flow_lanes.order)));
    to.apply(Command::FlowLane(FlowLaneCommand::ShowInstants(from.view.flow_lanes.instants)));
    to.apply(Command::FlowLane(FlowLaneCommand::ShowOutside(from.view.flow_lanes.outside)));
    to.apply(Command::FlowLane(FlowLaneCommand::GroupByThread(from.view.flow_lanes.by_thread)));
    to.view.flow_lanes.ticks.clone_from(&from.view.flow_lanes.ticks);
    to.apply(Command::FlowLane(FlowLaneCommand::Show(from.view.flow_lanes.shown)));
    to.apply(Command::SelectRange(from.view.range));
    to.apply(Command::ToggleRows(same_rows(from, to, counterpart)));
    to.apply(Command::PickThreads(from.view.chosen.threads.iter().filter_map(|id| counterpart(*id)).collect()));
    to.apply(Command::Measure(from.view.measure));
    if !from.view.search.is_empty() {
        to.apply(Command::Search(from.view.search.clone()));
    }
    transfer_flows(from, to);
    let selected = from.view.selected.and_then(|marker| same_marker(&beginning, &whole, marker, counterpart));
    if selected.is_some() {
        to.apply(Command::Select(selected));
    }
    if let Some(focus) = &from.view.insight {
        let same_process = |process: ProcessId| {
            let pid = &beginning.processes.get(process.index())?.pid;
            whole.processes.iter().position(|other| other.pid == *pid).map(ProcessId::new)
        };
        // Its markers have other numbers, and there may be more of them.
        let process = focus.process.and_then(same_process);
        let focus = InsightFocus { process, markers: None, ..InsightFocus::clone(focus) };
        to.view.restore_insight(Some(focus));
    }
    // The commands above can have ended the motion.
    to.view.motion = from.view.motion;
}

/// Names of the pinned and entered flows, or of those still awaited.
fn flow_names(session: &Session) -> FlowNames {
    let (profile, flows, view) = (session.index.profile(), session.index.flows(), &session.view.flows);
    if !flows.is_known() {
        return session.awaited_flows.clone();
    }
    let names = |ids: &[FlowId]| ids.iter().map(|flow| flows.name(profile, *flow)).collect();
    FlowNames { pinned: names(&view.pinned), entered: names(&view.entered) }
}

/// Pins and enters the same flows; if flows are not known yet, the next transfer does it.
fn transfer_flows(from: &Session, to: &mut Session) {
    let names = flow_names(from);
    if !to.index.flows().is_known() {
        to.awaited_flows = names;
        return;
    }
    let index = Arc::clone(&to.index);
    let find = |name: &FlowName| index.flows().find(index.profile(), name).first().copied();
    for flow in names.pinned.iter().filter_map(find) {
        if !to.view.flows.pinned.contains(&flow) {
            to.apply(Command::Flow(FlowCommand::TogglePin(flow)));
        }
    }
    let entered: Vec<FlowId> = names.entered.iter().filter_map(find).collect();
    if !entered.is_empty() {
        // Applied to the view alone, so that the visible range does not change.
        to.view.apply(Command::Flow(FlowCommand::Enter(entered)));
    }
}

/// The group of the complete recording with the same name.
fn same_group(beginning: &Profile, whole: &Profile, group: GroupKind) -> Option<GroupKind> {
    let same_name = |name| whole.strings.find(beginning.strings.get(name));
    Some(match group {
        GroupKind::Name(name) => GroupKind::Name(same_name(name)?),
        GroupKind::Operations(name) => GroupKind::Operations(same_name(name)?),
        other => other,
    })
}

/// The track of the complete recording that corresponds to a track of a registered kind. Tracks at the top are numbered
/// by their first entries, so they keep their numbers.
fn same_track(beginning: &Profile, whole: &Profile, track: TrackId) -> Option<TrackId> {
    match track_kind(track.kind)?.place() {
        TrackPlace::Top | TrackPlace::Thread => Some(track),
        TrackPlace::Process => {
            let pid = &beginning.processes.get(ProcessId(track.number).index())?.pid;
            let same = whole.processes.iter().position(|process| process.pid == *pid)?;
            Some(TrackId::new(track.kind, ProcessId::new(same).0))
        }
    }
}

/// The rows of the complete recording that correspond to the selected rows of the beginning. Rows of a group keep their
/// numbers, because rows are filled in time order. If all rows of a thread were selected, all are selected again.
fn same_rows(from: &Session, to: &Session, counterpart: impl Fn(ThreadId) -> Option<ThreadId>) -> RowSelection {
    let (beginning, whole) = (from.index.profile(), to.index.profile());
    let chosen = &from.view.chosen.rows;
    let same_counter = |counter: &CounterId| {
        let own = beginning.counters.get(counter.index())?;
        let is_same = |other: &Counter| (&other.pid, &other.name, &other.unit) == (&own.pid, &own.name, &own.unit);
        whole.counters.iter().position(is_same).map(CounterId::new)
    };
    let mut same = RowSelection {
        threads: chosen.threads.iter().filter_map(|id| counterpart(*id)).collect(),
        samples: chosen.samples.iter().filter_map(|id| counterpart(*id)).collect(),
        counters: chosen.counters.iter().filter_map(same_counter).collect(),
        tracks: chosen
            .tracks
            .iter()
            .filter_map(|(track, rows)| Some((same_track(beginning, whole, *track)?, rows.clone())))
            .collect(),
        ..RowSelection::default()
    };
    for ((thread, arrangement), rows) in &chosen.rows {
        let Some(counterpart) = counterpart(*thread) else { continue };
        let layouts = [from, to].map(|session| session.index.layout(*arrangement));
        let groups = &layouts[1].thread(counterpart).rows.groups;
        let groups: HashMap<GroupKind, &Group> = groups.iter().map(|group| (group.kind, group)).collect();
        for own in &layouts[0].thread(*thread).rows.groups {
            let Some(other) = same_group(beginning, whole, own.kind).and_then(|kind| groups.get(&kind)) else {
                continue;
            };
            let all = own.first_row..own.first_row + own.rows;
            if rows.count_in(&all) == all.len() {
                same.add_rows(counterpart, *arrangement, other.first_row..other.first_row + other.rows);
                continue;
            }
            for range in rows.ranges() {
                let place = |row: u32| row.clamp(all.start, all.end) - own.first_row;
                let last = place(range.end).min(other.rows);
                same.add_rows(
                    counterpart,
                    *arrangement,
                    other.first_row + place(range.start).min(last)..other.first_row + last,
                );
            }
        }
    }
    same
}

/// The marker of the complete recording with the same start and payload.
fn same_marker(
    beginning: &Profile,
    whole: &Profile,
    marker: MarkerId,
    counterpart: impl Fn(ThreadId) -> Option<ThreadId>,
) -> Option<MarkerId> {
    let (id, local) = beginning.locate(marker)?;
    let own = &beginning.thread(id).markers;
    let (start, payload) = (own.start(local), own.payload(local));
    let thread = whole.thread(counterpart(id)?);
    let markers = &thread.markers;
    let first = markers.times().partition_point(|other| other < start);
    let mut same = (first..markers.len()).map(LocalMarker::new).take_while(|marker| markers.start(*marker) == start);
    let found = same.clone().find(|marker| markers.payload(*marker) == payload).or_else(|| same.next())?;
    Some(thread.global(found))
}
