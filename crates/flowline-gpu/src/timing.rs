//! GPU times of render passes, if the driver supports timestamps.

use super::{Gpu, GpuError};

/// A pair of timestamps around a render pass.
#[derive(Debug)]
pub struct GpuTimer {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    readable: wgpu::Buffer,
    ns_per_tick: f32,
}

const BYTES: u64 = 16;

impl GpuTimer {
    /// Creates a timer; `None` if the driver does not support timestamps.
    #[must_use]
    pub fn new(gpu: &Gpu) -> Option<Self> {
        if !gpu.device.features().contains(wgpu::Features::TIMESTAMP_QUERY) {
            return None;
        }
        let buffer = |label, usage| {
            gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: BYTES,
                usage,
                mapped_at_creation: false,
            })
        };
        Some(Self {
            queries: gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("frame time"),
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            }),
            resolved: buffer("timestamps", wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC),
            readable: buffer("timestamps, readable", wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST),
            ns_per_tick: gpu.queue.get_timestamp_period(),
        })
    }

    /// Timestamp writes at the beginning and the end of a pass.
    #[must_use]
    pub const fn writes(&self) -> wgpu::RenderPassTimestampWrites<'_> {
        wgpu::RenderPassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(0),
            end_of_pass_write_index: Some(1),
        }
    }

    /// Adds the commands that copy the timestamps.
    pub fn resolve(&self, encoder: &mut wgpu::CommandEncoder) {
        encoder.resolve_query_set(&self.queries, 0..2, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.readable, 0, BYTES);
    }

    /// Milliseconds between the two timestamps; blocks until the device is done.
    ///
    /// # Errors
    /// When the device was lost.
    pub fn read_ms(&self, gpu: &Gpu) -> Result<f64, GpuError> {
        let slice = self.readable.slice(..);
        slice.map_async(wgpu::MapMode::Read, |_| {});
        let failed = |error: &dyn std::fmt::Display| GpuError::Readback(error.to_string());
        gpu.device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| failed(&error))?;
        let stamps: Vec<u64> = {
            let mapped = slice.get_mapped_range().map_err(|error| failed(&error))?;
            mapped.chunks_exact(8).map(|bytes| u64::from_le_bytes(bytes.try_into().unwrap_or_default())).collect()
        };
        self.readable.unmap();
        let ticks = match stamps[..] {
            [begin, end] => end.saturating_sub(begin),
            _ => 0,
        };
        #[expect(clippy::cast_precision_loss, reason = "a frame's time")]
        let ms = ticks as f64 * f64::from(self.ns_per_tick) / 1e6;
        Ok(ms)
    }
}
