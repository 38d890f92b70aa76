//! The frames of a page: shown, late, dropped, missed.

mod budget;
mod busy_thread;
mod chrome;
mod firefox;
mod frame_cause;
mod frame_counts;
mod list;
mod of_index;
mod page_frame;

pub use budget::ASSUMED_BUDGET;
pub(crate) use busy_thread::BusyThread;
pub use frame_cause::{FrameCause, FramePart, FrameThreads};
pub use frame_counts::FrameCounts;
pub use list::Frames;
pub use page_frame::{FrameState, MissedReason, PageFrame};
