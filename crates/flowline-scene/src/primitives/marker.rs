//! Marker rectangles.

use bytemuck::{Pod, Zeroable};

use super::pipeline::{Attribute, Blending, PipelineSpec, shader};
use super::primitive::Primitive;
use super::row::{Emphasis, emphasis_of, row_bits, row_of};
use flowline_index::Packed;

/// A marker rectangle: [`Packed`] with the frame's bits in the upper half of the style word. 16 bytes, read by
/// `shaders/marker.wgsl`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct MarkerInstance(pub [u32; 4]);

impl Primitive for MarkerInstance {
    const PIPELINES: &'static [PipelineSpec] = &[{
        let (file, source) = shader!("marker.wgsl");
        PipelineSpec {
            label: "markers",
            file,
            source,
            blending: Blending::Opaque,
            vertices: PipelineSpec::QUAD,
            stride: size_of::<Self>(),
            attributes: &Attribute::FOUR_WORDS,
        }
    }];
}

impl MarkerInstance {
    /// A span on row `row` of the frame.
    #[must_use]
    pub const fn new(packed: Packed, row: usize, emphasis: Emphasis) -> Self {
        let [a, b, c, style] = packed.0;
        Self([a, b, c, (style & 0xffff) | row_bits(row, emphasis)])
    }

    /// The packed span, without the frame's bits.
    #[must_use]
    pub const fn packed(self) -> Packed {
        let [a, b, c, style] = self.0;
        Packed([a, b, c, style & 0xffff])
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
