//! The name of a marker in saved views.

use serde::{Deserialize, Serialize};

use super::lenient::is_default;

/// The name of a marker.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct SavedMarker {
    pub(super) thread: String,
    pub(super) start_ns: i64,
    pub(super) name: String,
    /// Position among the markers with the same thread, start and name.
    #[serde(skip_serializing_if = "is_default")]
    pub(super) nth: usize,
}
