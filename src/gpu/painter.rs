//! Pipelines and per-frame buffers, one of each for every kind of instance.

use std::mem::offset_of;
use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use wgpu::util::StagingBelt;

use super::Gpu;
use super::buffers::{GrowingBuffer, Look, MARKER_ATTRIBUTES, pipeline, shader};
use super::strips::{StripPainter, Strips};
use super::text::TextPainter;
use crate::scene::{Draw, Frame, LinkInstance, MAX_ROWS, PALETTE_LEN, PixelRect, RectInstance, Rgba, RowPlace};

/// The uniform block of both shaders; a test compares its layout with theirs.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub struct Globals {
    size: [f32; 2],
    left: f32,
    width: f32,
    origin: [u32; 2],
    fraction: f32,
    pixels_per_tick: f32,
    scale: f32,
    light: f32,
    hatch: f32,
    hatch_period: f32,
    background: [f32; 4],
    selected: [f32; 4],
    fills: [[f32; 4]; PALETTE_LEN],
}

/// Device pixels from one line of an incomplete marker's hatch to the next: about 8 points, an even number.
#[must_use]
pub fn hatch_period(scale: f32) -> f32 {
    2.0 * (4.0 * scale).round().max(1.0)
}

fn color(rgba: Rgba) -> [f32; 4] {
    rgba.map(|channel| f32::from(channel) / 255.0)
}

impl Globals {
    /// Name and byte offset of every field, for the test that compares them with the shaders'.
    pub const FIELDS: [(&'static str, usize); 13] = [
        ("size", offset_of!(Self, size)),
        ("left", offset_of!(Self, left)),
        ("width", offset_of!(Self, width)),
        ("origin", offset_of!(Self, origin)),
        ("fraction", offset_of!(Self, fraction)),
        ("pixels_per_tick", offset_of!(Self, pixels_per_tick)),
        ("scale", offset_of!(Self, scale)),
        ("light", offset_of!(Self, light)),
        ("hatch", offset_of!(Self, hatch)),
        ("hatch_period", offset_of!(Self, hatch_period)),
        ("background", offset_of!(Self, background)),
        ("selected", offset_of!(Self, selected)),
        ("fills", offset_of!(Self, fills)),
    ];

    /// The block of a frame.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "canvas sizes")]
    pub fn of(frame: &Frame) -> Self {
        let [width, height] = frame.size;
        let palette = frame.palette;
        let bits = frame.axis.origin.to_le_bytes();
        let word = |at: usize| u32::from_le_bytes([bits[at], bits[at + 1], bits[at + 2], bits[at + 3]]);
        Self {
            size: [width as f32, height as f32],
            left: frame.axis_left,
            width: frame.axis.width,
            origin: [word(0), word(4)],
            fraction: frame.axis.fraction,
            pixels_per_tick: frame.axis.pixels_per_tick,
            scale: frame.scale,
            light: if palette.background[0] > 127 { 1.0 } else { 0.0 },
            hatch: frame.axis.phase(hatch_period(frame.scale)),
            hatch_period: hatch_period(frame.scale),
            background: color(palette.background),
            selected: color(palette.selected),
            fills: palette.fills.map(color),
        }
    }
}

/// Bytes of a piece of staging memory: a frame of 60 full rows fits one.
const STAGING_CHUNK: u64 = 4 << 20;

/// What a step draws, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Rectangles with rounded corners or borders.
    Rects,
    /// Plain ones.
    Fills {
        opaque: bool,
    },
    Markers,
    Strips,
    Flows,
    Counters,
    Links,
}

/// How a rectangle is drawn.
fn kind_of(rect: &RectInstance) -> Kind {
    match (rect.radius, rect.border_width) {
        (0.0, 0.0) => Kind::Fills { opaque: rect.fill[3] == u8::MAX },
        _ => Kind::Rects,
    }
}

/// Instances of one kind that are drawn together.
#[derive(Debug)]
struct Step {
    clip: PixelRect,
    kind: Kind,
    range: Range<u32>,
}

/// Draws frames.
#[derive(Debug)]
pub struct Painter {
    gpu: Gpu,
    rect_pipeline: wgpu::RenderPipeline,
    fill_pipelines: [wgpu::RenderPipeline; 2],
    marker_pipeline: wgpu::RenderPipeline,
    flow_pipeline: wgpu::RenderPipeline,
    counter_pipeline: wgpu::RenderPipeline,
    link_pipeline: wgpu::RenderPipeline,
    strip_painter: StripPainter,
    globals: wgpu::Buffer,
    rows: wgpu::Buffer,
    bind_group: wgpu::BindGroup,
    rects: GrowingBuffer,
    markers: GrowingBuffer,
    flows: GrowingBuffer,
    counters: GrowingBuffer,
    links: GrowingBuffer,
    strips: Strips,
    steps: Vec<Step>,
    belt: StagingBelt,
    text: TextPainter,
}

/// How [`RectInstance`] is read by its shader.
pub const RECT_ATTRIBUTES: [wgpu::VertexAttribute; 4] =
    wgpu::vertex_attr_array![0 => Float32x4, 1 => Unorm8x4, 2 => Unorm8x4, 3 => Float32x2];
/// How it is read by the shader of plain ones.
pub const FILL_ATTRIBUTES: [wgpu::VertexAttribute; 2] = wgpu::vertex_attr_array![0 => Float32x4, 1 => Unorm8x4];
/// How [`LinkInstance`] is read by its shader.
pub const LINK_ATTRIBUTES: [wgpu::VertexAttribute; 4] =
    wgpu::vertex_attr_array![0 => Float32x4, 1 => Unorm8x4, 2 => Float32, 3 => Uint32];
/// Vertices of the strip of a [`LinkInstance`].
pub const LINK_VERTICES: u32 = 50;
/// Vertices of the strip of every other instance: a rectangle.
const QUAD_VERTICES: u32 = 4;

impl Painter {
    /// Pipelines for a target format, and fonts (TrueType bytes, the first is the default) for text.
    #[must_use]
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat, fonts: Vec<Vec<u8>>) -> Self {
        let device = &gpu.device;
        let uniform = |label, size: usize| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: size as u64,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        let globals = uniform("globals", size_of::<Globals>());
        let rows = uniform("rows", MAX_ROWS * size_of::<RowPlace>());
        let entry = |binding| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
            ty: wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Uniform,
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        };
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("frame"),
            entries: &[entry(0), entry(1)],
        });
        let bind_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("frame"),
            layout: &layout,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: globals.as_entire_binding() },
                wgpu::BindGroupEntry { binding: 1, resource: rows.as_entire_binding() },
            ],
        });
        let pipeline = |label, source, opaque, stride: usize, attributes: &[wgpu::VertexAttribute]| {
            pipeline(device, &[&layout], format, Look { label, source, opaque }, stride, attributes)
        };
        let fill =
            |opaque| pipeline("fills", shader!("fill.wgsl"), opaque, size_of::<RectInstance>(), &FILL_ATTRIBUTES);
        let words = |label, source, opaque| pipeline(label, source, opaque, size_of::<[u32; 4]>(), &MARKER_ATTRIBUTES);
        Self {
            rect_pipeline: pipeline("rects", shader!("rect.wgsl"), false, size_of::<RectInstance>(), &RECT_ATTRIBUTES),
            fill_pipelines: [fill(false), fill(true)],
            marker_pipeline: words("markers", shader!("marker.wgsl"), true),
            flow_pipeline: words("flows", shader!("flow.wgsl"), false),
            counter_pipeline: words("counters", shader!("counter.wgsl"), true),
            link_pipeline: pipeline("links", shader!("link.wgsl"), false, size_of::<LinkInstance>(), &LINK_ATTRIBUTES),
            strip_painter: StripPainter::new(device, &layout, format),
            text: TextPainter::new(gpu, format, fonts),
            belt: StagingBelt::new(gpu.device.clone(), STAGING_CHUNK),
            gpu: gpu.clone(),
            globals,
            rows,
            bind_group,
            rects: GrowingBuffer::new("rect instances"),
            markers: GrowingBuffer::new("marker instances"),
            flows: GrowingBuffer::new("flow instances"),
            counters: GrowingBuffer::new("counter instances"),
            links: GrowingBuffer::new("link instances"),
            strips: Strips::new(gpu.is_software()),
            steps: Vec::new(),
        }
    }

    /// Uploads what a frame needs; the copies become part of `encoder`.
    pub fn prepare(&mut self, frame: &Frame, encoder: &mut wgpu::CommandEncoder) {
        let queue = &self.gpu.queue;
        queue.write_buffer(&self.globals, 0, bytemuck::bytes_of(&Globals::of(frame)));
        if !frame.rows.is_empty() {
            let count = frame.rows.len().min(MAX_ROWS);
            queue.write_buffer(&self.rows, 0, bytemuck::cast_slice(&frame.rows[..count]));
        }
        self.rects.upload(&self.gpu, &mut self.belt, encoder, bytemuck::cast_slice(&frame.rects));
        self.plan(frame);
        self.markers.upload(&self.gpu, &mut self.belt, encoder, bytemuck::cast_slice(&self.strips.single));
        self.strip_painter.upload(&self.gpu, &mut self.belt, encoder, &self.strips);
        self.flows.upload(&self.gpu, &mut self.belt, encoder, bytemuck::cast_slice(&frame.flows));
        self.counters.upload(&self.gpu, &mut self.belt, encoder, bytemuck::cast_slice(&frame.counters));
        self.links.upload(&self.gpu, &mut self.belt, encoder, bytemuck::cast_slice(&frame.links));
        self.belt.finish();
        self.text.prepare(&self.gpu, frame);
    }

    /// Takes staging memory back; call after the commands of [`Painter::prepare`] were submitted.
    pub fn recall(&mut self) {
        self.belt.recall();
    }

    /// Finds the steps that draw a frame.
    fn plan(&mut self, frame: &Frame) {
        let Self { strips, steps, .. } = self;
        steps.clear();
        strips.begin(frame);
        let mut push = |clip: PixelRect, kind, range: Range<u32>| {
            if !range.is_empty() {
                steps.push(Step { clip, kind, range });
            }
        };
        for draw in &frame.draws {
            match draw {
                Draw::Rects { clip, range } => {
                    let mut start = range.start;
                    let rects = &frame.rects[range.start as usize..range.end as usize];
                    for run in rects.chunk_by(|a, b| kind_of(a) == kind_of(b)) {
                        let end = start + u32::try_from(run.len()).unwrap_or(u32::MAX);
                        push(*clip, run.first().map_or(Kind::Rects, kind_of), start..end);
                        start = end;
                    }
                }
                Draw::Markers { clip, range } => {
                    let (single, lines) = strips.add(frame, range);
                    push(*clip, Kind::Markers, single);
                    push(*clip, Kind::Strips, lines);
                }
                Draw::Flows { clip, range } => push(*clip, Kind::Flows, range.clone()),
                Draw::Counters { clip, range } => push(*clip, Kind::Counters, range.clone()),
                Draw::Links { clip, range } => push(*clip, Kind::Links, range.clone()),
            }
        }
    }

    /// Draws the frame prepared last into a pass over a target of the frame's size.
    pub fn draw(&self, frame: &Frame, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_bind_group(0, &self.bind_group, &[]);
        let mut current = None;
        for step in &self.steps {
            let fill = |opaque: bool| (&self.fill_pipelines[usize::from(opaque)], &self.rects.buffer);
            let (pipeline, buffer) = match step.kind {
                Kind::Rects => (&self.rect_pipeline, &self.rects.buffer),
                Kind::Fills { opaque } => fill(opaque),
                Kind::Markers => (&self.marker_pipeline, &self.markers.buffer),
                Kind::Strips => match self.strip_painter.parts() {
                    Some((pipeline, cells, buffer)) => {
                        pass.set_bind_group(1, cells, &[]);
                        (pipeline, buffer)
                    }
                    None => continue,
                },
                Kind::Flows => (&self.flow_pipeline, &self.flows.buffer),
                Kind::Counters => (&self.counter_pipeline, &self.counters.buffer),
                Kind::Links => (&self.link_pipeline, &self.links.buffer),
            };
            let vertices = if step.kind == Kind::Links { LINK_VERTICES } else { QUAD_VERTICES };
            if let Some(buffer) = buffer.as_ref().filter(|_| set_scissor(pass, frame, step.clip)) {
                if current.replace(step.kind) != Some(step.kind) {
                    pass.set_pipeline(pipeline);
                    pass.set_vertex_buffer(0, buffer.slice(..));
                }
                pass.draw(0..vertices, step.range.clone());
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

/// Limits drawing to a clip rectangle; `false` when nothing of it is on the canvas.
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
