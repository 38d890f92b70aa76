//! Pixel columns of step functions, such as counters: the steps shown in each column.

use crate::geometry::AxisMap;
use crate::layout::SceneInput;
use flowline_index::counters::TickTree;

/// Consecutive columns, and the steps whose values they show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ColumnRun {
    /// First column, and one past the last.
    pub(super) columns: (u16, u16),
    /// First step, and one past the last.
    pub(super) steps: (usize, usize),
}

/// The column of a tick.
#[expect(clippy::cast_possible_truncation, reason = "saturating on purpose")]
fn column_of(map: &AxisMap, tick: u64) -> i64 {
    map.pixel(tick).floor() as i64
}

/// Calls `each` for all columns that show steps. `bounds` are the first ticks of all columns and of the column after
/// the last.
pub(super) fn visit_columns(steps: &TickTree, map: &AxisMap, bounds: &[u64], mut each: impl FnMut(ColumnRun)) {
    let (Some(&first), Some(columns)) = (bounds.first(), bounds.len().checked_sub(1)) else { return };
    let (ticks, end) = (steps.all(), u16::try_from(columns).unwrap_or(u16::MAX));
    let mut step = steps.count_below_from(0, first);
    let mut column = 0;
    while column < end {
        let next = ticks.get(step).map_or(i64::MAX, |tick| column_of(map, *tick));
        if next > i64::from(column) {
            let until = u16::try_from(next).unwrap_or(u16::MAX).min(end);
            if step > 0 {
                each(ColumnRun { columns: (column, until), steps: (step - 1, step) });
            }
            column = until;
            continue;
        }
        let after = steps.count_below_from(step, bounds[usize::from(column) + 1]);
        // The value before the first change is also visible, unless the change is on the column's left edge.
        let is_seen_before = step > 0 && map.pixel(ticks[step]) > f32::from(column);
        each(ColumnRun { columns: (column, column + 1), steps: (step - usize::from(is_seen_before), after) });
        (step, column) = (after, column + 1);
    }
}

/// The steps shown in a column, first and one past the last; `None` if nothing changes in the column.
pub(super) fn changes_in(steps: &TickTree, map: &AxisMap, column: u16) -> Option<(usize, usize)> {
    let first = steps.count_below_from(0, map.first_tick(column));
    let after = steps.count_below_from(first, map.first_tick(column.saturating_add(1)));
    let is_seen_before = first > 0 && after > first && map.pixel(steps.all()[first]) > f32::from(column);
    (after > first).then_some((first - usize::from(is_seen_before), after))
}

/// The first ticks of all columns up to the end of the recording, and of the column after the last; empty if no column
/// is in view.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the width")]
pub(super) fn column_bounds(input: &SceneInput<'_>, map: &AxisMap) -> Vec<u64> {
    let end = input.index.clock().tick(input.index.extent().end);
    let width = input.regions.chart.width.min(f32::from(u16::MAX));
    let end = (map.pixel(end).floor() + 1.0).clamp(0.0, width) as u16;
    if end == 0 { Vec::new() } else { (0..=end).map(|column| map.first_tick(column)).collect() }
}
