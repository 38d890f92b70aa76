//! The contents of a frame: layers of batches, and text.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::geometry::{AxisMap, PixelRect, line_width};
use crate::primitives::{Instances, PrimitiveKind, Registered, RowBounds};
use crate::theme::{Palette, Rgba};
use flowline_profile::ColorBy;

/// The layers of a frame, from the lowest to the topmost: the draw order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Layer {
    /// Backgrounds of rows and headings of the chart, and the time grid.
    #[default]
    Backdrop,
    /// Marker rows of the chart.
    Markers,
    /// Search hits over the markers.
    SearchHits,
    /// The selected and the hovered marker.
    Highlights,
    /// Areas of counters.
    Counters,
    /// The selected time range and the pointer line.
    Ranges,
    /// Flow tracks of the chart.
    FlowTracks,
    /// The poles of milestones through all tracks.
    Milestones,
    /// The paths of flows over the chart.
    FlowPaths,
    /// Notes over the chart.
    Notes,
    /// The flow panel.
    FlowPanel,
    /// The overview.
    Overview,
    /// The ruler.
    Ruler,
    /// Flags of milestones, and notes.
    Lane,
    /// Values of counters beside the pointer.
    CounterValues,
    /// The measuring tool's edges and distance; the pointer line with its time.
    Measure,
}

/// Instances of one primitive that are drawn together.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// Layer of the batch.
    pub layer: Layer,
    /// Clip rectangle.
    pub clip: PixelRect,
    /// The primitive.
    pub primitive: PrimitiveKind,
    /// Range in the primitive's instance list.
    pub range: Range<u32>,
}

/// A line of text.
#[derive(Clone, Debug, PartialEq)]
pub struct TextRun {
    /// The text.
    pub text: Arc<str>,
    /// Left edge in device pixels.
    pub x: f32,
    /// Top of the line in device pixels.
    pub y: f32,
    /// Font size in device pixels.
    pub size: f32,
    /// Text color.
    pub color: Rgba,
    /// Clip rectangle; text that does not fit ends in an ellipsis.
    pub clip: PixelRect,
}

/// Identity of a frame's content; it changes whenever the content changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameId(u64);

impl FrameId {
    fn next() -> Self {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Self(LAST.fetch_add(1, Ordering::Relaxed))
    }
}

/// Everything to draw.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Identity of the content.
    pub id: FrameId,
    /// Width and height in device pixels.
    pub size: [u32; 2],
    /// Device pixels per point.
    pub scale: f32,
    /// Colors.
    pub palette: &'static Palette,
    /// The property that determines the colors of slices and calls.
    pub color_by: ColorBy,
    /// The time axis.
    pub axis: AxisMap,
    /// Left edge of the axis in device pixels.
    pub axis_left: f32,
    /// Device pixels of the time after which a task is long; whole.
    pub long_after: f32,
    /// Positions of the rows that instances refer to.
    pub rows: Vec<RowBounds>,
    /// The instances of all primitives.
    pub instances: Instances,
    /// Batches of instances, in draw order.
    pub batches: Vec<Batch>,
    /// Text.
    pub texts: Vec<TextRun>,
    /// Layer of the batches that are added next.
    pub layer: Layer,
}

impl Frame {
    /// An empty frame.
    #[must_use]
    pub fn new(size: [u32; 2], scale: f32, palette: &'static Palette, axis: AxisMap, axis_left: f32) -> Self {
        Self {
            id: FrameId::next(),
            size,
            scale,
            palette,
            color_by: ColorBy::Kind,
            axis,
            axis_left,
            long_after: 0.0,
            rows: Vec::new(),
            instances: Instances::default(),
            batches: Vec::new(),
            texts: Vec::new(),
            layer: Layer::default(),
        }
    }

    /// Empties the frame and keeps its memory.
    pub fn clear(&mut self) {
        self.id = FrameId::next();
        self.rows.clear();
        self.instances.clear();
        self.batches.clear();
        self.texts.clear();
        self.layer = Layer::default();
    }

    /// Adds the following batches to a layer.
    pub fn begin_layer(&mut self, layer: Layer) {
        self.layer = layer;
    }

    /// Adds a batch of instances.
    pub fn draw<T: Registered>(&mut self, clip: PixelRect, instances: impl IntoIterator<Item = T>) {
        let start = self.count::<T>();
        T::list_mut(&mut self.instances).extend(instances);
        self.draw_since::<T>(clip, start);
    }

    /// Adds a batch of all instances from index `start`.
    pub fn draw_since<T: Registered>(&mut self, clip: PixelRect, start: u32) {
        let range = start..self.count::<T>();
        if !range.is_empty() {
            self.batches.push(Batch { layer: self.layer, clip, primitive: T::KIND, range });
        }
    }

    /// Number of instances of a primitive so far.
    #[must_use]
    pub fn count<T: Registered>(&self) -> u32 {
        u32::try_from(T::list(&self.instances).len()).unwrap_or(u32::MAX)
    }

    /// The batches of a primitive with their instances, in draw order.
    pub fn batches_of<T: Registered>(&self) -> impl Iterator<Item = (&Batch, &[T])> {
        let instances = |batch: &Batch| &T::list(&self.instances)[batch.range.start as usize..batch.range.end as usize];
        self.batches.iter().filter(|batch| batch.primitive == T::KIND).map(move |batch| (batch, instances(batch)))
    }

    /// Sorts the batches into draw order; call it after all batches are added.
    pub fn finish(&mut self) {
        // Frame parts are mostly built in draw order.
        if !self.batches.is_sorted_by_key(|batch| batch.layer) {
            self.batches.sort_by_key(|batch| batch.layer);
        }
    }

    /// Width of a thin line in device pixels.
    #[must_use]
    pub fn line_width(&self) -> f32 {
        line_width(self.scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::primitives::RectInstance;
    use flowline_view::Theme;

    #[test]
    fn batches_are_drawn_by_layer_and_then_in_their_order() {
        let axis = AxisMap { origin: 0, fraction: 0.0, pixels_per_tick: 1.0, width: 10.0 };
        let mut frame = Frame::new([10, 10], 1.0, Palette::for_theme(Theme::Dark), axis, 0.0);
        let clip = PixelRect::new(0.0, 0.0, 10.0, 10.0);
        let rect = RectInstance::filled(clip, [0; 4]);
        for layer in [Layer::Ruler, Layer::Markers, Layer::Ruler, Layer::Backdrop, Layer::Markers] {
            frame.begin_layer(layer);
            frame.draw(clip, [rect]);
            frame.draw(clip, [] as [RectInstance; 0]);
        }
        frame.finish();
        let order: Vec<(Layer, u32)> = frame.batches.iter().map(|batch| (batch.layer, batch.range.start)).collect();
        let (markers, ruler) = (Layer::Markers, Layer::Ruler);
        assert_eq!(order, [(Layer::Backdrop, 3), (markers, 1), (markers, 4), (ruler, 0), (ruler, 2)]);
    }
}
