//! The scope: the active filters, the search, and counts of what they leave.

mod scope;
mod scope_key;
mod scope_overview;
mod scope_rows;
mod search_view;
mod track_counts;

pub use scope::Scope;
pub(crate) use scope::count_overlapping;
pub use scope_key::{ScopeActivity, ScopeCounts, ScopeKey};
pub use scope_rows::ThreadPart;
pub(crate) use scope_rows::TrackMarkers;
pub use search_view::SearchView;
pub use track_counts::{TrackCounts, TrackPart};
