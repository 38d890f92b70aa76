//! The page of a trace of Chrome: its frames, its navigations, and the events that state them.

mod events;
mod frame_work;
mod navigation;
mod page_frames;
mod page_of_chrome;

pub(crate) use events::{Event, events};
pub use navigation::Navigation;
pub use page_frames::PageFrames;
pub use page_of_chrome::Page;
