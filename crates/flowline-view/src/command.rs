//! Commands: every change of the view as data. Keys, mouse, panels and scripts all produce commands.

use flowline_profile::{
    CallColors, CallRef, CounterId, Direction, GroupKind, Implementation, MarkerId, Ns, ProcessId, SelectedCall,
    ThreadId, TimeRange,
};

/// A change of the view.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Zoom about a device pixel; factors above 1 zoom in. Keys animate, wheels do not.
    Zoom {
        /// The pixel whose time stays in place.
        pixel: f64,
        /// Factor.
        factor: f64,
        /// Whether the change is animated.
        animated: bool,
    },
    /// Move by device pixels; positive shows later times.
    Pan {
        /// Distance.
        pixels: f64,
        /// Whether the change is animated.
        animated: bool,
    },
    /// Start to move: a key went down. The motion lasts until [`Command::Release`].
    Hold {
        /// What the key does.
        direction: super::MoveDirection,
        /// Device pixel that zooming leaves in place.
        pixel: f64,
    },
    /// Stop the motion: the key went up.
    Release(super::MoveDirection),
    /// Show exactly this range at once, as when the overview's window is dragged.
    Show(TimeRange),
    /// Zoom to this range; [`Command::ZoomBack`] returns.
    ZoomTo(TimeRange),
    /// Zoom to the selected range and commit it: it narrows everything. Without one, zoom to the selected marker.
    ZoomToSelection,
    /// Zoom to one marker.
    ZoomToMarker(MarkerId),
    /// Zoom to one call.
    ZoomToCall(SelectedCall),
    /// Show the whole recording; no range stays committed.
    ZoomToAll,
    /// Show the beginning or the end of what can be shown, as close as now.
    GoToEdge(Direction),
    /// Return to the view before the last zoom, and to what was committed then.
    ZoomBack,
    /// Undo all committed ranges but the first so many.
    Breadcrumb(usize),
    /// Scroll the chart by points.
    Scroll(f64),
    /// Select a range of time, or none.
    SelectRange(Option<TimeRange>),
    /// Select a box: a range of time, or all of it, and rows.
    SelectBox(Option<TimeRange>, super::RowChoice),
    /// Choose rows, too; or, if they are all chosen, leave them out.
    ToggleRows(super::RowChoice),
    /// Choose no rows: what was about them is about everything again.
    ClearRows,
    /// Pick threads, too; or, if they are all picked, put them back.
    ToggleThreads(Vec<ThreadId>),
    /// Pick exactly these threads; none of them means all.
    PickThreads(Vec<ThreadId>),
    /// Put the edges of the measuring tool, or take them away.
    Measure(Option<super::Measure>),
    /// Select a marker, or none; leaves the view in place.
    Select(Option<MarkerId>),
    /// Select a marker and bring it into view.
    Reveal(MarkerId),
    /// The pointer is over this marker.
    Hover(Option<MarkerId>),
    /// Fold or unfold a process.
    ToggleProcess(ProcessId),
    /// Expand or collapse a thread.
    ToggleThread(ThreadId),
    /// Fold a group of a thread's rows into one row, or unfold it.
    ToggleGroup(ThreadId, GroupKind),
    /// List all groups of rows of a thread, or only the busiest.
    ToggleMoreGroups(ThreadId),
    /// Leave out rows that are empty in the view, or show all rows.
    HideEmptyRows(bool),
    /// Fold or unfold a track of flows, by its number.
    ToggleFlowTrack(u32),
    /// Fold or unfold the counters of a process, or those of no process.
    ToggleCounters(Option<ProcessId>),
    /// Fold or unfold the network requests of a process.
    ToggleNetwork(ProcessId),
    /// Fold or unfold a custom track, by its number.
    ToggleCustomTrack(u32),
    /// Hide a thread.
    HideThread(ThreadId),
    /// Show only one thread.
    ShowOnly(ThreadId),
    /// Show a track and scroll its heading into view.
    RevealTrack(super::TrackRef),
    /// Show a counter and scroll it into view, with a moment. Unless a length is measured, the moment is
    /// marked by an edge of the measuring tool.
    RevealCounter(CounterId, Ns),
    /// Put a track directly before or after another of its kind.
    MoveTrack {
        /// Which.
        track: super::TrackRef,
        /// The other one.
        beside: super::TrackRef,
        /// Forward: after it.
        side: Direction,
    },
    /// List a thread above all processes, or with its process again.
    TogglePinnedThread(ThreadId),
    /// Bring threads and processes back into the order of the recording, none of them pinned.
    ResetOrder,
    /// Show one hidden thread again.
    ShowThread(ThreadId),
    /// Hide all threads of a process.
    HideProcess(ProcessId),
    /// Show all threads again.
    ShowAll,
    /// Show these threads, expanded.
    ShowThreads(Vec<ThreadId>),
    /// Show or hide a process's empty threads.
    ToggleEmpty(ProcessId),
    /// Show the markers, too, whose schema keeps them out of the chart or the table; or leave them out again.
    ShowAllMarkers(bool),
    /// Expand all threads and unfold all processes.
    ExpandAll,
    /// Collapse all threads.
    CollapseAll,
    /// Fold or unfold the stack chart of a thread.
    ToggleStackChart(ThreadId),
    /// Choose what the colours of calls stand for.
    ColorCalls(CallColors),
    /// Choose the functions whose calls stack charts show.
    ShowCalls(Implementation),
    /// Select a call of a stack chart, or none; leaves the view in place.
    SelectCall(Option<SelectedCall>),
    /// Select a call and bring it into view.
    RevealCall(SelectedCall),
    /// The pointer is over this call.
    HoverCall(Option<CallRef>),
    /// Switch the arrangement, and show the rows of threads.
    SetArrangement(super::Arrangement),
    /// Change the layout by object.
    Tape(super::TapeCommand),
    /// Change the search text.
    Search(String),
    /// Show all times relative to the start of a marker, or to the recording's own zero.
    ZeroAt(Option<MarkerId>),
    /// Show the critical path to something, or none.
    ShowPath(Option<super::PathTarget>),
    /// Change the notes.
    Note(super::NoteCommand),
    /// Show the hidden entries of a thread again, or all of them.
    ShowHidden(Option<ThreadId>),
    /// Select a note and bring what it is about into view.
    RevealNote(super::NoteId),
    /// Undo the last change of notes, of tracks (folding, hiding, order), of pinned flows or of the zero of times.
    Undo,
    /// Do again what was undone last.
    Redo,
    /// Change the flow panel.
    Flow(super::FlowCommand),
}
