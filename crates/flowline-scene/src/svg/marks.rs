//! Marks of harm on slices, with the geometry of `shaders/marker.wgsl`.

use super::document::{Paint, SvgWriter, short};
use crate::frame::Frame;
use crate::geometry::{PixelRect, hatch_period};
use crate::primitives::MarkerInstance;
use crate::theme::with_alpha;

/// In points, as in the shader: width and height.
const LONG: (f32, f32) = (11.0, 10.0);
const FORCED: (f32, f32) = (8.0, 7.0);
/// Part of the hatching that is a line, and the opacity of a line.
const LINE: f32 = 0.25;
const OPACITY: u8 = 140;

/// Writes the marks of a slice at `rect`.
pub(super) fn write(svg: &mut SvgWriter, frame: &Frame, marker: MarkerInstance, rect: PixelRect) {
    let harm = frame.palette.bad;
    let mut triangle = |(width, height): (f32, f32), y: f32, rise: f32| {
        let size = [width, height].map(|side| (side * frame.scale).round());
        let (x, end) = (rect.right() - size[0], rect.right());
        let data = format!("M{} {}H{}V{}Z", short(x), short(y), short(end), short(y + rise * size[1]));
        svg.path(&data, Paint::Color(harm), None);
    };
    if marker.has(MarkerInstance::LONG) {
        triangle(LONG, rect.y, 1.0);
    }
    if marker.has(MarkerInstance::FORCED) {
        triangle(FORCED, rect.bottom(), -1.0);
    }
    let from = (frame.axis_left + frame.axis.pixel(marker.packed().start()).floor() + frame.long_after).max(rect.x);
    if marker.has(MarkerInstance::LONG) && from < rect.right() {
        let period = hatch_period(frame.scale);
        let origin = frame.axis_left - frame.axis.phase(period) + rect.y;
        let hatch = svg.hatch(with_alpha(harm, OPACITY), with_alpha(harm, 0), period, LINE, origin);
        svg.rect(PixelRect { x: from, width: rect.right() - from, ..rect }, 0.0, hatch, Paint::None, 0.0);
    }
}
