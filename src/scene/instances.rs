//! What the shaders read: plain words, laid out as they are uploaded. A test compares each with its shader.

use bytemuck::{Pod, Zeroable};

use super::frame::PixelRect;
use super::theme::Rgba;

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

/// Columns of one height of a counter's band: columns from the axis' left edge; pixels below the row's top of the spread and
/// of the solid part; where these end; style. Two 16-bit numbers a word, the first in the lower half. 16 bytes, read by
/// `shaders/counter.wgsl`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct CounterInstance(pub [u32; 4]);

impl CounterInstance {
    /// In the style word: the upper edge has a line.
    pub const TOP_LINE: u32 = 1 << 8;
    /// In the style word: the lower edge has a line.
    pub const BOTTOM_LINE: u32 = 1 << 9;

    /// Columns `columns.0..columns.1` on row `row` of the frame. `edges` are the tops of the spread and of the solid part,
    /// then the bottoms of the solid part and of the spread; `lines` says whether top and bottom have one.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "rows are limited to MAX_ROWS")]
    pub const fn new(columns: (u16, u16), edges: [u16; 4], color: u8, lines: (bool, bool), row: usize) -> Self {
        let top = if lines.0 { Self::TOP_LINE } else { 0 };
        let bottom = if lines.1 { Self::BOTTOM_LINE } else { 0 };
        let row = (row % MAX_ROWS) as u32;
        let style = color as u32 | top | bottom | row << ROW_SHIFT;
        Self([word(columns.0, columns.1), word(edges[0], edges[1]), word(edges[2], edges[3]), style])
    }

    /// First column, and the one after the last.
    #[must_use]
    pub const fn columns(self) -> (u16, u16) {
        halves(self.0[0])
    }

    /// The edges as given.
    #[must_use]
    pub const fn edges(self) -> [u16; 4] {
        let ((a, b), (c, d)) = (halves(self.0[1]), halves(self.0[2]));
        [a, b, c, d]
    }

    /// The row of the frame it stands on.
    #[must_use]
    pub const fn row(self) -> usize {
        (self.0[3] >> ROW_SHIFT) as usize % MAX_ROWS
    }

    /// Palette entry.
    #[must_use]
    pub const fn color(self) -> usize {
        (self.0[3] & 0xff) as usize
    }
}

const fn word(low: u16, high: u16) -> u32 {
    low as u32 | (high as u32) << 16
}

#[expect(clippy::cast_possible_truncation, reason = "halves of a word")]
const fn halves(word: u32) -> (u16, u16) {
    (word as u16, (word >> 16) as u16)
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
