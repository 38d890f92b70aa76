//! Names of markers that are known by something else than the name of their event: milestones, frames, interactions,
//! network requests and long tasks of traces.
//!
//! Calls are named by their functions. Other events are named after the code that wrote them (`ResourceSendRequest`,
//! `BeginFrame`), so these names are the same for all requests and all frames. Firefox profiles have labels of their own.

use super::kind::EntryTitle;
use super::kinds::TRACK_KINDS;
use flowline_index::Derived;
use flowline_index::Index;
use flowline_insights::harm::TaskNames;
use flowline_insights::page_load::{MilestoneKind, Milestones};
use flowline_profile::MarkerId;

/// The name of a marker: that of its entry, of its call, or else its own.
#[must_use]
pub fn entry_name(index: &Index, marker: MarkerId) -> String {
    if let Some(title) = entry_title(index, marker) {
        return title.name;
    }
    let place = index.profile().locate(marker);
    place.map_or_else(String::new, |(thread, local)| index.profile().marker_title(thread, local).into_owned())
}

/// The name of a marker, if its event does not state it. It is known once the tracks have been derived.
#[must_use]
pub fn entry_title(index: &Index, marker: MarkerId) -> Option<EntryTitle> {
    if !index.profile().source.holds_events() {
        return None;
    }
    let of_tracks = || TRACK_KINDS.iter().find_map(|kind| kind.title(index, marker));
    milestone(index, marker).or_else(of_tracks).or_else(|| long_task(index, marker))
}

/// A long task, which its event only states as a task.
fn long_task(index: &Index, marker: MarkerId) -> Option<EntryTitle> {
    let name = TaskNames::if_built(index)?.of_marker(marker)?;
    Some(EntryTitle { name: format!("Long task: {name}"), length: None })
}

fn milestone(index: &Index, marker: MarkerId) -> Option<EntryTitle> {
    let is_it = |own: &&flowline_insights::page_load::Milestone| {
        own.marker == Some(marker) && own.is_main && own.since.is_some()
    };
    let own = Milestones::if_built(index)?.all().iter().find(is_it)?;
    // Marks have the names that the page gave them, and a navigation is no moment of its own.
    let is_named =
        !matches!(own.kind, MilestoneKind::Mark | MilestoneKind::Navigation | MilestoneKind::TotalBlockingTime);
    is_named.then(|| EntryTitle { name: own.kind.title().to_owned(), length: None })
}
