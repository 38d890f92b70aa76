//! What happens when a row of the table is pressed.

use flowline_profile::{MarkerId, TimeRange};

/// Effect of a press.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) enum RowTarget {
    /// The row unfolds, if it can.
    #[default]
    Fold,
    /// The chart emphasizes the insight at this position.
    Insight(usize),
    /// A marker is selected.
    Marker(MarkerId),
    /// The critical path to a marker is shown.
    Path(MarkerId),
    /// The request of an address is selected.
    Url(String),
    /// A range is selected.
    Range(TimeRange),
    /// The list of a row shows more.
    More(String),
}
