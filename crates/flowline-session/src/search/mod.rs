//! The search, and names to search for.

mod category_counts;
mod kind_sums;
mod resource_names;
mod search_task;

pub use category_counts::CategoryCounts;
pub use kind_sums::KindSums;
pub use resource_names::{ResourceNames, Resources, Suggestions};
pub use search_task::SearchTask;
