//! Pipelines, built from primitive descriptions.

use flowline_scene::{AttributeFormat, Blending, PipelineSpec};

const fn vertex_format(format: AttributeFormat) -> wgpu::VertexFormat {
    match format {
        AttributeFormat::Float32 => wgpu::VertexFormat::Float32,
        AttributeFormat::Float32x2 => wgpu::VertexFormat::Float32x2,
        AttributeFormat::Float32x4 => wgpu::VertexFormat::Float32x4,
        AttributeFormat::Uint32 => wgpu::VertexFormat::Uint32,
        AttributeFormat::Uint32x4 => wgpu::VertexFormat::Uint32x4,
        AttributeFormat::Unorm8x4 => wgpu::VertexFormat::Unorm8x4,
    }
}

/// The vertex attributes of a pipeline.
#[must_use]
pub fn vertex_attributes(spec: &PipelineSpec) -> Vec<wgpu::VertexAttribute> {
    let attribute = |(location, attribute): (u32, &flowline_scene::Attribute)| wgpu::VertexAttribute {
        format: vertex_format(attribute.format),
        offset: attribute.offset as u64,
        shader_location: location,
    };
    (0..).zip(spec.attributes).map(attribute).collect()
}

/// Maximum number of threads that compile pipelines.
const MAX_THREADS: usize = 4;

/// Builds pipelines for a target format on several threads, because compiling them takes most of the start of the program.
pub(super) fn build_all(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    format: wgpu::TextureFormat,
    specs: &[&PipelineSpec],
) -> Vec<wgpu::RenderPipeline> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).clamp(1, MAX_THREADS);
    let build_part = &|part: &[&PipelineSpec]| -> Vec<wgpu::RenderPipeline> {
        part.iter().map(|spec| build(device, &[layout], format, spec)).collect()
    };
    let mut parts = specs.chunks(specs.len().div_ceil(threads).max(1));
    let Some(first) = parts.next() else { return Vec::new() };
    std::thread::scope(|scope| {
        let others: Vec<_> = parts.map(|part| (part, scope.spawn(move || build_part(part)))).collect();
        let mut built = build_part(first);
        for (part, thread) in others {
            // A panic would recur here with its message.
            built.extend(thread.join().unwrap_or_else(|_| build_part(part)));
        }
        built
    })
}

/// Builds a pipeline for a target format.
pub(super) fn build(
    device: &wgpu::Device,
    bind_groups: &[&wgpu::BindGroupLayout],
    format: wgpu::TextureFormat,
    spec: &PipelineSpec,
) -> wgpu::RenderPipeline {
    let label = Some(spec.label);
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label,
        source: wgpu::ShaderSource::Wgsl(spec.source.into()),
    });
    let bind_groups: Vec<_> = bind_groups.iter().map(|layout| Some(*layout)).collect();
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label,
        bind_group_layouts: &bind_groups,
        immediate_size: 0,
    });
    let blend = match spec.blending {
        Blending::Opaque => None,
        Blending::Alpha => Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
    };
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label,
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("vs_main"),
            buffers: &[Some(wgpu::VertexBufferLayout {
                array_stride: spec.stride as u64,
                step_mode: wgpu::VertexStepMode::Instance,
                attributes: &vertex_attributes(spec),
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
            targets: &[Some(wgpu::ColorTargetState { format, blend, write_mask: wgpu::ColorWrites::ALL })],
            compilation_options: wgpu::PipelineCompilationOptions::default(),
        }),
        multiview_mask: None,
        cache: None,
    })
}
