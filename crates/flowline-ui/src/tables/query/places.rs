//! How the values of a column are shown: as moments, durations, numbers or text, by the name of the column.

use flowline_session::{ColumnType, ResultColumn};

/// How values are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Nanoseconds on the clock of the recording.
    Moment,
    /// A duration in nanoseconds.
    Duration,
    /// A number of an item: without separators.
    Number,
    /// An amount.
    Amount,
    /// Anything else.
    Text,
}

impl Meaning {
    /// The meaning of a column.
    pub(super) fn of(column: &ResultColumn) -> Self {
        let name = column.name.to_ascii_lowercase();
        let ends = |ending: &str| name.ends_with(ending);
        match column.kind {
            ColumnType::Text | ColumnType::Boolean => Self::Text,
            _ if ends("unix_ns") => Self::Number,
            _ if name == "ts" || ends("_ts") || ends("start_ns") || ends("end_ns") => Self::Moment,
            _ if name == "dur" || ends("_dur") || ends("_ns") => Self::Duration,
            ColumnType::Integer if name == "id" || ends("id") || name == "status" => Self::Number,
            ColumnType::Integer | ColumnType::Real => Self::Amount,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_meaning() {
        let of = |name: &str, kind| Meaning::of(&ResultColumn { name: name.into(), kind });
        for (name, expected) in [
            ("ts", Meaning::Moment),
            ("TS", Meaning::Moment),
            ("start_ns", Meaning::Moment),
            ("dur", Meaning::Duration),
            ("self_dur", Meaning::Duration),
            ("total_ns", Meaning::Duration),
            ("start_unix_ns", Meaning::Number),
            ("id", Meaning::Number),
            ("utid", Meaning::Number),
            ("count", Meaning::Amount),
        ] {
            assert_eq!(of(name, ColumnType::Integer), expected, "{name}");
        }
        assert_eq!(of("wait_ns", ColumnType::Real), Meaning::Duration);
        assert_eq!(of("ts", ColumnType::Text), Meaning::Text);
    }
}
