//! Damage tracking: the areas that differ between two frames, so that only these areas are redrawn.
//!
//! A frame is split into batches and lines of text. Parts that are identical in both frames, in the same order, are not
//! redrawn. Every other part damages its area, both in the previous frame and in the current one. Instances that refer
//! to rows or times also count as changed if the rows or the axis change.

use super::contents::{Batch, Frame, TextRun};
use crate::geometry::{AxisMap, PixelRect};
use crate::primitives::{MarkerInstance, PrimitiveKind, RectInstance, Registered};
use crate::theme::Palette;

/// Batches with at most this many instances are examined instance by instance.
const FEW: usize = 64;

/// A batch or a line of text.
#[derive(Clone, Copy, Debug)]
enum FrameLayer {
    /// Index of a batch.
    Batch(usize),
    /// Index of a line of text.
    Text(usize),
}

/// The parts of a frame.
fn parts(frame: &Frame) -> Vec<FrameLayer> {
    (0..frame.batches.len()).map(FrameLayer::Batch).chain((0..frame.texts.len()).map(FrameLayer::Text)).collect()
}

/// The areas in which a frame may differ from the previous one, in device pixels. They may overlap.
#[must_use]
pub fn frame_changes(frame: &Frame, before: &Frame) -> Vec<PixelRect> {
    let same_context = context(frame) == context(before);
    let same_rows = frame.rows.iter().zip(&before.rows).take_while(|(now, then)| now == then).count();
    let is_same = |now: &FrameLayer, then: &FrameLayer| match (*now, *then) {
        (FrameLayer::Batch(one), FrameLayer::Batch(other)) => {
            let (one, other) = (&frame.batches[one], &before.batches[other]);
            let same_meaning = match one.primitive {
                PrimitiveKind::Rect => true,
                PrimitiveKind::Bar => std::ptr::eq(frame.palette, before.palette),
                _ => same_context,
            };
            (one.layer, one.primitive, one.clip) == (other.layer, other.primitive, other.clip)
                && same_meaning
                && content(frame, one) == content(before, other)
                && rows_of(frame, one) <= same_rows
        }
        (FrameLayer::Text(one), FrameLayer::Text(other)) => frame.texts[one] == before.texts[other],
        _ => false,
    };
    let bounds = |of: &Frame, part: &FrameLayer| match *part {
        // A changed axis changes nearly everything, so examining a large batch would not shrink its area.
        FrameLayer::Batch(at) if !same_context && of.batches[at].range.len() > FEW => of.batches[at].clip,
        FrameLayer::Batch(at) => bounds(of, &of.batches[at]),
        FrameLayer::Text(at) => text_bounds(&of.texts[at]),
    };
    let (now, then) = (parts(frame), parts(before));
    let (now, then) = differing(&now, &then, is_same);
    // Between two parts that changed in place, such as a counter's value and the pointer's line, most are the same.
    let in_place = now.len() == then.len();
    let stays = |at: usize| in_place && is_same(&now[at], &then[at]);
    let now_bounds = (0..now.len()).filter(|at| !stays(*at)).map(|at| bounds(frame, &now[at]));
    let then_bounds = (0..then.len()).filter(|at| !stays(*at)).map(|at| bounds(before, &then[at]));
    now_bounds.chain(then_bounds).collect()
}

/// Bounding rectangle of a line of text.
fn text_bounds(run: &TextRun) -> PixelRect {
    // Glyphs can extend a little beyond their line.
    let line = PixelRect::new(run.clip.x, run.y - run.size, run.clip.width, run.size * 3.5);
    run.clip.intersect(line)
}

/// State other than rows that instances depend on.
fn context(frame: &Frame) -> (AxisMap, [f32; 2], [u32; 2], *const Palette) {
    (frame.axis, [frame.axis_left, frame.scale], frame.size, frame.palette)
}

/// Both lists without their common prefix and common suffix.
pub fn differing<'a, T>(now: &'a [T], then: &'a [T], is_same: impl Fn(&T, &T) -> bool) -> (&'a [T], &'a [T]) {
    let count = |pairs: &mut dyn Iterator<Item = (&'a T, &'a T)>| pairs.take_while(|(a, b)| is_same(a, b)).count();
    let first = count(&mut now.iter().zip(then));
    let (now, then) = (&now[first..], &then[first..]);
    let last = count(&mut now.iter().rev().zip(then.iter().rev()));
    (&now[..now.len() - last], &then[..then.len() - last])
}

/// The instances of a batch as uploaded bytes.
fn content<'a>(frame: &'a Frame, batch: &Batch) -> &'a [u8] {
    let bytes = frame.instances.bytes(batch.primitive);
    let size = batch.primitive.pipelines().first().map_or(0, |spec| spec.stride);
    let at = |position: u32| position as usize * size;
    bytes.get(at(batch.range.start)..at(batch.range.end)).unwrap_or(bytes)
}

/// Length of the row prefix that contains all rows referenced by a batch.
fn rows_of(frame: &Frame, batch: &Batch) -> usize {
    let range = batch.range.start as usize..batch.range.end as usize;
    match batch.primitive {
        PrimitiveKind::Rect | PrimitiveKind::Bar => 0,
        PrimitiveKind::Marker => {
            MarkerInstance::list(&frame.instances)[range].iter().map(|marker| marker.row() + 1).max().unwrap_or(0)
        }
        PrimitiveKind::FlowShape | PrimitiveKind::Counter | PrimitiveKind::Link => frame.rows.len(),
    }
}

/// Bounding rectangle of a batch's output.
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
        PrimitiveKind::Marker if range.len() <= FEW => {
            let rows =
                MarkerInstance::list(&frame.instances)[range].iter().filter_map(|marker| frame.rows.get(marker.row()));
            rows.map(|row| PixelRect::new(batch.clip.x, row.y, batch.clip.width, row.height)).reduce(union)
        }
        _ => None,
    };
    // Anti-aliased edges extend one pixel further.
    let wider = |rect: PixelRect| PixelRect::new(rect.x - 1.0, rect.y - 1.0, rect.width + 2.0, rect.height + 2.0);
    drawn.map_or(batch.clip, |rect| wider(rect).intersect(batch.clip))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::contents::Layer;
    use crate::primitives::Emphasis;
    use crate::primitives::RowBounds;
    use flowline_index::{Packed, Style};
    use flowline_view::Theme;

    const ALL: PixelRect = PixelRect::new(0.0, 0.0, 100.0, 100.0);

    /// A frame with rows at 10 and 30, a marker on each and another on the first, a rectangle and a text.
    fn frame() -> Frame {
        let axis = AxisMap { origin: 0, fraction: 0.0, pixels_per_tick: 1.0, width: 100.0 };
        let mut frame = Frame::new([100, 100], 1.0, Palette::for_theme(Theme::Dark), axis, 0.0);
        frame.rows = [10.0, 30.0].map(|y| RowBounds::new(y, 8.0)).into();
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
        let (before, mut changed) = (frame(), frame());
        change(&mut changed);
        frame_changes(&changed, &before)
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
        // A batch inserted between others.
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
        // The second row moves. This damages its marker and everything up to the last difference.
        assert_eq!(changes(|frame| frame.rows[1].y = 50.0), [row(50.0), row(30.0)]);
        // An additional row that nothing refers to.
        assert_eq!(changes(|frame| frame.rows.push(frame.rows[0])), []);
    }
}
