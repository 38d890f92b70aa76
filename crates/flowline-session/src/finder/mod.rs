//! Go to by name: threads, processes, marker names and flow labels. The names are collected on the pool at the first
//! request; after that, each change of the typed text is answered immediately.

mod called_functions;
mod candidates;
mod fuzzy;
mod search;

pub use candidates::{Candidates, Destination, MAX_NAMED_FLOWS};
pub use fuzzy::{FuzzyQuery, letters};
pub use search::{FinderNames, FinderResults, FinderSearch, MAX_RESULTS};
