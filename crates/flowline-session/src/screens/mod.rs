//! Screenshots as small pictures, decoded on the pool when they are shown, and the outlines on those around a layout shift.

mod cache;
mod decode;
mod picture;
mod shift_preview;

pub use cache::{PREVIEW_WIDTH, Screens};
pub use picture::Picture;
pub use shift_preview::{ShiftOutline, ShiftPreview, ShiftSide};
