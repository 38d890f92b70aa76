//! Areas of counters.

use bytemuck::{Pod, Zeroable};

use super::pipeline::{Attribute, Blending, PipelineSpec, shader};
use super::primitive::Primitive;
use super::row::{Emphasis, row_bits, row_of};

/// Consecutive pixel columns with equal edges of a counter's band. The four words are: the columns from the axis' left
/// edge; the tops of the spread and of the solid part, in pixels below the row's top; the bottoms of both; the style.
/// The first three contain two 16-bit numbers each, the first number in the lower half. 16 bytes, read by
/// `shaders/counter.wgsl`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct CounterInstance(pub [u32; 4]);

/// Edges of an area that have a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EdgeLines {
    /// The upper edge.
    pub top: bool,
    /// The lower edge.
    pub bottom: bool,
}

impl Primitive for CounterInstance {
    const PIPELINES: &'static [PipelineSpec] = &[{
        let (file, source) = shader!("counter.wgsl");
        PipelineSpec {
            label: "counters",
            file,
            source,
            blending: Blending::Opaque,
            vertices: PipelineSpec::QUAD,
            stride: size_of::<Self>(),
            attributes: &Attribute::FOUR_WORDS,
        }
    }];
}

impl CounterInstance {
    /// In the style word: the upper edge has a line.
    pub const TOP_LINE: u32 = 1 << 8;
    /// In the style word: the lower edge has a line.
    pub const BOTTOM_LINE: u32 = 1 << 9;

    /// In the style word: a curve, whose line passes through all values of a column and is filled below.
    pub const CURVE: u32 = 1 << 10;

    /// The same columns as part of a curve.
    #[must_use]
    pub const fn curve(self) -> Self {
        let [columns, tops, bottoms, style] = self.0;
        Self([columns, tops, bottoms, style | Self::CURVE])
    }

    /// Columns `columns.0..columns.1` on row `row` of the frame. `edges` are the tops of the spread and of the solid
    /// part, then the bottoms of the solid part and of the spread.
    #[must_use]
    pub const fn new(columns: (u16, u16), edges: [u16; 4], color: u8, lines: EdgeLines, row: usize) -> Self {
        let top = if lines.top { Self::TOP_LINE } else { 0 };
        let bottom = if lines.bottom { Self::BOTTOM_LINE } else { 0 };
        let style = color as u32 | top | bottom | row_bits(row, Emphasis::Normal);
        Self([word(columns.0, columns.1), word(edges[0], edges[1]), word(edges[2], edges[3]), style])
    }

    /// First column, and the one after the last.
    #[must_use]
    pub const fn columns(self) -> (u16, u16) {
        halves(self.0[0])
    }

    /// The edges as passed to [`CounterInstance::new`].
    #[must_use]
    pub const fn edges(self) -> [u16; 4] {
        let ((a, b), (c, d)) = (halves(self.0[1]), halves(self.0[2]));
        [a, b, c, d]
    }

    /// The row of the frame.
    #[must_use]
    pub const fn row(self) -> usize {
        row_of(self.0[3])
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
