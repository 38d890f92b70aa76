//! A frame: what is to be drawn, complete and without a decision left. The GPU layer sees nothing else.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};

use super::axis_map::AxisMap;
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

/// A filled, optionally rounded and bordered rectangle: 32 bytes, read by `shaders/rect.wgsl`.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct RectInstance {
    /// x, y, width, height in device pixels.
    pub rect: [f32; 4],
    /// Fill, sRGB.
    pub fill: Rgba,
    /// Border, sRGB.
    pub border: Rgba,
    /// Corner radius in device pixels.
    pub radius: f32,
    /// Border width in device pixels.
    pub border_width: f32,
}

impl RectInstance {
    /// A plain filled rectangle.
    #[must_use]
    pub const fn filled(rect: PixelRect, fill: Rgba) -> Self {
        let rect = [rect.x, rect.y, rect.width, rect.height];
        Self { rect, fill, border: [0; 4], radius: 0.0, border_width: 0.0 }
    }
}

/// A marker rectangle: [`crate::index::Packed`] with the frame's bits in the upper half of the style word. 16 bytes,
/// read by `shaders/marker.wgsl`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct MarkerInstance(pub [u32; 4]);

/// How marker rectangles of a batch are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Emphasis {
    /// As they are.
    Normal = 0,
    /// Faded, because a search is on and they do not match.
    Dimmed = 1,
    /// Under the pointer.
    Hovered = 2,
    /// Selected.
    Selected = 3,
    /// Backdrop of a collapsed thread's line.
    Faint = 4,
}

/// Where the row number starts in the style word, and how many bits it has.
pub const ROW_SHIFT: u32 = 16;
/// Most rows a frame can show.
pub const MAX_ROWS: usize = 1024;
/// Where the emphasis starts in the style word.
pub const EMPHASIS_SHIFT: u32 = 28;

impl MarkerInstance {
    /// A span on row `row` of the frame.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "rows are limited to MAX_ROWS")]
    pub const fn new(packed: crate::index::Packed, row: usize, emphasis: Emphasis) -> Self {
        let [a, b, c, style] = packed.0;
        let row = (row % MAX_ROWS) as u32;
        Self([a, b, c, (style & 0xffff) | row << ROW_SHIFT | (emphasis as u32) << EMPHASIS_SHIFT])
    }

    /// The packed span, without the frame's bits.
    #[must_use]
    pub const fn packed(self) -> crate::index::Packed {
        let [a, b, c, style] = self.0;
        crate::index::Packed([a, b, c, style & 0xffff])
    }

    /// The row of the frame it stands on.
    #[must_use]
    pub const fn row(self) -> usize {
        (self.0[3] >> ROW_SHIFT) as usize % MAX_ROWS
    }

    /// The emphasis bits.
    #[must_use]
    pub const fn emphasis(self) -> u32 {
        self.0[3] >> EMPHASIS_SHIFT
    }
}

/// A shape of a flow's row: the same words as [`MarkerInstance`], with the shape in bits that spans do not use. 16
/// bytes, read by `shaders/flow.wgsl`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct FlowInstance(pub [u32; 4]);

/// What a [`FlowInstance`] draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum FlowShapeKind {
    /// A rounded box around a range of time.
    Box = 0,
    /// The time in which a member lasts, inside the box.
    Tint = 1,
    /// The start of a member; of several in one pixel after another, a capsule.
    Dot = 2,
    /// A thin line along the row.
    Line = 3,
    /// Background drawn over a range, as opaque as the colour byte says.
    Veil = 4,
}

/// Where the shape starts in the style word.
pub const SHAPE_SHIFT: u32 = 12;

impl FlowInstance {
    /// A shape on row `row` of the frame.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "rows are limited to MAX_ROWS")]
    pub const fn new(packed: crate::index::Packed, kind: FlowShapeKind, row: usize, emphasis: Emphasis) -> Self {
        let [a, b, c, style] = packed.0;
        let row = (row % MAX_ROWS) as u32;
        let bits = (style & 0xfff) | (kind as u32) << SHAPE_SHIFT;
        Self([a, b, c, bits | row << ROW_SHIFT | (emphasis as u32) << EMPHASIS_SHIFT])
    }

    /// The packed span, without the frame's bits.
    #[must_use]
    pub const fn packed(self) -> crate::index::Packed {
        let [a, b, c, style] = self.0;
        crate::index::Packed([a, b, c, style & 0xfff])
    }

    /// Number of the shape.
    #[must_use]
    pub const fn kind(self) -> u32 {
        self.0[3] >> SHAPE_SHIFT & 15
    }

    /// The row of the frame it stands on.
    #[must_use]
    pub const fn row(self) -> usize {
        (self.0[3] >> ROW_SHIFT) as usize % MAX_ROWS
    }

    /// The emphasis bits.
    #[must_use]
    pub const fn emphasis(self) -> u32 {
        self.0[3] >> EMPHASIS_SHIFT
    }
}

/// A connection: 28 bytes, read by `shaders/link.wgsl`.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct LinkInstance {
    /// x and y of its beginning in device pixels.
    pub from: [f32; 2],
    /// x and y of its end.
    pub to: [f32; 2],
    /// Colour, sRGB.
    pub color: Rgba,
    /// Width in device pixels.
    pub width: f32,
    /// [`LinkKind`].
    pub kind: u32,
}

/// What a [`LinkInstance`] draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum LinkKind {
    /// A straight line.
    Line = 0,
    /// A curve that leaves and arrives horizontally.
    Curve = 1,
    /// An arrow head: as wide as `width` at its beginning, pointed at its end.
    Head = 2,
}

impl LinkInstance {
    /// A connection between two points.
    #[must_use]
    pub const fn new(kind: LinkKind, from: [f32; 2], to: [f32; 2], color: Rgba, width: f32) -> Self {
        Self { from, to, color, width, kind: kind as u32 }
    }
}

/// Vertical place of a row in device pixels.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct RowPlace {
    /// Top, a whole pixel.
    pub y: f32,
    /// Height, a whole pixel count.
    pub height: f32,
    /// Keeps the WGSL layout.
    pub padding: [f32; 2],
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
