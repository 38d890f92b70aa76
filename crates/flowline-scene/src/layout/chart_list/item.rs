//! The items of the chart, from top to bottom: headings, rows, counters.

use super::items::{
    CallRow, CollapsedGroup, CounterHeading, CounterItem, FlowLaneHeading, FlowLaneItem, FlowTrackHeading,
    FlowTrackItem, IdleThreads, InstantLanes, MarkerRow, MoreCounters, MoreGroups, MoreRows, MoreThreads, OutsideLanes,
    ProcessHeading, SamplesHeading, ThreadGroupHeading, ThreadHeading, TrackHeading, TrackRow,
};
use flowline_view::TrackRef;

/// Height of a process heading in points.
pub const PROCESS_HEIGHT: f64 = 28.0;
/// Height of the heading of a thread, of counters, or of a flow track in points.
pub const THREAD_HEIGHT: f64 = 24.0;
/// Height of a row in points.
pub const ROW_HEIGHT: f64 = 18.0;
/// Height of a counter in points.
pub const COUNTER_HEIGHT: f64 = 32.0;
/// Key of the registered kind whose tracks are below their threads.
pub(crate) const THREAD_TRACKS: &str = "thread_tracks";

/// Usual heights of items in points, and those of compact rows.
const COMPACT_HEIGHTS: [(f64, f64); 5] =
    [(ROW_HEIGHT, 14.0), (20.0, 16.0), (THREAD_HEIGHT, 20.0), (PROCESS_HEIGHT, 24.0), (COUNTER_HEIGHT, 24.0)];

/// The compact height of an item with a usual height. Heights between those of the table lie between its compact heights.
pub(crate) fn compact_height(height: f64) -> f64 {
    let after = COMPACT_HEIGHTS.partition_point(|(usual, _)| *usual < height);
    let Some((usual, compact)) = COMPACT_HEIGHTS.get(after).or(COMPACT_HEIGHTS.last()) else { return height };
    (height * compact / usual).round()
}

/// Passes the list of item kinds to a macro.
macro_rules! item_kinds {
    ($with:ident) => {
        $with! {
            /// Heading of a track of a registered kind; a collapsed one shows its contents on the same line.
            Track(TrackHeading),
            /// A row of a track of a registered kind.
            TrackRow(TrackRow),
            /// A line for the rows of such a track that are not listed.
            MoreRows(MoreRows),
            /// Heading of a process.
            Process(ProcessHeading),
            /// Heading of a thread; a collapsed one shows its summary on the same line.
            Thread(ThreadHeading),
            /// A row of an expanded thread.
            Row(MarkerRow),
            /// The only row of a collapsed group of rows.
            CollapsedGroup(CollapsedGroup),
            /// A line for the groups of a thread that are not listed.
            MoreGroups(MoreGroups),
            /// Heading of the samples of a thread, with its activity.
            Samples(SamplesHeading),
            /// A row of the stack chart of a thread.
            Calls(CallRow),
            /// Heading of a flow track; a collapsed one shows its flows on the same line.
            FlowTrack(FlowTrackHeading),
            /// A row of a flow track.
            FlowRow(FlowTrackItem),
            /// Heading of the counters of a process.
            CounterHeading(CounterHeading),
            /// A counter.
            Counter(CounterItem),
            /// A line for the counters of a process that are not listed.
            MoreCounters(MoreCounters),
            /// Heading of the threads of a process whose names differ only by a number.
            ThreadGroup(ThreadGroupHeading),
            /// A line for the threads of such a group that are not listed.
            MoreThreads(MoreThreads),
            /// The last line of a process: the number of its idle threads.
            IdleThreads(IdleThreads),
            /// Heading of the flow lanes of a type.
            FlowLaneHeading(FlowLaneHeading),
            /// The lane of a flow.
            FlowLane(FlowLaneItem),
            /// A line for the flows that take no time.
            InstantLanes(InstantLanes),
            /// A line for the lanes without content in the visible range.
            OutsideLanes(OutsideLanes),
        }
    };
}
pub(crate) use item_kinds;

macro_rules! define {
    ($($(#[$doc:meta])* $name:ident($item:ty)),+ $(,)?) => {
        /// Kind of an item in the chart.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ItemKind {
            $($(#[$doc])* $name($item)),+
        }

        $(impl From<$item> for ItemKind {
            fn from(item: $item) -> Self {
                Self::$name(item)
            }
        })+
    };
}

item_kinds!(define);

impl ItemKind {
    /// The thread or process whose heading this is.
    #[must_use]
    pub const fn track(&self) -> Option<TrackRef> {
        match self {
            Self::Thread(heading) => Some(TrackRef::Thread(heading.thread)),
            Self::Process(heading) => Some(TrackRef::Process(heading.process)),
            _ => None,
        }
    }

    /// True if the item belongs below the heading of a thread.
    #[must_use]
    pub fn is_of_thread(&self) -> bool {
        match self {
            Self::Row(_) | Self::CollapsedGroup(_) | Self::MoreGroups(_) | Self::Samples(_) | Self::Calls(_) => true,
            Self::Track(heading) => heading.track.kind == THREAD_TRACKS,
            _ => false,
        }
    }
}

/// An item and its position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Item {
    /// Distance from the top of the content in points.
    pub y: f64,
    /// Height in points.
    pub height: f64,
    /// Kind of the item.
    pub kind: ItemKind,
}
