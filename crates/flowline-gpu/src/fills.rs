//! Solid fill pass: opaque rectangles over all frames of a target, such as panel backgrounds.

use wgpu::util::StagingBelt;

use super::Gpu;
use super::buffers::GrowingBuffer;
use flowline_scene::{PipelineSpec, RectInstance};

/// The rectangles on the device.
#[derive(Debug)]
pub(super) struct SolidFills {
    instances: GrowingBuffer,
    count: u32,
}

impl SolidFills {
    pub(super) const fn new() -> Self {
        Self { instances: GrowingBuffer::new("backgrounds"), count: 0 }
    }

    /// Uploads the rectangles of a frame. The copy commands are added to `encoder`.
    pub(super) fn upload(
        &mut self,
        fills: &[RectInstance],
        gpu: &Gpu,
        belt: &mut StagingBelt,
        encoder: &mut wgpu::CommandEncoder,
    ) {
        self.instances.upload(gpu, belt, encoder, bytemuck::cast_slice(fills));
        self.count = u32::try_from(fills.len()).unwrap_or(u32::MAX);
    }

    /// Draws the rectangles with the current pipeline and uniforms.
    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        if let Some(buffer) = self.instances.buffer.as_ref().filter(|_| self.count > 0) {
            pass.set_vertex_buffer(0, buffer.slice(..));
            pass.draw(0..PipelineSpec::QUAD, 0..self.count);
        }
    }
}
