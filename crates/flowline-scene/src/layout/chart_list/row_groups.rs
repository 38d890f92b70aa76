//! The groups of a thread's rows: which are listed, and which are collapsed when a recording is opened.

use std::cmp::Reverse;

use super::item::ROW_HEIGHT;
use flowline_index::{Arrangement, Group, GroupKind, Network, ThreadRows};
use flowline_profile::Profile;

/// A thread with more groups than this lists only the [`BUSIEST`].
pub(crate) const MANY: usize = 40;

/// Number of groups listed in such a thread.
pub(crate) const BUSIEST: usize = 30;

/// Where the rows of a group are listed while there is no search. A search lists all groups with hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupPlace {
    /// Below the heading of their thread.
    Listed,
    /// There, too, but only once the user asks for more groups.
    More,
    /// Not at all: a track of the process shows the markers.
    OnTrack,
}

/// The kind of group whose markers are on tracks in an arrangement: the stack of a thread leaves its requests to the network
/// track.
#[must_use]
pub fn kind_on_tracks(profile: &Profile, arrangement: Arrangement) -> Option<GroupKind> {
    (arrangement == Arrangement::Stack && Network::are_markers_in(profile)).then_some(GroupKind::Network)
}

/// The place of each group of a thread. All groups are listed if there are not too many, else the stack, milestones and the
/// like, and the groups that take the most time. Groups of the kind `on_tracks` are on tracks.
#[must_use]
pub fn group_places(rows: &ThreadRows, on_tracks: Option<GroupKind>) -> Vec<GroupPlace> {
    let is_on_track = |group: &Group| on_tracks == Some(group.kind);
    let mut order: Vec<usize> = (0..rows.groups.len()).filter(|at| !is_on_track(&rows.groups[*at])).collect();
    let most = if order.len() > MANY { BUSIEST } else { MANY };
    let comes_first = |group: &Group| group.kind == GroupKind::Stack || group.always_listed;
    let rank = |group: &Group| (!comes_first(group), Reverse(group.time), Reverse(rows.count_in(group)));
    order.sort_by_cached_key(|at| rank(&rows.groups[*at]));
    let mut places = vec![GroupPlace::OnTrack; rows.groups.len()];
    for (rank, at) in order.into_iter().enumerate() {
        places[at] = if rank < most { GroupPlace::Listed } else { GroupPlace::More };
    }
    places
}

/// Groups of names with more rows than this are collapsed when a recording is opened.
const DEEP_NAME: u32 = 4;

/// Operations with more rows than this, too: their slices nest, which only rows show.
const DEEP_OPERATIONS: u32 = 8;

/// True if a group is collapsed when a recording is opened: a group with very many rows would push everything else off
/// the screen, and bookkeeping of the program matters to few readers.
#[must_use]
pub fn is_deep(group: &Group) -> bool {
    match group.kind {
        GroupKind::Stack => false,
        GroupKind::Internals => group.rows > 1,
        GroupKind::Operations(_) => group.rows > DEEP_OPERATIONS,
        GroupKind::Name(_) | GroupKind::Network => group.rows > DEEP_NAME,
    }
}

/// Height in points of a thread's rows as initially listed. Groups of the kind `on_tracks` are on tracks.
#[must_use]
pub fn rows_height(rows: &ThreadRows, on_tracks: Option<GroupKind>) -> f64 {
    let places = group_places(rows, on_tracks);
    let rest = f64::from(u8::from(places.contains(&GroupPlace::More)));
    let groups = rows.groups.iter().zip(&places).filter(|(_, place)| **place == GroupPlace::Listed);
    let count: u32 = groups.map(|(group, _)| if is_deep(group) { 1 } else { group.rows }).sum();
    (f64::from(count) + rest) * ROW_HEIGHT
}
