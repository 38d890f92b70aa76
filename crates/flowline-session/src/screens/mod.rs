//! Screenshots as small pictures, decoded on the pool when they are shown.

mod cache;
mod decode;
mod picture;

pub use cache::{PREVIEW_WIDTH, Screens};
pub use picture::Picture;
