//! Shows the beginning of a large recording while the rest is loading, and transfers the view state to the complete
//! recording.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use super::load::{Loaded, Origin, index_imported};
use super::user_files::UserRules;
use crate::import::{self, Imported, Options, Progress};
use crate::index::Group;
use crate::profile::{Counter, CounterId, GroupKind, LocalMarker, MarkerId, Profile, Strings, Thread, ThreadId};
use crate::session::Session;
use crate::view::{Command, FlowCommand, RowChoice, TapeCommand};

/// Minimum size in bytes of files whose beginning is shown first; a tenth of it for packed files.
const LARGE: u64 = 192 << 20;
const LARGE_PACKED: u64 = LARGE / 10;
/// Bytes of text in the beginning.
const MIN_BEGINNING: usize = 32 << 20;
/// The beginning grows up to this many bytes while it has no markers.
const MAX_BEGINNING: usize = 512 << 20;

/// Loads the beginning of a large file; `None` if the file is small or its beginning has no markers.
pub(super) fn load_partial(
    origin: &Origin,
    options: &Options,
    rules: &UserRules,
    progress: &Progress,
) -> Option<Loaded> {
    let Origin::File(path) = origin else { return None };
    let bytes = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?.len();
    let is_large = bytes >= LARGE
        || (bytes >= LARGE_PACKED && std::fs::File::open(path).is_ok_and(|file| import::is_packed_file(&file)));
    if !is_large {
        return None;
    }
    let began = Instant::now();
    let mut imported = open_beginning(path, [MIN_BEGINNING, MAX_BEGINNING], options, progress)?;
    imported.profile.strings = with_names_to_come(&imported.profile.strings);
    // The warning that the text ends in the middle is expected here.
    imported.profile.warnings = crate::profile::Warnings::default();
    index_imported(imported, began, rules, progress, &mut |_| ()).ok()
}

/// Opens the shortest beginning with markers, between `shortest` and `longest` bytes. In a packed processed profile,
/// names and times follow all payloads of a thread, so a short beginning may have none.
fn open_beginning(
    path: &Path,
    [shortest, longest]: [usize; 2],
    options: &Options,
    progress: &Progress,
) -> Option<Imported> {
    let mut bytes = shortest;
    while bytes <= longest {
        let imported = import::open_partial(path, bytes, options, progress).ok()?;
        if imported.profile.marker_count() > 0 {
            return Some(imported);
        }
        if imported.profile.meta.json_bytes < bytes as u64 {
            break;
        }
        bytes = bytes.saturating_mul(2);
    }
    None
}

/// In raw Firefox profiles, the names of a thread's markers follow the markers, so they are missing in the beginning.
const NAME_TO_COME: &str = "(its name is not loaded yet)";

/// The same strings under the same numbers, except that missing names get a placeholder.
fn with_names_to_come(strings: &Strings) -> Strings {
    let mut renamed = Strings::default();
    for (_, text) in strings.iter() {
        renamed.intern(if text == import::UNKNOWN_NAME { NAME_TO_COME } else { text });
    }
    // The recording may contain the placeholder itself; numbers must not change.
    if renamed.len() == strings.len() { renamed } else { strings.clone() }
}

/// Identifies a thread in any part of its recording: pid, tid, name, kind.
fn thread_identity<'a>(
    profile: &'a Profile,
    thread: &'a Thread,
) -> (&'a str, &'a str, &'a str, crate::profile::TrackKind) {
    let process = profile.processes.get(thread.process.index()).map_or("", |process| process.pid.as_str());
    (process, &thread.tid, &thread.name, thread.kind)
}

/// Whether the user has not moved the view.
fn shows_first_view(session: &Session) -> bool {
    let mut axis = session.view.axis;
    axis.show(session.index.first_view());
    axis.visible() == session.view.axis.visible()
}

/// Transfers view state from what was shown before, a beginning or the recording without its flows: visible range,
/// selection, search, expanded threads, folded groups, chosen rows, flows.
pub(super) fn transfer_view_state(from: &Session, to: &mut Session) {
    let (beginning, whole) = (Arc::clone(from.index.profile()), Arc::clone(to.index.profile()));
    let is_same = Arc::ptr_eq(&beginning, &whole);
    let threads: HashMap<_, ThreadId> =
        whole.threads_with_ids().map(|(id, thread)| (thread_identity(&whole, thread), id)).collect();
    let counterpart = |id: ThreadId| match is_same {
        true => Some(id),
        false => threads.get(&thread_identity(&beginning, beginning.thread(id))).copied(),
    };
    to.view.edit_tracks(|tracks| {
        let already = tracks.order.pinned.clone();
        for (id, _) in beginning.threads_with_ids() {
            let Some(same) = counterpart(id) else { continue };
            if from.view.tracks.expanded.contains(&id) {
                tracks.expanded.insert(same);
            } else {
                tracks.expanded.remove(&same);
            }
            if from.view.tracks.stack_charts.contains(&id) {
                tracks.stack_charts.insert(same);
            } else {
                tracks.stack_charts.remove(&same);
            }
            if from.view.tracks.hidden.contains(&id) {
                tracks.hidden.insert(same);
            }
            if from.view.tracks.all_groups.contains(&id) {
                tracks.all_groups.insert(same);
            }
        }
        let folded = from.view.tracks.folded_groups.iter();
        let folded =
            folded.filter_map(|(thread, group)| Some((counterpart(*thread)?, same_group(&beginning, &whole, *group)?)));
        tracks.folded_groups.extend(folded);
        tracks.hide_empty_rows = from.view.tracks.hide_empty_rows;
        let pinned: Vec<ThreadId> = from.view.tracks.order.pinned.iter().filter_map(|id| counterpart(*id)).collect();
        tracks.order.pinned.extend(pinned.into_iter().filter(|id| !already.contains(id)));
    });
    to.view.call_colors = from.view.call_colors;
    to.view.call_functions = from.view.call_functions;
    to.view.scroll = from.view.scroll;
    // The main cluster is committed when a recording is opened, and the whole has its own.
    let automatic = beginning.main_cluster().map(|cluster| cluster.committed());
    for range in from.view.breadcrumbs.ranges().iter().copied().filter(|range| Some(*range) != automatic) {
        to.apply(Command::SelectRange(Some(range)));
        to.apply(Command::ZoomToSelection);
    }
    if !shows_first_view(from) {
        to.apply(Command::Show(from.view.axis.visible()));
    }
    if from.view.arrangement != to.view.arrangement {
        to.apply(Command::SetArrangement(from.view.arrangement));
    }
    to.apply(Command::Tape(TapeCommand::Order(from.view.tapes.order)));
    to.view.tapes.ticks.clone_from(&from.view.tapes.ticks);
    to.apply(Command::Tape(TapeCommand::Show(from.view.tapes.shown)));
    to.apply(Command::SelectRange(from.view.range));
    to.apply(Command::ToggleRows(same_rows(from, to, counterpart)));
    to.apply(Command::PickThreads(from.view.chosen.threads.iter().filter_map(|id| counterpart(*id)).collect()));
    to.apply(Command::Measure(from.view.measure));
    if !from.view.search.is_empty() {
        to.apply(Command::Search(from.view.search.clone()));
    }
    let flow = |flow: &crate::profile::FlowId| {
        let name = from.index.flows().name(&beginning, *flow);
        to.index.flows().find(&whole, &name).first().copied()
    };
    let pinned: Vec<_> = from.view.flows.pinned.iter().filter_map(flow).collect();
    let entered: Vec<_> = from.view.flows.entered.iter().filter_map(flow).collect();
    for flow in pinned.into_iter().filter(|flow| !to.view.flows.pinned.contains(flow)).collect::<Vec<_>>() {
        to.apply(Command::Flow(FlowCommand::TogglePin(flow)));
    }
    if !entered.is_empty() {
        to.apply(Command::Flow(FlowCommand::Enter(entered)));
    }
    let selected = from.view.selected.and_then(|marker| match is_same {
        true => Some(marker),
        false => same_marker(&beginning, &whole, marker, counterpart),
    });
    if selected.is_some() {
        to.apply(Command::Select(selected));
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

/// The rows of the complete recording for those that were chosen in the beginning: of the same group the same ones, because rows
/// are filled in the order of time; all of them if all were chosen.
fn same_rows(from: &Session, to: &Session, counterpart: impl Fn(ThreadId) -> Option<ThreadId>) -> RowChoice {
    let (beginning, whole) = (from.index.profile(), to.index.profile());
    let chosen = &from.view.chosen.rows;
    let same_counter = |counter: &CounterId| {
        let own = beginning.counters.get(counter.index())?;
        let is_same = |other: &Counter| (&other.pid, &other.name, &other.unit) == (&own.pid, &own.name, &own.unit);
        whole.counters.iter().position(is_same).map(CounterId::new)
    };
    let mut same = RowChoice {
        threads: chosen.threads.iter().filter_map(|id| counterpart(*id)).collect(),
        samples: chosen.samples.iter().filter_map(|id| counterpart(*id)).collect(),
        counters: chosen.counters.iter().filter_map(same_counter).collect(),
        ..RowChoice::default()
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

#[cfg(test)]
mod tests;
