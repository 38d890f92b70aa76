//! Where a recording's work is: how long each thread was busy, the page that each process showed, and the tabs.

mod pages;
mod tab_marks;
mod tabs;
mod thread_work;
mod time_order;

pub use pages::ProcessPages;
pub use tabs::{Tab, Tabs};
pub use thread_work::ThreadWork;
pub use time_order::TimeOrder;
