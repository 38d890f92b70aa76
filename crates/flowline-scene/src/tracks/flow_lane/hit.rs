//! Hit testing on flow lanes, by the spans and columns that are drawn.

use super::on_screen::{highlighted, matching};
use crate::geometry::AxisMap;
use crate::layout::{FlowTarget, SceneInput};
use crate::tracks::row_spans::column_and_reach;
use flowline_index::Packed;
use flowline_profile::{FlowId, MarkerId};

/// A span's marker, and the number of markers merged into the span.
type LaneHit = (MarkerId, u32);

/// The last drawn of the visited spans over a column, or else the closest one within `reach` columns.
fn nearest(
    map: &AxisMap,
    column: i32,
    reach: i32,
    visit: impl FnOnce((u64, u64), &mut dyn FnMut(Packed, MarkerId, u32)),
) -> Option<LaneHit> {
    let span = map.ticks(f64::from(column - reach), f64::from(column + reach + 1));
    let mut best: Option<(i32, LaneHit)> = None;
    visit(span, &mut |packed, marker, count| {
        let (first, end) = map.columns(packed);
        let distance = (first - column).max(column - (end - 1)).max(0);
        if distance <= reach && best.is_none_or(|(least, _)| distance <= least) {
            best = Some((distance, (marker, count)));
        }
    });
    best.map(|(_, found)| found)
}

/// The target at an x coordinate of a flow lane, or else the closest one within three points.
pub(super) fn target(input: &SceneInput<'_>, flow: FlowId, x: f32) -> FlowTarget {
    let Some(shape) = input.lane(flow) else { return FlowTarget::Row };
    let map = input.axis_map();
    let scale = map.ticks_per_pixel();
    let (column, reach) = column_and_reach(x - input.regions.chart.x, input.scale);
    let is_under = |marker: &MarkerId| {
        let (first, end) = input.packed_marker(*marker).map_or((0, 0), |packed| map.columns(packed));
        first <= column && column < end
    };
    // The topmost target wins, so the search order is the reverse of the draw order.
    if let Some(marker) =
        input.view.selected.filter(|selected| highlighted(input, flow).any(|marker| marker == *selected))
        && is_under(&marker)
    {
        return FlowTarget::Run { marker, count: 1 };
    }
    if let Some(marker) = matching(input, flow).filter(is_under).last() {
        return FlowTarget::Run { marker, count: 1 };
    }
    let marks = |reach| nearest(&map, column, reach, |span, each| shape.visit_marks(scale, span, each));
    let runs = |reach| nearest(&map, column, reach, |span, each| shape.visit_runs(scale, span, each));
    let waits = |reach| nearest(&map, column, reach, |span, each| shape.visit_waits(scale, span, each));
    let mark = |(marker, count)| FlowTarget::Dot { marker, count };
    let run = |(marker, count)| FlowTarget::Run { marker, count };
    let wait = |(marker, count)| FlowTarget::Wait { marker, count };
    let exact = marks(0).map(mark).or_else(|| runs(0).map(run)).or_else(|| waits(0).map(wait));
    exact.or_else(|| marks(reach).map(mark)).or_else(|| runs(reach).map(run)).unwrap_or(FlowTarget::Row)
}
