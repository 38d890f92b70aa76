//! The commands, grouped by what carries them out.

use crate::hidden_panels::PanelKind;
use crate::tables::TableKind;
use flowline_insights::report::MetricKind;
use flowline_profile::notes::HiddenPart;
use flowline_profile::{ColorBy, Direction};
use flowline_view::MoveDirection;

/// A command without parameters: the user can run it with a key, from the palette, or from a menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UiCommand {
    /// Changes the window, or files and the program.
    Window(WindowAction),
    /// Changes the visible time range, or the rows.
    View(ViewAction),
    /// Changes the selection, or uses it.
    Selection(SelectionAction),
    /// Concerns flows.
    Flow(FlowAction),
    /// Concerns notes and hidden entries.
    Note(NoteAction),
}

/// A command for the window or the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WindowAction {
    /// Show the file dialog.
    Open,
    /// Open the bundled example.
    OpenExample,
    /// Show the file dialog for a recording to compare with.
    Compare,
    /// Reload the active recording's file.
    Reload,
    /// Close the active recording.
    Close,
    /// Close the second recording.
    CloseSecond,
    /// Compare the statistics of both recordings.
    CompareStatistics,
    /// Compare statistics of the scope with those of the next one.
    CompareScopes,
    /// Choose the groups of the statistics.
    GroupStatistics,
    /// Show the save dialog for an image of the window.
    SaveImage,
    /// Copy the command that opens the recording with the current view.
    CopyLink,
    /// Copy the same command with the notes.
    CopyNotesLink,
    /// Copy the command that renders the window's contents.
    CopyCommand,
    /// Show the save dialog for the selected or visible range as a recording.
    SaveRange,
    /// Show the save dialog for notes.
    SaveNotes,
    /// Show the save dialog for a copy of the trace with notes.
    SaveTrace,
    /// Quit the program.
    Quit,
    /// Focus the search box.
    Search,
    /// Open or close the palette.
    Find,
    /// Toggle a table.
    Table(TableKind),
    /// Toggle a panel.
    Panel(PanelKind),
    /// Toggle box mode: dragging on the chart selects a box instead of panning.
    BoxMode,
    /// Toggle the light and dark theme.
    Theme,
    /// Make the interface larger (forward) or smaller (back), or reset its size (`None`).
    Scale(Option<Direction>),
    /// Toggle full screen.
    FullScreen,
    /// Toggle the list of import warnings.
    Warnings,
    /// Toggle the help.
    Help,
    /// Toggle the settings.
    Settings,
    /// Toggle the presets.
    Presets,
    /// Toggle the dialog about the program.
    About,
    /// Toggle the frame time display.
    FrameTime,
    /// Close the topmost window, or clear range, search or selection.
    Escape,
}

/// A command for the visible time range or the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ViewAction {
    /// Zoom, pan or scroll: as long as a key is down, or by one step.
    Move(MoveDirection),
    /// Scroll a page of rows down or up.
    Page(Direction),
    /// Go to the start or the end of the viewable range.
    Edge(Direction),
    /// Zoom to the selection.
    ZoomToSelection,
    /// Show the whole recording.
    ZoomToAll,
    /// Return to the previous view.
    ZoomBack,
    /// Zoom to the selected range, enter the selected marker's flows, or go to the next hit.
    Confirm {
        /// True if Shift is down: the previous hit.
        back: bool,
    },
    /// Clear the search.
    ClearSearch,
    /// Switch between rows by name and stack rows.
    Layout,
    /// Toggle the layout by flow.
    FlowLanes,
    /// Toggle rows that are empty in the visible range.
    EmptyRows,
    /// Toggles whether tables and trees follow the visible range.
    FollowView,
    /// Hide the thread of the marker.
    HideThread,
    /// Hide all other threads.
    OnlyThread,
    /// Show all hidden threads.
    ShowThreads,
    /// Move the thread of the marker up or down.
    MoveTrack(Direction),
    /// Expand all processes and threads.
    ExpandAll,
    /// Collapse all threads.
    CollapseAll,
    /// Restore the recording's order of tracks.
    ResetOrder,
    /// Toggle markers that the recording hides.
    AllMarkers,
    /// Toggle the idle threads of all processes.
    IdleThreads,
    /// Toggle low rows.
    Compact,
    /// Choose the property that determines colors.
    ColorBy(ColorBy),
}

/// A command for the selection and what depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SelectionAction {
    /// Select the next or previous marker in the row.
    Sibling(Direction),
    /// Select a marker in the row below (forward) or above (back).
    RowNeighbor(Direction),
    /// Go back or forward in the history of selections.
    History(Direction),
    /// Select the longest child slice (forward), or the enclosing slice (back).
    Nested(Direction),
    /// Select the next or previous long task, or period in which events waited.
    LongTask(Direction),
    /// Select the next or previous frame that was late, dropped or missed.
    BadFrame(Direction),
    /// Toggle the selected marker's row in the row selection.
    ToggleRow,
    /// Select the time range of the selected marker.
    MarkerRange {
        /// True if the selected range is extended to the marker instead of replaced.
        extend: bool,
    },
    /// Select the visible time range.
    VisibleRange,
    /// Clear the selected time range.
    ClearRange,
    /// Clear the selected rows.
    ClearRows,
    /// Copy the selected marker.
    Copy,
    /// Search for the name of the hovered or selected marker or call in the browser's source.
    SearchSource,
    /// Set the next edge of the measuring tool at the pointer.
    Measure,
    /// Measure the selection.
    MeasureSelection,
    /// Clear the measurement.
    ClearMeasurement,
    /// Set the time origin to the selected marker's start.
    SetOrigin,
    /// Reset the time origin.
    ResetOrigin,
    /// Toggle the time origin at the main navigation.
    NavigationOrigin,
    /// Show the critical path to a late moment of the page load.
    PathTo(MetricKind),
    /// Toggle the critical path to the selection.
    CriticalPath,
    /// Show the next or previous insight on the chart.
    Insight(Direction),
}

/// A command for flows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FlowAction {
    /// Select the next or previous marker of the flow.
    Along(Direction),
    /// Activate the next or previous of the selected marker's flows.
    Choose(Direction),
    /// Pin or unpin the flow.
    Pin,
    /// Rename the pinned flow.
    RenamePin,
    /// Unpin all flows.
    UnpinAll,
    /// Leave the entered flow.
    Leave,
    /// Go back or forward in the history of entered flows.
    History(Direction),
    /// Show all markers of the flow.
    ViewAll,
    /// Toggle between all connections and those of one marker.
    Connections,
    /// Toggle the flow's path across the chart.
    Path,
    /// Zoom to the entered flow.
    Zoom,
    /// Follow incoming or outgoing flows one more step, or all the way.
    Chain {
        /// Back for incoming flows, forward for outgoing ones.
        direction: Direction,
        /// True to go all the way.
        all: bool,
    },
    /// Show only one step of incoming and outgoing flows.
    ResetChain,
}

/// A command for notes and hidden entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoteAction {
    /// Add a note to the selection, or a bookmark at the pointer.
    Add,
    /// Start a link at the selected entry, or end it there.
    Link,
    /// Edit the text of the selected note.
    Edit,
    /// Delete the selected note.
    Delete,
    /// Toggle all notes on the chart.
    Show,
    /// Hide the selected entry (`None`), or another part of its tree.
    Hide(Option<HiddenPart>),
    /// Show everything hidden inside the selected entry; without a selection, all hidden entries.
    ShowHidden,
    /// Show all hidden entries.
    ShowAllHidden,
    /// Undo the last change.
    Undo,
    /// Redo the last undone change.
    Redo,
}

/// Conversions of a group's commands.
macro_rules! conversions {
    ($($group:ident: $action:ident),*) => {$(
        impl From<$action> for UiCommand {
            fn from(action: $action) -> Self {
                Self::$group(action)
            }
        }

        impl $action {
            /// Title of the command.
            pub(crate) fn title(self) -> &'static str {
                UiCommand::$group(self).title()
            }
        }
    )*};
}

conversions!(Window: WindowAction, View: ViewAction, Selection: SelectionAction, Flow: FlowAction, Note: NoteAction);
