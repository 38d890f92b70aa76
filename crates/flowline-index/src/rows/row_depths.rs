//! Depths of markers as drawn.

use std::collections::HashMap;

use super::thread_rows::ThreadRows;
use flowline_profile::{Arrangement, GroupKind, Profile, Thread};

/// The row of each marker in the stack of its thread, or in the rows of its asynchronous operation, from 0 for the
/// outermost. A marker that partly overlaps another one is on the next free row. `None` for markers that do not nest.
#[must_use]
pub fn row_depths(profile: &Profile, thread: &Thread) -> Vec<Option<u32>> {
    let rows = ThreadRows::build(profile, thread, Arrangement::Stack);
    let mut depths = vec![None; thread.markers.len()];
    // The first row of each operation.
    let mut first_rows: HashMap<u32, u32> = HashMap::new();
    let is_nested = |kind: GroupKind| matches!(kind, GroupKind::Stack | GroupKind::Operations(_));
    for group in rows.groups.iter().filter(|group| is_nested(group.kind)) {
        for row in group.first_row..group.first_row + group.rows {
            for marker in rows.row(row as usize) {
                let first = match (group.kind, thread.groups.get(marker.index())) {
                    (GroupKind::Operations(_), Some(operation)) => *first_rows.entry(*operation).or_insert(row),
                    _ => group.first_row,
                };
                depths[marker.index()] = Some(row - first);
            }
        }
    }
    depths
}
