//! The warnings of a recording as its window lists them.

use crate::recording::Session;
use flowline_insights::warnings::PageWarnings;
use flowline_profile::Warnings;

impl Session {
    /// The warnings of the recording: those of the import, of flow fields, and of events of page loads once they have been
    /// read.
    #[must_use]
    pub fn warnings(&self) -> Warnings {
        PageWarnings::with_import_if_built(&self.index)
    }
}
