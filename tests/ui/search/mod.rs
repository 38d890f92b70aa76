//! The search, and the other filters.

mod active_filters;
mod search_box;
