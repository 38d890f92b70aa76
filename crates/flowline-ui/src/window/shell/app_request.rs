//! Requests of the window to the application.

use std::path::PathBuf;

use crate::widget_requests::{NotesFile, RecordingPart, TreeStacks};
use crate::window::dialogs::save_dialog::{ImageFormat, NotesFormat, StackFormat};
use flowline_profile::text::FileLocation;
use flowline_session::{TableFile, TableFormat};

/// A request to the application.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AppRequest {
    /// Open this file.
    OpenFile(PathBuf),
    /// Open this file in a new window.
    OpenInNewWindow(PathBuf),
    /// Open the bundled example recording.
    OpenExample,
    /// Remove this file from [`super::Shell::recent`].
    RemoveFromRecent(PathBuf),
    /// Open this file below the open recording to compare both.
    OpenSecondFile(PathBuf),
    /// Open the file of [`super::Shell::question`] without the decompression limit.
    OpenWithoutLimit,
    /// [`super::Shell::preferences`] have changed.
    ApplyPreferences,
    /// Cancel loading.
    CancelLoading,
    /// The recording was closed: drop all data of it, and any load in progress.
    DropRecording,
    /// Quit the program.
    Quit,
    /// Toggle full screen.
    ToggleFullScreen,
    /// Open a source location in the user's editor.
    OpenInEditor(FileLocation),
    /// Open a URL in the user's browser.
    OpenInBrowser(String),
    /// Write stacks to a file.
    WriteStacks {
        /// The file; an existing one is replaced.
        path: PathBuf,
        /// Format of the file.
        format: StackFormat,
        /// The stacks.
        stacks: TreeStacks,
    },
    /// Write notes to a file, or a copy of the trace with notes.
    WriteNotes {
        /// The file; an existing one is replaced.
        path: PathBuf,
        /// Separate file, or copy of the trace.
        format: NotesFormat,
        /// The notes.
        notes: NotesFile,
    },
    /// Write a part of a recording to a file.
    WritePart {
        /// The file; an existing one is replaced.
        path: PathBuf,
        /// The part.
        part: Box<RecordingPart>,
    },
    /// Write an image of the window to a file.
    WriteImage {
        /// The file; an existing one is replaced.
        path: PathBuf,
        /// Format of the file.
        format: ImageFormat,
    },
    /// Write a table to a file.
    WriteTable {
        /// The file; an existing one is replaced.
        path: PathBuf,
        /// Format of the file.
        format: TableFormat,
        /// The table.
        table: TableFile,
    },
}
