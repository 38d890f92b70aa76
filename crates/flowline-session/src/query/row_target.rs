//! The subjects of the rows of a result: markers, ranges, and the columns that make a track. Columns are known by their names,
//! in any case.

use super::result::QueryResult;
use super::result_column::{ColumnType, Field};
use flowline_profile::{MarkerId, Ns, Profile, TimeRange};

/// Names of columns with the number of a marker.
const MARKER_COLUMNS: [&str; 2] = ["id", "slice_id"];

/// The columns with a place in the recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlaceColumns {
    /// The number of a marker.
    pub marker: Option<usize>,
    /// A moment, in nanoseconds on the clock of the recording.
    pub start: Option<usize>,
    /// A duration in nanoseconds.
    pub duration: Option<usize>,
    /// A name.
    pub name: Option<usize>,
}

/// The subject of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowTarget {
    /// A marker.
    Marker(MarkerId),
    /// A range, or a moment.
    Range(TimeRange),
}

impl PlaceColumns {
    /// The columns of a result.
    #[must_use]
    pub fn of(result: &QueryResult) -> Self {
        let of_type =
            |name: &str, kind: ColumnType| result.column(name).filter(|column| result.columns()[*column].kind == kind);
        let integer = |name: &str| of_type(name, ColumnType::Integer);
        Self {
            marker: MARKER_COLUMNS.iter().find_map(|name| integer(name)),
            start: integer("ts"),
            duration: integer("dur"),
            name: of_type("name", ColumnType::Text),
        }
    }

    /// True if the rows can be a track.
    #[must_use]
    pub const fn make_track(self) -> bool {
        self.start.is_some() && self.name.is_some()
    }

    /// The marker of a row.
    pub(super) fn marker(self, result: &QueryResult, row: usize, profile: &Profile) -> Option<MarkerId> {
        let marker = MarkerId(u32::try_from(result.get(row, self.marker?).integer()?).ok()?);
        profile.locate(marker).map(|_| marker)
    }

    /// The range of a row, and true if it has a length. A duration that is missing lasts to the end of the recording, or is
    /// none if there is no such column.
    pub(super) fn range(self, result: &QueryResult, row: usize, end: Ns) -> Option<TimeRange> {
        let limit = |ns: i64| Ns(ns.clamp(-Ns::LIMIT, Ns::LIMIT));
        let start = limit(result.get(row, self.start?).integer()?);
        let until = match self.duration.map(|duration| result.get(row, duration)) {
            None => start,
            Some(Field::Integer(length)) => limit(start.0.saturating_add(length.max(0))),
            Some(_) => end.max(start),
        };
        Some(TimeRange::new(start, until))
    }

    /// The subject of a row: its marker, or else its range. `end` is the end of the recording.
    #[must_use]
    pub fn target(self, result: &QueryResult, row: usize, (profile, end): (&Profile, Ns)) -> Option<RowTarget> {
        let marker = self.marker(result, row, profile).map(RowTarget::Marker);
        // A moment alone is a target, too.
        marker.or_else(|| self.range(result, row, end).map(RowTarget::Range))
    }
}
