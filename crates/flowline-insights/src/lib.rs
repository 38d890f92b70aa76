//! How a page performed: milestones, interactions, frames, layout shifts, and insights that name what was slow; the lanes
//! of the overview.
//!
//! Everything is read from the markers and requests of an [`Index`](flowline_index::Index) once, on the pool, and refers to
//! markers by number. An event that is missing makes a value unknown; nothing is guessed. A damaged value drops what it
//! belongs to and is counted.

mod browser_pages;
mod dropped;
pub mod first_part;
pub mod flags;
pub mod frames;
mod function_name;
pub mod harm;
pub mod insights;
pub mod interactions;
mod intervals;
pub mod jank;
pub mod layout_shifts;
mod markers_by_name;
pub mod overview;
pub mod page;
pub mod page_load;
mod page_script;
mod page_work;
mod read_limit;
pub mod report;
mod requests;
mod thread_markers;
pub mod timings;
mod training_steps;
pub mod warnings;

pub use dropped::Dropped;
