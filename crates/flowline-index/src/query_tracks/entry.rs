//! An entry of a query track: a row of a result.

use flowline_profile::{MarkerId, Ns, TimeRange};

/// An entry of a query track.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryEntry {
    /// Name.
    pub name: Box<str>,
    /// Start.
    pub start: Ns,
    /// End, which is not before the start; `None` for an instant.
    pub end: Option<Ns>,
    /// The marker that the row names.
    pub marker: Option<MarkerId>,
}

impl QueryEntry {
    /// Start and end.
    #[must_use]
    #[inline]
    pub fn times(&self) -> TimeRange {
        TimeRange::new(self.start, self.end.unwrap_or(self.start))
    }
}
