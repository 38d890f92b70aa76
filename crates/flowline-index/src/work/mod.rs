//! Where a recording's work is: the time of each thread, its rank, the page that each process showed, and the tabs.

mod cpu_time;
mod pages;
mod process_time;
mod tab_marks;
mod tabs;
mod thread_time;
mod thread_times;
mod time_order;
mod work_rank;
mod work_slices;

pub use cpu_time::{CpuTime, cpu_time_of_table};
pub use pages::ProcessPages;
pub use process_time::{Measure, ProcessTime};
pub use tabs::{Tab, Tabs};
pub use thread_time::{ThreadTime, TimedKind, sampled_busy};
pub use thread_times::{ThreadTimes, gpu_busy};
pub use time_order::{ACTUAL_FRAMES, RENDER_THREAD, TimeOrder};
pub use work_rank::WorkRank;
pub use work_slices::WorkSlices;
pub(crate) use work_slices::is_state_track;
