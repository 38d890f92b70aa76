//! Rows of asynchronous operations. The slices of an operation (slices with the same id) are nested together.
//! Operations whose outermost slices have the same name form a group and are packed without overlap.

use std::collections::HashMap;

use super::first_fit::FirstFit;
use super::packing::nest_rows;
use flowline_profile::{CategoryId, LocalMarker, Profile, StringId, Thread};

/// An operation with its time and its rows.
struct Operation {
    start: i64,
    end: i64,
    rows: Vec<Vec<LocalMarker>>,
}

/// Operations with the same name.
struct NamedOperations {
    name: StringId,
    category: CategoryId,
    operations: Vec<Operation>,
}

/// The rows of all operations, built from the markers for which `keep` returns true, grouped by name, in alphabetical
/// order.
pub(super) fn operation_rows(
    profile: &Profile,
    thread: &Thread,
    keep: impl Fn(&LocalMarker) -> bool,
) -> Vec<(StringId, CategoryId, Vec<Vec<LocalMarker>>)> {
    let mut numbers: HashMap<StringId, usize> = HashMap::new();
    let mut groups: Vec<NamedOperations> = Vec::new();
    for members in by_group(thread, keep) {
        let Some(first) = members.first().copied() else { continue };
        let end = |marker: &LocalMarker| thread.markers.end(*marker).0;
        let (start, end) = (thread.markers.start(first).0, members.iter().map(end).max().unwrap_or(0));
        let name = thread.markers.name(first);
        let number = *numbers.entry(name).or_insert_with(|| {
            groups.push(NamedOperations { name, category: thread.markers.category(first), operations: Vec::new() });
            groups.len() - 1
        });
        groups[number].operations.push(Operation { start, end, rows: nest_rows(thread, members) });
    }
    groups.sort_by_cached_key(|group| {
        let name = profile.strings.get(group.name);
        (name.to_lowercase(), name.to_owned())
    });
    groups.into_iter().map(|group| (group.name, group.category, pack_rows(group.operations))).collect()
}

/// The markers of each operation in start order. Operations are ordered by their first markers.
fn by_group(thread: &Thread, keep: impl Fn(&LocalMarker) -> bool) -> Vec<Vec<LocalMarker>> {
    let mut numbers: HashMap<u32, usize> = HashMap::new();
    let mut groups: Vec<Vec<LocalMarker>> = Vec::new();
    let markers = thread.groups.iter().enumerate().map(|(at, group)| (LocalMarker::new(at), group));
    for (marker, group) in markers.filter(|(marker, _)| keep(marker)) {
        let number = *numbers.entry(*group).or_insert_with(|| {
            groups.push(Vec::new());
            groups.len() - 1
        });
        groups[number].push(marker);
    }
    groups
}

/// Packs operations into lanes, first-fit. A lane has as many rows as its deepest operation.
fn pack_rows(mut operations: Vec<Operation>) -> Vec<Vec<LocalMarker>> {
    operations.sort_by_key(|operation| (operation.start, std::cmp::Reverse(operation.end)));
    let mut fit = FirstFit::new();
    let mut lanes: Vec<Vec<Vec<LocalMarker>>> = Vec::new();
    for operation in operations {
        let lane = fit.place(operation.start, operation.end);
        if lanes.len() <= lane {
            lanes.resize_with(lane + 1, Vec::new);
        }
        let rows = &mut lanes[lane];
        if rows.len() < operation.rows.len() {
            rows.resize_with(operation.rows.len(), Vec::new);
        }
        for (row, markers) in rows.iter_mut().zip(operation.rows) {
            row.extend(markers);
        }
    }
    lanes.into_iter().flatten().collect()
}
