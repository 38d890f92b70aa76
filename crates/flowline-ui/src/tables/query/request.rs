//! Requests of the query tab, for the client of the recording.

/// A request of the query tab.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QueryRequest {
    /// Start the engine.
    Start,
    /// Run the query in the editor.
    Run,
    /// Stop the running query.
    Cancel,
    /// Show the query of a track in the editor.
    Show(u32),
}
