//! What all kinds of instances share: a buffer that grows, a pipeline.

use wgpu::util::StagingBelt;

use super::Gpu;

/// How [`crate::scene::MarkerInstance`], [`crate::scene::FlowInstance`], [`crate::scene::CounterInstance`] and strips are
/// read by their shaders.
pub const MARKER_ATTRIBUTES: [wgpu::VertexAttribute; 1] = wgpu::vertex_attr_array![0 => Uint32x4];

/// A buffer that grows to what the largest frame needed.
#[derive(Debug)]
pub(super) struct GrowingBuffer {
    label: &'static str,
    pub(super) buffer: Option<wgpu::Buffer>,
}

impl GrowingBuffer {
    pub(super) const fn new(label: &'static str) -> Self {
        Self { label, buffer: None }
    }

    /// Copies through a staging belt: its chunks are mapped once and reused, so that large frames touch no fresh memory.
    pub(super) fn upload(
        &mut self,
        gpu: &Gpu,
        belt: &mut StagingBelt,
        encoder: &mut wgpu::CommandEncoder,
        bytes: &[u8],
    ) {
        let needed = bytes.len() as u64;
        if self.buffer.as_ref().is_none_or(|buffer| buffer.size() < needed) {
            self.buffer = Some(gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(self.label),
                size: needed.next_power_of_two().max(1 << 16),
                usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }));
        }
        if let Some((buffer, size)) = self.buffer.as_ref().zip(wgpu::BufferSize::new(needed)) {
            belt.write_buffer(encoder, buffer, 0, size).copy_from_slice(bytes);
        }
    }
}

/// A shader with what all shaders share before it.
macro_rules! shader {
    ($file:literal) => {
        concat!(include_str!("../../shaders/common.wgsl"), include_str!(concat!("../../shaders/", $file)))
    };
}
pub(super) use shader;

/// What a pipeline draws.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub(super) label: &'static str,
    pub(super) source: &'static str,
    /// Whether nothing shines through: what was there before need not be read.
    pub(super) opaque: bool,
}

/// A pipeline whose instances have `stride` bytes.
pub(super) fn pipeline(
    device: &wgpu::Device,
    bind_groups: &[&wgpu::BindGroupLayout],
    format: wgpu::TextureFormat,
    look: Look,
    stride: usize,
    attributes: &[wgpu::VertexAttribute],
) -> wgpu::RenderPipeline {
    let label = Some(look.label);
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label,
        source: wgpu::ShaderSource::Wgsl(look.source.into()),
    });
    let bind_groups: Vec<_> = bind_groups.iter().map(|layout| Some(*layout)).collect();
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label,
        bind_group_layouts: &bind_groups,
        immediate_size: 0,
    });
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label,
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("vs_main"),
            buffers: &[Some(wgpu::VertexBufferLayout {
                array_stride: stride as u64,
                step_mode: wgpu::VertexStepMode::Instance,
                attributes,
            })],
            compilation_options: wgpu::PipelineCompilationOptions::default(),
        },
        primitive: wgpu::PrimitiveState {
            topology: wgpu::PrimitiveTopology::TriangleStrip,
            ..wgpu::PrimitiveState::default()
        },
        depth_stencil: None,
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some("fs_main"),
            targets: &[Some(wgpu::ColorTargetState {
                format,
                blend: (!look.opaque).then_some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
                write_mask: wgpu::ColorWrites::ALL,
            })],
            compilation_options: wgpu::PipelineCompilationOptions::default(),
        }),
        multiview_mask: None,
        cache: None,
    })
}
