//! The scope: the active filters, the search, and counts of what they leave.

mod scope;
mod scope_rows;
mod search_view;
mod track_counts;

pub(crate) use scope::count_overlapping;
pub use scope::{Scope, ScopeActivity, ScopeCounts, ScopeKey};
pub use scope_rows::ThreadPart;
pub use search_view::SearchView;
pub use track_counts::{TrackCounts, TrackPart};
