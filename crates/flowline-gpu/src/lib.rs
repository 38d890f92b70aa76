//! Draws a [`flowline_scene::Frame`] to a window's surface, or to a texture that is read back. Knows nothing but frames.
//!
//! Frames of several recordings can be drawn into one target. A frame takes one upload of instances and one render pass, with
//! text last. GPU memory consists of a few growing buffers
//! bounded by what fits a screen, and of the glyph atlas. Colours are blended in gamma space, as egui does.

mod buffers;
mod column_strips;
mod context;
mod fills;
mod frame_buffers;
mod globals;
mod painter;
mod pipelines;
mod target;
mod text;
mod timing;
mod uniforms;

pub use column_strips::CELL_BITS;
pub use context::{Gpu, GpuError};
pub use globals::{Globals, hatch_period};
pub use painter::{Painter, pipeline_specs};
pub use pipelines::vertex_attributes;
pub use target::{Picture, Target};
pub use timing::GpuTimer;

/// The format of off-screen targets, and the preferred one on screen.
pub const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
