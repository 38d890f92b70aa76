//! Instance buffers.

use wgpu::util::StagingBelt;

use super::Gpu;

/// A vertex buffer that grows to fit the largest frame so far.
#[derive(Debug)]
pub(super) struct GrowingBuffer {
    label: &'static str,
    pub(super) buffer: Option<wgpu::Buffer>,
}

impl GrowingBuffer {
    pub(super) const fn new(label: &'static str) -> Self {
        Self { label, buffer: None }
    }

    /// Copies through a staging belt. Its chunks are mapped once and reused, so large frames allocate no new memory.
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
