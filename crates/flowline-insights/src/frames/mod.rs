//! The frames of a page: shown, late, dropped, missed.

mod budget;
mod chrome;
mod firefox;
mod list;
mod page_frame;

pub use budget::ASSUMED_BUDGET;
pub use list::{FrameCounts, Frames};
pub use page_frame::{FrameState, MissedReason, PageFrame};
