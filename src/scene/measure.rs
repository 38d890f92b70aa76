//! The measuring tool: two upright lines with their letters, and their distance between them. Before the second edge is put,
//! the distance to the pointer.

use std::sync::Arc;

use super::SceneInput;
use super::frame::{Frame, TextRun};
use super::pixel_rect::PixelRect;
use super::primitives::RectInstance;
use super::ruler::{TEXT_SIZE, pixel_of, text_width};
use super::theme::with_alpha;
use crate::profile::text::format_duration_ns;
use crate::view::MeasureEdge;

/// Height of the plates in points.
const PLATE_HEIGHT: f32 = 17.0;
/// Distance of the plates from the top of the chart in points.
const TOP: f32 = 4.0;

/// Draws the edges that have been put.
pub(super) fn build(input: &SceneInput<'_>, frame: &mut Frame) {
    let Some(measure) = input.view.measure else { return };
    let (chart, palette, line, scale) = (input.regions.chart, frame.palette, frame.line_width(), input.scale);
    if chart.height < PLATE_HEIGHT * scale {
        return;
    }
    let edge = |time| pixel_of(input, time);
    let (top, height) = (chart.y + (TOP * scale).round(), (PLATE_HEIGHT * scale).round());
    let mut rects = Vec::new();
    let mut plates: Vec<(PixelRect, String)> = Vec::new();
    let here = input.pointer.filter(|(x, y)| chart.contains(*x, *y)).map(|(x, _)| x);
    let pointed = here.or(input.other_pointer);
    let to = measure.b.or_else(|| Some(input.view.axis.time(f64::from(pointed? - chart.x))));
    if let Some(to) = to {
        let (left, right) = (edge(measure.a).min(edge(to)), edge(measure.a).max(edge(to)));
        let (left, right) = (left.max(chart.x), right.min(chart.right()));
        let between = PixelRect::new(left, (top + height / 2.0).floor(), (right - left).max(0.0), line);
        rects.push(RectInstance::filled(between, with_alpha(palette.text, 150)));
        let label = format_duration_ns((to - measure.a).0.saturating_abs());
        let width = (text_width(&label, scale) + 12.0 * scale).round();
        // Between the letters if there is room, else beside the right one.
        let letters = 2.0 * (text_width("A", scale) + 10.0 * scale);
        let has_room = right - left > width + letters;
        let x = if has_room { left.midpoint(right) - width / 2.0 } else { right + letters / 2.0 + line };
        let x = x.clamp(chart.x, (chart.right() - width).max(chart.x)).round();
        plates.push((PixelRect::new(x, top, width, height), label));
    }
    for which in MeasureEdge::BOTH {
        let Some(x) = measure.edge(which).map(edge) else { continue };
        rects.push(RectInstance::filled(PixelRect::new(x, chart.y, line, chart.height), with_alpha(palette.text, 210)));
        let width = (text_width(which.name(), scale) + 10.0 * scale).round();
        // The letter stands outside of the measured range.
        let is_left = to.is_some_and(|to| (which == MeasureEdge::A) == (edge(measure.a) <= edge(to)));
        let left = if is_left { x - width } else { x + line };
        plates.push((PixelRect::new(left, top, width, height), which.name().to_owned()));
    }
    let plate = |(rect, _): &(PixelRect, String)| RectInstance {
        radius: 3.0 * scale,
        ..RectInstance::filled(*rect, palette.text)
    };
    rects.extend(plates.iter().map(plate));
    frame.draw(chart, rects);
    let size = TEXT_SIZE * scale;
    for (rect, label) in plates {
        let indent = (rect.width - text_width(&label, scale)) / 2.0;
        frame.texts.push(TextRun {
            text: Arc::from(label),
            x: rect.x + indent.max(0.0),
            y: (rect.y + (rect.height - size * 1.3) / 2.0).round(),
            size,
            color: palette.background,
            clip: rect.intersect(chart),
        });
    }
}
