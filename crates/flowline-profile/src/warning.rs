//! Problems of an input, counted by kind, with the first place of each kind.

use super::persist::persist;
use std::collections::BTreeMap;

/// A kind of problem; names are stable for scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum WarningKind {
    /// The input ends before its last value does; everything before that was read.
    Truncated,
    /// The text is not JSON from here on.
    BrokenJson,
    /// A value of the wrong type; it was skipped.
    WrongType,
    /// Columns of one table have different lengths; the shortest counts.
    ColumnLength,
    /// A time that is no finite number in range; its marker or sample was skipped.
    BadTime,
    /// A marker phase other than 0 to 3; the marker is shown as an instant.
    UnknownPhase,
    /// An index points outside its table.
    IndexOutOfRange,
    /// A part that markers need is missing.
    MissingPart,
    /// An interval that ends before it starts; its ends were swapped.
    NegativeDuration,
    /// An end without a start.
    UnmatchedEnd,
    /// A start without an end.
    UnmatchedStart,
    /// A network request of which one half is missing.
    UnmatchedNetwork,
    /// An IPC message of which one side was not recorded.
    UnmatchedIpc,
    /// A label template with a part that means nothing.
    BadLabel,
    /// Two schemas of one name differ; the first one counts.
    SchemaConflict,
    /// More payload types than a marker can name.
    TooManyTypes,
    /// The file is newer than the newest version known here.
    NewerVersion,
    /// A slice that begins inside another one and outlasts it.
    Overlapping,
    /// An asynchronous operation with steps of both kinds; they are shown as points.
    MixedSteps,
    /// A flow event at a time when its thread has nothing to bind it to.
    UnboundFlow,
    /// A part of CPU samples that fits nothing else, or that another one stands for.
    CpuSamples,
    /// An event of a phase that is not drawn.
    NotDrawn,
    /// A marker far from nearly all others, as on another clock.
    SeveralClocks,
    /// A line of text that is not of its format; it was skipped.
    BadLine,
    /// A thread whose samples are not in the order of their times; they were sorted.
    SampleOrder,
    /// A CPU time of a sample that is negative or no number; it counts as unknown.
    BadDelta,
    /// A stack that comes before its caller, or calls itself in a circle.
    StackOrder,
    /// The file was written to while it was read.
    Changed,
}
persist!(enum WarningKind {
    0 => Truncated, 1 => BrokenJson, 2 => WrongType, 3 => ColumnLength, 4 => BadTime, 5 => UnknownPhase,
    6 => IndexOutOfRange, 7 => MissingPart, 8 => NegativeDuration, 9 => UnmatchedEnd, 10 => UnmatchedStart,
    11 => UnmatchedNetwork, 12 => UnmatchedIpc, 13 => BadLabel, 14 => SchemaConflict, 15 => TooManyTypes,
    16 => NewerVersion, 17 => Overlapping, 18 => MixedSteps, 19 => UnboundFlow, 20 => CpuSamples, 21 => NotDrawn,
    22 => SeveralClocks, 23 => BadLine, 24 => SampleOrder, 25 => BadDelta, 26 => StackOrder,
    27 => Changed,
});

impl WarningKind {
    /// The name for scripts.
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
        }
    }

    /// One sentence for users.
    #[must_use]
    pub const fn explain(self) -> &'static str {
        match self {
            Self::Truncated => "The file ends early; everything before that place is shown.",
            Self::BrokenJson => "The text is damaged; everything before that place is shown.",
            Self::WrongType => "Values of an unexpected type were skipped.",
            Self::ColumnLength => "Columns have different lengths; rows beyond the shortest were skipped.",
            Self::BadTime => "Markers and samples without a valid time were skipped.",
            Self::UnknownPhase => "Markers of an unknown phase are shown as instants.",
            Self::IndexOutOfRange => "References that point nowhere were replaced by a placeholder.",
            Self::MissingPart => "Something that was expected is missing.",
            Self::NegativeDuration => "Intervals that end before they start are shown with their ends swapped.",
            Self::UnmatchedEnd => {
                "Ends without a start begin where their thread or operation begins; those of trace events' stacks are left out."
            }
            Self::UnmatchedStart => "Starts without an end last until their thread ends.",
            Self::UnmatchedNetwork => "Requests of which one half is missing extend to the recording's edge.",
            Self::UnmatchedIpc => "Messages recorded on one side only are shown as points.",
            Self::BadLabel => "Label templates with an unknown part show nothing in its place.",
            Self::SchemaConflict => "Processes disagree on a marker schema; the first one is used.",
            Self::TooManyTypes => "Markers whose payload type is beyond the 65,535th are shown without their fields.",
            Self::NewerVersion => "The file is newer than this program; what it knows is shown.",
            Self::Overlapping => {
                "Slices that partly overlap another one of their thread are shown on a row of their own."
            }
            Self::MixedSteps => "Steps of asynchronous operations that mix both kinds of steps are shown as points.",
            Self::UnboundFlow => "Flow events that no slice is there to take are not drawn.",
            Self::SampleOrder => "Samples out of the order of their times were sorted.",
            Self::BadDelta => "CPU times of samples that are negative or no numbers count as unknown.",
            Self::StackOrder => "Stacks that come before their callers were put in order; circles among them were cut.",
            Self::Changed => "The file changed while it was read; old and new contents may be mixed.",
            Self::CpuSamples => "Parts of CPU samples that fit nothing else, or that others stand for, were left out.",
            Self::NotDrawn => "Events of kinds that have no place in the chart are not drawn.",
            Self::SeveralClocks => {
                "Markers far from all others seem to be on another clock. The first view leaves them out, and times count from its part; \"All\" shows them."
            }
            Self::BadLine => "Lines that do not have the form of their format were skipped.",
        }
    }

    /// Whether undamaged recordings have it too, such as markers that are incomplete at the edges.
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
    /// The first place: thread, event index, byte offset, as far as known.
    pub first: String,
}

/// Collects warnings; merging keeps the place of the collector merged first.
#[derive(Clone, Debug, Default)]
pub struct Warnings {
    kinds: BTreeMap<WarningKind, (u64, String)>,
}
persist!(Warnings { kinds });

impl Warnings {
    /// Whether nothing was found.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// Counts one occurrence; `place` is called for the first of a kind only.
    pub fn add(&mut self, kind: WarningKind, place: impl FnOnce() -> String) {
        self.kinds.entry(kind).or_insert_with(|| (0, place())).0 += 1;
    }

    /// Counts several occurrences of one place.
    pub fn add_many(&mut self, kind: WarningKind, count: u64, place: impl FnOnce() -> String) {
        if count > 0 {
            self.kinds.entry(kind).or_insert_with(|| (0, place())).0 += count;
        }
    }

    /// Adds all of `other` after these.
    pub fn merge(&mut self, other: Self) {
        for (kind, (count, first)) in other.kinds {
            self.kinds.entry(kind).or_insert_with(|| (0, first)).0 += count;
        }
    }

    /// How often `kind` occurred.
    #[must_use]
    pub fn count(&self, kind: WarningKind) -> u64 {
        self.kinds.get(&kind).map_or(0, |(count, _)| *count)
    }

    /// All warnings, damage before ordinary ones.
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
