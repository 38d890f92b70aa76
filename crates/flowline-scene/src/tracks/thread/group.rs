//! Groups of a thread's rows: the listed ones, the initially collapsed ones, and the rows of collapsed groups.

use crate::SearchView;
use crate::tracks::ROW_HEIGHT;
use flowline_index::{Group, GroupKind, Index, ThreadLayout, ThreadRows};
use flowline_profile::{Arrangement, ThreadId};

/// A thread with more groups than this lists only the [`BUSIEST`].
const MANY: usize = 40;
/// Number of groups listed in such a thread.
const BUSIEST: usize = 30;

/// For each group of a thread, true if it is listed: all groups if there are not too many, else the stack and the
/// groups with the most markers.
#[must_use]
pub fn listed_groups(rows: &ThreadRows) -> Vec<bool> {
    let groups = &rows.groups;
    let mut listed = vec![groups.len() <= MANY; groups.len()];
    if groups.len() > MANY {
        let mut order: Vec<usize> = (0..groups.len()).collect();
        let is_stack = |group: &Group| group.kind == GroupKind::Stack;
        order.sort_by_key(|at| (!is_stack(&groups[*at]), std::cmp::Reverse(rows.count_in(&groups[*at]))));
        order.iter().take(BUSIEST).for_each(|at| listed[*at] = true);
    }
    listed
}

/// Groups of names with more rows than this are collapsed when a recording is opened.
const DEEP: u32 = 8;

/// True if a group is collapsed when a recording is opened: a group with very many rows would push everything else off
/// the screen.
#[must_use]
pub fn is_deep(group: &Group) -> bool {
    group.rows > DEEP && group.kind != GroupKind::Stack
}

/// Height in points of a thread's rows as initially listed.
#[must_use]
pub fn rows_height(rows: &ThreadRows) -> f64 {
    let listed = listed_groups(rows);
    let rest = f64::from(u8::from(listed.contains(&false)));
    let groups = rows.groups.iter().zip(&listed).filter(|(_, listed)| **listed);
    let count: u32 = groups.map(|(group, _)| if is_deep(group) { 1 } else { group.rows }).sum();
    (f64::from(count) + rest) * ROW_HEIGHT
}

/// The rows of a collapsed group.
#[derive(Debug)]
pub(crate) struct CollapsedGroupRows {
    /// Long intervals, and all other markers.
    pub(crate) all: ThreadLayout,
    /// The rows of the search hits, with the number of the search.
    pub(crate) hits: Option<(u64, ThreadLayout)>,
    /// [`FilteredRows::version`](flowline_index::hidden::FilteredRows::version) of the thread.
    pub(crate) version: u64,
}

impl CollapsedGroupRows {
    /// Builds the rows of a group.
    pub(crate) fn build(
        index: &Index,
        thread: ThreadId,
        (layout, version): (&ThreadLayout, u64),
        group: &Group,
        search: Option<&SearchView>,
    ) -> Self {
        let markers = layout.rows.markers_in(group);
        let hits = search.map(|search| {
            let found: Vec<_> =
                markers.iter().copied().filter(|marker| search.hits.contains(thread, *marker)).collect();
            (search.number, index.summary_of(thread, &found))
        });
        Self { all: index.summary_of(thread, &markers), hits, version }
    }
}

/// The only row of a collapsed group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CollapsedGroup {
    /// The thread.
    pub thread: ThreadId,
    /// Number of the group in the thread.
    pub group: u32,
    /// Kind of the group.
    pub kind: GroupKind,
    /// The arrangement that the group belongs to.
    pub arrangement: Arrangement,
}

/// The line below the listed groups of a thread with more groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MoreGroups {
    /// The thread.
    pub thread: ThreadId,
    /// Number of groups that are not among the busiest.
    pub count: u32,
    /// True if these groups are listed as well.
    pub shown: bool,
}
