//! Requests of the window to the application.

use std::path::PathBuf;

use crate::widget_requests::{NotesFile, TreeStacks};
use crate::window::dialogs::save_dialog::{ImageFormat, NotesFormat, StackFormat};
use flowline_profile::text::FileLocation;
use flowline_session::{TableFile, TableFormat};

/// A request to the application.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AppRequest {
    /// Open this file.
    Open(PathBuf),
    /// Open this file in a new window.
    OpenBeside(PathBuf),
    /// Open the bundled example recording.
    OpenExample,
    /// Remove this file from [`Shell::recent`].
    ForgetRecent(PathBuf),
    /// Open this file below the open recording to compare both.
    Compare(PathBuf),
    /// Open the file of [`Shell::question`] anyway.
    OpenAnyway,
    /// Cancel loading.
    CancelLoading,
    /// The recording was closed: drop all data of it, and any load in progress.
    Closed,
    /// Quit the program.
    Quit,
    /// Toggle full screen.
    FullScreen,
    /// Open a source location in the user's editor.
    OpenPlace(FileLocation),
    /// Open a URL in the user's browser.
    OpenLink(String),
    /// Write stacks to a file.
    SaveStacks {
        /// The file; an existing one is replaced.
        path: PathBuf,
        /// Format of the file.
        format: StackFormat,
        /// The stacks.
        stacks: TreeStacks,
    },
    /// Write notes to a file, or a copy of the trace with notes.
    SaveNotes {
        /// The file; an existing one is replaced.
        path: PathBuf,
        /// Separate file, or copy of the trace.
        form: NotesFormat,
        /// The notes.
        notes: NotesFile,
    },
    /// Write an image of the window to a file.
    SavePicture {
        /// The file; an existing one is replaced.
        path: PathBuf,
        /// Format of the file.
        format: ImageFormat,
    },
    /// Write a table to a file.
    SaveTable {
        /// The file; an existing one is replaced.
        path: PathBuf,
        /// Format of the file.
        format: TableFormat,
        /// The table.
        table: TableFile,
    },
}
