//! Shapes of flow rows: boxes, tints, dots, lines.

use bytemuck::{Pod, Zeroable};

use super::pipeline::{Attribute, Blending, PipelineSpec, shader};
use super::primitive::Primitive;
use super::row::{Emphasis, ROW_SHIFT, emphasis_of, row_bits, row_of};
use crate::geometry::CLAMP_MARGIN;
use flowline_index::{Packed, Style};

/// A shape of a flow row: the words of a marker, with the kind of shape in bits that spans do not use. 16 bytes, read
/// by `shaders/flow.wgsl`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct FlowInstance(pub [u32; 4]);

/// Kind of a [`FlowInstance`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum FlowShapeKind {
    /// A rounded box around a time range.
    Box = 0,
    /// The interval of a member, inside the box.
    Tint = 1,
    /// The start of a member; members that start in neighboring pixels share a capsule.
    Dot = 2,
    /// A thin line along the row.
    Line = 3,
    /// A part of a box of a flow track under the background color, whose opacity is [`Style::opacity`].
    Fade = 4,
    /// Columns of the box in which the flow waits, hatched; created by [`FlowInstance::hatch`].
    Hatch = 5,
    /// A wait on a flow lane: hatched.
    Wait = 6,
}

/// The first bit of the kind in the style word.
pub const SHAPE_SHIFT: u32 = 12;
/// A box is this many points wider than its interval, on either side.
pub const BOX_PAD: f32 = 6.0;

/// Opacity of the fill of a box.
pub const BOX_OPACITY: f32 = 0.2;

const STYLE_MASK: u32 = (1 << SHAPE_SHIFT) - 1;
const KIND_MASK: u32 = (1 << (ROW_SHIFT - SHAPE_SHIFT)) - 1;

impl Primitive for FlowInstance {
    const PIPELINES: &'static [PipelineSpec] = &[{
        let (file, source) = shader!("flow.wgsl");
        PipelineSpec {
            label: "flow shapes",
            file,
            source,
            blending: Blending::Alpha,
            vertices: PipelineSpec::QUAD,
            stride: size_of::<Self>(),
            attributes: &Attribute::FOUR_WORDS,
        }
    }];
}

impl FlowInstance {
    /// A shape on row `row` of the frame.
    #[must_use]
    pub const fn new(packed: Packed, kind: FlowShapeKind, row: usize, emphasis: Emphasis) -> Self {
        let [a, b, c, style] = packed.0;
        Self([a, b, c, (style & STYLE_MASK) | (kind as u32) << SHAPE_SHIFT | row_bits(row, emphasis)])
    }

    /// Columns in which a flow waits, first and one past the last, counted from the axis' left edge. They are stored in
    /// place of ticks, counted from the first column that clamping allows.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "a whole number")]
    pub fn hatch(first: i32, end: i32, style: Style, row: usize, emphasis: Emphasis) -> Self {
        let place = |column: i32| u64::try_from(column + CLAMP_MARGIN as i32).unwrap_or(0);
        Self::new(Packed::new(place(first), place(end), style), FlowShapeKind::Hatch, row, emphasis)
    }

    /// The columns of a hatch.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "a whole number")]
    pub fn hatched(self) -> (i32, i32) {
        let column = |place: u64| i32::try_from(place).unwrap_or(i32::MAX).saturating_sub(CLAMP_MARGIN as i32);
        (column(self.packed().start()), column(self.packed().end()))
    }

    /// The packed span, without the frame's bits.
    #[must_use]
    pub const fn packed(self) -> Packed {
        let [a, b, c, style] = self.0;
        Packed([a, b, c, style & STYLE_MASK])
    }

    /// The kind of shape, as a number.
    #[must_use]
    pub const fn kind(self) -> u32 {
        self.0[3] >> SHAPE_SHIFT & KIND_MASK
    }

    /// The row of the frame.
    #[must_use]
    pub const fn row(self) -> usize {
        row_of(self.0[3])
    }

    /// The emphasis, as a number.
    #[must_use]
    pub const fn emphasis(self) -> u32 {
        emphasis_of(self.0[3])
    }
}
