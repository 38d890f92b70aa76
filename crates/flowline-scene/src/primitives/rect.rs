//! Rectangles: filled, optionally rounded and bordered.

use std::mem::offset_of;

use bytemuck::{Pod, Zeroable};

use super::pipeline::{Attribute, AttributeFormat, Blending, PipelineSpec, shader};
use super::primitive::Primitive;
use crate::geometry::PixelRect;
use crate::theme::Rgba;

/// A filled, optionally rounded and bordered rectangle: 32 bytes, read by `shaders/rect.wgsl`, or by
/// `shaders/fill.wgsl` if it has neither rounded corners nor a border.
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

    /// Index of the pipeline that draws plain opaque rectangles.
    pub const FILLED_OPAQUE: usize = 2;
}

/// Indices in [`RectInstance::PIPELINES`].
const SHAPED: usize = 0;
const FILLED: usize = 1;

const ATTRIBUTES: [Attribute; 4] = [
    Attribute::new(AttributeFormat::Float32x4, offset_of!(RectInstance, rect)),
    Attribute::new(AttributeFormat::Unorm8x4, offset_of!(RectInstance, fill)),
    Attribute::new(AttributeFormat::Unorm8x4, offset_of!(RectInstance, border)),
    // Radius and border width as one vector.
    Attribute::new(AttributeFormat::Float32x2, offset_of!(RectInstance, radius)),
];

/// Plain rectangles share the list of the others; their shader reads the first two attributes.
const fn fill(blending: Blending) -> PipelineSpec {
    let (file, source) = shader!("fill.wgsl");
    let attributes = ATTRIBUTES.split_at(2).0;
    let (vertices, stride) = (PipelineSpec::QUAD, size_of::<RectInstance>());
    PipelineSpec { label: "filled rectangles", file, source, blending, vertices, stride, attributes }
}

impl Primitive for RectInstance {
    const PIPELINES: &'static [PipelineSpec] = &[
        {
            let (file, source) = shader!("rect.wgsl");
            PipelineSpec {
                label: "rectangles",
                file,
                source,
                blending: Blending::Alpha,
                vertices: PipelineSpec::QUAD,
                stride: size_of::<Self>(),
                attributes: &ATTRIBUTES,
            }
        },
        fill(Blending::Alpha),
        fill(Blending::Opaque),
    ];

    fn pipeline(&self) -> usize {
        match (self.radius, self.border_width) {
            (0.0, 0.0) if self.fill[3] == u8::MAX => Self::FILLED_OPAQUE,
            (0.0, 0.0) => FILLED,
            _ => SHAPED,
        }
    }
}
