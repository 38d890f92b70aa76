//! The beginning of a large recording, shown while the rest of it is still being loaded; and what is taken over from it
//! when the rest is there.

use std::collections::HashMap;
use std::sync::Arc;

use super::load::{Loaded, Origin, of_imported};
use super::user_files::UserRules;
use crate::import::{self, Options, Progress};
use crate::profile::{MarkerId, Profile, Thread, ThreadId};
use crate::ui::Document;
use crate::view::{Command, FlowCommand};

/// Files from this size on take long enough to show their beginning first; packed ones are a tenth as large.
const LARGE: u64 = 192 << 20;
const LARGE_PACKED: u64 = LARGE / 10;
/// Bytes of text that the beginning consists of.
const BEGINNING: usize = 64 << 20;

/// The beginning of a large file, as a recording that can be shown; `None` if there is nothing in it to be shown, or the
/// file is small.
pub(super) fn load_beginning(
    origin: &Origin,
    options: &Options,
    rules: &UserRules,
    progress: &Progress,
) -> Option<Loaded> {
    let Origin::File(path) = origin else { return None };
    let bytes = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?.len();
    let is_large = bytes >= LARGE || (bytes >= LARGE_PACKED && import::is_packed(path));
    if !is_large {
        return None;
    }
    let mut imported = import::open_beginning(path, BEGINNING, options, progress).ok()?;
    if imported.profile.marker_count() == 0 {
        return None;
    }
    // That its text ends in the middle is nobody's concern.
    imported.profile.warnings = crate::profile::Warnings::default();
    of_imported(imported, rules, progress).ok()
}

/// What a thread is called in any part of its recording.
fn name_of<'a>(profile: &'a Profile, thread: &'a Thread) -> (&'a str, &'a str, &'a str, crate::profile::TrackKind) {
    let process = profile.processes.get(thread.process.index()).map_or("", |process| process.pid.as_str());
    (process, &thread.tid, &thread.name, thread.kind)
}

/// Takes over what somebody did with the beginning: where they looked, what they selected, searched, unfolded, entered.
pub(super) fn take_over(from: &Document, to: &mut Document) {
    let (beginning, whole) = (Arc::clone(from.index.profile()), Arc::clone(to.index.profile()));
    let threads: HashMap<_, ThreadId> =
        whole.threads_with_ids().map(|(id, thread)| (name_of(&whole, thread), id)).collect();
    let counterpart = |id: ThreadId| threads.get(&name_of(&beginning, beginning.thread(id))).copied();
    to.view.tracks.change(|tracks| {
        for (id, _) in beginning.threads_with_ids() {
            let Some(same) = counterpart(id) else { continue };
            if from.view.tracks.expanded.contains(&id) {
                tracks.expanded.insert(same);
            } else {
                tracks.expanded.remove(&same);
            }
            if from.view.tracks.hidden.contains(&id) {
                tracks.hidden.insert(same);
            }
        }
    });
    to.view.scroll = from.view.scroll;
    if from.view.axis.visible() != from.index.first_view() {
        to.apply(Command::Show(from.view.axis.visible()));
    }
    if from.view.arrangement != to.view.arrangement {
        to.apply(Command::SetArrangement(from.view.arrangement));
    }
    to.apply(Command::SelectRange(from.view.range));
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
    let selected = from.view.selected.and_then(|marker| same_marker(&beginning, &whole, marker, counterpart));
    if selected.is_some() {
        to.apply(Command::Select(selected));
    }
}

/// The marker of the whole recording that starts at the same time and has the same payload.
fn same_marker(
    beginning: &Profile,
    whole: &Profile,
    marker: MarkerId,
    counterpart: impl Fn(ThreadId) -> Option<ThreadId>,
) -> Option<MarkerId> {
    let (id, local) = beginning.locate(marker)?;
    let own = &beginning.thread(id).markers;
    let (start, payload) = (own.start[local.index()], own.payload[local.index()]);
    let thread = whole.thread(counterpart(id)?);
    let first = thread.markers.start.partition_point(|other| *other < start);
    let same = (first..thread.markers.len()).take_while(|at| thread.markers.start[*at] == start);
    let found = same.clone().find(|at| thread.markers.payload[*at] == payload).or_else(|| same.clone().next())?;
    Some(thread.global(crate::profile::LocalMarker::new(found)))
}
