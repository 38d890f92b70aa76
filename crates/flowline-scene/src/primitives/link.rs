//! Connections of flows: lines, curves and arrow heads.

use std::mem::offset_of;

use bytemuck::{Pod, Zeroable};

use super::pipeline::{Attribute, AttributeFormat, Blending, PipelineSpec, shader};
use super::primitive::Primitive;
use crate::theme::Rgba;

/// A connection: 28 bytes, read by `shaders/link.wgsl`.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct LinkInstance {
    /// x and y of the start in device pixels.
    pub from: [f32; 2],
    /// x and y of the end in device pixels.
    pub to: [f32; 2],
    /// Color, sRGB.
    pub color: Rgba,
    /// Width in device pixels.
    pub width: f32,
    /// [`LinkKind`] as a number.
    pub kind: u32,
}

/// Kind of a [`LinkInstance`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum LinkKind {
    /// A straight line.
    Line = 0,
    /// A curve with horizontal ends.
    Curve = 1,
    /// An arrow head: `width` wide at its start, pointed at its end.
    Head = 2,
}

impl Primitive for LinkInstance {
    const PIPELINES: &'static [PipelineSpec] = &[{
        let (file, source) = shader!("link.wgsl");
        PipelineSpec {
            label: "links",
            file,
            source,
            blending: Blending::Alpha,
            vertices: 50,
            stride: size_of::<Self>(),
            attributes: &[
                // Both ends as one vector.
                Attribute::new(AttributeFormat::Float32x4, offset_of!(Self, from)),
                Attribute::new(AttributeFormat::Unorm8x4, offset_of!(Self, color)),
                Attribute::new(AttributeFormat::Float32, offset_of!(Self, width)),
                Attribute::new(AttributeFormat::Uint32, offset_of!(Self, kind)),
            ],
        }
    }];
}

impl LinkInstance {
    /// A connection between two points.
    #[must_use]
    pub const fn new(kind: LinkKind, from: [f32; 2], to: [f32; 2], color: Rgba, width: f32) -> Self {
        Self { from, to, color, width, kind: kind as u32 }
    }
}
