//! The page before and after a layout shift: the screenshots around it, and where the elements were that moved.

use flowline_index::{Derived, Index};
use flowline_insights::layout_shifts::{LayoutShift, LayoutShifts, ShiftedNode, Viewports};
use flowline_insights::page_load::{Screenshot, Screenshots};
use flowline_profile::MarkerId;

/// At most this many elements are outlined.
const MAX_OUTLINES: usize = 50;

/// The place of an element that moved.
#[derive(Clone, Debug, PartialEq)]
pub struct ShiftOutline {
    /// Name of the element; empty if unknown.
    pub name: String,
    /// Left, top, right and lower edge as parts of the viewport, within 0 and 1.
    pub edges: [f64; 4],
}

/// The page before a shift, or after it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShiftSide {
    /// The screenshot, if there is one.
    pub screenshot: Option<Screenshot>,
    /// The elements that moved and are in view.
    pub outlines: Vec<ShiftOutline>,
}

/// The page before and after a shift.
#[derive(Clone, Debug, PartialEq)]
pub struct ShiftPreview {
    /// Width and height of the viewport; `None` if it is not recorded, and then nothing is outlined.
    pub viewport: Option<[f64; 2]>,
    /// True if the shift happened in a frame inside the page. The place of that frame is unknown, so nothing is outlined.
    pub is_inside: bool,
    /// Before the shift.
    pub before: ShiftSide,
    /// After it.
    pub after: ShiftSide,
}

impl ShiftPreview {
    /// The preview of a marker's shift. `None` for other markers, if there is nothing to show, and until shifts have been
    /// read.
    #[must_use]
    pub fn of(index: &Index, marker: MarkerId) -> Option<Self> {
        let all = LayoutShifts::if_built(index)?;
        let shift = all.shifts().get(all.of_marker(marker)?)?;
        let viewport = Viewports::if_built(index)?.at(shift.time).map(|viewport| viewport.size);
        let known = viewport.filter(|_| shift.is_main);
        let outlines = |place: fn(&ShiftedNode) -> Option<[f64; 4]>| outlines(shift, known, place);
        let [before, after] = screenshots(index, shift);
        let preview = Self {
            viewport,
            is_inside: !shift.is_main,
            before: ShiftSide { screenshot: before, outlines: outlines(|node| node.old) },
            after: ShiftSide { screenshot: after, outlines: outlines(|node| node.new) },
        };
        let is_empty = |side: &ShiftSide| side.screenshot.is_none() && side.outlines.is_empty();
        (!is_empty(&preview.before) || !is_empty(&preview.after)).then_some(preview)
    }
}

/// The last screenshot before a shift, and the next one.
fn screenshots(index: &Index, shift: &LayoutShift) -> [Option<Screenshot>; 2] {
    let all = Screenshots::if_built(index).map(Screenshots::list).unwrap_or_default();
    let after = all.partition_point(|own| own.time < shift.time);
    [after.checked_sub(1).and_then(|before| all.get(before)), all.get(after)].map(Option::<&Screenshot>::copied)
}

fn outlines(
    shift: &LayoutShift,
    viewport: Option<[f64; 2]>,
    place: fn(&ShiftedNode) -> Option<[f64; 4]>,
) -> Vec<ShiftOutline> {
    let Some(viewport) = viewport else { return Vec::new() };
    let of = |node: &ShiftedNode| {
        let edges = edges(place(node)?, viewport)?;
        Some(ShiftOutline { name: node.name.clone(), edges })
    };
    shift.nodes.iter().filter_map(of).take(MAX_OUTLINES).collect()
}

/// The edges of a rectangle (left, top, width, height) as parts of the viewport; `None` if it is out of view. Elements that
/// appeared or went away have no size on one side.
fn edges([left, top, width, height]: [f64; 4], [wide, high]: [f64; 2]) -> Option<[f64; 4]> {
    let part = |side: f64, whole: f64| (side / whole).clamp(0.0, 1.0);
    let [left, right] = [left, left + width].map(|side| part(side, wide));
    let [top, bottom] = [top, top + height].map(|side| part(side, high));
    (left < right && top < bottom).then_some([left, top, right, bottom])
}

#[cfg(test)]
mod tests {
    use super::edges;

    #[test]
    fn rectangles_are_parts_of_the_viewport_and_cut_to_it() {
        let viewport = [800.0, 400.0];
        assert_eq!(edges([80.0, 100.0, 400.0, 200.0], viewport), Some([0.1, 0.25, 0.6, 0.75]));
        assert_eq!(edges([-80.0, 300.0, 160.0, 400.0], viewport), Some([0.0, 0.75, 0.1, 1.0]));
        for out in [[0.0; 4], [0.0, 400.0, 800.0, 10.0], [-10.0, 0.0, 10.0, 400.0], [10.0, 10.0, -5.0, 5.0]] {
            assert_eq!(edges(out, viewport), None, "{out:?}");
        }
    }
}
