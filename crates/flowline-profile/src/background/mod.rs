//! How work is divided among threads: chunks of parallel work, values built once, and reads that must not wait.

mod io_policy;
mod lazy;
mod parallel_chunks;

pub(crate) use io_policy::before_reading;
pub use io_policy::{may_block, may_take_long, no_blocking_io, with_random_access};
pub use lazy::{Lazy, get_or_build};
pub use parallel_chunks::{is_a_core_idle, largest_first, parallel_chunk_size};
