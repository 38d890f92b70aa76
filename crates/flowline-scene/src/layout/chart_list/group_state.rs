//! The state of groups that follows from what the user does: groups with very many rows start collapsed, and the group of a
//! revealed marker is listed.

use super::row_groups::{GroupPlace, group_places, is_deep, kind_on_tracks};
use flowline_index::hidden::FilteredRows;
use flowline_index::{Index, ThreadLayout};
use flowline_profile::{GroupKind, ThreadId};
use flowline_view::ViewState;

/// Kinds of the groups with very many rows.
fn deep_groups(layout: &ThreadLayout) -> impl Iterator<Item = GroupKind> {
    layout.rows.groups.iter().filter(|group| is_deep(group)).map(|group| group.kind)
}

/// Collapses the groups with very many rows of threads that are expanded for the first time in an arrangement. Groups that
/// have very many rows in the other arrangement, too, stay as they are if the thread was expanded there.
pub(crate) fn collapse_deep_groups(index: &Index, shown: &FilteredRows, view: &mut ViewState) {
    let (arrangement, other) = (view.arrangement, view.arrangement.other());
    let (opened, expanded) = (view.tracks.opened.get(&arrangement), &view.tracks.expanded);
    if opened.is_some_and(|opened| expanded.len() == opened.len() && expanded == opened) {
        return;
    }
    let fresh = expanded.iter().filter(|thread| opened.is_none_or(|opened| !opened.contains(thread)));
    let built = fresh.filter_map(|thread| Some((*thread, shown.layout(index, arrangement, *thread)?)));
    let known = |thread: ThreadId| -> Vec<GroupKind> {
        let was_opened = view.tracks.opened.get(&other).is_some_and(|opened| opened.contains(&thread));
        let layout = shown.layout(index, other, thread).filter(|_| was_opened);
        layout.map_or_else(Vec::new, |layout| deep_groups(layout).collect())
    };
    let built: Vec<(ThreadId, Vec<GroupKind>)> = built
        .map(|(thread, layout)| {
            let known = known(thread);
            (thread, deep_groups(layout).filter(|kind| !known.contains(kind)).collect())
        })
        .collect();
    if built.is_empty() {
        return;
    }
    view.edit_tracks(|tracks| {
        for (thread, groups) in built {
            tracks.opened.entry(arrangement).or_default().insert(thread);
            tracks.collapsed_groups.extend(groups.into_iter().map(|group| (thread, group)));
        }
    });
}

/// Expands and lists the group of a marker to be revealed.
pub(crate) fn expand_revealed(index: &Index, shown: &FilteredRows, view: &mut ViewState) {
    let Some((thread, marker)) = view.reveal.and_then(|marker| index.profile().locate(marker)) else { return };
    let Some(layout) = shown.layout(index, view.arrangement, thread) else { return };
    let Some((row, _)) = layout.find(index.profile().thread(thread), marker) else { return };
    let rows = &layout.rows;
    let Some(at) = rows.groups.iter().position(|group| row < (group.first_row + group.rows) as usize) else { return };
    let kind = rows.groups[at].kind;
    let is_listed = match group_places(rows, kind_on_tracks(index.profile(), view.arrangement))[at] {
        GroupPlace::OnTrack => return,
        GroupPlace::Listed => true,
        GroupPlace::More => view.tracks.all_groups.contains(&thread),
    };
    if !is_listed || view.tracks.collapsed_groups.contains(&(thread, kind)) {
        view.edit_tracks(|tracks| tracks.reveal_group(thread, kind, is_listed));
    }
}
