//! Draws a [`crate::scene::Frame`], to a window's surface or to a texture that is read back. Knows nothing but frames.
//!
//! Per frame: one upload of instances and one render pass, text last. GPU memory is a few growing buffers bounded by
//! what fits a screen, plus the glyph atlas. All colours are blended in gamma space, as egui does.

mod buffers;
mod context;
mod painter;
mod strips;
mod target;
mod text;
mod timing;

pub use buffers::MARKER_ATTRIBUTES;
pub use context::{Gpu, GpuError};
pub use painter::{FILL_ATTRIBUTES, Globals, LINK_ATTRIBUTES, LINK_VERTICES, Painter, RECT_ATTRIBUTES, hatch_period};
pub use strips::CELL_BITS;
pub use target::{Picture, Target};
pub use timing::GpuTimer;

/// The format everything is drawn in off screen, and preferred on screen.
pub const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
