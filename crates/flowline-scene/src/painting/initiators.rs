//! Arrows from the initiator of the selected event, and to the events that it initiated.

use super::note_placement::is_visible;
use super::overlays::Overlay;
use crate::geometry::PixelRect;
use crate::layout::{Anchor, SceneInput, pixel_of};
use crate::theme::Palette;
use flowline_profile::MarkerId;

/// Maximum number of events with an arrow.
const MOST: usize = 64;

/// The arrows of the selected event, once its initiators are known.
pub(crate) fn overlays(input: &SceneInput<'_>, palette: &Palette) -> Vec<Overlay> {
    let Some((selected, initiators)) = input.view.selected.zip(input.index.initiators_if_built()) else {
        return Vec::new();
    };
    // Flow lanes draw their own arrows.
    if input.view.flow_lanes.shown {
        return Vec::new();
    }
    let arrow = |from: MarkerId, to: MarkerId| {
        let (from, to) = (box_of(input, from)?, box_of(input, to)?);
        let (left, top) = (from.x.min(to.x), from.y.min(to.y));
        let (right, bottom) = (from.right().max(to.right()), from.bottom().max(to.bottom()));
        let around = PixelRect::new(left, top, right - left, bottom - top);
        let overlay = Overlay { anchor: Anchor::Link(from, to), everywhere: false, color: palette.text2, plate: None };
        is_visible(around, input.regions.chart).then_some(overlay)
    };
    let from = initiators.of(selected).and_then(|initiator| arrow(initiator, selected));
    let to = initiators.led_to(selected).iter().take(MOST).filter_map(|event| arrow(selected, *event));
    from.into_iter().chain(to).collect()
}

/// The box of a marker on its row, or of the collapsed track that contains it.
fn box_of(input: &SceneInput<'_>, marker: MarkerId) -> Option<PixelRect> {
    let profile = input.index.profile();
    let (thread, local) = profile.locate(marker)?;
    let item = input.list.item_of(input.index, input.view.arrangement, thread, local)?;
    let times = profile.thread(thread).markers.range(local);
    let (left, right) = (pixel_of(input, times.start), pixel_of(input, times.end));
    Some(PixelRect::new(left, input.item_y(&item), (right - left).max(1.0), input.item_height(&item)))
}
