//! Places markers on rows: instants apart, intervals first-fit, nested slices below the slices that contain them.

use super::first_fit::FirstFit;
use flowline_profile::{LocalMarker, Thread};

/// Puts instants on a row of their own and packs intervals first-fit below it.
pub(super) fn pack_rows(thread: &Thread, markers: &[LocalMarker]) -> Vec<Vec<LocalMarker>> {
    let (instants, intervals): (Vec<_>, Vec<_>) =
        markers.iter().copied().partition(|marker| thread.markers.is_instant(*marker));
    let mut rows = vec![instants];
    let mut fit = FirstFit::new();
    for marker in intervals {
        let range = thread.markers.range(marker);
        let row = fit.place(range.start.0, range.end.0);
        if rows.len() <= row + 1 {
            rows.push(Vec::new());
        }
        rows[row + 1].push(marker);
    }
    rows
}

/// Builds rows by containment: each marker is placed on the first free row below the open markers that contain it.
/// Partly overlapping markers go to a free row. No marker is dropped or clipped.
///
/// An instant contains nothing, so instants at the same time share a row.
pub(super) fn nest_rows(thread: &Thread, mut markers: Vec<LocalMarker>) -> Vec<Vec<LocalMarker>> {
    let key = |marker: &LocalMarker| {
        let range = thread.markers.range(*marker);
        (range.start, std::cmp::Reverse(range.end), *marker)
    };
    // Threads of traces are already in this order.
    if !markers.is_sorted_by_key(key) {
        markers.sort_unstable_by_key(key);
    }
    let mut rows: Vec<Vec<LocalMarker>> = Vec::new();
    let mut fit = FirstFit::new();
    // Markers that may contain later ones, by descending end. A marker that ends before the newest one contains no
    // later one.
    let mut open: Vec<(i64, usize)> = Vec::new();
    for marker in markers {
        let range = thread.markers.range(marker);
        let (start, end) = (range.start.0, range.end.0);
        while open.pop_if(|(open_end, _)| *open_end < end).is_some() {}
        let least = open.last().map_or(0, |(_, row)| row + 1);
        let row = fit.place_from(least, start, end);
        if rows.len() <= row {
            rows.resize_with(row + 1, Vec::new);
        }
        rows[row].push(marker);
        if !thread.markers.is_instant(marker) {
            open.push((end, row));
        }
    }
    rows
}
