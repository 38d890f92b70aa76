//! Threads of a process in parts: idle threads, which one line replaces; groups of threads whose names differ only by a
//! number; and all others.

use std::collections::{BTreeMap, HashSet};

use super::list_input::ListInput;
use crate::layout::{MoreThreads, ThreadGroupHeading, TrackList};
use crate::tracks::nested_threads::ThreadTree;
use flowline_index::Index;
use flowline_profile::{ProcessId, ThreadId};
use flowline_view::{Tracks, can_be_grouped, name_without_number};

/// Fewer numbered threads are listed one by one: a heading for them would take the room that it saves.
const LEAST_GROUP: usize = 3;

/// Part of the threads of a process.
pub(super) enum ListPart<'a> {
    /// A thread with the tracks below it.
    Tree(ThreadTree<'a>),
    /// Several, in one group.
    Group(Vec<ThreadTree<'a>>),
}

/// Splits the threads of a process into idle ones and others. A main thread is never idle, nor is an expanded thread. A search
/// lists all threads that it finds.
pub(super) fn split_idle<'a>(
    input: &ListInput<'_>,
    listed: Vec<ThreadTree<'a>>,
) -> (Vec<ThreadTree<'a>>, Vec<ThreadTree<'a>>) {
    let (profile, work, tracks) = (input.index.profile(), input.index.rank(), input.tracks);
    // Samples without a useful stack, such as those of `(program)`, have no activity.
    let has_content = |id: &ThreadId| {
        let thread = profile.thread(*id);
        let has_samples = || thread.samples.as_ref().is_some_and(|samples| !samples.cpu.is_empty());
        !thread.markers.is_empty() || input.index.cpu().get(*id).is_some() || has_samples()
    };
    let is_closed = |id: &ThreadId| {
        !profile.thread(*id).is_main && !tracks.expanded.contains(id) && !tracks.stack_charts.contains(id)
    };
    let is_idle = |tree: &ThreadTree<'_>| {
        let did_nothing = tree.iter().all(|id| work.is_idle(*id)) && input.search.is_none();
        let is_empty = !tree.iter().any(has_content);
        is_empty || (did_nothing && tree.first().is_some_and(is_closed))
    };
    let (idle, busy): (Vec<_>, Vec<_>) = listed.into_iter().partition(is_idle);
    // A single line would not get shorter.
    if let [only] = idle[..]
        && only.iter().any(has_content)
    {
        let all = busy.into_iter().chain([only]).collect();
        return (Vec::new(), all);
    }
    (idle, busy)
}

/// Groups the numbered threads of a process. A group has the place of its first thread.
pub(super) fn grouped<'a>(input: &ListInput<'_>, trees: Vec<ThreadTree<'a>>) -> Vec<ListPart<'a>> {
    let profile = input.index.profile();
    let name = |tree: &ThreadTree<'_>| {
        let root = *tree.first().filter(|root| input.search.is_none() && can_be_grouped(profile, **root))?;
        Some(name_without_number(&profile.thread(root).name))
    };
    let mut members: BTreeMap<&str, Vec<ThreadTree<'a>>> = BTreeMap::new();
    for tree in &trees {
        if let Some(name) = name(tree) {
            members.entry(name).or_default().push(tree);
        }
    }
    members.retain(|_, trees| trees.len() >= LEAST_GROUP);
    let mut parts = Vec::with_capacity(trees.len());
    let mut placed: HashSet<&str> = HashSet::new();
    for tree in trees {
        match name(&tree).filter(|name| members.contains_key(name) || placed.contains(name)) {
            None => parts.push(ListPart::Tree(tree)),
            Some(name) if placed.insert(name) => {
                let mut own = members.remove(name).unwrap_or_default();
                // In the recording's order, which is that of the numbers.
                own.sort_unstable_by_key(|tree| tree.first().copied());
                parts.push(ListPart::Group(own));
            }
            Some(_) => {}
        }
    }
    parts
}

/// Processes whose headings would be the same without their ids.
pub(super) fn alike_processes(index: &Index) -> HashSet<ProcessId> {
    let profile = index.profile();
    let mut by_heading: BTreeMap<String, Vec<ProcessId>> = BTreeMap::new();
    for (id, process) in profile.processes.iter().enumerate().map(|(id, process)| (ProcessId::new(id), process)) {
        by_heading.entry(process.heading(index.pages().of(id))).or_default().push(id);
    }
    by_heading.into_values().filter(|alike| alike.len() > 1).flatten().collect()
}

impl TrackList {
    /// Adds the heading of a group. Returns the threads to list below it, and a line for the others.
    pub(super) fn push_group<'a>(
        &mut self,
        tracks: &Tracks,
        trees: Vec<ThreadTree<'a>>,
    ) -> (Vec<ThreadTree<'a>>, Option<MoreThreads>) {
        let members: Vec<ThreadId> = trees.iter().filter_map(|tree| tree.first().copied()).collect();
        let Some(first) = members.first().copied() else { return (trees, None) };
        let is_open = members.iter().any(|thread| tracks.open_groups.contains(thread));
        let is_listed = |tree: &ThreadTree<'_>| is_open || tree.first().is_some_and(|own| tracks.is_shown_member(*own));
        let all = trees.len();
        let listed: Vec<ThreadTree<'a>> = trees.into_iter().filter(is_listed).collect();
        let [count, rest] = [all, all - listed.len()].map(|count| u32::try_from(count).unwrap_or(u32::MAX));
        self.push(ThreadGroupHeading { first, count, expanded: !listed.is_empty() });
        self.grouped.extend(members.iter().map(|thread| (*thread, first)));
        self.thread_groups.insert(first, members);
        let more = (rest > 0 && rest < count).then_some(MoreThreads { first, count: rest });
        (listed, more)
    }
}
