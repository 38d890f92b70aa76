//! Draws frames: uploads the instances of each primitive and draws the batches in order. Several frames can share a
//! target, each in its own area.
//!
//! Markers are the only primitive that the painter treats specially: it may draw their dense rows as row textures.
//! Everything else follows from the list of primitives.

use wgpu::util::StagingBelt;

use super::fills::SolidFills;
use super::frame_buffers::{DrawSource, FrameBuffers};
use super::row_textures::{RowTexturePipeline, STRIP_PIPELINE};
use super::text::TextPainter;
use super::uniforms::FrameUniforms;
use super::{Gpu, pipelines};
use flowline_scene::{Frame, PipelineSpec, PixelRect, PrimitiveKind, RectInstance, Rgba};

/// Size of a chunk of staging memory in bytes: a frame of 60 dense rows fits into one.
const STAGING_CHUNK: u64 = 4 << 20;

/// All pipelines of the painter, for the test that compares them with the shaders.
pub fn pipeline_specs() -> impl Iterator<Item = &'static PipelineSpec> {
    PrimitiveKind::ALL.iter().flat_map(|kind| kind.pipelines()).chain([&STRIP_PIPELINE])
}

/// Draws frames.
#[derive(Debug)]
pub struct Painter {
    gpu: Gpu,
    layout: wgpu::BindGroupLayout,
    /// In the order of [`PrimitiveKind::ALL`].
    pipelines: Vec<Vec<wgpu::RenderPipeline>>,
    strips: RowTexturePipeline,
    /// One per frame.
    frames: Vec<FrameBuffers>,
    /// Rectangles over all frames.
    fills: SolidFills,
    /// The background behind all frames.
    ground: SolidFills,
    belt: StagingBelt,
    text: TextPainter,
}

impl Painter {
    /// Creates the pipelines for a target format. `fonts` are TrueType files for text; the first is the default.
    #[must_use]
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat, fonts: Vec<Vec<u8>>) -> Self {
        let device = &gpu.device;
        let layout = FrameUniforms::layout(device);
        let specs: Vec<&PipelineSpec> = PrimitiveKind::ALL.iter().flat_map(|kind| kind.pipelines()).collect();
        let mut built = pipelines::build_all(device, &layout, format, &specs).into_iter();
        let of_kind = |kind: &PrimitiveKind| -> Vec<wgpu::RenderPipeline> {
            built.by_ref().take(kind.pipelines().len()).collect()
        };
        Self {
            pipelines: PrimitiveKind::ALL.iter().map(of_kind).collect(),
            strips: RowTexturePipeline::new(device, &layout, format),
            layout,
            frames: Vec::new(),
            fills: SolidFills::new(),
            ground: SolidFills::new(),
            belt: StagingBelt::new(gpu.device.clone(), STAGING_CHUNK),
            text: TextPainter::new(gpu, format, fonts),
            gpu: gpu.clone(),
        }
    }

    /// Uploads frames of the same size, opaque rectangles that cover all frames, and the background color. The copy
    /// commands are added to `encoder`. Buffers of surplus frames are freed. Returns true if all text fits into the
    /// glyph atlas.
    pub fn prepare(
        &mut self,
        frames: &[&Frame],
        fills: &[RectInstance],
        background: Rgba,
        encoder: &mut wgpu::CommandEncoder,
    ) -> bool {
        while self.frames.len() < frames.len() {
            self.frames.push(FrameBuffers::new(&self.gpu, &self.layout));
        }
        self.frames.truncate(frames.len().max(1));
        for (frame, buffers) in frames.iter().zip(&mut self.frames) {
            buffers.upload(frame, &self.gpu, &self.strips, &mut self.belt, encoder);
        }
        self.fills.upload(fills, &self.gpu, &mut self.belt, encoder);
        #[expect(clippy::cast_precision_loss, reason = "sizes of screens")]
        let [width, height] = frames.first().map_or([0.0; 2], |frame| frame.size.map(|side| side as f32));
        let ground = RectInstance::filled(PixelRect::new(0.0, 0.0, width, height), background);
        self.ground.upload(&[ground], &self.gpu, &mut self.belt, encoder);
        self.belt.finish();
        self.text.prepare(&self.gpu, frames)
    }

    /// Reclaims staging memory. Call it after submitting the commands of [`Painter::prepare`].
    pub fn recall(&mut self) {
        self.belt.recall();
    }

    /// Draws the most recently prepared frames, and the rectangles over them, onto a target of the same size. Without
    /// `areas` it draws everything and expects a target that contains only the background. With `areas` it redraws only
    /// these areas, including the background, and leaves the rest unchanged.
    pub fn draw(&self, frames: &[&Frame], areas: Option<&[PixelRect]>, pass: &mut wgpu::RenderPass<'_>) {
        let Some((first, uniforms)) = frames.first().zip(self.frames.first().map(|frame| &frame.uniforms)) else {
            return;
        };
        let fill = |fills: &SolidFills, pass: &mut wgpu::RenderPass<'_>| {
            pass.set_bind_group(0, &uniforms.bind_group, &[]);
            pass.set_pipeline(&self.pipelines[PrimitiveKind::Rect as usize][RectInstance::FILLED_OPAQUE]);
            fills.draw(pass);
        };
        #[expect(clippy::cast_precision_loss, reason = "sizes of screens")]
        let [width, height] = first.size.map(|side| side as f32);
        let all = [PixelRect::new(0.0, 0.0, width, height)];
        for area in areas.unwrap_or(&all) {
            if !set_scissor(pass, first, *area) {
                continue;
            }
            if areas.is_some() {
                fill(&self.ground, pass);
            }
            for (number, (frame, buffers)) in frames.iter().zip(&self.frames).enumerate() {
                self.draw_frame(frame, buffers, *area, pass);
                if set_scissor(pass, first, *area) {
                    self.text.draw(number, pass);
                }
            }
            fill(&self.fills, pass);
        }
        let [width, height] = first.size;
        pass.set_scissor_rect(0, 0, width, height);
    }

    fn draw_frame(&self, frame: &Frame, buffers: &FrameBuffers, area: PixelRect, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_bind_group(0, &buffers.uniforms.bind_group, &[]);
        let mut current = None;
        for call in &buffers.calls {
            let (pipeline, buffer) = match call.source {
                DrawSource::Primitive(kind, pipeline) => {
                    (&self.pipelines[kind as usize][pipeline], &buffers.instances[kind as usize].buffer)
                }
                DrawSource::Strips => {
                    let Some(strips) = buffers.strip_buffers.parts() else { continue };
                    pass.set_bind_group(1, strips.cells, &[]);
                    (&self.strips.pipeline, strips.instances)
                }
            };
            let Some(buffer) = buffer else { continue };
            if set_scissor(pass, frame, call.clip.intersect(area)) {
                if current.replace(call.source) != Some(call.source) {
                    pass.set_pipeline(pipeline);
                    pass.set_vertex_buffer(0, buffer.slice(..));
                }
                pass.draw(0..call.source.spec().vertices, call.range.clone());
            }
        }
    }

    /// The device that this painter uses.
    #[must_use]
    pub const fn gpu(&self) -> &Gpu {
        &self.gpu
    }
}

/// Limits drawing to a clip rectangle; `false` if the rectangle is entirely off the canvas.
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
