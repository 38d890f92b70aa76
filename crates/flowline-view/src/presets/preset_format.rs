//! The recordings that a preset applies to.

use flowline_profile::SourceKind;

/// A family of input formats with the same names of threads and markers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PresetFormat(pub String);

impl PresetFormat {
    /// The family of a format: all forms of Firefox profiles are one; Perfetto traces belong to those of Chrome.
    #[must_use]
    pub fn of(kind: SourceKind) -> Self {
        let id = match kind {
            SourceKind::FirefoxRaw | SourceKind::FirefoxProcessed | SourceKind::FirefoxJslb => "firefox",
            other => other.id(),
        };
        Self(id.to_owned())
    }
}
