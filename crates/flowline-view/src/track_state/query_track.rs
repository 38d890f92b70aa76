//! Tracks whose entries are the rows of a query. The view keeps the query, and the rows are derived from it.

/// Key of the kind of these tracks.
pub const QUERY_TRACKS: &str = "query_tracks";
/// A track of a query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueryTrack {
    /// Number among the query tracks.
    pub number: u32,
    /// Name.
    pub name: String,
    /// The query.
    pub sql: String,
    /// True if the query runs only when the user asks for it: it came with a link, or the user stopped it.
    pub on_request: bool,
}

/// A change of the query tracks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QueryTrackCommand {
    /// Add a track below the others.
    Add {
        /// Its name.
        name: String,
        /// Its query.
        sql: String,
    },
    /// Remove a track.
    Remove(u32),
    /// Rename a track. A blank name restores the name of unnamed tracks.
    Rename(u32, String),
    /// Run the query of a track, also again.
    Run(u32),
    /// Stop the query of a track.
    Stop(u32),
}
