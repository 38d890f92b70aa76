//! Chart layers around the tracks: backgrounds and the time grid below them, the selected range and the pointer line
//! above them.

use crate::frame::Frame;
use crate::geometry::PixelRect;
use crate::layout::{Item, SceneInput, pixel_of};
use crate::primitives::RectInstance;

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

/// Draws the selected time range and the pointer line.
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
    super::selection::build(input, line, palette, &mut rects);
    if let Some(x) = input.timed_pointer() {
        let rect = PixelRect::new(x.floor(), chart.y, line, chart.height);
        rects.push(RectInstance::filled(rect, palette.text2));
    }
    frame.draw(chart, rects);
}
