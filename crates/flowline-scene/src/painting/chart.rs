//! Chart layers around the tracks: backgrounds and the time grid below them, the selected range and the pointer line
//! above them.

use crate::frame::Frame;
use crate::geometry::PixelRect;
use crate::layout::{Item, SceneInput, pixel_of};
use crate::primitives::RectInstance;
use crate::theme::Palette;

/// Draws the backgrounds of rows and headings.
pub(crate) fn build_backdrop(input: &SceneInput<'_>, frame: &mut Frame) {
    let chart = input.regions.chart;
    let palette = frame.palette;
    let full = |item: &Item| PixelRect::new(chart.x, input.item_y(item), chart.width, input.item_height(item));
    let line = frame.line_width();
    let mut rects = vec![RectInstance::filled(chart, palette.canvas)];
    for item in input.visible_items() {
        let rect = full(item);
        crate::tracks::background(item, rect, palette, line, &mut rects);
    }
    frame.draw(chart, rects);
    super::ruler::build_grid(input, frame, chart);
}

/// Dims the chart outside the range of the emphasized insight.
fn dim_around_insight(input: &SceneInput<'_>, palette: &Palette, rects: &mut Vec<RectInstance>) {
    let Some(range) = input.view.insight.as_ref().and_then(|focus| focus.range) else { return };
    let chart = input.regions.chart;
    let (left, right) = (pixel_of(input, range.start), pixel_of(input, range.end));
    // A moment takes at least a pixel.
    let right = right.max(left + 1.0).clamp(chart.x, chart.right());
    let left = left.clamp(chart.x, chart.right());
    let before = PixelRect { width: left - chart.x, ..chart };
    let after = PixelRect { x: right, width: chart.right() - right, ..chart };
    rects.extend(
        [before, after]
            .into_iter()
            .filter(|rect| rect.width > 0.0)
            .map(|rect| RectInstance::filled(rect, palette.shade)),
    );
}

/// Draws the tint of the selection between the backgrounds of rows and their contents, so that contents keep their colors.
pub(crate) fn build_tint(input: &SceneInput<'_>, frame: &mut Frame) {
    let mut rects = Vec::new();
    super::selection::tint(input, frame.palette, &mut rects);
    frame.draw(input.regions.chart, rects);
}

/// Draws the edges of the selection and the pointer line, and dims what is outside of the committed range.
pub(crate) fn build_ranges(input: &SceneInput<'_>, frame: &mut Frame) {
    let chart = input.regions.chart;
    let palette = frame.palette;
    let line = frame.line_width();
    let mut rects = Vec::new();
    if let Some(committed) = input.scope.committed() {
        let (left, right) = (pixel_of(input, committed.start), pixel_of(input, committed.end));
        let (left, right) = (left.clamp(chart.x, chart.right()), right.clamp(chart.x, chart.right()));
        rects.push(RectInstance::filled(PixelRect { width: left - chart.x, ..chart }, palette.shade));
        rects.push(RectInstance::filled(PixelRect { x: right, width: chart.right() - right, ..chart }, palette.shade));
        rects.retain(|rect: &RectInstance| rect.rect[2] > 0.0);
    }
    dim_around_insight(input, palette, &mut rects);
    super::selection::edges(input, line, palette, &mut rects);
    if let Some(x) = input.timed_pointer() {
        let rect = PixelRect::new(x.floor(), chart.y, line, chart.height);
        rects.push(RectInstance::filled(rect, palette.text2));
    }
    frame.draw(chart, rects);
}
