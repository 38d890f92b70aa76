//! Frames as SVG: the same primitives in the same order, as shapes of a drawing; text stays text.
//!
//! A picture is bounded by what can be seen, not by the recording. Markers too narrow for a border are merged to runs of
//! pixel columns, as the GPU's column strips are: a row is at most one run for each column, all runs of a colour one path.
//! A run takes at most [`RUN_BYTES`] bytes, so rows of markers take less than `rows * columns * RUN_BYTES`.
//! Everything else is a shape for each instance of the frame, which the frame bounds itself.
//!
//! Colours are those of the theme, mixed as the shaders mix them. Lengths are device pixels. All text is escaped; characters
//! that XML forbids become U+FFFD. A line of text says how wide it was when it was laid out, so it fits its place in any font.

mod colors;
mod document;
mod flows;
mod frame;
mod markers;

pub use document::{ClipId, Paint, SvgWriter, TextLine};
pub use frame::write_frame;

/// Most bytes of a run of pixel columns.
pub const RUN_BYTES: usize = 48;
