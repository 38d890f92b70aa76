//! Samples over time: stack charts, CPU use, and costs in slices of time.

mod busy_cursor;
pub mod calls;
mod cost_over_time;
mod cover;
pub mod cpu;
mod cpu_track;
mod folded_calls;
mod matching_calls;
mod merged_rows;
mod stack_chart;
mod stack_charts;
mod steps;

pub use busy_cursor::BusyCursor;
pub use cost_over_time::{OutermostCalls, PARTS, Parts, Spread};
pub(crate) use cover::Covers;
pub use cpu_track::{CpuTrack, CpuTracks, CpuUseAt};
pub use folded_calls::folded_frames;
pub use matching_calls::MatchingCalls;
pub use merged_rows::MergedRows;
pub use stack_chart::{CallRows, RowCalls, StackChart};
pub use stack_charts::Charts;
pub(crate) use stack_charts::StackCharts;
pub use steps::Shares;
