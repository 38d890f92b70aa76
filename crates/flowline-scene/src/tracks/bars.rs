//! Drawing of bars with a meaning of their own, such as frames and interactions: tinted boxes with a border, hatching,
//! captions.

use crate::frame::{Frame, TextRun};
use crate::geometry::PixelRect;
use crate::layout::{SceneInput, TEXT_SIZE, text_width};
use crate::primitives::{LinkInstance, LinkKind, RectInstance};
use crate::theme::{Rgba, with_alpha};
use std::sync::Arc;

/// Opacity of the fill of a box: 30 %.
const TINT: u8 = 77;
/// Opacity of the lines of hatching.
const HATCH: u8 = 128;
/// Width of the lines of hatching in points.
const HATCH_LINE: f32 = 1.5;
/// Distance between lines of hatching in points; sparse lines are twice as far apart.
pub(super) const HATCH_STEP: f32 = 6.0;
/// Points between the edge of a box and its caption.
const PADDING: f32 = 4.0;

/// A box in a color: a tint inside, a border unless it is too narrow.
pub(super) fn tinted_box(rect: PixelRect, color: Rgba, line: f32) -> RectInstance {
    if rect.width < 3.0 * line {
        return RectInstance::filled(rect, with_alpha(color, color[3].min(200)));
    }
    let alpha = u8::try_from(u16::from(TINT) * u16::from(color[3]) / 255).unwrap_or(TINT);
    RectInstance { border: color, border_width: line, ..RectInstance::filled(rect, with_alpha(color, alpha)) }
}

/// Lines at 45° inside a rectangle, `step` points apart. Their positions depend on `origin`, a coordinate in pixels that
/// moves with the view.
pub(super) fn hatch_lines(
    rect: PixelRect,
    color: Rgba,
    scale: f32,
    (step, origin): (f32, f32),
) -> impl Iterator<Item = LinkInstance> {
    let step = (step * scale).round().max(2.0);
    let alpha = u8::try_from(u16::from(HATCH) * u16::from(color[3]) / 255).unwrap_or(HATCH);
    let (color, width) = (with_alpha(color, alpha), HATCH_LINE * scale);
    let height = rect.height;
    // A line begins at the lower edge, at x, and ends at the upper edge, at x + height.
    let first = origin + ((rect.x - height - origin) / step).ceil() * step;
    let starts = std::iter::successors(Some(first), move |x| Some(x + step)).take_while(move |x| *x < rect.right());
    starts.filter_map(move |x| {
        let (left, right) = (x.max(rect.x), (x + height).min(rect.right()));
        let at = |along: f32| [along, rect.bottom() - (along - x)];
        (right - left > 0.5).then(|| LinkInstance::new(LinkKind::Line, at(left), at(right), color, width))
    })
}

/// Width of a caption with the space around it, in device pixels.
pub(super) fn caption_width(text: &str, scale: f32) -> f32 {
    text_width(text, scale) + 2.0 * PADDING * scale
}

/// Adds a caption inside a box that is wide enough for it.
pub(super) fn push_caption(input: &SceneInput<'_>, frame: &mut Frame, rect: PixelRect, color: Rgba, text: Arc<str>) {
    let size = TEXT_SIZE * input.scale;
    let clip = rect.intersect(input.regions.chart);
    let y = (rect.y + (rect.height - size * 1.3) / 2.0).round();
    frame.texts.push(TextRun { text, x: clip.x + PADDING * input.scale, y, size, color, clip });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_hatching_stay_inside_and_are_evenly_spaced() {
        let rect = PixelRect::new(10.0, 20.0, 50.0, 14.0);
        let lines: Vec<LinkInstance> = hatch_lines(rect, [1, 2, 3, 255], 1.0, (HATCH_STEP, 3.0)).collect();
        assert!(lines.len() >= 9, "{lines:?}");
        for line in &lines {
            for [x, y] in [line.from, line.to] {
                assert!(x >= rect.x && x <= rect.right() && y >= rect.y && y <= rect.bottom(), "{line:?}");
            }
            let phase = (line.from[0] - (rect.bottom() - line.from[1]) - 3.0) % HATCH_STEP;
            assert!(phase.abs() < 1e-3, "{line:?}");
        }
    }

    #[test]
    fn narrow_boxes_have_no_border() {
        let narrow = tinted_box(PixelRect::new(0.0, 0.0, 2.0, 14.0), [9, 9, 9, 255], 1.0);
        let wide = tinted_box(PixelRect::new(0.0, 0.0, 20.0, 14.0), [9, 9, 9, 255], 1.0);
        assert_eq!((narrow.border_width, wide.border_width), (0.0, 1.0));
        assert_eq!(wide.fill[3], TINT);
    }
}
