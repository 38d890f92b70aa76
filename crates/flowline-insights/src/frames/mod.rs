//! The frames of a page: shown, late, dropped, missed.

mod budget;
mod chrome;
mod firefox;
mod frame_counts;
mod list;
mod of_index;
mod page_frame;

pub use budget::ASSUMED_BUDGET;
pub use frame_counts::FrameCounts;
pub use list::Frames;
pub use page_frame::{FrameState, MissedReason, PageFrame};
