//! Hit testing of strips and lanes, by the drawn geometry.

use super::strip::{strip_lane, strip_place};
use crate::layout::{Hit, Item, SceneInput};
use crate::tracks::row_spans::{column_and_reach, nearest};
use flowline_index::{Derived as _, MarkerSurfaces, SurfaceLane};

/// The marker of a lane at an x coordinate: the selected one first, then any other, then those nearby.
pub(super) fn lane_hit(input: &SceneInput<'_>, surfaces: &MarkerSurfaces, lane: &SurfaceLane, x: f32) -> Option<Hit> {
    let map = input.axis_map();
    let (column, reach) = column_and_reach(x - input.regions.chart.x, input.scale);
    let profile = input.index.profile();
    let thread = profile.thread(lane.thread);
    let selected = input.view.selected.and_then(|marker| profile.locate(marker));
    if let Some((_, local)) = selected.filter(|(of, local)| *of == lane.thread && surfaces.has(lane, thread, *local)) {
        let (first, end) = map.columns(lane.items(input.index, 0).packed_marker(local));
        if first <= column && column < end {
            return Some(Hit { thread: lane.thread, marker: thread.global(local), count: 1 });
        }
    }
    let find = |reach: i32| {
        (0..lane.layout().rows.len())
            .rev()
            .find_map(|row| nearest(&lane.items(input.index, row), lane.layout().pyramid(row), &map, column, reach))
    };
    let span = find(0).or_else(|| find(reach))?;
    Some(Hit { thread: lane.thread, marker: thread.global(span.longest), count: span.count })
}

/// The marker at a point of the strip of an item.
pub(in crate::tracks) fn strip_hit(input: &SceneInput<'_>, item: &Item, x: f32, y: f32) -> Option<Hit> {
    let surfaces = MarkerSurfaces::if_built(input.index).filter(|surfaces| !surfaces.is_empty())?;
    let lane = surfaces.lane(strip_lane(surfaces, item)?)?;
    let place = strip_place(input, item);
    // The space above belongs to the strip, too: it is narrow.
    (y < place.y + place.height).then(|| lane_hit(input, surfaces, lane, x))?
}
