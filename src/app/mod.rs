//! The application: window and event loop, the loading thread, the ordered passes of one frame, pictures without a
//! window.

mod beginning;
mod headless;
mod job;
mod load;
mod passes;
mod session;
mod user_files;
mod window;
mod workers;

pub use headless::{Headless, PictureOptions};
pub use load::{CacheUse, LoadReport, Loaded, Origin, load, open};
pub use passes::{FramePainter, FrameTimes};
pub use user_files::UserRules;
pub use window::{WindowOptions, run};
pub use workers::give_way_to_window;
