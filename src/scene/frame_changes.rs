//! Where two frames differ, so that only these places need to be drawn again.
//!
//! A frame is taken apart into batches and lines of text. Parts that are the same in both, in the same order, need not be
//! drawn again; every other part makes its place change, in the frame before and in the one now. Instances that refer to
//! rows or times mean something else if rows or axis change.

use std::ops::Range;

use super::frame::{Batch, Frame, Layer};
use super::pixel_rect::PixelRect;
use super::primitives::{MarkerInstance, PrimitiveKind, RectInstance, Registered, RowPlace};
use super::theme::Palette;

/// A frame's content as it was drawn.
#[derive(Debug, Default)]
pub struct DrawnFrame {
    parts: Vec<Part>,
    /// The content of all parts.
    bytes: Vec<u8>,
    /// What instances refer to: the axis, and the rows.
    context: Vec<u8>,
    rows: Vec<RowPlace>,
}

/// A batch or a line of text.
#[derive(Debug)]
struct Part {
    /// Layer and primitive of a batch; `None` for text.
    kind: Option<(Layer, PrimitiveKind)>,
    clip: PixelRect,
    /// Nothing of it is drawn outside of this rectangle.
    bounds: PixelRect,
    /// Where its content is.
    bytes: Range<usize>,
    /// Number of rows among which are those that its instances refer to.
    rows: usize,
}

impl DrawnFrame {
    /// Keeps what a frame draws.
    pub fn keep(&mut self, frame: &Frame) {
        let Self { parts, bytes, context, rows } = self;
        parts.clear();
        bytes.clear();
        context.clear();
        rows.clone_from(&frame.rows);
        let axis = &frame.axis;
        context.extend(axis.origin.to_le_bytes());
        let numbers = [axis.fraction, axis.pixels_per_tick, axis.width, frame.axis_left, frame.scale];
        context.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        context.extend(frame.size.iter().flat_map(|side| side.to_le_bytes()));
        let is_light = std::ptr::eq(frame.palette, Palette::for_theme(crate::view::Theme::Light));
        context.push(u8::from(is_light));
        for batch in &frame.batches {
            let start = bytes.len();
            bytes.extend_from_slice(content(frame, batch));
            parts.push(Part {
                kind: Some((batch.layer, batch.primitive)),
                clip: batch.clip,
                bounds: bounds(frame, batch),
                bytes: start..bytes.len(),
                rows: rows_of(frame, batch),
            });
        }
        for run in &frame.texts {
            let start = bytes.len();
            bytes.extend_from_slice(run.text.as_bytes());
            bytes.extend([run.x, run.y, run.size].iter().flat_map(|number| number.to_le_bytes()));
            bytes.extend(run.color);
            // Glyphs may reach a little over their line.
            let line = PixelRect::new(run.clip.x, run.y - run.size, run.clip.width, run.size * 3.5);
            let bounds = run.clip.intersect(line);
            parts.push(Part { kind: None, clip: run.clip, bounds, bytes: start..bytes.len(), rows: 0 });
        }
    }

    /// The places at which this frame may differ from the one before, in device pixels. They may overlap.
    pub fn changes_since<'a>(&'a self, before: &'a Self) -> impl Iterator<Item = PixelRect> + 'a {
        let same_context = self.context == before.context;
        let same_rows = self.rows.iter().zip(&before.rows).take_while(|(now, then)| now == then).count();
        let is_same = |now: &Part, then: &Part| {
            let refers = !matches!(now.kind, None | Some((_, PrimitiveKind::Rect)));
            (now.kind, now.clip, now.bounds) == (then.kind, then.clip, then.bounds)
                && (!refers || (same_context && now.rows <= same_rows))
                && self.bytes[now.bytes.clone()] == before.bytes[then.bytes.clone()]
        };
        let (now, then) = differing(&self.parts, &before.parts, is_same);
        now.iter().chain(then).map(|part| part.bounds)
    }
}

/// What is left of two lists without the items that both begin with and both end with.
pub fn differing<'a, T>(now: &'a [T], then: &'a [T], is_same: impl Fn(&T, &T) -> bool) -> (&'a [T], &'a [T]) {
    let count = |pairs: &mut dyn Iterator<Item = (&'a T, &'a T)>| pairs.take_while(|(a, b)| is_same(a, b)).count();
    let first = count(&mut now.iter().zip(then));
    let (now, then) = (&now[first..], &then[first..]);
    let last = count(&mut now.iter().rev().zip(then.iter().rev()));
    (&now[..now.len() - last], &then[..then.len() - last])
}

/// The instances of a batch as they are uploaded.
fn content<'a>(frame: &'a Frame, batch: &Batch) -> &'a [u8] {
    let bytes = frame.instances.bytes(batch.primitive);
    let size = batch.primitive.pipelines().first().map_or(0, |spec| spec.stride);
    let at = |position: u32| position as usize * size;
    bytes.get(at(batch.range.start)..at(batch.range.end)).unwrap_or(bytes)
}

/// The number of rows among which are those that the instances of a batch refer to.
fn rows_of(frame: &Frame, batch: &Batch) -> usize {
    let range = batch.range.start as usize..batch.range.end as usize;
    match batch.primitive {
        PrimitiveKind::Rect => 0,
        PrimitiveKind::Marker => {
            MarkerInstance::list(&frame.instances)[range].iter().map(|marker| marker.row() + 1).max().unwrap_or(0)
        }
        PrimitiveKind::FlowShape | PrimitiveKind::Counter | PrimitiveKind::Link => frame.rows.len(),
    }
}

/// A rectangle that holds everything that a batch draws.
fn bounds(frame: &Frame, batch: &Batch) -> PixelRect {
    let range = batch.range.start as usize..batch.range.end as usize;
    let union = |a: PixelRect, b: PixelRect| {
        let (x, y) = (a.x.min(b.x), a.y.min(b.y));
        PixelRect::new(x, y, a.right().max(b.right()) - x, a.bottom().max(b.bottom()) - y)
    };
    let drawn = match batch.primitive {
        PrimitiveKind::Rect => {
            let rects = RectInstance::list(&frame.instances)[range].iter();
            rects
                .map(|instance| PixelRect::new(instance.rect[0], instance.rect[1], instance.rect[2], instance.rect[3]))
                .reduce(union)
        }
        // A few highlighted markers are on few rows.
        PrimitiveKind::Marker if range.len() <= 64 => {
            let rows =
                MarkerInstance::list(&frame.instances)[range].iter().filter_map(|marker| frame.rows.get(marker.row()));
            rows.map(|row| PixelRect::new(batch.clip.x, row.y, batch.clip.width, row.height)).reduce(union)
        }
        _ => None,
    };
    // Softened edges reach a pixel farther.
    let wider = |rect: PixelRect| PixelRect::new(rect.x - 1.0, rect.y - 1.0, rect.width + 2.0, rect.height + 2.0);
    drawn.map_or(batch.clip, |rect| wider(rect).intersect(batch.clip))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::{Packed, Style};
    use crate::scene::{AxisMap, Emphasis, TextRun};
    use crate::view::Theme;

    const ALL: PixelRect = PixelRect::new(0.0, 0.0, 100.0, 100.0);

    /// A frame with a row at 10 and one at 30, a marker on each and a third on the first, a rectangle and a text.
    fn frame() -> Frame {
        let axis = AxisMap { origin: 0, fraction: 0.0, pixels_per_tick: 1.0, width: 100.0 };
        let mut frame = Frame::new([100, 100], 1.0, Palette::for_theme(Theme::Dark), axis, 0.0);
        frame.rows = [10.0, 30.0].map(|y| RowPlace { y, height: 8.0, padding: [0.0; 2] }).into();
        frame.begin_layer(Layer::Markers);
        for row in [0, 1, 0] {
            frame.draw(ALL, [MarkerInstance::new(Packed::new(5, 9, Style::new(1)), row, Emphasis::Normal)]);
        }
        frame.begin_layer(Layer::Measure);
        frame.draw(ALL, [RectInstance::filled(PixelRect::new(60.0, 60.0, 10.0, 10.0), [1; 4])]);
        let (text, clip) = ("text".into(), PixelRect::new(0.0, 80.0, 50.0, 20.0));
        frame.texts.push(TextRun { text, x: 1.0, y: 82.0, size: 10.0, color: [9; 4], clip });
        frame
    }

    fn changes(change: impl Fn(&mut Frame)) -> Vec<PixelRect> {
        let (mut before, mut now) = (DrawnFrame::default(), DrawnFrame::default());
        let mut changed = frame();
        before.keep(&changed);
        change(&mut changed);
        now.keep(&changed);
        now.changes_since(&before).collect()
    }

    #[test]
    fn only_what_differs_changes() {
        let row = |y: f32| PixelRect::new(0.0, y - 1.0, 100.0, 10.0);
        assert_eq!(changes(|_| {}), []);
        let moved = PixelRect::new(59.0, 59.0, 12.0, 12.0);
        let to = PixelRect::new(19.0, 59.0, 12.0, 12.0);
        assert_eq!(changes(|frame| frame.instances.rects[0].rect[0] = 20.0), [to, moved]);
        assert_eq!(changes(|frame| frame.instances.markers[1].0[0] += 1), [row(30.0), row(30.0)]);
        let line = PixelRect::new(0.0, 80.0, 50.0, 20.0);
        assert_eq!(changes(|frame| frame.texts[0].color = [8; 4]), [line, line]);
        assert_eq!(changes(|frame| drop(frame.texts.pop())), [line]);
        // A batch more between others.
        assert_eq!(
            changes(|frame| {
                frame.begin_layer(Layer::Highlights);
                let marker = MarkerInstance::new(Packed::new(5, 9, Style::new(1)), 1, Emphasis::Hovered);
                frame.draw(ALL, [marker]);
                frame.finish();
            }),
            [row(30.0)]
        );
    }

    #[test]
    fn what_refers_to_rows_or_times_changes_with_them() {
        let row = |y: f32| PixelRect::new(0.0, y - 1.0, 100.0, 10.0);
        assert_eq!(changes(|frame| frame.axis.origin = 1).len(), 6);
        assert_eq!(changes(|frame| frame.palette = Palette::for_theme(Theme::Light)).len(), 6);
        // The second row moves: its marker, and what lies between it and the end of the differences.
        assert_eq!(changes(|frame| frame.rows[1].y = 50.0), [row(50.0), row(30.0)]);
        // A row more, to which nothing refers.
        assert_eq!(changes(|frame| frame.rows.push(frame.rows[0])), []);
    }
}
