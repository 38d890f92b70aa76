//! Frames as SVG: the same primitives in the same order, as shapes of a drawing; text stays text.
//!
//! The size of a drawing is bounded by the screen, not by the recording. Markers too narrow for a border are merged
//! into runs of pixel columns, like the GPU's row textures: a row has at most one run per column, and all runs of a
//! color form one path. A run takes at most [`RUN_BYTES`] bytes, so rows of markers take less than
//! `rows * columns * RUN_BYTES`. All other primitives become one shape per instance, and the frame bounds their number.
//!
//! Colors are those of the theme, mixed as in the shaders. Lengths are device pixels. All text is escaped; characters
//! that XML forbids become U+FFFD. Each line of text records its laid-out width, so that it fits its position in any
//! font.

mod colors;
mod document;
mod flows;
mod frame;
mod markers;
mod marks;

pub use document::{ClipId, Paint, SvgWriter, TextLine};
pub use frame::write_frame;
pub use markers::RUN_BYTES;
