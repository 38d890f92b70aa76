//! Strips: narrow lanes at the top of a heading of a thread or of a counter, above the graph.

use crate::layout::{Item, ItemKind, SceneInput};
use crate::primitives::RowBounds;
use flowline_index::{Derived as _, MarkerSurfaces};

/// Points above a strip, its height, and points below it.
const ABOVE: f32 = 2.0;
const HEIGHT: f32 = 5.0;
const BELOW: f32 = 1.0;

/// The lane of the strip of an item.
pub(super) fn strip_lane(surfaces: &MarkerSurfaces, item: &Item) -> Option<u32> {
    match item.kind {
        ItemKind::Thread(heading) => surfaces.of_heading(heading.thread),
        ItemKind::Counter(counter) => surfaces.of_counter(counter.counter),
        _ => None,
    }
}

/// Position of the strip of an item.
pub(super) fn strip_place(input: &SceneInput<'_>, item: &Item) -> RowBounds {
    let above = (ABOVE * input.scale).round();
    RowBounds::new(input.item_y(item) + above, (HEIGHT * input.scale).round().max(1.0))
}

/// Device pixels between the top of an item and its contents, which are below its strip if it has one: `usual` otherwise.
pub(crate) fn content_top(input: &SceneInput<'_>, item: &Item, usual: f32) -> f32 {
    if !matches!(item.kind, ItemKind::Thread(_) | ItemKind::Counter(_)) {
        return usual;
    }
    let surfaces = MarkerSurfaces::if_built(input.index).filter(|surfaces| !surfaces.is_empty());
    let lane = surfaces.and_then(|surfaces| strip_lane(surfaces, item));
    let below = ((ABOVE + HEIGHT + BELOW) * input.scale).round();
    lane.map_or(usual, |_| below.max(usual))
}
