//! Notes over the chart: plates with their texts, tints of labelled ranges, lines of bookmarks, arrows of links. One mechanism,
//! [`SceneInput::placed_notes`], says where they stand.

use std::sync::Arc;

use super::SceneInput;
use super::frame::{Frame, TextRun};
use super::note_places::{Anchor, PlacedNote};
use super::pixel_rect::PixelRect;
use super::primitives::{LinkInstance, LinkKind, RectInstance};
use super::ruler::TEXT_SIZE;
use super::theme::with_alpha;

/// Length of arrow heads in points.
const HEAD: f32 = 9.0;

/// Draws the notes.
pub(super) fn build(input: &SceneInput<'_>, frame: &mut Frame) {
    let placed = input.placed_notes();
    if placed.is_empty() {
        return;
    }
    let (chart, palette, scale, line) = (input.regions.chart, frame.palette, input.scale, frame.line_width());
    let (mut rects, mut links) = (Vec::new(), Vec::new());
    for note in &placed {
        match note.anchor {
            Anchor::Range(left, right) => {
                let (left, right) = (left.max(chart.x), right.min(chart.right()));
                let area = PixelRect::new(left, chart.y, (right - left).max(line), chart.height);
                rects.push(RectInstance::filled(area, with_alpha(palette.connection, 28)));
                for x in [left, right - line] {
                    let edge = PixelRect::new(x, chart.y, line, chart.height);
                    rects.push(RectInstance::filled(edge, with_alpha(palette.connection, 130)));
                }
            }
            Anchor::Moment(x) => {
                let edge = PixelRect::new(x, chart.y, line, chart.height);
                rects.push(RectInstance::filled(edge, with_alpha(palette.connection, 220)));
            }
            Anchor::Entry(rect) => {
                let border = RectInstance {
                    border: palette.connection,
                    border_width: line,
                    ..RectInstance::filled(rect, [0; 4])
                };
                rects.push(border);
                // From the plate to what it is about, if something stands between them.
                let x = note.rect.x.max(rect.x).max(chart.x);
                let (from, to) = (note.rect.bottom().min(rect.bottom()), note.rect.y.max(rect.y));
                if !note.is_dot && to > from {
                    rects.push(RectInstance::filled(PixelRect::new(x, from, line, to - from), palette.connection));
                }
            }
            Anchor::Link(from, to) => arrow(from, to, palette.connection, scale, &mut links),
        }
    }
    let seam = |link: &LinkInstance| LinkInstance {
        color: with_alpha(palette.background, 200),
        width: link.width + 2.0 * scale,
        ..*link
    };
    let is_line = |link: &&LinkInstance| link.kind != LinkKind::Head as u32;
    frame.draw(chart, rects);
    frame.draw(chart, links.iter().filter(is_line).map(seam).collect::<Vec<_>>());
    frame.draw(chart, links);
    keep_clear(frame, &placed);
    let selected = input.view.notes.selected;
    let plate = |note: &PlacedNote| RectInstance {
        radius: if note.is_dot { note.rect.width / 2.0 } else { 4.0 * scale },
        border: if Some(note.note) == selected { palette.selected } else { palette.background },
        border_width: if Some(note.note) == selected { 2.0 * scale } else { line },
        ..RectInstance::filled(note.rect, palette.connection)
    };
    frame.draw(chart, placed.iter().map(plate).collect::<Vec<_>>());
    let size = TEXT_SIZE * scale;
    for note in placed.iter().filter(|note| !note.is_dot) {
        let indent = 6.0 * scale;
        let inner = PixelRect::new(note.rect.x + indent, note.rect.y, note.rect.width - indent, note.rect.height);
        frame.texts.push(TextRun {
            text: Arc::from(note.text.as_str()),
            x: inner.x,
            y: (note.rect.y + (note.rect.height - size * 1.3) / 2.0).round(),
            size,
            color: palette.background,
            clip: inner.intersect(chart),
        });
    }
}

/// Text is drawn over everything else: what would stand on a plate ends before it.
fn keep_clear(frame: &mut Frame, placed: &[PlacedNote]) {
    frame.texts.retain_mut(|run| {
        for note in placed {
            let (plate, clip) = (note.rect, run.clip);
            let common = plate.intersect(clip);
            if common.width <= 0.0 || common.height <= 0.0 {
                continue;
            }
            if run.x >= plate.x {
                // Behind the plate there is room, or nothing of it is left.
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

/// An arrow from the end of an entry, or from its start if it goes back, to the start of another one.
fn arrow(from: PixelRect, to: PixelRect, color: [u8; 4], scale: f32, links: &mut Vec<LinkInstance>) {
    let start = [if from.right() <= to.x { from.right() } else { from.x }, from.y + from.height / 2.0];
    let end = [to.x, to.y + to.height / 2.0];
    let (dx, dy) = (end[0] - start[0], end[1] - start[1]);
    let length = dx.hypot(dy).max(1.0);
    let head = (HEAD * scale).min(length);
    let neck = [end[0] - dx / length * head, end[1] - dy / length * head];
    links.push(LinkInstance::new(LinkKind::Line, start, neck, color, 2.0 * scale));
    links.push(LinkInstance::new(LinkKind::Head, neck, end, color, 8.0 * scale));
}
