//! The uniform buffers of a frame: globals and row positions.

use super::Gpu;
use super::globals::Globals;
use flowline_scene::{Frame, MAX_ROWS, RowBounds};

/// Bind group 0 of every pipeline.
#[derive(Debug)]
pub(super) struct FrameUniforms {
    globals: wgpu::Buffer,
    rows: wgpu::Buffer,
    pub(super) bind_group: wgpu::BindGroup,
}

impl FrameUniforms {
    /// The layout of the bind group.
    pub(super) fn layout(device: &wgpu::Device) -> wgpu::BindGroupLayout {
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
        device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("frame"),
            entries: &[entry(0), entry(1)],
        })
    }

    pub(super) fn new(device: &wgpu::Device, layout: &wgpu::BindGroupLayout) -> Self {
        let uniform = |label, size: usize| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: size as u64,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        let globals = uniform("globals", size_of::<Globals>());
        let rows = uniform("rows", MAX_ROWS * size_of::<RowBounds>());
        let bind_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("frame"),
            layout,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: globals.as_entire_binding() },
                wgpu::BindGroupEntry { binding: 1, resource: rows.as_entire_binding() },
            ],
        });
        Self { globals, rows, bind_group }
    }

    pub(super) fn upload(&self, gpu: &Gpu, frame: &Frame) {
        gpu.queue.write_buffer(&self.globals, 0, bytemuck::bytes_of(&Globals::from_frame(frame)));
        if !frame.rows.is_empty() {
            let count = frame.rows.len().min(MAX_ROWS);
            gpu.queue.write_buffer(&self.rows, 0, bytemuck::cast_slice(&frame.rows[..count]));
        }
    }
}
