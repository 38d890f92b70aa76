//! Row textures (column strips): the narrow markers of a dense row as one line of a texture with one cell per pixel
//! column.
//!
//! A zoomed-out row has up to two rectangles per pixel. A GPU draws them quickly, but for a software renderer a
//! rectangle costs much more than the pixels inside it. The cost of a strip depends only on its pixels, not on its
//! number of markers, and a strip needs a sixteenth of the bytes to upload. Software adapters therefore draw strips.
//! The columns are computed with the same arithmetic as in the shader, so the image is identical.
//!
//! The markers of a row are consecutive in a batch and in draw order. Strips are drawn over the bordered markers of
//! their batch, so a bordered marker clears the cells that were lit by narrow markers before it.

use std::ops::Range;

use wgpu::util::StagingBelt;

use super::buffers::GrowingBuffer;
use super::{Gpu, pipelines};
use flowline_scene::primitives::shader;
use flowline_scene::{Attribute, Blending, FixedPointColumns, Frame, MarkerInstance, PipelineSpec, min_bordered_width};

/// A software adapter draws rows with fewer markers as rectangles.
const MIN_MARKERS: usize = 48;
/// Maximum number of lines and columns of the texture, which every device supports. Further rows are drawn as
/// rectangles.
const MAX_SIDE: usize = 2048;
/// The number of cells per line is a multiple of this, because copies to textures require rows of 256 bytes.
const ALIGNMENT: usize = 128;

/// Bits of a cell: twelve bits of style, three of emphasis, and one that is set if the column contains a marker.
const CELL_STYLE: u32 = 0xfff;
const CELL_EMPHASIS_SHIFT: u32 = 12;
const CELL_EMPHASIS: u32 = 7;
const CELL_LIT: u32 = 1 << 15;

/// The bits by name, for the test that compares them with the shader.
pub const CELL_BITS: [(&str, u32); 4] = [
    ("CELL_STYLE", CELL_STYLE),
    ("CELL_EMPHASIS_SHIFT", CELL_EMPHASIS_SHIFT),
    ("CELL_EMPHASIS", CELL_EMPHASIS),
    ("CELL_LIT", CELL_LIT),
];

/// Track row, line of the texture, first column, one past the last column.
type Strip = [u32; 4];

/// Pipeline description for strips.
pub(super) const STRIP_PIPELINE: PipelineSpec = {
    let (file, source) = shader!("strip.wgsl");
    PipelineSpec {
        label: "column strips",
        file,
        source,
        blending: Blending::Opaque,
        vertices: PipelineSpec::QUAD,
        stride: size_of::<Strip>(),
        attributes: &Attribute::FOUR_WORDS,
    }
};

/// The markers of a frame, split into rectangles and strips.
#[derive(Debug, Default)]
pub(super) struct RowTextures {
    rectangles: Vec<MarkerInstance>,
    strips: Vec<Strip>,
    cells: Vec<u16>,
    /// Number of cells per line.
    stride: usize,
    /// Rows with fewer markers are drawn as rectangles.
    min_markers: usize,
}

impl RowTextures {
    /// Software adapters draw dense rows as strips. A GPU draws the rectangles faster than the CPU builds strips.
    pub(super) fn for_adapter(gpu: &Gpu) -> Self {
        Self::new(if gpu.is_software() { MIN_MARKERS } else { usize::MAX })
    }

    fn new(min_markers: usize) -> Self {
        Self { min_markers, ..Self::default() }
    }

    /// Markers that are drawn as rectangles.
    pub(super) fn rectangles(&self) -> &[MarkerInstance] {
        &self.rectangles
    }

    /// Starts a frame.
    pub(super) fn begin(&mut self, frame: &Frame) {
        self.rectangles.clear();
        self.strips.clear();
        self.cells.clear();
        self.stride = columns_of(frame).next_multiple_of(ALIGNMENT);
    }

    /// Splits the markers of a batch. Returns its rectangles, which must be drawn first, and its strips.
    pub(super) fn add(&mut self, frame: &Frame, range: &Range<u32>) -> (Range<u32>, Range<u32>) {
        let start = (self.rectangles.len(), self.strips.len());
        let markers = &frame.instances.markers[range.start as usize..range.end as usize];
        for row in markers.chunk_by(|a, b| a.row() == b.row()) {
            if row.len() < self.min_markers || self.strips.len() >= MAX_SIDE || self.stride > MAX_SIDE {
                self.rectangles.extend_from_slice(row);
            } else {
                self.add_row(frame, row);
            }
        }
        (count(start.0)..count(self.rectangles.len()), count(start.1)..count(self.strips.len()))
    }

    fn add_row(&mut self, frame: &Frame, row: &[MarkerInstance]) {
        let width = columns_of(frame);
        #[expect(clippy::cast_possible_truncation, reason = "a few pixels")]
        let min_bordered = min_bordered_width(frame.scale) as i32;
        let begin = self.cells.len();
        self.cells.resize(begin + self.stride, 0);
        let cells = &mut self.cells[begin..begin + width];
        let clamp = |column: i32| usize::try_from(column).unwrap_or(0).min(width);
        let exact = |packed| {
            let (first, end) = frame.axis.columns(packed);
            (clamp(first)..clamp(end), end - first >= min_bordered)
        };
        let quick = FixedPointColumns::new(&frame.axis);
        let (mut low, mut high) = (width, 0);
        for marker in row {
            let packed = marker.packed();
            let (columns, is_bordered) = match quick.columns(packed) {
                // Most markers of a dense row are one column wide.
                Some((first, end)) if end - first == 1 && min_bordered > 1 => {
                    let first = first as usize;
                    if let Some(slot) = cells.get_mut(first) {
                        *slot = cell(*marker);
                        (low, high) = (low.min(first), high.max(first + 1));
                    }
                    continue;
                }
                Some((first, end)) => (first as usize..end as usize, end - first >= min_bordered.unsigned_abs()),
                None => exact(packed),
            };
            if is_bordered {
                self.rectangles.push(*marker);
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

    /// Number of lines of the texture.
    fn lines(&self) -> usize {
        self.cells.len() / self.stride.max(1)
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the value has sixteen bits")]
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

/// The strip pipeline on a device.
#[derive(Debug)]
pub(super) struct RowTexturePipeline {
    layout: wgpu::BindGroupLayout,
    pub(super) pipeline: wgpu::RenderPipeline,
}

/// The strips of a frame on the device.
#[derive(Debug)]
pub(super) struct RowTextureBuffers {
    instances: GrowingBuffer,
    cells: Option<Cells>,
}

/// Bind group and instances for drawing strips.
pub(super) struct StripParts<'a> {
    /// Bind group 1.
    pub(super) cells: &'a wgpu::BindGroup,
    pub(super) instances: &'a Option<wgpu::Buffer>,
}

/// The texture, as large as the largest frame so far.
#[derive(Debug)]
struct Cells {
    texture: wgpu::Texture,
    bind_group: wgpu::BindGroup,
}

impl RowTexturePipeline {
    /// Creates the pipeline for a target format; `frame` is the layout of bind group 0.
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
        let pipeline = pipelines::build(device, &[frame, &layout], format, &STRIP_PIPELINE);
        Self { layout, pipeline }
    }
}

impl RowTextureBuffers {
    pub(super) const fn new() -> Self {
        Self { instances: GrowingBuffer::new("strips"), cells: None }
    }

    /// Uploads the strips of a frame.
    pub(super) fn upload(
        &mut self,
        gpu: &Gpu,
        pipeline: &RowTexturePipeline,
        belt: &mut StagingBelt,
        encoder: &mut wgpu::CommandEncoder,
        strips: &RowTextures,
    ) {
        self.instances.upload(gpu, belt, encoder, bytemuck::cast_slice(&strips.strips));
        let bytes: &[u8] = bytemuck::cast_slice(&strips.cells);
        let (width, height) = (count(strips.stride), count(strips.lines()));
        let sizes = wgpu::BufferSize::new(bytes.len() as u64).zip(wgpu::BufferSize::new(256));
        let Some((size, alignment)) = sizes else { return };
        let fits = |cells: &Cells| cells.texture.width() >= width && cells.texture.height() >= height;
        if !self.cells.as_ref().is_some_and(fits) {
            self.cells = Some(pipeline.texture(gpu, width, height));
        }
        let Some(cells) = &self.cells else { return };
        let slice = belt.allocate(size, alignment);
        // The belt's memory stays mapped until the frame is submitted.
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

    /// Returns the bind group and instances for drawing strips; `None` before the first strip.
    pub(super) fn parts(&self) -> Option<StripParts<'_>> {
        let cells = &self.cells.as_ref()?.bind_group;
        Some(StripParts { cells, instances: &self.instances.buffer })
    }
}

impl RowTexturePipeline {
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
}

#[cfg(test)]
mod tests;
