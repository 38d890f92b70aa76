//! How a page loaded: milestones, screenshots. Each is read from the markers named in its file, once, on the
//! pool. An event that is missing makes a value unknown; nothing is guessed.

mod chrome;
mod firefox;
mod inputs;
mod main_load;
mod marks;
mod milestone;
mod milestones;
mod screenshots;

pub use main_load::MainLoad;
pub use milestone::{Milestone, MilestoneKind, PageId, Rating};
pub use milestones::Milestones;
pub(crate) use milestones::tab_of;
pub use screenshots::{Screenshot, Screenshots};
