//! GPU resources of one frame: uniforms, instances, strips and draw calls. The painter owns the pipelines, which all
//! frames share.

use std::ops::Range;

use wgpu::util::StagingBelt;

use super::Gpu;
use super::buffers::GrowingBuffer;
use super::row_textures::{RowTextureBuffers, RowTexturePipeline, RowTextures, STRIP_PIPELINE};
use super::uniforms::FrameUniforms;
use flowline_scene::{Frame, PipelineSpec, PixelRect, PrimitiveKind};

/// Source of a draw call's instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DrawSource {
    /// Instances of a primitive, and the index of one of its pipelines.
    Primitive(PrimitiveKind, usize),
    /// Row textures.
    Strips,
}

impl DrawSource {
    pub(super) fn spec(self) -> &'static PipelineSpec {
        match self {
            Self::Primitive(kind, pipeline) => &kind.pipelines()[pipeline],
            Self::Strips => &STRIP_PIPELINE,
        }
    }
}

/// The instances drawn by one draw call.
#[derive(Debug)]
pub(super) struct DrawCall {
    pub(super) clip: PixelRect,
    pub(super) source: DrawSource,
    pub(super) range: Range<u32>,
}

/// A frame on the device.
#[derive(Debug)]
pub(super) struct FrameBuffers {
    pub(super) uniforms: FrameUniforms,
    /// In the order of [`PrimitiveKind::ALL`].
    pub(super) instances: Vec<GrowingBuffer>,
    strips: RowTextures,
    pub(super) strip_buffers: RowTextureBuffers,
    pub(super) calls: Vec<DrawCall>,
}

impl FrameBuffers {
    pub(super) fn new(gpu: &Gpu, layout: &wgpu::BindGroupLayout) -> Self {
        let label = |kind: &PrimitiveKind| kind.pipelines().first().map_or("instances", |spec| spec.label);
        Self {
            uniforms: FrameUniforms::new(&gpu.device, layout),
            instances: PrimitiveKind::ALL.iter().map(|kind| GrowingBuffer::new(label(kind))).collect(),
            strips: RowTextures::for_adapter(gpu),
            strip_buffers: RowTextureBuffers::new(),
            calls: Vec::new(),
        }
    }

    /// Uploads the data of a frame. The copy commands are added to `encoder`.
    pub(super) fn upload(
        &mut self,
        frame: &Frame,
        gpu: &Gpu,
        pipeline: &RowTexturePipeline,
        belt: &mut StagingBelt,
        encoder: &mut wgpu::CommandEncoder,
    ) {
        self.uniforms.upload(gpu, frame);
        self.plan(frame);
        for (kind, buffer) in PrimitiveKind::ALL.iter().zip(&mut self.instances) {
            let bytes = match kind {
                PrimitiveKind::Marker => bytemuck::cast_slice(self.strips.rectangles()),
                kind => frame.instances.bytes(*kind),
            };
            buffer.upload(gpu, belt, encoder, bytes);
        }
        self.strip_buffers.upload(gpu, pipeline, belt, encoder, &self.strips);
    }

    /// Converts the batches of a frame to draw calls.
    fn plan(&mut self, frame: &Frame) {
        let Self { strips, calls, .. } = self;
        calls.clear();
        strips.begin(frame);
        for batch in &frame.batches {
            let mut push = |source, range: Range<u32>| {
                if !range.is_empty() {
                    calls.push(DrawCall { clip: batch.clip, source, range });
                }
            };
            match batch.primitive {
                PrimitiveKind::Marker => {
                    let (rectangles, lines) = strips.add(frame, &batch.range);
                    push(DrawSource::Primitive(PrimitiveKind::Marker, 0), rectangles);
                    push(DrawSource::Strips, lines);
                }
                kind => frame.instances.for_each_run(kind, batch.range.clone(), |pipeline, range| {
                    push(DrawSource::Primitive(kind, pipeline), range);
                }),
            }
        }
    }
}
