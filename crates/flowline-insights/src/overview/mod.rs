//! The lanes of the overview: long tasks, CPU use by kind of work, network. They are divided into [`BINS`] columns, so
//! that drawing them costs the same for every recording.

mod columns;
mod cpu_lane;
mod gpu_use;
mod lanes;
mod late_frames;
mod network_lane;
mod responsiveness;
mod slice_time;

pub use columns::{BINS, KINDS, bin_start};
pub use cpu_lane::CpuLane;
pub use gpu_use::GpuUse;
pub use lanes::OverviewLanes;
pub use late_frames::LateFrames;
pub use network_lane::{LEVELS, NetworkLane};
pub use responsiveness::Responsiveness;
