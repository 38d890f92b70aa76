//! Shared code of the formats with samples but no markers: `speedscope`, `collapsed`, `perf_script`.
//!
//! Some of them have no times. A sample then begins where the preceding weights end, so that charts have an axis. Weights
//! in a time unit are durations. Other weights are amounts: the axis counts them, and a unit takes 1 µs of it
//! (`WeightClock`, `Sampled::set_axis_of_weights`).
//!
//! Chunks of a text are read in parallel. Each chunk numbers its own names and stacks (`Names`, `ChunkStacks`). The
//! chunks are then joined in text order, so the result does not depend on the chunk boundaries.

mod chunk;
mod recording;
mod text;
mod weights;

pub(super) use chunk::{ChunkStacks, Names, global};
pub(super) use recording::{MAX_THREADS, Sampled, SampledThread, category};
pub(super) use text::{chunks, lines, number, warn_json, whole_lines};
pub(super) use weights::{WeightClock, time_unit};
