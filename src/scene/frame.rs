//! A frame: what is to be drawn, complete and without a decision left. The GPU layer sees nothing else.

use std::sync::Arc;

use super::axis_map::AxisMap;
use super::instances::{CounterInstance, FlowInstance, LinkInstance, MarkerInstance, RectInstance, RowPlace};
use super::theme::{Palette, Rgba};

/// A rectangle in device pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PixelRect {
    /// Left edge.
    pub x: f32,
    /// Top edge.
    pub y: f32,
    /// Width.
    pub width: f32,
    /// Height.
    pub height: f32,
}

impl PixelRect {
    /// A rectangle from its corner and size.
    #[must_use]
    pub const fn new(x: f32, y: f32, width: f32, height: f32) -> Self {
        Self { x, y, width, height }
    }

    /// Right edge.
    #[must_use]
    pub fn right(self) -> f32 {
        self.x + self.width
    }

    /// Bottom edge.
    #[must_use]
    pub fn bottom(self) -> f32 {
        self.y + self.height
    }

    /// Whether a point lies inside.
    #[must_use]
    pub fn contains(self, x: f32, y: f32) -> bool {
        x >= self.x && x < self.right() && y >= self.y && y < self.bottom()
    }

    /// The common part; empty if there is none.
    #[must_use]
    pub fn intersect(self, other: Self) -> Self {
        let (x, y) = (self.x.max(other.x), self.y.max(other.y));
        let width = (self.right().min(other.right()) - x).max(0.0);
        let height = (self.bottom().min(other.bottom()) - y).max(0.0);
        Self { x, y, width, height }
    }
}

/// One step of drawing; steps are drawn in order, text last.
#[derive(Clone, Debug, PartialEq)]
pub enum Draw {
    /// `Frame::rects[start..end]`.
    Rects {
        /// Nothing is drawn outside.
        clip: PixelRect,
        /// Positions.
        range: std::ops::Range<u32>,
    },
    /// `Frame::markers[start..end]`.
    Markers {
        /// Nothing is drawn outside; its left edge is the axis' left edge.
        clip: PixelRect,
        /// Positions.
        range: std::ops::Range<u32>,
    },
    /// `Frame::flows[start..end]`.
    Flows {
        /// Nothing is drawn outside; its left edge is the axis' left edge.
        clip: PixelRect,
        /// Positions.
        range: std::ops::Range<u32>,
    },
    /// `Frame::counters[start..end]`.
    Counters {
        /// Nothing is drawn outside; its left edge is the axis' left edge.
        clip: PixelRect,
        /// Positions.
        range: std::ops::Range<u32>,
    },
    /// `Frame::links[start..end]`.
    Links {
        /// Nothing is drawn outside.
        clip: PixelRect,
        /// Positions.
        range: std::ops::Range<u32>,
    },
}

/// A line of text.
#[derive(Clone, Debug, PartialEq)]
pub struct TextRun {
    /// What it says.
    pub text: Arc<str>,
    /// Left edge in device pixels.
    pub x: f32,
    /// Top of the line in device pixels.
    pub y: f32,
    /// Font size in device pixels.
    pub size: f32,
    /// Colour.
    pub color: Rgba,
    /// Nothing is drawn outside; text that does not fit ends in an ellipsis.
    pub clip: PixelRect,
}

/// Everything to draw.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Width and height in device pixels.
    pub size: [u32; 2],
    /// Device pixels a point.
    pub scale: f32,
    /// Colours.
    pub palette: &'static Palette,
    /// The time axis.
    pub axis: AxisMap,
    /// Left edge of the axis in device pixels.
    pub axis_left: f32,
    /// Places of the rows that markers refer to.
    pub rows: Vec<RowPlace>,
    /// Rectangles.
    pub rects: Vec<RectInstance>,
    /// Markers.
    pub markers: Vec<MarkerInstance>,
    /// Shapes of flow rows.
    pub flows: Vec<FlowInstance>,
    /// Areas of counters.
    pub counters: Vec<CounterInstance>,
    /// Connections.
    pub links: Vec<LinkInstance>,
    /// What to draw of them, in order.
    pub draws: Vec<Draw>,
    /// Text.
    pub texts: Vec<TextRun>,
}

impl Frame {
    /// An empty frame.
    #[must_use]
    pub fn new(size: [u32; 2], scale: f32, palette: &'static Palette, axis: AxisMap, axis_left: f32) -> Self {
        Self {
            size,
            scale,
            palette,
            axis,
            axis_left,
            rows: Vec::new(),
            rects: Vec::new(),
            markers: Vec::new(),
            flows: Vec::new(),
            counters: Vec::new(),
            links: Vec::new(),
            draws: Vec::new(),
            texts: Vec::new(),
        }
    }

    /// Empties it for the next frame, keeping its memory.
    pub fn clear(&mut self) {
        self.rows.clear();
        self.rects.clear();
        self.markers.clear();
        self.flows.clear();
        self.counters.clear();
        self.links.clear();
        self.draws.clear();
        self.texts.clear();
    }

    /// Adds rectangles that share a clip.
    pub fn draw_rects(&mut self, clip: PixelRect, rects: impl IntoIterator<Item = RectInstance>) {
        let start = count(&self.rects);
        self.rects.extend(rects);
        let range = start..count(&self.rects);
        if !range.is_empty() {
            self.draws.push(Draw::Rects { clip, range });
        }
    }

    /// Adds the markers pushed since there were `start` of them as one step.
    pub fn draw_markers_since(&mut self, clip: PixelRect, start: u32) {
        let range = start..count(&self.markers);
        if !range.is_empty() {
            self.draws.push(Draw::Markers { clip, range });
        }
    }

    /// Adds the flow shapes pushed since there were `start` of them as one step.
    pub fn draw_flows_since(&mut self, clip: PixelRect, start: usize) {
        let range = count(&self.flows[..start])..count(&self.flows);
        if !range.is_empty() {
            self.draws.push(Draw::Flows { clip, range });
        }
    }

    /// Adds the areas of counters pushed since there were `start` of them as one step.
    pub fn draw_counters_since(&mut self, clip: PixelRect, start: usize) {
        let range = count(&self.counters[..start])..count(&self.counters);
        if !range.is_empty() {
            self.draws.push(Draw::Counters { clip, range });
        }
    }

    /// Adds connections that share a clip.
    pub fn draw_links(&mut self, clip: PixelRect, links: impl IntoIterator<Item = LinkInstance>) {
        let start = count(&self.links);
        self.links.extend(links);
        let range = start..count(&self.links);
        if !range.is_empty() {
            self.draws.push(Draw::Links { clip, range });
        }
    }

    /// Number of markers so far.
    #[must_use]
    pub fn marker_count(&self) -> u32 {
        count(&self.markers)
    }
}

fn count<T>(list: &[T]) -> u32 {
    u32::try_from(list.len()).unwrap_or(u32::MAX)
}
