//! Draws frames: uploads the instances of each primitive and draws the batches in their order.
//!
//! The painter knows no primitive but markers, whose full rows it may draw as column strips. Everything else follows from
//! the list of primitives.

use std::ops::Range;

use wgpu::util::StagingBelt;

use super::Gpu;
use super::buffers::GrowingBuffer;
use super::column_strips::{ColumnStrips, STRIP_PIPELINE, StripPainter};
use super::pipelines;
use super::text::TextPainter;
use super::uniforms::FrameUniforms;
use crate::scene::{Frame, PipelineSpec, PixelRect, PrimitiveKind};

/// Bytes of a chunk of staging memory: a frame of 60 full rows fits one.
const STAGING_CHUNK: u64 = 4 << 20;

/// The instances and pipelines of one primitive.
#[derive(Debug)]
struct PrimitivePainter {
    kind: PrimitiveKind,
    pipelines: Vec<wgpu::RenderPipeline>,
    instances: GrowingBuffer,
}

/// What a draw call draws with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DrawSource {
    /// Instances of a primitive, with one of its pipelines.
    Primitive(PrimitiveKind, usize),
    /// Column strips.
    Strips,
}

impl DrawSource {
    fn spec(self) -> &'static PipelineSpec {
        match self {
            Self::Primitive(kind, pipeline) => &kind.pipelines()[pipeline],
            Self::Strips => &STRIP_PIPELINE,
        }
    }
}

/// Instances that one draw call draws.
#[derive(Debug)]
struct DrawCall {
    clip: PixelRect,
    source: DrawSource,
    range: Range<u32>,
}

/// All pipelines of the painter, for the test that compares them with the shaders.
pub fn pipeline_specs() -> impl Iterator<Item = &'static PipelineSpec> {
    PrimitiveKind::ALL.iter().flat_map(|kind| kind.pipelines()).chain([&STRIP_PIPELINE])
}

/// Draws frames.
#[derive(Debug)]
pub struct Painter {
    gpu: Gpu,
    uniforms: FrameUniforms,
    /// In the order of [`PrimitiveKind::ALL`].
    primitives: Vec<PrimitivePainter>,
    strips: ColumnStrips,
    strip_painter: StripPainter,
    calls: Vec<DrawCall>,
    belt: StagingBelt,
    text: TextPainter,
}

impl Painter {
    /// Creates the pipelines for a target format. `fonts` are TrueType files for text; the first is the default.
    #[must_use]
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat, fonts: Vec<Vec<u8>>) -> Self {
        let device = &gpu.device;
        let uniforms = FrameUniforms::new(device);
        let primitive = |kind: &PrimitiveKind| {
            let build = |spec| pipelines::build(device, &[&uniforms.layout], format, spec);
            let label = kind.pipelines().first().map_or("instances", |spec| spec.label);
            let pipelines = kind.pipelines().iter().map(build).collect();
            PrimitivePainter { kind: *kind, pipelines, instances: GrowingBuffer::new(label) }
        };
        Self {
            primitives: PrimitiveKind::ALL.iter().map(primitive).collect(),
            strips: ColumnStrips::for_adapter(gpu),
            strip_painter: StripPainter::new(device, &uniforms.layout, format),
            uniforms,
            calls: Vec::new(),
            belt: StagingBelt::new(gpu.device.clone(), STAGING_CHUNK),
            text: TextPainter::new(gpu, format, fonts),
            gpu: gpu.clone(),
        }
    }

    /// Uploads what a frame needs; the copies become part of `encoder`.
    pub fn prepare(&mut self, frame: &Frame, encoder: &mut wgpu::CommandEncoder) {
        self.uniforms.upload(&self.gpu, frame);
        self.plan(frame);
        for primitive in &mut self.primitives {
            let bytes = match primitive.kind {
                PrimitiveKind::Marker => bytemuck::cast_slice(self.strips.rectangles()),
                kind => frame.instances.bytes(kind),
            };
            primitive.instances.upload(&self.gpu, &mut self.belt, encoder, bytes);
        }
        self.strip_painter.upload(&self.gpu, &mut self.belt, encoder, &self.strips);
        self.belt.finish();
        self.text.prepare(&self.gpu, frame);
    }

    /// Reclaims staging memory. To be called after the commands of [`Painter::prepare`] were submitted.
    pub fn recall(&mut self) {
        self.belt.recall();
    }

    /// Turns the batches of a frame into draw calls.
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

    /// Draws the frame prepared last into a pass over a target of the frame's size.
    pub fn draw(&self, frame: &Frame, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_bind_group(0, &self.uniforms.bind_group, &[]);
        let mut current = None;
        for call in &self.calls {
            let (pipeline, buffer) = match call.source {
                DrawSource::Primitive(kind, pipeline) => {
                    let primitive = &self.primitives[kind as usize];
                    (&primitive.pipelines[pipeline], &primitive.instances.buffer)
                }
                DrawSource::Strips => {
                    let Some(strips) = self.strip_painter.parts() else { continue };
                    pass.set_bind_group(1, strips.cells, &[]);
                    (strips.pipeline, strips.instances)
                }
            };
            let Some(buffer) = buffer else { continue };
            if set_scissor(pass, frame, call.clip) {
                if current.replace(call.source) != Some(call.source) {
                    pass.set_pipeline(pipeline);
                    pass.set_vertex_buffer(0, buffer.slice(..));
                }
                pass.draw(0..call.source.spec().vertices, call.range.clone());
            }
        }
        let [width, height] = frame.size;
        pass.set_scissor_rect(0, 0, width, height);
        self.text.draw(pass);
    }

    /// The device this paints with.
    #[must_use]
    pub const fn gpu(&self) -> &Gpu {
        &self.gpu
    }
}

/// Limits drawing to a clip rectangle; `false` if nothing of it is on the canvas.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "clamped")]
fn set_scissor(pass: &mut wgpu::RenderPass<'_>, frame: &Frame, clip: PixelRect) -> bool {
    let [width, height] = frame.size.map(|side| side as f32);
    let left = clip.x.clamp(0.0, width).floor() as u32;
    let top = clip.y.clamp(0.0, height).floor() as u32;
    let right = clip.right().clamp(0.0, width).ceil() as u32;
    let bottom = clip.bottom().clamp(0.0, height).ceil() as u32;
    if right <= left || bottom <= top {
        return false;
    }
    pass.set_scissor_rect(left, top, right - left, bottom - top);
    true
}
