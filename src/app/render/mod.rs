//! Drawing: the passes of a frame, in a window or off screen, and what software renderers need to draw only changes.

mod canvas_painter;
mod damage_tracking;
mod headless;
mod mesh_cache;
mod passes;
mod pixels;
mod render_options;
mod solid_fills;
mod svg_picture;
mod unpainted;

pub use headless::Headless;
pub use passes::{FramePainter, FrameTimes};
pub(super) use passes::{FrameTarget, WidgetPass, run_widgets};
pub use render_options::RenderOptions;
pub use svg_picture::svg_picture;
pub use unpainted::Unpainted;
