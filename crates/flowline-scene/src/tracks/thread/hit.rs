//! Hit testing in the chart, by the rows, spans and columns that are drawn.

use super::markers::{VisibleRow, visible_rows};
use crate::geometry::AxisMap;
use crate::layout::{Hit, SceneInput};
use crate::tracks::row_spans::{column_and_reach, nearest};
use flowline_index::ThreadLayout;

/// The marker drawn at a point of the canvas, or else the closest one within three points on the same row.
#[must_use]
pub fn hit(input: &SceneInput<'_>, x: f32, y: f32) -> Option<Hit> {
    hit_within(input, x, y, false).or_else(|| hit_within(input, x, y, true))
}

/// The marker drawn at a point or, if `near`, the closest one around it.
pub(super) fn hit_within(input: &SceneInput<'_>, x: f32, y: f32, near: bool) -> Option<Hit> {
    let chart = input.regions.chart;
    if !chart.contains(x, y) {
        return None;
    }
    let map = input.axis_map();
    let (column, reach) = column_and_reach(x - chart.x, input.scale);
    let mut rows = visible_rows(input);
    rows.retain(|row| {
        let top = input.item_y(&row.item);
        y >= top && y < top + input.item_height(&row.item)
    });
    // In reverse draw order: the selected marker, search hits, all spans; then markers nearby.
    let topmost = |find: &dyn Fn(&VisibleRow<'_>) -> Option<Hit>| rows.iter().rev().find_map(find);
    if near {
        return topmost(&|row| hit_layout(input, row, row.layout, &map, column, reach));
    }
    topmost(&|row| hit_selected(input, row, &map, column))
        .or_else(|| topmost(&|row| hit_layout(input, row, row.hits(input, input.search?)?, &map, column, 0)))
        .or_else(|| topmost(&|row| hit_layout(input, row, row.layout, &map, column, 0)))
}

/// The selected marker, if it is on a row over a column.
fn hit_selected(input: &SceneInput<'_>, row: &VisibleRow<'_>, map: &AxisMap, column: i32) -> Option<Hit> {
    let (at, local) = input.index.profile().locate(input.view.selected?)?;
    let thread = input.index.profile().thread(row.thread);
    if at != row.thread || !row.has(input, local) {
        return None;
    }
    let items = row.layout.items(input.index.source(), thread, row.row);
    let (first, end) = map.columns(items.packed_marker(local));
    (first <= column && column < end).then(|| Hit { thread: row.thread, marker: thread.global(local), count: 1 })
}

/// The span of a layout's row within `reach` pixels of a column.
fn hit_layout(
    input: &SceneInput<'_>,
    row: &VisibleRow<'_>,
    layout: &ThreadLayout,
    map: &AxisMap,
    column: i32,
    reach: i32,
) -> Option<Hit> {
    let thread = input.index.profile().thread(row.thread);
    let items = layout.items(input.index.source(), thread, row.row);
    let span = nearest(&items, layout.pyramid(row.row), map, column, reach)?;
    Some(Hit { thread: row.thread, marker: thread.global(span.longest), count: span.count })
}
