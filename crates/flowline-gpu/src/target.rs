//! Off-screen targets and image readback.

use std::sync::atomic::{AtomicU64, Ordering};

use super::{FORMAT, Gpu, GpuError};

/// An image in memory: 8-bit sRGB with alpha, top row first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderedImage {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// `width * height` pixels of 4 bytes.
    pub rgba: Vec<u8>,
}

impl RenderedImage {
    /// Red, green, blue and alpha of a pixel; transparent outside the image.
    #[must_use]
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 4] {
        if x >= self.width || y >= self.height {
            return [0; 4];
        }
        let at = (y as usize * self.width as usize + x as usize) * 4;
        self.rgba.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).unwrap_or_default()
    }
}

/// A texture to draw into. Its contents persist between passes.
#[derive(Debug)]
pub struct Target {
    texture: wgpu::Texture,
    /// Unique id: ids are never reused.
    pub id: u64,
    /// The view to draw into.
    pub view: wgpu::TextureView,
    size: [u32; 2],
    /// True for BGRA byte order.
    is_bgra: bool,
}

impl Target {
    /// Creates a target; `size` is in device pixels.
    #[must_use]
    pub fn new(gpu: &Gpu, size: [u32; 2]) -> Self {
        Self::with_format(gpu, size, FORMAT)
    }

    /// Creates a target in another format with four bytes per pixel, such as that of a window.
    #[must_use]
    pub fn with_format(gpu: &Gpu, size: [u32; 2], format: wgpu::TextureFormat) -> Self {
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("off-screen target"),
            size: extent(size),
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        let is_bgra = format.remove_srgb_suffix() == wgpu::TextureFormat::Bgra8Unorm;
        Self { texture, id, view, size, is_bgra }
    }

    /// Its width and height in device pixels.
    #[must_use]
    pub const fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Copies the image to a texture of the same size and format.
    pub fn copy_to(&self, texture: &wgpu::Texture, encoder: &mut wgpu::CommandEncoder) {
        encoder.copy_texture_to_texture(self.texture.as_image_copy(), texture.as_image_copy(), extent(self.size));
    }

    /// Copies the image to memory; blocks until the device is done.
    ///
    /// # Errors
    /// When the device was lost or has failed, before or during the call.
    pub fn read(&self, gpu: &Gpu) -> Result<RenderedImage, GpuError> {
        let [width, height] = self.size;
        let row = width * 4;
        let padded = row.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("readback"),
            size: u64::from(padded) * u64::from(height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_texture_to_buffer(
            self.texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(padded),
                    rows_per_image: Some(height),
                },
            },
            extent(self.size),
        );
        gpu.queue.submit([encoder.finish()]);
        let (sender, receiver) = std::sync::mpsc::channel();
        buffer.slice(..).map_async(wgpu::MapMode::Read, move |result| {
            let _receiver_waits = sender.send(result);
        });
        let failed = |error: &dyn std::fmt::Display| GpuError::Readback(error.to_string());
        let waited = gpu.device.poll(wgpu::PollType::wait_indefinitely());
        if let Some(failure) = gpu.failure() {
            return Err(failure);
        }
        waited.map_err(|error| failed(&error))?;
        receiver.recv().map_err(|error| failed(&error))?.map_err(|error| failed(&error))?;
        let mapped = buffer.slice(..).get_mapped_range().map_err(|error| failed(&error))?;
        let mut rgba: Vec<u8> =
            mapped.chunks(padded as usize).flat_map(|line| &line[..row as usize]).copied().collect();
        if self.is_bgra {
            rgba.chunks_exact_mut(4).for_each(|pixel| pixel.swap(0, 2));
        }
        Ok(RenderedImage { width, height, rgba })
    }
}

fn extent([width, height]: [u32; 2]) -> wgpu::Extent3d {
    wgpu::Extent3d { width, height, depth_or_array_layers: 1 }
}
