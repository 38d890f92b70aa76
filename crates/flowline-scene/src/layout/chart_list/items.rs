//! The items of the chart as plain data. Modules of `tracks` say what each kind does.

use flowline_index::GroupKind;
use flowline_profile::Arrangement;
use flowline_profile::CounterId;
use flowline_profile::FlowId;
use flowline_profile::ProcessId;
use flowline_profile::ThreadId;
use flowline_view::TrackId;

/// Heading of a thread; a collapsed one shows its summary on the same line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ThreadHeading {
    /// The thread.
    pub thread: ThreadId,
    /// True if the rows are shown below.
    pub expanded: bool,
}

/// A row of an expanded thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MarkerRow {
    /// The thread.
    pub thread: ThreadId,
    /// Number of the row in the thread.
    pub row: u32,
    /// Number of its group in the thread.
    pub group: u32,
    /// True if the row is the first of its group, whose label contains the group's name.
    pub first_of_group: bool,
    /// The kind of the group, if a click on the label of this row collapses it.
    pub collapses: Option<GroupKind>,
}

/// The only row of a collapsed group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CollapsedGroup {
    /// The thread.
    pub thread: ThreadId,
    /// Number of the group in the thread.
    pub group: u32,
    /// Kind of the group.
    pub kind: GroupKind,
    /// The arrangement that the group belongs to.
    pub arrangement: Arrangement,
}

/// The line below the listed groups of a thread with more groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MoreGroups {
    /// The thread.
    pub thread: ThreadId,
    /// Number of groups that are not among the busiest.
    pub count: u32,
    /// True if these groups are listed as well.
    pub shown: bool,
}

/// Heading of the samples of a thread, with its CPU activity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SamplesHeading {
    /// The thread.
    pub thread: ThreadId,
    /// True if the rows of the stack chart are shown below; `None` if there are no useful stacks.
    pub expanded: Option<bool>,
    /// True if there are samples, not only calls.
    pub has_activity: bool,
}

/// A row of the stack chart of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CallRow {
    /// The thread.
    pub thread: ThreadId,
    /// Number of the row, which is the number of calls that enclose its calls.
    pub row: u32,
}

/// Heading of a flow track; a collapsed one shows its flows on the same line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FlowTrackHeading {
    /// Number of the track.
    pub track: u32,
    /// True if the rows are shown below.
    pub expanded: bool,
}

/// A row of a flow track.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FlowTrackItem {
    /// Number of the track.
    pub track: u32,
    /// Number of the row.
    pub row: u32,
}

/// Heading of the counters of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CounterHeading {
    /// The process; `None` for counters without a process.
    pub process: Option<ProcessId>,
    /// Number of counters.
    pub count: u32,
    /// True if the counters are shown below.
    pub expanded: bool,
}

/// A counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CounterItem {
    /// The counter.
    pub counter: CounterId,
}

/// Heading of the threads of a process whose names differ only by a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ThreadGroupHeading {
    /// The first of the threads.
    pub first: ThreadId,
    /// Number of threads.
    pub count: u32,
    /// True if the threads are listed below.
    pub expanded: bool,
}

/// The line below the listed threads of a group with more threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MoreThreads {
    /// The first thread of the group.
    pub first: ThreadId,
    /// Number of threads that are not listed.
    pub count: u32,
}

/// The line below the listed counters of a process with more counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MoreCounters {
    /// The process; `None` for counters without a process.
    pub process: Option<ProcessId>,
    /// Number of counters that are not listed.
    pub count: u32,
}

/// The last line of a process with idle threads: their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IdleThreads {
    /// The process.
    pub process: ProcessId,
    /// Number of threads.
    pub count: u32,
    /// True if the threads are listed below.
    pub shown: bool,
}

/// The heading of a node of the type tree, or of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FlowLaneHeading {
    /// Index among the headings.
    pub number: u32,
    /// Its node.
    pub node: u32,
    /// True if its flow lanes are collapsed.
    pub collapsed: bool,
}

/// The row of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FlowLaneItem {
    /// The flow.
    pub flow: FlowId,
    /// Number of the row.
    pub row: u32,
}

/// The line below flow lanes for those without content in the visible range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OutsideLanes {
    /// Number of hidden lanes; 0 if they are listed.
    pub count: u32,
    /// True if they are listed above.
    pub shown: bool,
}

/// The line below flow lanes: the number of flows that take no time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct InstantLanes {
    /// Number of flows.
    pub count: u32,
    /// True if they are listed above.
    pub shown: bool,
}

/// The line below the rows of a track of a registered kind with more rows than are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MoreRows {
    /// The track.
    pub track: TrackId,
    /// Number of entries on the other rows.
    pub count: u32,
}

/// Heading of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProcessHeading {
    /// The process.
    pub process: ProcessId,
    /// True if the threads are collapsed.
    pub collapsed: bool,
}

/// Heading of a track of a registered kind; a collapsed one shows its contents on the same line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TrackHeading {
    /// The track.
    pub track: TrackId,
    /// True if the rows are shown below.
    pub expanded: bool,
}

/// A row of a track of a registered kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TrackRow {
    /// The track.
    pub track: TrackId,
    /// Number of the row.
    pub row: u32,
}
