//! Where a recording's work is: how long each thread was busy, and the page that each process showed.

mod pages;
mod thread_work;
mod time_order;

pub use pages::ProcessPages;
pub use thread_work::ThreadWork;
pub use time_order::TimeOrder;
