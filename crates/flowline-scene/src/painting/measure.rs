//! The measuring tool: two vertical lines with their letters, and the distance between them. Before the second edge is
//! placed, it shows the distance to the pointer. Its parts are [overlays](super::overlays).

use super::overlays::{Overlay, PLATE_HEIGHT, Plate, TOP};
use crate::geometry::{PixelRect, line_width};
use crate::layout::{Anchor, SceneInput, pixel_of, text_width};
use crate::theme::Palette;
use flowline_view::MeasureEdge;

/// The placed edges and their distance.
pub(crate) fn overlays(input: &SceneInput<'_>, palette: &Palette) -> Vec<Overlay> {
    let mut all = Vec::new();
    let Some(measure) = input.view.measure else { return all };
    let (chart, line, scale) = (input.regions.chart, line_width(input.scale), input.scale);
    if chart.height < PLATE_HEIGHT * scale {
        return all;
    }
    let edge = |time| pixel_of(input, time);
    let (top, height) = (chart.y + (TOP * scale).round(), (PLATE_HEIGHT * scale).round());
    let overlay = |anchor, rect, text| {
        let plate = Some(Plate::of_line(rect, text, scale));
        Overlay { anchor, everywhere: false, color: palette.text, plate }
    };
    let here = input.pointer.filter(|(x, y)| chart.contains(*x, *y)).map(|(x, _)| x);
    let pointed = here.or(input.other_pointer);
    let to = measure.b.or_else(|| Some(input.view.axis.time(f64::from(pointed? - chart.x))));
    if let Some(to) = to {
        let (left, right) = (edge(measure.a).min(edge(to)), edge(measure.a).max(edge(to)));
        let (left, right) = (left.max(chart.x), right.min(chart.right()));
        let label = input.view.clock().length((to - measure.a).0.saturating_abs());
        let width = (text_width(&label, scale) + 12.0 * scale).round();
        // The distance is drawn between the letters if it fits there, otherwise beside the right letter.
        let letters = 2.0 * (text_width("A", scale) + 10.0 * scale);
        let has_room = right - left > width + letters;
        let x = if has_room { left.midpoint(right) - width / 2.0 } else { right + letters / 2.0 + line };
        let x = x.clamp(chart.x, (chart.right() - width).max(chart.x)).round();
        let between = Anchor::Span(left, right, (top + height / 2.0).floor());
        all.push(overlay(between, PixelRect::new(x, top, width, height), label));
    }
    for which in MeasureEdge::BOTH {
        let Some(x) = measure.edge(which).map(edge) else { continue };
        let width = (text_width(which.name(), scale) + 12.0 * scale).round();
        // The letter is drawn outside the measured range.
        let is_left = to.is_some_and(|to| (which == MeasureEdge::A) == (edge(measure.a) <= edge(to)));
        let left = if is_left { x - width } else { x + line };
        let rect = PixelRect::new(left, top, width, height);
        all.push(overlay(Anchor::Moment(x), rect, which.name().to_owned()));
    }
    all
}
