//! The selected range and the selected rows: a tint below the contents of rows, and edges above them. Each edge covers whole
//! pixels at its time or row.

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

/// Adds the tint of the selection.
pub(crate) fn tint(input: &SceneInput<'_>, palette: &Palette, rects: &mut Vec<RectInstance>) {
    let fill = |rect, alpha| RectInstance::filled(rect, with_alpha(palette.accent, alpha));
    if input.scope.rows().is_none() {
        let chart = input.regions.chart;
        let whole = |(left, right)| fill(PixelRect::new(left, chart.y, right - left, chart.height), FILL);
        return rects.extend(edges_of_range(input).map(whole));
    }
    rects.extend(areas(input).into_iter().map(|(part, rect)| {
        let alpha = if part == SelectedShare::All { FILL } else { PART_FILL };
        fill(rect, alpha)
    }));
}

/// Adds the edges of the selection; lines are `line` pixels wide.
pub(crate) fn edges(input: &SceneInput<'_>, line: f32, palette: &Palette, rects: &mut Vec<RectInstance>) {
    let chart = input.regions.chart;
    let has_rows = input.scope.rows().is_some();
    if let Some((left, right)) = edges_of_range(input) {
        let color = if has_rows { with_alpha(palette.accent, FAINT_EDGE) } else { palette.accent };
        let upright = |x: f32| RectInstance::filled(PixelRect::new(x, chart.y, line, chart.height), color);
        rects.extend([left, right - line].map(upright));
    }
    if !has_rows {
        return;
    }
    for (_, rect) in areas(input) {
        let across = [rect.y, rect.bottom() - line].map(|y| PixelRect { y, height: line, ..rect });
        let along = [rect.x, rect.right() - line].map(|x| PixelRect { x, width: line, ..rect });
        rects.extend(across.into_iter().chain(along).map(|side| RectInstance::filled(side, palette.accent)));
    }
}

/// Left and right edge of the selected range, at least a pixel apart.
fn edges_of_range(input: &SceneInput<'_>) -> Option<(f32, f32)> {
    let edge = |time| pixel_of(input, time);
    input.view.range.map(|range| (edge(range.start), edge(range.end).max(edge(range.start) + 1.0)))
}

/// The areas of the selected rows within the selected range.
fn areas(input: &SceneInput<'_>) -> Vec<(SelectedShare, PixelRect)> {
    let chart = input.regions.chart;
    let (left, right) = edges_of_range(input).unwrap_or((chart.x, chart.right()));
    let area = |(part, top, bottom)| (part, PixelRect::new(left, top, right - left, bottom - top));
    runs(input).into_iter().map(area).collect()
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
