//! Counter tracks: the steps of stacked series, and the minimum and maximum height of any range of steps.
//!
//! Negative values are stacked below zero and other values above it, so a band has two edges. A height takes 4 bytes,
//! as a fraction of the maximum height. A step takes 8 bytes for its time and 4 to 5 bytes per band, or twice that with
//! negative values. There are at most [`MAX_BANDS`] bands, so the size of a track is proportional to its samples.
//! Values shown as text are read from the recording.

mod extents;
mod stack;
#[cfg(test)]
mod tests;
mod ticks;
mod track;

pub use extents::Extent;
pub(crate) use extents::ExtentTree;
pub use stack::MAX_BANDS;
pub use ticks::TickTree;
pub use track::{BandExtent, CounterTrack, Counters};
