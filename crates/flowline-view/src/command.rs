//! Commands: every change of the view as data. The keyboard, the mouse, panels and scripts all produce commands.

use std::sync::Arc;

use super::{FlowCommand, FlowLaneCommand, InsightFocus, LitEntries, NoteCommand, NoteId, PathTarget, Preset};
use crate::time::{Measure, MoveDirection};
use crate::track_state::{QueryTrackCommand, RowSelection, SelectedTab, TrackId, TrackRef};
use flowline_profile::{
    Arrangement, CallRef, ColorBy, CounterId, Direction, GroupKind, Implementation, MarkerId, Ns, ProcessId,
    SelectedCall, ThreadId, TimeRange,
};

/// A change of the view.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Zoom about a device pixel; factors above 1 zoom in. Keys animate, mouse wheels do not.
    Zoom {
        /// The pixel whose time stays in place.
        pixel: f64,
        /// Zoom factor.
        factor: f64,
        /// True if the change is animated.
        animated: bool,
    },
    /// Pan by device pixels; positive values show later times.
    Pan {
        /// Distance in device pixels.
        pixels: f64,
        /// True if the change is animated.
        animated: bool,
    },
    /// Start a motion: a key was pressed. The motion lasts until [`Command::Release`].
    Hold {
        /// Direction of the motion.
        direction: MoveDirection,
        /// Device pixel to zoom about.
        pixel: f64,
    },
    /// Stop the motion: the key was released.
    Release(MoveDirection),
    /// Show exactly this range without animation, as when the overview's window is dragged.
    Show(TimeRange),
    /// Zoom to this range; [`Command::ZoomBack`] returns.
    ZoomTo(TimeRange),
    /// Zoom to the selected range and commit it, which limits everything to the range. Without a selected range, zoom
    /// to the selected marker.
    ZoomToSelection,
    /// Zoom to one marker.
    ZoomToMarker(MarkerId),
    /// Zoom to one call.
    ZoomToCall(SelectedCall),
    /// Show the whole recording and uncommit all ranges.
    ZoomToAll,
    /// Show the start or the end of the range that can be shown, at the current zoom.
    GoToEdge(Direction),
    /// Return to the view before the last zoom, and to the ranges that were committed then.
    ZoomBack,
    /// Uncommit all ranges except the first ones, by number.
    Breadcrumb(usize),
    /// Scroll the chart by points.
    Scroll(f64),
    /// Select a time range, or clear the selection.
    SelectRange(Option<TimeRange>),
    /// Select a time range, or clear the selection for an instant, and bring the range into view. No marker stays selected.
    RevealRange(TimeRange),
    /// Select a box: rows, and a time range or all times.
    SelectBox(Option<TimeRange>, RowSelection),
    /// Add rows to the selection, or remove them if all of them are selected.
    ToggleRows(RowSelection),
    /// Clear the row selection.
    ClearRows,
    /// Add threads to the thread filter, or remove them if all of them are in it.
    ToggleThreads(Vec<ThreadId>),
    /// Filter by exactly these threads; an empty list clears the filter.
    PickThreads(Vec<ThreadId>),
    /// Set or clear the edges of the measuring tool.
    Measure(Option<Measure>),
    /// Select a marker, or none, without moving the view.
    Select(Option<MarkerId>),
    /// Select a marker and bring it into view.
    Reveal(MarkerId),
    /// Select the marker of an entry on a track, for example a frame, and bring the entry into view.
    RevealOnTrack {
        /// The marker that defines the entry.
        marker: MarkerId,
        /// Times of the entry; those of the marker may differ.
        times: TimeRange,
    },
    /// Select a counter at a moment, for the details.
    SelectCounter(CounterId, Ns),
    /// Select the previous or next entry of the history of selections and bring it into view.
    StepSelection(Direction),
    /// Set the marker under the pointer.
    Hover(Option<MarkerId>),
    /// Collapse or expand a process.
    ToggleProcess(ProcessId),
    /// Expand or collapse a thread.
    ToggleThread(ThreadId),
    /// Collapse a group of a thread's rows into one row, or expand it.
    ToggleGroup(ThreadId, GroupKind),
    /// Show all row groups of a thread, or only the busiest.
    ToggleMoreGroups(ThreadId),
    /// Hide rows that are empty in the view, or show all rows.
    HideEmptyRows(bool),
    /// Collapse or expand a flow track, by number.
    ToggleFlowTrack(u32),
    /// Collapse or expand the counters of a process, or those without a process.
    ToggleCounters(Option<ProcessId>),
    /// List all counters of a process, of which some are listed.
    ShowCounters(Option<ProcessId>),
    /// Collapse or expand a track of a registered kind.
    ToggleTrack(TrackId),
    /// Change the tracks of queries.
    QueryTrack(QueryTrackCommand),
    /// Show the threads and the search of a preset. If the recording has none of its threads, all are shown.
    ShowPreset(Arc<Preset>),
    /// Hide a thread.
    HideThread(ThreadId),
    /// Show only one thread.
    ShowOnly(ThreadId),
    /// Show a track and scroll to its heading.
    RevealTrack(TrackRef),
    /// Scroll to a counter and bring a moment into view. The measuring tool marks the moment unless it is in use.
    RevealCounter(CounterId, Ns),
    /// Move a track directly before or after another of its kind.
    MoveTrack {
        /// The track to move.
        track: TrackRef,
        /// The other track.
        beside: TrackRef,
        /// `Forward` moves the track after the other one.
        side: Direction,
    },
    /// Pin a thread above all processes, or unpin it.
    TogglePinnedThread(ThreadId),
    /// Restore the recording's order of threads and processes, and unpin all threads.
    ResetOrder,
    /// Show a hidden thread.
    ShowThread(ThreadId),
    /// Hide all threads of a process.
    HideProcess(ProcessId),
    /// Show all threads, of all tabs.
    ShowAll,
    /// Restrict the window to a tab; `None` for the whole browser.
    SelectTab(Option<SelectedTab>),
    /// Show and expand these threads.
    ShowThreads(Vec<ThreadId>),
    /// Show or hide a process's idle threads.
    ToggleEmpty(ProcessId),
    /// Show the idle threads of all processes, or hide them.
    ShowIdleThreads(bool),
    /// Unfold or fold the threads whose names differ from that of a thread only by a number.
    ToggleThreadGroup(ThreadId),
    /// List all threads of the group of a thread, of which some are listed.
    ShowThreadGroup(ThreadId),
    /// Make items as low as their texts allow, or show them with the usual heights.
    Compact(bool),
    /// Show markers that their schema excludes from the chart or the table, or hide them.
    ShowAllMarkers(bool),
    /// Expand all processes and threads.
    ExpandAll,
    /// Collapse all threads.
    CollapseAll,
    /// Collapse or expand the stack chart of a thread.
    ToggleStackChart(ThreadId),
    /// Color calls by this property.
    ColorBy(ColorBy),
    /// Show only these functions in stack charts.
    ShowCalls(Implementation),
    /// Select a call of a stack chart, or none, without moving the view.
    SelectCall(Option<SelectedCall>),
    /// Select a call and bring it into view.
    RevealCall(SelectedCall),
    /// Set the call under the pointer.
    HoverCall(Option<CallRef>),
    /// Highlight the entries of a table's row in the chart, or none.
    Light(Option<Arc<LitEntries>>),
    /// Emphasize an insight and zoom to its range, or end the emphasis.
    FocusInsight(Option<Arc<InsightFocus>>),
    /// Change the arrangement, and show the rows of threads.
    SetArrangement(Arrangement),
    /// Change the layout "By object".
    FlowLane(FlowLaneCommand),
    /// Change the search text.
    Search(String),
    /// Make tables and trees follow the visible range, or stop that.
    FollowView(bool),
    /// Select the next or previous hit of the search, once the search for the current text is complete.
    StepHit(Direction),
    /// Show times relative to the start of a marker, or to the recording's time origin.
    ZeroAt(Option<MarkerId>),
    /// Show the critical path to a target, or hide it.
    ShowPath(Option<PathTarget>),
    /// Change the notes.
    Note(NoteCommand),
    /// Show the hidden entries of a thread, or all of them.
    ShowHidden(Option<ThreadId>),
    /// Select a note and bring its target into view.
    RevealNote(NoteId),
    /// Undo the last change of notes, of tracks (collapsing, hiding, order), of pinned flows, of the time origin or of the
    /// emphasized insight, or restore a cleared search.
    Undo,
    /// Redo the last undone change.
    Redo,
    /// Change the flow panel.
    Flow(FlowCommand),
}

impl Command {
    /// True for a command that selects a marker or call, or clears the selection.
    pub(crate) const fn selects(&self) -> bool {
        matches!(
            self,
            Self::Select(_)
                | Self::SelectCall(_)
                | Self::SelectCounter(..)
                | Self::Reveal(_)
                | Self::RevealOnTrack { .. }
                | Self::RevealCall(_)
                | Self::StepSelection(_)
        )
    }
}
