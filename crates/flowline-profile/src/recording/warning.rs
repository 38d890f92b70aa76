//! Problems in an input, counted by kind, with the first location of each kind.

use crate::persist::persist;
use std::collections::BTreeMap;

/// A kind of problem; names are stable for scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum WarningKind {
    /// The input ends before its last value does; everything before that point was read.
    Truncated,
    /// The text is not valid JSON from here on.
    BrokenJson,
    /// A value of the wrong type; it was skipped.
    WrongType,
    /// Columns of a table have different lengths; the shortest one is used.
    ColumnLength,
    /// A time that is not a finite number in range; its marker or sample was skipped.
    BadTime,
    /// A marker phase other than 0 to 3; the marker is shown as an instant.
    UnknownPhase,
    /// An index is out of range.
    IndexOutOfRange,
    /// A part that markers need is missing.
    MissingPart,
    /// An interval that ends before it starts. In Firefox profiles, start and end were swapped; a slice of a trace has no
    /// length.
    NegativeDuration,
    /// An end without a start.
    UnmatchedEnd,
    /// A start without an end.
    UnmatchedStart,
    /// A network request with a missing half.
    UnmatchedNetwork,
    /// An IPC message that was recorded on only one side.
    UnmatchedIpc,
    /// A label template with an unknown part.
    BadLabel,
    /// Two schemas with the same name differ; the first one is used.
    SchemaConflict,
    /// More payload types than markers can refer to.
    TooManyTypes,
    /// The file format is newer than the newest supported version.
    NewerVersion,
    /// A slice that begins inside another one and outlasts it.
    Overlapping,
    /// An asynchronous operation with steps of both kinds, which are shown as instants.
    MixedSteps,
    /// A flow event without an enclosing slice on its thread at that time.
    UnboundFlow,
    /// CPU sample data that is inconsistent, duplicate or beyond a limit.
    CpuSamples,
    /// An event with a phase that is not drawn.
    NotDrawn,
    /// A marker far from nearly all others, as if it used another clock.
    SeveralClocks,
    /// A malformed line of text, which was skipped.
    BadLine,
    /// A thread whose samples are not in time order; they were sorted.
    SampleOrder,
    /// A CPU time of a sample that is negative or not a number; it is treated as unknown.
    BadDelta,
    /// A stack that precedes its caller, or a cycle of stacks.
    StackOrder,
    /// The file was modified while it was read.
    Changed,
    /// A file in an archive that may be a recording, too, and was not opened.
    OtherRecordings,
    /// A sample with a negative weight; it has no duration.
    NegativeWeight,
    /// An event of a page load, an interaction, a frame or a layout shift that is damaged or lacks its other half.
    PageEvents,
    /// An event of a page load beyond the number that is read.
    PageEventLimit,
    /// Times beyond the range of 64-bit nanoseconds; they are relative to the first one.
    FarTimes,
    /// A slice that lasts far longer than the recording around it.
    ExtremeDuration,
}
persist!(enum WarningKind {
    0 => Truncated, 1 => BrokenJson, 2 => WrongType, 3 => ColumnLength, 4 => BadTime, 5 => UnknownPhase,
    6 => IndexOutOfRange, 7 => MissingPart, 8 => NegativeDuration, 9 => UnmatchedEnd, 10 => UnmatchedStart,
    11 => UnmatchedNetwork, 12 => UnmatchedIpc, 13 => BadLabel, 14 => SchemaConflict, 15 => TooManyTypes,
    16 => NewerVersion, 17 => Overlapping, 18 => MixedSteps, 19 => UnboundFlow, 20 => CpuSamples, 21 => NotDrawn,
    22 => SeveralClocks, 23 => BadLine, 24 => SampleOrder, 25 => BadDelta, 26 => StackOrder,
    27 => Changed, 28 => OtherRecordings, 29 => NegativeWeight, 30 => PageEvents,
    31 => PageEventLimit, 32 => FarTimes, 33 => ExtremeDuration,
});

impl WarningKind {
    /// Name for scripts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Truncated => "truncated",
            Self::BrokenJson => "broken_json",
            Self::WrongType => "wrong_type",
            Self::ColumnLength => "column_length",
            Self::BadTime => "bad_time",
            Self::UnknownPhase => "unknown_phase",
            Self::IndexOutOfRange => "index_out_of_range",
            Self::MissingPart => "missing_part",
            Self::NegativeDuration => "negative_duration",
            Self::UnmatchedEnd => "unmatched_end",
            Self::UnmatchedStart => "unmatched_start",
            Self::UnmatchedNetwork => "unmatched_network",
            Self::UnmatchedIpc => "unmatched_ipc",
            Self::BadLabel => "bad_label",
            Self::SchemaConflict => "schema_conflict",
            Self::TooManyTypes => "too_many_types",
            Self::NewerVersion => "newer_version",
            Self::Overlapping => "overlapping",
            Self::MixedSteps => "mixed_steps",
            Self::UnboundFlow => "unbound_flow",
            Self::CpuSamples => "cpu_samples",
            Self::NotDrawn => "not_drawn",
            Self::SeveralClocks => "several_clocks",
            Self::BadLine => "bad_line",
            Self::SampleOrder => "sample_order",
            Self::BadDelta => "bad_delta",
            Self::StackOrder => "stack_order",
            Self::Changed => "changed",
            Self::OtherRecordings => "other_recordings",
            Self::NegativeWeight => "negative_weight",
            Self::PageEvents => "page_events",
            Self::PageEventLimit => "page_event_limit",
            Self::FarTimes => "far_times",
            Self::ExtremeDuration => "extreme_duration",
        }
    }

    /// A sentence for users.
    #[must_use]
    pub const fn explain(self) -> &'static str {
        match self {
            Self::Truncated => "The file ends unexpectedly; everything before that point is shown.",
            Self::BrokenJson => "The text is damaged; everything before that point is shown.",
            Self::WrongType => "Values of an unexpected type were skipped.",
            Self::ColumnLength => "Columns have different lengths; rows beyond the shortest were skipped.",
            Self::BadTime => "Markers and samples without a valid time were skipped.",
            Self::UnknownPhase => "Markers of an unknown phase are shown as instants.",
            Self::IndexOutOfRange => "References to missing entries were replaced by a placeholder.",
            Self::MissingPart => "An expected part of the file is missing.",
            Self::NegativeDuration => {
                "Intervals that end before they start have no length; in Firefox profiles, start and end are swapped."
            }
            Self::UnmatchedEnd => {
                "Ends without a start extend to the start of their thread or operation; unmatched end events of slices \
                 are ignored."
            }
            Self::UnmatchedStart => "Starts without an end extend to the end of their thread.",
            Self::UnmatchedNetwork => {
                "Network requests with a missing half extend to the start or end of the recording."
            }
            Self::UnmatchedIpc => "IPC messages recorded on only one side are shown as instants.",
            Self::BadLabel => "Unknown parts of label templates are shown as empty text.",
            Self::SchemaConflict => "Processes disagree on a marker schema; the first one is used.",
            Self::TooManyTypes => "Markers with a payload type beyond the 65,535th are shown without fields.",
            Self::NewerVersion => "The file format is newer than this version of Flowline; known parts are shown.",
            Self::Overlapping => {
                "Slices that partly overlap another slice of their thread are shown on a separate row."
            }
            Self::MixedSteps => "Steps of asynchronous operations that mix both kinds of steps are shown as instants.",
            Self::UnboundFlow => "Flow events without an enclosing slice were ignored.",
            Self::SampleOrder => "Samples that were not in time order were sorted.",
            Self::BadDelta => "Negative or invalid CPU times of samples are treated as unknown.",
            Self::StackOrder => "Stacks listed before their callers were reordered; cycles were cut.",
            Self::Changed => "The file changed while it was read; old and new contents may be mixed.",
            Self::OtherRecordings => {
                "The archive contains more files that may be recordings. Extract them to open them."
            }
            Self::NegativeWeight => {
                "Negative weights of samples reduce the totals; such samples have no duration in the chart."
            }
            Self::CpuSamples => "Inconsistent, duplicate or excess CPU sample data was ignored.",
            Self::NotDrawn => "Events of types that the chart cannot show are not drawn.",
            Self::SeveralClocks => {
                "Markers far from all others seem to use another clock. They are outside the initial view, and times are \
                 relative to its start; \"All\" shows them."
            }
            Self::BadLine => "Malformed lines were skipped.",
            Self::FarTimes => {
                "The times of the recording do not fit into 64-bit nanoseconds, so they are relative to the first one."
            }
            Self::ExtremeDuration => {
                "Slices that last far longer than the recording around them probably have a wrong duration."
            }
            Self::PageEvents => {
                "Events of page loads, interactions, frames and layout shifts that are damaged or lack their other half \
                 were ignored."
            }
            Self::PageEventLimit => {
                "Of each kind of page event, at most 100,000 per thread are read; metrics and insights ignore the others."
            }
        }
    }

    /// True if intact recordings have it too, such as incomplete markers at the edges.
    #[must_use]
    pub const fn is_ordinary(self) -> bool {
        matches!(
            self,
            Self::UnmatchedEnd
                | Self::UnmatchedStart
                | Self::UnmatchedNetwork
                | Self::UnmatchedIpc
                | Self::SchemaConflict
                | Self::Overlapping
                | Self::UnboundFlow
                | Self::CpuSamples
                | Self::NotDrawn
                | Self::NegativeWeight
                | Self::PageEvents
        )
    }
}

/// All warnings of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The kind.
    pub kind: WarningKind,
    /// Number of occurrences.
    pub count: u64,
    /// The first location: thread, event index and byte offset, as far as known.
    pub first: String,
}

/// Collects warnings. Merging keeps the first location of the collector that was merged first.
#[derive(Clone, Debug, Default)]
pub struct Warnings {
    kinds: BTreeMap<WarningKind, (u64, String)>,
}
persist!(Warnings { kinds });

impl Warnings {
    /// True if there are no warnings.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// Counts one occurrence; `place` is only called for the first occurrence of a kind.
    pub fn add(&mut self, kind: WarningKind, place: impl FnOnce() -> String) {
        self.kinds.entry(kind).or_insert_with(|| (0, place())).0 += 1;
    }

    /// Counts several occurrences at one location.
    pub fn add_many(&mut self, kind: WarningKind, count: u64, place: impl FnOnce() -> String) {
        if count > 0 {
            self.kinds.entry(kind).or_insert_with(|| (0, place())).0 += count;
        }
    }

    /// Appends the warnings of `other`.
    #[inline]
    pub fn merge(&mut self, other: Self) {
        for (kind, (count, first)) in other.kinds {
            self.kinds.entry(kind).or_insert_with(|| (0, first)).0 += count;
        }
    }

    /// Number of occurrences of `kind`.
    #[must_use]
    #[inline]
    pub fn count(&self, kind: WarningKind) -> u64 {
        self.kinds.get(&kind).map_or(0, |(count, _)| *count)
    }

    /// All warnings, damage first.
    #[must_use]
    pub fn list(&self) -> Vec<Warning> {
        let mut list: Vec<_> = self
            .kinds
            .iter()
            .map(|(&kind, (count, first))| Warning { kind, count: *count, first: first.clone() })
            .collect();
        list.sort_by_key(|warning| (warning.kind.is_ordinary(), warning.kind));
        list
    }
}
