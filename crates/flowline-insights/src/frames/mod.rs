//! The frames of a page: shown, late, dropped, missed.

mod list;
mod page_frame;

pub use list::{ASSUMED_BUDGET, Frames};
pub use page_frame::{FrameState, MissedReason, PageFrame};
