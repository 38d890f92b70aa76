//! The groups of a thread's rows: which are listed, and which are collapsed when a recording is opened.

use std::cmp::Reverse;

use super::item::ROW_HEIGHT;
use flowline_index::{Group, GroupKind, ThreadRows};

/// A thread with more groups than this lists only the [`BUSIEST`].
pub(crate) const MANY: usize = 40;

/// Number of groups listed in such a thread.
pub(crate) const BUSIEST: usize = 30;

/// For each group of a thread, true if it is listed: all groups if there are not too many, else the stack, milestones
/// and the like, and the groups that take the most time.
#[must_use]
pub fn listed_groups(rows: &ThreadRows) -> Vec<bool> {
    let groups = &rows.groups;
    let mut listed = vec![groups.len() <= MANY; groups.len()];
    if groups.len() > MANY {
        let mut order: Vec<usize> = (0..groups.len()).collect();
        let comes_first = |group: &Group| group.kind == GroupKind::Stack || group.always_listed;
        let rank = |group: &Group| (!comes_first(group), Reverse(group.time), Reverse(rows.count_in(group)));
        order.sort_by_key(|at| rank(&groups[*at]));
        order.iter().take(BUSIEST).for_each(|at| listed[*at] = true);
    }
    listed
}

/// Groups of names with more rows than this are collapsed when a recording is opened.
pub(crate) const DEEP: u32 = 8;

/// True if a group is collapsed when a recording is opened: a group with very many rows would push everything else off
/// the screen, and bookkeeping of the program matters to few readers.
#[must_use]
pub fn is_deep(group: &Group) -> bool {
    group.kind == GroupKind::Internals && group.rows > 1 || group.rows > DEEP && group.kind != GroupKind::Stack
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
