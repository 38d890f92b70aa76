//! Narrow markers of a full row as one line of a texture, a cell for each pixel column, instead of a rectangle each.
//!
//! Zoomed out, a row has up to two rectangles a pixel, and a recording a hundred times as large fills a hundred times as
//! many pixels with them until all are full. A rectangle costs a GPU its two triangles, and one that computes in software
//! much more than the pixels inside. A strip costs its pixels only, however many markers lie on it, and is a sixteenth of
//! the bytes to upload. So strips are made for adapters that compute in software. Columns are computed by the twin of the
//! shader's own arithmetic, so that the picture is the same.
//!
//! A row's markers stand together in a step of a frame, in drawing order: a wide marker that begins in a column which a
//! narrow one before it has lit empties that cell, because strips are drawn over wide markers.

use std::ops::Range;

use wgpu::util::StagingBelt;

use super::Gpu;
use super::buffers::{GrowingBuffer, Look, MARKER_ATTRIBUTES, pipeline, shader};
use crate::scene::{Frame, MarkerInstance, QuickColumns};

/// Rows with fewer markers than this in view are drawn as rectangles where the adapter is software; on a real GPU all are.
const LEAST: usize = 48;
/// Lines and columns a texture has at most; rows beyond are drawn as rectangles. Every device has textures this large.
const MOST: usize = 2048;
/// Cells a line is a multiple of: copies to textures begin at multiples of 256 bytes.
const ALIGNMENT: usize = 128;

/// Bits of a cell: the style's own twelve, three of emphasis, and whether a marker is there at all.
const CELL_STYLE: u32 = 0xfff;
const CELL_EMPHASIS_SHIFT: u32 = 12;
const CELL_EMPHASIS: u32 = 7;
const CELL_LIT: u32 = 1 << 15;

/// The same by name, for the test that compares them with the shader's.
pub const CELL_BITS: [(&str, u32); 4] = [
    ("CELL_STYLE", CELL_STYLE),
    ("CELL_EMPHASIS_SHIFT", CELL_EMPHASIS_SHIFT),
    ("CELL_EMPHASIS", CELL_EMPHASIS),
    ("CELL_LIT", CELL_LIT),
];

/// Row, line of the texture, first column and the one after the last.
type Strip = [u32; 4];

/// The markers of a frame, sorted into rectangles and strips.
#[derive(Debug, Default)]
pub(super) struct Strips {
    /// Drawn as rectangles.
    pub(super) single: Vec<MarkerInstance>,
    strips: Vec<Strip>,
    cells: Vec<u16>,
    /// Cells of a line.
    stride: usize,
    /// Rows with fewer markers than this are drawn as rectangles.
    least: usize,
}

impl Strips {
    /// For an adapter that computes in software, or a real one, which draws rectangles faster than strips are made.
    pub(super) fn new(is_software: bool) -> Self {
        Self { least: if is_software { LEAST } else { usize::MAX }, ..Self::default() }
    }

    /// Forgets the last frame.
    pub(super) fn begin(&mut self, frame: &Frame) {
        self.single.clear();
        self.strips.clear();
        self.cells.clear();
        self.stride = columns_of(frame).next_multiple_of(ALIGNMENT);
    }

    /// Sorts the markers of one step; returns its rectangles, which are to be drawn first, and its strips.
    pub(super) fn add(&mut self, frame: &Frame, range: &Range<u32>) -> (Range<u32>, Range<u32>) {
        let start = (self.single.len(), self.strips.len());
        let markers = &frame.markers[range.start as usize..range.end as usize];
        for row in markers.chunk_by(|a, b| a.row() == b.row()) {
            if row.len() < self.least || self.strips.len() >= MOST || self.stride > MOST {
                self.single.extend_from_slice(row);
            } else {
                self.add_row(frame, row);
            }
        }
        (count(start.0)..count(self.single.len()), count(start.1)..count(self.strips.len()))
    }

    fn add_row(&mut self, frame: &Frame, row: &[MarkerInstance]) {
        let width = columns_of(frame);
        // As the shader has it: wider ones have borders.
        #[expect(clippy::cast_possible_truncation, reason = "a few pixels")]
        let wide = 4 * frame.scale.round_ties_even().max(1.0) as i32;
        let begin = self.cells.len();
        self.cells.resize(begin + self.stride, 0);
        let cells = &mut self.cells[begin..begin + width];
        let clamp = |column: i32| usize::try_from(column).unwrap_or(0).min(width);
        let slowly = |packed| {
            let (first, end) = frame.axis.columns(packed);
            (clamp(first)..clamp(end), end - first >= wide)
        };
        let quick = QuickColumns::new(&frame.axis);
        let (mut low, mut high) = (width, 0);
        for marker in row {
            let packed = marker.packed();
            let (columns, is_wide) = match quick.of(packed) {
                Some((first, end)) => (first as usize..end as usize, end - first >= wide.unsigned_abs()),
                None => slowly(packed),
            };
            if is_wide {
                self.single.push(*marker);
                cells[columns].fill(0);
                continue;
            }
            if !columns.is_empty() {
                (low, high) = (low.min(columns.start), high.max(columns.end));
                cells[columns].fill(cell(*marker));
            }
        }
        if low < high {
            let slot = row.first().map_or(0, |marker| marker.row());
            self.strips.push([slot, begin / self.stride, low, high].map(count));
        } else {
            self.cells.truncate(begin);
        }
    }

    /// What is uploaded.
    fn lines(&self) -> usize {
        self.cells.len() / self.stride.max(1)
    }
}

#[expect(clippy::cast_possible_truncation, reason = "sixteen bits are left")]
const fn cell(marker: MarkerInstance) -> u16 {
    (marker.0[3] & CELL_STYLE | (marker.emphasis() & CELL_EMPHASIS) << CELL_EMPHASIS_SHIFT | CELL_LIT) as u16
}

/// Pixel columns of the axis.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a width on screen")]
fn columns_of(frame: &Frame) -> usize {
    frame.axis.width.max(0.0).ceil() as usize
}

fn count(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Draws strips.
#[derive(Debug)]
pub(super) struct StripPainter {
    layout: wgpu::BindGroupLayout,
    pipeline: wgpu::RenderPipeline,
    instances: GrowingBuffer,
    cells: Option<Cells>,
}

/// The texture, as large as the largest frame needed.
#[derive(Debug)]
struct Cells {
    texture: wgpu::Texture,
    bind_group: wgpu::BindGroup,
}

impl StripPainter {
    /// For a format, with the uniforms of a frame.
    pub(super) fn new(device: &wgpu::Device, frame: &wgpu::BindGroupLayout, format: wgpu::TextureFormat) -> Self {
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("strips"),
            entries: &[wgpu::BindGroupLayoutEntry {
                binding: 0,
                visibility: wgpu::ShaderStages::FRAGMENT,
                ty: wgpu::BindingType::Texture {
                    sample_type: wgpu::TextureSampleType::Uint,
                    view_dimension: wgpu::TextureViewDimension::D2,
                    multisampled: false,
                },
                count: None,
            }],
        });
        let look = Look { label: "strips", source: shader!("strip.wgsl"), opaque: true };
        let pipeline = pipeline(device, &[frame, &layout], format, look, size_of::<Strip>(), &MARKER_ATTRIBUTES);
        Self { layout, pipeline, instances: GrowingBuffer::new("strips"), cells: None }
    }

    /// Uploads the strips of a frame.
    pub(super) fn upload(
        &mut self,
        gpu: &Gpu,
        belt: &mut StagingBelt,
        encoder: &mut wgpu::CommandEncoder,
        strips: &Strips,
    ) {
        self.instances.upload(gpu, belt, encoder, bytemuck::cast_slice(&strips.strips));
        let bytes: &[u8] = bytemuck::cast_slice(&strips.cells);
        let (width, height) = (count(strips.stride), count(strips.lines()));
        let sizes = wgpu::BufferSize::new(bytes.len() as u64).zip(wgpu::BufferSize::new(256));
        let Some((size, alignment)) = sizes else { return };
        let fits = |cells: &Cells| cells.texture.width() >= width && cells.texture.height() >= height;
        if !self.cells.as_ref().is_some_and(fits) {
            self.cells = Some(self.texture(gpu, width, height));
        }
        let Some(cells) = &self.cells else { return };
        let slice = belt.allocate(size, alignment);
        // A piece of the belt is mapped until the frame is submitted.
        let Ok(mut mapped) = slice.get_mapped_range_mut() else { return };
        mapped.copy_from_slice(bytes);
        drop(mapped);
        let layout = wgpu::TexelCopyBufferLayout {
            offset: slice.offset(),
            bytes_per_row: Some(width * count(size_of::<u16>())),
            rows_per_image: None,
        };
        let source = wgpu::TexelCopyBufferInfo { buffer: slice.buffer(), layout };
        let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
        encoder.copy_buffer_to_texture(source, cells.texture.as_image_copy(), size);
    }

    fn texture(&self, gpu: &Gpu, width: u32, height: u32) -> Cells {
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("strips"),
            size: wgpu::Extent3d {
                width: width.next_power_of_two(),
                height: height.next_power_of_two().max(64),
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::R16Uint,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let bind_group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("strips"),
            layout: &self.layout,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(&view) }],
        });
        Cells { texture, bind_group }
    }

    /// What a pass needs to draw strips: the pipeline, the texture's bind group (number 1) and the instances.
    pub(super) fn parts(&self) -> Option<(&wgpu::RenderPipeline, &wgpu::BindGroup, &Option<wgpu::Buffer>)> {
        Some((&self.pipeline, &self.cells.as_ref()?.bind_group, &self.instances.buffer))
    }
}

#[cfg(test)]
mod tests;
