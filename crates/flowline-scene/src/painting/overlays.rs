//! Overlays: graphics over the tracks at a moment, a range or an entry. Notes, the edges of the measuring tool and the
//! pointer line with its time are overlays. They are defined by times and entries, and only this module draws them.

use std::sync::Arc;

use crate::frame::{Frame, TextRun};
use crate::geometry::PixelRect;
use crate::layout::{Anchor, SceneInput, TEXT_SIZE, pixel_of, text_width, time_label};
use crate::primitives::{LinkInstance, LinkKind, RectInstance};
use crate::theme::{Rgba, with_alpha};
use flowline_profile::Ns;

/// Length of arrow heads in points.
const HEAD: f32 = 9.0;
/// Height of line plates in points.
pub(crate) const PLATE_HEIGHT: f32 = 17.0;
/// Distance of line plates from the top of the chart in points.
pub(crate) const TOP: f32 = 4.0;
/// With more plates than this, text is not clipped at dots.
const MANY: usize = 400;

/// An overlay over the tracks.
#[derive(Clone, Debug)]
pub(crate) struct Overlay {
    pub(crate) anchor: Anchor,
    /// True if it spans all parts of the canvas that have a time axis, not only the chart.
    pub(crate) everywhere: bool,
    pub(crate) color: Rgba,
    pub(crate) plate: Option<Plate>,
}

/// A plate with a text, or a dot.
#[derive(Clone, Debug)]
pub(crate) struct Plate {
    pub(crate) rect: PixelRect,
    pub(crate) text: String,
    pub(crate) radius: f32,
    pub(crate) border: Rgba,
    pub(crate) border_width: f32,
}

impl Plate {
    /// A borderless plate for a line.
    pub(crate) fn of_line(rect: PixelRect, text: String, scale: f32) -> Self {
        Self { rect, text, radius: 3.0 * scale, border: [0; 4], border_width: 0.0 }
    }

    /// Dots have no text.
    const fn is_dot(&self) -> bool {
        self.text.is_empty()
    }
}

/// Draws overlays: all targets first, then the plates, in the given order.
pub(crate) fn draw(input: &SceneInput<'_>, frame: &mut Frame, overlays: &[Overlay]) {
    if overlays.is_empty() {
        return;
    }
    let (chart, palette, scale) = (input.regions.chart, frame.palette, input.scale);
    let (mut rects, mut links) = (Vec::new(), Vec::new());
    for overlay in overlays {
        if overlay.everywhere {
            through_all(input, frame, overlay);
        } else {
            anchor(overlay, (chart, frame.line_width(), scale), &mut rects, &mut links);
        }
    }
    let seam = |link: &LinkInstance| LinkInstance {
        color: with_alpha(palette.canvas, 200),
        width: link.width + 2.0 * scale,
        ..*link
    };
    let is_line = |link: &&LinkInstance| link.kind != LinkKind::Head as u32;
    frame.draw(chart, rects);
    frame.draw(chart, links.iter().filter(is_line).map(seam).collect::<Vec<_>>());
    frame.draw(chart, links);
    let plates: Vec<(&Plate, Rgba)> =
        overlays.iter().filter_map(|overlay| Some((overlay.plate.as_ref()?, overlay.color))).collect();
    keep_clear(frame, &plates);
    let plate = |(plate, color): &(&Plate, Rgba)| RectInstance {
        radius: plate.radius,
        border: plate.border,
        border_width: plate.border_width,
        ..RectInstance::filled(plate.rect, *color)
    };
    frame.draw(chart, plates.iter().map(plate).collect::<Vec<_>>());
    let size = TEXT_SIZE * scale;
    for (plate, _) in plates.iter().filter(|(plate, _)| !plate.is_dot()) {
        let indent = 6.0 * scale;
        let inner = PixelRect::new(plate.rect.x + indent, plate.rect.y, plate.rect.width - indent, plate.rect.height);
        frame.texts.push(TextRun {
            text: Arc::from(plate.text.as_str()),
            x: inner.x,
            y: (plate.rect.y + (plate.rect.height - size * 1.3) / 2.0).round(),
            size,
            color: palette.canvas,
            clip: inner.intersect(chart),
        });
    }
}

/// Draws the target of an overlay over the chart.
fn anchor(
    overlay: &Overlay,
    (chart, line, scale): (PixelRect, f32, f32),
    rects: &mut Vec<RectInstance>,
    links: &mut Vec<LinkInstance>,
) {
    let color = overlay.color;
    match overlay.anchor {
        Anchor::Range(left, right) => {
            let (left, right) = (left.max(chart.x), right.min(chart.right()));
            let area = PixelRect::new(left, chart.y, (right - left).max(line), chart.height);
            rects.push(RectInstance::filled(area, with_alpha(color, 28)));
            for x in [left, right - line] {
                let edge = PixelRect::new(x, chart.y, line, chart.height);
                rects.push(RectInstance::filled(edge, with_alpha(color, 130)));
            }
        }
        Anchor::Moment(x) => {
            let edge = PixelRect::new(x, chart.y, line, chart.height);
            rects.push(RectInstance::filled(edge, with_alpha(color, 220)));
        }
        Anchor::Span(left, right, y) => {
            let (left, right) = (left.max(chart.x), right.min(chart.right()));
            let stretch = PixelRect::new(left, y, (right - left).max(0.0), line);
            rects.push(RectInstance::filled(stretch, with_alpha(color, 150)));
        }
        Anchor::Entry(rect) => {
            let border = RectInstance { border: color, border_width: line, ..RectInstance::filled(rect, [0; 4]) };
            rects.push(border);
        }
        Anchor::Link(from, to) => arrow(from, to, color, scale, links),
    }
}

/// Draws a line through chart, ruler and flow rows, and through the overview at the matching time.
fn through_all(input: &SceneInput<'_>, frame: &mut Frame, overlay: &Overlay) {
    let Anchor::Moment(x) = overlay.anchor else { return };
    let (regions, line) = (&input.regions, frame.line_width());
    let mut draw = |region: PixelRect, x: f32| {
        if region.height >= 1.0 {
            let edge = PixelRect::new(x.floor(), region.y, line, region.height);
            frame.draw(region, [RectInstance::filled(edge, overlay.color)]);
        }
    };
    for region in [regions.chart, regions.ruler, regions.lane, regions.path, regions.flows, regions.pinned] {
        draw(region, x);
    }
    if let Some(time) = input.ruler_time() {
        draw(regions.overview, super::overview::pixel(regions.overview, input.scope.overview(input.index), time));
    }
}

/// Clips text in front of plates, since text is drawn over everything else.
fn keep_clear(frame: &mut Frame, plates: &[(&Plate, Rgba)]) {
    let all = plates.len() <= MANY;
    let rects: Vec<PixelRect> =
        plates.iter().filter(|(plate, _)| all || !plate.is_dot()).map(|(plate, _)| plate.rect).collect();
    frame.texts.retain_mut(|run| {
        for plate in &rects {
            let clip = run.clip;
            let common = plate.intersect(clip);
            if common.width <= 0.0 || common.height <= 0.0 {
                continue;
            }
            if run.x >= plate.x {
                // Text that starts behind the plate stays; text that starts on it is dropped.
                if run.x < plate.right() {
                    return false;
                }
            } else {
                run.clip.width = (plate.x - clip.x).max(0.0);
            }
        }
        true
    });
}

/// Draws an arrow from the end of an entry to the start of another one, or from the start if it goes back in time.
fn arrow(from: PixelRect, to: PixelRect, color: Rgba, scale: f32, links: &mut Vec<LinkInstance>) {
    let start = [if from.right() <= to.x { from.right() } else { from.x }, from.y + from.height / 2.0];
    let end = [to.x, to.y + to.height / 2.0];
    let (dx, dy) = (end[0] - start[0], end[1] - start[1]);
    let length = dx.hypot(dy).max(1.0);
    let head = (HEAD * scale).min(length);
    let neck = [end[0] - dx / length * head, end[1] - dy / length * head];
    links.push(LinkInstance::new(LinkKind::Line, start, neck, color, 2.0 * scale));
    links.push(LinkInstance::new(LinkKind::Head, neck, end, color, 8.0 * scale));
}

impl SceneInput<'_> {
    /// The time of the pointer line, if the line is enabled; over the overview, a time of the overview.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "screen coordinates")]
    pub fn ruler_time(&self) -> Option<Ns> {
        if !self.shows_ruler {
            return None;
        }
        let overview = self.regions.overview;
        if let Some((x, _)) = self.pointer.filter(|(x, y)| overview.contains(*x, *y)) {
            let extent = self.scope.overview(self.index);
            let part = f64::from((x - overview.x) / overview.width.max(1.0));
            return Some(extent.start + Ns((part * extent.len() as f64) as i64));
        }
        let x = self.timed_pointer()?;
        Some(self.view.axis.time(f64::from(x.floor() - self.regions.chart.x)))
    }
}

/// The pointer line and its time.
pub(crate) fn pointer_ruler(input: &SceneInput<'_>, palette: &crate::Palette) -> Option<Overlay> {
    let time = input.ruler_time()?;
    let (chart, scale) = (input.regions.chart, input.scale);
    let x = pixel_of(input, time);
    let text = time_label(input, time);
    let width = (text_width(&text, scale) + 12.0 * scale).round();
    let gap = (4.0 * scale).round();
    // The plate is right of the line, or left of it at the chart's edge, and below the plates of the measuring tool.
    let left = if x + gap + width <= chart.right() { x + gap } else { x - gap - width };
    let below = if input.view.measure.is_some() { PLATE_HEIGHT + 3.0 } else { 0.0 };
    let top = chart.y + ((TOP + below) * scale).round();
    let rect = PixelRect::new(
        left.clamp(chart.x, (chart.right() - width).max(chart.x)),
        top,
        width,
        (PLATE_HEIGHT * scale).round(),
    );
    // The ruler shows the pointer's time itself.
    let is_said = input.timed_pointer().is_some();
    let plate = (!is_said).then(|| Plate::of_line(rect, text, scale));
    Some(Overlay { anchor: Anchor::Moment(x), everywhere: true, color: palette.accent, plate })
}
