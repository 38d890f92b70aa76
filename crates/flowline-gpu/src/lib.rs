//! Draws a [`flowline_scene::Frame`] to a window's surface, or to a texture for readback. Depends only on frames.
//!
//! Frames of several recordings can share one target. A frame takes one upload of instances and one render pass, with
//! text last. GPU memory consists of the glyph atlas and a few growing buffers, whose size is bounded by the contents
//! of one screen. Colors are blended in gamma space, as in egui.

mod buffers;
mod context;
mod fills;
mod format;
mod frame_buffers;
mod globals;
mod painter;
mod pipelines;
mod row_textures;
mod target;
mod text;
mod timing;
mod uniforms;

pub use context::{Gpu, GpuError};
pub use format::FORMAT;
pub use globals::{Globals, hatch_period};
pub use painter::{Painter, pipeline_specs};
pub use pipelines::vertex_attributes;
pub use row_textures::CELL_BITS;
pub use target::{RenderedImage, Target};
pub use timing::GpuTimer;
