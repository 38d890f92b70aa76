//! Query tracks: tracks whose entries are the rows of a query. The rows come from a query engine while the recording is
//! open, so the index has a place for them that can change, unlike everything else in it.

mod entry;
mod of_index;
mod rows;
mod shown;

pub use entry::QueryEntry;
pub use rows::QueryTrackRows;
pub use shown::{QueryTrackState, QueryTracks, ShownQueryTracks};
