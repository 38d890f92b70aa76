//! The selected range and the selected rows, drawn over the chart. Each edge covers whole pixels at its time or row, on
//! top of everything drawn below.

use crate::geometry::PixelRect;
use crate::layout::{SceneInput, SelectedShare, pixel_of};
use crate::primitives::RectInstance;
use crate::theme::{Palette, with_alpha};

/// Alpha of the selection.
const FILL: u8 = 38;
/// Alpha of a collapsed group with only some rows selected.
const PART_FILL: u8 = 18;
/// Alpha of the edges of the selected range outside the selected rows.
const FAINT_EDGE: u8 = 80;

/// Adds the rectangles of the selection; lines are `line` pixels wide.
pub(crate) fn build(input: &SceneInput<'_>, line: f32, palette: &Palette, rects: &mut Vec<RectInstance>) {
    let chart = input.regions.chart;
    let edge = |time| pixel_of(input, time);
    let range = input.view.range.map(|range| (edge(range.start), edge(range.end).max(edge(range.start) + 1.0)));
    let upright = |x: f32, color| RectInstance::filled(PixelRect::new(x, chart.y, line, chart.height), color);
    if input.scope.rows().is_none() {
        if let Some((left, right)) = range {
            let fill = PixelRect::new(left, chart.y, right - left, chart.height);
            rects.push(RectInstance::filled(fill, with_alpha(palette.accent, FILL)));
            rects.extend([left, right - line].map(|x| upright(x, palette.accent)));
        }
        return;
    }
    if let Some((left, right)) = range {
        rects.extend([left, right - line].map(|x| upright(x, with_alpha(palette.accent, FAINT_EDGE))));
    }
    let (left, right) = range.unwrap_or((chart.x, chart.right()));
    for (part, top, bottom) in runs(input) {
        let alpha = if part == SelectedShare::All { FILL } else { PART_FILL };
        let rect = PixelRect::new(left, top, right - left, bottom - top);
        rects.push(RectInstance::filled(rect, with_alpha(palette.accent, alpha)));
        let across = [top, bottom - line].map(|y| PixelRect { y, height: line, ..rect });
        let along = [left, right - line].map(|x| PixelRect { x, width: line, ..rect });
        rects.extend(across.into_iter().chain(along).map(|side| RectInstance::filled(side, palette.accent)));
    }
}

/// Top and bottom of the selected items on screen; adjacent items with the same selection state are merged.
fn runs(input: &SceneInput<'_>) -> Vec<(SelectedShare, f32, f32)> {
    let mut runs: Vec<(SelectedShare, f32, f32)> = Vec::new();
    for item in input.visible_items() {
        let part = input.selected_share(&item.kind);
        let (top, bottom) = (input.item_y(item), input.item_y(item) + input.item_height(item));
        match runs.last_mut() {
            _ if part == SelectedShare::None => {}
            Some(last) if last.0 == part && (last.2 - top).abs() < 0.5 => last.2 = bottom,
            _ => runs.push((part, top, bottom)),
        }
    }
    runs
}
